#pragma once
// Built-in functions of Python for numbers, characters and looking into things: divmod, chr, hash, vars, ... A table
// for builtins.cpp.
#include <span>
#include <string>

#include "python/object_builtins.h"

namespace attn {

std::span<const NativeRow> python_functions();

}  // namespace attn
