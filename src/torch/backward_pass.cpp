// The pass through the nodes that calls have left, newest first. Over 400 lines because what a rule asks for, what has
// been let go, and PyTorch's texts for both hang on the same node.
#include "torch/backward_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "base/limits.h"
#include "base/words.h"
#include "python/function.h"
#include "python/interpreter.h"
#include "python/natives.h"
#include "tensor/core/read.h"
#include "tensor/ops/create.h"
#include "tensor/ops/layout.h"
#include "text/say.h"
#include "text/unsupported.h"
#include "torch/gradient.h"
#include "torch/lib.h"
#include "torch/nn/layer.h"

namespace attn {

void fail_backward(std::string text, std::string hint) {
  throw CellError(Code::Runtime, {}, std::move(text), std::move(hint));
}

void tell_by_name(OpCall& call, const std::vector<const TensorObject*>& tensors, Told what) {
  Interpreter& in = call.interpreter();
  Observer* const observer = in.follower();
  if (!observer) return;
  std::set<const TensorObject*> wanted(tensors.begin(), tensors.end()), told;
  const auto tell = [&](const std::string& name, TensorObject& tensor) {
    if (!told.insert(&tensor).second) return;
    if (what == Told::Values) observer->bound(name, Value(Ref<TensorObject>(&tensor)), call.span());
    else observer->gradient_left(name, tensor, call.span());
  };
  for (const Scope* scope = in.program_scope(); scope; scope = scope->outer.get()) {
    for (const auto& [symbol, value] : scope->names) {
      const std::string name(symbol.text());
      if (TensorObject* tensor = value.as<TensorObject>(); tensor && wanted.contains(tensor)) tell(name, *tensor);
      const Layer* layer = value.as<Layer>();
      if (!layer) continue;
      const auto parameters = parameters_of(*layer, name);
      const bool takes_part = std::any_of(parameters.begin(), parameters.end(),
                                          [&](const auto& item) { return wanted.contains(item.second.get()); });
      for (const auto& [path, parameter] : parameters) {
        const bool is_missed = what == Told::Gradients && parameter->requires_grad && !parameter->grad;
        if (takes_part && (is_missed || wanted.contains(parameter.get()))) tell(path, *parameter);
      }
    }
  }
}

namespace {

constexpr const char* kSpent =
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already "
    "been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). "
    "Specify retain_graph=True if you need to backward through the graph a second time or if you need to access "
    "saved tensors after calling backward.";

/// How a gradient goes through an op to an operand, and what that asks for.
struct Rule {
  Value function;  // "mul__other" of src/lib/backward.py; None: elements are only moved, or there is no way
  bool asks_results = false;
  std::vector<bool> asks;  // for each parameter of the op
};

/// What `make` gives, which is called once for a key; kept only if it ends, for it may be interrupted.
template <class Key, class Make>
const auto& kept_in(std::map<Key, std::invoke_result_t<Make>>& known, const std::type_identity_t<Key>& key,
                    const Make& make) {
  const auto found = known.find(key);
  return found != known.end() ? found->second : known.emplace(key, make()).first->second;
}

/// Of an op that may give several results and did, "max_with_indices__input".
Rule look_up_rule(Interpreter& in, const GradNode& node, std::size_t parameter) {
  const OpParameter& operand = (*node.parameters)[parameter];
  Rule rule;
  const auto look_up = [&](std::string_view form) {
    rule.function = library_function(in, "backward", fmt::format("{}{}__{}", node.op->name, form, operand.name));
  };
  if (node.results.size() > 1) look_up("_with_indices");
  if (rule.function.is_none()) look_up("");
  rule.asks.assign(node.parameters->size(), rule.function.is_none());
  rule.asks[parameter] = false;
  if (rule.function.is_none()) return rule;
  for (const Parameter& wanted : *rule.function.as<Function>()->parameters) {
    const std::string& name = wanted.name.text();
    rule.asks_results |= name == "result" || name == "indices" || name == "saved";
    for (std::size_t i = 0; i < node.parameters->size(); ++i)
      if (name == (*node.parameters)[i].name || name == "saved") rule.asks[i] = true;
  }
  return rule;
}

const Rule& rule_for(Interpreter& in, const GradNode& node, std::size_t parameter) {
  thread_local std::map<std::pair<const OpInfo*, const OpParameter*>, Rule> rules;
  return kept_in(rules, {node.op, &(*node.parameters)[parameter]}, [&] { return look_up_rule(in, node, parameter); });
}

std::string maker_text(std::size_t output, std::string_view op) {
  return fmt::format(", which is output {} of {},", output, op);
}

/// The shapes and types of tensors alone, but of those that are small as they are.
Value without_numbers(const Value& value) {
  constexpr std::int64_t kSmall = 1024;  // bytes
  if (const TensorObject* const object = value.as<TensorObject>()) {
    const Tensor& tensor = object->tensor;
    const bool is_small = tensor.numel() * size_of(tensor.dtype()) <= kSmall;
    return is_small ? value : make_tensor(like_without_numbers(tensor));
  }
  if (!holds_tensors(value)) return value;
  std::vector<Value> items;
  for (const Value& item : *items_of(value)) items.push_back(without_numbers(item));
  return value.as<Tuple>() ? make_tuple(std::move(items)) : make_list(std::move(items));
}

/// What has come to each of some tensors, in the order in which it first did.
class GradientSums {
 public:
  struct Sum {
    Ref<TensorObject> tensor;
    Value gradient;
  };

