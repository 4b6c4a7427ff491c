// backward(), torch.autograd.grad() and retain_grad(): what they are given, and refuse.
#include <fmt/format.h>

#include <algorithm>

#include "python/interpreter.h"
#include "python/natives.h"
#include "text/say.h"
#include "text/unsupported.h"
#include "torch/axis_rules.h"
#include "torch/backward_pass.h"
#include "torch/gradient.h"
#include "torch/ops/families.h"

namespace attn {
namespace {

// What the pass begins with: the gradient that was given, or 1 for a single number.
Value first_gradient(OpCall& call, TensorObject& from, const Value& given) {
  if (!from.requires_grad)
    fail_backward("element 0 of tensors does not require grad and does not have a grad_fn", say("gradient.none.hint"));
  if (given.is_none()) {
    if (from.tensor.numel() != 1)
      fail_backward("grad can be implicitly created only for scalar outputs", say("gradient.scalar.hint"));
    Value one = call.call("torch.ones_like", {Value(Ref<TensorObject>(&from))});
    one.as<TensorObject>()->requires_grad = false;
    return one;
  }
  const Shape& shape = given.as<TensorObject>()->tensor.shape();
  if (shape != from.tensor.shape())
    fail_backward(fmt::format("Mismatch in shape: grad_output[0] has a shape of {} and output[0] has a shape of {}.",
                              size_text(shape), size_text(from.tensor.shape())),
                  say("gradient.shape.hint"));
  return given;
}

/// A flag of the pass: a bool, an int or None. Errors: TypeError for anything else.
bool flag(const OpCall& call, std::string_view parameter) {
  const Value& value = call.value(parameter);
  if (value.is_none()) return false;
  if (!value.as_bool() && !value.as_int())
    throw CellError(Code::Type, call.span(),
                    value.as<TensorObject>() ? "only integer tensors of a single element can be converted to an index"
                                             : fmt::format("an integer is required (got type {})", type_name(value)));
  return truthy(value);
}

bool keeps_graph(const OpCall& call) {
  const bool keeps = flag(call, "retain_graph");
  if (flag(call, "create_graph")) throw unsupported(call.span(), "unsupported.gradient.second");
  return keeps;
}

Value backward_op(OpCall& call) {
  const bool keeps = keeps_graph(call);
  if (call.has("inputs")) throw unsupported(call.span(), "unsupported.gradient.inputs");
  TensorObject& from = call.handle("input");
  const Value gradient = first_gradient(call, from, call.value("gradient"));
  leave_gradients(call, from, gradient, keeps);
  return {};
}

/// A tensor alone, or those of a list or tuple. Errors: TypeError for anything else.
std::vector<Value> one_or_many(const OpCall& call, std::string_view parameter) {
  const Value& value = call.value(parameter);
  if (value.as<TensorObject>()) return {value};
  if (const std::vector<Value>* items = items_of(value)) return *items;
  throw CellError(Code::Type, call.span(), fmt::format("'{}' object is not iterable", type_name(value)));
}

/// Errors: of that code for what is no tensor, `before` and `after` around the name of its type.
std::vector<TensorObject*> tensors_in(const OpCall& call, const std::vector<Value>& values, Code code,
                                      std::string_view before, std::string_view after = {}) {
  std::vector<TensorObject*> out;
  for (const Value& value : values) {
    if (TensorObject* tensor = value.as<TensorObject>()) out.push_back(tensor);
    else throw CellError(code, call.span(), fmt::format("{}{}{}", before, type_name(value), after));
  }
  return out;
}

Value grad_op(OpCall& call) {
  const std::vector<Value> outputs = one_or_many(call, "outputs"), inputs = one_or_many(call, "inputs");
  truthy(call.value("only_inputs"));  // a tensor of several numbers is neither
  std::vector<Value> given(outputs.size());
  if (!call.value("grad_outputs").is_none()) given = one_or_many(call, "grad_outputs");
  given.resize(outputs.size());
  for (const Value& gradient : given)
    if (!gradient.is_none())
      tensors_in(call, {gradient}, Code::Type, "gradients can be either Tensors or None, but got ");
  const auto sources = tensors_in(call, outputs, Code::Attribute, "'", "' object has no attribute 'requires_grad'");
  if (flag(call, "is_grads_batched")) throw unsupported(call.span(), "unsupported.gradient.batched");
  const bool keeps = keeps_graph(call), allows_unused = flag(call, "allow_unused");
  const auto targets = tensors_in(call, inputs, Code::Runtime, "all inputs have to be Tensors, but got ");
  std::vector<std::pair<TensorObject*, Value>> from;
  for (std::size_t i = 0; i < sources.size(); ++i)
    from.emplace_back(sources[i], first_gradient(call, *sources[i], given[i]));
  for (const TensorObject* target : targets)
    if (!target->requires_grad) fail_backward("One of the differentiated Tensors does not require grad");
  std::vector<Value> gradients = gradients_of(call, targets, from, keeps);
  if (!allows_unused &&
      std::any_of(gradients.begin(), gradients.end(), [](const Value& each) { return each.is_none(); }))
    fail_backward(
        "One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if this "
        "is the desired behavior.");
  return make_tuple(std::move(gradients));
}

Value retain_grad_op(OpCall& call) {
  TensorObject& tensor = call.handle("input");
  if (!tensor.requires_grad) fail_backward("can't retain_grad on Tensor that has requires_grad=False");
  retain_grad(tensor);
  return {};
}

Value register_hook_op(OpCall& call) {
  TensorObject& tensor = call.handle("input");
  if (!tensor.requires_grad) fail_backward("cannot register a hook on a tensor that doesn't require gradient");
  const Value& hooks = hooks_of(tensor);
  Interpreter& in = call.interpreter();
  const Value handle = library_function(in, "module", "RemovableHandle");
  return in.call(handle, {hooks, make_str("gradient"), call.value("hook")}, call.span());
}

const OpInfo kGradientOps[] = {
    OpInfo("Tensor.backward",
           "(input: Tensor, gradient: Tensor? = None, retain_graph: any = None, create_graph: any = False, "
           "inputs: any = None)",
           "Adds to the .grad of each leaf how much the tensor changes with it.",
           "x = torch.ones(2, requires_grad=True)\n(x * 3).sum().backward()\nx.grad", backward_op,
           {.axes = axis_rule::none, .element = ElementRule::Composite}),
    OpInfo("Tensor.retain_grad", "(input: Tensor)", "Has backward() leave a .grad on a tensor that is no leaf, too.",
           "x = torch.ones(2, requires_grad=True)\ny = x * 3\ny.retain_grad()\n(y * y).sum().backward()\ny.grad",
           retain_grad_op, {.axes = axis_rule::none, .element = ElementRule::Composite}),
    OpInfo("Tensor.register_hook", "(input: Tensor, hook: any)",
           "Has backward() call a function with the gradient of this tensor; what it returns takes its place.",
           "x = torch.ones(2, requires_grad=True)\nx.register_hook(lambda grad: grad * 10)\n(x * 3).sum().backward()\n"
           "x.grad",
           register_hook_op, {.axes = axis_rule::none, .element = ElementRule::Composite}),
    OpInfo("torch.autograd.grad",
           "(outputs: any, inputs: any, grad_outputs: any = None, retain_graph: any = None, create_graph: any = False, "
           "only_inputs: any = True, allow_unused: any = False, is_grads_batched: any = False)",
           "How much the outputs change with each input, as a tuple; no .grad is touched.",
           "x = torch.ones(2, requires_grad=True)\ntorch.autograd.grad((x * 3).sum(), x)", grad_op,
           {.axes = axis_rule::none, .element = ElementRule::Composite}),
};

}  // namespace

std::span<const OpInfo> gradient_ops() { return kGradientOps; }

}  // namespace attn
