// Rows of lengths of vectors, and of what is divided by them. All but the norms are composites of recorded steps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/diagnostic.h"
#include "base/number.h"
#include "tensor/core/error.h"
#include "tensor/core/scalar_type.h"
#include "tensor/ops/create.h"
#include "tensor/ops/math_functions.h"
#include "tensor/ops/norms.h"
#include "tensor/ops/pointwise.h"
#include "text/unsupported.h"
#include "torch/axis_rules.h"
#include "torch/ops/families.h"
#include "torch/ops/functions.h"
#include "torch/ops/pieces.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

Tensor norm_input(const OpCall& call, const char* name) {
  const Tensor& x = call.tensor(name);
  if (!call.has("dtype")) return x;
  const DType dtype = *call.dtype("dtype");
  if (!is_floating(dtype))
    refuse("norm.dtype", Code::Type, "RuntimeError",
           fmt::format("{}: dtype should be floating point or complex, but got {}", call.info().name,
                       scalar_type_name(dtype)));
  if (name[0] != 'i' && dtype < x.dtype())  // torch.norm does narrow
    refuse("norm.dtype", Code::Type, "RuntimeError",
           fmt::format("linalg.vector_norm: the dtype of the input ({}) should be convertible without narrowing to the "
                       "specified dtype ({})",
                       scalar_type_name(x.dtype()), scalar_type_name(dtype)));
  return to(x, dtype);
}

double order_of(const OpCall& call, const char* name) {
  if (const auto order = as_real(call.value(name))) return *order;
  throw TensorError("norm.p", Code::Type, "TypeError",
                    fmt::format("{}() received an invalid combination of arguments: {} is of type {}", call.info().name,
                                name, type_name(call.value(name))));
}

Value norm_op(OpCall& call) {
  double p = 2;
  if (const auto* text = call.value("p").as<Str>()) {
    if (text->text == "nuc") throw unsupported(call.span(), "unsupported.op.nuclear");
    if (text->text != "fro")
      refuse("norm.p", Code::Value, "RuntimeError",
             "only valid string values are 'fro' and 'nuc', found " + text->text);
    if (call.has("dtype"))
      throw TensorError("norm.dtype", Code::Value, "ValueError", "dtype argument is not supported in frobenius norm");
  } else if (call.has("p")) {
    p = order_of(call, "p");
  }
  const Tensor x = norm_input(call, "input");
  if (call.value("p").as<Str>() && call.ints("dim").size() > 2)
    refuse("norm.dims", Code::Value, "RuntimeError",
           fmt::format("Expected at most 2 dimensions, but got {} dimensions instead.", call.ints("dim").size()));
  if (call.value("p").as<Str>() && call.ints("dim").size() == 2)
    for (const std::int64_t dim : call.ints("dim")) axis_of(dim, x.dim());
  if (!is_floating(x.dtype()))
    refuse("norm.type", Code::Type, "RuntimeError",
           "norm(): input dtype should be either floating point or complex. Got " + scalar_type_name(x.dtype()) +
               " instead.");
  if (call.value("p").as_bool() && x.numel() > 0)
    refuse("norm.p", Code::Value, "RuntimeError",
           "norm_kernel_tensor_iterator_impl expects norm to be integer or float");
  return make_tensor(vector_norm(x, p, call.ints("dim"), call.flag("keepdim")));
}

// The largest and the smallest size, and what a negative power of 0 gives, do not exist of nothing.
void check_elements(const Tensor& x, double order, const Shape& dims) {
  if (x.numel() > 0 || !(order < 0 || order == math::kInfinity)) return;
  const std::string start = fmt::format("linalg.vector_norm cannot compute the {} norm on ", format_general(order, 6));
  if (dims.empty())
    refuse("reduce.empty", Code::Value, "RuntimeError",
           start + "an empty tensor because the operation does not have an identity");
  for (const std::int64_t dim : dims)
    if (x.size(wrap_dim(dim, x.dim())) == 0)
      refuse(
          "reduce.empty", Code::Value, "RuntimeError",
          fmt::format("{}the dimension {}because this dimension is empty and the operation does not have an identity",
                      start, dim));
}

