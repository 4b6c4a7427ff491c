// state_dict() and load_state_dict().
#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "base/text.h"
#include "python/class.h"
#include "python/object_builtins.h"
#include "tensor/ops/pointwise.h"
#include "torch/nn/layer_call.h"
#include "torch/nn/layer_methods.h"

namespace attn {
namespace {

bool is_saved(const LayerMember& member) {
  return (member.role == Role::Parameter || member.role == Role::Buffer) && member.value.as<TensorObject>();
}

// Parameters first, then buffers, as PyTorch keeps them in two dicts.
std::vector<const LayerMember*> saved_members(const Layer& layer) {
  std::vector<const LayerMember*> out;
  for (const Role role : {Role::Parameter, Role::Buffer}) {
    for (const LayerMember& member : layer.attributes) {
      if (member.role == role && is_saved(member)) out.push_back(&member);
    }
  }
  return out;
}

// The tensor shares its elements with the parameter but is none itself.
Value detached(const TensorObject& original) {
  Ref<TensorObject> tensor = make<TensorObject>(original.tensor);
  tensor->axes = original.axes;
  return tensor;
}

void add_state(const Layer& layer, const std::string& prefix, bool keep_vars, Dict& out) {
  check_stack();
  for (const LayerMember* member : saved_members(layer)) {
    out.set(make_str(prefix + member->name), keep_vars ? member->value : detached(*member->value.as<TensorObject>()));
  }
  for (const LayerMember& member : layer.attributes) {
    if (member.role == Role::Child && member.value.as<Layer>())
      add_state(*member.value.as<Layer>(), prefix + member.name + ".", keep_vars, out);
  }
}

/// What load_state_dict() finds wrong on its way.
struct Findings {
  std::vector<std::string> missing, unexpected, errors;
};

void load_tensor(TensorObject& target, const std::string& key, const Value& given, Findings& findings) {
  const TensorObject* source = given.as<TensorObject>();
  if (!source) {
    findings.errors.push_back(
        fmt::format("While copying the parameter named \"{}\", expected torch.Tensor or Tensor-like object from "
                    "checkpoint but received <class '{}'>",
                    key, class_path(given)));
  } else if (source->tensor.shape() != target.tensor.shape()) {
    findings.errors.push_back(fmt::format(
        "size mismatch for {}: copying a param with shape {} from checkpoint, the shape in current model is {}.", key,
        size_text(source->tensor.shape()), size_text(target.tensor.shape())));
  } else {
    assign(target.tensor, to(source->tensor, target.tensor.dtype()));
  }
}

// Keys below the prefix whose first name the layer does not know.
void find_unexpected(const Layer& layer, const Dict& state, const std::string& prefix, Findings& findings) {
  for (const auto& [key, value] : state.items) {
    const std::string name = str(key);
    if (!name.starts_with(prefix)) continue;
    const std::string rest = name.substr(prefix.size());
    const LayerMember* member = layer.member(rest.substr(0, rest.find('.')));
    if (!member || !(member->role == Role::Child || is_saved(*member))) findings.unexpected.push_back(name);
  }
}

void load_into(const Layer& layer, const Dict& state, const std::string& prefix, Findings& findings) {
  check_stack();
  for (const LayerMember* member : saved_members(layer)) {
    const std::string key = prefix + member->name;
    const Value* given = state.find(make_str(key));
    if (given) load_tensor(*member->value.as<TensorObject>(), key, *given, findings);
    if (!given) findings.missing.push_back(key);
  }
  find_unexpected(layer, state, prefix, findings);
  for (const LayerMember& member : layer.attributes) {
    if (member.role != Role::Child || !member.value.as<Layer>()) continue;
    const std::string inner = prefix + member.name + ".";
    Ref<Dict> part = make<Dict>();
    for (const auto& [key, value] : state.items) {
      if (str(key).starts_with(inner)) part->set(key, value);
    }
    load_into(*member.value.as<Layer>(), *part, inner, findings);
  }
}

std::string quoted_keys(const std::vector<std::string>& keys) {
  std::vector<std::string> out;
  for (const std::string& key : keys) out.push_back('"' + key + '"');
  return join(out, ", ");
}

Value list_of(const std::vector<std::string>& names) {
  std::vector<Value> items;
  for (const std::string& name : names) items.push_back(make_str(name));
  return make_list(std::move(items));
}

}  // namespace

Value state_dict(LayerCall& call) {
  Ref<Dict> out = call.arguments[0].ref<Dict>();
  if (!out) out = make<Dict>();
  out->type_name = "OrderedDict";
  add_state(*call.layer, call.text(1), truthy(call.arguments[2]), *out);
  return out;
}

Value load_state_dict(LayerCall& call) {
  call.require_effects();
  const Dict* state = call.arguments[0].as<Dict>();
  if (!state) {
    call.fail(Code::Type,
              fmt::format("Expected state_dict to be dict-like, got <class '{}'>.", class_path(call.arguments[0])));
  }
  Findings findings;
  load_into(*call.layer, *state, "", findings);
  if (truthy(call.arguments[1])) {
    auto& errors = findings.errors;
    if (!findings.unexpected.empty())
      errors.insert(errors.begin(),
                    fmt::format("Unexpected key(s) in state_dict: {}. ", quoted_keys(findings.unexpected)));
    if (!findings.missing.empty())
      errors.insert(errors.begin(), fmt::format("Missing key(s) in state_dict: {}. ", quoted_keys(findings.missing)));
  }
  if (!findings.errors.empty()) {
    call.fail(Code::Runtime, fmt::format("Error(s) in loading state_dict for {}:\n\t{}", layer_name(*call.layer),
                                         join(findings.errors, "\n\t")));
  }
  Ref<Tuple> report = make<Tuple>(std::vector<Value>{list_of(findings.missing), list_of(findings.unexpected)});
  report->type_name = "_IncompatibleKeys";
  report->fields = {"missing_keys", "unexpected_keys"};
  return report;
}

}  // namespace attn
