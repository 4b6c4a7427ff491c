#pragma once
// The way from tensors back to the leaves that they were made of.
#include <string>
#include <utility>
#include <vector>

#include "python/value.h"
#include "torch/op.h"

namespace attn {

struct GradNode;

/// Goes back with a gradient for each tensor and adds to the .grad of leaves, and of what retains its own. Without
/// `keeps_graph` what the history has saved is let go.
///   Errors: CellError with PyTorch's texts; unsupported() where there is no rule.
void leave_gradients(OpCall& call, TensorObject& from, const Value& gradient, bool keeps_graph);

/// The gradients of these inputs; None: it takes no part. No .grad is touched.
std::vector<Value> gradients_of(OpCall& call, const std::vector<TensorObject*>& inputs,
                                const std::vector<std::pair<TensorObject*, Value>>& from, bool keeps_graph);

/// What whoever watches the run is told of tensors, by the names that the program has for them: of leaves their .grad,
/// as if it were bound, and of the other parameters of the same layers that they have none; or parameters as they are
/// now.
enum class Told { Gradients, Values };
void tell_by_name(OpCall& call, const std::vector<const TensorObject*>& tensors, Told what);

/// Errors: always, a RuntimeError.
[[noreturn]] void fail_backward(std::string text, std::string hint = {});

/// Lets go of the numbers of operands and results that no gradient through this call of an op asks for.
void let_go_of_unasked(Interpreter& interpreter, GradNode& node);

/// Has the way back through a call refuse what has been written to by then and PyTorch keeps for it, where no rule here
/// asks for it: may_not_change() of src/lib/backward.py.
void keep_what_may_not_change(OpCall& call, const std::vector<TensorObject*>& outputs);

/// Whether a gradient through an op in place asks for what was there before it wrote.
bool asks_what_was_there(Interpreter& interpreter, const OpInfo& writing);

}  // namespace attn
