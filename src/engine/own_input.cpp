#include "engine/own_input.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "base/text.h"
#include "engine/literals.h"
#include "syntax/parser.h"
#include "tensor/core/read.h"
#include "tensor/io/bad_file.h"
#include "tensor/io/npy.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::string_view kSentences = "sentences", kTokenIds = "token_ids", kVocab = "vocab";
constexpr std::int64_t kLargestNamelessId = 1'000'000;  // of which all that come before it are listed as words

/// What a lesson binds to the names that can be filled.
struct Places {
  bool sentences = false, token_ids = false, vocab = false;
  std::shared_ptr<const Vocabulary> fixed;  // that of the lesson, when no other can stand in its place
};

/// The strings of a list that is written out.
std::vector<std::string> strings_of(const Expr& expr) {
  std::vector<std::string> out;
  const ListExpr* list = std::get_if<ListExpr>(&expr.node);
  for (std::size_t i = 0; list && i < list->elements.size(); ++i) {
    const Constant* constant = std::get_if<Constant>(&list->elements[i]->node);
    const std::string* text = constant ? std::get_if<std::string>(&constant->value) : nullptr;
    if (text) out.push_back(*text);
  }
  return out;
}

Places places_of(const Lesson& lesson) {
  Places places;
  for (const Cell* cell : cells(lesson)) {
    if (lesson.form == LessonForm::Lesson && cell->options.data.empty()) continue;
    for (const Assignment& bound : assignments(cell->tree->block)) {
      if (cell->options.fixed && bound.name == kVocab)
        places.fixed = std::make_shared<const Vocabulary>(Vocabulary::of(strings_of(*bound.value)));
      if (!can_be_filled(lesson, *cell, bound)) continue;
      places.sentences = places.sentences || bound.name == kSentences;
      places.token_ids = places.token_ids || bound.name == kTokenIds;
      places.vocab = places.vocab || bound.name == kVocab;
    }
  }
  return places;
}

[[noreturn]] void refuse_input(const OwnInput& input, Span span, std::string message, std::string hint) {
  Diagnostic diagnostic;
  diagnostic.code = Code::Format;
  diagnostic.span = span;
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  throw UserError(std::move(diagnostic), input.sources.at(span.source), UserError::Fault::Input);
}

/// The input as a lesson takes it: of each sentence the pieces and their ids.
struct Tokens {
  std::vector<std::vector<std::string>> words;
  std::vector<std::vector<std::int64_t>> ids;
  std::vector<std::string> vocab;
};

class Tokenizer {
 public:
  Tokenizer(const OwnInput& input, const Places& places)
      : input_(input), vocabulary_(places.fixed ? places.fixed : input.vocabulary), is_fixed_(places.fixed != nullptr) {
    if (!vocabulary_ && places.token_ids) id_of_new(std::string(kPadding));
  }

  Tokens run() {
    for (const OwnSentence& sentence : input_.sentences) {
      tokens_.words.emplace_back();
      tokens_.ids.emplace_back();
      for (std::size_t i = 0; i < sentence.size(); ++i) take(sentence[i], i == 0);
    }
    if (vocabulary_) tokens_.vocab = vocabulary_->tokens();
    else if (input_.has_ids) name_ids();
    return std::move(tokens_);
  }

 private:
  void take(const OwnToken& token, bool is_first) {
    if (input_.has_ids) return put(token.id, word_of_id(token));
    if (!vocabulary_) return put(id_of_new(token.word), token.word);
    for (const std::int64_t id : ids_of(token, is_first)) put(id, vocabulary_->tokens()[static_cast<std::size_t>(id)]);
  }
  void put(std::int64_t id, std::string word) {
    count_token(count_);
    tokens_.ids.back().push_back(id);
    tokens_.words.back().push_back(std::move(word));
  }

  std::int64_t id_of_new(const std::string& word) {
    const auto [place, is_new] = ids_.try_emplace(word, static_cast<std::int64_t>(ids_.size()));
    if (is_new) tokens_.vocab.push_back(word);
    return place->second;
  }

  std::vector<std::int64_t> ids_of(const OwnToken& token, bool is_first) const {
    if (is_fixed_) {
      if (const auto id = vocabulary_->whole(token.word)) return {*id};
    } else if (auto pieces = vocabulary_->split(token.word, is_first)) {
      return std::move(*pieces);
    }
    const std::vector<std::string> near = vocabulary_->near(token.word);
    refuse_input(input_, token.span, say("input.unknown", {{"word", elide(token.word, 60)}}),
                 near.empty() ? say("input.unknown.count", {{"count", std::to_string(vocabulary_->tokens().size())}})
                              : say("input.unknown.near", {{"list", join(near, ", ")}}));
  }

  std::string word_of_id(const OwnToken& token) const {
    if (!vocabulary_) {
      if (token.id > kLargestNamelessId)
        refuse_input(
            input_, token.span,
            say("input.id.above", {{"id", std::to_string(token.id)}, {"largest", std::to_string(kLargestNamelessId)}}),
            "");
      return name_of(token.id);
    }
    const auto size = static_cast<std::int64_t>(vocabulary_->tokens().size());
    if (token.id >= size)
      refuse_input(input_, token.span,
                   say("input.id.unknown", {{"id", std::to_string(token.id)}, {"last", std::to_string(size - 1)}}), "");
    return vocabulary_->tokens()[static_cast<std::size_t>(token.id)];
  }

