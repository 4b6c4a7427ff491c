// Rows of sums of products: composites of recorded steps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/diagnostic.h"
#include "python/types/changing.h"
#include "tensor/core/error.h"
#include "tensor/core/scalar_type.h"
#include "tensor/ops/create.h"
#include "tensor/ops/matmul.h"
#include "tensor/ops/pointwise.h"
#include "text/unsupported.h"
#include "torch/axis_rules.h"
#include "torch/ops/families.h"
#include "torch/ops/functions.h"
#include "torch/ops/pieces.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

// ---- products ----

Value outer_op(OpCall& call) {
  for (const auto& [name, as] : {std::pair("input", "self"), std::pair("vec2", "vec2")})
    if (call.tensor(name).dim() != 1)
      refuse("outer.dims", Code::Shape, "RuntimeError",
             fmt::format("outer: Expected 1-D argument {}, but got {}-D", as, call.tensor(name).dim()));
  const Value column = call.call("torch.unsqueeze", {call.value("input"), int_value(1)});
  return composite(call, call.call("torch.mul", {column, call.value("vec2")}), "MulBackward0");
}

Value mv_op(OpCall& call) {
  const Tensor &matrix = call.tensor("input"), &vec = call.tensor("vec");
  axis_of(0, matrix.dim());
  if (matrix.dim() != 2 || vec.dim() != 1)
    refuse("mv.dims", Code::Shape, "RuntimeError",
           fmt::format("vector + matrix @ vector expected, got 1, {}, {}", matrix.dim(), vec.dim()));
  if (matrix.size(1) != vec.size(0))
    refuse("mv.size", Code::Shape, "RuntimeError",
           fmt::format("size mismatch, got {}, {}x{},{}", matrix.size(0), matrix.size(0), matrix.size(1), vec.size(0)),
           {{"left", matrix.size(1)}, {"right", vec.size(0)}});
  if (matrix.dtype() == DType::Bool && matrix.numel() > 0) throw_not_implemented("addmv_impl_cpu", matrix.dtype());
  if (matrix.dtype() != vec.dtype() && matrix.numel() > 0)
    refuse("matmul.dtype", Code::Type, "RuntimeError",
           fmt::format("expected scalar type {} but found {}", scalar_type_name(matrix.dtype()),
                       scalar_type_name(vec.dtype())));
  return make_tensor(matmul(matrix, vec));
}

std::int64_t mv_cost(const OpCall& call, const Tensor&) { return call.tensor("input").numel(); }

// The same of Bools. Only sums over nothing come here, as Bools are not multiplied: PyTorch then multiplies the input
// by beta in place, which a Bool does with a Bool alone, and does nothing where there are no elements.
Value plus_no_bools(OpCall& call, const Value& input, const Value& product) {
  const Value& beta = call.value("beta");
  const bool is_nothing = product.as<TensorObject>()->tensor.numel() == 0 || to_double(call.number("beta")) == 0;
  if (is_nothing) return product;
  const Value copy = call.call("torch.clone", {input});
  return call.info().name == "addmv" ? copy : call.call("Tensor.mul_", {copy, beta});
}

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
    refuse("addmm.dtype", Code::Type, "RuntimeError", "self and mat2 must have the same dtype");
  Value input = call.value("input");
  // The sum lies in memory as the product does: in rows.
  if (!call.tensor("input").is_contiguous()) input = call.call("Tensor.contiguous", {input});
  if (call.tensor("input").shape() != shape) input = call.call("Tensor.expand", {input, make_size(shape)});
  if (product.as<TensorObject>()->tensor.dtype() == DType::Bool) return plus_no_bools(call, input, product);
  if (to_double(alpha) != 1) product = call.call("torch.mul", {product, from_scalar(alpha)});
  if (to_double(beta) == 0) {
    if (!call.handle("input").requires_grad) return composite(call, product, grad_fn);
    input = call.call("torch.nan_to_num", {input, Value(0.0), Value(0.0), Value(0.0)});  // its gradient is 0, not None
  }
  if (to_double(beta) != 1) input = call.call("torch.mul", {input, from_scalar(beta)});
  return composite(call, call.call("torch.add", {input, product}), grad_fn);
}

