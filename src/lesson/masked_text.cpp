#include "lesson/masked_text.h"

#include <algorithm>
#include <cstdint>
#include <functional>

#include "base/text.h"

namespace attn {
namespace {

constexpr std::size_t kMaxField = 400;  // bytes; keeps the search linear

/// The end of the string literal that starts at `at`, or kNowhere when its line ends first.
std::size_t skip_string(std::string_view text, std::size_t at) {
  const char quote = text[at++];
  for (; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == '\\') ++at;
    else if (text[at] == quote) return at + 1;
  }
  return kNowhere;
}

/// Where the `}}` of a field stands whose expression starts at `at`, or kNowhere.
std::size_t find_close(std::string_view text, std::size_t at) {
  int depth = 0;
  while (at < text.size() && text[at] != '\n') {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = skip_string(text, at);
      if (at == kNowhere) return kNowhere;
      continue;
    }
    if (c == '{' || c == '[' || c == '(') ++depth;
    // A lone brace at depth 0 is no field: {{ stands in formulas too.
    if (c == '}' && depth == 0) return text.substr(at).starts_with("}}") ? at : kNowhere;
    if (c == '}' || c == ']' || c == ')') --depth;
    if (depth < 0) return kNowhere;
    ++at;
  }
  return kNowhere;
}

}  // namespace

std::vector<Field> find_fields(std::string_view text) {
  std::vector<Field> fields;
  for (std::size_t at = text.find("{{"); at != kNowhere; at = text.find("{{", at)) {
    const std::size_t close = find_close(text.substr(0, at + kMaxField), at + 2);
    if (close == kNowhere) {
      at += 2;
      continue;
    }
    const std::string_view inner = trim(text.substr(at + 2, close - at - 2));
    const std::size_t begin = inner.empty() ? at + 2 : static_cast<std::size_t>(inner.data() - text.data());
    fields.push_back({span_of(0, at, close + 2), span_of(0, begin, begin + inner.size())});
    at = close + 2;
  }
  return fields;
}

std::string mask_fields(std::string_view text, const std::vector<Field>& fields) {
  // A private-use character first: no entity name or address can be made of the letters after it.
  constexpr std::string_view kFirst = "\uE000";
  std::string masked(text);
  for (const Field& field : fields) {
    const std::size_t size = field.whole.end - field.whole.begin;
    masked.replace(field.whole.begin, size, std::string(kFirst) + std::string(size - kFirst.size(), 'x'));
  }
  return masked;
}

MaskedText::MaskedText(const Source& file)
    : file_(file), fields_(find_fields(file.text)), masked_(mask_fields(file.text, fields_)), starts_{0} {
  for (std::size_t i = 0; i < masked_.size(); ++i) {
    if (masked_[i] == '\n') starts_.push_back(i + 1);
  }
}

std::size_t MaskedText::offset_of(std::string_view piece) const {
  // std::less orders pointers into different objects too.
  const std::less<const char*> before;
  const char* begin = masked_.data();
  if (before(piece.data(), begin) || !before(piece.data(), begin + masked_.size())) return kNowhere;
  return static_cast<std::size_t>(piece.data() - begin);
}

std::string_view MaskedText::original(std::string_view piece) const {
  const std::size_t offset = offset_of(piece);
  return offset == kNowhere ? piece : std::string_view(file_.text).substr(offset, piece.size());
}

int MaskedText::line_of(std::size_t offset) const {
  return static_cast<int>(std::upper_bound(starts_.begin(), starts_.end(), offset) - starts_.begin());
}

std::string_view MaskedText::line(int number) const {
  const Span span = line_span(number);
  return std::string_view(file_.text).substr(span.begin, span.end - span.begin);
}

Span MaskedText::line_span(int number) const {
  const std::size_t index = static_cast<std::size_t>(std::clamp(number, 1, static_cast<int>(starts_.size()))) - 1;
  const std::size_t begin = starts_[index];
  const std::size_t end = index + 1 < starts_.size() ? starts_[index + 1] - 1 : file_.text.size();
  return span_of(0, begin, end);
}

}  // namespace attn
