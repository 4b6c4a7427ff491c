#pragma once
// Python's format mini-language: what stands after the colon in f"{x:>8.3f}", format() and '%' formatting.
#include <string>
#include <string_view>

#include "python/value.h"

namespace attn {

/// format(value, spec).
///   Errors: CellError Value with Python's text ("Unknown format code 'd' for object of type 'float'"). Spans are
///   empty.
std::string format_value(const Value& value, std::string_view spec);

/// 'text %d %s' % arguments.
std::string percent_format(std::string_view text, const Value& arguments);

/// The numbers that chr() takes.
constexpr bool is_code_point(std::int64_t code) { return code >= 0 && code < 0x110000; }
/// The text of one code point. Errors: CellError Unsupported for half of a surrogate pair.
std::string character(std::int64_t code, Span span);

}  // namespace attn
