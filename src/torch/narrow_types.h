#pragma once
// What ops do with tensors of narrow types (int32, uint8, float16, ...; tensor/dtype.h): a table of ops, and for each
// whether it only moves elements, or computes in the wide type, and what type comes out. Other ops refuse them.
#include "torch/op.h"

namespace attn {

/// Decides about a bound call, before it runs, and finishes its result.
class NarrowTypes {
 public:
  /// Errors: CellError Unsupported, with .float() or .long() for a hint, for an op that has no row.
  explicit NarrowTypes(OpCall& call);
  /// Gives the operands their wide types. The recorder has seen the call as it was written.
  void widen();
  /// Rounds or wraps what came out to the type that PyTorch gives it; of an op that writes in place, into its tensor.
  Value narrow(Value result) const;

 private:
  struct Row;
  const Row* find_row() const;
  bool is_in_place() const;
  std::string_view name_of_op() const;
  bool comes_narrow() const;
  Value written(TensorObject& wide) const;
  void check_operands(const Row& row) const;
  void widen_operand(std::string_view parameter);
  void check_alpha() const;

  OpCall& call_;
  const Row* row_ = nullptr;  // null: no operand is narrow
  DType common_ = DType::Float32;
};

}  // namespace attn
