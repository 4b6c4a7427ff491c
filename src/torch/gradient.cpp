#include "torch/gradient.h"

#include <algorithm>

#include "python/natives.h"
#include "python/type.h"
#include "tensor/core/error.h"
#include "text/unsupported.h"

namespace attn {

const Type GradNode::kType = {
    .name = "grad_fn",
    .name_of = [](const Value& self) { return self.as<GradNode>()->name; },
    .repr = [](const Value& self) { return "<" + self.as<GradNode>()->name + ">"; },
    .attribute = [](Interpreter&, const Value& self, const std::string& asked, Span, Span span, Value& out) -> bool {
      if (asked != "name") throw unsupported(span, "unsupported.gradient.graph", {{"name", asked}});
      out = make<Builtin>(asked,
                          [text = self.as<GradNode>()->name](Interpreter&, CallArguments&) { return make_str(text); });
      return true;
    },
};

void GradNode::clear() {
  values.clear();
  results.clear();
  saved.clear();
  edges.clear();
  retained.clear();
  hooks.clear();
  kept = {};
}

GradNode* history_of(const TensorObject& tensor) { return static_cast<GradNode*>(tensor.history.get()); }

void set_requires_grad(TensorObject& tensor, bool wanted) {
  if (wanted && !is_floating(tensor.tensor.dtype())) {
    throw TensorError("requires_grad.type", Code::Runtime, "RuntimeError",
                      "only Tensors of floating point dtype can require gradients");
  }
  if (!wanted && !tensor.grad_fn.empty()) {
    throw TensorError("requires_grad.leaf", Code::Runtime, "RuntimeError",
                      "you can only change requires_grad flags of leaf variables. If you want to use a computed "
                      "variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach().");
  }
  tensor.requires_grad = wanted;
}

namespace {

bool retains(const GradNode& node, const TensorObject& tensor) {
  return std::any_of(node.retained.begin(), node.retained.end(),
                     [&](const GradNode::Retained& each) { return each.tensor.get() == &tensor; });
}

/// The node that leaves the tensor a gradient: that of its history, or of what it was before writes into views of it.
GradNode* keeper_of(const TensorObject& tensor) {
  GradNode* node = history_of(tensor);
  while (node && !retains(*node, tensor))
    node = node->name == "CopySlices" && node->has_keeper_before ? node->edges.front().node.get() : nullptr;
  return node;
}

}  // namespace

bool retains_grad(const TensorObject& tensor) { return tensor.history && (tensor.grad || keeper_of(tensor)); }

void retain_grad(TensorObject& tensor) {
  renew_history(tensor);
  GradNode* node = history_of(tensor);
  if (!node || retains_grad(tensor)) return;
  const bool comes_first = std::none_of(node->hooks.begin(), node->hooks.end(),
                                        [&](const auto& each) { return each.first == tensor.output; });
  node->retained.push_back({tensor.output, Ref<TensorObject>(&tensor), comes_first});
}

const Value& hooks_of(TensorObject& tensor) {
  renew_history(tensor);
  if (!tensor.hooks.is_none()) return tensor.hooks;
  tensor.hooks = make<Dict>();
  if (GradNode* node = history_of(tensor)) node->hooks.emplace_back(tensor.output, tensor.hooks);
  return tensor.hooks;
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
    const bool is_written =
        (call_.info().flags & kInPlace) && tensor.tensor.shares_storage(call_.inputs().front()->tensor);
    const bool is_target = &tensor == call_.inputs().front() && is_written && parameter == 0;
    const Shape& shape = is_target ? call_.before().shape() : tensor.tensor.shape();
    const bool is_new = is_target && !tensor.history;  // it wants a gradient from this call on
    if (tensor.requires_grad && !is_new) {
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
    node_.saved.push_back({copy, tensor.tensor.seen_writes() - writes, false, {}});
    return copy;
  }

  GradNode& node_;
  const OpCall& call_;
};

// Whether its history is that of the numbers: not so when they were written to by way of another tensor.
bool is_current(const TensorObject& tensor) { return tensor.graph_write == tensor.tensor.storage().graph_write; }

bool has_known_base(const TensorObject& view) {
  const TensorObject* base = view.base.get();
  return base && base->tensor.shares_storage(view.tensor) && base->tensor.is_contiguous() && is_current(*base);
}

std::uint64_t next_number() {
  thread_local std::uint64_t count = 0;
  return ++count;
}

Value sizes(const Shape& shape) {
  std::vector<Value> out(shape.begin(), shape.end());
  return make_tuple(std::move(out));
}

// Where the elements of a view are among those of its base, which is contiguous: the values of as_strided.
std::vector<Value> places(const TensorObject& base, const Tensor& view) {
  return {Value(), sizes(view.shape()), sizes(view.strides()), Value(view.offset() - base.tensor.offset())};
}

GradNode::Edge edge_to(TensorObject& tensor, std::size_t parameter) {
  return {parameter,
          -1,
          tensor.tensor.shape(),
          tensor.tensor.dtype(),
          tensor.axes,
          Ref<GradNode>(history_of(tensor)),
          tensor.output,
          tensor.history ? Ref<TensorObject>() : Ref<TensorObject>(&tensor)};
}

// A step that no op made.
Ref<GradNode> make_node(const OpInfo& op, std::string name, std::vector<Value> values,
                        std::vector<GradNode::Edge> edges, std::size_t results) {
  Ref<GradNode> node = make<GradNode>();
  node->op = &op;
  node->parameters = &parameters_of(op);
  node->name = std::move(name);
  node->values = std::move(values);
  node->results.resize(results);
  node->edges = std::move(edges);
  node->number = next_number();
  return node;
}

void attach(TensorObject& tensor, const Ref<GradNode>& node, std::size_t output) {
  const GradNode* const former = history_of(tensor);
  if (former && (former->has_keeper_before || !former->retained.empty())) node->has_keeper_before = true;
  tensor.requires_grad = true;
  tensor.grad_fn = node->name;
  tensor.history = node;
  tensor.output = output;
}

// What is written in place goes on to retain its gradient.
void set_result(TensorObject& tensor, const Ref<GradNode>& node, std::size_t output) {
  if (GradNode* keeper = keeper_of(tensor)) {
    std::erase_if(keeper->retained, [&](const GradNode::Retained& each) { return each.tensor.get() == &tensor; });
    node->retained.push_back({output, Ref<TensorObject>(&tensor), true});
  }
  attach(tensor, node, output);
}

void set_history(TensorObject& tensor, const OpInfo& op, std::string name, std::vector<Value> values,
                 std::vector<GradNode::Edge> edges) {
  set_result(tensor, make_node(op, std::move(name), std::move(values), std::move(edges), 1), 0);
}

// A view was written to: its base is what it was, but for the elements of the view. False: that cannot be said.
bool write_into_base(TensorObject& view) {
  static const OpInfo kCopySlices("op.copy_slices",
                                  "(input: Tensor, size: shape, stride: shape, storage_offset: int, view: Tensor)",
                                  "A tensor after a write into a view of it.", "", nullptr, OpFacts{});
  if (!has_known_base(view)) return false;
  TensorObject& base = *view.base;
  std::vector<GradNode::Edge> edges;
  if (base.requires_grad) edges.push_back(edge_to(base, 0));
  edges.push_back(edge_to(view, 4));
  std::vector<Value> values = places(base, view.tensor);
  values.emplace_back();
  attach(base, make_node(kCopySlices, "CopySlices", std::move(values), std::move(edges), 1), 0);
  return true;
}

void follow_base(TensorObject& view) {
  TensorObject& base = *view.base;
  set_history(view, *find_op("torch.as_strided"), "AsStridedBackward0", places(base, view.tensor), {edge_to(base, 0)});
  view.graph_write = base.graph_write;
}

bool is_same_view(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && a.strides() == b.strides() && a.offset() == b.offset();
}

void note_write(TensorObject& target) {
  const bool is_known = is_current(target), is_in_base = write_into_base(target);
  const std::uint64_t number = next_number();
  target.tensor.note_graph_write(number);
  if (is_in_base) target.base->graph_write = number;
  // A view has its history from its base when it is used next; where nobody else holds that, its own is as good.
  const bool follows = is_in_base && target.base->references() > 1;
  if (is_known && !follows) target.graph_write = number;
  if (follows && !history_of(target)->retained.empty()) renew_history(target);
}

}  // namespace

