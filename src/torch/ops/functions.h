#pragma once
// The shapes that the functions of rows come in: one tensor in and one out, two operands in and one out, and so on.
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/random.h"
#include "torch/op.h"

namespace attn {

template <Tensor (*F)(const Tensor&)>
Value unary(OpCall& call) {
  return make_tensor(F(call.tensor("input")));
}

/// The operand `input` of an op that has `other`, too. Of two Python floats the result is a float64, as PyTorch finds
/// their types equal and looks no further.
Operand first_operand(const OpCall& call);

template <Tensor (*F)(const Operand&, const Operand&)>
Value binary(OpCall& call) {
  return make_tensor(F(first_operand(call), call.operand("other")));
}

inline bool is_number(const OpCall& call, std::string_view parameter) { return call.value(parameter).is_number(); }

/// A tensor with grad_fn's name for this call.
inline Value differentiable(OpCall& call, Tensor tensor, std::string_view grad_fn) {
  call.set_grad_fn(grad_fn);
  return make_tensor(std::move(tensor));
}

/// The run's generator of random numbers.
Generator& generator_of(OpCall& call);

/// The result of a creation function, with its requires_grad=. RuntimeError for integer tensors.
Value created(OpCall& call, Tensor tensor);

/// Refuses to write into a leaf that wants a gradient, or into a view of it, as PyTorch does.
void require_writable(OpCall& call, bool through_view = false);

/// Writes `result` into the tensor of `input` and returns that very object.
///   Errors: RuntimeError when the shape would grow or the type would not fit.
Value write_back(OpCall& call, const Tensor& result);
/// The same for ops that leave the elements alone where `mask` is False: these may write to a stretched tensor.
Value write_back_where(OpCall& call, const Tensor& mask, const Tensor& result);

/// Of an op that follows from a row's `in_place`: what the function of that row gives. Errors: a tensor that may not be
/// written to, before anything else is looked at.
Tensor pure_result(OpCall& call);

/// Refuses what an op has no kernel for: '"normal_kernel_cpu" not implemented for 'Long''.
void require_floating(DType dtype, std::string_view kernel);

/// Throws a TensorError.
[[noreturn]] void refuse(std::string rule, Code code, std::string type, std::string text, std::vector<Fact> facts = {});

}  // namespace attn
