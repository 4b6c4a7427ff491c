// @dataclass: the methods that it makes from the annotated names.
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "python/class.h"
#include "python/natives.h"

namespace attn {
namespace {

// The methods of a class of src/lib/dataclasses.py, except for those that the class has.
void add_methods(ClassObject& type, const std::string& from, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (!type.members.find(name))
      type.members.set(name, library_function(*Interpreter::current(), "dataclasses", from + "." + name));
  }
}

}  // namespace

void order_dataclass(ClassObject& type) {
  type.is_ordered = true;
  add_methods(type, "Ordered", {"__lt__", "__le__", "__gt__", "__ge__"});
}

void make_dataclass(ClassObject& type) {
  for (const std::string& field : type.fields) {
    const Value* given = type.members.find(field);
    if (!given || !(given->as<List>() || given->as<Dict>() || given->as<Set>())) continue;
    throw CellError(Code::Value, {},
                    fmt::format("mutable default <class '{}'> for field {} is not allowed: use default_factory",
                                type_name(*given), field));
  }
  add_methods(type, "Dataclass", {"__init__", "__repr__", "__eq__"});
  type.is_dataclass = true;
}

}  // namespace attn
