#include "torch/gradient.h"

#include <algorithm>

#include "python/type.h"

namespace attn {

const Type GradNode::kType = {.name = "grad_fn"};

void GradNode::clear() {
  values.clear();
  results.clear();
  saved.clear();
  edges.clear();
  retained.clear();
  kept = {};
}

GradNode* history_of(const TensorObject& tensor) { return static_cast<GradNode*>(tensor.history.get()); }

bool retains_grad(const TensorObject& tensor) {
  const GradNode* node = history_of(tensor);
  return node && (tensor.grad || std::any_of(node->retained.begin(), node->retained.end(),
                                             [&](const auto& each) { return each.second.get() == &tensor; }));
}

bool holds_tensors(const Value& value) {
  const std::vector<Value>* items = items_of(value);
  return value.as<TensorObject>() ||
         (items && std::any_of(items->begin(), items->end(), [](const Value& one) { return one.as<TensorObject>(); }));
}

namespace {

Ref<TensorObject> without_history(const TensorObject& tensor) {
  Ref<TensorObject> out = make<TensorObject>(tensor.tensor);
  out->axes = tensor.axes;
  return out;
}

/// Fills a node with the operands and results of a call.
class NodeMaker {
 public:
  NodeMaker(GradNode& node, const OpCall& call) : node_(node), call_(call) {}

  void add_operands() {
    for (std::size_t i = 0; i < node_.parameters->size(); ++i) {
      const Value& value = call_.value((*node_.parameters)[i].name);
      node_.values.push_back(saved(value, i, -1));
    }
  }
  Value saved_result(const TensorObject& tensor) { return kept(tensor); }

 private:
  Value saved(const Value& value, std::size_t parameter, std::int64_t item) {
    if (TensorObject* tensor = value.as<TensorObject>()) return saved_tensor(*tensor, parameter, item);
    const std::vector<Value>* items = items_of(value);
    if (!holds_tensors(value)) return value;
    std::vector<Value> out;
    for (std::size_t i = 0; i < items->size(); ++i)
      out.push_back(saved((*items)[i], parameter, static_cast<std::int64_t>(i)));
    return value.as<Tuple>() ? make_tuple(std::move(out)) : make_list(std::move(out));
  }

  Value saved_tensor(TensorObject& tensor, std::size_t parameter, std::int64_t item) {
    const bool is_written = (call_.info().flags & kInPlace) && &tensor == call_.inputs().front();
    const bool is_target = is_written && parameter == 0;
    const Shape& shape = is_target ? call_.before().shape() : tensor.tensor.shape();
    if (tensor.requires_grad) {
      // unsqueeze_() and its like leave other axes than they were given.
      node_.edges.push_back({parameter, item, shape, tensor.tensor.dtype(),
                             shape == tensor.tensor.shape() ? tensor.axes : Axes(shape.size()),
                             Ref<GradNode>(history_of(tensor)), tensor.output,
                             tensor.history ? Ref<TensorObject>() : Ref<TensorObject>(&tensor)});
    }
    if (is_target) return Value(make<TensorObject>(call_.before()));
    return kept(tensor, is_written ? 1 : 0);
  }

  /// `writes`: since it was read. Of x.mul_(x) the second x no longer holds what a gradient needs.
  Value kept(const TensorObject& tensor, std::int64_t writes = 0) {
    Ref<TensorObject> copy = without_history(tensor);
    node_.saved.push_back({copy, tensor.tensor.storage().version - writes});
    return copy;
  }

  GradNode& node_;
  const OpCall& call_;
};

// Whether the numbers are those of the tensor's own history: not so when another view wrote a gradient's tensor there.
bool is_current(const TensorObject& tensor) {
  const std::uint64_t written = tensor.tensor.storage().graph_write;
  const GradNode* node = history_of(tensor);
  constexpr int kMostViews = 64;
  for (int views = 0; written != 0 && node && node->number != written && views < kMostViews; ++views)
    node = node->edges.empty() ? nullptr : node->edges.front().node.get();
  return written == 0 || (node && node->number == written);
}

}  // namespace

void adopt_numbers(const TensorObject& tensor) {
  const Storage& storage = tensor.tensor.storage();
  for (GradNode* node = history_of(tensor); node;
       node = node->edges.empty() ? nullptr : node->edges.front().node.get()) {
    bool is_made_of_it = false;
    for (GradNode::Saved& saved : node->saved) {
      if (saved.tensor->tensor.storage().id != storage.id) continue;
      saved.version = storage.version;
      is_made_of_it = true;
    }
    if (!is_made_of_it) return;
  }
}

void record_history(const OpCall& call, const std::vector<TensorObject*>& outputs) {
  const bool is_composite = call.info().element == ElementRule::Composite;
  if (is_composite && std::all_of(outputs.begin(), outputs.end(),
                                  [](const TensorObject* output) { return output->history || !output->requires_grad; }))
    return;
  thread_local std::uint64_t count = 0;
  Ref<GradNode> node = make<GradNode>();
  node->op = call.info().pure ? call.info().pure : &call.info();
  node->parameters = &call.parameters();
  node->name = call.grad_fn();
  node->number = ++count;
  node->kept = call.kept();
  const auto& inputs = call.inputs();
  const auto first = inputs.begin() + (call.writes_own_view() ? 1 : 0);
  node->is_overwritten =
      std::any_of(first, inputs.end(), [](const TensorObject* input) { return !is_current(*input); });
  NodeMaker maker(*node, call);
  maker.add_operands();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    node->results.push_back(maker.saved_result(*outputs[i]));
    if (!outputs[i]->requires_grad) continue;
    outputs[i]->history = Ref<Object>(node);
    outputs[i]->output = i;
  }
  if (call.info().flags & kInPlace) outputs.front()->tensor.note_graph_write(node->number);
}

}  // namespace attn
