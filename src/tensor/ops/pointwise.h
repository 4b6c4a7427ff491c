#pragma once
// Ops that make each element from the elements at its place, with broadcasting and dtype promotion.
//
// Operand is a tensor or a Python number: a number takes part in promotion by its category only.
#include <functional>
#include <initializer_list>
#include <optional>
#include <variant>
#include <vector>

#include "tensor/core/tensor.h"

namespace attn {

class Operand {
 public:
  Operand(Tensor tensor) : value_(std::move(tensor)) {}
  Operand(Scalar scalar) : value_(scalar) {}
  Operand(double number) : value_(Scalar(number)) {}

  const Tensor* tensor() const { return std::get_if<Tensor>(&value_); }
  const Scalar* scalar() const { return std::get_if<Scalar>(&value_); }

 private:
  std::variant<Tensor, Scalar> value_;
};

/// The shape both broadcast to: counted from the right, sizes must be equal or one of them 1.
///   Errors: TensorError "broadcast", facts a, b (sizes), axis (from the front of the result); PyTorch's text "The size
///   of tensor a (5) must match the size of tensor b (6) at non-singleton dimension 1".
Shape broadcast_shapes(const Shape& a, const Shape& b);

/// The shape of an operand; a number has no dimensions.
const Shape& shape_of(const Operand& operand);

/// The operand as a tensor of that type; a number becomes a tensor without dimensions.
Tensor as_tensor(const Operand& operand, DType dtype);

struct OperandPair;  // zip.h
/// Errors: TensorError "broadcast", before anything is converted.
OperandPair make_pair(const Operand& a, const Operand& b, DType common);

/// PyTorch's torch.result_type: dimensioned tensors beat 0-d tensors beat numbers, unless the category is higher.
DType result_type(const Operand& a, const Operand& b);
DType result_type(std::initializer_list<Operand> operands);

Tensor add(const Operand& a, const Operand& b);  // bool + bool is or
Tensor sub(const Operand& a, const Operand& b);  // RuntimeError for bool - bool
Tensor mul(const Operand& a, const Operand& b);
Tensor div(const Operand& a, const Operand& b);           // always floating
Tensor floor_divide(const Operand& a, const Operand& b);  // RuntimeError "ZeroDivisionError" for ints
Tensor remainder(const Operand& a, const Operand& b);     // sign of the divisor
Tensor pow(const Operand& a, const Operand& b);
Tensor maximum(const Operand& a, const Operand& b);
Tensor minimum(const Operand& a, const Operand& b);

Tensor eq(const Operand& a, const Operand& b);  // comparisons give Bool
Tensor ne(const Operand& a, const Operand& b);
Tensor lt(const Operand& a, const Operand& b);
Tensor le(const Operand& a, const Operand& b);
Tensor gt(const Operand& a, const Operand& b);
Tensor ge(const Operand& a, const Operand& b);

Tensor bitwise_and(const Operand& a, const Operand& b);  // Bool and Int64 only
Tensor bitwise_or(const Operand& a, const Operand& b);
Tensor bitwise_xor(const Operand& a, const Operand& b);
Tensor bitwise_not(const Tensor& x);
Tensor bitwise_left_shift(const Operand& a, const Operand& b);  // Int64 only; of the count its last 6 bits
Tensor bitwise_right_shift(const Operand& a, const Operand& b);
Tensor logical_and(const Operand& a, const Operand& b);
Tensor logical_or(const Operand& a, const Operand& b);
Tensor logical_xor(const Operand& a, const Operand& b);
Tensor logical_not(const Tensor& x);

/// What sub() refuses, for ops that scale an operand before they subtract it.
///   Errors: RuntimeError "sub.bool" for an operand of Bool.
void check_subtraction(const Operand& a, const Operand& b);

Tensor neg(const Tensor& x);
Tensor abs(const Tensor& x);
Tensor reciprocal(const Tensor& x);  // 1 / x; integers become float32
Tensor exp(const Tensor& x);         // integers become float32
Tensor log(const Tensor& x);
Tensor sqrt(const Tensor& x);
Tensor rsqrt(const Tensor& x);
Tensor sin(const Tensor& x);
Tensor cos(const Tensor& x);
Tensor tanh(const Tensor& x);
Tensor sigmoid(const Tensor& x);
Tensor relu(const Tensor& x);
Tensor isnan(const Tensor& x);
Tensor isinf(const Tensor& x);
Tensor isfinite(const Tensor& x);
/// Errors: RuntimeError when both bounds are missing.
Tensor clamp(const Tensor& x, const std::optional<Scalar>& min, const std::optional<Scalar>& max);

/// A mask as Bool: PyTorch 1.13 also takes one of the integers 0 and 1.
///   Errors: RuntimeError "masked_fill only supports boolean masks, ...", "Mask tensor can take 0 and 1 values only".
Tensor bool_mask(const Tensor& mask);

/// x where mask is false, value where it is true. mask broadcasts with x.
///   Errors: RuntimeError when mask is neither Bool nor of the integers 0 and 1, or value does not fit an integer x.
Tensor masked_fill(const Tensor& x, const Tensor& mask, const Operand& value);
Tensor where(const Tensor& condition, const Operand& a, const Operand& b);

/// x with another element type; a float becomes an integer by truncation. Always a copy, contiguous.
Tensor cast(const Tensor& x, DType dtype);
/// x.to(dtype): x itself when it has that type, else a copy that keeps the order of axes in memory, as PyTorch's does.
Tensor to(const Tensor& x, DType dtype);

/// Errors: RuntimeError "value.overflow" when a number is out of the range of the type: 1e40 as float32, inf as int64.
void check_fits(const Scalar& value, DType dtype);

/// Writes `value` (broadcast, cast) into every element of `target`, which may be any view.
///   Errors: RuntimeError when value's shape does not broadcast to target's ("broadcast", "assign.shape"), or several
///   elements of target are one place in memory, as after expand ("assign.overlap").
void assign(Tensor& target, const Tensor& value);

/// Writes `value`, of target's shape, where `mask` (as of masked_fill) is True and nowhere else. The elements that are
/// one place in memory should get one value: nothing is refused.
void assign_where(Tensor& target, const Tensor& mask, const Tensor& value);

}  // namespace attn
