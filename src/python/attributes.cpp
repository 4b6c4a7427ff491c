// What stands after a dot: members of modules, properties and methods of tensors, layers and containers.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/diagnostic.h"
#include "base/number.h"
#include "base/text.h"
#include "python/argument_count.h"
#include "python/class.h"
#include "python/evaluator.h"
#include "python/exceptions.h"
#include "python/modules/collections.h"
#include "python/modules/library.h"
#include "python/modules/unsupported_names.h"
#include "python/object_builtins.h"
#include "python/operators.h"
#include "python/types/record.h"
#include "text/say.h"
#include "torch/nn/layer.h"
#include "torch/numpy/array.h"
#include "torch/op.h"
#include "torch/torch_functions.h"

namespace attn {
namespace {

// ---- tensors ----

Value device() { return cpu_device(); }

struct TensorProperty {
  std::string_view name;
  Value (*get)(const TensorObject& tensor);
};
constexpr TensorProperty kTensorProperties[] = {
    {"shape", [](const TensorObject& t) { return make_size(t.tensor.shape(), &t.axes); }},
    {"dtype", [](const TensorObject& t) { return Value(make<DTypeObject>(t.tensor.dtype())); }},
    {"ndim", [](const TensorObject& t) { return Value(t.tensor.dim()); }},
    {"device", [](const TensorObject&) { return device(); }},
    {"is_cuda", [](const TensorObject&) { return Value(false); }},
    {"requires_grad", [](const TensorObject& t) { return Value(t.requires_grad); }},
    {"is_leaf", [](const TensorObject& t) { return Value(t.grad_fn.empty()); }},
    {"grad", [](const TensorObject&) { return Value(); }},
    {"grad_fn", [](const TensorObject& t) { return t.grad_fn.empty() ? Value() : make_str("<" + t.grad_fn + ">"); }},
};

// Properties that are views and so are recorded like ops.
constexpr std::string_view kViewProperties[] = {"T", "mT"};

bool tensor_attribute(Interpreter& interpreter, const Value& object, const std::string& name, Span object_span,
                      Span span, Value& out) {
  const TensorObject& tensor = *object.as<TensorObject>();
  for (const TensorProperty& property : kTensorProperties) {
    if (property.name == name) return out = property.get(tensor), true;
  }
  if (name == "numpy") {
    out =
        make<Builtin>(name, [object](Interpreter&, CallArguments& call) { return tensor_to_numpy(object, call.span); });
    return true;
  }
  if (name == "data") return out = call_named_op(interpreter, "Tensor.detach", {object}, {object_span}, span), true;
  const OpInfo* op = find_op("Tensor." + name);
  if (!op) return false;
  if (std::find(std::begin(kViewProperties), std::end(kViewProperties), name) != std::end(kViewProperties)) {
    out = call_named_op(interpreter, "Tensor." + name, {object}, {object_span}, span);
    return true;
  }
  Ref<Builtin> method = make<Builtin>(name, op);
  method->self = object;
  method->has_self = true;
  out = method;
  return true;
}

// Python's order: properties of the class, plain attributes, other members of the class; what the layer has registered
// and what every layer has come last.
bool layer_member(Interpreter& interpreter, const Value& object, const std::string& name, Span span, Value& out) {
  const Layer& layer = *object.as<Layer>();
  ClassObject* type = layer.type.as<ClassObject>();
  const Value* member = type ? type->find(name) : nullptr;
  const Wrapped* wrapped = member ? member->as<Wrapped>() : nullptr;
  const bool is_property = wrapped && wrapped->how == Wrapped::How::Property;
  const LayerMember* own = layer.member(name);
  if (own && own->role == Role::Setting && !is_property) return out = own->value, true;
  if (member) return out = bind_member(interpreter, *member, object, Ref<ClassObject>(type), span), true;
  if (type && name == "__class__") return out = layer.type, true;
  if (layer_attribute(interpreter, object.ref<Layer>(), name, out)) return true;
  return call_special(object, "__getattr__", {make_str(name)}, out);
}

std::vector<std::string> known_names(const Value& object) {
  if (const Module* module = object.as<Module>()) return module_member_names(*module);
  std::vector<std::string> names = container_method_names(object);
  if (object.as<TensorObject>()) {
    names = names_under("Tensor.");
    for (const TensorProperty& property : kTensorProperties) names.emplace_back(property.name);
  }
  if (const Layer* layer = object.as<Layer>()) names = layer_attribute_names(*layer);
  if (const Instance* instance = object.as<Instance>()) {
    for (const auto& item : instance->attributes.items) names.push_back(item.first);
  }
  if (const ClassObject* type = object.as<ClassObject>() ? object.as<ClassObject>() : class_of(object)) {
    for (const Value& base : type->order) {
      for (const auto& item : base.as<ClassObject>()->members.items) names.push_back(item.first);
    }
  }
  return names;
}

}  // namespace

namespace {

Value text_or_none(const std::string& text) { return text.empty() ? Value() : make_str(text); }

bool function_attribute(const Function& function, const std::string& name, Value& out) {
  if (name == "__name__") return out = make_str(function.name), true;
  if (name == "__qualname__") return out = make_str(function.qualified_name), true;
  if (name == "__doc__") return out = text_or_none(function.doc), true;
  if (name == "__module__") return out = make_str("__main__"), true;
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

// str.upper: the method as a function of its object.
bool unbound_method(const std::string& type, const std::string& name, Value& out) {
  const Value samples[] = {make_str(""), make_list({}), make_tuple({}), Value(make<Dict>()), Value(make<Set>())};
  for (const Value& sample : samples) {
    Value ignored;
    if (type_name(sample) != type || !container_method(sample, name, ignored)) continue;
    auto native = [type, name](Interpreter& interpreter, CallArguments& arguments) {
      if (arguments.positional.empty() || type_name(arguments.positional[0]) != type) {
        const std::string given = arguments.positional.empty()
                                      ? fmt::format("unbound method {}.{}() needs an argument", type, name)
                                      : fmt::format("descriptor '{}' for '{}' objects doesn't apply to a '{}' object",
                                                    name, type, type_name(arguments.positional[0]));
        throw CellError(Code::Type, arguments.span, given);
      }
      CallArguments rest = arguments;
      rest.positional.erase(rest.positional.begin());
      if (!rest.spans.empty()) rest.spans.erase(rest.spans.begin());
      const Span span = arguments.span;
      return interpreter.call(get_attribute(interpreter, arguments.positional[0], name, span, span), rest);
    };
    return out = make<Builtin>(name, native), true;
  }
  return false;
}

// dict.fromkeys(keys, value)
Value from_keys(Interpreter& interpreter, CallArguments& arguments) {
  Ref<Dict> out = make<Dict>();
  const Value value = arguments.positional.size() > 1 ? arguments.positional[1] : Value();
  interpreter.for_each(arguments.positional.at(0), arguments.span,
                       [&](const Value& key) { return out->set(key, value), true; });
  return out;
}

// _fields, _asdict() and _replace(x=5) of a namedtuple.
bool named_tuple_attribute(const Tuple& tuple, const std::string& name, Value& out) {
  if (name == "_fields") {
    std::vector<Value> fields;
    for (const std::string& field : tuple.fields) fields.push_back(make_str(field));
    return out = make_tuple(std::move(fields)), true;
  }
  if (name != "_asdict" && name != "_replace") return false;
  const Ref<Tuple> self(const_cast<Tuple*>(&tuple));
  if (name == "_asdict") {
    out = make<Builtin>(name, [self](Interpreter&, CallArguments&) {
      Ref<Dict> dict = make<Dict>();
      for (std::size_t i = 0; i < self->items.size(); ++i) dict->set(make_str(self->fields[i]), self->items[i]);
      return Value(dict);
    });
    return true;
  }
  out = make<Builtin>(name, [self](Interpreter&, CallArguments& arguments) {
    Ref<Tuple> changed = make<Tuple>(self->items);
    changed->type_name = self->type_name;
    changed->fields = self->fields;
    for (const auto& [field, value] : arguments.keywords) {
      const auto place = std::find(self->fields.begin(), self->fields.end(), field);
      if (place == self->fields.end())
        throw CellError(Code::Value, arguments.span, fmt::format("Got unexpected field names: ['{}']", field));
      changed->items[static_cast<std::size_t>(place - self->fields.begin())] = value;
    }
    return Value(changed);
  });
  return true;
}

Value giving(const std::string& name, const Value& result) {
  return make<Builtin>(name, [name, result](Interpreter&, CallArguments& arguments) {
    expect(arguments, name, 0, 0);
    return result;
  });
}

// (5).bit_length(), (2.5).is_integer(), x.real
bool number_attribute(const Value& object, const std::string& name, Value& out) {
  const double* real = object.as_float();
  const std::int64_t whole = real ? 0 : *as_index(object);
  const Value itself = real ? object : object.as_bool() ? Value(whole) : object;
  const Value zero = real ? Value(0.0) : Value(std::int64_t{0});
  const std::pair<std::string_view, Value> plain[] = {{"real", itself}, {"imag", zero}};
  for (const auto& [part, value] : plain) {
    if (part == name) return out = value, true;
  }
  if (name == "conjugate") return out = giving(name, itself), true;
  if (real && name == "is_integer")
    return out = giving(name, Value(std::isfinite(*real) && *real == std::floor(*real))), true;
  if (real) return false;
  if (name == "numerator") return out = itself, true;
  if (name == "denominator") return out = Value(std::int64_t{1}), true;
  const auto magnitude = whole < 0 ? 0 - static_cast<std::uint64_t>(whole) : static_cast<std::uint64_t>(whole);
  if (name == "bit_length")
    return out = giving(name, Value(static_cast<std::int64_t>(std::bit_width(magnitude)))), true;
  if (name == "bit_count") return out = giving(name, Value(static_cast<std::int64_t>(std::popcount(magnitude)))), true;
  return false;
}

std::string last_part(const TypeObject& type) { return type.name.substr(type.name.rfind('.') + 1); }

// nn.Linear itself, not one that it made.
const LayerInfo* layer_of(const Value& object) {
  const TypeObject* type = object.as<TypeObject>();
  if (!type || !type->name.starts_with("torch.nn.modules.")) return nullptr;
  return find_layer(last_part(*type));
}

// Attributes of functions, types, ranges, slices and numbers that cells ask for now and then.
bool plain_attribute(const Value& object, const std::string& name, Value& out) {
  if (const Function* function = object.as<Function>()) return function_attribute(*function, name, out);
  const Builtin* builtin = object.as<Builtin>();
  if (builtin && (name == "__name__" || name == "__qualname__")) return out = make_str(builtin->name), true;
  if (const BoundMethod* method = object.as<BoundMethod>()) {
    if (name == "__self__") return out = method->self, true;
    if (name == "__func__") return out = method->function, true;
    return plain_attribute(method->function, name, out);
  }
  if (const Range* range = object.as<Range>()) {
    const std::pair<std::string_view, std::int64_t> parts[] = {
        {"start", range->start}, {"stop", range->stop}, {"step", range->step}};
    for (const auto& [part, value] : parts) {
      if (part == name) return out = Value(value), true;
    }
  }
  if (const Slice* slice = object.as<Slice>()) {
    const std::pair<std::string_view, Value> parts[] = {
        {"start", slice->start}, {"stop", slice->stop}, {"step", slice->step}};
    for (const auto& [part, value] : parts) {
      if (part == name) return out = value, true;
    }
  }
  if (object.is_number() && number_attribute(object, name, out)) return true;
  if (const LayerInfo* layer = layer_of(object); layer && layer_class_attribute(*layer, name, out)) return true;
  const TypeObject* type = object.as<TypeObject>();
  if (type && name == "__name__") return out = make_str(last_part(*type)), true;
  if (name == "fromkeys" && (object.as<Dict>() || (type && type->name == "dict")))
    return out = make<Builtin>(name, from_keys), true;
  return type && unbound_method(type->name, name, out);
}

}  // namespace

std::vector<std::string> attribute_names(const Value& object) { return known_names(object); }

namespace {

// What data/names.txt calls the object: "torch.nn", "Tensor", "str".
std::string listed_owner(const Value& object) {
  if (const Module* module = object.as<Module>()) return module->name;
  if (object.as<TensorObject>()) return "Tensor";
  if (object.as<Array>()) return "numpy.ndarray";
  if (object.as<Layer>() || layer_of(object)) return "Module";
  if (object.as<Instance>()) return "";
  const TypeObject* type = object.as<TypeObject>();
  return type ? last_part(*type) : type_name(object);
}

// What Python or PyTorch has and no row names.
void refuse_listed(const Value& object, const std::string& name, Span span) {
  const Module* module = object.as<Module>();
  const std::string owner = listed_owner(object);
  const bool is_private = module && name.starts_with('_');
  const bool is_stood_in_for = object.as<Quiet>() || (module && is_library(owner) && !has_listed_names(owner));
  if (!is_name_of(owner, name) && !is_private && !is_stood_in_for) return;
  const std::string near = is_stood_in_for ? nearest(name, known_names(object)) : "";
  if (near.empty()) refuse_name(owner + "." + name, span);
  throw CellError(Code::Unsupported, span, say("unsupported.name", {{"name", owner + "." + name}}),
                  did_you_mean(owner + "." + near));
}

}  // namespace

Value get_attribute(Interpreter& interpreter, const Value& object, const std::string& name, Span object_span,
                    Span span) {
  Value out;
  bool found = false;
  if (const Module* module = object.as<Module>()) {
    if (module->is_unsupported) refuse_name(module->name + "." + name, span);
    found = module_member(*module, name, out);
  } else if (object.as<TensorObject>()) {
    found = tensor_attribute(interpreter, object, name, object_span, span, out);
  } else if (object.as<Array>()) {
    found = array_attribute(interpreter, object, name, span, out);
  } else if (object.as<Quiet>()) {
    found = quiet_attribute(object, name, out);
  } else if (object.as<Layer>()) {
    found = layer_member(interpreter, object, name, span, out);
  } else if (class_attribute(interpreter, object, name, span, out)) {
    found = true;
  } else if (has_special(object, "__getattr__")) {
    found = call_special(object, "__getattr__", {make_str(name)}, out);
  } else if (plain_attribute(object, name, out)) {
    return out;
  } else if (const Record* record = object.as<Record>()) {
    if (const Value* field = record->find(name)) return *field;
  } else if (const Tuple* tuple = object.as<Tuple>(); tuple && !tuple->fields.empty()) {
    if (named_tuple_attribute(*tuple, name, out)) return out;
    const auto field = std::find(tuple->fields.begin(), tuple->fields.end(), name);
    found = field != tuple->fields.end();
    if (found) out = tuple->items[static_cast<std::size_t>(field - tuple->fields.begin())];
  }
  if (found || container_method(object, name, out)) return out;
  if (name == "__class__" && !object.as<Module>()) return type_value(object);

  refuse_listed(object, name, span);
  const std::string owner =
      object.as<Module>()        ? fmt::format("module '{}'", object.as<Module>()->name)
      : object.as<ClassObject>() ? fmt::format("type object '{}'", object.as<ClassObject>()->name)
      : object.as<TypeObject>()
          ? fmt::format("type object '{}'", last_part(*object.as<TypeObject>()))
          : fmt::format("'{}' object", object.as<Layer>() ? layer_name(*object.as<Layer>()) : type_name(object));
  if (is_in_library(object_span)) throw CellError(Code::Attribute, span, fmt::format("{} has no attribute '{}'", owner, name));
  const std::string near = nearest(name, known_names(object));
  const std::string_view written = interpreter.sources()[object_span.source].slice(object_span);
  throw CellError(Code::Attribute, span, fmt::format("{} has no attribute '{}'", owner, name),
                  near.empty() ? say("unsupported.name.ops") : did_you_mean(fmt::format("{}.{}", written, near)));
}

}  // namespace attn
