// The methods that all layers have: what is inside, training and evaluation, registering, conversion. state_dict() and
// its like are in layer_state.cpp, the methods of containers in layer_containers.cpp.
#include "lang/layer_methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "lang/class.h"
#include "lang/layer_call.h"
#include "tensor/create.h"
#include "tensor/pointwise.h"

namespace attn {

void LayerCall::require_effects() const { require_change(interpreter, *layer, given.span); }

void LayerCall::fail(Code code, std::string message) const { throw CellError(code, given.span, std::move(message)); }

std::string LayerCall::text(std::size_t i) const {
  const Str* text = arguments[i].as<Str>();
  if (!text) fail(Code::Type, fmt::format("a str is needed, not {}", type_name(arguments[i])));
  return text->text;
}

namespace {

// ---- what is inside ----

Value generator_of(std::vector<Value> items) {
  return make<Iterator>("generator", [items = std::move(items), at = std::size_t{0}](Value& out) mutable {
    if (at == items.size()) return false;
    out = items[at++];
    return true;
  });
}

template <class Named>
Value generator_of(const Named& named, bool with_names) {
  std::vector<Value> items;
  for (const auto& [name, object] : named) {
    items.push_back(with_names ? make_tuple({make_str(name), object}) : Value(object));
  }
  return generator_of(std::move(items));
}

Value parameters(LayerCall& call) {
  return generator_of(parameters_of(*call.layer, {}, truthy(call.arguments[0])), false);
}
Value named_parameters(LayerCall& call) {
  return generator_of(parameters_of(*call.layer, call.text(0), truthy(call.arguments[1])), true);
}
Value buffers(LayerCall& call) { return generator_of(buffers_of(*call.layer, {}, truthy(call.arguments[0])), false); }
Value named_buffers(LayerCall& call) {
  return generator_of(buffers_of(*call.layer, call.text(0), truthy(call.arguments[1])), true);
}
Value children(LayerCall& call) { return generator_of(children_of(*call.layer), false); }
Value named_children(LayerCall& call) { return generator_of(children_of(*call.layer), true); }
Value modules(LayerCall& call) { return generator_of(modules_of(*call.layer), false); }
Value named_modules(LayerCall& call) { return generator_of(modules_of(*call.layer, call.text(1)), true); }

Value submodule(const LayerCall& call, const std::string& path) {
  Value found = call.layer;
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t dot = std::min(path.find('.', at), path.size());
    const std::string name = path.substr(at, dot - at);
    at = dot + 1;
    const Value* inner = found.as<Layer>()->find(name);
    if (!inner)
      call.fail(Code::Attribute, fmt::format("{} has no attribute `{}`", layer_name(*found.as<Layer>()), name));
    if (!inner->as<Layer>()) call.fail(Code::Attribute, fmt::format("`{}` is not an nn.Module", name));
    found = Value(*inner);
  }
  return found;
}

Value get_submodule(LayerCall& call) { return submodule(call, call.text(0)); }

// get_parameter("layers.0.weight") and get_buffer(...)
Value member_at(const LayerCall& call, Role role, std::string_view kind) {
  const std::string path = call.text(0);
  const std::size_t dot = path.rfind('.');
  const std::string name = dot == std::string::npos ? path : path.substr(dot + 1);
  const Value owner = submodule(call, dot == std::string::npos ? "" : path.substr(0, dot));
  const LayerMember* member = owner.as<Layer>()->member(name);
  if (!member) {
    call.fail(Code::Attribute, fmt::format("{} has no attribute `{}`", layer_name(*owner.as<Layer>()), name));
  }
  const bool is_buffer = member->role == Role::Buffer || member->role == Role::TransientBuffer;
  const bool fits = role == Role::Buffer ? is_buffer : member->role == role && !member->value.is_none();
  if (!fits) call.fail(Code::Attribute, fmt::format("`{}` is not {}", name, kind));
  return member->value;
}
Value get_parameter(LayerCall& call) { return member_at(call, Role::Parameter, "an nn.Parameter"); }
Value get_buffer(LayerCall& call) { return member_at(call, Role::Buffer, "a buffer"); }

// ---- registering ----

// The checks that register_buffer(), register_parameter() and add_module() have in common.
std::string new_name(const LayerCall& call, std::string_view kind, bool is_registered) {
  const Value& given = call.arguments[0];
  const Str* name = given.as<Str>();
  if (!name) {
    call.fail(Code::Type, fmt::format("{} name should be a string. Got {}", kind, torch_type_name(given)));
  }
  // A KeyError shows its text as Python writes a str.
  const auto refuse = [&](const std::string& text) { call.fail(Code::Key, repr(make_str(text))); };
  if (name->text.find('.') != std::string::npos) {
    refuse(fmt::format("{} name can't contain \".\"{}", kind, kind == "module" ? ", got: " + name->text : ""));
  }
  if (name->text.empty()) refuse(fmt::format("{} name can't be empty string \"\"", kind));
  Value held;
  const bool is_taken = call.layer->find(name->text) || has_special(call.layer, name->text) ||
                        layer_attribute(call.interpreter, call.layer, name->text, held);
  if (is_taken && !is_registered) refuse(fmt::format("attribute '{}' already exists", name->text));
  return name->text;
}

bool has_role(const LayerCall& call, Role role) {
  const Str* name = call.arguments[0].as<Str>();
  const LayerMember* member = name ? call.layer->member(name->text) : nullptr;
  return member && (member->role == role || (role == Role::Buffer && member->role == Role::TransientBuffer));
}

void require_initialized(const LayerCall& call, std::string_view kind) {
  if (call.layer->is_initialized) return;
  throw CellError(Code::Attribute, call.given.span, fmt::format("cannot assign {} before Module.__init__() call", kind),
                  "call super().__init__() first");
}

Value register_buffer(LayerCall& call) {
  call.require_effects();
  require_initialized(call, "buffer");
  const std::string name = new_name(call, "buffer", has_role(call, Role::Buffer));
  const Value& tensor = call.arguments[1];
  if (!tensor.is_none() && !tensor.as<TensorObject>()) {
    call.fail(Code::Type, fmt::format("cannot assign '{}' object to buffer '{}' (torch Tensor or None required)",
                                      torch_type_name(tensor), name));
  }
  call.layer->add(name, tensor, truthy(call.arguments[2]) ? Role::Buffer : Role::TransientBuffer);
  return {};
}

Value register_parameter(LayerCall& call) {
  call.require_effects();
  require_initialized(call, "parameter");
  const std::string name = new_name(call, "parameter", has_role(call, Role::Parameter));
  const Value& given = call.arguments[1];
  if (!given.is_none() && !(given.as<TensorObject>() && given.as<TensorObject>()->is_parameter)) {
    call.fail(Code::Type,
              fmt::format("cannot assign '{}' object to parameter '{}' (torch.nn.Parameter or None required)",
                          torch_type_name(given), name));
  }
  call.layer->add(name, given, Role::Parameter);
  return {};
}

Value add_module(LayerCall& call) {
  call.require_effects();
  const Value& module = call.arguments[1];
  if (!module.is_none() && !module.as<Layer>()) {
    call.fail(Code::Type, fmt::format("{} is not a Module subclass", torch_type_name(module)));
  }
  require_initialized(call, "module");
  const std::string name = new_name(call, "module", has_role(call, Role::Child));
  call.layer->add(name, module, Role::Child);
  return {};
}

// ---- training and gradients ----

// A layer of a cell's class may have a train() of its own.
void set_training(Layer& layer, bool mode) {
  check_stack();
  layer.training = mode;
  for (const auto& [name, child] : children_of(layer)) {
    if (Value ignored; !call_special(child, "train", {Value(mode)}, ignored)) set_training(*child, mode);
  }
}

Value train(LayerCall& call) {
  const bool* mode = call.arguments[0].as_bool();
  if (!mode) call.fail(Code::Value, "training mode is expected to be boolean");
  call.require_effects();
  set_training(*call.layer, *mode);
  return call.layer;
}

Value eval(LayerCall& call) {
  call.require_effects();
  if (Value own; call_special(call.layer, "train", {Value(false)}, own)) return own;
  set_training(*call.layer, false);
  return call.layer;
}

Value requires_grad(LayerCall& call) {
  call.require_effects();
  for (const auto& [name, parameter] : parameters_of(*call.layer)) parameter->requires_grad = truthy(call.arguments[0]);
  return call.layer;
}

Value zero_grad(LayerCall&) { return {}; }  // nothing here has a .grad

// ---- apply ----

void apply_to(const LayerCall& call, const Ref<Layer>& layer) {
  check_stack();
  for (const auto& [name, child] : children_of(*layer)) apply_to(call, child);
  call.interpreter.call(call.arguments[0], {{layer}, {}, {call.given.span}, call.given.span});
}

Value apply(LayerCall& call) {
  apply_to(call, call.layer);
  return call.layer;
}

// ---- conversion ----

void convert(const LayerCall& call, DType dtype) {
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
  convert(call, Type);
  return call.layer;
}

// to(device), to(dtype), to(device, dtype), to(tensor)
Value to_method(LayerCall& call) {
  for (const Value& argument : call.arguments) {
    if (const DTypeObject* type = argument.as<DTypeObject>()) {
      convert(call, type->dtype);
    } else if (const TensorObject* tensor = argument.as<TensorObject>()) {
      convert(call, tensor->tensor.dtype());
    } else if (!argument.is_none() && str(argument).find("cpu") == std::string::npos && !argument.as_bool()) {
      throw CellError(Code::Unsupported, call.given.span, "only the device 'cpu' is supported",
                      "leave .to(device) out, or say .to('cpu')");
    }
  }
  return call.layer;
}

Value cpu(LayerCall& call) { return call.layer; }

Value refuse_cuda(LayerCall& call) {
  throw CellError(Code::Unsupported, call.given.span, "only the device 'cpu' is supported", "leave .cuda() out");
}
Value refuse_half(LayerCall& call) {
  throw CellError(Code::Unsupported, call.given.span, "layers of float16 or bfloat16",
                  "stay with .float() or .double()");
}
Value refuse_hook(LayerCall& call) {
  throw CellError(Code::Unsupported, call.given.span, "hooks of layers",
                  "return what you want to see from forward(), or keep it as an attribute");
}

Value extra_repr(LayerCall& call) { return make_str(call.layer->info->settings(*call.layer)); }
Value get_name(LayerCall& call) { return make_str(layer_name(*call.layer)); }
Value plain_repr(LayerCall& call) { return make_str(plain_layer_repr(*call.layer)); }

Value set_attribute_of(LayerCall& call) {
  call.require_effects();
  call.layer->set(call.text(0), call.arguments[1]);
  return {};
}

// The dicts behind a layer: what is written into them here would be lost, so they are not handed out.
Value refuse_dict(LayerCall& call) {
  throw CellError(Code::Unsupported, call.given.span, "the dicts inside of a layer",
                  "use named_children(), named_parameters() or named_buffers()");
}

constexpr std::string_view kNamed = "(prefix: any = '', recurse: any = True)", kRecurse = "(recurse: any = True)";
constexpr std::string_view kHook = "(hook: any, prepend: any = False, with_kwargs: any = False)";
constexpr std::string_view kDevice = "(device: any? = None)", kChild = "(name: any, module: any)";

constexpr LayerMethod kMethods[] = {
    {"train", "(mode: any = True)", train},
    {"eval", "()", eval},
    {"parameters", kRecurse, parameters},
    {"named_parameters", kNamed, named_parameters},
    {"buffers", kRecurse, buffers},
    {"named_buffers", kNamed, named_buffers},
    {"children", "()", children},
    {"named_children", "()", named_children},
    {"modules", "()", modules},
    {"named_modules", "(memo: any? = None, prefix: any = '', remove_duplicate: any = True)", named_modules},
    {"get_submodule", "(target: any)", get_submodule},
    {"get_parameter", "(target: any)", get_parameter},
    {"get_buffer", "(target: any)", get_buffer},
    {"register_buffer", "(name: any, tensor: any, persistent: any = True)", register_buffer},
    {"register_parameter", "(name: any, param: any)", register_parameter},
    {"add_module", kChild, add_module},
    {"register_module", kChild, add_module},
    {"state_dict", "(destination: any? = None, prefix: any = '', keep_vars: any = False)", state_dict},
    {"load_state_dict", "(state_dict: any, strict: any = True)", load_state_dict},
    {"requires_grad_", "(requires_grad: any = True)", requires_grad},
    {"zero_grad", "(set_to_none: any = False)", zero_grad},
    {"apply", "(fn: any)", apply},
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
    {"__repr__", "()", plain_repr},
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

}  // namespace

Value bound_method(const Ref<Layer>& layer, const LayerMethod& method, std::string_view owner) {
  const std::string function = std::string(owner) + "." + std::string(method.name);
  return bound(std::string(method.name), layer, [layer, method, function](Interpreter& in, CallArguments& arguments) {
    LayerCall call{in, layer, arguments};
    call.arguments = python_arguments(function, method.signature, arguments);
    return method.function(call);
  });
}

bool layer_attribute(Interpreter& interpreter, const Ref<Layer>& layer, const std::string& name, Value& out) {
  if (const Value* value = layer->find(name)) return out = *value, true;
  if (name == "training") return out = Value(layer->training), true;
  if (name == "__class__") return out = make<TypeObject>(std::string(layer->info->path)), true;
  if (name == "forward" || name == "__call__") {
    out = bound(name, layer, [layer](Interpreter& in, CallArguments& arguments) {
      return layer->info->forward(in, *layer, arguments);
    });
    return true;
  }
  if (container_attribute(layer, name, out)) return true;
  for (const LayerMethod& method : kMethods) {
    if (method.name == name) return out = bound_method(layer, method, "Module"), true;
  }
  CallArguments none;
  LayerCall call{interpreter, layer, none};
  for (const LayerMethod& dict : kDicts) {
    if (dict.name == name) return out = dict.function(call), true;
  }
  return false;
}

std::vector<std::string> layer_attribute_names(const Layer& layer) {
  std::vector<std::string> names = {"training", "forward"};
  for (const LayerMember& member : layer.attributes) names.push_back(member.name);
  for (const LayerMethod& method : kMethods) names.emplace_back(method.name);
  for (std::string& name : container_attribute_names(layer)) names.push_back(std::move(name));
  return names;
}

// ---- behind the dot of a class ----

namespace {

// nn.Module.__init__(self), nn.Linear.forward(self, x): the layer is the first argument.
Value unbound(const std::string& name) {
  return make<Builtin>(name, [name](Interpreter& in, CallArguments& arguments) {
    const Ref<Layer> layer = arguments.positional.empty() ? Ref<Layer>() : arguments.positional[0].ref<Layer>();
    if (!layer)
      throw CellError(Code::Type, arguments.span, fmt::format("{}() wants a layer as its first argument", name));
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
    return out = make<Builtin>(name, embedding_from_pretrained), true;
  }
  const bool is_method =
      std::any_of(std::begin(kMethods), std::end(kMethods), [&](const auto& m) { return m.name == name; });
  if (!is_method && name != "__init__" && name != "forward" && name != "__call__") return false;
  out = unbound(name);
  return true;
}

}  // namespace attn
