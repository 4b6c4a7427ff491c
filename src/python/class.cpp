#include "python/class.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "base/text.h"
#include "python/evaluator.h"
#include "python/exceptions.h"
#include "python/interpreter.h"
#include "python/operators.h"
#include "python/python_builtins.h"
#include "torch/nn/layer.h"

namespace attn {

// ---- members ----

const Value* Members::find(std::string_view name) const {
  const auto found = std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.first == name; });
  return found == items.end() ? nullptr : &found->second;
}

void Members::set(std::string_view name, Value value) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.first == name; });
  if (found != items.end()) {
    found->second = std::move(value);
  } else {
    items.emplace_back(name, std::move(value));
  }
}

bool Members::erase(std::string_view name) {
  return std::erase_if(items, [&](const auto& item) { return item.first == name; }) > 0;
}

void ClassObject::clear() {
  order.clear();
  bases.clear();
  members.clear();
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
  if (const Instance* instance = value.as<Instance>()) return instance->type.get();
  if (const Layer* layer = value.as<Layer>()) return layer->type.as<ClassObject>();
  return nullptr;
}

// ---- attributes ----

Value bind_member(Interpreter& interpreter, const Value& member, const Value& self, const Ref<ClassObject>& type,
                  Span span) {
  if (member.as<Function>() || (member.as<Builtin>() && type->is_dataclass)) return make<BoundMethod>(member, self);
  const Wrapped* wrapped = member.as<Wrapped>();
  if (!wrapped) return member;
  switch (wrapped->how) {
    case Wrapped::How::Static: return wrapped->function;
    case Wrapped::How::Class: return make<BoundMethod>(wrapped->function, type);
    case Wrapped::How::Property: break;
  }
  return interpreter.call(wrapped->function, {{self}, {}, {span}, span});
}

namespace {

// The methods that stand behind every class of a cell: object.__init__ and those of the built-in base.
bool base_member(const Value& self, const ClassObject& type, const std::string& name, Value& out) {
  if (name == "__setattr__") {
    out = make<Builtin>(name, [self](Interpreter& in, CallArguments& arguments) {
      const Str* attribute = arguments.positional.size() == 2 ? arguments.positional[0].as<Str>() : nullptr;
      if (!attribute) throw CellError(Code::Type, arguments.span, "__setattr__() takes a name and a value");
      set_plain_attribute(in, self, attribute->text, arguments.positional[1], arguments.span);
      return Value();
    });
    return true;
  }
  if (name == "__getattr__" && type.layer) {  // parameters, buffers and modules that were registered
    const std::string owner = type.name;
    out = make<Builtin>(name, [self, owner](Interpreter&, CallArguments& arguments) {
      Value found;
      const std::string attribute = arguments.positional.empty() ? "" : str(arguments.positional[0]);
      if (layer_attribute(*Interpreter::current(), self.ref<Layer>(), attribute, found)) return found;
      throw CellError(Code::Attribute, arguments.span,
                      fmt::format("'{}' object has no attribute '{}'", owner, attribute));
    });
    return true;
  }
  if (name != "__init__") return false;
  if (type.layer) {
    out = make<Builtin>("__init__", [self](Interpreter& in, CallArguments& arguments) {
      initialize_layer(in, *self.as<Layer>(), arguments);
      return Value();
    });
  } else if (!type.exception.empty()) {
    out = make<Builtin>("__init__", [self](Interpreter&, CallArguments& arguments) {
      self.as<Instance>()->attributes.set("args", make_tuple(arguments.positional));
      return Value();
    });
  } else {
    out = make<Builtin>("__init__", [](Interpreter&, CallArguments&) { return Value(); });
  }
  return true;
}

bool super_attribute(Interpreter& interpreter, const Super& object, const std::string& name, Span span, Value& out) {
  const ClassObject* type = class_of(object.self);
  if (!type) return false;
  if (const Value* member = type->find(name, object.after.get())) {
    out = bind_member(interpreter, *member, object.self, Ref<ClassObject>(const_cast<ClassObject*>(type)), span);
    return true;
  }
  if (base_member(object.self, *type, name, out)) return true;
  if (object.self.as<Layer>()) return layer_attribute(interpreter, object.self.ref<Layer>(), name, out);
  return false;
}

bool instance_attribute(Interpreter& interpreter, const Value& object, const Instance& instance,
                        const std::string& name, Span span, Value& out) {
  const Value* member = instance.type->find(name);
  const Wrapped* wrapped = member ? member->as<Wrapped>() : nullptr;
  if (!wrapped || wrapped->how != Wrapped::How::Property) {
    if (const Value* own = instance.attributes.find(name)) return out = *own, true;
  }
  if (member) return out = bind_member(interpreter, *member, object, instance.type, span), true;
  if (name == "__class__") return out = instance.type, true;
  if (name == "__dict__") {
    Ref<Dict> dict = make<Dict>();
    for (const auto& [key, value] : instance.attributes.items) dict->set(make_str(key), value);
    dict->mirrored = object;
    return out = dict, true;
  }
  return base_member(object, *instance.type, name, out) || exception_attribute(object, name, out);
}

}  // namespace