  /// None as long as nothing has come.
  Value& of(const Ref<TensorObject>& tensor) {
    look();
    const auto [place, is_new] = places_.try_emplace(tensor.get(), sums_.size());
    if (is_new) sums_.push_back({tensor, Value()});
    return sums_[place->second].gradient;
  }
  /// Null if nothing has come.
  Value* find(const TensorObject& tensor) {
    const auto place = places_.find(&tensor);
    return place == places_.end() ? nullptr : &sums_[place->second].gradient;
  }
  std::vector<Sum>::iterator begin() { return sums_.begin(); }
  std::vector<Sum>::iterator end() { return sums_.end(); }

 private:
  std::vector<Sum> sums_;
  std::unordered_map<const TensorObject*, std::size_t> places_;
};

/// One pass from tensors back to the leaves.
class Backward {
 public:
  Backward(OpCall& call, bool keeps_graph)
      : call_(call),
        in_(call.interpreter()),
        keeps_graph_(keeps_graph),
        looks_for_nan_(truthy(in_.kept("anomaly"))) {}  // src/lib/autograd.py

  void leave_gradients(TensorObject& from, const Value& gradient) {
    count_ways(from);
    go_back({{&from, gradient}});
    for (auto& [leaf, whole] : leaves_)
      if (leaf->requires_grad && !called_.contains(leaf.get())) whole = hooked(leaf->hooks, whole);
    std::vector<const TensorObject*> told;
    for (GradientSums* sums : {&retained_, &leaves_}) {
      for (const auto& [tensor, whole] : *sums) {
        if (sums == &leaves_ && !tensor->requires_grad) continue;  // frozen since
        put_grad(*tensor, whole);
        told.push_back(tensor.get());
      }
    }
    tell_by_name(call_, told, Told::Gradients);
  }

  std::vector<Value> gradients_of(const std::vector<TensorObject*>& inputs,
                                  const std::vector<std::pair<TensorObject*, Value>>& from) {
    for (const TensorObject* input : inputs)
      if (GradNode* node = history_of(*input)) wanted_[{node, input->output}] = {};
    go_back(from);
    std::vector<Value> out;
    for (TensorObject* input : inputs) {
      look();
      const Value* const sum = leaves_.find(*input);
      if (input->history) out.push_back(wanted_[{history_of(*input), input->output}]);
      else out.push_back(sum ? *sum : Value());
      if (TensorObject* gradient = out.back().as<TensorObject>()) gradient->axes = input->axes;
    }
    return out;
  }

