// The files of a folder as a Tokenizer. What tokenizer.json says in parts that are not known here is refused by their
// names: ids that are nearly right would be worse than none.
#include <nlohmann/json.hpp>
#include <optional>

#include "base/diagnostic.h"
#include "base/files.h"
#include "base/letters.h"
#include "base/text.h"
#include "base/utf8.h"
#include "lesson/tokenizer.h"
#include "text/say.h"

namespace attn {

using nlohmann::json;

namespace {

constexpr std::int64_t kLastId = 1'999'999;  // the largest vocabularies have some 260,000 tokens
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;

// What BERT splits at: each punctuation mark and each Chinese character is a piece.
constexpr const char* kBertPattern = R"(\p{Han}|[\p{P}$+<=>^`|~]|[^\s\p{P}\p{Han}$+<=>^`|~]+)";

[[noreturn]] void refuse(const char* part, const std::string& kind) {
  throw UserError(say("tokenizer.kind", {{"part", part}, {"kind", visible(elide(kind, 40))}}), say("tokenizer.kinds"),
                  UserError::Fault::Input);
}

// As BERT cleans a text: without characters that control or format it, with blanks for white space.
std::string without_controls(const std::string& text) {
  constexpr std::int32_t kReplacement = 0xFFFD;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, size] = decode(std::string_view(text).substr(at));
    const std::string_view bytes = std::string_view(text).substr(at, size);
    at += size;
    const std::string category = code < 0 ? "" : category_of(code);
    if (bytes == "\t" || bytes == "\n" || bytes == "\r" || category == "Zs") out += ' ';
    else if (code >= 0 && code != kReplacement && category != "Cc" && category != "Cf") out += bytes;
  }
  return out;
}

std::string quoted_pattern(const std::string& text) { return "\\Q" + replaced(text, "\\E", "\\E\\\\E\\Q") + "\\E"; }

}  // namespace

/// Reads member by member of the JSON; a wrong type anywhere is an exception of nlohmann's, and one sentence.
class TokenizerReader {
 public:
  static Tokenizer read(const Source& source) {
    try {
      return TokenizerReader().read_all(json::parse(source.text));
    } catch (const json::exception&) {
      throw UserError(say("tokenizer.json", {{"file", source.name}}), {}, UserError::Fault::Input);
    }
  }

  static Tokenizer read_merges(const Source& vocab, const Source& merges) {
    TokenizerReader reader;
    try {
      reader.read_vocab(json::parse(vocab.text));
    } catch (const json::exception&) {
      throw UserError(say("tokenizer.json", {{"file", vocab.name}}), {}, UserError::Fault::Input);
    }
    for (const std::string_view line : split_lines(merges.text)) {
      if (line.starts_with("#version")) continue;
      reader.read_merge(line);
    }
    reader.add_special({"<|endoftext|>"});
    reader.made_.splitters_.push_back(pattern_splitter(kGpt2Pattern, true));
    return std::move(reader.made_);
  }

  static Tokenizer read_wordpieces(const Source& lines) {
    TokenizerReader reader;
    reader.made_.model_ = Tokenizer::Model::WordPiece;
    for (std::string_view line : split_lines(lines.text)) {
      if (line.ends_with('\r')) line.remove_suffix(1);
      reader.made_.add(std::string(line), static_cast<std::int64_t>(reader.made_.size()));
    }
    const auto id_of = [&](const char* token) { return reader.made_.ids_.at(token); };
    try {
      reader.made_.before_ = {id_of("[CLS]")};
      reader.made_.behind_ = {id_of("[SEP]")};
      reader.made_.unknown_ = id_of("[UNK]");
    } catch (const std::out_of_range&) {
      throw UserError(say("tokenizer.wordpiece", {{"file", lines.name}}), {}, UserError::Fault::Input);
    }
    reader.add_special({"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"});
    const bool is_lower = reader.made_.ids_.contains("a") && !reader.made_.ids_.contains("The");
    reader.bert_normalizer(is_lower, is_lower, true);
    reader.made_.splitters_.push_back(pattern_splitter(kBertPattern, false));
    return std::move(reader.made_);
  }

 private:
  /// Tokens that are never taken apart, if the vocabulary has them.
  void add_special(std::initializer_list<const char*> tokens) {
    for (const char* token : tokens)
      if (const auto id = made_.ids_.find(token); id != made_.ids_.end()) made_.added_.emplace_back(token, id->second);
  }

