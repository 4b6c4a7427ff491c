// The bytes of a lesson file as text: size, encoding, line ends.
#include <algorithm>

#include "base/text.h"
#include "lesson/load.h"
#include "text/say.h"

namespace attn {
namespace {

/// CR LF and CR as LF; NUL as U+FFFD, as CommonMark demands.
std::string line_feeds_only(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\0') {
      out += "\uFFFD";
    } else if (text[i] != '\r') {
      out += text[i];
    } else if (i + 1 >= text.size() || text[i + 1] != '\n') {
      out += '\n';
    }
  }
  return out;
}

/// A warning at the first line that changes, with the number of places.
std::string mended(const std::string& text, LoadFindings& findings) {
  std::size_t count = 0;
  std::string valid = valid_utf8(text, &count);
  if (count == 0) return valid;
  const auto first = std::mismatch(text.begin(), text.end(), valid.begin(), valid.end()).second - valid.begin();
  const auto at = static_cast<std::uint32_t>(first);
  findings.warning({0, at, at + 3}, say_count("file.utf8", static_cast<std::int64_t>(count)), say("file.utf8.hint"));
  return valid;
}

}  // namespace

Source clean_source(std::string path, std::string_view text, LoadFindings& findings) {
  Source source{std::move(path), {}, 1};
  if (text.size() > static_cast<std::size_t>(kMaxLessonSize)) {
    findings.error({},
                   say("file.size", {{"size", std::to_string(text.size())}, {"most", std::to_string(kMaxLessonSize)}}));
    return source;
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    findings.error({}, say("file.utf16"), say("file.utf16.hint"));
    return source;
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  source.text = mended(line_feeds_only(text), findings);
  return source;
}

}  // namespace attn