bool class_attribute(Interpreter& interpreter, const Value& object, const std::string& name, Span span, Value& out) {
  if (const Super* super = object.as<Super>()) return super_attribute(interpreter, *super, name, span, out);
  if (const Instance* instance = object.as<Instance>())
    return instance_attribute(interpreter, object, *instance, name, span, out);
  if (object.as<ExceptionObject>()) return exception_attribute(object, name, out);
  if (const Wrapped* wrapped = object.as<Wrapped>(); wrapped && name == "setter") {
    const Value getter = wrapped->function;
    out = make<Builtin>("setter", [getter](Interpreter&, CallArguments& arguments) {
      Ref<Wrapped> property = make<Wrapped>(Wrapped::How::Property, getter);
      property->setter = arguments.positional.at(0);
      return Value(property);
    });
    return true;
  }
  ClassObject* type = object.as<ClassObject>();
  if (!type) return false;
  if (name == "__name__") return out = make_str(type->name), true;
  if (name == "__qualname__") return out = make_str(type->qualified_name), true;
  if (name == "__module__") return out = make_str("__main__"), true;
  if (name == "__doc__") return out = type->doc.empty() ? Value() : make_str(type->doc), true;
  if (name == "__mro__" || name == "__bases__") {
    std::vector<Value> order = type->order;
    if (name == "__mro__") order.push_back(make<TypeObject>("object"));
    if (name == "__bases__") order = type->bases;
    return out = make_tuple(std::move(order)), true;
  }
  const Value* member = type->find(name);
  if (!member) return false;
  const Wrapped* wrapped = member->as<Wrapped>();
  if (wrapped && wrapped->how != Wrapped::How::Property) {
    out = bind_member(interpreter, *member, object, object.ref<ClassObject>(), span);
  } else {
    out = *member;  // Class.method(self, ...) calls the plain function
  }
  return true;
}

// ---- methods with a meaning ----

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

Value instantiate(Interpreter& interpreter, const Ref<ClassObject>& type, const CallArguments& arguments) {
  Value made;
  if (type->layer) {
    Ref<Layer> layer = make<Layer>(type->layer);
    layer->made_in = interpreter.fork_number();
    layer->type = type;
    layer->is_initialized = false;
    made = layer;
  } else {
    Ref<Instance> instance = make<Instance>(type);
    if (!type->exception.empty()) instance->attributes.set("args", make_tuple(arguments.positional));
    made = instance;
  }
  const Value* own = type->find("__init__");
  Value initializer;
  if (own) {
    initializer = bind_member(interpreter, *own, made, type, arguments.span);
  } else {
    base_member(made, *type, "__init__", initializer);
    const bool takes_any = type->layer || !type->exception.empty();
    if (!takes_any && !(arguments.positional.empty() && arguments.keywords.empty())) {
      throw CellError(Code::Type, arguments.span, fmt::format("{}() takes no arguments", type->name));
    }
  }
  const Value nothing_else = interpreter.call(initializer, arguments);
  if (!nothing_else.is_none()) {
    throw CellError(Code::Type, arguments.span,
                    fmt::format("__init__() should return None, not '{}'", type_name(nothing_else)));
  }
  return made;
}

// ---- dataclasses ----