  Tokenizer read_all(const json& file) {
    for (const json& added : file.value("added_tokens", json::array())) {
      const std::string token = added.at("content");
      add(token, added.at("id"));
      if (!token.empty()) made_.added_.emplace_back(token, made_.ids_.at(token));
    }
    read_model(file.at("model"));
    each(file, "normalizer", "normalizers", [&](const json& part) { normalizer(part); });
    each(file, "pre_tokenizer", "pretokenizers", [&](const json& part) { splitter(part); });
    each(file, "post_processor", "processors", [&](const json& part) { frame(part); });
    return std::move(made_);
  }

  /// The part of that name, or the members of it if it is a sequence.
  template <typename Read>
  static void each(const json& file, const char* name, const char* members, Read read) {
    const auto part = file.find(name);
    if (part == file.end() || part->is_null()) return;
    if (part->at("type") != "Sequence") return read(*part);
    for (const json& member : part->at(members)) read(member);
  }

  static std::int64_t checked_id(const std::string& token, const json& id) {
    const std::int64_t number = id.is_number_integer() ? id.get<std::int64_t>() : -1;
    if (number >= 0 && number <= kLastId) return number;
    throw UserError(say("tokenizer.id", {{"token", visible(elide(token, 40))}, {"id", elide(id.dump(), 40)}}), {},
                    UserError::Fault::Input);
  }

  void add(const std::string& token, const json& id) { made_.add(token, checked_id(token, id)); }

  void read_vocab(const json& vocab) {
    for (const auto& [token, id] : vocab.items()) add(token, id);
  }

  void read_merge(std::string_view line) {
    const std::size_t blank = line.find(' ');
    if (blank != std::string_view::npos) made_.add_merge(line.substr(0, blank), line.substr(blank + 1));
  }

  void read_model(const json& model) {
    const std::string kind = model.value("type", model.contains("merges") ? "BPE" : "WordPiece");
    if (kind != "BPE" && kind != "WordPiece") refuse("model", kind);
    for (const char* mark : {"continuing_subword_prefix", "end_of_word_suffix"}) {
      const bool is_marked = kind == "BPE" && model.contains(mark) && model[mark].is_string() && model[mark] != "";
      if (is_marked) refuse("model", std::string("BPE with ") + mark);
    }
    read_vocab(model.at("vocab"));
    for (const json& merge : model.value("merges", json::array())) {
      if (merge.is_string()) read_merge(merge.get_ref<const std::string&>());
      else made_.add_merge(merge.at(0).get<std::string>(), merge.at(1).get<std::string>());
    }
    made_.model_ = kind == "WordPiece" ? Tokenizer::Model::WordPiece : Tokenizer::Model::Sentence;
    made_.takes_whole_pieces_ = model.value("ignore_merges", false);
    if (const auto unknown = model.find("unk_token"); unknown != model.end() && unknown->is_string())
      if (const auto id = made_.ids_.find(*unknown); id != made_.ids_.end()) made_.unknown_ = id->second;
  }

  void bert_normalizer(bool is_lower, bool strips, bool cleans) {
    if (cleans) made_.normalizers_.emplace_back([](const std::string& text) { return without_controls(text); });
    if (strips) made_.normalizers_.emplace_back([](const std::string& text) { return without_accents(text); });
    if (is_lower) made_.normalizers_.emplace_back([](const std::string& text) { return lower_case(text); });
  }

  void normalizer(const json& part) {
    const std::string kind = part.at("type");
    const auto does = [&](auto function) { made_.normalizers_.emplace_back(std::move(function)); };
    if (kind == "NFC") {
      does([](const std::string& text) { return composed(text); });
    } else if (kind == "Lowercase") {
      bert_normalizer(true, false, false);
    } else if (kind == "StripAccents") {
      bert_normalizer(false, true, false);
    } else if (kind == "BertNormalizer") {
      const bool is_lower = part.value("lowercase", true);
      const auto strips = part.find("strip_accents");
      bert_normalizer(is_lower, strips == part.end() || strips->is_null() ? is_lower : strips->get<bool>(),
                      part.value("clean_text", true));
    } else if (kind == "Prepend") {
      does([front = part.at("prepend").get<std::string>()](const std::string& text) { return front + text; });
    } else if (kind == "Replace" && part.at("pattern").contains("String")) {
      does([from = part["pattern"]["String"].get<std::string>(),
            to = part.at("content").get<std::string>()](const std::string& text) { return replaced(text, from, to); });
    } else {
      refuse("normalizer", kind);
    }
  }

