#include "cli/read_input.h"

#include <algorithm>

#include "base/files.h"
#include "base/letters.h"
#include "base/text.h"
#include "cli/output.h"
#include "engine/own_input.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::int64_t kMostVocabulary = std::int64_t{64} << 20, kMostText = std::int64_t{4} << 20;  // bytes
constexpr std::int64_t kMostAnswers = std::int64_t{1} << 20;
constexpr std::string_view kNpyMagic = "\x93NUMPY";

Source read_source(const std::string& path, std::int64_t most = kMostText) {
  return {path, std::string(without_byte_order_mark(read_file(path, most)))};
}

OwnInput read_texts(const std::vector<std::string>& typed) {
  std::vector<Source> texts;
  for (const std::string& text : typed) texts.push_back(read_text(text));
  return own_text(std::move(texts));
}

/// False after its errors were reported: one for each malformed line.
bool read_data(OwnInput& input, const std::string& path, const Request& request) {
  input.has_ids = true;
  input.sources.push_back(read_source(path));
  const Source& source = input.sources.back();
  if (source.text.starts_with(kNpyMagic) || path.ends_with(".npy")) {
    input.sentences = read_npy_ids(TextBytes(path, source.text));
    return true;
  }
  LoadFindings findings;
  input.sentences = read_ids(source, 0, findings);
  for (const Diagnostic& finding : findings.diagnostics) report(finding, source, request);
  return !findings.failed();
}

bool read_vocabulary(OwnInput& input, const std::string& path, const Request& request) {
  LoadFindings findings;
  const Source source = read_source(path, kMostVocabulary);
  const auto read = path.ends_with(".json") ? Vocabulary::from_json : Vocabulary::from_lines;
  input.vocabulary = std::make_shared<const Vocabulary>(read(source, findings));
  for (const Diagnostic& finding : findings.diagnostics) report(finding, source, request);
  return !findings.failed();
}

}  // namespace

Source read_text(const std::string& typed) {
  if (!typed.starts_with('@')) return {"--text", typed};
  if (typed.starts_with("@@")) return {"--text", typed.substr(1)};
  Source file = read_source(typed.substr(1));
  while (file.text.ends_with('\n')) file.text.pop_back();
  return file;
}

bool read_own_input(Request& request) {
  const GivenInput& given = request.run.given;
  if (given.text.empty() && given.data.empty()) return true;
  const auto input = std::make_shared<OwnInput>(read_texts(given.text));
  if (!given.data.empty() && !read_data(*input, given.data, request)) return false;
  if (!given.vocab.empty() && !read_vocabulary(*input, given.vocab, request)) return false;
  request.run.input = input;
  return true;
}

bool begins_as_json(std::string_view text) { return trim(text.substr(0, 64)).starts_with("{"); }

std::string read_answers(const std::string& path, std::int64_t most_of_json) {
  std::string text = read_file(path, std::max(most_of_json, kMostAnswers));
  if (most_of_json > kMostAnswers && begins_as_json(text)) return text;
  if (std::ssize(text) > kMostAnswers) throw too_large(path, kMostAnswers);
  // With a mark of its byte order, or with a zero in every other byte.
  const std::string_view begin = std::string_view(text).substr(0, 256);
  const auto zeros = static_cast<std::size_t>(std::count(begin.begin(), begin.end(), '\0'));
  if (marks_utf16(text) || (zeros > begin.size() / 4 && zeros < begin.size()))
    throw UserError(say("answers.utf16", {{"file", path}}), say("file.utf16.hint"), UserError::Fault::Input);
  std::size_t wrong = 0;
  valid_utf8(text, &wrong);
  if (wrong > 0 || zeros > 0)
    throw UserError(say("answers.utf8", {{"file", path}}), say("answers.utf8.hint"), UserError::Fault::Input);
  return text;
}

}  // namespace attn
