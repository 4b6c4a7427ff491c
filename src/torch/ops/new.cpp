// Rows that make tensors and that create.cpp leaves out: in equal steps, in the type of another tensor, drawn.
#include <cmath>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/number.h"
#include "python/interpreter.h"
#include "tensor/core/read.h"
#include "tensor/core/scalar_type.h"
#include "tensor/core/walk.h"
#include "tensor/ops/arrange.h"
#include "tensor/ops/create.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/sample.h"
#include "text/unsupported.h"
#include "torch/axis_rules.h"
#include "torch/ops/families.h"
#include "torch/ops/functions.h"
#include "torch/ops/pieces.h"
#include "torch/ops/rows.h"
#include "torch/tensor_data.h"

namespace attn {
namespace {

// ---- in steps ----

// The type of a row of numbers; of more than one they are no Bool.
DType row_type(const OpCall& call) {
  const DType dtype = call.dtype("dtype").value_or(DType::Float32);
  if (dtype == DType::Bool && call.integer("steps") > 1)
    throw_not_implemented(std::string(call.info().name) + "_cpu", dtype);
  return dtype;
}

// Where a row of whole numbers begins or ends: at a whole number.
double end_of_row(const OpCall& call, const char* name, DType dtype) {
  const double number = call.real(name);
  if (is_floating(dtype) || dtype == DType::Bool) return number;
  const std::int64_t looked_at = name == std::string_view("start") ? 1 : 2;
  if (call.integer("steps") >= looked_at) check_fits(number, dtype);
  return std::trunc(number);
}

Value linspace_op(OpCall& call) {
  const DType dtype = row_type(call);
  return created(
      call, linspace(end_of_row(call, "start", dtype), end_of_row(call, "end", dtype), call.integer("steps"), dtype));
}
Value logspace_op(OpCall& call) {
  const DType dtype = row_type(call);
  if (call.integer("steps") == 1) {  // no row: a number, which is whole only in the end
    const double only = std::pow(call.real("base"), call.real("start"));
    check_fits(only, dtype);
    return created(call, full({1}, only, dtype));
  }
  const Tensor exponents =
      linspace(end_of_row(call, "start", dtype), end_of_row(call, "end", dtype), call.integer("steps"), DType::Float64);
  return created(call, cast(pow(Operand(call.real("base")), exponents), dtype));
}

template <Tensor (*F)(std::int64_t, std::int64_t, std::int64_t)>
Value triangle_op(OpCall& call) {
  const DType dtype = call.dtype("dtype").value_or(DType::Int64);
  if (size_of(dtype) < 2 || is_floating(dtype)) throw_not_implemented(std::string(call.info().name), dtype);
  const Tensor places = F(call.integer("row"), call.integer("col"), call.integer("offset"));
  return make_tensor(to(places, dtype));
}

// ---- in the type of another tensor ----

Value new_filled(OpCall& call, const Scalar& value) {
  const DType dtype = call.dtype("dtype").value_or(call.tensor("input").dtype());
  return created(call, full(call.ints("size"), value, dtype));
}
Value new_zeros_op(OpCall& call) { return new_filled(call, Scalar(std::int64_t{0})); }
Value new_ones_op(OpCall& call) { return new_filled(call, Scalar(std::int64_t{1})); }
Value new_full_op(OpCall& call) { return new_filled(call, call.number("fill_value")); }
Value new_tensor_op(OpCall& call) {
  return created(call, tensor_from(call.value("data"), call.dtype("dtype").value_or(call.tensor("input").dtype())));
}

// Stacks its size as the axes' names come along: `size` is the first parameter after the tensor.
Axes new_axes(const OpCall& call, const Tensor& output, std::size_t number) {
  return axis_rule::created(call, output, number);
}

// ---- drawn ----

Value multinomial_op(OpCall& call) {
  return make_tensor(
      multinomial(call.tensor("input"), call.integer("num_samples"), call.flag("replacement"), generator_of(call)));
}

Value bernoulli_in_place(OpCall& call) {
  require_writable(call);  // before anything is drawn
  if (is_number(call, "p"))
    return write_back(call, bernoulli(call.tensor("input"), call.real("p"), generator_of(call)));
  call.set_grad_fn("BernoulliBackward1");
  require_floating(call.tensor("p").dtype(), "bernoulli_tensor_cpu_p_");
  return write_back(call, bernoulli(call.tensor("input"), call.tensor("p"), generator_of(call)));
}

Value exponential_op(OpCall& call) {
  require_writable(call);
  exponential_(call.handle("input").tensor, call.real("lambd"), generator_of(call));
  return call.value("input");
}

Value randint_like_op(OpCall& call) {
  const Tensor& like = call.tensor("input");
  const std::int64_t low = call.optional_integer("low").value_or(0);
  const DType dtype = call.dtype("dtype").value_or(like.dtype());
  const Tensor drawn = randint(low, call.integer("high"), {like.numel()}, generator_of(call), dtype);
  return created(call, drawn.as_strided(like.shape(), empty_like(like, dtype).strides(), 0));  // in memory's order
}

// Whole numbers from `from` up to, but without, `to`.
Value random_in_place(OpCall& call) {
  if (!call.has("to")) throw unsupported(call.span(), "unsupported.op.random");
  if (!call.takes("from")) call.set_grad_fn("RandomBackward1");
  const std::int64_t from = call.optional_integer("from").value_or(0);
  const Tensor& x = call.tensor("input");
  return write_back(call, randint_like(from, call.integer("to"), x, generator_of(call)));
}

void check_spread(const Operand& std) {
  if (std.scalar() && to_double(*std.scalar()) < 0)
    throw TensorError("normal.std", Code::Value, "RuntimeError",
                      "normal expects std >= 0.0, but found std " + format_general(to_double(*std.scalar()), 6));
  if (!std.tensor()) return;
  for (const double spread : to_doubles(*std.tensor())) {
    look();
    if (!(spread >= 0))
      throw TensorError("normal.std", Code::Value, "RuntimeError", "normal expects all elements of std >= 0.0");
  }
}

// normal(mean, std, size), or element by element where one of the two is a tensor.
Value normal_op(OpCall& call) {
  if (call.has("size")) {
    Tensor out = Tensor::empty(call.ints("size"), call.dtype("dtype").value_or(DType::Float32));
    normal_(out, call.real("mean"), call.real("std"), generator_of(call));
    return created(call, out);
  }
  const Operand mean = call.operand("mean"), std = call.operand("std");
  if (!std.tensor()) call.set_grad_fn("NormalBackward1");
  if (!mean.tensor()) call.set_grad_fn("NormalBackward2");
  check_spread(std);
  const Shape shape = broadcast_shapes(mean.tensor() ? mean.tensor()->shape() : Shape(),
                                       std.tensor() ? std.tensor()->shape() : Shape());
  Tensor out = Tensor::empty(shape, (mean.tensor() ? mean.tensor() : std.tensor())->dtype());
  normal_(out, 0, 1, generator_of(call));
  return make_tensor(add(mean, mul(out, std)));
}

constexpr const char* kNewSizes = "(input: Tensor, *size: ints, " ATTN_OPTIONS;

const OpInfo kNewOps[] = {
    OpInfo("torch.linspace", "(start: Number, end: Number, steps: int, " ATTN_OPTIONS,
           "`steps` numbers from start to end in equal steps, both included.", "torch.linspace(0, 1, 5)", linspace_op,
           {.axes = axis_rule::none, .element = kSource}),
    OpInfo("torch.logspace", "(start: Number, end: Number, steps: int, base: float = 10.0, " ATTN_OPTIONS,
           "base to the power of numbers in equal steps.", "torch.logspace(0, 2, 3)", logspace_op,
           {.axes = axis_rule::none, .element = kSource}),
    OpInfo("torch.tril_indices",
           "(row: int, col: int, offset: int = 0, *, dtype: dtype? = None, device: device? = None)",
           "The indices of the lower triangle of a matrix: rows, then columns.", "torch.tril_indices(2, 2)",
           triangle_op<tril_indices>, {.axes = axis_rule::none, .element = kSource}),
    OpInfo("torch.triu_indices",
           "(row: int, col: int, offset: int = 0, *, dtype: dtype? = None, device: device? = None)",
           "The indices of the upper triangle of a matrix: rows, then columns.", "torch.triu_indices(2, 2)",
           triangle_op<triu_indices>, {.axes = axis_rule::none, .element = kSource}),
    OpInfo("Tensor.new_zeros", kNewSizes, "A tensor of zeros in the type of this one.", "torch.arange(3).new_zeros(2)",
           new_zeros_op, {.axes = new_axes, .element = kSource, .narrow = kMoves}),
    OpInfo("Tensor.new_ones", kNewSizes, "A tensor of ones in the type of this one.", "torch.arange(3).new_ones(2)",
           new_ones_op, {.axes = new_axes, .element = kSource, .narrow = kMoves}),
    OpInfo(
        "Tensor.new_empty", kNewSizes, "A tensor in the type of this one, for later use; here its numbers are zeros.",
        "torch.arange(3).new_empty(2).shape", new_zeros_op, {.axes = new_axes, .element = kSource, .narrow = kMoves}),
    OpInfo("Tensor.new_full", "(input: Tensor, size: shape, fill_value: Number, " ATTN_OPTIONS,
           "One number everywhere, in the type of this tensor.", "torch.arange(3).new_full((2,), 7)", new_full_op,
           kFilled, {.axes = new_axes, .element = kSource, .narrow = kMoves}),
    OpInfo("Tensor.new_tensor", "(input: Tensor, data: any, " ATTN_OPTIONS,
           "A tensor of the numbers in nested lists, in the type of this one.", "torch.arange(3).new_tensor([1, 2])",
           new_tensor_op, {.axes = axis_rule::none, .element = kSource, .narrow = kMoves}),
    OpInfo("torch.multinomial Tensor.multinomial", "(input: Tensor, num_samples: int, replacement: bool = False)",
           "Draws indices, each with a probability in proportion to its weight.",
           "torch.manual_seed(0)\ntorch.multinomial(torch.tensor([0.1, 0.2, 0.7]), 2)", multinomial_op,
           {.axes = axis_rule::none, .element = kRandom, .flags = kDraws}),
    OpInfo("Tensor.bernoulli_", "(input: Tensor, p: Operand = 0.5)", "Writes 1 with probability p, else 0, in place.",
           "torch.manual_seed(0)\ntorch.zeros(4).bernoulli_(0.5)", bernoulli_in_place,
           {.element = kRandom, .grad_fn = "BernoulliBackward2", .flags = kDrawsInPlace}),
    OpInfo("Tensor.exponential_", "(input: Tensor, lambd: float = 1.0)",
           "Fills the tensor with draws of an exponential distribution.",
           "torch.manual_seed(0)\ntorch.zeros(3).exponential_()", exponential_op,
           {.element = kRandom, .grad_fn = "ExponentialBackward0", .flags = kDrawsInPlace}),
    OpInfo("Tensor.random_", "(input: Tensor, to: int) | (input: Tensor, from: int, to: int) | (input: Tensor)",
           "Fills the tensor with random integers below `to`.", "torch.manual_seed(0)\ntorch.zeros(3).random_(10)",
           random_in_place, {.element = kRandom, .grad_fn = "RandomBackward0", .flags = kDrawsInPlace}),
    OpInfo("torch.randint_like",
           "(input: Tensor, high: int, " ATTN_OPTIONS " | (input: Tensor, low: int, high: int, " ATTN_OPTIONS,
           "Whole numbers from low (0) up to, but without, high, in the shape and type of another tensor.",
           "torch.manual_seed(0)\ntorch.randint_like(torch.zeros(3), 10)", randint_like_op,
           {.element = kRandom, .flags = kDraws}),
    OpInfo("torch.normal",
           "(mean: Tensor, std: Operand = 1) | (mean: Number, std: Tensor) | "
           "(mean: float, std: float, size: shape, " ATTN_OPTIONS,
           "Normal draws with this mean and standard deviation.", "torch.manual_seed(0)\ntorch.normal(0., 1., (2, 3))",
           normal_op, {.axes = axis_rule::created, .element = kRandom, .grad_fn = "NormalBackward3", .flags = kDraws}),
};

}  // namespace

std::span<const OpInfo> new_ops() { return kNewOps; }

}  // namespace attn