 private:
  /// By how many ways gradients come to the leaves that have functions of register_hook().
  void count_ways(const TensorObject& from) {
    std::vector<const GradNode*> to_see = {history_of(from)};
    std::set<const GradNode*> seen;
    while (!to_see.empty()) {
      const GradNode* const node = to_see.back();
      to_see.pop_back();
      if (!node || !seen.insert(node).second) continue;
      for (const GradNode::Edge& edge : node->edges) {
        to_see.push_back(edge.node.get());
        if (edge.leaf && !edge.leaf->hooks.is_none()) ++ways_[edge.leaf.get()];
      }
    }
  }

  /// The functions of a leaf are called when all of its gradient is there.
  void one_way_less(TensorObject* leaf) {
    const auto ways = ways_.find(leaf);
    if (ways == ways_.end() || --ways->second > 0 || !leaf->requires_grad) return;
    Value* const sum = leaves_.find(*leaf);
    if (sum && called_.insert(leaf).second) *sum = hooked(leaf->hooks, *sum);
  }

  struct Arrived {
    Ref<GradNode> node;
    std::vector<Value> gradients;  // for each output; None: none came
  };

  void go_back(const std::vector<std::pair<TensorObject*, Value>>& from) {
    const GradientSwitch without(in_, false);
    for (const auto& [tensor, gradient] : from) {
      if (GradNode* node = history_of(*tensor)) arrive(*node, tensor->output, gradient);
      else add(leaves_, Ref<TensorObject>(tensor), gradient);
    }
    while (!waiting_.empty()) {
      charge(1);
      const auto newest = std::prev(waiting_.end());
      auto [node, gradients] = std::move(newest->second);
      waiting_.erase(newest);
      for (std::size_t output = 0; output < gradients.size(); ++output)
        if (const auto found = wanted_.find({node.get(), output}); found != wanted_.end())
          found->second = gradients[output];
      keep_retained(*node, gradients, true);
      for (const auto& [output, hooks] : node->hooks) gradients[output] = hooked(hooks, gradients[output]);
      keep_retained(*node, gradients, false);
      tell_way(node->number);
      go_through(*node, gradients);
    }
    tell_way(0);
  }

  // What is left of a gradient by the functions that register_hook() was given.
  Value hooked(const Value& hooks, Value gradient) {
    const Dict* functions = hooks.as<Dict>();
    if (!functions || gradient.is_none()) return gradient;
    const auto items = functions->items.all();  // one of them may remove itself
    for (const auto& [number, hook] : items) {
      const Value changed = in_.call(hook.as<Tuple>()->items[1], {gradient}, call_.span());
      if (changed.is_none()) continue;
      if (!changed.as<TensorObject>())
        throw CellError(Code::Type, call_.span(),
                        fmt::format("expected Variable, but hook returned {}", type_name(changed)));
      gradient = changed;
    }
    return gradient;
  }

  void keep_retained(const GradNode& node, const std::vector<Value>& gradients, bool before_hooks) {
    for (const GradNode::Retained& each : node.retained)
      if (each.comes_first == before_hooks && !gradients[each.output].is_none())
        add(retained_, each.tensor, gradients[each.output]);
  }

  void tell_way(std::uint64_t node) {
    if (Observer* const observer = in_.follower()) observer->goes_back_through(node);
  }

  Value sum(const Value& a, const Value& b) { return a.is_none() ? b : call_.call("torch.add", {a, b}); }

  void arrive(GradNode& node, std::size_t output, const Value& gradient) {
    Arrived& arrived = waiting_[node.number];
    if (!arrived.node) arrived = {Ref<GradNode>(&node), std::vector<Value>(node.results.size())};
    arrived.gradients[output] = sum(arrived.gradients[output], gradient);
  }

