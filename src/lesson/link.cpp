#include "lesson/link.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "text/say.h"

namespace attn {

std::string link_fault(std::string_view href, const LessonExists& lesson_exists) {
  constexpr std::string_view kAllowed[] = {"http", "https", "mailto"};
  const bool plain = std::none_of(href.begin(), href.end(), [](char c) { return (c >= 0 && c <= ' ') || c == 0x7F; });
  // The private-use character is the mask of a {{ }}.
  if (!plain || href.find("\uE000") != std::string_view::npos) return say("link.form");
  const std::size_t colon = href.find_first_of(":/?#");
  if (colon != std::string_view::npos && href[colon] == ':') {
    std::string scheme(href.substr(0, colon));
    for (char& c : scheme) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const bool allowed = std::find(std::begin(kAllowed), std::end(kAllowed), scheme) != std::end(kAllowed);
    return allowed ? "" : say("link.scheme", {{"scheme", elide(scheme, 20)}});
  }
  const std::string_view file = href.substr(0, href.find('#'));
  if (file.find('/') != std::string_view::npos || !file.ends_with(".md")) {
    return say("link.file", {{"address", elide(href, 60)}});
  }
  if (lesson_exists && !lesson_exists(file)) return say("lessons.unknown", {{"name", elide(file, 60)}});
  return {};
}

}  // namespace attn
