// Rows of sums of products and of lengths. All but the norms are composites of recorded steps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/diagnostic.h"
#include "base/number.h"
#include "lang/axis_rules.h"
#include "lang/op_families.h"
#include "lang/op_functions.h"
#include "lang/op_pieces.h"
#include "tensor/create.h"
#include "tensor/error.h"
#include "tensor/math_functions.h"
#include "tensor/matmul.h"
#include "tensor/norms.h"
#include "tensor/pointwise.h"
#include "tensor/scalar_type.h"

namespace attn {
namespace {

constexpr auto kContract = ElementRule::Contract;
constexpr auto kComposite = ElementRule::Composite;

[[noreturn]] void refuse(std::string rule, Code code, std::string text, std::vector<Fact> facts = {}) {
  throw TensorError(std::move(rule), code, "RuntimeError", std::move(text), std::move(facts));
}

Value step(OpCall& call, std::string_view op, std::vector<Value> arguments) {
  return call.call(op, std::move(arguments));
}

Value size_tuple(const Shape& shape) {
  std::vector<Value> items;
  for (const std::int64_t size : shape) items.push_back(int_value(size));
  return make_tuple(std::move(items));
}

// ---- products ----

Value outer_op(OpCall& call) {
  for (const auto& [name, as] : {std::pair("input", "self"), std::pair("vec2", "vec2")})
    if (call.tensor(name).dim() != 1)
      refuse("outer.dims", Code::Shape,
             fmt::format("outer: Expected 1-D argument {}, but got {}-D", as, call.tensor(name).dim()));
  const Value column = step(call, "torch.unsqueeze", {call.value("input"), int_value(1)});
  return composite(call, step(call, "torch.mul", {column, call.value("vec2")}), "MulBackward0");
}

Value mv_op(OpCall& call) {
  const Tensor &matrix = call.tensor("input"), &vec = call.tensor("vec");
  axis_of(0, matrix.dim());
  if (matrix.dim() != 2 || vec.dim() != 1)
    refuse("mv.dims", Code::Shape,
           fmt::format("vector + matrix @ vector expected, got 1, {}, {}", matrix.dim(), vec.dim()));
  if (matrix.size(1) != vec.size(0))
    refuse("mv.size", Code::Shape,
           fmt::format("size mismatch, got {}, {}x{},{}", matrix.size(0), matrix.size(0), matrix.size(1), vec.size(0)),
           {{"left", matrix.size(1)}, {"right", vec.size(0)}});
  if (matrix.dtype() != vec.dtype() && matrix.numel() > 0)
    refuse("matmul.dtype", Code::Type,
           fmt::format("expected scalar type {} but found {}", scalar_type_name(matrix.dtype()),
                       scalar_type_name(vec.dtype())));
  return make_tensor(matmul(matrix, vec));
}

std::int64_t mv_cost(const OpCall& call, const Tensor&) { return call.tensor("input").numel(); }

// beta * input + alpha * product; with beta = 0 the input does not count at all.
Value plus_product(OpCall& call, Value product, std::string_view grad_fn) {
  const Shape shape = product.as<TensorObject>()->tensor.shape();
  const bool is_whole = !is_floating(product.as<TensorObject>()->tensor.dtype());
  const auto factor = [&](const char* name) {  // for integers PyTorch takes the whole part
    const Scalar number = call.number(name);
    if (is_whole) check_fits(number, DType::Int64);
    return is_whole ? Scalar(to_int(number)) : number;
  };
  const Scalar alpha = factor("alpha"), beta = factor("beta");
  if (call.tensor("input").dtype() != product.as<TensorObject>()->tensor.dtype())
    refuse("addmm.dtype", Code::Type, "self and mat2 must have the same dtype");
  Value input = call.value("input");
  if (call.tensor("input").shape() != shape) input = step(call, "Tensor.expand", {input, size_tuple(shape)});
  if (to_double(alpha) != 1) product = step(call, "torch.mul", {product, from_scalar(alpha)});
  if (to_double(beta) == 0) return composite(call, product, grad_fn);
  if (to_double(beta) != 1) input = step(call, "torch.mul", {input, from_scalar(beta)});
  return composite(call, step(call, "torch.add", {input, product}), grad_fn);
}

Value addmm_op(OpCall& call) {
  for (const char* name : {"mat1", "mat2"})
    if (call.tensor(name).dim() != 2)
      refuse("matmul.dims", Code::Shape,
             fmt::format("{} must be a matrix, got {}-D tensor", name, call.tensor(name).dim()));
  const Value product = step(call, "torch.mm", {call.value("mat1"), call.value("mat2")});
  return plus_product(call, product, "AddmmBackward0");
}
// PyTorch asks for the sizes of the result before it looks at the numbers of axes.
void check_batches(const OpCall& call) {
  axis_of(1, call.tensor("batch1").dim());
  axis_of(2, call.tensor("batch2").dim());
  for (const char* name : {"batch1", "batch2"})
    if (call.tensor(name).dim() != 3) refuse("matmul.dims", Code::Shape, fmt::format("{} must be a 3D tensor", name));
}

Value baddbmm_op(OpCall& call) {
  check_batches(call);
  const Value product = step(call, "torch.bmm", {call.value("batch1"), call.value("batch2")});
  return plus_product(call, product, "BaddbmmBackward0");
}
Value addbmm_op(OpCall& call) {
  check_batches(call);
  const Value products = step(call, "torch.bmm", {call.value("batch1"), call.value("batch2")});
  return plus_product(call, step(call, "torch.sum", {products, int_value(0)}), "AddbmmBackward0");
}
Value addmv_op(OpCall& call) {
  const Tensor &input = call.tensor("input"), &mat = call.tensor("mat"), &vec = call.tensor("vec");
  if (mat.dim() != 2 || vec.dim() != 1 || input.dim() > 1)
    refuse("mv.dims", Code::Shape,
           fmt::format("vector + matrix @ vector expected, got {}, {}, {}", input.dim(), mat.dim(), vec.dim()));
  return plus_product(call, step(call, "torch.mv", {call.value("mat"), call.value("vec")}), "AddmvBackward0");
}

// ---- tensordot ----

struct Contracted {
  Shape left, right;
};

Shape wrapped(const Shape& dims, std::int64_t count) {
  Shape out;
  for (const std::int64_t dim : dims) out.push_back(axis_of(dim, count));
  return out;
}

// dims=2: the last 2 of a and the first 2 of b; dims=([1], [0]): these.
Contracted contracted_dims(OpCall& call) {
  const Value& dims = call.value("dims");
  const Tensor &a = call.tensor("a"), &b = call.tensor("b");
  Contracted result;
  if (dims.as_int()) {
    const std::int64_t count = dims.as_int()->value;
    if (count < 0)
      refuse("tensordot.dims", Code::Value, fmt::format("tensordot expects dims >= 0, but got dims={}", count));
    for (std::int64_t i = 0; i < count; ++i) {
      result.left.push_back(i - count);
      result.right.push_back(i);
    }
  } else {
    const auto* pair = dims.as<Tuple>()  ? &dims.as<Tuple>()->items
                       : dims.as<List>() ? &dims.as<List>()->items
                                         : nullptr;
    if (!pair || pair->size() != 2)
      throw CellError(Code::Unsupported, call.span(), "tensordot wants dims= as an int or as two lists of axes");
    for (std::size_t side = 0; side < 2; ++side) {
      Shape& out = side == 0 ? result.left : result.right;
      const Value& given = (*pair)[side];
      const auto* items = given.as<Tuple>()  ? &given.as<Tuple>()->items
                          : given.as<List>() ? &given.as<List>()->items
                                             : nullptr;
      if (!items) out.push_back(as_index(given).value_or(0));
      else
        for (const Value& item : *items) out.push_back(as_index(item).value_or(0));
    }
  }
  if (result.left.size() != result.right.size())
    refuse("tensordot.dims", Code::Value, "both dimension lists should have same length");
  return {wrapped(result.left, a.dim()), wrapped(result.right, b.dim())};
}

Shape others(const Shape& dims, std::int64_t count) {
  Shape out;
  for (std::int64_t i = 0; i < count; ++i)
    if (std::find(dims.begin(), dims.end(), i) == dims.end()) out.push_back(i);
  return out;
}

std::int64_t size_along(const Tensor& x, const Shape& dims) {
  std::int64_t product = 1;
  for (const std::int64_t dim : dims) product *= x.size(dim);
  return product;
}

const Tensor& tensor_of(const Value& value) { return value.as<TensorObject>()->tensor; }

// Where the other tensor has one place, all of this one's count: their sum. Of a single place it gives at most another
// type, which of two single places the one of `a` gets.
Value summed(OpCall& call, Value x, const Shape& dims, const Value& other, const Shape& other_dims, bool is_a) {
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const bool is_single = tensor_of(x).size(dims[i]) == 1;
    if (tensor_of(other).size(other_dims[i]) != 1) continue;
    if (is_single && (!is_a || tensor_of(x).dtype() != DType::Bool)) continue;
    x = step(call, "torch.sum", {x, int_value(dims[i]), Value(true)});
  }
  return x;
}

Value as_matrix(OpCall& call, const Value& value, const Shape& first, const Shape& second) {
  const Tensor& x = tensor_of(value);
  Shape order = first;
  order.insert(order.end(), second.begin(), second.end());
  const Value moved = step(call, "torch.permute", {value, size_tuple(order)});
  return step(call, "torch.reshape", {moved, size_tuple({size_along(x, first), size_along(x, second)})});
}

Value tensordot_op(OpCall& call) {
  const Tensor &a = call.tensor("a"), &b = call.tensor("b");
  const Contracted dims = contracted_dims(call);
  for (std::size_t i = 0; i < dims.left.size(); ++i) {
    const std::int64_t left = a.size(dims.left[i]), right = b.size(dims.right[i]);
    if (left != right && left != 1 && right != 1)
      refuse(
          "tensordot.size", Code::Shape,
          fmt::format("contracted dimensions need to match, but first has size {} in dim {} and second has size {} in "
                      "dim {}",
                      left, dims.left[i], right, dims.right[i]),
          {{"left", left}, {"right", right}});
  }
  const Shape kept_left = others(dims.left, a.dim()), kept_right = others(dims.right, b.dim());
  const Value left = summed(call, call.value("a"), dims.left, call.value("b"), dims.right, true);
  const Value right = summed(call, call.value("b"), dims.right, call.value("a"), dims.left, false);
  const Value product = step(
      call, "torch.mm", {as_matrix(call, left, kept_left, dims.left), as_matrix(call, right, dims.right, kept_right)});
  Shape shape;
  for (const std::int64_t dim : kept_left) shape.push_back(a.size(dim));
  for (const std::int64_t dim : kept_right) shape.push_back(b.size(dim));
  return composite(call, step(call, "torch.reshape", {product, size_tuple(shape)}), "ReshapeAliasBackward0");
}

Value inner_op(OpCall& call) {
  const Tensor &a = call.tensor("input"), &b = call.tensor("other");
  if (a.dim() == 0 || b.dim() == 0) {
    return composite(call, step(call, "torch.mul", {call.value("input"), call.value("other")}), "MulBackward0");
  }
  if (a.size(a.dim() - 1) != b.size(b.dim() - 1))
    refuse("inner.size", Code::Shape,
           fmt::format("inner() the last dimension must match on both input tensors but got shapes {} and {}",
                       shape_text(a.shape()), shape_text(b.shape())));
  const Value last = make_list({int_value(-1)});
  return composite(
      call,
      call.call("torch.tensordot", {call.value("input"), call.value("other")}, {{"dims", make_tuple({last, last})}}),
      "ReshapeAliasBackward0");
}

// ---- lengths ----

Tensor norm_input(const OpCall& call, const char* name) {
  const Tensor& x = call.tensor(name);
  if (!call.has("dtype")) return x;
  const DType dtype = *call.dtype("dtype");
  if (!is_floating(dtype))
    refuse("norm.dtype", Code::Type,
           fmt::format("{}: dtype should be floating point or complex, but got {}", call.info().name,
                       scalar_type_name(dtype)));
  if (name[0] != 'i' && dtype < x.dtype())  // torch.norm does narrow
    refuse("norm.dtype", Code::Type,
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
    if (text->text == "nuc")
      throw CellError(Code::Unsupported, call.span(), "norm(p='nuc') is not supported", "p='fro' and numbers are");
    if (text->text != "fro")
      refuse("norm.p", Code::Value, "only valid string values are 'fro' and 'nuc', found " + text->text);
    if (call.has("dtype"))
      throw TensorError("norm.dtype", Code::Value, "ValueError", "dtype argument is not supported in frobenius norm");
  } else if (call.has("p")) {
    p = order_of(call, "p");
  }
  const Tensor x = norm_input(call, "input");
  if (call.value("p").as<Str>() && call.ints("dim").size() > 2)
    refuse("norm.dims", Code::Value,
           fmt::format("Expected at most 2 dimensions, but got {} dimensions instead.", call.ints("dim").size()));
  if (call.value("p").as<Str>() && call.ints("dim").size() == 2)
    for (const std::int64_t dim : call.ints("dim")) axis_of(dim, x.dim());
  if (!is_floating(x.dtype()))
    refuse("norm.type", Code::Type,
           "norm(): input dtype should be either floating point or complex. Got " + scalar_type_name(x.dtype()) +
               " instead.");
  return make_tensor(vector_norm(x, p, call.ints("dim"), call.flag("keepdim")));
}

// The largest and the smallest size, and what a negative power of 0 gives, do not exist of nothing.
void check_elements(const Tensor& x, double order, const Shape& dims) {
  if (x.numel() > 0 || !(order < 0 || order == math::kInfinity)) return;
  const std::string start = fmt::format("linalg.vector_norm cannot compute the {} norm on ", format_general(order, 6));
  if (dims.empty())
    refuse("reduce.empty", Code::Value, start + "an empty tensor because the operation does not have an identity");
  for (const std::int64_t dim : dims)
    if (x.size(wrap_dim(dim, x.dim())) == 0)
      refuse(
          "reduce.empty", Code::Value,
          fmt::format("{}the dimension {}because this dimension is empty and the operation does not have an identity",
                      start, dim));
}

Value length_of_vector(OpCall& call, const char* name, double order) {
  const Tensor& x = call.tensor(name);
  if (!is_floating(x.dtype()))
    refuse(
        "norm.type", Code::Type,
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
    refuse("norm.dims", Code::Value,
           "linalg.norm: If dim is specified, it must be of length 1 or 2. Got " + shape_text(dims));
  if (!call.has("dim") && call.has("ord") && x.dim() != 1 && x.dim() != 2)
    refuse(
        "norm.dims", Code::Shape,
        fmt::format("linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {}D.", x.dim()));
}

void check_matrix_norm(const Tensor& x, const Shape& dims) {
  if (x.dim() < 2)
    refuse("norm.matrix", Code::Shape, "linalg.matrix_norm: The input tensor A must have at least 2 dimensions.");
  if (dims.size() != 2)
    refuse("norm.matrix", Code::Value, fmt::format("linalg.matrix_norm: dim must be a 2-tuple. Got {}", dims[0]));
  if (!is_floating(x.dtype()))
    refuse(
        "norm.type", Code::Type,
        "linalg.matrix_norm: Expected a floating point or complex tensor as input. Got " + scalar_type_name(x.dtype()));
  const std::int64_t rows = wrap_dim(dims[0], x.dim()), columns = wrap_dim(dims[1], x.dim());
  if (rows == columns)
    refuse("norm.matrix", Code::Value,
           fmt::format("linalg.matrix_norm: dims must be different. Got ({}, {})", rows, columns));
}

Value matrix_norm(OpCall& call, const Shape& dims) {
  const auto* text = call.value("ord").as<Str>();
  if (text && text->text != "fro" && text->text != "nuc")
    refuse("norm.ord", Code::Value, "linalg.matrix_norm: Order " + text->text + " not supported.");
  const double ord = text ? 2 : order_of(call, "ord");
  if (!text && std::abs(ord) != 1 && std::abs(ord) != 2 && !std::isinf(ord))
    refuse("norm.ord", Code::Value, fmt::format("linalg.matrix_norm: Order {} not supported.", ord));
  check_matrix_norm(call.tensor("A"), dims);
  const Tensor x = norm_input(call, "A");
  if (!text || text->text != "fro")
    throw CellError(Code::Unsupported, call.span(), "norms of matrices other than 'fro' are not supported",
                    "torch.linalg.vector_norm(x, ord) takes all elements as one vector");
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
  const Value distance = step(call, "torch.sub", {call.value("input"), call.value("other")});
  return composite(call, step(call, "torch.norm", {distance, call.value("p")}), "DistBackward0");
}

Value normalize_op(OpCall& call) {
  const Value length = call.call("torch.norm", {call.value("input"), call.value("p")},
                                 {{"dim", call.value("dim")}, {"keepdim", Value(true)}});
  const Value bounded = step(call, "torch.clamp_min", {length, call.value("eps")});
  const Value wide = step(call, "Tensor.expand_as", {bounded, call.value("input")});
  return composite(call, step(call, "torch.div", {call.value("input"), wide}), "DivBackward0");
}

Value unit_length(OpCall& call, const Value& x) {
  const Value length =
      call.call("torch.linalg.vector_norm", {x}, {{"dim", call.value("dim")}, {"keepdim", Value(true)}});
  const Value least(std::abs(call.real("eps")));  // PyTorch bounds the square of the length by that of eps
  return step(call, "torch.div", {x, step(call, "torch.clamp_min", {length, least})});
}

Value cosine_similarity_op(OpCall& call) {
  const Tensor &a = call.tensor("x1"), &b = call.tensor("x2");
  const DType common = result_type(a, b);
  if (!is_floating(common))
    refuse("cosine.type", Code::Type,
           "expected common dtype to be floating point, yet common dtype is " + scalar_type_name(common));
  const Shape shape = broadcast_shapes(a.shape(), b.shape());
  const auto widened = [&](const char* name) {
    Value x = call.value(name);
    if (call.tensor(name).dtype() != common) x = step(call, "Tensor.to", {x, make<DTypeObject>(common)});
    return call.tensor(name).shape() == shape ? x : step(call, "Tensor.expand", {x, size_tuple(shape)});
  };
  const Value products = step(call, "torch.mul", {unit_length(call, widened("x1")), unit_length(call, widened("x2"))});
  return composite(call, step(call, "torch.sum", {products, call.value("dim")}), "SumBackward1");
}

Value pairwise_distance_op(OpCall& call) {
  const Value distance = step(call, "torch.sub", {call.value("x1"), call.value("x2")});
  const Value apart = step(call, "torch.add", {distance, Value(call.real("eps"))});
  return composite(
      call,
      call.call("torch.norm", {apart, call.value("p")}, {{"dim", int_value(-1)}, {"keepdim", call.value("keepdim")}}),
      "NormBackward1");
}

// ---- names of axes ----

Axes outer_axes(const OpCall& call, const Tensor&, std::size_t) {
  return {call.handle("input").axes[0], call.handle("vec2").axes[0]};
}

// beta * input + product: the product's axes, whose operands come after the input.
Axes added_axes(const OpCall& call, const Tensor& output, std::size_t) {
  const auto& inputs = call.inputs();
  Axes axes(static_cast<std::size_t>(output.dim()));
  if (inputs.size() < 3 || output.dim() < 2) return axes;
  const Axes &left = inputs[1]->axes, &right = inputs[2]->axes;
  axes[axes.size() - 2] = left[left.size() - 2];
  axes.back() = right.back();
  if (axes.size() == 3) axes[0] = left[0];
  return axes;
}

Axes cosine_axes(const OpCall& call, const Tensor& output, std::size_t number) {
  return call.tensor("x1").dim() == output.dim() + 1 ? axis_rule::reduce(call, output, number)
                                                     : axis_rule::none(call, output, number);
}

constexpr const char* kNorm =
    "(input: Tensor, p: any = 'fro', dim: ints? = None, keepdim: bool = False, dtype: dtype? = None)";

const OpInfo kRows[] = {
    {"outer", "torch.outer torch.ger Tensor.outer Tensor.ger", "(input: Tensor, vec2: Tensor)",
     "All products of an element of one vector and one of another: out[i][j] = a[i] * b[j].",
     "torch.outer(torch.arange(3), torch.arange(2))", outer_op, outer_axes, kComposite, "MulBackward0"},
    {"mv", "torch.mv Tensor.mv", "(input: Tensor, vec: Tensor)", "The product of a matrix and a vector.",
     "torch.mv(torch.ones(2, 3), torch.arange(3.))", mv_op, axis_rule::matmul, kContract, "MvBackward0", mv_cost},
    {"addmm", "torch.addmm Tensor.addmm",
     "(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Number = 1, alpha: Number = 1)",
     "beta * input + alpha * (mat1 @ mat2).", "torch.addmm(torch.ones(2), torch.ones(3, 4), torch.ones(4, 2))",
     addmm_op, added_axes, kComposite, "AddmmBackward0"},
    {"baddbmm", "torch.baddbmm Tensor.baddbmm",
     "(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1)",
     "beta * input + alpha * the products of two stacks of matrices.",
     "torch.baddbmm(torch.ones(5, 3, 2), torch.ones(5, 3, 4), torch.ones(5, 4, 2))", baddbmm_op, added_axes, kComposite,
     "BaddbmmBackward0"},
    {"addbmm", "torch.addbmm Tensor.addbmm",
     "(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1)",
     "beta * input + alpha * the sum of the products of two stacks of matrices.",
     "torch.addbmm(torch.ones(3, 2), torch.ones(5, 3, 4), torch.ones(5, 4, 2))", addbmm_op, axis_rule::none, kComposite,
     "AddbmmBackward0"},
    {"addmv", "torch.addmv Tensor.addmv",
     "(input: Tensor, mat: Tensor, vec: Tensor, *, beta: Number = 1, alpha: Number = 1)",
     "beta * input + alpha * (mat @ vec).", "torch.addmv(torch.ones(2), torch.ones(2, 3), torch.ones(3))", addmv_op,
     axis_rule::none, kComposite, "AddmvBackward0"},
    {"tensordot", "torch.tensordot", "(a: Tensor, b: Tensor, dims: any = 2)",
     "A sum of products over several axes at once: the last of a with the first of b, or those of two lists.",
     "torch.tensordot(torch.ones(2, 3, 4), torch.ones(3, 4, 5), dims=2)", tensordot_op, axis_rule::none, kComposite,
     "ReshapeAliasBackward0"},
    {"inner", "torch.inner Tensor.inner", "(input: Tensor, other: Tensor)",
     "The sum of products along the last axes of both.", "torch.inner(torch.ones(2, 3), torch.arange(3.))", inner_op,
     axis_rule::none, kComposite, "ReshapeAliasBackward0"},
    {"norm", "torch.norm Tensor.norm", kNorm,
     "The length of a vector: the root of the sum of squares, or (sum of |x|^p)^(1/p), of all or along axes.",
     "torch.norm(torch.tensor([3., 4.]))", norm_op, axis_rule::reduce, ElementRule::Reduce, "NormBackward1"},
    {"norm", "torch.linalg.norm",
     "(A: Tensor, ord: any? = None, dim: ints? = None, keepdim: bool = False, *, dtype: dtype? = None)",
     "The length of a vector, of all elements or along axes.", "torch.linalg.norm(torch.tensor([3., 4.]))",
     linalg_norm_op, axis_rule::reduce, ElementRule::Reduce, "LinalgVectorNormBackward0"},
    {"vector_norm", "torch.linalg.vector_norm",
     "(x: Tensor, ord: float = 2, dim: ints? = None, keepdim: bool = False, *, dtype: dtype? = None)",
     "(sum of |x|^ord)^(1/ord), of all elements or along axes.", "torch.linalg.vector_norm(torch.tensor([3., 4.]))",
     vector_norm_op, axis_rule::reduce, ElementRule::Reduce, "LinalgVectorNormBackward0"},
    {"dist", "torch.dist Tensor.dist", "(input: Tensor, other: Tensor, p: float = 2)",
     "The length of the difference of two tensors.", "torch.dist(torch.zeros(2), torch.tensor([3., 4.]))", dist_op,
     axis_rule::none, kComposite, "DistBackward0"},
    {"normalize", "torch.nn.functional.normalize", "(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12)",
     "Vectors along an axis divided by their length, which becomes 1.", "F.normalize(torch.tensor([[3., 4.]]))",
     normalize_op, axis_rule::same, kComposite, "DivBackward0"},
    {"cosine_similarity", "torch.nn.functional.cosine_similarity torch.cosine_similarity",
     "(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-08)",
     "The cosine of the angle between vectors: their dot product over their lengths.",
     "F.cosine_similarity(torch.tensor([[1., 0.]]), torch.tensor([[1., 1.]]))", cosine_similarity_op, cosine_axes,
     kComposite, "SumBackward1"},
    {"pairwise_distance", "torch.nn.functional.pairwise_distance torch.pairwise_distance",
     "(x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-06, keepdim: bool = False)",
     "The lengths of the differences of vectors along the last axis.",
     "F.pairwise_distance(torch.zeros(1, 2), torch.tensor([[3., 4.]]))", pairwise_distance_op, axis_rule::none,
     kComposite, "NormBackward1"},
};

}  // namespace

std::span<const OpInfo> linalg_ops() { return kRows; }

}  // namespace attn
