#include "torch/ops/functions.h"

#include <fmt/format.h>

#include "base/words.h"
#include "python/interpreter.h"
#include "tensor/core/error.h"
#include "tensor/core/overlap.h"
#include "tensor/core/scalar_type.h"

namespace attn {

Operand first_operand(const OpCall& call) {
  const Value &input = call.value("input"), &other = call.value("other");
  if (input.as_float() && other.as_float()) return Tensor::scalar(*input.as_float());
  return call.operand("input");
}

Generator& generator_of(OpCall& call) { return call.interpreter().generator(); }

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

namespace {

[[noreturn]] void refuse_leaf(bool through_view) {
  throw TensorError("inplace.leaf", Code::Runtime, "RuntimeError",
                    std::string(through_view ? "a view of " : "") +
                        "a leaf Variable that requires grad is being used in an in-place operation.");
}

// Gradients cannot pass through one of several views that were made at once.
void require_own_view(const TensorObject& target) {
  if (!has_word("SplitBackward0 SplitWithSizesBackward0 UnbindBackward0", target.grad_fn)) return;
  throw TensorError("inplace.many", Code::Runtime, "RuntimeError",
                    fmt::format("Output {} of {} is a view and is being modified inplace. This view is the output of a "
                                "function that returns multiple views. Such functions do not allow the output views to "
                                "be modified inplace. You should replace the inplace operation by an out-of-place one.",
                                target.output, target.grad_fn));
}

}  // namespace

void require_writable(OpCall& call, bool through_view) {
  const TensorObject& target = call.handle("input");
  if (!target.requires_grad || !call.interpreter().grad_enabled()) return;
  if (target.grad_fn.empty()) refuse_leaf(through_view);
  require_own_view(target);
  if (target.base && target.base->requires_grad && target.base->grad_fn.empty()) refuse_leaf(true);
}

namespace {

// Other views of the elements that are written to are not to be read.
void require_operands_apart(const OpCall& call) {
  const TensorObject* number = call.value("value").as<TensorObject>();  // of fill and masked_fill, read beforehand
  for (const TensorObject* input : call.inputs())
    if (input != number) require_no_partial_overlap(call.tensor("input"), input->tensor);
}

// The tensor to be written to.
Tensor& target_for(OpCall& call, const Tensor& result) {
  require_writable(call);
  Tensor& target = call.handle("input").tensor;
  if (result.shape() != target.shape()) {
    throw TensorError("inplace.shape", Code::Shape, "RuntimeError",
                      fmt::format("output with shape {} doesn't match the broadcast shape {}",
                                  shape_text(target.shape()), shape_text(result.shape())));
  }
  const bool loses = (is_floating(result.dtype()) && !is_floating(target.dtype())) ||
                     (result.dtype() != DType::Bool && target.dtype() == DType::Bool);
  if (loses) throw_cannot_cast(result.dtype(), target.dtype());
  require_operands_apart(call);
  return target;
}

}  // namespace

Value write_back(OpCall& call, const Tensor& result) {
  assign(target_for(call, result), result);
  return call.value("input");
}

Value write_back_where(OpCall& call, const Tensor& mask, const Tensor& result) {
  assign_where(target_for(call, result), mask, result);
  return call.value("input");
}

Tensor pure_result(OpCall& call) {
  require_writable(call);
  return call.info().pure->function(call).as<TensorObject>()->tensor;
}

std::vector<TensorObject*> only_tensors(const OpCall& call, std::string_view parameter, bool takes_list) {
  const std::vector<Value>* items = items_of(call.value(parameter));
  if (takes_list && items && items->size() == 1 && items_of(items->front())) items = items_of(items->front());
  for (std::size_t i = 0; items && i < items->size(); ++i) {
    if ((*items)[i].as<TensorObject>()) continue;
    throw TensorError(
        "tensors.type", Code::Type, "TypeError",
        fmt::format("expected Tensor as element {} in argument 0, but got {}", i, type_name((*items)[i])));
  }
  return call.handles(parameter);
}

void require_floating(DType dtype, std::string_view kernel) {
  if (!is_floating(dtype)) throw_not_implemented(std::string(kernel), dtype);
}

void refuse(std::string rule, Code code, std::string type, std::string text, std::vector<Fact> facts) {
  throw TensorError(std::move(rule), code, std::move(type), std::move(text), std::move(facts));
}

}  // namespace attn
