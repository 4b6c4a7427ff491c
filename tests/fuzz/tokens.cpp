// What learners bring: an input is read as --text, as a file of --data and as both kinds of --vocab. What stands before
// a line "%%" is data, what follows the vocabulary that it is held against.
#include "engine/own_input.h"
#include "engine/runner.h"
#include "lesson/own_words.h"
#include "lesson/program.h"
#include "lesson/tokenizer.h"
#include "lesson/vocabulary.h"
#include "tests/fuzz/fuzz.h"

namespace attn {
namespace {

constexpr std::string_view kBorder = "\n%%\n";

/// A script that binds all names that can be filled.
const Lesson& script() {
  static const Lesson lesson = [] {
    LoadFindings findings;
    return load_program("fuzz.py", "sentences = [['a', 'b']]\ntoken_ids = [[0, 1]]\nvocab = ['a', 'b']\n", findings);
  }();
  return lesson;
}

std::shared_ptr<const Vocabulary> vocabulary_of(std::string_view text, bool as_json) {
  LoadFindings findings;
  const Source source = {"vocab", std::string(text)};
  const Vocabulary read = (as_json ? Vocabulary::from_json : Vocabulary::from_lines)(source, findings);
  for (const Diagnostic& finding : findings.diagnostics) look_at(finding, source);
  return findings.failed() ? nullptr : std::make_shared<const Vocabulary>(read);
}

/// The text through each kind of tokenizer that the file may be.
void encode_by(std::string_view file, const std::string& text) {
  const Source source = {"tokenizer.json", std::string(file)};
  const auto both_ways = [&](const Tokenizer& tokenizer) { tokenizer.decode(tokenizer.encode(text)); };
  allowing<UserError>([&] { both_ways(Tokenizer::from_json(source)); });
  allowing<UserError>([&] { both_ways(Tokenizer::from_merges(source, {"merges.txt", text})); });
  allowing<UserError>([&] { both_ways(Tokenizer::from_wordpieces(source)); });
}

OwnInput ids_of(const Source& source) {
  LoadFindings findings;
  OwnInput input;
  input.has_ids = true;
  input.sources.push_back(source);
  input.sentences = read_ids(source, 0, findings);
  for (const Diagnostic& finding : findings.diagnostics) look_at(finding, source);
  if (findings.failed()) input.sentences.clear();
  return input;
}

/// What it comes to as literals of a lesson, and as statements.
void fill(OwnInput input, const std::shared_ptr<const Vocabulary>& vocabulary) {
  input.vocabulary = vocabulary;
  RunOptions options;
  options.input = std::make_shared<const OwnInput>(std::move(input));
  try {
    own_literals(script(), options);
    own_bindings(*options.input);
  } catch (const UserError& error) {
    if (error.source()) look_at(error.diagnostic(), *error.source());
  }
}

}  // namespace

void fuzz_tokens(std::string_view bytes) {
  const LimitScope limits(kFuzzLimits);
  const std::size_t border = std::min(bytes.find(kBorder), bytes.size());
  const Source data = {"data", std::string(bytes.substr(0, border))};
  const std::string_view rest = bytes.substr(std::min(border + kBorder.size(), bytes.size()));
  allowing<LimitReached>([&] { encode_by(rest, data.text); });
  allowing<LimitReached>([&] {
    for (const bool as_json : {false, true}) {
      const auto vocabulary = vocabulary_of(rest.empty() ? std::string_view(data.text) : rest, as_json);
      allowing<UserError>([&] { fill(own_text({data}), vocabulary); });
      OwnInput ids = ids_of(data);
      if (!ids.sentences.empty()) fill(std::move(ids), vocabulary);
    }
  });
}

}  // namespace attn
