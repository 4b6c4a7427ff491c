// What functions, modules, types, iterators and records do.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/diagnostic.h"
#include "base/words.h"
#include "python/class.h"
#include "python/evaluator.h"
#include "python/exceptions.h"
#include "python/interpreter.h"
#include "python/modules/library.h"
#include "python/modules/unsupported_names.h"
#include "python/natives.h"
#include "python/type.h"
#include "python/types/bytes.h"
#include "python/types/methods.h"
#include "python/types/record.h"

namespace attn {

void Function::clear() {
  defaults.clear();
  scope = nullptr;
  owner = Value();
}

namespace {

// ---- functions ----

Value text_or_none(const std::string& text) { return text.empty() ? Value() : make_str(text); }

// Worked out when they are asked for, where the function was defined.
Value annotations_of(Interpreter& interpreter, const Function& function) {
  const Ref<Dict> annotations = make<Dict>();
  const auto add = [&](const std::string& name, const std::shared_ptr<const Expr>& written) {
    if (!written) return;
    if (interpreter.find("annotations")) {
      const std::string_view text = interpreter.sources()[written->span.source].slice(written->span);
      return annotations->set(make_str(name), make_str(std::string(text)));
    }
    const Ref<Function> asked = make<Function>();
    asked->parameters = std::make_shared<const std::vector<Parameter>>();
    asked->body = written;
    asked->scope = function.scope;
    annotations->set(make_str(name), interpreter.call(asked, {}, {}));
  };
  for (const Parameter& parameter : *function.parameters)
    add(std::string(parameter.name.text()), {function.parameters, parameter.annotation.get()});
  add("return", function.returns);
  return annotations;
}

bool function_attribute(Interpreter& interpreter, const Value& self, const std::string& name, Value& out) {
  const Function& function = *self.as<Function>();
  if (name == "__name__") return out = make_str(function.name), true;
  if (name == "__qualname__") return out = make_str(function.qualified_name), true;
  if (name == "__doc__") return out = text_or_none(function.doc), true;
  if (name == "__module__") return out = make_str("__main__"), true;
  if (name == "__code__") {
    const Value made = library_function(interpreter, "programs", "Code");
    return out = interpreter.call(made, {self}, {}), true;
  }
  if (name == "__annotations__") return out = annotations_of(interpreter, function), true;
  if (name == "__defaults__") {
    std::vector<Value> defaults;
    for (std::size_t i = 0; i < function.defaults.size(); ++i) {
      const bool is_plain = (*function.parameters)[i].kind == ParameterKind::Plain;
      if (is_plain && function.has_default[i]) defaults.push_back(function.defaults[i]);
    }
    return out = defaults.empty() ? Value() : make_tuple(std::move(defaults)), true;
  }
  const Dict* own = function.attributes.as<Dict>();
  const Value* held = own ? own->find(make_str(name)) : nullptr;
  if (held) out = *held;
  return held != nullptr;
}

bool attribute_of_function(Interpreter& interpreter, const Value& self, const std::string& name, Span, Span,
                           Value& out) {
  return function_attribute(interpreter, self, name, out);
}

bool set_function_attribute(Interpreter&, const Value& self, const std::string& name, const Value& value, Span) {
  Value& attributes = self.as<Function>()->attributes;
  if (attributes.is_none()) attributes = make<Dict>();
  attributes.as<Dict>()->set(make_str(name), value);
  return true;
}

bool builtin_attribute(Interpreter& interpreter, const Value& self, const std::string& name, Span, Span span,
                       Value& out) {
  const Builtin& builtin = *self.as<Builtin>();
  if (name == "__name__" || name == "__qualname__") return out = make_str(builtin.name), true;
  if (!builtin.path.starts_with("numpy.") || !has_word("accumulate reduce outer at", name)) return false;
  const Value found = library_function(interpreter, "arrays", "ufunc_method");
  out = interpreter.call(found, {make_str(builtin.name), make_str(name)}, span);
  return !out.is_none();
}

std::string builtin_repr(const Value& self) { return "<built-in function " + self.as<Builtin>()->name + ">"; }

Value call_builtin(Interpreter& interpreter, const Value& self, const CallArguments& arguments) {
  const Builtin& builtin = *self.as<Builtin>();
  if (builtin.op) return interpreter.call_op(*builtin.op, arguments, builtin.has_self ? &builtin.self : nullptr);
  CallArguments copy = arguments;
  try {
    return builtin.native(interpreter, copy);
  } catch (const std::out_of_range&) {  // of arguments.positional.at()
    throw CellError(Code::Type, arguments.span, fmt::format("{}() is missing a required argument", builtin.name));
  }
}

Value call_function(Interpreter& interpreter, const Value& self, const CallArguments& arguments) {
  return Evaluator(interpreter).call(*self.as<Function>(), arguments);
}

}  // namespace

const Type Function::kType = {
    .name = "function",
    .repr = [](const Value& self) { return fmt::format("<function {}>", self.as<Function>()->qualified_name); },
    .attribute = attribute_of_function,
    .set_attribute = set_function_attribute,
    .delete_attribute =
        [](Interpreter&, const Value& self, const std::string& attribute, Span) {
          Dict* own = self.as<Function>()->attributes.as<Dict>();
          return own && own->erase(make_str(attribute));
        },
    .call = call_function,
};

const Type Builtin::kType = {
    .name = "builtin_function_or_method",
    .repr = builtin_repr,
    .hash =
        [](const Value& value) {
          const std::string& whole = value.as<Builtin>()->path;
          return whole.empty() ? std::hash<const void*>()(value.object()) : std::hash<std::string>()(whole);
        },
    .equals = [](const Value& a, const Value& b) -> std::optional<bool> {
      const Builtin *x = a.as<Builtin>(), *y = b.as<Builtin>();
      if (!x || !y || x->path.empty()) return std::nullopt;
      return x->path == y->path;
    },
    .is_singleton = true,
    .attribute = builtin_attribute,
    .call = call_builtin,
};

// ---- modules ----

namespace {

bool attribute_of_module(Interpreter&, const Value& self, const std::string& name, Span, Span span, Value& out) {
  const Module& module = *self.as<Module>();
  if (module.is_unsupported) refuse_name(module.name + "." + name, span);
  return module_member(module, name, out);
}

}  // namespace

const Type Module::kType = {
    .name = "module",
    .repr = [](const Value& self) { return fmt::format("<module '{}'>", self.as<Module>()->name); },
    .hash = [](const Value& self) { return std::hash<std::string>()(self.as<Module>()->name); },
    .equals = [](const Value& a, const Value& b) -> std::optional<bool> {
      if (!a.as<Module>() || !b.as<Module>()) return std::nullopt;
      return a.as<Module>()->name == b.as<Module>()->name;
    },
    .is_singleton = true,
    .attribute = attribute_of_module,
    .set_attribute = [](Interpreter&, const Value& self, const std::string&, const Value&,
                        Span) { return is_idle_setting(*self.as<Module>()); },
    .attribute_names = [](const Value& self) { return module_member_names(*self.as<Module>()); },
};

// ---- types ----

namespace {

// str.upper: the method as a function of its object.
bool unbound_method(const std::string& type, const std::string& name, Value& out) {
  const Ref<Set> frozen = make<Set>();
  frozen->is_frozen = true;
  const Value samples[] = {make_str(""),       make_list({}), make_tuple({}), Value(make<Dict>()),
                           Value(make<Set>()), Value(frozen), make_bytes("")};
  for (const Value& sample : samples) {
    Value ignored;
    if (type_name(sample) != type || !container_member(sample, name, ignored)) continue;
    auto native = [type, name](Interpreter& interpreter, CallArguments& arguments) {
      const Type* derived = arguments.positional.empty() ? nullptr : type_of(arguments.positional[0]);
      if (!derived || (derived->base ? derived->base->name : type_name(arguments.positional[0])) != type) {
        const std::string given = arguments.positional.empty()
                                      ? fmt::format("unbound method {}.{}() needs an argument", type, name)
                                      : fmt::format("descriptor '{}' for '{}' objects doesn't apply to a '{}' object",
                                                    name, type, type_name(arguments.positional[0]));
        throw CellError(Code::Type, arguments.span, given);
      }
      CallArguments rest = arguments;
      rest.positional.erase(rest.positional.begin());
      if (!rest.spans.empty()) rest.spans.erase(rest.spans.begin());
      Value method;
      container_member(arguments.positional[0], name, method);
      return interpreter.call(method, rest);
    };
    return out = make<Builtin>(name, native), true;
  }
  return false;
}

bool type_attribute(Interpreter& interpreter, const Value& self, const std::string& name, Span, Span, Value& out) {
  const TypeObject& type = *self.as<TypeObject>();
  if (native_type_member(type, name, out)) return true;
  if (name == "__name__" || name == "__qualname__") return out = make_str(type.last_name()), true;
  if (name == "__module__") {
    const std::size_t dot = type.name.rfind('.');
    return out = make_str(dot == std::string::npos ? "builtins" : type.name.substr(0, dot)), true;
  }
  if (name == "fromkeys" && type.name == "dict") return Dict::kType.attribute(interpreter, {}, name, {}, {}, out);
  constexpr std::string_view kWrittenInPython = "str.maketrans int.from_bytes bytes.fromhex";
  if (has_word(kWrittenInPython, type.name + "." + name))
    return out = library_function(interpreter, "operator", name), true;
  return unbound_method(type.name, name, out);
}

}  // namespace

// int | None
std::optional<Value> join_types(Interpreter&, BinaryOp op, const Value& a, const Value& b, const OperatorSpans&) {
  std::vector<Value> types;
  for (const Value& each : {a, b}) {
    const UnionObject* joined = each.as<UnionObject>();
    if (op != BinaryOp::BitOr || !(joined || each.as<TypeObject>() || each.as<ClassObject>() || each.is_none()))
      return std::nullopt;
    if (joined) types.insert(types.end(), joined->types.begin(), joined->types.end());
    else types.push_back(each);
  }
  return make<UnionObject>(std::move(types));
}

std::string union_repr(const Value& self) {
  std::string text;
  for (const Value& type : self.as<UnionObject>()->types) {
    const TypeObject* plain = type.as<TypeObject>();
    const ClassObject* own = type.as<ClassObject>();
    text += (text.empty() ? "" : " | ") + (plain ? plain->name : own ? "__main__." + own->qualified_name : "None");
  }
  return text;
}

const Type UnionObject::kType = {.name = "UnionType", .repr = union_repr, .binary = join_types};

const Type TypeObject::kType = {
    .name = "type",
    .repr = [](const Value& self) { return fmt::format("<class '{}'>", self.as<TypeObject>()->name); },
    .hash = [](const Value& self) { return std::hash<std::string>()(self.as<TypeObject>()->name); },
    .equals = [](const Value& a, const Value& b) -> std::optional<bool> {
      if (!a.as<TypeObject>() || !b.as<TypeObject>()) return std::nullopt;
      return a.as<TypeObject>()->name == b.as<TypeObject>()->name;
    },
    .is_singleton = true,
    .attribute = type_attribute,
    .get_item = [](Interpreter&, const Value& self, const Value&,
                   const OperatorSpans&) { return self; },  // list[int], Optional[Tensor]: annotations
    .binary = join_types,
    .call = [](Interpreter& interpreter, const Value& self,
               const CallArguments& arguments) { return construct(interpreter, *self.as<TypeObject>(), arguments); },
};

// ---- iterators ----

const Type Iterator::kType = {
    .name = "iterator",
    .name_of = [](const Value& self) { return self.as<Iterator>()->type_name; },
    .each =
        [](Interpreter&, const Value& self, Span, const Visit& visit) {
          const Ref<Iterator> iterator = self.ref<Iterator>();
          for (Value item; iterator->next(item);) {
            if (!visit(item)) return;
          }
        },
    .methods =
        [](const Value& self) { return self.as<Iterator>()->run ? generator_methods() : std::span<const Method>(); },
    .copy = refuse_copy,
    .deep_copy = [](const Value& self, Copier&) -> Value { refuse_copy(self, {}); },
};

// ---- records ----

const Value* Record::find(const std::string& name) const {
  for (const auto& [field, value] : fields)
    if (field == name) return &value;
  return nullptr;
}

const Type Record::kType = {
    .name = "record",
    .name_of = [](const Value& self) { return self.as<Record>()->type_name; },
    .path =
        [](const Value& self) {
          const std::string& name = self.as<Record>()->type_name;
          return name == "device" ? "torch." + name : name;
        },
    .repr = [](const Value& self) { return self.as<Record>()->repr; },
    .str = [](const Value& self) { return self.as<Record>()->text; },
    .hash = [](const Value& self) { return std::hash<std::string>()(self.as<Record>()->repr); },
    .equals = [](const Value& a, const Value& b) -> std::optional<bool> {
      const Record *x = a.as<Record>(), *y = b.as<Record>();
      if (const auto own = x && x->equals ? x->equals : y ? y->equals : nullptr) return own(a, b);
      return x && y ? std::optional(x->repr == y->repr) : std::nullopt;
    },
    .attribute =
        [](Interpreter&, const Value& self, const std::string& name, Span, Span, Value& out) {
          const Value* field = self.as<Record>()->find(name);
          if (field) out = *field;
          return field != nullptr;
        },
};

Value not_implemented() {
  thread_local const Value value = [] {
    const OutsideHeap outside;
    return Value(make<Record>("NotImplementedType", "NotImplemented", "NotImplemented"));
  }();
  return value;
}

bool is_not_implemented(const Value& value) {
  const Record* record = value.as<Record>();
  return record && record->type_name == "NotImplementedType";
}

}  // namespace attn
