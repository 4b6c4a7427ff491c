#pragma once
// Code as a piece of text: taken apart, put together. Tokens say where it may be cut: brackets, commas and blanks in
// strings are none.
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace attn {

/// The places of "a", "f(b, c)", "d" in the source of "[a, f(b, c), d]", "(a, f(b, c), d)" or "a, f(b, c), d".
std::vector<Span> pieces_of(const Source& source, Span span);

/// Code that a method call, an index or an operator can be put behind: "(a + b)" for "a + b".
std::string as_operand(std::string_view code);

/// Without comments, and with one blank where there were blanks or a line ended.
std::string on_one_line(std::string_view code);

}  // namespace attn
