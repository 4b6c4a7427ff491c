#include "torch/narrow_types.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "base/diagnostic.h"
#include "tensor/core/error.h"
#include "tensor/core/overlap.h"
#include "tensor/core/scalar_type.h"
#include "tensor/ops/create.h"
#include "tensor/ops/matmul_plan.h"
#include "tensor/ops/pointwise.h"
#include "text/unsupported.h"

namespace attn {
namespace {

Narrow treatment(const OpCall& call) {
  const NarrowRule& rule = call.info().narrow;
  std::optional<Narrow> common;
  for (const TensorObject* input : call.inputs()) {
    const DType dtype = input->tensor.dtype();
    if (!is_narrow(dtype)) continue;
    Narrow own = is_floating(dtype) ? rule.halves : rule.ints;
    if (own == Narrow::WideInt32 && dtype != DType::Int32) own = Narrow::Refused;
    if (own == Narrow::KeptBFloat16) own = dtype == DType::BFloat16 ? Narrow::Kept : Narrow::Refused;
    if (common && own != *common) return Narrow::Refused;
    common = own;
  }
  return common.value_or(Narrow::Refused);
}

}  // namespace

NarrowTypes::NarrowTypes(OpCall& call) : call_(call) {
  const TensorObject* narrow = nullptr;
  for (const TensorObject* input : call.inputs())
    if (is_narrow(input->tensor.dtype())) narrow = input;
  const auto dtype = call.dtype("dtype");
  const bool wants_narrow = dtype && is_narrow(*dtype) && call.info().narrow.ints != Narrow::Moved;
  if (!narrow && !wants_narrow) return;
  how_ = wants_narrow ? Narrow::Refused : treatment(call);
  const DType type = narrow ? narrow->tensor.dtype() : *dtype;
  const bool is_refused = how_ == Narrow::Refused;
  // PyTorch rounds alpha and the product with it in ways of their own.
  const bool scales = !is_refused && call.takes("alpha") && to_double(call.number("alpha")) != 1;
  if (is_refused || (scales && is_floating(type))) {
    throw unsupported(call.span(), is_floating(type) ? "unsupported.narrow.float" : "unsupported.narrow.whole",
                      {{"op", std::string(call.info().name) + (is_refused ? "" : "(alpha=...)")},
                       {"type", std::string(name_of(type))}});
  }
  const TensorObject* index = how_ == Narrow::Moved ? call.value("index").as<TensorObject>() : nullptr;
  if (index && is_narrow(index->tensor.dtype()) && index->tensor.dtype() != DType::UInt8)
    throw unsupported(call.span(), "unsupported.narrow.index");
}

// A number beside a narrow tensor has its type: it is rounded to it, or wraps; an exponent has to fit.
void NarrowTypes::widen_operand(std::string_view parameter) {
  const Value& value = call_.value(parameter);
  if (const TensorObject* object = value.as<TensorObject>()) {
    Tensor tensor = object->tensor;
    if (tensor.dtype() == DType::Bool) return;  // the op asks whether it is
    if (is_narrow(common_)) tensor = to(tensor, common_);
    tensor = to(tensor, wide_of(tensor.dtype()));
    if (tensor.shares_storage(object->tensor)) return;
    Ref<TensorObject> wide = make<TensorObject>(tensor);
    wide->axes = object->axes;
    wide->requires_grad = object->requires_grad;
    wide->grad_fn = object->grad_fn;
    wide->base = object->base;
    originals_.emplace_back(parameter, value);
    call_.replace(parameter, wide);
  } else if (const auto number = as_scalar(value); number && is_narrow(common_) && !value.as_bool()) {
    if (is_floating(common_)) {
      call_.replace(parameter, Value(static_cast<double>(narrowed(static_cast<float>(to_double(*number)), common_))));
    } else if (parameter == "exponent") {
      if (to_int(*number) > 0) check_fits(to_int(*number), common_);
    } else if (comes_narrow() || how_ == Narrow::Compared) {
      call_.replace(parameter, Value(narrowed(to_int(*number), common_)));
    }
  }
}

// alpha= is a number of the type of the sum; sub adds with the sign changed.
void NarrowTypes::check_alpha() const {
  const Scalar alpha = call_.number("alpha");
  if (!is_narrow(common_) || is_float(alpha)) return;
  const bool changes_sign = call_.info().name.starts_with("sub") && to_int(alpha) != INT64_MIN;
  check_fits(changes_sign ? Scalar(-to_int(alpha)) : alpha, common_);
}

namespace {

// Products do not promote. Those of nothing PyTorch lets pass.
void require_one_type(OpCall& call, const Tensor& a, const Tensor& b) {
  if (a.dtype() == b.dtype()) return;
  if (a.dim() == 1 && b.dim() == 1 && call.info().name != "mm") require_one_dtype_of_vectors(a.dtype(), b.dtype());
  const Shape shapes[] = {a.shape(), b.shape()};
  for (const std::size_t place : {0u, 1u})
    call.replace(call.parameters()[place].name, make<TensorObject>(zeros(shapes[place], DType::Float32)));
  call.info().function(call);  // says what is wrong with the shapes, which comes first
  if (a.numel() == 0 || b.numel() == 0) throw unsupported(call.span(), "unsupported.narrow.empty_product");
  if (a.dtype() == DType::Bool && b.dim() <= 2 && a.dim() == 2)
    throw_not_implemented(b.dim() == 1 ? "addmv_impl_cpu" : "addmm_impl_cpu_", a.dtype());
  const bool turns = a.dim() <= 2 && b.dim() > 2;  // PyTorch then multiplies the transposes
  throw TensorError("matmul.dtype", Code::Type, "RuntimeError",
                    fmt::format("expected scalar type {} but found {}", scalar_type_name((turns ? b : a).dtype()),
                                scalar_type_name((turns ? a : b).dtype())));
}

}  // namespace

void NarrowTypes::widen() {
  if (how_ == Narrow::Moved) return;
  if (call_.info().name == "topk" && call_.tensor("input").dtype() == DType::Float16)
    throw_not_implemented("topk_cpu", DType::Float16);
  const auto operand = [&](std::string_view name) -> std::optional<Operand> {
    if (const TensorObject* object = call_.value(name).as<TensorObject>()) return Operand(object->tensor);
    const auto number = as_scalar(call_.value(name));
    return number ? std::optional<Operand>(*number) : std::nullopt;
  };
  const auto& parameters = call_.parameters();
  const auto first = operand(parameters[0].name);
  const bool takes_two = how_ != Narrow::WideInt32 && parameters.size() > 1 &&
                         (parameters[1].type == "Tensor" || parameters[1].type == "Operand");
  const auto second = takes_two ? operand(parameters[1].name) : std::nullopt;
  if (call_.info().narrow.halves == Narrow::KeptBFloat16) require_one_type(call_, *first->tensor(), *second->tensor());
  if (first) common_ = second ? result_type(*first, *second) : first->tensor() ? first->tensor()->dtype() : common_;
  if (call_.takes("alpha")) check_alpha();
  widen_operand(parameters[0].name);
  if (takes_two) widen_operand(parameters[1].name);
  if (call_.takes("bias")) widen_operand("bias");
}

bool NarrowTypes::comes_narrow() const {
  const bool is_kept = how_ == Narrow::Kept || (how_ == Narrow::KeptIfRounded && call_.has("rounding_mode"));
  return is_kept && is_narrow(common_);
}

// The op wrote to the tensor that it was given in the place of a narrow one.
Value NarrowTypes::written(TensorObject& wide) const {
  TensorObject* const target = call_.inputs().front();
  if (&wide == target) return Ref<TensorObject>(target);
  if (is_floating(wide.tensor.dtype()) && !is_floating(target->tensor.dtype()))
    throw_cannot_cast(common_, target->tensor.dtype());
  for (const TensorObject* input : call_.inputs()) require_no_partial_overlap(target->tensor, input->tensor);
  assign(target->tensor, comes_narrow() ? to(wide.tensor, common_) : wide.tensor);
  return Ref<TensorObject>(target);
}

Value NarrowTypes::narrow(Value result) {
  for (auto& [parameter, value] : originals_) call_.replace(parameter, std::move(value));
  TensorObject* out = result.as<TensorObject>();
  if (how_ != Narrow::Moved && (call_.info().flags & kInPlace)) return written(*out);
  if (!comes_narrow()) return result;
  if (const Tuple* tuple = result.as<Tuple>(); tuple && !tuple->items.empty()) out = tuple->items[0].as<TensorObject>();
  if (out && out->tensor.dtype() == wide_of(common_)) out->tensor = to(out->tensor, common_);
  return result;
}

}  // namespace attn
