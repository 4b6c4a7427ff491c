// Rows of functions of each element by itself that pointwise.cpp leaves out: logarithms, angles, rounding, shifts,
// and sums of products.
#include "tensor/core/error.h"
#include "tensor/core/scalar_type.h"
#include "tensor/core/walk.h"
#include "tensor/ops/create.h"
#include "tensor/ops/moments.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/special.h"
#include "tensor/ops/zip.h"
#include "torch/ops/families.h"
#include "torch/ops/pieces.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

Value round_op(OpCall& call) {
  if (!call.takes("decimals")) return make_tensor(round(call.tensor("input")));
  const std::int64_t decimals = call.integer("decimals");
  require_floating(call.tensor("input").dtype(), decimals == 0 ? "round_vml_cpu" : "round_cpu");
  return differentiable(call, round(call.tensor("input"), decimals), decimals ? "RoundBackward1" : "RoundBackward0");
}

Value logit_op(OpCall& call) {
  const Tensor& given = call.tensor("input");
  Tensor x = is_floating(given.dtype()) ? given : to(given, DType::Float32);
  if (call.has("eps")) x = clamp(x, Scalar(call.real("eps")), Scalar(1 - call.real("eps")));
  return make_tensor(log(div(x, sub(1.0, x))));
}

Value positive_op(OpCall& call) {
  if (call.tensor("input").dtype() == DType::Bool)
    throw CellError(Code::Runtime, call.span(), "The `+` operator, on a bool tensor is not supported.");
  return call.value("input");
}

constexpr double kRadians = 0.017453292519943295;  // in a degree
Value deg2rad_op(OpCall& call) { return make_tensor(mul(call.tensor("input"), kRadians)); }
Value rad2deg_op(OpCall& call) { return make_tensor(mul(call.tensor("input"), 1 / kRadians)); }

Value fmod_op(OpCall& call) {
  if (!is_number(call, "other")) call.set_grad_fn("FmodBackward1");
  return make_tensor(fmod(call.tensor("input"), call.operand("other")));
}

template <Tensor (*F)(const Tensor&, const Tensor&)>
Value two_tensors(OpCall& call) {
  return make_tensor(F(call.tensor("input"), call.tensor("other")));
}

// clamp_min(x, 0): one bound, a number or a tensor.
template <bool kLow>
Value clamp_one_op(OpCall& call) {
  const Tensor& x = call.tensor("input");
  const char* name = kLow ? "min" : "max";
  if (!is_number(call, name)) call.set_grad_fn(kLow ? "ClampMinBackward1" : "ClampMaxBackward1");
  if (!is_number(call, name)) return make_tensor(kLow ? maximum(x, call.tensor(name)) : minimum(x, call.tensor(name)));
  const Scalar bound = call.number(name);
  const bool is_nan = std::visit([](auto number) { return number != number; }, bound);
  if (is_nan) return make_tensor(clamp(x, bound, bound));  // NaN throughout, where clamp with one bound passes over it
  return make_tensor(kLow ? clamp(x, bound, std::nullopt) : clamp(x, std::nullopt, bound));
}

Value addcmul_op(OpCall& call) {
  const Tensor &input = call.tensor("input"), &a = call.tensor("tensor1"), &b = call.tensor("tensor2");
  const DType dtype = result_type({input, a, b});
  if (dtype == DType::Bool) throw_not_implemented("addcmul_cpu_out", dtype);
  // PyTorch takes value= as a number of the tensors' type: 2.5 counts as 2 for integers.
  Scalar value = call.number("value");
  if (!is_floating(dtype)) {
    check_fits(value, DType::Int64);
    value = Scalar(to_int(value));
  }
  const Tensor first = to(a, dtype), factor = to_double(value) == 1 ? first : mul(first, value);
  if (!is_floating(dtype)) return make_tensor(add(input, mul(factor, to(b, dtype))));
  return make_tensor(multiply_add(factor, to(b, dtype), to(input, dtype)));
}

Value addcdiv_op(OpCall& call) {
  const Tensor &input = call.tensor("input"), &a = call.tensor("tensor1"), &b = call.tensor("tensor2");
  if (!is_floating(a.dtype()) && !is_floating(b.dtype()))
    throw TensorError("addcdiv.dtype", Code::Type, "RuntimeError", "");
  const Scalar value = call.number("value");
  const DType dtype = result_type({input, a, b});
  const Tensor dividend = to(a, dtype);
  return make_tensor(add(input, div(to_double(value) == 1 ? dividend : mul(dividend, value), to(b, dtype))));
}

void check_lerp(const Tensor& x, const Tensor& other) {
  if (x.dtype() != other.dtype()) throw TensorError("lerp.dtype", Code::Type, "RuntimeError", "");
}