  void add(GradientSums& sums, const Ref<TensorObject>& tensor, const Value& gradient) {
    Value& so_far = sums.of(tensor);
    so_far = sum(so_far, gradient);
  }

  void put_grad(TensorObject& leaf, const Value& gradient) {
    if (leaf.grad) {
      call_.call("Tensor.add_", {Value(leaf.grad), gradient});
      return;
    }
    // A gradient that somebody else holds, or a view of one, is copied.
    const TensorObject& made = *gradient.as<TensorObject>();
    const bool is_own = made.references() == 1 && made.tensor.is_contiguous();
    const Value own = is_own ? gradient : call_.call("torch.clone", {gradient});
    leaf.grad = Ref<TensorObject>(own.as<TensorObject>());
    leaf.grad->axes = leaf.axes;
  }

  void go_through(GradNode& node, const std::vector<Value>& gradients) {
    if (node.is_overwritten) throw unsupported(call_.span(), "unsupported.gradient.view");
    if (node.name == "NotImplemented")
      fail_backward(fmt::format("derivative for aten::{} is not implemented", node.op->name));
    for (const GradNode::Saved& saved : node.saved)
      if (saved.is_kept_only) refuse_written(saved, saved.maker);
    std::map<std::size_t, Value> lists;  // of parameters that are lists
    for (std::size_t i = 0; i < node.edges.size(); ++i) {
      const GradNode::Edge& edge = node.edges[i];
      const Value& rule = rule_for(in_, node, edge.parameter).function;
      Value gradient;
      if (rule.is_none()) {
        gradient = moved_back(node, edge, gradients);
      } else if (edge.item < 0) {
        gradient = through(rule, node, edge, gradients);
      } else {
        Value& list = lists[edge.parameter];
        if (list.is_none()) list = through(rule, node, edge, gradients);
        gradient = items_of(list)->at(static_cast<std::size_t>(edge.item));
      }
      if (!gradient.is_none()) {
        gradient = fitted(gradient, node, edge);
        if (looks_for_nan_) refuse_nan(node, edge, gradient);
        if (edge.node) arrive(*edge.node, edge.output, gradient);
        else add(leaves_, edge.leaf, gradient);
      }
      if (edge.leaf) one_way_less(edge.leaf.get());
    }
    if (keeps_graph_) return;
    node.is_spent = true;
    for (std::size_t i = 0; i < node.values.size(); ++i) {
      const bool is_operand = node.values[i].is_number() && (*node.parameters)[i].type == "Operand";
      if (!holds_tensors(node.values[i]) && !is_operand) continue;  // PyTorch saves a number as a tensor, too
      node.values[i] = {};
      node.spent.insert(i);
    }
    for (Value& value : node.results) value = {};
    node.saved.clear();
    node.retained.clear();
    node.kept = {};
  }

  void refuse_nan(const GradNode& node, const GradNode::Edge& edge, const Value& gradient) {
    if (!Doubles(tensor_of(gradient)).has_nan()) return;
    fail_backward(
        fmt::format("Function '{}' returned nan values in its {}th output.", node.name, place_of(node, edge)));
  }

  /// Of an operand among the tensors of the call, as PyTorch counts.
  static std::int64_t place_of(const GradNode& node, const GradNode::Edge& edge) {
    const auto operand = node.values.begin() + static_cast<std::ptrdiff_t>(edge.parameter);
    const auto takes_part = [](const Value& value) {
      const TensorObject* tensor = value.as<TensorObject>();
      return tensor ? is_floating(tensor->tensor.dtype()) : holds_tensors(value);
    };
    return std::count_if(node.values.begin(), operand, takes_part) + std::max<std::int64_t>(edge.item, 0);
  }

