// What stands after the dot of a layer: its settings and parameters, and the methods that all layers have.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "lang/layer_call.h"
#include "tensor/create.h"
#include "tensor/pointwise.h"

namespace attn {
namespace {

/// A call of a method: its arguments by place, as its signature has them.
struct LayerCall {
  Interpreter& interpreter;
  const Ref<Layer>& layer;
  CallArguments& given;
  std::vector<Value> arguments = {};

  void require_effects() const { interpreter.require_effects("change a layer", given.span); }
};

Value generator_of(std::vector<Value> items) {
  return make<Iterator>("generator", [items = std::move(items), at = std::size_t{0}](Value& out) mutable {
    if (at == items.size()) return false;
    out = items[at++];
    return true;
  });
}

void set_training(Layer& layer, bool mode) {
  check_stack();
  layer.training = mode;
  for (const auto& item : children_of(layer)) set_training(*item.second, mode);
}

Value train(LayerCall& call) {
  const bool* mode = call.arguments[0].as_bool();
  if (!mode) throw CellError(Code::Value, call.given.span, "training mode is expected to be boolean");
  call.require_effects();
  set_training(*call.layer, *mode);
  return call.layer;
}

Value eval(LayerCall& call) {
  call.require_effects();
  set_training(*call.layer, false);
  return call.layer;
}

Value parameters(LayerCall& call) {
  std::vector<Value> items;
  for (const auto& item : parameters_of(*call.layer)) items.emplace_back(item.second);
  return generator_of(std::move(items));
}

Value named_parameters(LayerCall& call) {
  std::vector<Value> items;
  for (const auto& [name, parameter] : parameters_of(*call.layer)) {
    items.push_back(make_tuple({make_str(name), parameter}));
  }
  return generator_of(std::move(items));
}

// The tensors share their elements with the parameters but are no parameters themselves.
Value state_dict(LayerCall& call) {
  Ref<Dict> out = make<Dict>();
  for (const auto& [name, parameter] : parameters_of(*call.layer)) {
    Ref<TensorObject> tensor = make<TensorObject>(parameter->tensor);
    tensor->axes = parameter->axes;
    out->set(make_str(name), tensor);
  }
  return out;
}

Value children(LayerCall& call) {
  std::vector<Value> items;
  for (const auto& item : children_of(*call.layer)) items.emplace_back(item.second);
  return generator_of(std::move(items));
}

Value named_children(LayerCall& call) {
  std::vector<Value> items;
  for (const auto& [name, child] : children_of(*call.layer)) items.push_back(make_tuple({make_str(name), child}));
  return generator_of(std::move(items));
}

void add_modules(const Ref<Layer>& layer, std::vector<Value>& out) {
  check_stack();
  out.emplace_back(layer);
  for (const auto& item : children_of(*layer)) add_modules(item.second, out);
}

Value modules(LayerCall& call) {
  std::vector<Value> items;
  add_modules(call.layer, items);
  return generator_of(std::move(items));
}

Value requires_grad(LayerCall& call) {
  call.require_effects();
  for (const auto& item : parameters_of(*call.layer)) item.second->requires_grad = truthy(call.arguments[0]);
  return call.layer;
}

Value zero_grad(LayerCall&) { return {}; }

void convert(LayerCall& call, DType dtype) {
  if (!is_floating(dtype)) {
    throw CellError(Code::Type, call.given.span,
                    fmt::format("nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={}",
                                name_of(dtype)));
  }
  call.require_effects();
  for (const auto& item : parameters_of(*call.layer)) item.second->tensor = to(item.second->tensor, dtype);
}

template <DType Type>
Value convert_to(LayerCall& call) {
  convert(call, Type);
  return call.layer;
}

// to(device), to(dtype), to(device, dtype)
Value to_method(LayerCall& call) {
  for (const Value& argument : call.arguments) {
    const Str* device = argument.as<Str>();
    if (const DTypeObject* type = argument.as<DTypeObject>()) {
      convert(call, type->dtype);
    } else if (!argument.is_none() && !(device && device->text.starts_with("cpu"))) {
      throw CellError(Code::Unsupported, call.given.span, "only the device 'cpu' is supported",
                      "leave .to(device) out, or say .to('cpu')");
    }
  }
  return call.layer;
}

Value cpu(LayerCall& call) { return call.layer; }

Value extra_repr(LayerCall& call) { return make_str(call.layer->info->settings(*call.layer)); }
Value get_name(LayerCall& call) { return make_str(std::string(call.layer->info->name)); }

struct LayerMethod {
  std::string_view name;
  std::string_view signature;
  Value (*function)(LayerCall& call);
};
constexpr LayerMethod kMethods[] = {{"train", "(mode: any = True)", train},
                                    {"eval", "()", eval},
                                    {"parameters", "()", parameters},
                                    {"named_parameters", "()", named_parameters},
                                    {"state_dict", "()", state_dict},
                                    {"children", "()", children},
                                    {"named_children", "()", named_children},
                                    {"modules", "()", modules},
                                    {"requires_grad_", "(requires_grad: any = True)", requires_grad},
                                    {"zero_grad", "(set_to_none: any = False)", zero_grad},
                                    {"to", "(device: any? = None, dtype: any? = None)", to_method},
                                    {"cpu", "()", cpu},
                                    {"float", "()", convert_to<DType::Float32>},
                                    {"double", "()", convert_to<DType::Float64>},
                                    {"extra_repr", "()", extra_repr},
                                    {"_get_name", "()", get_name}};

Value bound(const std::string& name, const Ref<Layer>& layer, Builtin::Native native) {
  Ref<Builtin> method = make<Builtin>(name, std::move(native));
  method->self = layer;
  method->has_self = true;
  return method;
}

}  // namespace

bool layer_attribute(Interpreter&, const Ref<Layer>& layer, const std::string& name, Value& out) {
  if (const Value* value = layer->find(name)) return out = *value, true;
  if (name == "training") return out = Value(layer->training), true;
  if (name == "forward" || name == "__call__") {
    out = bound(name, layer, [layer](Interpreter& interpreter, CallArguments& arguments) {
      return layer->info->forward(interpreter, *layer, arguments);
    });
    return true;
  }
  const auto* method =
      std::find_if(std::begin(kMethods), std::end(kMethods), [&](const auto& m) { return m.name == name; });
  if (method == std::end(kMethods)) return false;
  out = bound(name, layer, [layer, method](Interpreter& interpreter, CallArguments& arguments) {
    LayerCall call{interpreter, layer, arguments};
    call.arguments = python_arguments("Module." + std::string(method->name), method->signature, arguments);
    return method->function(call);
  });
  return true;
}

std::vector<std::string> layer_attribute_names(const Layer& layer) {
  std::vector<std::string> names = {"training", "forward"};
  for (const auto& item : layer.attributes) names.push_back(item.first);
  for (const LayerMethod& method : kMethods) names.emplace_back(method.name);
  return names;
}

}  // namespace attn
