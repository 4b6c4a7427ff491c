// Rows that write into their first tensor, and so into everything that shares its storage.
#include <fmt/format.h>

#include "tensor/core/error.h"
#include "tensor/core/overlap.h"
#include "tensor/core/read.h"
#include "tensor/ops/create.h"
#include "tensor/ops/pointwise.h"
#include "torch/ops/families.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

Value fill_in_place(OpCall& call) {
  require_writable(call);
  Tensor& target = call.handle("input").tensor;
  const Operand value = call.operand("value");
  if (const Tensor* tensor = value.tensor()) {
    if (tensor->dim() > 0) {
      throw TensorError("fill.dims", Code::Shape, "RuntimeError",
                        fmt::format("fill_ only supports 0-dimension value tensor but got tensor with {} dimensions.",
                                    tensor->dim()));
    }
    assign(target, full({}, item(*tensor), target.dtype()));
  } else {
    assign(target, full({}, *value.scalar(), target.dtype()));
  }
  return call.value("input");
}

Value zero_in_place(OpCall& call) {
  require_writable(call);
  Tensor& target = call.handle("input").tensor;
  assign(target, zeros({}, target.dtype()));
  return call.value("input");
}

// A number as PyTorch makes a tensor of it where it wants one: what does not fit its target then wraps around.
Tensor number_tensor(const Scalar& number) {
  return full({}, number,
              std::holds_alternative<bool>(number) ? DType::Bool
              : is_float(number)                   ? DType::Float64
                                                   : DType::Int64);
}

Value copy_in_place(OpCall& call) {
  require_writable(call);
  Tensor& target = call.handle("input").tensor;
  const Operand source = call.operand("other");
  if (call.value("other").object() == call.value("input").object()) return call.value("input");
  require_no_internal_overlap(target);
  if (source.tensor()) require_no_partial_overlap(target, *source.tensor());
  assign(target, source.tensor() ? *source.tensor() : number_tensor(*source.scalar()));
  return call.value("input");
}

const OpInfo kInplaceOps[] = {
    OpInfo("Tensor.fill_", "(input: Tensor, value: Operand)", "Writes one value everywhere.", "torch.zeros(2).fill_(7)",
           fill_in_place, "bool: {value} != 0 || whole: int({value}) || {value}",
           {.grad_fn = "FillBackward2", .flags = kInPlace, .narrow = kMoves}),
    OpInfo("Tensor.zero_", kOne, "Writes 0 everywhere.", "torch.ones(2).zero_()", zero_in_place, "0",
           {.grad_fn = "ZeroBackward0", .flags = kInPlace, .narrow = kMoves}),
    OpInfo("Tensor.copy_", kOther, "Writes the elements of another tensor, broadcast and converted.",
           "torch.zeros(2, 2).copy_(torch.arange(2))", copy_in_place,
           "bool: {other} != 0 || whole: int({other}) || {other}",
           {.grad_fn = "CopyBackwards", .flags = kInPlace, .narrow = kMoves}),
};

}  // namespace

Value write_result(OpCall& call) { return write_back(call, pure_result(call)); }

std::span<const OpInfo> inplace_ops() { return kInplaceOps; }

}  // namespace attn