  void splitter(const json& part) {
    const std::string kind = part.at("type");
    const auto splits = [&](const std::string& pattern, bool keeps_rest) {
      made_.splitters_.push_back(pattern_splitter(pattern, keeps_rest));
    };
    if (kind == "ByteLevel") {
      made_.model_ = Tokenizer::Model::ByteLevel;
      made_.begins_with_blank_ = part.value("add_prefix_space", false);
      if (part.value("use_regex", true)) splits(kGpt2Pattern, true);
    } else if (kind == "Split" && !part.value("invert", false) && part.at("behavior") == "Isolated") {
      const json& pattern = part.at("pattern");
      splits(pattern.contains("String") ? quoted_pattern(pattern["String"]) : pattern.at("Regex").get<std::string>(),
             true);
    } else if (kind == "BertPreTokenizer") {
      splits(kBertPattern, false);
    } else if (kind == "Whitespace") {
      splits(R"(\w+|[^\w\s]+)", false);
    } else if (kind == "WhitespaceSplit") {
      splits(R"(\S+)", false);
    } else if (kind == "Digits") {
      splits(part.value("individual_digits", false) ? R"(\p{N})" : R"(\p{N}+)", true);
    } else if (kind == "Metaspace" && !part.value("split", true)) {
      const std::string blank = part.at("replacement");
      const bool is_first = part.value("prepend_scheme", "always") != "never";
      made_.normalizers_.emplace_back([blank, is_first](const std::string& text) {
        return (is_first && !text.starts_with(' ') ? blank : "") + replaced(text, " ", blank);
      });
    } else {
      refuse("pre_tokenizer", kind);
    }
  }

  // What is put around a text.
  void frame(const json& part) {
    const std::string kind = part.at("type");
    if (kind == "ByteLevel") return;
    if (kind == "BertProcessing" || kind == "RobertaProcessing") {
      const auto id_of = [&](const char* end) { return checked_id(part.at(end).at(0), part.at(end).at(1)); };
      made_.before_ = {id_of("cls")};
      made_.behind_ = {id_of("sep")};
      return;
    }
    if (kind != "TemplateProcessing") refuse("post_processor", kind);
    std::vector<std::int64_t>* place = &made_.before_;
    for (const json& member : part.at("single")) {
      if (!member.contains("SpecialToken")) {
        place = &made_.behind_;
        continue;
      }
      const std::string token = member["SpecialToken"].at("id");
      for (const json& id : part.at("special_tokens").at(token).at("ids")) place->push_back(checked_id(token, id));
    }
  }

  Tokenizer made_;
};

Tokenizer Tokenizer::from_json(const Source& source) { return TokenizerReader::read(source); }
Tokenizer Tokenizer::from_merges(const Source& vocab, const Source& merges) {
  return TokenizerReader::read_merges(vocab, merges);
}
Tokenizer Tokenizer::from_wordpieces(const Source& lines) { return TokenizerReader::read_wordpieces(lines); }

Tokenizer Tokenizer::of_folder(const FileOpener& open) {
  const auto text_of = [&](const char* name) -> std::optional<Source> {
    try {
      const auto bytes = open(name);
      return Source{bytes->name(), first_bytes(*bytes, kMostBytes)};
    } catch (const MissingFile&) {
      return std::nullopt;
    }
  };
  if (const auto file = text_of("tokenizer.json")) return from_json(*file);
  const auto merges = text_of("merges.txt"), vocab = text_of("vocab.json");
  if (merges && vocab) return from_merges(*vocab, *merges);
  if (const auto lines = text_of("vocab.txt")) return from_wordpieces(*lines);
  const bool has_sentencepiece = text_of("tokenizer.model").has_value();
  throw UserError(say(has_sentencepiece ? "tokenizer.sentencepiece" : "tokenizer.none"),
                  say(has_sentencepiece ? "tokenizer.sentencepiece.hint" : "tokenizer.kinds"), UserError::Fault::Input);
}

}  // namespace attn
