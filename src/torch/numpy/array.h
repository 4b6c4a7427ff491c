#pragma once
// numpy arrays: an Array (value.h) is a handle on a tensor, and every number is computed by the same rows of the table
// of ops as a tensor's. What differs from PyTorch is here: types and how they mix, scalars, printing, indexing. What
// cannot be right (integer types but int64 in arithmetic, strings, objects) is refused.
#include <optional>
#include <string>

#include "base/source.h"
#include "python/interpreter.h"
#include "python/operators.h"
#include "python/value.h"
#include "tensor/core/work.h"

namespace attn {

inline constexpr int kMostArrayAxes = 32;  // of numpy

/// An array over the tensor; one without dimensions that an op made is a scalar (numpy.float64).
Value make_array(Tensor tensor, bool is_scalar = false);
inline const Tensor& array_tensor(const Value& array) { return array.as<Array>()->tensor->tensor; }
/// What numpy computes with as the processor does: float64, int64, and Python's own float and int.
std::optional<Scalar> plain_number(const Value& value);
/// What an op gave, as an array, or as a scalar when it has no dimensions.
Value array_from(const Value& tensor);

/// A tensor of so many numbers, each made of its place in row-major order. Ctrl-C is heard between them.
template <class Number>
Tensor made_by_place(const Shape& shape, Number number) {
  using T = decltype(number(std::int64_t{}));
  Tensor made = Tensor::empty(shape, dtype_of<T>);
  T* const out = made.mutable_data<T>();
  in_chunks(made.numel(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) out[i] = number(i);
  });
  return made;
}

/// np.asarray: an array stays itself, a tensor shares its numbers, numbers and nested lists are read (floats as
/// float64).
///   Errors: Unsupported for strings and for rows of different lengths; PyTorch's RuntimeError for a tensor that
///   requires grad.
Value as_array(const Value& value, std::optional<DType> dtype, Span span);

/// np.float32, np.int64, ...: false when there is no such type.
bool numpy_type(const std::string& name, Value& out);
/// The type that dtype= names: np.float32, 'float32', float, x.dtype. Unsupported for others.
DType numpy_dtype(const Value& value, Span span);
/// np.dtype(...)
Value dtype_value(DType dtype);
/// "float64", "bool"
std::string numpy_name(DType dtype);
/// np.float32(3): a scalar, or an array of that type. False when the type is none of numpy's.
bool construct_numpy(const TypeObject& type, const CallArguments& arguments, Value& out);
/// x.dtype == np.float32 and 'float32'; nothing when neither is a dtype.
std::optional<bool> same_numpy_dtype(const Value& a, const Value& b);

/// The common type of two arrays, or of an array and a number, whose value then counts: numpy 1.24's rules.
///   Errors: Unsupported where it is uint64.
DType numpy_promote(const Array& a, const Array& b, Span span = {});
/// What functions like exp make of it: float16 of bool and 8 bits, float32 of 16 bits, float64 of longer ints.
DType float_type(DType dtype);

/// Whether numpy writes numbers of one type into an array of the other without being asked to.
bool is_same_kind(DType from, DType to);

/// The tensor of an array for an op: of the type, and if that is narrow of its wide type.
Value wide_operand(const Value& array, DType dtype);
/// What an op computed in a wide type, as an array of the type that numpy gives it.
Value narrow_result(const Value& tensor, DType dtype);

/// "(2,3)", as numpy's errors write it.
std::string numpy_shape(const Shape& shape);

std::string array_str(const Array& array);
std::string array_repr(const Array& array);
/// The same between separators of the caller's, where lines after the first begin under the end of `prefix`.
std::string array_text(const Tensor& x, const std::string& separator, const std::string& prefix);

Value array_item(Interpreter& interpreter, const Value& array, const Value& index, const OperatorSpans& spans);
void set_array_item(Interpreter& interpreter, const Value& array, const Value& index, const Value& value,
                    const OperatorSpans& spans);

std::optional<Value> array_binary(Interpreter& interpreter, BinaryOp op, const Value& a, const Value& b,
                                  const OperatorSpans& spans);
/// a += b: writes into the array, so that views of it see it.
std::optional<Value> array_in_place(Interpreter& interpreter, BinaryOp op, const Value& a, const Value& b,
                                    const OperatorSpans& spans);
std::optional<Value> array_compare(Interpreter& interpreter, CompareOp op, const Value& a, const Value& b,
                                   const OperatorSpans& spans);
Value array_unary(Interpreter& interpreter, UnaryOp op, const Value& a, Span span, Span operand);

/// tensor.numpy(): shares the numbers. Errors: RuntimeError for a tensor that requires grad.
Value tensor_to_numpy(const Value& tensor, Span span);
/// torch.from_numpy(array): shares the numbers.
Value tensor_from_numpy(const Value& array, Span span);

}  // namespace attn