  // What was stretched is added up again, and has the type of the operand.
  Value fitted(Value gradient, const GradNode& node, const GradNode::Edge& edge) {
    Shape shape = tensor_of(gradient).shape();
    if (shape.size() < edge.shape.size()) {  // of y[None] in x[:] = y[None]
      shape.insert(shape.begin(), edge.shape.size() - shape.size(), 1);
      gradient = call_.call("Tensor.view", {gradient, make_size(shape, nullptr)});
    }
    if (shape != edge.shape) {
      const std::size_t more = shape.size() - edge.shape.size();
      std::vector<Value> dims;
      for (std::size_t i = 0; i < shape.size(); ++i) {
        if (i < more || (edge.shape[i - more] == 1 && shape[i] != 1)) dims.emplace_back(static_cast<std::int64_t>(i));
      }
      if (!dims.empty()) gradient = call_.call("torch.sum", {gradient, make_list(std::move(dims)), Value(true)});
      if (more > 0) gradient = call_.call("Tensor.view", {gradient, make_size(edge.shape, &edge.axes)});
    }
    if (const Shape& now = tensor_of(gradient).shape(); now != edge.shape)
      fail_backward(
          fmt::format("Function {} returned an invalid gradient at index {} - got {} but expected shape "
                      "compatible with {}",
                      node.name, place_of(node, edge), shape_text(now), shape_text(edge.shape)));
    if (gradient.as<TensorObject>()->tensor.dtype() != edge.dtype)
      gradient = call_.call("Tensor.to", {gradient, Value(make<DTypeObject>(edge.dtype))});
    return gradient;
  }

  Value through(const Value& rule, const GradNode& node, const GradNode::Edge& edge,
                const std::vector<Value>& gradients) {
    CallArguments arguments;
    arguments.span = call_.span();
    for (const Parameter& wanted : *rule.as<Function>()->parameters)
      arguments.positional.push_back(argument(node, edge, gradients, wanted.name.text()));
    return in_.call(rule, arguments);
  }

  // What a rule asks for by name: grad, grads, result, indices (the second result), kept, a parameter of the op, or its
  // shape; saved: a function that gives one of these.
  Value argument(const GradNode& node, const GradNode::Edge& edge, const std::vector<Value>& gradients,
                 std::string_view name) {
    if (name == "grad") return gradients[0].is_none() ? zeros_like(node, 0) : gradients[0];
    if (name == "grads") return make_list(gradients);
    if (name == "shape") return make_size(edge.shape, &edge.axes);
    if (name == "saved")
      return make<Builtin>("saved", [&](Interpreter&, CallArguments& wanted) {
        return argument(node, edge, gradients, wanted.positional.at(0).as<Str>()->text);
      });
    if (node.is_spent && (name == "kept" || name == "result" || name == "indices")) refuse_spent();
    if (name == "kept") return node.kept;
    if (name == "result") return checked(node, node.results[0]);
    if (name == "indices") return node.results.size() > 1 ? checked(node, node.results[1]) : Value();
    for (std::size_t i = 0; i < node.parameters->size(); ++i) {
      if ((*node.parameters)[i].name != name) continue;
      if (node.spent.contains(i)) refuse_spent();
      return checked(node, node.values[i]);
    }
    return {};
  }

  [[noreturn]] void refuse_spent() { fail_backward(kSpent, say("gradient.spent.hint")); }

  Value zeros_like(const GradNode& node, std::size_t output) {
    if (node.is_spent) refuse_spent();
    return call_.call("torch.zeros_like", {node.results[output]});
  }

  static std::string made_by(const GradNode& node, const Value& value) {
    for (std::size_t i = 0; i < node.results.size(); ++i)
      if (tensor_of(node.results[i]).shares_storage(tensor_of(value))) return maker_text(i, node.name);
    for (const GradNode::Edge& edge : node.edges)
      if (edge.node && node.values[edge.parameter].object() == value.object())
        return maker_text(edge.output, edge.node->name);
    return {};
  }

