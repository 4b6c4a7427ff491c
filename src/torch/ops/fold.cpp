// Rows that fold axes and that reduce.cpp leaves out, running products, and short questions.
#include "base/diagnostic.h"
#include "tensor/core/error.h"
#include "tensor/core/scalar_type.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/norms.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "torch/axis_rules.h"
#include "torch/ops/families.h"
#include "torch/ops/functions.h"
#include "torch/ops/operand_checks.h"
#include "torch/ops/pieces.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

Value cumprod_op(OpCall& call) {
  require_running(call, "cumprod_out_cpu");
  const Tensor& x = call.tensor("input");
  const DType dtype = call.dtype("dtype").value_or(x.dtype() == DType::Bool ? DType::Int64 : x.dtype());
  return make_tensor(to(cumprod(to(x, dtype), call.integer("dim")), dtype));
}

Value logsumexp_op(OpCall& call) {
  const Tensor& x = call.tensor("input");
  if (call.ints("dim").empty() && x.dim() > 0 && x.numel() > 0 && !call.flag("keepdim"))
    throw TensorError(
        "logsumexp.dim", Code::Shape, "RuntimeError",
        "output with shape [] doesn't match the broadcast shape " + shape_text(Shape(x.shape().size(), 1)));
  return make_tensor(logsumexp(call.tensor("input"), call.ints("dim"), call.flag("keepdim")));
}
Value count_nonzero_op(OpCall& call) { return make_tensor(count_nonzero(call.tensor("input"), call.ints("dim"))); }

// (spread, mean) in one call.
template <Tensor (*F)(const Tensor&, const Shape&, bool, bool)>
Value spread_and_mean(OpCall& call) {
  const Tensor& x = call.tensor("input");
  const Shape dims = call.ints("dim");
  const bool keepdim = call.flag("keepdim");
  return tensor_tuple({F(x, dims, call.flag("unbiased"), keepdim), mean_in_double(x, dims, keepdim)});
}

Value aminmax_op(OpCall& call) {
  const Tensor& x = call.tensor("input");
  const Shape dims = call.ints("dim");
  const bool keepdim = call.flag("keepdim");
  const bool gains_axis = x.dim() == 0 && keepdim && call.has("dim");
  const auto fold = [&](auto reduce) {
    const Tensor out = reduce(x, dims, keepdim);
    return make_tensor(gains_axis ? unsqueeze(out, 0) : out);
  };
  return named_tuple("torch.return_types.aminmax", {{"min", fold(amin)}, {"max", fold(amax)}});
}

Value neighbor_differences(OpCall& call, const Value& input, std::int64_t axis) {
  const Tensor& x = input.as<TensorObject>()->tensor;
  const std::int64_t length = std::max<std::int64_t>(x.size(axis) - 1, 0);
  const auto part = [&](std::int64_t start) {
    return call.call("torch.narrow",
                     {input, int_value(axis), int_value(std::min(start, x.size(axis))), int_value(length)});
  };
  return call.call(x.dtype() == DType::Bool ? "torch.logical_xor" : "torch.sub", {part(1), part(0)});
}

void check_diff_part(const OpCall& call, const char* name) {
  if (!call.has(name)) return;
  const Tensor &x = call.tensor("input"), &part = call.tensor(name);
  const std::int64_t axis = wrap_dim(call.integer("dim"), x.dim());
  if (part.dim() != x.dim())
    throw TensorError("diff.parts", Code::Shape, "RuntimeError",
                      "diff expects prepend or append to be the same dimension as input");
  for (std::int64_t d = 0; d < x.dim(); ++d) {
    if (d == axis || part.size(d) == x.size(d)) continue;
    throw TensorError("diff.parts", Code::Shape, "RuntimeError", "");
  }
}

// The differences of neighbors along an axis, n times over.
Value diff_op(OpCall& call) {
  const Tensor& x = call.tensor("input");
  if (x.dim() == 0)
    throw TensorError("diff.dims", Code::Shape, "RuntimeError", "diff expects input to be at least one-dimensional");
  for (const char* name : {"prepend", "append"}) check_diff_part(call, name);
  const std::int64_t count = call.integer("n");
  if (count == 0) return last_step(call, call.call("torch.clone", {call.value("input")}));
  const std::int64_t axis = wrap_dim(call.integer("dim"), x.dim());
  std::vector<Value> parts;
  for (const char* name : {"prepend", "input", "append"})
    if (call.has(name)) parts.push_back(call.value(name));
  Value result = parts.size() == 1 ? parts[0] : call.call("torch.cat", {make_list(parts), int_value(axis)});
  for (std::int64_t i = 0; i < count && result.as<TensorObject>()->tensor.size(axis) > 0; ++i)
    result = neighbor_differences(call, result, axis);
  return composite(call, result, "SubBackward0");
}

// In place the type stays: what is counted in another one is refused.
template <Tensor (*F)(const Tensor&, std::int64_t)>
Value running_in_place(OpCall& call) {
  require_writable(call);
  const Tensor& x = call.tensor("input");
  wrap_dim(call.integer("dim"), x.dim());
  const DType own = call.inputs().front()->tensor.dtype(), dtype = call.dtype("dtype").value_or(own);
  if (dtype != own)
    throw TensorError("running.type", Code::Type, "RuntimeError",
                      "Bad in-place call: input tensor dtype " + std::string(short_name(own)) +
                          " and output tensor dtype " + std::string(short_name(dtype)) + " should match");
  if (x.dtype() == DType::Bool && x.dim() > 0 && x.numel() > 0)
    throw_not_implemented(std::string(call.info().name) + "out_cpu", DType::Bool);
  return write_back(call, to(F(x, call.integer("dim")), x.dtype()));
}

