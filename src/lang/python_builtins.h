#pragma once
// Built-in functions of Python for numbers, characters and looking into things: divmod, chr, hash, vars, ...; and those
// that have no meaning here, so that they are refused by name. A table for builtins.cpp.
#include <span>

#include "lang/object_builtins.h"

namespace attn {

std::span<const NativeRow> python_functions();

/// Built-in functions that need files, a terminal, or Python itself.
std::span<const std::string_view> refused_functions();

/// NotImplemented: what an operator's method gives when it leaves the operands to the other side.
Value not_implemented();
bool is_not_implemented(const Value& value);

}  // namespace attn
