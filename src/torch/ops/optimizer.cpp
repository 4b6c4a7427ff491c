// What an optimizer of src/lib/optim.py does to all its parameters, as one op.
#include "python/interpreter.h"
#include "torch/axis_rules.h"
#include "torch/backward_pass.h"
#include "torch/lib.h"

namespace attn {
namespace {

Value optimizer_step_op(OpCall& call) {
  CallArguments none;
  none.span = call.span();
  call.interpreter().call(call.value("move"), none);
  std::vector<const TensorObject*> moved;
  for (const Value& parameter : *items_of(call.value("parameters"))) moved.push_back(parameter.as<TensorObject>());
  tell_by_name(call, moved, Told::Values);
  return {};
}

const OpInfo kInnerOps[] = {
    OpInfo("op.optimizer_step", "(move: any, parameters: any)", "Moves parameters along their gradients.",
           "from torch import nn, optim\np = nn.Parameter(torch.ones(2))\np.grad = torch.ones(2)\n"
           "optim.SGD([p], lr=0.1).step()\np",
           optimizer_step_op, {.axes = axis_rule::none, .element = ElementRule::Composite}),
};

}  // namespace

std::span<const OpInfo> optimizer_ops() { return kInnerOps; }

}  // namespace attn
