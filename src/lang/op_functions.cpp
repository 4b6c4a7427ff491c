#include "lang/op_functions.h"

#include <fmt/format.h>

#include "lang/interpreter.h"
#include "tensor/error.h"
#include "tensor/overlap.h"
#include "tensor/scalar_type.h"

namespace attn {

Value created(OpCall& call, Tensor tensor) {
  const bool requires_grad = call.flag("requires_grad");
  if (requires_grad && !is_floating(tensor.dtype())) {
    throw TensorError("requires_grad.type", Code::Runtime, "RuntimeError",
                      "Only Tensors of floating point and complex dtype can require gradients");
  }
  Ref<TensorObject> object = make<TensorObject>(std::move(tensor));
  object->requires_grad = requires_grad;
  return object;
}

void require_writable(OpCall& call, bool through_view) {
  const TensorObject& target = call.handle("input");
  if (!target.requires_grad || !target.grad_fn.empty() || !call.interpreter().grad_enabled()) return;
  throw TensorError("inplace.leaf", Code::Runtime, "RuntimeError",
                    std::string(through_view ? "a view of " : "") +
                        "a leaf Variable that requires grad is being used in an in-place operation.");
}

Value write_back(OpCall& call, const Tensor& result) {
  require_writable(call);
  Tensor& target = call.handle("input").tensor;
  if (result.shape() != target.shape()) {
    throw TensorError("inplace.shape", Code::Shape, "RuntimeError",
                      fmt::format("output with shape {} doesn't match the broadcast shape {}",
                                  shape_text(target.shape()), shape_text(result.shape())));
  }
  const bool loses = (is_floating(result.dtype()) && !is_floating(target.dtype())) ||
                     (result.dtype() != DType::Bool && target.dtype() == DType::Bool);
  if (loses) {
    throw TensorError("inplace.type", Code::Runtime, "RuntimeError",
                      fmt::format("result type {} can't be cast to the desired output type {}",
                                  scalar_type_name(result.dtype()), scalar_type_name(target.dtype())));
  }
  for (const TensorObject* input : call.inputs()) require_no_partial_overlap(target, input->tensor);
  assign(target, result);
  return call.value("input");
}

void require_floating(DType dtype, std::string_view kernel) {
  if (!is_floating(dtype)) throw_not_implemented(std::string(kernel), dtype);
}

}  // namespace attn