namespace {

std::vector<std::string> fields_of(const ClassObject& type) {
  std::vector<std::string> fields;
  for (auto base = type.order.rbegin(); base != type.order.rend(); ++base) {
    for (const std::string& field : base->as<ClassObject>()->fields) {
      if (std::find(fields.begin(), fields.end(), field) == fields.end()) fields.push_back(field);
    }
  }
  return fields;
}

Value field_default(Interpreter& interpreter, const Value& given, Span span) {
  const Instance* field = given.as<Instance>();
  if (!field || field->type->name != "Field") return given;
  const Value* factory = field->attributes.find("default_factory");
  return factory ? interpreter.call(*factory, {{}, {}, {}, span}) : *field->attributes.find("default");
}

Value initialize_dataclass(Interpreter& interpreter, CallArguments& arguments) {
  Instance& self = *arguments.positional.at(0).as<Instance>();
  const std::vector<std::string> fields = fields_of(*self.type);
  if (arguments.positional.size() > fields.size() + 1) {
    throw CellError(
        Code::Type, arguments.span,
        fmt::format("{}.__init__() takes {} positional argument{} but {} were given", self.type->qualified_name,
                    fields.size() + 1, fields.empty() ? "" : "s", arguments.positional.size()));
  }
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto keyword = std::find_if(arguments.keywords.begin(), arguments.keywords.end(),
                                      [&](const auto& item) { return item.first == fields[i]; });
    if (i + 1 < arguments.positional.size()) {
      self.attributes.set(fields[i], arguments.positional[i + 1]);
    } else if (keyword != arguments.keywords.end()) {
      self.attributes.set(fields[i], keyword->second);
    } else if (const Value* given = self.type->find(fields[i])) {
      self.attributes.set(fields[i], field_default(interpreter, *given, arguments.span));
    } else {
      missing.push_back("'" + fields[i] + "'");
    }
  }
  for (const auto& item : arguments.keywords) {
    if (std::find(fields.begin(), fields.end(), item.first) == fields.end()) {
      throw CellError(
          Code::Type, arguments.span,
          fmt::format("{}.__init__() got an unexpected keyword argument '{}'", self.type->qualified_name, item.first));
    }
  }
  if (!missing.empty()) {
    const std::string last = missing.back();
    const std::string before = join({missing.begin(), missing.end() - 1}, ", ");
    throw CellError(Code::Type, arguments.span,
                    fmt::format("{}.__init__() missing {} required positional argument{}: {}{}",
                                self.type->qualified_name, missing.size(), missing.size() == 1 ? "" : "s",
                                missing.size() == 1   ? ""
                                : missing.size() == 2 ? before + " and "
                                                      : before + ", and ",
                                last));
  }
  Value ignored;
  call_special(arguments.positional[0], "__post_init__", {}, ignored);
  return {};
}

Value dataclass_repr(Interpreter&, CallArguments& arguments) {
  const Instance& self = *arguments.positional.at(0).as<Instance>();
  std::string out;
  for (const std::string& field : fields_of(*self.type)) {
    out += fmt::format("{}{}={}", out.empty() ? "" : ", ", field, repr(*self.attributes.find(field)));
  }
  return make_str(self.type->name + "(" + out + ")");
}

Value dataclass_equal(Interpreter&, CallArguments& arguments) {
  const Instance& self = *arguments.positional.at(0).as<Instance>();
  const Instance* other = arguments.positional.at(1).as<Instance>();
  if (!other || other->type != self.type) return Value(false);
  const std::vector<std::string> fields = fields_of(*self.type);
  return Value(std::all_of(fields.begin(), fields.end(), [&](const std::string& field) {
    return equals(*self.attributes.find(field), *other->attributes.find(field));
  }));
}

}  // namespace

namespace {

Value fields_tuple(const Instance& object) {
  std::vector<Value> values;
  for (const std::string& field : fields_of(*object.type)) values.push_back(*object.attributes.find(field));
  return make_tuple(std::move(values));
}

template <CompareOp Op>
Value dataclass_compare(Interpreter& interpreter, CallArguments& arguments) {
  const Instance* other = arguments.positional.at(1).as<Instance>();
  const Instance& self = *arguments.positional.at(0).as<Instance>();
  if (!other || other->type != self.type) return not_implemented();
  const Span span = arguments.span;
  return apply_compare(interpreter, Op, fields_tuple(self), fields_tuple(*other), {span, span, span});
}

}  // namespace

void order_dataclass(ClassObject& type) {
  type.is_ordered = true;
  type.members.set("__lt__", make<Builtin>("__lt__", dataclass_compare<CompareOp::Less>));
  type.members.set("__le__", make<Builtin>("__le__", dataclass_compare<CompareOp::LessEqual>));
  type.members.set("__gt__", make<Builtin>("__gt__", dataclass_compare<CompareOp::Greater>));
  type.members.set("__ge__", make<Builtin>("__ge__", dataclass_compare<CompareOp::GreaterEqual>));
}

void make_dataclass(ClassObject& type) {
  for (const std::string& field : type.fields) {
    const Value* given = type.members.find(field);
    if (!given || !(given->as<List>() || given->as<Dict>() || given->as<Set>())) continue;
    throw CellError(Code::Value, {},
                    fmt::format("mutable default <class '{}'> for field {} is not allowed: use default_factory",
                                type_name(*given), field));
  }
  // Built-ins are not bound by themselves as functions are, so each stands behind a Method made when it is looked up.
  const std::pair<const char*, Value (*)(Interpreter&, CallArguments&)> made[] = {
      {"__init__", initialize_dataclass}, {"__repr__", dataclass_repr}, {"__eq__", dataclass_equal}};
  for (const auto& [name, function] : made) {
    if (!type.members.find(name)) type.members.set(name, make<Builtin>(name, function));
  }
  type.is_dataclass = true;
}

}  // namespace attn