Value length_of_vector(OpCall& call, const char* name, double order) {
  const Tensor& x = call.tensor(name);
  if (!is_floating(x.dtype()))
    refuse(
        "norm.type", Code::Type, "RuntimeError",
        "linalg.vector_norm: Expected a floating point or complex tensor as input. Got " + scalar_type_name(x.dtype()));
  const Tensor wide = norm_input(call, name);
  check_elements(wide, order, call.ints("dim"));
  return make_tensor(vector_norm(wide, order, call.ints("dim"), call.flag("keepdim")));
}

Value vector_norm_op(OpCall& call) { return length_of_vector(call, "x", call.real("ord")); }

void check_norm_dims(const OpCall& call) {
  const Tensor& x = call.tensor("A");
  const Shape dims = call.ints("dim");
  if (call.has("dim") && dims.size() != 1 && dims.size() != 2)
    refuse("norm.dims", Code::Value, "RuntimeError",
           "linalg.norm: If dim is specified, it must be of length 1 or 2. Got " + shape_text(dims));
  if (!call.has("dim") && call.has("ord") && x.dim() != 1 && x.dim() != 2)
    refuse(
        "norm.dims", Code::Shape, "RuntimeError",
        fmt::format("linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {}D.", x.dim()));
}

void check_matrix_norm(const Tensor& x, const Shape& dims) {
  if (x.dim() < 2)
    refuse("norm.matrix", Code::Shape, "RuntimeError",
           "linalg.matrix_norm: The input tensor A must have at least 2 dimensions.");
  if (dims.size() != 2)
    refuse("norm.matrix", Code::Value, "RuntimeError",
           fmt::format("linalg.matrix_norm: dim must be a 2-tuple. Got {}", dims[0]));
  if (!is_floating(x.dtype()))
    refuse(
        "norm.type", Code::Type, "RuntimeError",
        "linalg.matrix_norm: Expected a floating point or complex tensor as input. Got " + scalar_type_name(x.dtype()));
  const std::int64_t rows = wrap_dim(dims[0], x.dim()), columns = wrap_dim(dims[1], x.dim());
  if (rows == columns)
    refuse("norm.matrix", Code::Value, "RuntimeError",
           fmt::format("linalg.matrix_norm: dims must be different. Got ({}, {})", rows, columns));
}

// The largest sum of absolute values of a column (1, -1: the smallest) or of a row (inf, -inf).
Value largest_sum(OpCall& call, const Shape& dims, double ord) {
  const std::int64_t axes = call.tensor("A").dim();
  std::int64_t summed = wrap_dim(dims[0], axes), compared = wrap_dim(dims[1], axes);
  if (std::isinf(ord)) std::swap(summed, compared);
  const Value keepdim(call.flag("keepdim"));
  if (!call.flag("keepdim") && summed < compared) --compared;
  const Value sums = call.call("torch.linalg.vector_norm", {call.value("A"), Value(1.0), Value(summed), keepdim});
  const Value found = call.call(ord > 0 ? "torch.amax" : "torch.amin", {sums, Value(compared), keepdim});
  return composite(call, found, ord > 0 ? "AmaxBackward0" : "AminBackward0");
}

Value matrix_norm(OpCall& call, const Shape& dims) {
  const auto* text = call.value("ord").as<Str>();
  if (text && text->text != "fro" && text->text != "nuc")
    refuse("norm.ord", Code::Value, "RuntimeError", "linalg.matrix_norm: Order " + text->text + " not supported.");
  const double ord = text ? 2 : order_of(call, "ord");
  if (!text && std::abs(ord) != 1 && std::abs(ord) != 2 && !std::isinf(ord))
    refuse("norm.ord", Code::Value, "RuntimeError", fmt::format("linalg.matrix_norm: Order {} not supported.", ord));
  check_matrix_norm(call.tensor("A"), dims);
  if (!text && std::abs(ord) != 2) return largest_sum(call, dims, ord);
  const Tensor x = norm_input(call, "A");
  if (!text || text->text != "fro") throw unsupported(call.span(), "unsupported.op.matrix_norm");
  return make_tensor(vector_norm(x, 2, dims, call.flag("keepdim")));
}

