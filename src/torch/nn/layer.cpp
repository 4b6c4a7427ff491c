// A layer as an object: what is inside, and in which order it is listed.
#include "torch/nn/layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/text.h"
#include "python/class.h"
#include "python/exceptions.h"
#include "text/say.h"

namespace attn {

// ---- the object ----

void Layer::clear() {
  attributes.clear();
  type = hooks = Value();
}

const LayerMember* Layer::member(std::string_view name) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(), [&](const auto& m) { return m.name == name; });
  return found == attributes.end() ? nullptr : &*found;
}

const Value* Layer::find(std::string_view name) const {
  const LayerMember* found = member(name);
  return found ? &found->value : nullptr;
}

bool Layer::erase(std::string_view name) {
  return std::erase_if(attributes, [&](const LayerMember& m) { return m.name == name; }) > 0;
}

void Layer::add(std::string_view name, Value value, Role role) {
  charge(static_cast<std::int64_t>(attributes.size()));
  const auto found = std::find_if(attributes.begin(), attributes.end(), [&](const auto& m) { return m.name == name; });
  const auto is_buffer = [](Role r) { return r == Role::Buffer || r == Role::TransientBuffer; };
  if (found != attributes.end() && (found->role == role || (is_buffer(found->role) && is_buffer(role)))) {
    found->value = std::move(value);
    found->role = role;
    return;
  }
  if (found != attributes.end()) attributes.erase(found);
  attributes.push_back({std::string(name), std::move(value), role});
}

bool is_parameter(const Value& value) { return value.as<TensorObject>() && value.as<TensorObject>()->is_parameter; }

std::int64_t Layer::integer(std::string_view name) const {
  const Value* value = find(name);
  return value ? as_index(*value).value_or(0) : 0;
}

bool Layer::flag(std::string_view name) const {
  const Value* value = find(name);
  return value && truthy(*value);
}

// ---- the table ----

const LayerInfo* find_layer(std::string_view name) {
  for (const LayerInfo& info : all_layers()) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

// ---- what is inside ----

NamedLayers children_of(const Layer& layer) {
  NamedLayers out;
  std::unordered_set<const Layer*> seen;
  for (const auto& [name, value, role] : layer.attributes) {
    if (role == Role::Child && value.as<Layer>() && seen.insert(value.as<Layer>()).second)
      out.emplace_back(name, value.ref<Layer>());
  }
  return out;
}

namespace {

// "encoder.0" of "encoder" and "0".
std::string dotted(const std::string& prefix, const std::string& name) {
  return prefix.empty() ? name : fmt::format("{}.{}", prefix, name);
}

// Python's. The names of all layers of a chain take memory with the square of its length.
constexpr int kDeepest = 1000;

void add_modules(const Layer& layer, const std::string& prefix, std::unordered_set<const Layer*>& seen,
                 NamedLayers& out, int depth = 0) {
  check_stack();
  if (depth > kDeepest) throw python_error("RecursionError", {}, "maximum recursion depth exceeded");
  if (!seen.insert(&layer).second) return;
  out.emplace_back(prefix, Ref<Layer>(const_cast<Layer*>(&layer)));
  for (const auto& [name, value, role] : layer.attributes) {
    if (role != Role::Child || !value.as<Layer>()) continue;
    add_modules(*value.as<Layer>(), dotted(prefix, name), seen, out, depth + 1);
  }
}

template <class Wanted>
NamedTensors tensors_of(const Layer& layer, const std::string& prefix, bool recurse, Wanted wanted) {
  NamedLayers modules = recurse ? modules_of(layer, prefix) : NamedLayers();
  if (!recurse) modules.emplace_back(prefix, Ref<Layer>(const_cast<Layer*>(&layer)));
  NamedTensors out;
  std::unordered_set<const Object*> seen;
  for (const auto& [path, module] : modules) {
    for (const auto& [name, value, role] : module->attributes) {
      if (!wanted(role) || !value.template as<TensorObject>() || !seen.insert(value.object()).second) continue;
      out.emplace_back(dotted(path, name), value.template ref<TensorObject>());
    }
  }
  return out;
}

}  // namespace

NamedLayers modules_of(const Layer& layer, const std::string& prefix) {
  NamedLayers out;
  std::unordered_set<const Layer*> seen;
  add_modules(layer, prefix, seen, out);
  return out;
}

NamedTensors parameters_of(const Layer& layer, const std::string& prefix, bool recurse) {
  return tensors_of(layer, prefix, recurse, [](Role role) { return role == Role::Parameter; });
}

NamedTensors buffers_of(const Layer& layer, const std::string& prefix, bool recurse) {
  return tensors_of(layer, prefix, recurse,
                    [](Role role) { return role == Role::Buffer || role == Role::TransientBuffer; });
}

// ---- names and texts ----

std::string layer_name(const Layer& layer) {
  const ClassObject* own = layer.type.as<ClassObject>();
  return own ? own->name : std::string(layer.info->name);
}

}  // namespace attn