void renew_history(TensorObject& tensor) {
  if (!is_current(tensor) && has_known_base(tensor)) follow_base(tensor);
}

std::vector<Value> with_history(const std::string& name, const Value& kept, const std::vector<Value>& inputs,
                                const std::vector<Value>& outputs, const std::vector<Value>& changes) {
  static const OpInfo kFunction("op.function", "(args: any)", "A function of the program with a way back of its own.",
                                "", nullptr, OpFacts{});
  std::vector<GradNode::Edge> edges;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    TensorObject* input = inputs[i].as<TensorObject>();
    if (!input || !input->requires_grad) continue;
    edges.push_back(edge_to(*input, 0));
    edges.back().item = static_cast<std::int64_t>(i);
  }
  const Ref<GradNode> node = make_node(kFunction, name, {Value()}, std::move(edges), outputs.size());
  node->kept = kept;
  std::vector<Value> made = outputs;
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (!truthy(changes[i])) continue;
    // One that was given is not the one that comes back.
    const bool is_given = std::any_of(inputs.begin(), inputs.end(),
                                      [&](const Value& input) { return input.object() == made[i].object(); });
    if (is_given) made[i] = without_history(*made[i].as<TensorObject>());
    set_result(*made[i].as<TensorObject>(), node, i);
  }
  return made;
}