Value addmm_op(OpCall& call) {
  for (const char* name : {"mat1", "mat2"})
    if (call.tensor(name).dim() != 2)
      refuse("matmul.dims", Code::Shape, "RuntimeError",
             fmt::format("{} must be a matrix, got {}-D tensor", name, call.tensor(name).dim()));
  const Value product = call.call("torch.mm", {call.value("mat1"), call.value("mat2")});
  return plus_product(call, product, "AddmmBackward0");
}
// PyTorch asks for the sizes of the result before it looks at the numbers of axes.
void check_batches(const OpCall& call) {
  axis_of(1, call.tensor("batch1").dim());
  axis_of(2, call.tensor("batch2").dim());
  for (const char* name : {"batch1", "batch2"})
    if (call.tensor(name).dim() != 3)
      refuse("matmul.dims", Code::Shape, "RuntimeError", fmt::format("{} must be a 3D tensor", name));
}

Value baddbmm_op(OpCall& call) {
  check_batches(call);
  const Value product = call.call("torch.bmm", {call.value("batch1"), call.value("batch2")});
  return plus_product(call, product, "BaddbmmBackward0");
}
Value addbmm_op(OpCall& call) {
  check_batches(call);
  const Value products = call.call("torch.bmm", {call.value("batch1"), call.value("batch2")});
  const bool are_bools = products.as<TensorObject>()->tensor.dtype() == DType::Bool;  // none of them, and so no sum
  return plus_product(call, call.call(are_bools ? "torch.any" : "op.double_sum", {products, int_value(0)}),
                      "AddbmmBackward0");
}
Value addmv_op(OpCall& call) {
  const Tensor &input = call.tensor("input"), &mat = call.tensor("mat"), &vec = call.tensor("vec");
  if (mat.dim() != 2 || vec.dim() != 1 || input.dim() > 1)
    refuse("mv.dims", Code::Shape, "RuntimeError",
           fmt::format("vector + matrix @ vector expected, got {}, {}, {}", input.dim(), mat.dim(), vec.dim()));
  const bool fits = mat.size(1) == vec.size(0) && (input.numel() == 1 || input.numel() == mat.size(0));
  if (!fits) {
    axis_of(0, input.dim());
    refuse("mv.size", Code::Shape, "RuntimeError",
           fmt::format("size mismatch, got {}, {}x{},{}", input.size(0), mat.size(0), mat.size(1), vec.size(0)),
           {{"left", mat.size(1)}, {"right", vec.size(0)}});
  }
  return plus_product(call, call.call("torch.mv", {call.value("mat"), call.value("vec")}), "AddmvBackward0");
}

// ---- tensordot ----

struct Contracted {
  Shape left, right;
};

// dims=2: the last 2 of a and the first 2 of b; dims=([1], [0]): these.
Contracted contracted_dims(OpCall& call) {
  const Value& dims = call.value("dims");
  Contracted result;
  if (dims.as_int()) {
    const std::int64_t count = dims.as_int()->value;
    if (count < 0)
      refuse("tensordot.dims", Code::Value, "RuntimeError",
             fmt::format("tensordot expects dims >= 0, but got dims={}", count));
    // Where there are too few axes, the first one is refused.
    for (std::int64_t i = 0; i < std::min(count, static_cast<std::int64_t>(kMostAxes)); ++i) {
      result.left.push_back(i - count);
      result.right.push_back(i);
    }
  } else {
    const auto* pair = dims.as<Tuple>()  ? &dims.as<Tuple>()->items
                       : dims.as<List>() ? &dims.as<List>()->items
                                         : nullptr;
    if (!pair || pair->size() != 2) throw unsupported(call.span(), "unsupported.op.tensordot");
    for (std::size_t side = 0; side < 2; ++side) {
      Shape& out = side == 0 ? result.left : result.right;
      const Value& given = (*pair)[side];
      const auto* items = given.as<Tuple>()  ? &given.as<Tuple>()->items
                          : given.as<List>() ? &given.as<List>()->items
                                             : nullptr;
      if (!items) out.push_back(as_index(given).value_or(0));
      else all_items(*items, [&](const Value& item) { return out.push_back(as_index(item).value_or(0)), true; });
    }
  }
  if (result.left.size() != result.right.size())
    refuse("tensordot.dims", Code::Value, "RuntimeError", "both dimension lists should have same length");
  return result;
}