// With ord= a matrix has a norm of its own, unless dim= names one axis; words are for matrices.
Value linalg_norm_op(OpCall& call) {
  check_norm_dims(call);
  const Shape dims = call.ints("dim");
  const bool is_matrix = dims.size() == 2 || (!call.has("dim") && call.tensor("A").dim() == 2);
  if (call.has("ord") && (is_matrix || call.value("ord").as<Str>()))
    return matrix_norm(call, call.has("dim") ? dims : Shape{0, 1});
  return length_of_vector(call, "A", call.has("ord") ? order_of(call, "ord") : 2);
}

Value dist_op(OpCall& call) {
  const Value distance = call.call("torch.sub", {call.value("input"), call.value("other")});
  return composite(call, call.call("torch.norm", {distance, call.value("p")}), "DistBackward0");
}

Value normalize_op(OpCall& call) {
  const Value length = call.call("torch.norm", {call.value("input"), call.value("p")},
                                 {{"dim", call.value("dim")}, {"keepdim", Value(true)}});
  const Value bounded = call.call("torch.clamp_min", {length, call.value("eps")});
  const Value wide = call.call("Tensor.expand_as", {bounded, call.value("input")});
  return composite(call, call.call("torch.div", {call.value("input"), wide}), "DivBackward0");
}

Value unit_length(OpCall& call, const Value& x) {
  const Value squares = call.call("torch.sum", {call.call("torch.mul", {x, x}), call.value("dim"), Value(true)});
  const Value least(call.real("eps") * call.real("eps"));
  return call.call("torch.div", {x, call.call("torch.sqrt", {call.call("torch.clamp_min", {squares, least})})});
}

Value cosine_similarity_op(OpCall& call) {
  const Tensor &a = call.tensor("x1"), &b = call.tensor("x2");
  const DType common = result_type(a, b);
  if (!is_floating(common))
    refuse("cosine.type", Code::Type, "RuntimeError",
           "expected common dtype to be floating point, yet common dtype is " + scalar_type_name(common));
  const Shape shape = broadcast_shapes(a.shape(), b.shape());
  const auto widened = [&](const char* name) {
    Value x = call.value(name);
    if (call.tensor(name).dtype() != common) x = call.call("Tensor.to", {x, make<DTypeObject>(common)});
    return call.tensor(name).shape() == shape ? x : call.call("Tensor.expand", {x, make_size(shape)});
  };
  const Value products = call.call("torch.mul", {unit_length(call, widened("x1")), unit_length(call, widened("x2"))});
  return composite(call, call.call("torch.sum", {products, call.value("dim")}), "SumBackward1");
}

Value pairwise_distance_op(OpCall& call) {
  const Value distance = call.call("torch.sub", {call.value("x1"), call.value("x2")});
  const Value apart = call.call("torch.add", {distance, Value(call.real("eps"))});
  return composite(call,
                   call.call("torch.norm", {apart, Value(call.real("p"))},
                             {{"dim", int_value(-1)}, {"keepdim", call.value("keepdim")}}),
                   "NormBackward1");
}

Axes cosine_axes(const OpCall& call, const Tensor& output, std::size_t number) {
  return call.tensor("x1").dim() == output.dim() + 1 ? axis_rule::reduce(call, output, number)
                                                     : axis_rule::none(call, output, number);
}

constexpr OpInfo norm_row(std::string_view spelling, std::string_view signature) {
  return OpInfo(
      spelling, signature,
      "The length of a vector: the root of the sum of squares, or (sum of |x|^p)^(1/p), of all or along axes.",
      "torch.norm(torch.tensor([3., 4.]))", norm_op,
      "p=0: $+ ({e} != 0)$ || p=1: $+ abs({e})$ || p=inf: max($, abs({e})$) || p=-inf: min($, abs({e})$) || "
      "p=2: sqrt($+ {e} ** 2$) || ($+ abs({e}) ** {p}$) ** (1 / {p}) || sqrt($+ {e} ** 2$)",
      {.axes = axis_rule::reduce, .element = kReduce, .grad_fn = "NormBackward1", .asks = "dim"});
}

