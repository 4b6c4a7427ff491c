// What src/lib has beside Python to look into layers and to change them.
#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "python/class.h"
#include "python/exceptions.h"
#include "tensor/ops/pointwise.h"
#include "text/say.h"
#include "torch/lib.h"
#include "torch/nn/layer_call.h"
#include "torch/signature.h"

namespace attn {
namespace {

constexpr std::pair<std::string_view, Role> kRoles[] = {{"parameter", Role::Parameter},
                                                        {"buffer", Role::Buffer},
                                                        {"transient", Role::TransientBuffer},
                                                        {"child", Role::Child}};

Role role_named(const Value& name) {
  return std::find_if(std::begin(kRoles), std::end(kRoles), [&](const auto& row) { return row.first == str(name); })
      ->second;
}

Layer& layer_argument(const CallArguments& arguments) { return native_argument<Layer>(arguments, 0); }

template <class Named>
Value pairs_of(const Named& named) {
  std::vector<Value> pairs;
  for (const auto& [name, object] : named) pairs.push_back(make_tuple({make_str(name), object}));
  return make_list(std::move(pairs));
}

template <class Named>
Value generator_of(const Named& named, bool with_names) {
  std::vector<Value> items;
  for (const auto& [name, object] : named)
    items.push_back(with_names ? make_tuple({make_str(name), object}) : Value(object));
  return make<Iterator>("generator", [items = std::move(items), at = std::size_t{0}](Value& out) mutable {
    if (at == items.size()) return false;
    out = items[at++];
    return true;
  });
}

Value generated(const Layer& layer, const std::string& what, const std::string& prefix, bool recurse, bool with_names) {
  if (what == "parameter") return generator_of(parameters_of(layer, prefix, recurse), with_names);
  if (what == "buffer") return generator_of(buffers_of(layer, prefix, recurse), with_names);
  return what == "child" ? generator_of(children_of(layer), with_names)
                         : generator_of(modules_of(layer, prefix), with_names);
}

// inside(layer, "parameter" or "buffer" or "child" or "module", recurse): a generator of them, each once; with a prefix
// as the last argument, of pairs with their names.
Value inside(Interpreter&, CallArguments& arguments) {
  const auto& given = arguments.positional;
  const bool with_names = given.size() > 3;
  return generated(layer_argument(arguments), str(given.at(1)), with_names ? str(given[3]) : "", truthy(given.at(2)),
                   with_names);
}

// members(layer, *roles): names and values, the roles one after another.
Value members(Interpreter&, CallArguments& arguments) {
  std::vector<std::pair<std::string, Value>> found;
  for (std::size_t i = 1; i < arguments.positional.size(); ++i) {
    for (const LayerMember& member : layer_argument(arguments).attributes)
      if (member.role == role_named(arguments.positional[i])) found.emplace_back(member.name, member.value);
  }
  return pairs_of(found);
}

// held(container)
Value held_in(Interpreter&, CallArguments& arguments) {
  std::vector<std::pair<std::string, Value>> found;
  for (const LayerMember& member : held(layer_argument(arguments))) found.emplace_back(member.name, member.value);
  return pairs_of(found);
}

// change(layer): refuses in a cell marked `wrong`.
Value change(Interpreter& interpreter, CallArguments& arguments) {
  require_change(interpreter, layer_argument(arguments), {});
  return {};
}

// hooks_of(layer): the dict of its hooks, which they are put into.
Value hooks_of(Interpreter& interpreter, CallArguments& arguments) {
  require_change(interpreter, layer_argument(arguments), {});
  Value& hooks = layer_argument(arguments).hooks;
  if (hooks.is_none()) hooks = make<Dict>();
  return hooks;
}

// train(layer, mode): a layer of a cell's class inside of it may have a train() of its own.
void set_training(Layer& layer, bool mode) {
  const NestedLevel level(kWhileCalling);
  layer.training = mode;
  for (const auto& [name, child] : children_of(layer)) {
    if (Value ignored; !call_special(child, "train", {Value(mode)}, ignored)) set_training(*child, mode);
  }
}
Value train(Interpreter& interpreter, CallArguments& arguments) {
  require_change(interpreter, layer_argument(arguments), {});
  set_training(layer_argument(arguments), truthy(arguments.positional.at(1)));
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
  const auto& original = native_argument<TensorObject>(arguments, 0);
  Ref<TensorObject> tensor = make<TensorObject>(original.tensor);
  tensor->axes = original.axes;
  return tensor;
}

// assign(tensor, other): the elements of the other.
Value assign_elements(Interpreter&, CallArguments& arguments) {
  Tensor& tensor = native_argument<TensorObject>(arguments, 0).tensor;
  assign(tensor, to(native_argument<TensorObject>(arguments, 1).tensor, tensor.dtype()));
  return {};
}

// convert(layer, dtype): its parameters and its buffers of floats.
Value convert(Interpreter& interpreter, CallArguments& arguments) {
  const Layer& layer = layer_argument(arguments);
  const DType dtype = native_argument<DTypeObject>(arguments, 1).dtype;
  if (!is_floating(dtype)) {
    throw CellError(Code::Type, {},
                    fmt::format("nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={}",
                                name_of(dtype)));
  }
  require_change(interpreter, layer, {});
  for (const auto& [name, parameter] : parameters_of(layer)) parameter->tensor = to(parameter->tensor, dtype);
  for (const auto& [name, buffer] : buffers_of(layer)) {
    if (is_floating(buffer->tensor.dtype())) buffer->tensor = to(buffer->tensor, dtype);
  }
  return {};
}

// set_attribute(layer, name, value): as where no class has a __setattr__.
Value set_attribute(Interpreter& interpreter, CallArguments& arguments) {
  require_change(interpreter, layer_argument(arguments), {});
  layer_argument(arguments).set(str(arguments.positional.at(1)), arguments.positional.at(2));
  return {};
}

// anew(layer): one made with the same settings, and with a bias if it has one.
Value made_anew(Interpreter& interpreter, CallArguments& arguments) {
  const Layer& layer = layer_argument(arguments);
  std::vector<std::pair<std::string, Value>> settings;
  for (const OpParameter& parameter : overloads_of(layer.info->signature).front()) {
    const LayerMember* member = layer.member(parameter.name);
    if (!member) continue;
    const bool is_switch = member->role == Role::Parameter && parameter.type == "bool";
    settings.emplace_back(parameter.name, is_switch ? Value(!member->value.is_none()) : member->value);
  }
  return make_layer(interpreter, layer.info->name, std::move(settings), {});
}

template <std::string (*Text)(const Layer&)>
Value text_of_layer(Interpreter&, CallArguments& arguments) {
  return make_str(Text(layer_argument(arguments)));
}

constexpr NativeRow kLayerNatives[] = {{"inside", inside},
                                       {"members", members},
                                       {"held", held_in},
                                       {"change", change},
                                       {"train", train},
                                       {"hooks_of", hooks_of},
                                       {"register", register_member},
                                       {"unregister", unregister},
                                       {"detached", detached},
                                       {"assign", assign_elements},
                                       {"convert", convert},
                                       {"set_attribute", set_attribute},
                                       {"anew", made_anew},
                                       {"draw_conv", draw_conv},
                                       {"settings_of", text_of_layer<plain_settings>},
                                       {"name_of", text_of_layer<layer_name>},
                                       {"repr_of", text_of_layer<plain_layer_repr>}};

}  // namespace

std::span<const NativeRow> layer_natives() { return kLayerNatives; }

}  // namespace attn
