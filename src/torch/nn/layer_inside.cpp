// What is inside of a layer: the methods that list it, and what src/lib asks.
#include <fmt/format.h>

#include <algorithm>

#include "tensor/ops/pointwise.h"
#include "text/say.h"
#include "torch/lib.h"
#include "torch/nn/layer_call.h"
#include "torch/nn/layer_methods.h"

namespace attn {

// ---- what is inside ----

namespace {

Value as_generator(std::vector<Value> items) {
  return make<Iterator>("generator", [items = std::move(items), at = std::size_t{0}](Value& out) mutable {
    if (at == items.size()) return false;
    out = items[at++];
    return true;
  });
}

template <class Named>
Value as_generator(const Named& named, bool with_names) {
  std::vector<Value> items;
  for (const auto& [name, object] : named) {
    items.push_back(with_names ? make_tuple({make_str(name), object}) : Value(object));
  }
  return as_generator(std::move(items));
}

}  // namespace

Value parameters(LayerCall& call) {
  return as_generator(parameters_of(*call.layer, {}, truthy(call.arguments[0])), false);
}
Value named_parameters(LayerCall& call) {
  return as_generator(parameters_of(*call.layer, call.text(0), truthy(call.arguments[1])), true);
}
Value buffers(LayerCall& call) { return as_generator(buffers_of(*call.layer, {}, truthy(call.arguments[0])), false); }
Value named_buffers(LayerCall& call) {
  return as_generator(buffers_of(*call.layer, call.text(0), truthy(call.arguments[1])), true);
}
Value children(LayerCall& call) { return as_generator(children_of(*call.layer), false); }
Value named_children(LayerCall& call) { return as_generator(children_of(*call.layer), true); }
Value modules(LayerCall& call) { return as_generator(modules_of(*call.layer), false); }
Value named_modules(LayerCall& call) { return as_generator(modules_of(*call.layer, call.text(1)), true); }

// ---- what src/lib asks of a layer ----

namespace {

constexpr std::pair<std::string_view, Role> kRoles[] = {{"parameter", Role::Parameter},
                                                        {"buffer", Role::Buffer},
                                                        {"transient", Role::TransientBuffer},
                                                        {"child", Role::Child}};

Role role_named(const Value& name) {
  return std::find_if(std::begin(kRoles), std::end(kRoles), [&](const auto& row) { return row.first == str(name); })
      ->second;
}

Layer& layer_argument(const CallArguments& arguments) { return *arguments.positional.at(0).as<Layer>(); }

Value pairs_of(const std::vector<LayerMember>& found) {
  std::vector<Value> pairs;
  for (const LayerMember& member : found) pairs.push_back(make_tuple({make_str(member.name), member.value}));
  return make_list(std::move(pairs));
}

// members(layer, *roles): names and values, the roles one after another.
Value members(Interpreter&, CallArguments& arguments) {
  std::vector<LayerMember> found;
  for (std::size_t i = 1; i < arguments.positional.size(); ++i) {
    for (const LayerMember& member : layer_argument(arguments).attributes)
      if (member.role == role_named(arguments.positional[i])) found.push_back(member);
  }
  return pairs_of(found);
}

// held(container)
Value held_in(Interpreter&, CallArguments& arguments) { return pairs_of(held(layer_argument(arguments))); }

// change(layer): refuses in a cell marked `wrong`.
Value change(Interpreter& interpreter, CallArguments& arguments) {
  require_change(interpreter, layer_argument(arguments), {});
  return {};
}

// register(layer, name, value, role)
Value register_member(Interpreter& interpreter, CallArguments& arguments) {
  Layer& layer = layer_argument(arguments);
  require_change(interpreter, layer, {});
  const Role role = role_named(arguments.positional.at(3));
  if (!layer.is_initialized) {
    const std::string kind = role == Role::Child ? "module" : role == Role::Parameter ? "parameter" : "buffer";
    throw CellError(Code::Attribute, {}, fmt::format("cannot assign {} before Module.__init__() call", kind),
                    say("mistake.super"));
  }
  layer.add(str(arguments.positional[1]), arguments.positional[2], role);
  return {};
}

// unregister(layer, name)
Value unregister(Interpreter& interpreter, CallArguments& arguments) {
  require_change(interpreter, layer_argument(arguments), {});
  layer_argument(arguments).erase(str(arguments.positional.at(1)));
  return {};
}

// detached(tensor): it shares its elements with the parameter but is none itself.
Value detached(Interpreter&, CallArguments& arguments) {
  const TensorObject& original = *arguments.positional.at(0).as<TensorObject>();
  Ref<TensorObject> tensor = make<TensorObject>(original.tensor);
  tensor->axes = original.axes;
  return tensor;
}

// assign(tensor, other): the elements of the other, or a number.
Value assign_elements(Interpreter&, CallArguments& arguments) {
  Tensor& tensor = arguments.positional.at(0).as<TensorObject>()->tensor;
  const auto number = arguments.positional.at(1).as_int();
  const Tensor from = number ? Tensor::scalar(number->value) : arguments.positional[1].as<TensorObject>()->tensor;
  assign(tensor, to(from, tensor.dtype()));
  return {};
}

constexpr NativeRow kLayerNatives[] = {
    {"members", members},       {"held", held_in},      {"change", change},          {"register", register_member},
    {"unregister", unregister}, {"detached", detached}, {"assign", assign_elements}, {"draw_conv", draw_conv}};

}  // namespace

std::span<const NativeRow> layer_natives() { return kLayerNatives; }

}  // namespace attn