const OpInfo kLengthOps[] = {
    // The function has out= before dtype=.
    norm_row("torch.norm",
             "(input: Tensor, p: any = 'fro', dim: ints? = None, keepdim: bool = False, *, dtype: dtype? = None)"),
    norm_row("Tensor.norm",
             "(input: Tensor, p: any = 'fro', dim: ints? = None, keepdim: bool = False, dtype: dtype? = None)"),
    OpInfo(
        "torch.linalg.norm",
        "(A: Tensor, ord: any? = None, dim: ints? = None, keepdim: bool = False, *, dtype: dtype? = None)",
        "The length of a vector, of all elements or along axes.", "torch.linalg.norm(torch.tensor([3., 4.]))",
        linalg_norm_op,
        "ord=0: $+ ({e} != 0)$ || ord=1: $+ abs({e})$ || ord=inf: max($, abs({e})$) || ord=-inf: min($, abs({e})$) || "
        "ord=2: sqrt($+ {e} ** 2$) || ($+ abs({e}) ** {ord}$) ** (1 / {ord}) || sqrt($+ {e} ** 2$)",
        {.axes = axis_rule::reduce, .element = kReduce, .grad_fn = "LinalgVectorNormBackward0"}),
    OpInfo("torch.linalg.vector_norm",
           "(x: Tensor, ord: float = 2, dim: ints? = None, keepdim: bool = False, *, dtype: dtype? = None)",
           "(sum of |x|^ord)^(1/ord), of all elements or along axes.",
           "torch.linalg.vector_norm(torch.tensor([3., 4.]))", vector_norm_op,
           "ord=0: $+ ({e} != 0)$ || ord=1: $+ abs({e})$ || ord=inf: max($, abs({e})$) || ord=-inf: min($, abs({e})$) "
           "|| ord!: ($+ abs({e}) ** {ord}$) ** (1 / {ord}) || sqrt($+ {e} ** 2$)",
           {.axes = axis_rule::reduce, .element = kReduce, .grad_fn = "LinalgVectorNormBackward0"}),
    OpInfo("torch.dist Tensor.dist", "(input: Tensor, other: Tensor, p: float = 2)",
           "The length of the difference of two tensors.", "torch.dist(torch.zeros(2), torch.tensor([3., 4.]))",
           dist_op, {.axes = axis_rule::none, .element = kComposite, .grad_fn = "DistBackward0"}),
    OpInfo("torch.nn.functional.normalize", "(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12)",
           "Vectors along an axis divided by their length, which becomes 1.", "F.normalize(torch.tensor([[3., 4.]]))",
           normalize_op, {.element = kComposite, .grad_fn = "DivBackward0"}),
    OpInfo("torch.nn.functional.cosine_similarity torch.cosine_similarity",
           "(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-08)",
           "The cosine of the angle between vectors: their dot product over their lengths.",
           "F.cosine_similarity(torch.tensor([[1., 0.]]), torch.tensor([[1., 1.]]))", cosine_similarity_op,
           {.axes = cosine_axes, .element = kComposite, .grad_fn = "SumBackward1", .flags = kNative}),
    OpInfo("torch.nn.functional.pairwise_distance torch.pairwise_distance",
           "(x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-06, keepdim: bool = False)",
           "The lengths of the differences of vectors along the last axis.",
           "F.pairwise_distance(torch.zeros(1, 2), torch.tensor([[3., 4.]]))", pairwise_distance_op,
           {.axes = axis_rule::none, .element = kComposite, .grad_fn = "NormBackward1"}),
};

}  // namespace

std::span<const OpInfo> length_ops() { return kLengthOps; }

}  // namespace attn
