// The methods that all layers have, as a table; those for training and conversion. What is inside and how it is
// registered: layer_inside.cpp; state_dict() and its like: layer_state.cpp; containers: layer_containers.cpp.
#include "torch/nn/layer_methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "python/class.h"
#include "python/evaluator.h"
#include "tensor/ops/create.h"
#include "tensor/ops/pointwise.h"
#include "text/say.h"
#include "text/unsupported.h"
#include "torch/lib.h"
#include "torch/nn/layer_call.h"
#include "torch/signature.h"

namespace attn {

void LayerCall::require_effects() const { require_change(interpreter, *layer, given.span); }

void LayerCall::fail(Code code, std::string message) const { throw CellError(code, given.span, std::move(message)); }

std::string LayerCall::text(std::size_t i) const {
  const Str* text = arguments[i].as<Str>();
  if (!text) fail(Code::Type, say("argument.str", {{"type", type_name(arguments[i])}}));
  return text->text;
}

namespace {

// ---- conversion ----

void convert_parameters(const LayerCall& call, DType dtype) {
  if (!is_floating(dtype)) {
    call.fail(Code::Type,
              fmt::format("nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={}",
                          name_of(dtype)));
  }
  call.require_effects();
  for (const auto& [name, parameter] : parameters_of(*call.layer)) parameter->tensor = to(parameter->tensor, dtype);
  for (const auto& [name, buffer] : buffers_of(*call.layer)) {
    if (is_floating(buffer->tensor.dtype())) buffer->tensor = to(buffer->tensor, dtype);
  }
}

template <DType Type>
Value convert_to(LayerCall& call) {
  convert_parameters(call, Type);
  return call.layer;
}

// to(device), to(dtype), to(device, dtype), to(tensor)
Value to_method(LayerCall& call) {
  for (const Value& argument : call.arguments) {
    if (const DTypeObject* type = argument.as<DTypeObject>()) {
      convert_parameters(call, type->dtype);
    } else if (const TensorObject* tensor = argument.as<TensorObject>()) {
      convert_parameters(call, tensor->tensor.dtype());
    } else if (!argument.is_none() && str(argument).find("cpu") == std::string::npos && !argument.as_bool()) {
      throw CellError(Code::Unsupported, call.given.span, say("unsupported.device"), say("unsupported.device.to"));
    }
  }
  return call.layer;
}

Value cpu(LayerCall& call) { return call.layer; }

Value refuse_cuda(LayerCall& call) {
  throw CellError(Code::Unsupported, call.given.span, say("unsupported.device"), say("unsupported.device.cuda"));
}
Value refuse_half(LayerCall& call) { throw unsupported(call.given.span, "unsupported.layer.half"); }
Value refuse_hook(LayerCall& call) { throw unsupported(call.given.span, "unsupported.layer.hook"); }

Value extra_repr(LayerCall& call) { return make_str(plain_settings(*call.layer)); }
Value get_name(LayerCall& call) { return make_str(layer_name(*call.layer)); }
Value plain_repr(LayerCall& call) { return make_str(plain_layer_repr(*call.layer)); }

Value set_attribute_of(LayerCall& call) {
  call.require_effects();
  call.layer->set(call.text(0), call.arguments[1]);
  return {};
}

// super().__getattr__(name) of a class with a __getattr__ of its own.
Value get_attribute_of(LayerCall& call) {
  const LayerMember* member = call.layer->member(call.text(0));
  if (member && member->role != Role::Setting) return member->value;
  call.fail(Code::Attribute, fmt::format("'{}' object has no attribute '{}'", layer_name(*call.layer), call.text(0)));
}

// The arguments that would make the same layer again: its settings, and whether it has a bias.
std::vector<std::pair<std::string, Value>> same_settings(const Layer& layer) {
  std::vector<std::pair<std::string, Value>> out;
  for (const OpParameter& parameter : overloads_of(layer.info->signature).front()) {
    const LayerMember* member = layer.member(parameter.name);
    if (!member) continue;
    out.emplace_back(parameter.name, member->role == Role::Parameter ? Value(!member->value.is_none()) : member->value);
  }
  return out;
}

// Draws the parameters anew, as a layer does that is made now.
Value reset_parameters(LayerCall& call) {
  call.require_effects();
  Layer& layer = *call.layer;
  if (!children_of(layer).empty() || parameters_of(layer).empty()) {
    call.fail(Code::Attribute, fmt::format("'{}' object has no attribute 'reset_parameters'", layer_name(layer)));
  }
  const Ref<Layer> fresh = make_layer(call.interpreter, layer.info->name, same_settings(layer), call.given.span);
  for (const LayerMember& member : fresh->attributes) {
    const TensorObject* from = member.value.as<TensorObject>();
    const Value* to = layer.find(member.name);
    if (member.role != Role::Setting && from && to && to->as<TensorObject>())
      assign(to->as<TensorObject>()->tensor, from->tensor);
  }
  return {};
}

// Of RNN, GRU and LSTM; their weights have no other place to be.
Value flatten_parameters(LayerCall& call) {
  if (!call.layer->info->path.starts_with("torch.nn.modules.rnn.")) {
    call.fail(Code::Attribute,
              fmt::format("'{}' object has no attribute 'flatten_parameters'", layer_name(*call.layer)));
  }
  return {};
}

// The dicts behind a layer: what is written into them here would be lost, so they are not handed out.
Value refuse_dict(LayerCall& call) { throw unsupported(call.given.span, "unsupported.layer.dict"); }

constexpr std::string_view kNamed = "(prefix: any = '', recurse: any = True)", kRecurse = "(recurse: any = True)";
constexpr std::string_view kHook = "(hook: any, prepend: any = False, with_kwargs: any = False)";
constexpr std::string_view kDevice = "(device: any? = None)";

constexpr LayerMethod kLayerMethods[] = {
    {"parameters", kRecurse, parameters},
    {"named_parameters", kNamed, named_parameters},
    {"buffers", kRecurse, buffers},
    {"named_buffers", kNamed, named_buffers},
    {"children", "()", children},
    {"named_children", "()", named_children},
    {"modules", "()", modules},
    {"named_modules", "(memo: any? = None, prefix: any = '', remove_duplicate: any = True)", named_modules},
    {"to", "(device: any? = None, dtype: any? = None, non_blocking: any = False)", to_method},
    {"cpu", "()", cpu},
    {"cuda", kDevice, refuse_cuda},
    {"float", "()", convert_to<DType::Float32>},
    {"double", "()", convert_to<DType::Float64>},
    {"half", "()", refuse_half},
    {"bfloat16", "()", refuse_half},
    {"register_forward_hook", kHook, refuse_hook},
    {"register_forward_pre_hook", kHook, refuse_hook},
    {"register_full_backward_hook", kHook, refuse_hook},
    {"extra_repr", "()", extra_repr},
    {"_get_name", "()", get_name},
    {"reset_parameters", "()", reset_parameters},
    {"flatten_parameters", "()", flatten_parameters},
    {"__repr__", "()", plain_repr},
    {"__getattr__", "(name: any)", get_attribute_of},
    {"__setattr__", "(name: any, value: any)", set_attribute_of}};

constexpr LayerMethod kDicts[] = {{"_modules", "()", refuse_dict},
                                  {"_parameters", "()", refuse_dict},
                                  {"_buffers", "()", refuse_dict},
                                  {"__dict__", "()", refuse_dict}};

Value bound(const std::string& name, const Ref<Layer>& layer, Builtin::Native native) {
  Ref<Builtin> method = make<Builtin>(name, std::move(native));
  method->self = layer;
  method->has_self = true;
  return method;
}

Value bound_method(const Ref<Layer>& layer, const LayerMethod& method) {
  const std::string function = "Module." + std::string(method.name);
  return bound(std::string(method.name), layer, [layer, method, function](Interpreter& in, CallArguments& arguments) {
    LayerCall call{in, layer, arguments};
    call.arguments = python_arguments(function, method.signature, arguments);
    return method.function(call);
  });
}

// What src/lib has for layers of this kind: in the class of the row, else in Module.
Value library_method(Interpreter& interpreter, const LayerInfo& info, std::string_view name) {
  Value own;
  if (!info.file.empty()) own = library_function(interpreter, info.file, fmt::format("{}.{}", info.name, name));
  return own.is_none() ? library_function(interpreter, "module", fmt::format("Module.{}", name)) : own;
}

}  // namespace

bool layer_attribute(Interpreter& interpreter, const Ref<Layer>& layer, const std::string& name, Value& out) {
  if (const Value* value = layer->find(name)) return out = *value, true;
  if (name == "training") return out = Value(layer->training), true;
  if (name == "__class__") return out = make<TypeObject>(std::string(layer->info->path)), true;
  if (name == "__call__") {
    out = bound(name, layer,
                [layer](Interpreter& in, CallArguments& arguments) { return run_forward(in, layer, arguments); });
    return true;
  }
  if (name == "forward") {
    out = bound(name, layer,
                [layer](Interpreter& in, CallArguments& arguments) { return plain_forward(in, layer, arguments); });
    return true;
  }
  for (const LayerMethod& method : kLayerMethods) {
    if (method.name == name) return out = bound_method(layer, method), true;
  }
  CallArguments none;
  LayerCall call{interpreter, layer, none};
  for (const LayerMethod& dict : kDicts) {
    if (dict.name == name) return out = dict.function(call), true;
  }
  const Value method = name == "__init__" ? Value() : library_method(interpreter, *layer->info, name);
  if (method.is_none()) return false;
  out = bound(name, layer, [layer, method](Interpreter& in, CallArguments& arguments) {
    arguments.positional.insert(arguments.positional.begin(), layer);
    arguments.spans.insert(arguments.spans.begin(), arguments.span);
    return in.call(method, arguments);
  });
  return true;
}

std::vector<std::string> layer_attribute_names(const Layer& layer) {
  std::vector<std::string> names = {"training", "forward"};
  for (const LayerMember& member : layer.attributes) names.push_back(member.name);
  for (const LayerMethod& method : kLayerMethods) names.emplace_back(method.name);
  Interpreter& interpreter = *Interpreter::current();
  std::vector<Value> classes = {library_function(interpreter, "module", "Module")};
  if (is_container(layer)) classes.push_back(library_function(interpreter, layer.info->file, layer.info->name));
  for (const Value& type : classes)
    for (std::string& name : attribute_names(type)) names.push_back(std::move(name));
  return names;
}

// ---- behind the dot of a class ----

namespace {

// nn.Module.__init__(self), nn.Linear.forward(self, x): the layer is the first argument.
Value unbound(const std::string& name) {
  return make<Builtin>(name, [name](Interpreter& in, CallArguments& arguments) {
    const Ref<Layer> layer = arguments.positional.empty() ? Ref<Layer>() : arguments.positional[0].ref<Layer>();
    if (!layer) throw CellError(Code::Type, arguments.span, say("argument.layer", {{"function", name}}));
    CallArguments rest = arguments;
    rest.positional.erase(rest.positional.begin());
    if (!rest.spans.empty()) rest.spans.erase(rest.spans.begin());
    if (name == "__init__") return initialize_layer(in, *layer, rest), Value();
    Value method;
    layer_attribute(in, layer, name, method);
    return in.call(method, rest);
  });
}

}  // namespace

bool layer_class_attribute(const LayerInfo& info, const std::string& name, Value& out) {
  if (info.name == "Embedding" && name == "from_pretrained") {
    return out = library_function(*Interpreter::current(), "layers", "Embedding.from_pretrained"), true;
  }
  const bool is_method =
      std::any_of(std::begin(kLayerMethods), std::end(kLayerMethods), [&](const auto& m) { return m.name == name; }) ||
      !library_method(*Interpreter::current(), info, name).is_none();
  if (!is_method && name != "__init__" && name != "forward" && name != "__call__") return false;
  out = unbound(name);
  return true;
}

}  // namespace attn
