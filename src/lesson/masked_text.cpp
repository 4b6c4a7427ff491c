#include "lesson/masked_text.h"

#include <algorithm>
#include <functional>

namespace attn {

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
