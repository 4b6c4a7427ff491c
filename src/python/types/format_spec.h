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

}  // namespace attn
