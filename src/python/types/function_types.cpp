// What functions, modules, iterators and records do.
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
#include "tensor/core/error.h"

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
  } catch (const TensorError& error) {  // of what computes without an op: np.zeros(), layer.reset_parameters()
    throw to_cell_error(error, arguments.span);
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
