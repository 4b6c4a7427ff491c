#pragma once
// Built-in functions that ask about objects and classes: isinstance, hasattr, super, property, ... A table for
// builtins.cpp, and the members of `dataclasses`, `copy` and torch that make or copy objects.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "python/interpreter.h"
#include "python/value.h"

namespace attn {

using NativeFunction = Value (*)(Interpreter&, CallArguments&);

struct NativeRow {
  std::string_view name;  // "isinstance", "copy.deepcopy", "torch.no_grad"
  NativeFunction function;
};

/// For a row that does nothing, and gives None.
inline Value nothing(Interpreter&, CallArguments&) { return {}; }

/// The rows without a dot are built in; the others are members of modules.
std::span<const NativeRow> object_functions();

/// "torch.nn.modules.linear.Linear", "int", "ValueError": the class of a value by name.
std::string class_path(const Value& value);

/// Whether the value is a class, and isinstance(value, type).
/// Errors: TypeError for a `type` that is no class, tuple of classes or union.
bool is_class(const Value& value);
bool is_instance(const Value& value, const Value& type, Span span);

/// type(value): the class itself.
Value type_value(const Value& value);

/// Python's __mro__ but for `object`, with what Python or PyTorch brings. Errors: TypeError where no order suits all
/// bases.
std::vector<Value> resolution_order(const Value& type, const std::vector<Value>& bases, Span span);

}  // namespace attn
