#include "python/class.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "python/interpreter.h"
#include "python/type.h"

namespace attn {

void ClassObject::clear() {
  order.clear();
  mro.clear();
  bases.clear();
  members.clear();
  meta = nullptr;
}
void Instance::clear() { attributes.clear(); }
void BoundMethod::clear() { function = self = Value(); }
void Wrapped::clear() { function = setter = deleter = Value(); }
void Super::clear() { self = Value(); }

const Value* ClassObject::find(std::string_view member, const ClassObject* after) const {
  bool is_behind = after == nullptr;
  for (const Value& type : order) {
    const ClassObject* candidate = type.as<ClassObject>();
    if (is_behind) {
      if (const Value* value = candidate->members.find(member)) return value;
    }
    is_behind = is_behind || candidate == after;
  }
  return nullptr;
}

void ClassObject::look_for_slots() {
  slots.reset();
  const Value* own = members.find("__slots__");
  if (!own) return;
  std::vector<std::string> names;
  const std::vector<Value> given = own->as<Str>() ? std::vector{*own} : Interpreter::current()->to_vector(*own, {});
  for (const Value& slot : given) names.push_back(str(slot));
  for (const Value& type : order) {
    const ClassObject* base = type.as<ClassObject>();
    if (base == this) continue;
    if (!base->slots) return;
    names.insert(names.end(), base->slots->begin(), base->slots->end());
  }
  slots = std::move(names);
}

bool ClassObject::derives_from(const ClassObject& other) const {
  return std::any_of(order.begin(), order.end(), [&](const Value& type) { return type.as<ClassObject>() == &other; });
}

ClassObject* class_of(const Value& value) {
  const auto made_by = slot_of(value, &Type::class_of);
  return made_by ? made_by(value) : nullptr;
}

// ---- attributes ----

Value bind_member(Interpreter& interpreter, const Value& member, const Value& self, const Ref<ClassObject>& type,
                  Span span) {
  const bool binds_builtins = type->is_dataclass || !type->builtin.empty();  // __setitem__ = dict.__setitem__
  if (member.as<Function>() || (member.as<Builtin>() && binds_builtins)) return make<BoundMethod>(member, self);
  const Wrapped* wrapped = member.as<Wrapped>();
  if (!wrapped) return member;
  switch (wrapped->how) {
    case Wrapped::How::Static: return wrapped->function;
    case Wrapped::How::Class: return make<BoundMethod>(wrapped->function, type);
    case Wrapped::How::Property: break;
  }
  return interpreter.call(wrapped->function, {{self}, {}, {span}, span});
}

// ---- methods with a meaning ----

namespace {

/// Calls that of the property: false where the name is none of the object's class.
bool call_property(Interpreter& interpreter, const std::string& name, const std::vector<Value>& object_and_value,
                   Value Wrapped::*part, std::string_view part_name, Span span) {
  const ClassObject* type = class_of(object_and_value[0]);
  const Value* member = type ? type->find(name) : nullptr;
  const Wrapped* property = member ? member->as<Wrapped>() : nullptr;
  if (!property || property->how != Wrapped::How::Property) return false;
  const Value function = property->*part;
  if (function.is_none())
    throw CellError(Code::Attribute, span,
                    fmt::format("property '{}' of '{}' object has no {}", name, type->name, part_name));
  interpreter.call(function, object_and_value, span);
  return true;
}

}  // namespace

bool set_property(Interpreter& interpreter, const Value& object, const std::string& name, const Value& value,
                  Span span) {
  return call_property(interpreter, name, {object, value}, &Wrapped::setter, "setter", span);
}

bool delete_property(Interpreter& interpreter, const Value& object, const std::string& name, Span span) {
  return call_property(interpreter, name, {object}, &Wrapped::deleter, "deleter", span);
}

bool has_special(const Value& object, std::string_view name) {
  const ClassObject* type = class_of(object);
  return type && type->find(name);
}

namespace {

bool is_int(const Value& given) { return given.as_int() || given.as_bool(); }
bool is_text(const Value& given) { return given.as<Str>(); }

/// What a special method has to give, and the words for something else: {0} is its type, {1} that of the object.
struct SpecialResult {
  std::string_view method;
  bool (*is_right)(const Value& given);
  std::string_view otherwise;
};
constexpr SpecialResult kSpecialResults[] = {
    {"__bool__", [](const Value& given) { return given.as_bool() != nullptr; },
     "__bool__ should return bool, returned {0}"},
    {"__len__", [](const Value& given) { return as_index(given).has_value(); },
     "'{0}' object cannot be interpreted as an integer"},
    {"__hash__", is_int, "__hash__ method should return an integer"},
    {"__index__", is_int, "__index__ returned non-int (type {0})"},
    {"__int__", is_int, "__int__ returned non-int (type {0})"},
    {"__float__", [](const Value& given) { return given.as_float() || type_name(given) == "numpy.float64"; },
     "{1}.__float__ returned non-float (type {0})"},
    {"__str__", is_text, "__str__ returned non-string (type {0})"},
    {"__repr__", is_text, "__repr__ returned non-string (type {0})"},
    {"__format__", is_text, "__format__ must return a str, not {0}"},
};

void check_result(std::string_view method, const Value& given, const Value& object) {
  for (const SpecialResult& row : kSpecialResults) {
    if (row.method != method || row.is_right(given)) continue;
    throw CellError(Code::Type, {}, fmt::format(fmt::runtime(row.otherwise), type_name(given), type_name(object)));
  }
  if (method == "__len__" && *as_index(given) < 0) throw CellError(Code::Value, {}, "__len__() should return >= 0");
}

}  // namespace

bool call_special(const Value& object, std::string_view name, std::vector<Value> arguments, Value& out) {
  ClassObject* type = class_of(object);
  const Value* member = type ? type->find(name) : nullptr;
  if (!member) return false;
  Interpreter& interpreter = *Interpreter::current();
  const Value method = bind_member(interpreter, *member, object, Ref<ClassObject>(type), {});
  CallArguments call;
  call.spans.assign(arguments.size(), Span{});
  call.positional = std::move(arguments);
  out = interpreter.call(method, call);
  check_result(name, out, object);
  return true;
}

}  // namespace attn
