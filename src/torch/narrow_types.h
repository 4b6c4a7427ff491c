#pragma once
// What ops do with tensors of narrow types (int32, uint8, float16, ...; tensor/dtype.h), as their rows have it.
#include "torch/op.h"

namespace attn {

/// Decides about a bound call, before it runs, and finishes its result.
class NarrowTypes {
 public:
  /// Errors: CellError Unsupported, with .float() or .long() for a hint, for an op that refuses them.
  explicit NarrowTypes(OpCall& call);
  /// Gives the operands their wide types. The recorder has seen the call as it was written.
  void widen();
  /// Rounds or wraps what came out to the type that PyTorch gives it; of an op that writes in place, into its tensor.
  /// The call has its own operands again, so that gradients find their way to them.
  Value narrow(Value result);

 private:
  bool comes_narrow() const;
  Value written(TensorObject& wide) const;
  void widen_operand(std::string_view parameter);
  void check_alpha() const;

  OpCall& call_;
  std::vector<std::pair<std::string, Value>> originals_;  // of operands that were widened, by parameter
  Narrow how_ = Narrow::Moved;                            // where no operand is narrow there is nothing else to do
  DType common_ = DType::Float32;
};

}  // namespace attn
