#pragma once
// A lesson file and the copy of it that the Markdown parser reads. Markdown must not see the `*`, `_` and `|` inside of
// {{ expression }}, so in the copy each is masked by as many bytes of plain letters: a pointer into the copy is a place
// in the file.
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace attn {

struct Field {
  Span whole;  // from {{ to }}
  Span inner;  // the expression, without blanks at its ends
};

/// All fields of a text, in order. A field ends on its line; brackets and strings inside it are skipped.
std::vector<Field> find_fields(std::string_view text);

/// A copy of the same length whose fields look like words.
std::string mask_fields(std::string_view text, const std::vector<Field>& fields);

constexpr std::size_t kNowhere = std::string_view::npos;

class MaskedText {
 public:
  explicit MaskedText(const Source& file);

  std::string_view text() const { return masked_; }
  const std::vector<Field>& fields() const { return fields_; }

  /// Where a piece of text() is in the file; kNowhere for text that the parser made itself.
  std::size_t offset_of(std::string_view piece) const;
  /// The piece as it is in the file.
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