Value lerp_op(OpCall& call) {
  const Tensor &start = call.tensor("input"), &end = call.tensor("end");
  check_lerp(start, end);
  const bool has_number = is_number(call, "weight");
  if (!has_number) {
    check_lerp(start, call.tensor("weight"));
    call.set_grad_fn("LerpBackward1");
  }
  require_floating(start.dtype(), has_number ? "lerp_kernel_scalar" : "lerp_kernel_tensor");
  const Tensor result = lerp(start, end, as_tensor(call.operand("weight"), start.dtype()));
  if (has_number) return make_tensor(result);
  // The order of axes is that of start and end first, not that of the comparison inside.
  Tensor out = empty_strided(result.shape(), result.dtype(),
                             result_strides(result.shape(), {&start, &end, &call.tensor("weight")}));
  assign(out, result);
  return make_tensor(std::move(out));
}

// addcmul_ and addcdiv_ do not convert what they add.
Value added_in_place(OpCall& call) {
  const Tensor result = pure_result(call);
  const DType dtype = call.tensor("input").dtype();
  if (is_floating(dtype) && result.dtype() != dtype)
    throw TensorError("inplace.type", Code::Type, "RuntimeError",
                      std::string(call.info().name) + "(): result type " + scalar_type_name(result.dtype()) +
                          " is not the type of the tensor, " + scalar_type_name(dtype));
  return write_back(call, result);
}

Value nan_to_num_op(OpCall& call) {
  const Tensor& x = call.tensor("input");
  NumberBounds numbers = bounds_of(x.dtype());
  if (call.has("nan")) numbers.nan = call.real("nan");
  if (call.has("posinf")) numbers.high = call.real("posinf");
  if (call.has("neginf")) numbers.low = call.real("neginf");
  return make_tensor(nan_to_num(x, numbers));
}

// log(exp(a) + exp(b)) without overflow.
Value logaddexp_op(OpCall& call) {
  const DType common = result_type(call.tensor("input"), call.tensor("other"));
  require_floating(common, "logaddexp_cpu");
  const Tensor a = to(call.tensor("input"), common), b = to(call.tensor("other"), common);
  const Tensor larger = maximum(a, b);
  const Tensor distance = abs(sub(a, b));
  const Tensor sum = add(larger, log1p(exp(neg(distance))));
  return make_tensor(where(logical_and(isinf(a), eq(a, b)), a, sum));
}

constexpr const char* kAddProduct = "(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1)";
constexpr const char* kLerp = "(input: Tensor, end: Tensor, weight: Operand)";

