#include "torch/ops/operand_checks.h"

#include "python/interpreter.h"
#include "tensor/core/error.h"
#include "tensor/core/scalar_type.h"
#include "tensor/ops/zip.h"

namespace attn {

namespace {

void check_alpha(const Scalar& alpha, DType dtype) {
  if (std::holds_alternative<bool>(alpha) && dtype != DType::Bool)
    throw TensorError("alpha.bool", Code::Type, "RuntimeError", "Boolean alpha only supported for Boolean results.");
  if (is_float(alpha) && !is_floating(dtype))
    throw TensorError("alpha.float", Code::Type, "RuntimeError",
                      "For integral input tensors, argument alpha must not be a floating point number.");
}

}  // namespace

Operand scaled_other(const OpCall& call) {
  const Operand input = call.operand("input");
  Operand other = call.operand("other");
  const Scalar alpha = call.number("alpha");
  const DType dtype = result_type(input, other);
  broadcast_shapes(shape_of(input), shape_of(other));
  check_alpha(alpha, dtype);
  if (to_double(alpha) == 1) return other;
  if (other.tensor()) return mul(as_tensor(other, dtype), as_tensor(alpha, dtype));
  if (dtype == DType::Bool) return Scalar(to_double(alpha) != 0 && to_double(*other.scalar()) != 0);
  return is_float(alpha) || is_float(*other.scalar()) ? Scalar(to_double(alpha) * to_double(*other.scalar()))
                                                      : Scalar(to_int(alpha) * to_int(*other.scalar()));
}

void require_no_gradient(OpCall& call, const std::string& parameter, const std::string& kernel) {
  if (!call.has(parameter) || !call.handle(parameter).requires_grad || !call.interpreter().grad_enabled()) return;
  throw TensorError("gradient.argument", Code::Runtime, "RuntimeError",
                    "The function '" + kernel + "' is not differentiable with respect to argument '" + parameter +
                        "'. This input cannot have requires_grad True.");
}

void require_running(const OpCall& call, const std::string& kernel) {
  wrap_dim(call.integer("dim"), call.tensor("input").dim());
  if (call.dtype("dtype") == DType::Bool && call.tensor("input").dim() > 0 && call.tensor("input").numel() > 0)
    throw_not_implemented(kernel, DType::Bool);
}

std::string_view type_word(DType dtype) {
  constexpr std::string_view kWords[] = {"bool",      "unsigned char", "signed char", "short int",
                                         "uint16_t",  "int",           "uint32_t",    "long int",
                                         "c10::Half", "c10::BFloat16", "float",       "double"};
  return kWords[static_cast<std::size_t>(dtype)];
}

}  // namespace attn
