// A layer as an object: what its attributes are registered as, in which order they are listed, how it prints.
#include "torch/nn/layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/text.h"
#include "python/class.h"
#include "text/say.h"
#include "torch/nn/layer_call.h"

namespace attn {

// ---- the object ----

void Layer::clear() {
  attributes.clear();
  type = Value();
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
  const auto found = std::find_if(attributes.begin(), attributes.end(), [&](const auto& m) { return m.name == name; });
  const auto is_buffer = [](Role r) { return r == Role::Buffer || r == Role::TransientBuffer; };
  if (found != attributes.end() && (found->role == role || (is_buffer(found->role) && is_buffer(role)))) {
    found->value = std::move(value);
    found->role = role;
    return;
  }
  erase(name);
  attributes.push_back({std::string(name), std::move(value), role});
}

bool is_parameter(const Value& value) { return value.as<TensorObject>() && value.as<TensorObject>()->is_parameter; }

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

[[noreturn]] void refuse_member(const Value& value, const LayerMember& held) {
  const Rule& rule =
      *std::find_if(std::begin(kRules), std::end(kRules), [&](const Rule& r) { return r.role == held.role; });
  throw CellError(Code::Type, {},
                  fmt::format("cannot assign '{}' as {} '{}' ({} expected)", torch_type_name(value), rule.kind,
                              held.name, rule.expected),
                  held.role == Role::Parameter ? say("mistake.parameter", {{"name", held.name}}) : "");
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

void add_modules(const Layer& layer, const std::string& prefix, std::unordered_set<const Layer*>& seen,
                 NamedLayers& out) {
  check_stack();
  if (!seen.insert(&layer).second) return;
  out.emplace_back(prefix, Ref<Layer>(const_cast<Layer*>(&layer)));
  for (const auto& [name, value, role] : layer.attributes) {
    if (role != Role::Child || !value.as<Layer>()) continue;
    add_modules(*value.as<Layer>(), dotted(prefix, name), seen, out);
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

namespace {

std::string indented(const std::string& text) {
  charge(static_cast<std::int64_t>(text.size()));
  std::string out;
  for (const char c : text) out += c == '\n' ? std::string("\n  ") : std::string(1, c);
  return out;
}

}  // namespace

std::string layer_repr(const Layer& layer) {
  check_stack();
  const Value self = Ref<Layer>(const_cast<Layer*>(&layer));
  if (Value own; call_special(self, "__repr__", {}, own)) return str(own);
  return plain_layer_repr(layer);
}

std::string plain_layer_repr(const Layer& layer) {
  Value own;
  const Value self = Ref<Layer>(const_cast<Layer*>(&layer));
  const std::string extra = call_special(self, "extra_repr", {}, own) ? str(own) : plain_settings(layer);
  std::vector<std::string> lines;
  for (const std::string_view line : split_lines(extra)) lines.emplace_back(line);
  const bool is_one_line = lines.size() == 1;
  bool has_children = false;
  for (const auto& [name, value, role] : layer.attributes) {
    if (role != Role::Child) continue;
    has_children = true;
    lines.push_back("(" + name + "): " + indented(repr(value)));
  }
  if (lines.empty()) return layer_name(layer) + "()";
  if (is_one_line && !has_children) return layer_name(layer) + "(" + lines[0] + ")";
  return layer_name(layer) + "(\n  " + join(lines, "\n  ") + "\n)";
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

}  // namespace attn