  /// What an id is called without a vocabulary.
  static std::string name_of(std::int64_t id) { return fmt::format("#{}", id); }
  void name_ids() {
    std::int64_t largest = 0;
    for (const auto& sentence : tokens_.ids)
      largest = std::max(largest, *std::max_element(sentence.begin(), sentence.end()));
    tokens_.vocab.clear();
    charge(largest);
    for (std::int64_t id = 0; id <= largest; ++id) tokens_.vocab.push_back(name_of(id));
  }

  const OwnInput& input_;
  std::shared_ptr<const Vocabulary> vocabulary_;
  bool is_fixed_;
  std::map<std::string, std::int64_t> ids_;  // of words in order of appearance
  std::size_t count_ = 0;
  Tokens tokens_;
};

std::string words_literal(const std::vector<std::string>& words) {
  std::vector<std::string> items;
  for (const std::string& word : words) items.push_back(string_literal(word));
  return list_literal(items);
}

std::string ids_literal(const std::vector<std::int64_t>& ids) {
  std::vector<std::string> items;
  for (const std::int64_t id : ids) items.push_back(std::to_string(id));
  return list_literal(items);
}

template <class List, class ToLiteral>
std::string rows_literal(const std::vector<List>& rows, ToLiteral to_literal) {
  std::string out = "[";
  for (std::size_t i = 0; i < rows.size(); ++i) out += (i ? ",\n    " : "") + to_literal(rows[i]);
  return out + "]";
}

std::map<std::string, std::string> literals_for(const OwnInput& input, const Places& places) {
  const Tokens tokens = Tokenizer(input, places).run();
  std::map<std::string, std::string> literals;
  if (places.sentences) literals[std::string(kSentences)] = rows_literal(tokens.words, words_literal);
  if (places.token_ids) literals[std::string(kTokenIds)] = rows_literal(tokens.ids, ids_literal);
  if (places.vocab) literals[std::string(kVocab)] = words_literal(tokens.vocab);
  return literals;
}

}  // namespace

bool can_be_filled(const Lesson& lesson, const Cell& cell, const Assignment& assignment) {
  if (lesson.form == LessonForm::Lesson) return !cell.options.data.empty() && !cell.options.fixed;
  const ListExpr* list = std::get_if<ListExpr>(&assignment.value->node);
  return list && !list->elements.empty();
}

OwnInput own_text(std::vector<Source> texts) {
  OwnInput input;
  for (Source& text : texts) {
    LoadFindings findings;
    std::vector<OwnSentence> sentences =
        read_sentences(text, static_cast<std::uint32_t>(input.sources.size()), findings);
    if (findings.failed())
      throw UserError(std::move(findings.diagnostics.front()), std::move(text), UserError::Fault::Input);
    input.sources.push_back(std::move(text));
    std::move(sentences.begin(), sentences.end(), std::back_inserter(input.sentences));
  }
  return input;
}

std::vector<OwnSentence> read_npy_ids(const BytesAt& bytes) {
  const Tensor array = read_npy(bytes);
  const auto fail = [&](const std::string& reason) { return BadFile(bytes.name(), reason); };
  if (is_floating(array.dtype()) || array.dtype() == DType::Bool)
    throw fail(say("input.array.type", {{"type", std::string(short_name(array.dtype()))}}));
  if (array.dim() < 1 || array.dim() > 2) throw fail(say("input.array.axes", {{"count", std::to_string(array.dim())}}));
  if (array.numel() == 0) throw fail(say("input.array.empty"));
  std::vector<OwnSentence> sentences(array.dim() == 1 ? 1 : static_cast<std::size_t>(array.size(0)));
  const std::int64_t width = array.shape().back();
  std::size_t count = 0;
  for (std::int64_t i = 0; i < array.numel(); ++i) {
    count_token(count);
    const auto id = to_int(element_at(array, i));
    if (id < 0) throw fail(say("input.array.negative", {{"number", std::to_string(i)}, {"id", std::to_string(id)}}));
    sentences[static_cast<std::size_t>(i / width)].push_back({"", id, {}});
  }
  return sentences;
}

std::map<std::string, std::string> own_literals(const Lesson& lesson, const RunOptions& options) {
  if (!options.input) return {};
  const Places places = places_of(lesson);
  if (!places.sentences && !places.token_ids) throw UserError(say("input.nowhere"));
  if (places.fixed && options.input->vocabulary) throw UserError(say("input.vocabulary"));
  return literals_for(*options.input, places);
}

std::string own_bindings(const OwnInput& input) {
  std::string code;
  for (const auto& [name, literal] : literals_for(input, {true, true, true, nullptr}))
    code += fmt::format("{} = {}\n", name, literal);
  return code;
}

}  // namespace attn
