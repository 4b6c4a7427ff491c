#pragma once
// A lesson file and the copy of it that the Markdown parser reads, in which every {{ }} is masked. The two have the
// same length, so a pointer into the copy is a place in the file.
#include <string>
#include <string_view>
#include <vector>

#include "lesson/expressions.h"

namespace attn {

constexpr std::size_t kNowhere = std::string_view::npos;

class MaskedText {
 public:
  explicit MaskedText(const Source& file);

  std::string_view text() const { return masked_; }
  const std::vector<Field>& fields() const { return fields_; }

  /// Where a piece of text() stands in the file; kNowhere for text that the parser made itself.
  std::size_t offset_of(std::string_view piece) const;
  /// The piece as it stands in the file.
  std::string_view original(std::string_view piece) const;

  int line_of(std::size_t offset) const;
  std::string_view line(int number) const;
  Span line_span(int number) const;

 private:
  const Source& file_;
  std::vector<Field> fields_;
  std::string masked_;
  std::vector<std::size_t> starts_;  // of the lines
};

}  // namespace attn
