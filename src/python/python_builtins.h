#pragma once
// Built-in functions of Python for numbers, characters and looking into things: divmod, chr, hash, vars, ... A table
// for builtins.cpp.
#include <span>
#include <string>

#include "python/object_builtins.h"

namespace attn {

std::span<const NativeRow> python_functions();

/// The numbers that chr() takes.
constexpr bool is_code_point(std::int64_t code) { return code >= 0 && code < 0x110000; }
/// The text of one code point. Errors: CellError Unsupported for half of a surrogate pair.
std::string character(std::int64_t code, Span span);

/// NotImplemented: what an operator's method gives when it leaves the operands to the other side.
Value not_implemented();
bool is_not_implemented(const Value& value);

}  // namespace attn
