#pragma once
// The module `collections`: OrderedDict, defaultdict, Counter (dicts with a type_name), namedtuple.
#include <string>
#include <vector>

#include "python/interpreter.h"
#include "python/value.h"

namespace attn {

struct ClassObject;

/// A member of `collections`; false when it is not known.
bool collections_member(const std::string& name, Value& out);

/// Calls a type of `collections`; false when the type is none of them.
bool construct_collection(Interpreter& interpreter, const TypeObject& type, const CallArguments& arguments, Value& out);

/// Makes `type` a class of named tuples: the last of the fields may have defaults.
void make_named_class(ClassObject& type, const std::vector<std::string>& fields, Ref<Dict> defaults);
/// Calls such a class. Errors: TypeError for arguments that do not fit the fields.
Value make_named(const Ref<ClassObject>& type, const CallArguments& arguments);

/// Adds what dict() takes beside dicts: an object with keys(), or pairs.
///   Errors: TypeError, ValueError for an item that is no pair.
void add_pairs(Interpreter& interpreter, Dict& dict, const Value& from, Span from_span, Span span);

/// Adds what set() and update() are given: another set in one go, anything else one by one.
void add_to_set(Interpreter& interpreter, Set& to, const Value& from, Span span);

/// Adds to a Counter: the counts of a mapping, or 1 for every item.
void count_into(Interpreter& interpreter, Dict& counter, const Value& items, Span span);

}  // namespace attn
