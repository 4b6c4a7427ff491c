#pragma once
// Built-in functions of Python for numbers, characters and looking into things: divmod, chr, hash, vars, ... A table
// for builtins.cpp.
#include <span>

#include "lang/object_builtins.h"

namespace attn {

std::span<const NativeRow> python_functions();

/// NotImplemented: what an operator's method gives when it leaves the operands to the other side.
Value not_implemented();
bool is_not_implemented(const Value& value);

}  // namespace attn
