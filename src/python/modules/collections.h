#pragma once
// The module `collections`: OrderedDict, defaultdict, Counter (dicts with a type_name), namedtuple.
#include <string>

#include "python/interpreter.h"
#include "python/value.h"

namespace attn {

/// A member of `collections`; false when it is not known.
bool collections_member(const std::string& name, Value& out);

/// Calls a type of `collections`; false when the type is none of them.
bool construct_collection(Interpreter& interpreter, const TypeObject& type, const CallArguments& arguments, Value& out);

/// Adds to a Counter: the counts of a mapping, or 1 for every item.
void count_into(Interpreter& interpreter, Dict& counter, const Value& items, Span span);

}  // namespace attn
