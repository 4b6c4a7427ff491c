#include "python/class.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "python/interpreter.h"
#include "python/type.h"

namespace attn {

void ClassObject::clear() {
  order.clear();
  bases.clear();
  members.clear();
  meta = nullptr;
}
void Instance::clear() { attributes.clear(); }
void BoundMethod::clear() { function = self = Value(); }
void Wrapped::clear() { function = setter = Value(); }
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

bool set_property(Interpreter& interpreter, const Value& object, const std::string& name, const Value& value,
                  Span span) {
  const ClassObject* type = class_of(object);
  const Value* member = type ? type->find(name) : nullptr;
  const Wrapped* property = member ? member->as<Wrapped>() : nullptr;
  if (!property || property->how != Wrapped::How::Property) return false;
  if (property->setter.is_none())
    throw CellError(Code::Attribute, span, fmt::format("property '{}' of '{}' object has no setter", name, type->name));
  interpreter.call(property->setter, {{object, value}, {}, {span, span}, span});
  return true;
}

bool has_special(const Value& object, std::string_view name) {
  const ClassObject* type = class_of(object);
  return type && type->find(name);
}

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
  return true;
}

}  // namespace attn