// The axes counted from the front, each pair looked at before the next, as in PyTorch.
Contracted matched(const Tensor& a, const Tensor& b, const Contracted& given) {
  Contracted dims;
  for (std::size_t i = 0; i < given.left.size(); ++i) {
    dims.left.push_back(axis_of(given.left[i], a.dim()));
    dims.right.push_back(axis_of(given.right[i], b.dim()));
    const std::int64_t left = a.size(dims.left[i]), right = b.size(dims.right[i]);
    if (left == right || left == 1 || right == 1) continue;
    refuse("tensordot.size", Code::Shape, "RuntimeError",
           fmt::format("contracted dimensions need to match, but first has size {} in dim {} and second has size {} in "
                       "dim {}",
                       left, given.left[i], right, given.right[i]),
           {{"left", left}, {"right", right}});
  }
  return dims;
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

// Where the other tensor has one place, all of this one's count: their sum. Of a single place it gives at most another
// type, which of two single places the one of `a` gets.
Value summed(OpCall& call, Value x, const Shape& dims, const Value& other, const Shape& other_dims, bool is_a) {
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const bool is_single = tensor_of(x).size(dims[i]) == 1;
    if (tensor_of(other).size(other_dims[i]) != 1) continue;
    if (is_single && (!is_a || tensor_of(x).dtype() != DType::Bool)) continue;
    x = call.call("torch.sum", {x, int_value(dims[i]), Value(true)});
  }
  return x;
}

Value as_matrix(OpCall& call, const Value& value, const Shape& first, const Shape& second) {
  const Tensor& x = tensor_of(value);
  Shape order = first;
  order.insert(order.end(), second.begin(), second.end());
  const Value moved = call.call("torch.permute", {value, make_size(order)});
  return call.call("torch.reshape", {moved, make_size({size_along(x, first), size_along(x, second)})});
}

Value tensordot_op(OpCall& call) {
  const Tensor &a = call.tensor("a"), &b = call.tensor("b");
  const Contracted dims = matched(a, b, contracted_dims(call));
  const Shape kept_left = others(dims.left, a.dim()), kept_right = others(dims.right, b.dim());
  const Value left = summed(call, call.value("a"), dims.left, call.value("b"), dims.right, true);
  const Value right = summed(call, call.value("b"), dims.right, call.value("a"), dims.left, false);
  const Value product = call.call(
      "torch.mm", {as_matrix(call, left, kept_left, dims.left), as_matrix(call, right, dims.right, kept_right)});
  Shape shape;
  for (const std::int64_t dim : kept_left) shape.push_back(a.size(dim));
  for (const std::int64_t dim : kept_right) shape.push_back(b.size(dim));
  return composite(call, call.call("torch.reshape", {product, make_size(shape)}), "ReshapeAliasBackward0");
}