Value element_size_op(OpCall& call) { return int_value(size_of(call.tensor("input").dtype())); }
Value get_device_op(OpCall&) { return int_value(-1); }
Value is_complex_op(OpCall&) { return Value(false); }
Value is_nonzero_op(OpCall& call) { return Value(truthy(call.value("input"))); }

Value detach_in_place(OpCall& call) {
  TensorObject& handle = call.handle("input");
  handle.requires_grad = false;
  handle.grad_fn.clear();
  handle.history = {};
  handle.base = {};
  return call.value("input");
}

constexpr const char* kRunning = "(input: Tensor, dim: int, *, dtype: dtype? = None)";
constexpr const char* kSpreadAndMean =
    "(input: Tensor, unbiased: bool = True) | "
    "(input: Tensor, dim: ints?, unbiased: bool = True, keepdim: bool = False)";

const OpInfo kFoldOps[] = {
    OpInfo("torch.cumprod Tensor.cumprod", kRunning, "Running products along an axis.",
           "torch.cumprod(torch.tensor([1, 2, 3]), dim=0)", cumprod_op, "$* {upto}$",
           {.element = kReduce, .grad_fn = "CumprodBackward0"}),
    OpInfo("Tensor.cumsum_", kRunning, "Running sums along an axis, in place.", "torch.tensor([1, 2, 3]).cumsum_(0)",
           running_in_place<cumsum>, "$+ {upto}$",
           {.element = kReduce, .grad_fn = "CumsumBackward0", .flags = kInPlace, .narrow = kWidensInts}),
    OpInfo("Tensor.cumprod_", kRunning, "Running products along an axis, in place.",
           "torch.tensor([1, 2, 3]).cumprod_(0)", running_in_place<cumprod>, "$* {upto}$",
           {.element = kReduce, .grad_fn = "CumprodBackward0", .flags = kInPlace}),
    OpInfo("torch.logsumexp Tensor.logsumexp", "(input: Tensor, dim: ints, keepdim: bool = False)",
           "The logarithm of the sum of exp(x) along axes, computed without overflow.",
           "torch.logsumexp(torch.tensor([1000., 1000.]), dim=0)", logsumexp_op,
           "infinite: {largest} || {largest} + log($+ exp({e} - {largest})$)",
           {.axes = axis_rule::reduce, .element = kReduce, .grad_fn = "LogsumexpBackward0"}),
    OpInfo("torch.count_nonzero Tensor.count_nonzero", "(input: Tensor, dim: ints? = None)",
           "How many elements are not 0.", "torch.count_nonzero(torch.tensor([0, 1, 2]))", count_nonzero_op,
           "$+ ({e} != 0)$", {.axes = axis_rule::reduce, .element = kReduce, .narrow = kCompares}),
    OpInfo("torch.std_mean", kSpreadAndMean, "The standard deviation and the mean.",
           "torch.std_mean(torch.tensor([1., 2., 4.]))", spread_and_mean<std_dev>, ATTN_DEVIATION " ;; ($+ {e}$) / {n}",
           {.axes = axis_rule::reduce, .element = kReduce, .grad_fn = "StdMeanBackward0"}),
    OpInfo("torch.var_mean", kSpreadAndMean, "The variance and the mean.", "torch.var_mean(torch.tensor([1., 2., 4.]))",
           spread_and_mean<var>, ATTN_VARIANCE " ;; ($+ {e}$) / {n}",
           {.axes = axis_rule::reduce, .element = kReduce, .grad_fn = "VarMeanBackward0"}),
    OpInfo("torch.aminmax Tensor.aminmax", "(input: Tensor, *, dim: int? = None, keepdim: bool = False)",
           "The smallest and the largest element.", "torch.aminmax(torch.tensor([3, 1, 2]))", aminmax_op,
           "min($, {e}$) ;; max($, {e}$)",
           {.axes = axis_rule::reduce, .element = kReduce, .grad_fn = "NotImplemented"}),
    OpInfo("torch.diff Tensor.diff",
           "(input: Tensor, n: int = 1, dim: int = -1, prepend: Tensor? = None, append: Tensor? = None)",
           "The differences of neighbors along an axis.", "torch.diff(torch.tensor([1, 4, 9]))", diff_op,
           {.axes = axis_rule::none, .element = kComposite, .grad_fn = "SubBackward0"}),
    OpInfo("Tensor.element_size", kOne, "The bytes of one element.", "torch.zeros(2).element_size()", element_size_op,
           {.axes = axis_rule::none, .element = kQuery, .narrow = kMoves}),
    OpInfo("Tensor.get_device", kOne, "The number of the device: -1 for the CPU.", "torch.zeros(2).get_device()",
           get_device_op, {.axes = axis_rule::none, .element = kQuery}),
    OpInfo("torch.is_complex Tensor.is_complex", kOne, "Is the type complex? Here it never is.",
           "torch.zeros(2).is_complex()", is_complex_op, {.axes = axis_rule::none, .element = kQuery}),
    OpInfo("torch.is_nonzero Tensor.is_nonzero", kOne, "Is the only element not 0?", "torch.tensor([1]).is_nonzero()",
           is_nonzero_op, {.axes = axis_rule::none, .element = kQuery}),
    OpInfo("Tensor.detach_ torch.detach_", kOne, "Drops the gradient's history of this very tensor.",
           "torch.ones(2).detach_()", detach_in_place, kConverted),
};

}  // namespace

std::span<const OpInfo> fold_ops() { return kFoldOps; }

}  // namespace attn