void adopt_numbers(const TensorObject& tensor) {
  const std::int64_t id = tensor.tensor.storage().id;
  for (GradNode* node = history_of(tensor); node;
       node = node->edges.empty() ? nullptr : node->edges.front().node.get()) {
    bool is_made_of_it = false;
    for (GradNode::Saved& saved : node->saved) {
      if (saved.tensor->tensor.storage().id != id) continue;
      saved.version = saved.tensor->tensor.seen_writes();
      is_made_of_it = true;
    }
    if (!is_made_of_it && !node->saved.empty()) return;
  }
}

Tensor like_without_numbers(const Tensor& x) {
  const Shape none(static_cast<std::size_t>(x.dim()), 0);
  return Tensor::empty({1}, x.dtype()).as_strided(x.shape(), none, 0);
}

Ref<GradNode> record_history(const OpCall& call, const std::vector<TensorObject*>& outputs) {
  const bool is_composite = call.info().element == ElementRule::Composite;
  if (is_composite && std::all_of(outputs.begin(), outputs.end(),
                                  [](const TensorObject* output) { return output->history || !output->requires_grad; }))
    return nullptr;
  Ref<GradNode> node = make<GradNode>();
  node->op = call.info().pure ? call.info().pure : &call.info();
  node->parameters = &call.parameters();
  node->name = call.grad_fn();
  node->number = next_number();
  node->kept = call.kept();
  const auto& inputs = call.inputs();
  node->is_overwritten =
      std::any_of(inputs.begin(), inputs.end(), [](const TensorObject* input) { return !is_current(*input); });
  const bool is_write = (call.info().flags & (kInPlace | kView)) == kInPlace;
  if (TensorObject& target = *outputs.front(); is_write && history_of(target) && has_known_base(target)) {
    if (!history_of(target)->hooks.empty()) follow_base(target);  // they are of the view as it was
  }
  NodeMaker maker(*node, call);
  maker.add_operands();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    node->results.push_back(maker.saved_result(*outputs[i]));
    if (!outputs[i]->requires_grad) continue;
    const std::string name = outputs[i]->grad_fn;
    set_result(*outputs[i], node, i);
    outputs[i]->grad_fn = name;
    TensorObject* const base = outputs[i]->base.get();
    const bool is_hidden = base && base->references() == 1;  // nobody else holds it
    if (is_hidden && is_same_view(base->tensor, outputs[i]->tensor)) set_result(*base, node, i);
  }
  if (is_write) note_write(*outputs.front());
  return node;
}

}  // namespace attn
