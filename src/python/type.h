#pragma once
// What objects of one kind can do: one slot for each protocol of Python. The core calls the slots. Each kind defines
// its row next to the functions in it. If a slot is empty, the kind cannot do that; the comment at the slot says what
// happens then.
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/source.h"
#include "python/value.h"
#include "syntax/ast.h"

namespace attn {

struct ClassObject;
struct Method;
struct OperatorSpans;
class Copier;

/// What a loop does with an item; false ends it.
using Visit = std::function<bool(const Value& item)>;

struct Type {
  std::string_view name;                                // type(x).__name__: "list"
  std::string (*name_of)(const Value& self) = nullptr;  // of kinds whose objects have names of their own
  std::string (*path)(const Value& self) = nullptr;     // what type() shows: "torch.Size"; else the name
  std::string_view listed_as = {};                      // in data/names.txt, when not by its name
  const Type* base = nullptr;                           // of classes that cells derive from it (derived_types.cpp)
  bool stands_in = false;                               // for a library of which no names are known

  // ---- texts ----
  std::string (*repr)(const Value& self) = nullptr;  // else "<list object>"
  std::string (*str)(const Value& self) = nullptr;   // else repr
  std::string_view inside_itself = {};               // written where it stands in itself

  // ---- questions ----
  ClassObject* (*class_of)(const Value& self) = nullptr;         // a cell's class that made it, or null
  bool (*truthy)(const Value& self) = nullptr;                   // else by its length, by __bool__, or true
  std::optional<Value> (*length)(const Value& self) = nullptr;   // len(); nothing where this one has none
  std::optional<Scalar> (*number)(const Value& self) = nullptr;  // of what counts as a number: numpy.float64(2)
  std::optional<Scalar> (*single)(const Value& self) = nullptr;  // its only element, for int() and indices
  std::size_t (*hash)(const Value& self) = nullptr;              // else by __hash__, or by identity
  /// Either may be the one of the kind. Nothing: not known here, so equal only to itself.
  std::optional<bool> (*equals)(const Value& a, const Value& b) = nullptr;
  bool is_singleton = false;  // `is` holds between equal ones

  // ---- iteration ----
  /// Of kinds whose objects have items only now and then: layers. Else what has slots for items has items.
  bool (*is_container)(const Value& self) = nullptr;
  void (*each)(Interpreter& interpreter, const Value& self, Span span, const Visit& visit) = nullptr;
  /// For what must not be listed before the first item is asked for; else the items that `each` gives.
  Iterator::Next (*steps)(const Value& self, Span span) = nullptr;
  std::string_view iterator = "iterator";  // the kind that iter() makes

  // ---- attributes ----
  bool (*attribute)(Interpreter& interpreter, const Value& self, const std::string& name, Span self_span, Span span,
                    Value& out) = nullptr;
  bool (*set_attribute)(Interpreter& interpreter, const Value& self, const std::string& name, const Value& value,
                        Span span) = nullptr;
  bool (*delete_attribute)(Interpreter& interpreter, const Value& self, const std::string& name, Span span) = nullptr;
  std::span<const Method> (*methods)(const Value& self) = nullptr;
  std::vector<std::string> (*attribute_names)(const Value& self) = nullptr;  // beside those of the methods

  // ---- x[index] ----
  Value (*get_item)(Interpreter& interpreter, const Value& self, const Value& index,
                    const OperatorSpans& spans) = nullptr;
  void (*set_item)(Interpreter& interpreter, const Value& self, const Value& index, const Value& value,
                   const OperatorSpans& spans) = nullptr;
  void (*delete_item)(Interpreter& interpreter, const Value& self, const Value& index,
                      const OperatorSpans& spans) = nullptr;
  /// item in self; else by going through it.
  bool (*contains)(Interpreter& interpreter, const Value& self, const Value& item, Span span) = nullptr;

  // ---- operators: either operand may be the one of the kind; nothing where it does not take the other ----
  int rank = 0;  // the operand of the higher rank is asked first, and compares element by element: tensors and arrays
  std::optional<Value> (*binary)(Interpreter& interpreter, BinaryOp op, const Value& a, const Value& b,
                                 const OperatorSpans& spans) = nullptr;
  std::optional<Value> (*compare)(Interpreter& interpreter, CompareOp op, const Value& a, const Value& b,
                                  const OperatorSpans& spans) = nullptr;
  std::optional<Value> (*in_place)(Interpreter& interpreter, BinaryOp op, const Value& self, const Value& other,
                                   const OperatorSpans& spans) = nullptr;
  Value (*absolute)(Interpreter& interpreter, const Value& self, Span span, Span operand) = nullptr;  // abs()
  Value (*unary)(Interpreter& interpreter, UnaryOp op, const Value& self, Span span, Span operand) = nullptr;

  // ---- the rest ----
  Value (*call)(Interpreter& interpreter, const Value& self, const CallArguments& arguments) = nullptr;
  Value (*copy)(const Value& self, Span span) = nullptr;            // copy.copy; else itself
  Value (*deep_copy)(const Value& self, Copier& copier) = nullptr;  // copy.deepcopy; else itself
};

/// The kind of an object; null for None and numbers.
inline const Type* type_of(const Value& value) { return value.object() ? &value.object()->type() : nullptr; }

/// The function in a slot of the value's kind; null where there is none.
template <class Slot>
Slot slot_of(const Value& value, Slot Type::*slot) {
  const Type* type = type_of(value);
  return type ? type->*slot : Slot{};
}

/// The same of a slot for items; null for an object without items.
template <class Slot>
Slot item_slot_of(const Value& value, Slot Type::*slot) {
  const Type* type = type_of(value);
  return type && (!type->is_container || type->is_container(value)) ? type->*slot : Slot{};
}

/// Whether an object counts as a number: one of numpy's, a member of an IntEnum.
inline bool has_number(const Value& value) {
  const auto number = slot_of(value, &Type::number);
  return number && number(value);
}

/// Copies a graph of objects, each object once. A class with __deepcopy__ gets a dict of what was copied so far, by
/// id(), and hands it to the copies that it makes itself.
class Copier {
 public:
  explicit Copier(Value memo = {}) : memo_(std::move(memo)) {}
  Value copy(const Value& value);
  /// What is made of an object: before its items are copied, where it may hold itself.
  Value remember(const Value& original, Value made);

 private:
  struct Copy {
    Value original, made;
  };
  Dict& memo();
  std::unordered_map<const Object*, Copy> made_;
  Value memo_;  // None: nobody asked for it yet
};

/// The copy of a kind that copy.copy() does not make.
[[noreturn]] Value refuse_copy(const Value& self, Span span);

/// "1, 'a', [2]"
std::string items_repr(const std::vector<Value>& items);
/// "'it\\'s'"
std::string string_repr(const std::string& text);
/// Whether repr() is to read no file: unread_repr() asks.
bool reads_nothing();
/// Whether the text of a container is long enough for unread_repr(); then it ends in "...".
bool is_cut_off(std::string& text);

}  // namespace attn
