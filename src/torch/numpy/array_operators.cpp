// Operators of numpy arrays: the types are mixed by numpy's rules, then the op of the same name computes.
#include <fmt/format.h>

#include <cmath>

#include "tensor/core/error.h"
#include "tensor/core/read.h"
#include "tensor/ops/create.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "text/say.h"
#include "text/unsupported.h"
#include "torch/numpy/array.h"

namespace attn {
namespace {

void check_broadcast(const Tensor& a, const Tensor& b, Span span) {
  try {
    broadcast_shapes(a.shape(), b.shape());
  } catch (const TensorError&) {
    throw CellError(Code::Value, span,
                    fmt::format("operands could not be broadcast together with shapes {} {} ", numpy_shape(a.shape()),
                                numpy_shape(b.shape())));
  }
}

void check_product(const Tensor& a, const Tensor& b, Span span) {
  if (a.dim() == 0 || b.dim() == 0)
    throw CellError(Code::Value, span,
                    fmt::format("matmul: Input operand {} does not have enough dimensions (has 0, gufunc core with "
                                "signature (n?,k),(k,m?)->(n?,m?) requires 1)",
                                a.dim() == 0 ? 0 : 1));
  const std::int64_t inner = b.size(b.dim() > 1 ? b.dim() - 2 : 0), last = a.size(a.dim() - 1);
  if (last == inner) return;
  throw CellError(Code::Value, span,
                  fmt::format("matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
                              "(n?,k),(k,m?)->(n?,m?) (size {} is different from {})",
                              inner, last));
}

// What numpy calls the op.
std::string_view ufunc_name(BinaryOp op) {
  switch (op) {
    case BinaryOp::Sub: return "subtract";
    case BinaryOp::Mul: return "multiply";
    case BinaryOp::Div: return "divide";
    case BinaryOp::Pow: return "power";
    case BinaryOp::ShiftLeft: return "left_shift";
    case BinaryOp::ShiftRight: return "right_shift";
    default: return op_behind(op).substr(std::string_view("torch.").size());
  }
}

bool is_bitwise(BinaryOp op) { return op >= BinaryOp::BitAnd; }

// What numpy does otherwise than PyTorch, or with types that are not computed with here.
void refuse_types(BinaryOp op, DType common, const Tensor& a, const Tensor& b, Span span) {
  const bool is_bool = common == DType::Bool, is_whole = !is_floating(common);
  if (op == BinaryOp::MatMul && common == DType::Float16)
    throw unsupported(span, "unsupported.array.narrow", {{"type", "float16"}, {"wide", "float32"}});
  if (op == BinaryOp::Pow && a.dtype() == DType::Bool) throw unsupported(span, "unsupported.array.power_of_bools");
  const bool fits_bool = op == BinaryOp::Add || op == BinaryOp::Mul || (is_bitwise(op) && op <= BinaryOp::BitXor);
  if (is_bool && !fits_bool && op != BinaryOp::Div)
    throw unsupported(span, "unsupported.array.narrow", {{"type", "bool"}, {"wide", "int64"}});
  if (is_bitwise(op) && !is_whole)
    throw CellError(
        Code::Type, span,
        fmt::format("ufunc '{}' not supported for the input types, and the inputs could not be safely coerced to any "
                    "supported types according to the casting rule ''safe''",
                    ufunc_name(op)));
  if (op == BinaryOp::Pow && is_whole && to_int(item(min(to(b, DType::Int64)))) < 0)
    throw CellError(Code::Value, span, "Integers to negative integer powers are not allowed.");
  const bool divides = op == BinaryOp::FloorDiv || op == BinaryOp::Mod;
  if (divides && is_whole && to_int(item(any(eq(b, Operand(Scalar(std::int64_t{0}))))))) {
    throw unsupported(span, "unsupported.array.division_by_zero");
  }
}

// A scalar takes part in PyTorch's ops as a number; what remains of `a op b` when one of them is a tensor.
std::optional<std::pair<Value, Value>> beside_tensor(const Value& a, const Value& b, Span span) {
  if (!a.as<TensorObject>() && !b.as<TensorObject>()) return std::nullopt;
  const Value& array = a.as<Array>() ? a : b;
  if (!array.as<Array>()->is_scalar) throw unsupported(span, "unsupported.array.beside_tensor");
  const Scalar scalar = item(array_tensor(array));
  const Value number = std::holds_alternative<bool>(scalar) ? Value(to_double(scalar)) : from_scalar(scalar);
  return a.as<Array>() ? std::pair(number, b) : std::pair(a, number);
}

// A remainder of 0 has the sign of the divisor.
Value signed_zeros(const Value& remainder, const Tensor& divisor) {
  TensorObject& out = *remainder.as<TensorObject>();
  const Tensor zero = where(lt(divisor, 0.0), Operand(to(Tensor::scalar(-0.0), divisor.dtype())),
                            Operand(to(Tensor::scalar(0.0), divisor.dtype())));
  out.tensor = where(eq(out.tensor, 0.0), zero, out.tensor);
  return remainder;
}

// Numbers of bits that are negative, or more than there are, move all bits out.
Tensor moves_all(const Tensor& count) { return logical_or(lt(count, 0.0), gt(count, 63.0)); }
Value shift_count(BinaryOp op, const Value& count) {
  if (op != BinaryOp::ShiftRight && op != BinaryOp::ShiftLeft) return count;
  const Tensor& bits = count.as<TensorObject>()->tensor;
  const Tensor all = moves_all(bits);
  if (!to_int(item(any(all)))) return count;
  return make_tensor(where(all, Operand(Tensor::scalar(std::int64_t{63})), bits));
}
Value without_bits(const Value& shifted, const Value& count) {
  TensorObject& out = *shifted.as<TensorObject>();
  const Tensor none = Tensor::scalar(std::int64_t{0});
  out.tensor = where(moves_all(to(array_tensor(count), DType::Int64)), Operand(none), out.tensor);
  return shifted;
}

// 3 * [1, 2] repeats the list also when the 3 is numpy's; Python refuses a float there.
std::optional<std::pair<Value, Value>> repeated_list(BinaryOp op, const Value& a, const Value& b) {
  const auto is_list = [](const Value& value) { return value.as<List>() || value.as<Tuple>() || value.as<Str>(); };
  const Value& array = a.as<Array>() ? a : b;
  if (op != BinaryOp::Mul || !array.as<Array>()->is_scalar || (!is_list(a) && !is_list(b))) return std::nullopt;
  const DType dtype = array_tensor(array).dtype();
  if (is_floating(dtype))
    throw CellError(Code::Type, {}, fmt::format("can't multiply sequence by non-int of type '{}'", type_name(array)));
  const Value number = from_scalar(item(array_tensor(array)));
  return a.as<Array>() ? std::pair(number, b) : std::pair(a, number);
}

bool is_array_operand(const Value& value) {
  return value.as<Array>() || value.is_number() || value.as<List>() || value.as<Tuple>();
}

// Of two plain numbers, where the result is finite and fits; nothing otherwise. It makes loops over tables quick.
std::optional<Value> of_plain_numbers(BinaryOp op, const Value& a, const Value& b) {
  if (op > BinaryOp::Div) return std::nullopt;
  const auto x = plain_number(a), y = plain_number(b);
  if (!x || !y) return std::nullopt;
  if (is_float(*x) || is_float(*y) || op == BinaryOp::Div) {
    const double left = to_double(*x), right = to_double(*y);
    const double out = op == BinaryOp::Add   ? left + right
                       : op == BinaryOp::Sub ? left - right
                       : op == BinaryOp::Mul ? left * right
                                             : left / right;
    return std::isfinite(out) ? std::optional(make_array(Tensor::scalar(out), true)) : std::nullopt;
  }
  const std::int64_t left = to_int(*x), right = to_int(*y);
  std::int64_t out = 0;
  const bool overflows = op == BinaryOp::Add   ? __builtin_add_overflow(left, right, &out)
                         : op == BinaryOp::Sub ? __builtin_sub_overflow(left, right, &out)
                                               : __builtin_mul_overflow(left, right, &out);
  return overflows ? std::nullopt : std::optional(make_array(Tensor::scalar(out), true));
}

}  // namespace

std::optional<Scalar> plain_number(const Value& value) {
  if (const double* real = value.as_float()) return Scalar(*real);
  if (const Int* whole = value.as_int()) return Scalar(whole->value);
  const Array* const array = value.as<Array>();
  if (!array || !array->is_scalar) return std::nullopt;
  const Tensor& number = array->tensor->tensor;
  if (number.dtype() == DType::Float64) return Scalar(*number.data<double>());
  if (number.dtype() == DType::Int64) return Scalar(*number.data<std::int64_t>());
  return std::nullopt;
}

bool is_same_kind(DType from, DType to) {
  if (from == DType::Bool || from == to) return true;
  if (to == DType::Bool || (is_floating(from) && !is_floating(to))) return false;
  return !is_unsigned(to) || is_unsigned(from);
}

std::optional<Value> array_binary(Interpreter& interpreter, BinaryOp op, const Value& a, const Value& b,
                                  const OperatorSpans& spans) {
  if (op == BinaryOp::Mod && a.as<Str>()) return std::nullopt;  // a format
  if (!interpreter.follower()) {
    if (auto number = of_plain_numbers(op, a, b)) return number;
  }
  if (const Array* array = b.as<Array>(); a.as<TensorObject>() && array && !array->is_scalar) {
    const Value made = *array_binary(interpreter, op, tensor_to_numpy(a, spans.left), b, spans);
    return Value(made.as<Array>()->tensor);  // numpy computes, and PyTorch takes back what it made
  }
  if (const auto pair = beside_tensor(a, b, spans.whole))
    return apply_binary(interpreter, op, pair->first, pair->second, spans);
  if (const auto list = repeated_list(op, a, b)) return apply_binary(interpreter, op, list->first, list->second, spans);
  const auto has_axes = [](const Value& value) { return value.as<Array>() && !value.as<Array>()->is_scalar; };
  const bool no_product = op == BinaryOp::MatMul && !has_axes(a) && !has_axes(b);
  if (!is_array_operand(a) || !is_array_operand(b) || no_product)
    throw CellError(
        Code::Type, spans.whole,
        fmt::format("unsupported operand type(s) for {}: '{}' and '{}'", spelling(op), type_name(a), type_name(b)));
  const Value x = as_array(a, {}, spans.left), y = as_array(b, {}, spans.right);
  DType common = numpy_promote(*x.as<Array>(), *y.as<Array>(), spans.whole);
  if (op == BinaryOp::MatMul) check_product(array_tensor(x), array_tensor(y), spans.whole);
  else check_broadcast(array_tensor(x), array_tensor(y), spans.whole);
  if (array_tensor(y).numel() > 0) refuse_types(op, common, array_tensor(x), array_tensor(y), spans.whole);
  if (op == BinaryOp::Div && !is_floating(common)) common = DType::Float64;
  if (op == BinaryOp::Pow && common == DType::Float64 && array_tensor(x).dim() == 0 && array_tensor(y).dim() == 0)
    return make_array(Tensor::scalar(std::pow(*as_real(x), *as_real(y))), true);
  const Value left = wide_operand(x, common), right = shift_count(op, wide_operand(y, common));
  Value result = call_named_op(interpreter, op_behind(op), {left, right}, {spans.left, spans.right}, spans.whole);
  if (op == BinaryOp::Mod && is_floating(common)) result = signed_zeros(result, right.as<TensorObject>()->tensor);
  if (op == BinaryOp::ShiftLeft) result = without_bits(result, y);
  return narrow_result(result, common);
}

std::optional<Value> array_in_place(Interpreter& interpreter, BinaryOp op, const Value& a, const Value& b,
                                    const OperatorSpans& spans) {
  const Array* target = a.as<Array>();
  Value result = *array_binary(interpreter, op, a, b, spans);
  if (!target || target->is_scalar || !result.as<Array>()) return result;
  const DType from = array_tensor(result).dtype(), to_type = array_tensor(a).dtype();
  if (!is_same_kind(from, to_type))
    throw CellError(
        Code::Type, spans.whole,
        fmt::format("Cannot cast ufunc '{}' output from dtype('{}') to dtype('{}') with casting rule 'same_kind'",
                    ufunc_name(op), numpy_name(from), numpy_name(to_type)));
  if (array_tensor(result).shape() != array_tensor(a).shape())
    throw CellError(Code::Value, spans.whole,
                    fmt::format("non-broadcastable output operand with shape {} doesn't match the broadcast shape {}",
                                numpy_shape(array_tensor(a).shape()), numpy_shape(array_tensor(result).shape())));
  call_named_op(interpreter, "Tensor.copy_", {target->tensor, result.as<Array>()->tensor}, {spans.left, spans.right},
                spans.whole);
  return a;
}

std::optional<Value> array_compare(Interpreter& interpreter, CompareOp op, const Value& a, const Value& b,
                                   const OperatorSpans& spans) {
  const bool is_bool = a.as<Array>() && a.as<Array>()->is_scalar && array_tensor(a).dtype() == DType::Bool;
  if (is_bool && b.as<TensorObject>()) {  // PyTorch does not know a numpy.bool_ that comes first
    if (op == CompareOp::Equal || op == CompareOp::NotEqual) return Value(op == CompareOp::NotEqual);
    throw CellError(
        Code::Type, spans.whole,
        fmt::format("'{}' not supported between instances of 'numpy.ndarray' and '{}'", spelling(op), type_name(b)));
  }
  if (const auto pair = beside_tensor(a, b, spans.whole))
    return apply_compare(interpreter, op, pair->first, pair->second, spans);
  if (!is_array_operand(a) || !is_array_operand(b)) {
    if (op == CompareOp::Equal || op == CompareOp::NotEqual) {  // with what is no number: nothing is equal to it
      const Value& array = is_array_operand(a) ? a : b;
      const Value& other = is_array_operand(a) ? b : a;
      const bool is_unlike = op == CompareOp::NotEqual;
      if (other.as<Str>() || array_tensor(array).dim() == 0) return Value(is_unlike);
      return make_array(full(array_tensor(array).shape(), Scalar(is_unlike), DType::Bool));
    }
    throw CellError(
        Code::Type, spans.whole,
        fmt::format("'{}' not supported between instances of '{}' and '{}'", spelling(op), type_name(a), type_name(b)));
  }
  const Value x = as_array(a, {}, spans.left), y = as_array(b, {}, spans.right);
  check_broadcast(array_tensor(x), array_tensor(y), spans.whole);
  const bool has_floats = is_floating(array_tensor(x).dtype()) || is_floating(array_tensor(y).dtype());
  const DType common = has_floats ? numpy_promote(*x.as<Array>(), *y.as<Array>(), spans.whole)
                                  : promote(wide_of(array_tensor(x).dtype()), wide_of(array_tensor(y).dtype()));
  return array_from(call_named_op(interpreter, op_behind(op), {wide_operand(x, common), wide_operand(y, common)},
                                  {spans.left, spans.right}, spans.whole));
}

Value array_unary(Interpreter& interpreter, UnaryOp op, const Value& a, Span span, Span) {
  const DType dtype = array_tensor(a).dtype();
  if (dtype == DType::Bool && op != UnaryOp::Invert)
    throw unsupported(span, "unsupported.array.unary",
                      {{"sign", std::string(spelling(op))}, {"type", numpy_name(dtype)}});
  if (op == UnaryOp::Invert && is_floating(dtype))
    throw CellError(Code::Type, span,
                    "ufunc 'invert' not supported for the input types, and the inputs could not be safely "
                    "coerced to any supported types according to the casting rule ''safe''");
  if (op == UnaryOp::Plus) return a;
  const std::string_view name = op == UnaryOp::Minus ? "torch.neg" : "torch.bitwise_not";
  return narrow_result(call_named_op(interpreter, name, {wide_operand(a, dtype)}, {span}, span), dtype);
}

}  // namespace attn
