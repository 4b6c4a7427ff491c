#include "engine/load_weights.h"

#include <algorithm>

#include "base/files.h"
#include "tensor/ops/pointwise.h"
#include "torch/nn/layer.h"

namespace attn {
namespace {

struct OwnParameter {
  std::string name;
  Ref<TensorObject> tensor;
  bool is_buffer = false;
};

void collect(const std::string& name, const Value& value, std::vector<OwnParameter>& out) {
  if (const Layer* layer = value.as<Layer>()) {
    for (auto& [below, tensor] : parameters_of(*layer, name)) out.push_back({below, tensor, false});
    for (auto& [below, tensor] : buffers_of(*layer, name)) out.push_back({below, tensor, true});
  } else if (is_parameter(value)) {
    out.push_back({name, value.ref<TensorObject>(), false});
  }
}

// Lists of numbers may be long: no name is made for those.
bool may_hold_parameters(const Value& value) { return value.as<Layer>() || is_parameter(value); }

void collect_items(const std::string& name, const std::vector<Value>& items, std::vector<OwnParameter>& out) {
  for (std::size_t i = 0; i < items.size(); ++i)
    if (may_hold_parameters(items[i])) collect(name + "." + std::to_string(i), items[i], out);
}

/// The parameters in a value by the names that it gives them.
std::vector<OwnParameter> parameters_in(const std::string& name, const Value& value) {
  std::vector<OwnParameter> out;
  if (const List* list = value.as<List>()) {
    collect_items(name, list->items, out);
  } else if (const Tuple* tuple = value.as<Tuple>()) {
    collect_items(name, tuple->items, out);
  } else if (const Dict* dict = value.as<Dict>()) {
    for (const auto& [key, item] : dict->items)
      if (may_hold_parameters(item)) collect(name + "." + str(key), item, out);
  } else {
    collect(name, value, out);
  }
  return out;
}

}  // namespace

void WeightsLoader::load_into(const std::string& name, const Ref<TensorObject>& target, std::vector<Loaded>& out) {
  const Weights::Entry& entry = *weights_->find(name);
  const Tensor stored = weights_->read(entry);
  Tensor& tensor = target->tensor;
  used_.insert(&entry);
  if (stored.shape() != tensor.shape() || is_floating(stored.dtype()) != is_floating(tensor.dtype())) {
    misfits_.push_back({name, tensor.shape(), tensor.dtype(), weights_->text(entry), stored.shape(), stored.dtype()});
    return;
  }
  assign(tensor, to(stored, tensor.dtype()));
  LoadedTensor loaded{name, weights_->name_of(entry), entry.part, -1, -1};
  // PyTorch warns of .T where there are not two axes.
  while (tensor.dim() < 2 && loaded.part.ends_with(".T")) loaded.part.resize(loaded.part.size() - 2);
  out.push_back({std::move(loaded), target});
}

std::vector<WeightsLoader::Loaded> WeightsLoader::load(const std::string& name, const Value& value) {
  std::vector<Loaded> out;
  for (const OwnParameter& parameter : parameters_in(name, value)) {
    if (weights_->find(parameter.name)) load_into(parameter.name, parameter.tensor, out);
    else if (!parameter.is_buffer && std::find(missing_.begin(), missing_.end(), parameter.name) == missing_.end())
      missing_.push_back(parameter.name);
  }
  return out;
}

LoadedWeights WeightsLoader::report() const {
  const Weights::Digest digest = weights_->digest(used_);
  return {digest.digits, digest.is_whole, {}, missing_, weights_->unused(used_)};
}

void WeightsRun::fill(const std::string& name, const Value& value) {
  try {
    for (auto& [tensor, handle] : loader_.load(name, value)) {
      tensor.step = recorder_.open_step();
      tensor.value = recorder_.record(handle);
      loaded_.push_back(std::move(tensor));
    }
  } catch (const FileError&) {
    unreadable_ = std::current_exception();
  }
}

LoadedWeights WeightsRun::report() const {
  if (unreadable_) std::rethrow_exception(unreadable_);
  LoadedWeights report = loader_.report();
  report.loaded = loaded_;
  return report;
}

}  // namespace attn