Value inner_op(OpCall& call) {
  const Tensor &a = call.tensor("input"), &b = call.tensor("other");
  if (a.dim() == 0 || b.dim() == 0) {
    return composite(call, call.call("torch.mul", {call.value("input"), call.value("other")}), "MulBackward0");
  }
  if (a.size(a.dim() - 1) != b.size(b.dim() - 1))
    refuse("inner.size", Code::Shape, "RuntimeError",
           fmt::format("inner() the last dimension must match on both input tensors but got shapes {} and {}",
                       shape_text(a.shape()), shape_text(b.shape())));
  const Value last = make_list({int_value(-1)});
  return composite(
      call,
      call.call("torch.tensordot", {call.value("input"), call.value("other")}, {{"dims", make_tuple({last, last})}}),
      "ReshapeAliasBackward0");
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

const OpInfo kLinalgOps[] = {
    OpInfo("torch.outer torch.ger Tensor.outer Tensor.ger", "(input: Tensor, vec2: Tensor)",
           "All products of an element of one vector and one of another: out[i][j] = a[i] * b[j].",
           "torch.outer(torch.arange(3), torch.arange(2))", outer_op,
           {.axes = outer_axes, .element = kComposite, .grad_fn = "MulBackward0"}),
    OpInfo("torch.mv Tensor.mv", "(input: Tensor, vec: Tensor)", "The product of a matrix and a vector.",
           "torch.mv(torch.ones(2, 3), torch.arange(3.))", mv_op,
           {.axes = axis_rule::matmul, .element = kContract, .grad_fn = "MvBackward0", .cost = mv_cost}),
    OpInfo("torch.addmm Tensor.addmm",
           "(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Number = 1, alpha: Number = 1)",
           "beta * input + alpha * (mat1 @ mat2).", "torch.addmm(torch.ones(2), torch.ones(3, 4), torch.ones(4, 2))",
           addmm_op, {.axes = added_axes, .element = kComposite, .grad_fn = "AddmmBackward0"}),
    OpInfo("torch.baddbmm Tensor.baddbmm",
           "(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1)",
           "beta * input + alpha * the products of two stacks of matrices.",
           "torch.baddbmm(torch.ones(5, 3, 2), torch.ones(5, 3, 4), torch.ones(5, 4, 2))", baddbmm_op,
           {.axes = added_axes, .element = kComposite, .grad_fn = "BaddbmmBackward0"}),
    OpInfo("torch.addbmm Tensor.addbmm",
           "(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1)",
           "beta * input + alpha * the sum of the products of two stacks of matrices.",
           "torch.addbmm(torch.ones(3, 2), torch.ones(5, 3, 4), torch.ones(5, 4, 2))", addbmm_op,
           {.axes = axis_rule::none, .element = kComposite, .grad_fn = "AddbmmBackward0"}),
    OpInfo("torch.addmv Tensor.addmv",
           "(input: Tensor, mat: Tensor, vec: Tensor, *, beta: Number = 1, alpha: Number = 1)",
           "beta * input + alpha * (mat @ vec).", "torch.addmv(torch.ones(2), torch.ones(2, 3), torch.ones(3))",
           addmv_op, {.axes = axis_rule::none, .element = kComposite, .grad_fn = "AddmvBackward0"}),
    OpInfo("torch.tensordot", "(a: Tensor, b: Tensor, dims: any = 2)",
           "A sum of products over several axes at once: the last of a with the first of b, or those of two lists.",
           "torch.tensordot(torch.ones(2, 3, 4), torch.ones(3, 4, 5), dims=2)", tensordot_op,
           {.axes = axis_rule::none, .element = kComposite, .grad_fn = "ReshapeAliasBackward0"}),
    OpInfo("torch.inner Tensor.inner", "(input: Tensor, other: Tensor)",
           "The sum of products along the last axes of both.", "torch.inner(torch.ones(2, 3), torch.arange(3.))",
           inner_op, {.axes = axis_rule::none, .element = kComposite, .grad_fn = "ReshapeAliasBackward0"}),
};

}  // namespace

std::span<const OpInfo> linalg_ops() { return kLinalgOps; }

}  // namespace attn
