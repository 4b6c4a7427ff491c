#pragma once
// Methods of Python's own containers: a row each. containers.cpp has those of list and tuple, mappings.cpp of dict and
// set, strings.cpp of str; methods.cpp the door, container_method() of evaluator.h.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "python/interpreter.h"
#include "python/value.h"

namespace attn {

/// A call of a method on its way: the object, and the arguments by their place whether named or not.
struct MethodCall {
  Interpreter& interpreter;
  const Value& self;
  const CallArguments& given;
  std::string_view name = {};  // of the method
  std::vector<std::optional<Value>> arguments = {};

  bool has(std::size_t i) const { return i < arguments.size() && arguments[i]; }
  /// The argument; None when it is missing.
  Value operator[](std::size_t i) const { return has(i) ? *arguments[i] : Value(); }
  Span span(std::size_t i) const { return i < given.positional.size() ? given.spans.at(i) : given.span; }

  /// An argument that has to be an int; `otherwise` when it is missing.
  ///   Errors: TypeError "'str' object cannot be interpreted as an integer".
  std::int64_t integer(std::size_t i, std::int64_t otherwise = 0) const;
  /// The ints of an argument that is one of them or several.
  Shape ints(const Value& argument) const;
  /// An argument that has to be a str. Errors: TypeError "must be str, not int".
  const std::string& text(std::size_t i) const;

  [[noreturn]] void fail(Code code, std::string message) const {
    throw CellError(code, given.span, std::move(message));
  }
};

inline constexpr std::size_t kAnyNumber = SIZE_MAX;

struct Method {
  std::string_view name;
  std::size_t least, most;  // arguments
  Value (*function)(MethodCall& call);
  std::string_view keywords = {};  // what the arguments are called where they may be named; "**": any names at all
  bool changes = false;            // writes to its object
};

/// For a row that does nothing, and gives None.
inline Value nothing(MethodCall&) { return {}; }

/// The row as a function: `self` is the object before the dot, None of a module.
Value bound_method(const Method& method, const Value& self);

/// Whether the row is one of numpy's, where numpy may have more parameters than it (modules/library.cpp).
bool is_of_numpy(const Method& row);

std::span<const Method> string_methods();
std::span<const Method> list_methods();
std::span<const Method> tuple_methods();
std::span<const Method> size_methods();  // torch.Size
std::span<const Method> dict_methods();
std::span<const Method> view_methods();  // of keys and items
std::span<const Method> set_methods();
std::span<const Method> frozenset_methods();
std::span<const Method> range_methods();
std::span<const Method> slice_methods();
std::span<const Method> generator_methods();

/// dict.fromkeys(keys, value) of a dict with that type_name.
Value keys_method(const std::string& type_name);
/// str.format. Errors: ValueError, IndexError, KeyError with Python's texts.
Value format_string(MethodCall& call);

inline constexpr std::size_t kMaxLength = 100'000'000;  // bytes of a text or list that a method makes
/// Refuses what is longer, and counts the work of making it.
void check_length(std::size_t bytes);

}  // namespace attn
