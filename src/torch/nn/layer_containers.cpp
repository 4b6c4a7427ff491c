// Layers that hold layers or parameters: nn.Sequential, ModuleList, ModuleDict, ParameterList. Their rows, their
// methods, and what len(), loops, [i] and slices do with them.
#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "python/class.h"
#include "python/evaluator.h"
#include "python/exceptions.h"
#include "python/object_builtins.h"
#include "python/operators.h"
#include "text/say.h"
#include "torch/lib.h"
#include "torch/nn/layer_call.h"
#include "torch/nn/layer_methods.h"

namespace attn {
namespace {

bool is(const Layer& layer, std::string_view name) { return layer.info->name == name; }

// ---- items ----

// What a container holds under its keys: layers, or what is called "0", "1", ... in a ParameterList.
std::vector<LayerMember> held(const Layer& layer) {
  std::vector<LayerMember> out;
  const bool holds_parameters = is(layer, "ParameterList");
  for (const LayerMember& member : layer.attributes) {
    const bool is_number =
        std::all_of(member.name.begin(), member.name.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (holds_parameters ? is_number : member.role == Role::Child) out.push_back(member);
  }
  return out;
}

void require_layer(const Value& value, Span span) {
  if (!value.as<Layer>())
    throw CellError(Code::Type, span, fmt::format("{} is not a Module subclass", torch_type_name(value)));
}

// A plain tensor in a ParameterList becomes a parameter.
Value as_parameter(Interpreter& interpreter, const Value& value, Span span) {
  const TensorObject* tensor = value.as<TensorObject>();
  if (!tensor || tensor->is_parameter) return value;
  return interpreter.call(get_attribute(interpreter, make<Module>("torch.nn"), "Parameter", span, span),
                          {{value}, {}, {span}, span});
}

void append_item(Interpreter& interpreter, Layer& layer, const Value& value, Span span) {
  const std::string name = std::to_string(held(layer).size());
  if (is(layer, "ParameterList")) return layer.set(name, as_parameter(interpreter, value, span));
  require_layer(value, span);
  layer.add(name, value, Role::Child);
}

void append_all(Interpreter& interpreter, Layer& layer, const Value& items, Span span) {
  for (const Value& item : interpreter.to_vector(items, span)) append_item(interpreter, layer, item, span);
}

// After a change in the middle the names are the numbers again.
void renumber(Layer& layer, const std::vector<LayerMember>& items) {
  for (const LayerMember& item : held(layer)) layer.erase(item.name);
  for (std::size_t i = 0; i < items.size(); ++i) {
    layer.attributes.push_back({std::to_string(i), items[i].value, items[i].role});
  }
}

std::size_t layer_place(const Layer& layer, const Value& index, Span span) {
  const auto size = static_cast<std::int64_t>(held(layer).size());
  const auto given = as_index(index);
  if (!given) {
    throw CellError(Code::Type, span, fmt::format("'{}' object cannot be interpreted as an integer", type_name(index)));
  }
  if (*given < -size || *given >= size)
    throw CellError(Code::Index, span, fmt::format("index {} is out of range", *given));
  return static_cast<std::size_t>(*given < 0 ? *given + size : *given);
}

std::vector<LayerMember> part_of(const Layer& layer, const Slice& slice) {
  const std::vector<LayerMember> items = held(layer);
  const SliceRange range = slice_range(slice, static_cast<std::int64_t>(items.size()));
  std::vector<LayerMember> out;
  for (std::int64_t i = 0; i < range.count; ++i)
    out.push_back(items[static_cast<std::size_t>(range.start + i * range.step)]);
  return out;
}

// A slice is a container of its own with the same layers in it; nn.Sequential keeps their names.
Value slice_of(const Layer& layer, const Slice& slice) {
  Ref<Layer> out = make<Layer>(layer.info);
  out->type = layer.type;
  out->made_in = Interpreter::current()->fork_number();
  std::size_t number = 0;
  for (const LayerMember& item : part_of(layer, slice)) {
    out->add(is(layer, "Sequential") ? item.name : std::to_string(number++), item.value, item.role);
  }
  return out;
}

void require_key(const Layer& layer, const Value& key, Span span) {
  const Str* name = key.as<Str>();
  const LayerMember* member = name ? layer.member(name->text) : nullptr;
  if (!member || member->role != Role::Child) throw key_error(key, span);
}

}  // namespace

bool is_container(const Layer& layer) {
  constexpr std::string_view kContainers[] = {"Sequential", "ModuleList", "ModuleDict", "ParameterList"};
  return std::find(std::begin(kContainers), std::end(kContainers), layer.info->name) != std::end(kContainers);
}

std::vector<Value> container_items(const Layer& layer) {
  std::vector<Value> out;
  for (const LayerMember& item : held(layer)) out.push_back(is(layer, "ModuleDict") ? make_str(item.name) : item.value);
  return out;
}

Value container_item(Interpreter&, const Ref<Layer>& layer, const Value& index, Span span) {
  if (is(*layer, "ModuleDict")) {
    require_key(*layer, index, span);
    return *layer->find(index.as<Str>()->text);
  }
  if (const Slice* slice = index.as<Slice>()) return slice_of(*layer, *slice);
  return held(*layer)[layer_place(*layer, index, span)].value;
}

void set_container_item(Interpreter& interpreter, const Ref<Layer>& layer, const Value& index, const Value& value,
                        Span span) {
  require_change(interpreter, *layer, span);
  if (is(*layer, "ModuleDict")) {
    require_layer(value, span);
    return layer->add(str(index), value, Role::Child);
  }
  const std::string name = held(*layer)[layer_place(*layer, index, span)].name;
  layer->set(name, is(*layer, "ParameterList") ? as_parameter(interpreter, value, span) : value);
}

void delete_container_item(Interpreter& interpreter, const Ref<Layer>& layer, const Value& index, Span span) {
  require_change(interpreter, *layer, span);
  if (is(*layer, "ModuleDict")) {
    require_key(*layer, index, span);
    layer->erase(index.as<Str>()->text);
    return;
  }
  std::vector<LayerMember> gone;
  if (const Slice* slice = index.as<Slice>()) gone = part_of(*layer, *slice);
  else gone.push_back(held(*layer)[layer_place(*layer, index, span)]);
  for (const LayerMember& item : gone) layer->erase(item.name);
  renumber(*layer, held(*layer));
}

// ---- methods ----

namespace {

Value append(LayerCall& call) {
  call.require_effects();
  append_item(call.interpreter, *call.layer, call.arguments[0], call.given.span);
  return call.layer;
}

Value extend(LayerCall& call) {
  call.require_effects();
  append_all(call.interpreter, *call.layer, call.arguments[0], call.given.span);
  return call.layer;
}

Value insert(LayerCall& call) {
  call.require_effects();
  require_layer(call.arguments[1], call.given.span);
  std::vector<LayerMember> items = held(*call.layer);
  const auto size = static_cast<std::int64_t>(items.size());
  const std::int64_t given = as_index(call.arguments[0]).value_or(0);
  if (given < -size || given > size) call.fail(Code::Index, fmt::format("Index out of range: {}", given));
  items.insert(items.begin() + (given < 0 ? given + size : given), {"", call.arguments[1], Role::Child});
  renumber(*call.layer, items);
  return is(*call.layer, "Sequential") ? Value(call.layer) : Value();
}

Value pop(LayerCall& call) {
  call.require_effects();
  Value out = container_item(call.interpreter, call.layer, call.arguments[0], call.given.span);
  delete_container_item(call.interpreter, call.layer, call.arguments[0], call.given.span);
  return out;
}

template <DictView::Part Part>
Value view_items(LayerCall& call) {
  Ref<Dict> dict = make<Dict>();
  dict->type_name = "OrderedDict";
  for (const LayerMember& item : held(*call.layer)) dict->set(make_str(item.name), item.value);
  return make<DictView>(dict, Part);
}

void set_named(Interpreter& interpreter, const Ref<Layer>& layer, const Value& modules, Span span) {
  if (const Dict* dict = modules.as<Dict>()) {
    for (const auto& [name, value] : dict->items) set_container_item(interpreter, layer, name, value, span);
  } else if (const Layer* other = modules.as<Layer>(); other && is(*other, "ModuleDict")) {
    for (const LayerMember& item : held(*other))
      set_container_item(interpreter, layer, make_str(item.name), item.value, span);
  } else {
    for (const Value& item : interpreter.to_vector(modules, span)) {
      const std::vector<Value> pair = interpreter.to_vector(item, span);
      if (pair.size() != 2) throw CellError(Code::Value, span, say("argument.module_dict"));
      set_container_item(interpreter, layer, pair[0], pair[1], span);
    }
  }
}

Value update_items(LayerCall& call) {
  set_named(call.interpreter, call.layer, call.arguments[0], call.given.span);
  return {};
}

Value clear(LayerCall& call) {
  call.require_effects();
  for (const LayerMember& item : held(*call.layer)) call.layer->erase(item.name);
  return {};
}

/// A method, and the containers that have it.
struct ContainerMethod {
  std::string_view owners;
  LayerMethod method;
};
constexpr ContainerMethod kContainerMethods[] = {
    {"Sequential ModuleList", {"append", "(module: any)", append}},
    {"ParameterList", {"append", "(value: any)", append}},
    {"Sequential", {"extend", "(sequential: any)", extend}},
    {"ModuleList", {"extend", "(modules: any)", extend}},
    {"ParameterList", {"extend", "(values: any)", extend}},
    {"Sequential ModuleList", {"insert", "(index: any, module: any)", insert}},
    {"Sequential ModuleList ModuleDict", {"pop", "(key: any)", pop}},
    {"ModuleDict", {"keys", "()", view_items<DictView::Part::Keys>}},
    {"ModuleDict", {"values", "()", view_items<DictView::Part::Values>}},
    {"ModuleDict", {"items", "()", view_items<DictView::Part::Items>}},
    {"ModuleDict", {"update", "(modules: any)", update_items}},
    {"ModuleDict", {"clear", "()", clear}}};

bool belongs(const ContainerMethod& row, const Layer& layer) {
  return row.owners.find(layer.info->name) != std::string_view::npos;
}

// ---- rows ----

void construct_sequential(Layer& layer, OpCall& call) {
  const std::vector<Value> items = call.value("args").as<Tuple>()->items;
  const Dict* named = items.size() == 1 ? items[0].as<Dict>() : nullptr;
  if (named && named->type_name == "OrderedDict") {
    for (const auto& [name, value] : named->items) {
      require_layer(value, call.span());
      layer.add(str(name), value, Role::Child);
    }
    return;
  }
  for (const Value& item : items) append_item(call.interpreter(), layer, item, call.span());
}

void construct_list(Layer& layer, OpCall& call) {
  const Value& items = call.value(parameters_of(call.info()).front().name);
  if (!items.is_none()) append_all(call.interpreter(), layer, items, call.span());
}

void construct_dict(Layer& layer, OpCall& call) {
  if (call.has("modules")) set_named(call.interpreter(), Ref<Layer>(&layer), call.value("modules"), call.span());
}

Value forward_sequential(Interpreter& interpreter, Layer& layer, CallArguments& arguments) {
  check_stack();
  Value value = only_input(layer, arguments);
  const Span input_span = arguments.spans.empty() ? arguments.span : arguments.spans[0];
  for (const LayerMember& child : held(layer)) {
    value = interpreter.call(child.value, {{value}, {}, {input_span}, arguments.span});
  }
  return value;
}

Value forward_parameters(Interpreter&, Layer&, CallArguments& arguments) {
  throw CellError(Code::Runtime, arguments.span, "ParameterList should not be called.");
}

// "  (0): Parameter containing: [torch.float32 of size 2x3]"
std::string parameter_list_settings(const Layer& layer) {
  std::string out;
  std::size_t number = 0;
  for (const LayerMember& item : held(layer)) {
    const TensorObject* tensor = item.value.as<TensorObject>();
    std::string sizes;
    for (std::int64_t i = 0; tensor && i < tensor->tensor.dim(); ++i)
      sizes += fmt::format("{}{}", i ? "x" : "", tensor->tensor.size(i));
    const std::string what = tensor ? fmt::format("{} containing: [{} of size {}]", type_name(item.value),
                                                  name_of(tensor->tensor.dtype()), sizes)
                                    : "Object of type: " + type_name(item.value);
    out += fmt::format("{}  ({}): {}", out.empty() ? "" : "\n", number++, what);
  }
  return out;
}

constexpr LayerInfo kContainerLayers[] = {
    {"Sequential", "torch.nn.modules.container.Sequential", "(*args: any)", "Layers one after another.",
     "torch.manual_seed(0)\nfeed_forward = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 2))\n"
     "feed_forward(torch.ones(3, 2))",
     construct_sequential, forward_sequential, no_settings},
    {"ModuleList", "torch.nn.modules.container.ModuleList", "(modules: any? = None)", "A list of layers.",
     "torch.manual_seed(0)\nlayers = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)])\nlen(layers)", construct_list,
     forward_missing, no_settings},
    {"ModuleDict", "torch.nn.modules.container.ModuleDict", "(modules: any? = None)", "Layers by name.",
     "torch.manual_seed(0)\nlayers = nn.ModuleDict({'up': nn.Linear(2, 4)})\nlayers['up'](torch.ones(2))",
     construct_dict, forward_missing, no_settings},
    {"ParameterList", "torch.nn.modules.container.ParameterList", "(values: any? = None)", "A list of parameters.",
     "scales = nn.ParameterList([nn.Parameter(torch.ones(2)) for _ in range(3)])\nlen(scales)", construct_list,
     forward_parameters, parameter_list_settings},
};

}  // namespace

bool container_attribute(const Ref<Layer>& layer, const std::string& name, Value& out) {
  for (const ContainerMethod& row : kContainerMethods) {
    if (row.method.name != name || !belongs(row, *layer)) continue;
    return out = bound_method(layer, row.method, layer->info->name), true;
  }
  return false;
}

std::vector<std::string> container_attribute_names(const Layer& layer) {
  std::vector<std::string> names;
  for (const ContainerMethod& row : kContainerMethods) {
    if (belongs(row, layer)) names.emplace_back(row.method.name);
  }
  return names;
}

std::span<const LayerInfo> container_layers() { return kContainerLayers; }

}  // namespace attn
