// What classes, their instances, methods, properties and super() do.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "python/class.h"
#include "python/evaluator.h"
#include "python/exceptions.h"
#include "python/interpreter.h"
#include "python/modules/collections.h"
#include "python/natives.h"
#include "python/object_builtins.h"
#include "python/type.h"

namespace attn {

Value dict_of(const Members& attributes, const Value& object) {
  Ref<Dict> dict = make<Dict>();
  for (const auto& [key, value] : attributes) dict->set(make_str(key), value);
  dict->mirrored = object;
  return dict;
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
  if (name == "__init_subclass__") return out = make<Builtin>(name, [](auto&, auto&) { return Value(); }), true;
  if (self.as<ClassObject>()) return false;
  if (type.layer && native_base_member(self, type, name, out)) return true;
  if (!type.builtin.empty() && container_member(self, name, out)) return true;
  if (name != "__init__") return false;
  if (!type.exception.empty()) {
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
  const ClassObject* type = object.self.as<ClassObject>();  // super() of a class method
  if (!type) type = class_of(object.self);
  if (!type) return false;
  if (const Value* member = type->find(name, object.after.get())) {
    out = bind_member(interpreter, *member, object.self, Ref<ClassObject>(const_cast<ClassObject*>(type)), span);
    return true;
  }
  return base_member(object.self, *type, name, out);
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
  if (name == "__dict__") return out = dict_of(instance.attributes, object), true;
  return base_member(object, *instance.type, name, out) || exception_attribute(object, name, out);
}

bool member_of_class(Interpreter& interpreter, const Value& self, const std::string& name, Span, Span span,
                     Value& out) {
  ClassObject* type = self.as<ClassObject>();
  if (name == "__name__") return out = make_str(type->name), true;
  if (name == "__qualname__") return out = make_str(type->qualified_name), true;
  if (name == "__module__") return out = make_str("__main__"), true;
  if (name == "__doc__") return out = type->doc.empty() ? Value() : make_str(type->doc), true;
  if (name == "__dict__") return out = dict_of(type->members, self), true;
  if (name == "__mro__" || name == "__bases__") {
    std::vector<Value> order = name == "__bases__" ? type->bases : type->mro.empty() ? type->order : type->mro;
    if (name == "__mro__" || order.empty()) order.push_back(make<TypeObject>("object"));
    return out = make_tuple(std::move(order)), true;
  }
  if (name == "__base__") return out = type->bases.empty() ? Value(make<TypeObject>("object")) : type->bases[0], true;
  const Value* member = type->find(name);
  if (!member && type->meta && (member = type->meta->find(name)))
    return out = bind_member(interpreter, *member, self, type->meta, span), true;
  if (!member) return false;
  const Wrapped* wrapped = member->as<Wrapped>();
  if (wrapped && wrapped->how != Wrapped::How::Property) {
    out = bind_member(interpreter, *member, self, self.ref<ClassObject>(), span);
  } else {
    out = *member;  // Class.method(self, ...) calls the plain function
  }
  return true;
}

bool wrapped_attribute(Interpreter& interpreter, const Value& self, const std::string& name, Span self_span, Span span,
                       Value& out) {
  check_stack();
  if (name == "__isabstractmethod__") {  // is that of the function
    const auto attribute = slot_of(self.as<Wrapped>()->function, &Type::attribute);
    return attribute && attribute(interpreter, self.as<Wrapped>()->function, name, self_span, span, out);
  }
  static const std::map<std::string, Value Wrapped::*> kParts = {
      {"getter", &Wrapped::function}, {"setter", &Wrapped::setter}, {"deleter", &Wrapped::deleter}};
  const auto part = kParts.find(name);
  if (part == kParts.end()) return false;
  out = make<Builtin>(name, [self, part](Interpreter&, CallArguments& arguments) {
    if (arguments.positional.size() != 1)
      throw CellError(Code::Type, arguments.span, "property." + part->first + "() takes exactly one argument");
    const Wrapped& before = *self.as<Wrapped>();
    Ref<Wrapped> property = make<Wrapped>(Wrapped::How::Property, before.function);
    property->setter = before.setter;
    property->deleter = before.deleter;
    *property.*(part->second) = arguments.positional[0];
    return Value(property);
  });
  return true;
}

bool method_attribute(Interpreter& interpreter, const Value& self, const std::string& name, Span self_span, Span span,
                      Value& out) {
  check_stack();
  const BoundMethod& method = *self.as<BoundMethod>();
  if (name == "__self__") return out = method.self, true;
  if (name == "__func__") return out = method.function, true;
  const auto attribute = slot_of(method.function, &Type::attribute);
  return attribute && attribute(interpreter, method.function, name, self_span, span, out);
}

Value call_method(Interpreter& interpreter, const Value& self, const CallArguments& arguments) {
  const BoundMethod& method = *self.as<BoundMethod>();
  CallArguments with_self = arguments;
  charge(std::ssize(with_self.positional));  // of methods of methods each has one more
  with_self.positional.insert(with_self.positional.begin(), method.self);
  with_self.spans.insert(with_self.spans.begin(), arguments.span);
  return interpreter.call(method.function, with_self);
}

bool attribute_behind(Interpreter& interpreter, const Value& self, const std::string& name, Span, Span span,
                      Value& out) {
  return super_attribute(interpreter, *self.as<Super>(), name, span, out);
}

std::string class_repr(const Value& self) {
  if (Value own; call_special(self, "__repr__", {}, own)) return str(own);
  const ClassObject& type = *self.as<ClassObject>();
  return type.builtin == "object" ? "<class 'object'>" : fmt::format("<class '__main__.{}'>", type.qualified_name);
}

std::string instance_repr(const Value& value) {
  if (Value own; call_special(value, "__repr__", {}, own)) return str(own);
  const Instance& instance = *value.as<Instance>();
  if (instance.type->builtin == "object") return "<object object>";
  if (instance.type->exception.empty()) return fmt::format("<__main__.{} object>", instance.type->qualified_name);
  return instance.type->name + "(" + items_repr(exception_arguments(value)) + ")";
}

std::string instance_str(const Value& self) {
  const Instance& instance = *self.as<Instance>();
  if (instance.type->exception.empty()) return repr(self);
  return exception_text(instance.type->exception, exception_arguments(self));
}

bool attribute_of_instance(Interpreter& interpreter, const Value& self, const std::string& name, Span, Span span,
                           Value& out) {
  return instance_attribute(interpreter, self, *self.as<Instance>(), name, span, out) ||
         call_special(self, "__getattr__", {make_str(name)}, out);
}

bool set_instance_attribute(Interpreter& interpreter, const Value& self, const std::string& name, const Value& value,
                            Span span) {
  Instance& instance = *self.as<Instance>();
  if (instance.type->is_frozen)
    throw python_error("FrozenInstanceError", span, fmt::format("cannot assign to field '{}'", name));
  if (set_property(interpreter, self, name, value, span)) return true;
  const auto& slots = instance.type->slots;
  if (slots && std::ranges::find(*slots, name) == slots->end())
    throw CellError(Code::Attribute, span, fmt::format("'{}' object has no attribute '{}'", instance.type->name, name));
  if (!instance.type->exception.empty()) return set_exception_attribute(interpreter, self, name, value, span);
  instance.attributes.set(name, value);
  return true;
}

void add_members(const ClassObject& type, std::vector<std::string>& names) {
  for (const Value& base : type.order) {
    for (const auto& item : base.as<ClassObject>()->members) names.push_back(item.first);
  }
}

std::vector<std::string> names_of_instance(const Value& self) {
  const Instance& instance = *self.as<Instance>();
  std::vector<std::string> names;
  for (const auto& item : instance.attributes) names.push_back(item.first);
  add_members(*instance.type, names);
  return names;
}

Value copy_of_instance(const Value& self, Span) {
  Ref<Instance> out = make<Instance>(self.as<Instance>()->type);
  out->attributes = self.as<Instance>()->attributes;
  return out;
}

Value deep_copy_of_instance(const Value& self, Copier& copier) {
  const Instance& original = *self.as<Instance>();
  Ref<Instance> out = make<Instance>(original.type);
  copier.remember(self, out);
  for (const auto& [name, item] : Members(original.attributes)) out->attributes.set(name, copier.copy(item));
  return out;
}

}  // namespace

const Type ClassObject::kType = {
    .name = "type",
    .repr = class_repr,
    .class_of = [](const Value& self) { return self.as<ClassObject>()->meta.get(); },
    .attribute = member_of_class,
    .set_attribute =
        [](Interpreter&, const Value& self, const std::string& attribute, const Value& value, Span) {
          ClassObject& type = *self.as<ClassObject>();
          if (attribute == "__name__" && value.as<Str>()) type.name = str(value);
          else if (attribute == "__qualname__" && value.as<Str>()) type.qualified_name = str(value);
          else type.members.set(attribute, value);
          return true;
        },
    .delete_attribute = [](Interpreter&, const Value& self, const std::string& attribute,
                           Span) { return self.as<ClassObject>()->members.erase(attribute); },
    .attribute_names =
        [](const Value& self) {
          std::vector<std::string> names;
          add_members(*self.as<ClassObject>(), names);
          return names;
        },
    .call =
        [](Interpreter& interpreter, const Value& self, const CallArguments& arguments) {
          const Ref<ClassObject>& above = self.as<ClassObject>()->meta;
          const Value* own = above ? above->find("__call__") : nullptr;
          return own ? interpreter.call(bind_member(interpreter, *own, self, above, arguments.span), arguments)
                     : instantiate(interpreter, self.ref<ClassObject>(), arguments);
        },
};

// Of a member of an IntEnum.
std::optional<Scalar> number_of_member(const Value& self) {
  const Instance& instance = *self.as<Instance>();
  const Value* number = instance.type->builtin == "int" ? instance.attributes.find("value") : nullptr;
  return number ? as_scalar(*number) : std::nullopt;
}

const Type Instance::kType = {
    .name = "object",
    .name_of = [](const Value& self) { return self.as<Instance>()->type->name; },
    .repr = instance_repr,
    .str = instance_str,
    .class_of = [](const Value& self) { return self.as<Instance>()->type.get(); },
    .number = number_of_member,
    .single = number_of_member,
    .attribute = attribute_of_instance,
    .set_attribute = set_instance_attribute,
    .delete_attribute = [](Interpreter&, const Value& self, const std::string& name,
                           Span) { return self.as<Instance>()->attributes.erase(name); },
    .attribute_names = names_of_instance,
    .copy = copy_of_instance,
    .deep_copy = deep_copy_of_instance,
};

const Type BoundMethod::kType = {
    .name = "method",
    .hash =
        [](const Value& value) {
          const BoundMethod& method = *value.as<BoundMethod>();
          return std::hash<const void*>()(method.function.object()) ^ std::hash<const void*>()(method.self.object());
        },
    .equals = [](const Value& a, const Value& b) -> std::optional<bool> {
      const BoundMethod *x = a.as<BoundMethod>(), *y = b.as<BoundMethod>();
      if (!x || !y) return std::nullopt;
      return x->function.object() == y->function.object() && x->self.object() == y->self.object();
    },
    .attribute = method_attribute,
    .call = call_method};

const Type Wrapped::kType = {.name = "property", .attribute = wrapped_attribute};

const Type Super::kType = {
    .name = "super",
    .attribute = attribute_behind,
};

Value instantiate(Interpreter& interpreter, const Ref<ClassObject>& type, const CallArguments& arguments) {
  Value made;
  if (type->layer) {
    made = native_object(interpreter, type);
  } else if (!type->builtin.empty()) {
    const bool is_named = type->builtin == "tuple" && type->find("_fields");
    const std::string text =
        type->builtin == "str" ? str(interpreter.call(*find_builtin("str"), arguments)) : std::string();
    made = is_named ? make_named(type, arguments) : make_derived(type, text);
    if (made.as<Tuple>() && !is_named) fill_container(interpreter, made, arguments);
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
    const bool takes_any = type->layer || !type->exception.empty() || !type->builtin.empty();
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

}  // namespace attn