  Value checked(const GradNode& node, const Value& value) {
    for (const GradNode::Edge& edge : node.edges) {
      const bool is_its = edge.leaf && edge.item < 0 && node.values[edge.parameter].object() == value.object();
      if (is_its && value.as<TensorObject>() && !edge.leaf->tensor.shares_storage(tensor_of(value)))
        return make_tensor(edge.leaf->tensor);  // x.data = y
    }
    for (const GradNode::Saved& saved : node.saved)
      if (value.object() == saved.tensor.get()) refuse_written(saved, made_by(node, value));
    return value;
  }

  static void refuse_written(const GradNode::Saved& saved, std::string_view maker) {
    const Tensor& tensor = saved.tensor->tensor;
    const std::int64_t writes = tensor.seen_writes() - saved.version;
    if (writes == 0) return;
    fail_backward(
        fmt::format("one of the variables needed for gradient computation has been modified by an inplace operation: "
                    "[{} [{}]]{} is at version {}; expected version 0 instead. Hint: enable anomaly detection to find "
                    "the operation that failed to compute its gradient, with "
                    "torch.autograd.set_detect_anomaly(True).",
                    torch_type_name(Value(saved.tensor)), fmt::join(tensor.shape(), ", "), maker, writes),
        say("gradient.written.hint"));
  }

  // Where elements are only moved, each gradient goes to the place that its element came from: the op runs once more
  // on the numbers of the places, from 1.
  Value moved_back(const GradNode& node, const GradNode::Edge& edge, const std::vector<Value>& gradients) {
    const ElementRule rule = node.op->element;
    // Of the ops that choose elements these look at no element to choose.
    constexpr std::string_view kChoose = "index index_select take_along_dim masked_select as_strided";
    const bool moves = rule == ElementRule::IndexMap || rule == ElementRule::Concat ||
                       (rule == ElementRule::Gather && has_word(kChoose, node.op->name));
    if (!moves || (node.op->flags & kInPlace)) {
      throw unsupported(call_.span(), "unsupported.gradient",
                        {{"op", std::string(node.op->name)}, {"operand", (*node.parameters)[edge.parameter].name}});
    }
    for (const std::size_t spent : node.spent)
      if (spent != edge.parameter || edge.item >= 0) refuse_spent();
    std::vector<Value> values = node.values;
    std::int64_t count = 1;
    for (const std::int64_t size : edge.shape) count *= size;
    const auto numbers = make_tensor(
        view(arange(Scalar(std::int64_t{1}), Scalar(count + 1), Scalar(std::int64_t{1}), DType::Int64), edge.shape));
    if (edge.item < 0) {
      values[edge.parameter] = numbers;
    } else {
      std::vector<Value> items = *items_of(values[edge.parameter]);
      for (Value& item : items) {
        if (item.as<TensorObject>())
          item = make_tensor(full(tensor_of(item).shape(), Scalar(std::int64_t{0}), DType::Int64));
      }
      items[static_cast<std::size_t>(edge.item)] = numbers;
      values[edge.parameter] = make_list(std::move(items));
    }
    OpCall again(in_, *node.op, *node.parameters, values);
    const Value result = node.op->function(again);
    const std::vector<Value>* several = items_of(result);
    Value sum;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      if (gradients[i].is_none()) continue;
      const Value& places = several ? several->at(i) : result;
      if (tensor_of(places).dtype() != DType::Int64) continue;  // it gave its sizes alone
      const Value from = library_function(in_, "backward", "moved");
      CallArguments arguments;
      arguments.span = call_.span();
      arguments.positional = {gradients[i], places, make_size(edge.shape, &edge.axes)};
      sum = this->sum(sum, in_.call(from, arguments));
    }
    return sum;
  }

