#pragma once
// Numbers and the insides of strings as they are written in the source: how far a number goes, and what they mean.
#include <string>
#include <string_view>

#include "syntax/ast.h"

namespace attn {

/// Where the number ends that begins at text[begin], a digit or a point before a digit.
///   Errors: CellError Syntax with Python's words for what is no number.
std::size_t number_end(std::string_view text, std::size_t begin, std::uint32_t source_index);

/// "1_000", "0x1F", "1e-3" as the lexer let it through.
///   Errors: CellError Unsupported for an integer beyond 64 bits.
Constant number_value(std::string_view text, Span place);

/// The text between the quotes with its escapes replaced (raw: kept); line ends become line feeds. `place` is where
/// `body` stands. In a bytes literal each character is one byte, and \u, \U and \N are kept as they are.
///   Errors: CellError Syntax with Python's words for a broken escape; Unsupported for \N{...} and surrogates.
std::string string_value(std::string_view body, bool raw, Span place, bool is_bytes = false);

}  // namespace attn
