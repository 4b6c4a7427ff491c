#include "cli/read_input.h"

#include "base/files.h"
#include "cli/output.h"
#include "engine/own_input.h"

namespace attn {
namespace {

constexpr std::int64_t kMostBytes = std::int64_t{64} << 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kNpyMagic = "\x93NUMPY";

Source read_source(const std::string& path) {
  std::string text = read_file(path, kMostBytes);
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  return {path, std::move(text)};
}

/// "@FILE" is the text of a file, "@@..." a text that begins with @.
Source text_source(const std::string& typed) {
  if (!typed.starts_with('@')) return {"--text", typed};
  if (typed.starts_with("@@")) return {"--text", typed.substr(1)};
  return read_source(typed.substr(1));
}

/// Adds what `read` makes of a source; false after its errors were reported.
template <class Read>
bool add(OwnInput& input, Source source, Read read, const Request& request) {
  LoadFindings findings;
  const auto number = static_cast<std::uint32_t>(input.sources.size());
  std::vector<OwnSentence> sentences = read(source, number, findings);
  for (const Diagnostic& finding : findings.diagnostics) report(finding, source, request);
  input.sources.push_back(std::move(source));
  input.sentences.insert(input.sentences.end(), sentences.begin(), sentences.end());
  return !findings.failed();
}

bool read_data(OwnInput& input, const std::string& path, const Request& request) {
  input.has_ids = true;
  Source source = read_source(path);
  if (!source.text.starts_with(kNpyMagic) && !path.ends_with(".npy"))
    return add(input, std::move(source), read_ids, request);
  input.sentences = read_npy_ids(TextBytes(path, source.text));
  input.sources.push_back({path, ""});
  return true;
}

bool read_vocabulary(OwnInput& input, const std::string& path, const Request& request) {
  LoadFindings findings;
  const Source source = read_source(path);
  const auto read = path.ends_with(".json") ? Vocabulary::from_json : Vocabulary::from_lines;
  input.vocabulary = std::make_shared<const Vocabulary>(read(source, findings));
  for (const Diagnostic& finding : findings.diagnostics) report(finding, source, request);
  return !findings.failed();
}

}  // namespace

bool read_own_input(Request& request) {
  const GivenInput& given = request.run.given;
  if (given.text.empty() && given.data.empty()) return true;
  const auto input = std::make_shared<OwnInput>();
  for (const std::string& text : given.text)
    if (!add(*input, text_source(text), read_sentences, request)) return false;
  if (!given.data.empty() && !read_data(*input, given.data, request)) return false;
  if (!given.vocab.empty() && !read_vocabulary(*input, given.vocab, request)) return false;
  request.run.input = input;
  return true;
}

}  // namespace attn
