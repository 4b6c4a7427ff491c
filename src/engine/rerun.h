#pragma once
// Runs a recorded op once more, on other tensors: so a view can ask an op which of its operands' elements it took, by
// giving it the numbers of the elements. Nothing is recorded.
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/trace.h"

namespace attn {

/// "float32", as an argument is recorded; nothing when no type is called so.
std::optional<DType> dtype_named(std::string_view name);

class Rerun {
 public:
  Rerun();
  ~Rerun();
  Rerun(const Rerun&) = delete;
  Rerun& operator=(const Rerun&) = delete;

  /// The tensors of the result, as Op::outputs counts them, with `inputs` in the places of op.inputs. An op that
  /// writes in place writes to the tensors given. Empty when the op cannot be run so: it has no row, an argument was
  /// not recorded, or it refuses the inputs.
  std::vector<Tensor> operator()(const Op& op, const std::vector<Tensor>& inputs);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace attn
