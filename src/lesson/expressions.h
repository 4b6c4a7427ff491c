#pragma once
// `{{ expression }}` in a lesson file. Markdown must not read the `*`, `_` and `|` inside, so the parser is given a
// copy in which each field is masked by as many bytes of plain letters, and reads the text back by its offset.
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

}  // namespace attn
