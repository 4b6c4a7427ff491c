// What Python keeps in the __dict__ of a layer, as dicts: layer.__dict__, vars(layer), layer._forward_hooks, ... They
// are copies; what is written into them or taken out again reaches the layer by way of a LayerDict.
#include <algorithm>
#include <array>
#include <utility>

#include "python/interpreter.h"
#include "python/type.h"
#include "text/unsupported.h"
#include "torch/nn/layer_call.h"

namespace attn {
namespace {

/// The owner of such a dict: told of every change.
struct LayerDict : Object {
  static const Type kType;
  LayerDict(Ref<Layer> of, bool hooks) : Object(kType), layer(std::move(of)), holds_hooks(hooks) {}
  void clear() override { layer = {}; }
  Ref<Layer> layer;
  bool holds_hooks;
};

// In Python a parameter or a layer that is put there is not registered; here it would be.
bool set_entry(Interpreter& interpreter, const Value& self, const std::string& name, const Value& value, Span span) {
  LayerDict& dict = *self.as<LayerDict>();
  if (dict.holds_hooks || name.starts_with('_') || value.as<Layer>() || is_parameter(value))
    throw unsupported(span, "unsupported.layer.dict");
  require_change(interpreter, *dict.layer, span);
  dict.layer->set(name, value);
  return true;
}

bool delete_entry(Interpreter& interpreter, const Value& self, const std::string& name, Span span) {
  LayerDict& dict = *self.as<LayerDict>();
  require_change(interpreter, *dict.layer, span);
  if (!dict.holds_hooks) return dict.layer->erase(name);
  Dict& hooks = *dict.layer->hooks.as<Dict>();
  for (const auto& [number, hook] : hooks.items.all())
    if (repr(number) == name) return hooks.erase(number);
  return false;
}

const Type LayerDict::kType = {.name = "dict", .set_attribute = set_entry, .delete_attribute = delete_entry};

// The hooks of one kind, by number. A hook of the way back is two, of which each knows it ("before", function, hook).
Value hooks_by_number(const Ref<Layer>& layer, std::string_view when, bool are_backward) {
  Ref<Dict> dict = make<Dict>();
  dict->type_name = "OrderedDict";
  if (const Dict* hooks = layer->hooks.as<Dict>()) {
    for (const auto& [number, hook] : hooks->items) {
      const std::vector<Value>& parts = hook.as<Tuple>()->items;
      if (str(parts[0]) == when && (parts.size() == 3) == are_backward) dict->set(number, parts.back());
    }
  }
  dict->mirrored = make<LayerDict>(layer, true);
  return dict;
}

Value empty_table() {
  Ref<Dict> dict = make<Dict>();
  dict->type_name = "OrderedDict";
  return dict;
}

}  // namespace

bool layer_table(const Ref<Layer>& layer, std::string_view name, Value& out) {
  if (name == "_forward_hooks") return out = hooks_by_number(layer, "after", false), true;
  if (name == "_forward_pre_hooks") return out = hooks_by_number(layer, "before", false), true;
  if (name == "_backward_hooks") return out = hooks_by_number(layer, "before", true), true;
  if (name == "_state_dict_hooks" || name == "_load_state_dict_pre_hooks" || name == "_load_state_dict_post_hooks")
    return out = empty_table(), true;
  if (name == "_is_full_backward_hook") {
    const Value backward = hooks_by_number(layer, "before", true);
    return out = backward.as<Dict>()->items.empty() ? Value() : Value(true), true;
  }
  if (name != "_non_persistent_buffers_set") return false;
  Ref<Set> names = make<Set>();
  for (const LayerMember& member : layer->attributes)
    if (member.role == Role::TransientBuffer) names->add(make_str(member.name));
  return out = names, true;
}

Value layer_dict(Interpreter& interpreter, const Ref<Layer>& layer) {
  // In the order in which Module.__init__ makes them.
  constexpr std::string_view kNames[] = {"training",
                                         "_parameters",
                                         "_buffers",
                                         "_non_persistent_buffers_set",
                                         "_backward_hooks",
                                         "_is_full_backward_hook",
                                         "_forward_hooks",
                                         "_forward_pre_hooks",
                                         "_state_dict_hooks",
                                         "_load_state_dict_pre_hooks",
                                         "_load_state_dict_post_hooks",
                                         "_modules"};
  Ref<Dict> dict = make<Dict>();
  for (const std::string_view name : kNames) {
    Value value;
    layer_attribute(interpreter, layer, std::string(name), value);
    dict->set(make_str(std::string(name)), value);
  }
  for (const LayerMember& member : layer->attributes)
    if (member.role == Role::Setting) dict->set(make_str(member.name), member.value);
  dict->mirrored = make<LayerDict>(layer, false);
  return dict;
}

}  // namespace attn
