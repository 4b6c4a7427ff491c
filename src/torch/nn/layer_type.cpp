// What layers do when Python asks: what an attribute is registered as, how a layer prints; and how a cell makes a
// parameter.
#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/text.h"
#include "python/class.h"
#include "python/exceptions.h"
#include "python/interpreter.h"
#include "python/natives.h"
#include "python/operators.h"
#include "python/type.h"
#include "text/say.h"
#include "torch/lib.h"
#include "torch/nn/layer_call.h"

namespace attn {

namespace {

// What a value registers itself as when it is assigned to `layer.name`; how PyTorch refuses it otherwise.
struct Rule {
  Role role;
  std::string_view kind, expected;
};
constexpr Rule kRules[] = {{Role::Parameter, "parameter", "torch.nn.Parameter or None"},
                           {Role::Child, "child module", "torch.nn.Module or None"},
                           {Role::Buffer, "buffer", "torch.Tensor or None"},
                           {Role::TransientBuffer, "buffer", "torch.Tensor or None"}};

bool fits(Role role, const Value& value) {
  if (value.is_none() || role == Role::Setting) return true;
  if (role == Role::Child) return value.as<Layer>() != nullptr;
  return role == Role::Parameter ? is_parameter(value) : value.as<TensorObject>() != nullptr;
}

// A matrix in the place of one with its sizes exchanged: "out.weight = emb.weight.t()".
bool is_turned(const Value& value, const Value& held) {
  const auto *turned = value.as<TensorObject>(), *kept = held.as<TensorObject>();
  if (!turned || !kept || turned->tensor.dim() != 2 || kept->tensor.dim() != 2) return false;
  return turned->tensor.size(0) == kept->tensor.size(1) && turned->tensor.size(1) == kept->tensor.size(0) &&
         !turned->tensor.is_contiguous();
}

std::string hint_on(const Value& value, const LayerMember& held) {
  if (held.role != Role::Parameter) return "";
  return is_turned(value, held.value) ? say("mistake.tied") : say("mistake.parameter", {{"name", held.name}});
}

[[noreturn]] void refuse_member(const Value& value, const LayerMember& held) {
  const Rule& rule =
      *std::find_if(std::begin(kRules), std::end(kRules), [&](const Rule& r) { return r.role == held.role; });
  throw CellError(Code::Type, {},
                  fmt::format("cannot assign '{}' as {} '{}' ({} expected)", torch_type_name(value), rule.kind,
                              held.name, rule.expected),
                  hint_on(value, held));
}

}  // namespace

void Layer::set(std::string_view name, Value value) {
  if (name == "training") {
    training = truthy(value);
    return;
  }
  const bool registers = is_parameter(value) || value.as<Layer>();
  if (!is_initialized && registers) {
    throw CellError(
        Code::Attribute, {},
        fmt::format("cannot assign {} before Module.__init__() call", value.as<Layer>() ? "module" : "parameters"),
        say("mistake.super"));
  }
  const LayerMember* held = member(name);
  // A parameter's place takes nothing else; elsewhere a parameter or a layer makes the name its own.
  const bool keeps_role = held && (held->role == Role::Parameter || !registers);
  if (keeps_role && !fits(held->role, value)) refuse_member(value, *held);
  const Role role = keeps_role            ? held->role
                    : is_parameter(value) ? Role::Parameter
                    : registers           ? Role::Child
                                          : Role::Setting;
  add(name, std::move(value), role);
}

namespace {

std::string indented(const std::string& text) {
  charge(static_cast<std::int64_t>(text.size()));
  std::string out;
  for (const char c : text) out += c == '\n' ? std::string("\n  ") : std::string(1, c);
  return out;
}

}  // namespace

std::string layer_repr(const Layer& layer) {
  const NestedLevel level(" while getting the repr of an object");
  const Value self = Ref<Layer>(const_cast<Layer*>(&layer));
  if (Value own; call_special(self, "__repr__", {}, own)) return str(own);
  return plain_layer_repr(layer);
}

std::string plain_layer_repr(const Layer& layer) {
  Value own;
  const Value self = Ref<Layer>(const_cast<Layer*>(&layer));
  const std::string extra = call_special(self, "extra_repr", {}, own) ? str(own) : plain_settings(layer);
  const std::vector<std::string_view> settings = split_lines(extra);
  std::string lines;
  for (const std::string_view line : settings) lines += "\n  " + std::string(line);
  bool has_children = false;
  for (const auto& [name, value, role] : layer.attributes) {
    if (role != Role::Child) continue;
    has_children = true;
    if (is_cut_off(lines)) break;
    lines += "\n  (" + name + "): " + indented(repr(value));
  }
  if (lines.empty()) return layer_name(layer) + "()";
  if (settings.size() == 1 && !has_children) return layer_name(layer) + "(" + std::string(settings[0]) + ")";
  return layer_name(layer) + "(" + lines + "\n)";
}

Value construct_parameter(const CallArguments& arguments) {
  const std::vector<Value> given =
      python_arguments("Parameter.__new__", "(data: any? = None, requires_grad: any = True)", arguments);
  const TensorObject* data = given[0].as<TensorObject>();
  if (!data && !given[0].is_none()) {
    throw CellError(Code::Attribute, arguments.span,
                    fmt::format("'{}' object has no attribute 'detach'", type_name(given[0])),
                    say("mistake.new_parameter"));
  }
  Ref<TensorObject> parameter = make<TensorObject>(data ? data->tensor : Tensor::empty({0}, DType::Float32));
  parameter->requires_grad = truthy(given[1]);
  parameter->is_parameter = true;
  if (data) parameter->axes = data->axes;
  if (parameter->requires_grad && !is_floating(parameter->tensor.dtype())) {
    throw CellError(Code::Runtime, arguments.span,
                    "Only Tensors of floating point and complex dtype can require gradients");
  }
  return parameter;
}

namespace {

// Python's order: properties of the class, plain attributes, other members of the class; what the layer has registered
// and what every layer has come last.
bool layer_member(Interpreter& interpreter, const Value& object, const std::string& name, Span, Span span, Value& out) {
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

// forward() between what register_forward_pre_hook() and register_forward_hook() were given.
Value run_with_hooks(Interpreter& interpreter, const Ref<Layer>& layer, CallArguments arguments) {
  const auto hooks = [&](std::string_view when) {  // a hook may remove itself
    std::vector<Value> functions;
    for (const auto& [number, hook] : layer->hooks.as<Dict>()->items)
      if (str(hook.as<Tuple>()->items[0]) == when) functions.push_back(hook.as<Tuple>()->items[1]);
    return functions;
  };
  for (const Value& hook : hooks("before")) {
    const Value changed = interpreter.call(hook, {layer, make_tuple(arguments.positional)}, arguments.span);
    if (changed.is_none()) continue;
    arguments.positional = changed.as<Tuple>() ? changed.as<Tuple>()->items : std::vector<Value>{changed};
    std::vector<Span> spans(arguments.positional.size() + arguments.keywords.size(), arguments.span);
    arguments.spans = std::move(spans);
  }
  Value result = run_forward(interpreter, layer, arguments);
  for (const Value& hook : hooks("after")) {
    const Value changed = interpreter.call(hook, {layer, make_tuple(arguments.positional), result}, arguments.span);
    if (!changed.is_none()) result = changed;
  }
  return result;
}

// A class of a cell may define __call__ itself; else the layer's forward runs.
Value call_layer(Interpreter& interpreter, const Value& self, const CallArguments& arguments) {
  const Ref<Layer> layer = self.ref<Layer>();
  ClassObject* type = layer->type.as<ClassObject>();
  const Value* own = type ? type->find("__call__") : nullptr;
  if (!own && layer->hooks.as<Dict>()) return run_with_hooks(interpreter, layer, arguments);
  if (!own) return run_forward(interpreter, layer, arguments);
  return interpreter.call(bind_member(interpreter, *own, layer, Ref<ClassObject>(type), arguments.span), arguments);
}

std::vector<std::string> names_of_layer(const Value& self) {
  std::vector<std::string> names = layer_attribute_names(*self.as<Layer>());
  const auto more = class_of(self) ? ClassObject::kType.attribute_names(self.as<Layer>()->type) : names;
  if (class_of(self)) names.insert(names.end(), more.begin(), more.end());
  return names;
}

bool set_layer_attribute(Interpreter& interpreter, const Value& self, const std::string& name, const Value& value,
                         Span span) {
  Layer& layer = *self.as<Layer>();
  require_change(interpreter, layer, span);
  const bool registers = value.as<Layer>() || is_parameter(value);
  if (registers || !set_property(interpreter, self, name, value, span)) layer.set(name, value);
  return true;
}

bool delete_layer_attribute(Interpreter& interpreter, const Value& self, const std::string& name, Span span) {
  require_change(interpreter, *self.as<Layer>(), span);
  return self.as<Layer>()->erase(name);
}

std::optional<Value> layer_length(const Value& self) {
  if (!is_container(*self.as<Layer>())) return std::nullopt;
  return Value(static_cast<std::int64_t>(container_items(*self.as<Layer>()).size()));
}

void each_of_layer(Interpreter&, const Value& self, Span, const Visit& visit) {
  for (const Value& item : container_items(*self.as<Layer>())) {
    if (!visit(item)) return;
  }
}

// layers += [...]: nn.ModuleList.extend; parameters |= {...}: nn.ParameterDict.update
std::optional<Value> layer_in_place(Interpreter& interpreter, BinaryOp op, const Value& self, const Value& other,
                                    const OperatorSpans& spans) {
  const Layer& layer = *self.as<Layer>();
  const bool is_table = layer.info->name == "ParameterDict";
  if (op != (is_table ? BinaryOp::BitOr : BinaryOp::Add) || !is_container(layer)) return std::nullopt;
  if (is_table) return call_container(interpreter, self.ref<Layer>(), "joined", {other}, spans.whole);
  if (has_keys(layer)) return std::nullopt;
  return call_container(interpreter, self.ref<Layer>(), "extend", {other}, spans.whole);
}

// nn.ModuleList(...) + nn.ModuleList(...)
std::optional<Value> joined_layers(Interpreter& interpreter, BinaryOp op, const Value& a, const Value& b,
                                   const OperatorSpans& spans) {
  const Layer* const layer = a.as<Layer>();
  if (op != BinaryOp::Add || !layer || (layer->info->name != "ModuleList" && layer->info->name != "Sequential"))
    return std::nullopt;
  return call_container(interpreter, a.ref<Layer>(), "__add__", {b}, spans.whole);
}

Value deep_copy_of_layer(const Value& self, Copier& copier) {
  const Layer& original = *self.as<Layer>();
  Ref<Layer> out = make<Layer>(original.info);
  copier.remember(self, out);
  out->training = original.training;
  out->type = original.type;
  out->is_initialized = original.is_initialized;
  out->hooks = copier.copy(original.hooks);
  if (const Interpreter* interpreter = Interpreter::current()) out->made_in = interpreter->fork_number();
  for (const LayerMember& member : original.attributes)
    out->attributes.push_back({member.name, copier.copy(member.value), member.role});
  return out;
}

}  // namespace

const Type Layer::kType = {
    .name = "Module",
    .name_of = [](const Value& self) { return layer_name(*self.as<Layer>()); },
    .path = [](const Value& self) { return std::string(self.as<Layer>()->info->path); },
    .listed_as = "Module",
    .repr = [](const Value& self) { return layer_repr(*self.as<Layer>()); },
    .class_of = [](const Value& self) { return self.as<Layer>()->type.as<ClassObject>(); },
    .length = layer_length,
    .is_container = [](const Value& self) { return is_container(*self.as<Layer>()); },
    .each = each_of_layer,
    .attribute = layer_member,
    .set_attribute = set_layer_attribute,
    .delete_attribute = delete_layer_attribute,
    .attribute_names = names_of_layer,
    .get_item =
        [](Interpreter& interpreter, const Value& self, const Value& index, const OperatorSpans& spans) {
          const Layer& layer = *self.as<Layer>();
          const std::vector<Value> items = container_items(layer);
          const auto at = has_keys(layer) ? std::nullopt : as_index(index);
          if (at && *at >= 0 && *at < static_cast<std::int64_t>(items.size()))
            return items[static_cast<std::size_t>(*at)];
          return call_container(interpreter, self.ref<Layer>(), "__getitem__", {index}, spans.whole);
        },
    .set_item =
        [](Interpreter& interpreter, const Value& self, const Value& index, const Value& value,
           const OperatorSpans& spans) {
          call_container(interpreter, self.ref<Layer>(), "__setitem__", {index, value}, spans.whole);
        },
    .delete_item =
        [](Interpreter& interpreter, const Value& self, const Value& index, const OperatorSpans& spans) {
          call_container(interpreter, self.ref<Layer>(), "__delitem__", {index}, spans.whole);
        },
    .binary = joined_layers,
    .in_place = layer_in_place,
    .call = call_layer,
    .copy = refuse_copy,
    .deep_copy = deep_copy_of_layer,
};

// ---- classes of a cell that derive from a layer ----

const LayerInfo* native_base(std::string_view path) {
  return path.starts_with("torch.nn.") ? find_layer(path.substr(path.rfind('.') + 1)) : nullptr;
}

std::string_view native_path(const LayerInfo& base) { return base.path; }

Value native_object(Interpreter& interpreter, const Ref<ClassObject>& type) {
  Ref<Layer> layer = make<Layer>(type->layer);
  layer->made_in = interpreter.fork_number();
  layer->type = type;
  layer->is_initialized = false;
  return layer;
}

bool native_base_member(const Value& self, const ClassObject& type, const std::string& name, Value& out) {
  if (name == "__getattr__") {  // parameters, buffers and modules that were registered
    out = make<Builtin>(name, [self, owner = type.name](Interpreter& in, CallArguments& arguments) {
      Value found;
      const std::string attribute = arguments.positional.empty() ? "" : str(arguments.positional[0]);
      if (layer_attribute(in, self.ref<Layer>(), attribute, found)) return found;
      throw CellError(Code::Attribute, arguments.span,
                      fmt::format("'{}' object has no attribute '{}'", owner, attribute));
    });
    return true;
  }
  if (name == "__init__") {
    out = make<Builtin>("__init__", [self](Interpreter& in, CallArguments& arguments) {
      initialize_layer(in, *self.as<Layer>(), arguments);
      return Value();
    });
    return true;
  }
  return layer_attribute(*Interpreter::current(), self.ref<Layer>(), name, out);
}

}  // namespace attn