  OpCall& call_;
  Interpreter& in_;
  bool keeps_graph_;
  bool looks_for_nan_;
  std::map<std::uint64_t, Arrived> waiting_;  // by the numbers of the nodes: the newest goes first
  GradientSums leaves_, retained_;
  std::map<const TensorObject*, std::size_t> ways_;            // that are left
  std::set<const TensorObject*> called_;                       // leaves whose functions were
  std::map<std::pair<GradNode*, std::size_t>, Value> wanted_;  // by node and output
};

}  // namespace

bool asks_what_was_there(Interpreter& in, const OpInfo& writing) {
  const OpInfo& op = writing.pure ? *writing.pure : writing;
  const std::vector<OpParameter>& parameters = parameters_of(op);
  const auto means_target = [&](const Parameter& wanted) {
    return wanted.name.text() == parameters.front().name || wanted.name.text() == "saved";
  };
  const auto asks = [&](const OpParameter& operand) {
    const Value rule = library_function(in, "backward", fmt::format("{}__{}", op.name, operand.name));
    const Function* function = rule.as<Function>();
    return function && std::any_of(function->parameters->begin(), function->parameters->end(), means_target);
  };
  thread_local std::map<const OpInfo*, bool> known;
  return kept_in(known, &op, [&] { return std::any_of(parameters.begin(), parameters.end(), asks); });
}

void let_go_of_unasked(Interpreter& interpreter, GradNode& node) {
  bool asks_results = false;
  std::vector<bool> asked(node.values.size(), false);
  for (const GradNode::Edge& edge : node.edges) {
    const Rule& rule = rule_for(interpreter, node, edge.parameter);
    asks_results |= rule.asks_results;
    for (std::size_t i = 0; i < asked.size(); ++i) asked[i] = asked[i] || rule.asks[i];
  }
  for (std::size_t i = 0; i < asked.size(); ++i)
    if (!asked[i]) node.values[i] = without_numbers(node.values[i]);
  if (!asks_results)
    for (Value& result : node.results) result = without_numbers(result);
  std::erase_if(node.saved, [](const GradNode::Saved& saved) { return saved.tensor->references() == 1; });
}

void keep_what_may_not_change(OpCall& call, const std::vector<TensorObject*>& outputs) {
  thread_local std::map<const OpInfo*, std::string> known;
  const std::string& names = kept_in(known, &call.info(), [&] {
    CallArguments op;
    op.positional = {make_str(std::string(first_word(call.info().spellings)))};
    const Value rule = library_function(call.interpreter(), "backward", "may_not_change");
    return call.interpreter().call(rule, op).as<Str>()->text;
  });
  if (names.empty()) return;
  if (names.find("Backward") != std::string::npos && !has_word(names, call.grad_fn())) return;
  const auto keep = [](const TensorObject& tensor, std::size_t output, GradNode& node) {
    node.saved.push_back({make<TensorObject>(tensor.tensor), tensor.tensor.seen_writes(), true,
                          tensor.grad_fn.empty() ? "" : maker_text(output, tensor.grad_fn)});
  };
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    GradNode* const node = history_of(*outputs[i]);
    if (!node) continue;
    if (has_word(names, "result")) keep(*outputs[i], i, *node);
    for (const OpParameter& parameter : call.parameters()) {
      const TensorObject* operand = call.value(parameter.name).as<TensorObject>();
      if (operand && has_word(names, parameter.name)) keep(*operand, operand->output, *node);
    }
  }
}

void leave_gradients(OpCall& call, TensorObject& from, const Value& gradient, bool keeps_graph) {
  Backward(call, keeps_graph).leave_gradients(from, gradient);
}

std::vector<Value> gradients_of(OpCall& call, const std::vector<TensorObject*>& inputs,
                                const std::vector<std::pair<TensorObject*, Value>>& from, bool keeps_graph) {
  return Backward(call, keeps_graph).gradients_of(inputs, from);
}

}  // namespace attn