const OpInfo kMathOps[] = {
    OpInfo("torch.erf Tensor.erf torch.special.erf", kOne, "The error function, between -1 and 1.",
           "torch.erf(torch.tensor([-1., 0., 1.]))", unary<erf>, {.grad_fn = "ErfBackward0"}),
    OpInfo("torch.erfinv Tensor.erfinv torch.special.erfinv", kOne, "The inverse of the error function.",
           "torch.erfinv(torch.tensor([-0.5, 0., 0.5]))", unary<erfinv>, {.grad_fn = "ErfinvBackward0"},
           {"Tensor.erfinv_", "The inverse of the error function, in place.", "torch.tensor([0.5]).erfinv_()"}),
    OpInfo("torch.log2 Tensor.log2", kOne, "The logarithm to base 2.", "torch.log2(torch.tensor([1., 8.]))",
           unary<log2>, {.grad_fn = "Log2Backward0"}),
    OpInfo("torch.log10 Tensor.log10", kOne, "The logarithm to base 10.", "torch.log10(torch.tensor([1., 1000.]))",
           unary<log10>, {.grad_fn = "Log10Backward0"}),
    OpInfo("torch.log1p Tensor.log1p", kOne, "log(1 + x), exact for small x too.",
           "torch.log1p(torch.tensor([0., 1e-8]))", unary<log1p>, {.grad_fn = "Log1PBackward0"}),
    OpInfo("torch.expm1 Tensor.expm1", kOne, "exp(x) - 1, exact for small x too.",
           "torch.expm1(torch.tensor([0., 1e-8]))", unary<expm1>, {.grad_fn = "Expm1Backward0"}),
    OpInfo("torch.exp2 Tensor.exp2", kOne, "2 to the power of each element.", "torch.exp2(torch.tensor([0., 3.]))",
           unary<exp2>, "2 ** {input}", {.grad_fn = "Exp2Backward0"}),
    OpInfo("torch.logit Tensor.logit torch.special.logit", "(input: Tensor, eps: float? = None)",
           "log(x / (1 - x)), the inverse of sigmoid; eps= keeps x between eps and 1 - eps.",
           "torch.logit(torch.tensor([0.2, 0.5, 0.9]))", logit_op,
           "eps!: log(min(max({input}, {eps}), 1 - {eps}) / (1 - min(max({input}, {eps}), 1 - {eps}))) || log({input} "
           "/ (1 - {input}))",
           {.grad_fn = "LogitBackward0"}),
    OpInfo("torch.positive Tensor.positive", kOne, "The tensor itself; `+x`.",
           "torch.positive(torch.tensor([1., -2.]))", positive_op, kConverted, {.narrow = kMoves}),
    OpInfo("torch.deg2rad Tensor.deg2rad", kOne, "Degrees as radians.", "torch.deg2rad(torch.tensor([90., 180.]))",
           deg2rad_op, "{input} * 0.017453292519943295", {.grad_fn = "Deg2RadBackward0"}),
    OpInfo("torch.rad2deg Tensor.rad2deg", kOne, "Radians as degrees.", "torch.rad2deg(torch.tensor([0., 3.1415927]))",
           rad2deg_op, "{input} / 0.017453292519943295", {.grad_fn = "Rad2DegBackward0"}),
    OpInfo("torch.tan Tensor.tan", kOne, "The tangent of an angle in radians.", "torch.tan(torch.tensor([0., 1.]))",
           unary<tan>, {.grad_fn = "TanBackward0"}),
    OpInfo("torch.asin torch.arcsin Tensor.asin Tensor.arcsin", kOne, "The angle whose sine is the element.",
           "torch.asin(torch.tensor([0., 1.]))", unary<asin>, {.grad_fn = "AsinBackward0"}),
    OpInfo("torch.acos torch.arccos Tensor.acos Tensor.arccos", kOne, "The angle whose cosine is the element.",
           "torch.acos(torch.tensor([0., 1.]))", unary<acos>, {.grad_fn = "AcosBackward0"}),
    OpInfo("torch.atan torch.arctan Tensor.atan Tensor.arctan", kOne, "The angle whose tangent is the element.",
           "torch.atan(torch.tensor([0., 1.]))", unary<atan>, {.grad_fn = "AtanBackward0"}),
    OpInfo("torch.atan2 torch.arctan2 Tensor.atan2 Tensor.arctan2", kTensors, "The angle of the point (other, input).",
           "torch.atan2(torch.tensor([1.]), torch.tensor([-1.]))", two_tensors<atan2>, "atan2({input}, {other})",
           {.grad_fn = "Atan2Backward0"}),
    OpInfo("torch.sinh Tensor.sinh", kOne, "(exp(x) - exp(-x)) / 2.", "torch.sinh(torch.tensor([0., 1.]))", unary<sinh>,
           "(exp({input}) - exp(-{input})) / 2", {.grad_fn = "SinhBackward0"}),
    OpInfo("torch.cosh Tensor.cosh", kOne, "(exp(x) + exp(-x)) / 2.", "torch.cosh(torch.tensor([0., 1.]))", unary<cosh>,
           "(exp({input}) + exp(-{input})) / 2", {.grad_fn = "CoshBackward0"}),
    OpInfo("torch.floor Tensor.floor", kOne, "The next whole number below.", "torch.floor(torch.tensor([1.5, -1.5]))",
           unary<floor>, {.grad_fn = "FloorBackward0"},
           {"Tensor.floor_ torch.floor_", "Rounds down in place.", "torch.tensor([1.5]).floor_()"}),
    OpInfo("torch.ceil Tensor.ceil", kOne, "The next whole number above.", "torch.ceil(torch.tensor([1.5, -1.5]))",
           unary<ceil>, {.grad_fn = "CeilBackward0"},
           {"Tensor.ceil_ torch.ceil_", "Rounds up in place.", "torch.tensor([1.5]).ceil_()"}),
    OpInfo("torch.trunc torch.fix Tensor.trunc Tensor.fix", kOne, "The number without its fraction.",
           "torch.trunc(torch.tensor([1.5, -1.5]))", unary<trunc>, {.grad_fn = "TruncBackward0"}),
    OpInfo("torch.round Tensor.round", "(input: Tensor) | (input: Tensor, *, decimals: int)",
           "The nearest whole number; a half goes to the even one. decimals= keeps that many places.",
           "torch.round(torch.tensor([0.5, 1.5, 2.6]))", round_op,
           "decimals!: round({input}, {decimals}) || round({input})", {.grad_fn = "RoundBackward0"},
           {"Tensor.round_ torch.round_", "Rounds in place.", "torch.tensor([1.7]).round_()"}),
    OpInfo("torch.frac Tensor.frac", kOne, "The fraction, with the sign of the number.",
           "torch.frac(torch.tensor([1.5, -1.25]))", unary<frac>, "{input} - trunc({input})",
           {.grad_fn = "FracBackward0"}),
    OpInfo("torch.sign Tensor.sign", kOne, "1, 0 or -1: the sign of the element.",
           "torch.sign(torch.tensor([2., 0., -3.]))", unary<sign>, "({input} > 0) - ({input} < 0)",
           {.grad_fn = "SignBackward0"}),
    OpInfo("torch.sgn Tensor.sgn", kOne, "The same as sign, for real numbers.",
           "torch.sgn(torch.tensor([2., 0., -3.]))", unary<sign>, "({input} > 0) - ({input} < 0)",
           {.grad_fn = "SgnBackward0"}),
    OpInfo("torch.fmod Tensor.fmod", kOther, "What is left after division, with the sign of the dividend.",
           "torch.fmod(torch.tensor([7., -7.]), 3)", fmod_op, "fmod({input}, {other})", {.grad_fn = "FmodBackward0"}),
    OpInfo("torch.fmax Tensor.fmax", kTensors, "The larger of two elements; of a number and nan the number.",
           "torch.fmax(torch.tensor([1., float('nan')]), torch.tensor([2., 2.]))", two_tensors<fmax>,
           {.grad_fn = "FmaxBackward0"}),
    OpInfo("torch.fmin Tensor.fmin", kTensors, "The smaller of two elements; of a number and nan the number.",
           "torch.fmin(torch.tensor([1., float('nan')]), torch.tensor([2., 2.]))", two_tensors<fmin>,
           {.grad_fn = "FminBackward0"}),
    OpInfo("torch.clamp_min Tensor.clamp_min", "(input: Tensor, min: Operand)", "Each element, but at least min.",
           "torch.arange(4).clamp_min(2)", clamp_one_op<true>, "max({input}, {min})", {.grad_fn = "ClampMinBackward0"},
           {"Tensor.clamp_min_ torch.clamp_min_", "Raises each element to min at least, in place.",
            "torch.arange(4).clamp_min_(2)"}),
    OpInfo("torch.clamp_max Tensor.clamp_max", "(input: Tensor, max: Operand)", "Each element, but at most max.",
           "torch.arange(4).clamp_max(2)", clamp_one_op<false>, "min({input}, {max})", {.grad_fn = "ClampMaxBackward0"},
           {"Tensor.clamp_max_ torch.clamp_max_", "Lowers each element to max at most, in place.",
            "torch.arange(4).clamp_max_(2)"}),
    OpInfo("torch.addcmul Tensor.addcmul", kAddProduct, "input + value * tensor1 * tensor2.",
           "torch.addcmul(torch.ones(2), torch.ones(2), torch.arange(2.), value=0.5)", addcmul_op,
           "whole: {input} + int({value}) * {tensor1} * {tensor2} || value!: {input} + {value} * {tensor1} * {tensor2} "
           "|| {input} + {tensor1} * {tensor2}",
           {.grad_fn = "AddcmulBackward0"},
           {"Tensor.addcmul_", "Adds value * tensor1 * tensor2 in place.",
            "torch.ones(2).addcmul_(torch.ones(2), torch.arange(2.))", added_in_place}),
    OpInfo("torch.addcdiv Tensor.addcdiv", kAddProduct, "input + value * tensor1 / tensor2.",
           "torch.addcdiv(torch.ones(2), torch.ones(2), torch.tensor([2., 4.]))", addcdiv_op,
           "value!: {input} + {value} * {tensor1} / {tensor2} || {input} + {tensor1} / {tensor2}",
           {.grad_fn = "AddcdivBackward0"},
           {"Tensor.addcdiv_", "Adds value * tensor1 / tensor2 in place.",
            "torch.ones(2).addcdiv_(torch.ones(2), torch.tensor([2., 4.]))", added_in_place}),
    OpInfo("torch.lerp Tensor.lerp", kLerp, "Between two tensors: input + weight * (end - input).",
           "torch.lerp(torch.zeros(2), torch.ones(2), 0.25)", lerp_op, "{input} + {weight} * ({end} - {input})",
           {.grad_fn = "LerpBackward0"},
           {"Tensor.lerp_", "Moves towards another tensor in place.", "torch.zeros(2).lerp_(torch.ones(2), 0.25)"}),
    OpInfo("torch.logaddexp Tensor.logaddexp", kTensors, "log(exp(a) + exp(b)), computed without overflow.",
           "torch.logaddexp(torch.tensor([0., 1000.]), torch.tensor([0., 1000.]))", logaddexp_op,
           "max({input}, {other}) + log(1 + exp(-abs({input} - {other})))", {.grad_fn = "LogaddexpBackward0"}),
    OpInfo("torch.nan_to_num Tensor.nan_to_num",
           "(input: Tensor, nan: float? = None, posinf: float? = None, neginf: float? = None)",
           "nan becomes 0 and an infinity the largest number, or what is said.",
           "torch.nan_to_num(torch.tensor([1., float('nan')]))", nan_to_num_op, {.grad_fn = "NanToNumBackward0"}),
};

}  // namespace

std::span<const OpInfo> math_ops() { return kMathOps; }

}  // namespace attn
