#pragma once
// The history of tensors that want a gradient, and the way back through it.
//
// A call of an op whose operands want a gradient leaves a GradNode on its results. Parts of composites leave theirs, so
// a composite needs no rule. How a gradient goes through an op is a function of src/lib/backward.py named after the op
// and the operand, `mul__other(grad, input)`; an op that only moves elements needs none.
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "python/value.h"
#include "torch/op.h"

namespace attn {

struct GradNode : Object {
  static const Type kType;
  GradNode() : Object(kType) {}
  void clear() override;
  std::optional<std::unique_ptr<Kept>> keep() override {
    return kept_members(*this, &GradNode::values, &GradNode::results, &GradNode::edges, &GradNode::kept,
                        &GradNode::saved, &GradNode::retained, &GradNode::is_spent, &GradNode::spent,
                        &GradNode::is_overwritten, &GradNode::hooks);
  }

  /// An operand that wants a gradient.
  struct Edge {
    std::size_t parameter;   // of the op
    std::int64_t item = -1;  // its place, where the parameter is a list of tensors
    Shape shape;
    DType dtype;
    Axes axes;
    Ref<GradNode> node;      // that made it; of a leaf null
    std::size_t output = 0;  // of that node
    Ref<TensorObject> leaf;
    template <class Visit>
    void each_object(const Visit& visit) const {
      if (node) visit(*node);
      if (leaf) visit(*leaf);
    }
  };
  /// A result that keeps its gradient, as it is before functions of register_hook() or after.
  struct Retained {
    std::size_t output;
    Ref<TensorObject> tensor;
    bool comes_first;
    template <class Visit>
    void each_object(const Visit& visit) const {
      visit(*tensor);
    }
  };
  struct Saved {
    Ref<TensorObject> tensor;
    std::int64_t version;       // its seen_writes() when the op had run
    bool is_kept_only = false;  // no rule asks for it: it is there to be refused when it was written to
    std::string maker;          // ", which is output 0 of MulBackward0,", where the node does not tell
    template <class Visit>
    void each_object(const Visit& visit) const {
      visit(*tensor);
    }
  };

  const OpInfo* op = nullptr;
  const std::vector<OpParameter>* parameters = nullptr;
  std::string name;           // "MulBackward0"
  std::vector<Value> values;  // one for each parameter, tensors without history
  std::vector<Value> results;
  Value kept;  // what the function of the op left for the rule
  std::vector<Saved> saved;
  std::vector<Edge> edges;
  std::vector<Retained> retained;
  std::vector<std::pair<std::size_t, Value>> hooks;  // of results, by place: a dict each
  std::uint64_t number = 0;                          // rises from call to call
  bool is_spent = false;                             // what it saved has been let go
  std::set<std::size_t> spent;                       // the values that were
  bool has_keeper_before = false;                    // what it was made of in place may retain its gradient
  bool is_overwritten = false;  // an operand was written to in a way that its history does not know
};

/// Null for a leaf.
GradNode* history_of(const TensorObject& tensor);

/// Where elements of a view were written to by way of its base or of another view, its history begins at that base now.
void renew_history(TensorObject& tensor);

/// Errors: TensorError if it is not of floats, or was made by an op.
void set_requires_grad(TensorObject& tensor, bool wanted);

/// Whether backward() leaves a gradient on it though it is no leaf.
bool retains_grad(const TensorObject& tensor);

/// Has backward() do so, whatever op in place makes it anew. Errors: as of PyTorch where it wants no gradient.
void retain_grad(TensorObject& tensor);

/// The dict of what Tensor.register_hook() was given for it; what made it when it was first asked for has it, too.
const Value& hooks_of(TensorObject& tensor);

/// Gives tensors a history that no op left: each output that changes is a result of the step `name`, whose way back is
/// function__args() of src/lib/backward.py, which finds `kept`.
std::vector<Value> with_history(const std::string& name, const Value& kept, const std::vector<Value>& inputs,
                                const std::vector<Value>& outputs, const std::vector<Value>& changes);

/// Whether it is a tensor, or a list or tuple with tensors in it.
bool holds_tensors(const Value& value);

/// Takes what was written into the tensor from outside for what its history made.
void adopt_numbers(const TensorObject& tensor);

/// A tensor with the shape and type of `x` that takes next to no memory: its elements mean nothing.
Tensor like_without_numbers(const Tensor& x);

/// Records the history of a call on its results. Null for a composite whose parts have recorded theirs.
Ref<GradNode> record_history(const OpCall& call, const std::vector<TensorObject*>& outputs);

}  // namespace attn
