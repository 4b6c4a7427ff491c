#include "torch/tensor_data.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "python/interpreter.h"
#include "python/type.h"
#include "tensor/core/error.h"
#include "tensor/core/read.h"
#include "tensor/ops/pointwise.h"
#include "text/unsupported.h"

namespace attn {
namespace {

[[noreturn]] void refuse_data(const char* rule, Code code, const char* type, std::string text) {
  throw TensorError(rule, code, type, std::move(text));
}

// A list, tuple, range or array of numpy from one side.
class Sequence {
 public:
  explicit Sequence(const Value& value) : range_(value.as<Range>()) {
    if (const auto* list = value.as<List>()) items_ = &list->items;
    if (const auto* tuple = value.as<Tuple>()) items_ = &tuple->items;
    const auto* array = value.as<Array>();
    if (!array || array->is_scalar) return;
    if (array->tensor->tensor.dim() == 0)
      refuse_data("tensor.type", Code::Type, "TypeError", "len() of unsized object");
    rows_ = Interpreter::current()->to_vector(value, {});
    items_ = &rows_;
  }
  Sequence(const Sequence&) = delete;
  Sequence& operator=(const Sequence&) = delete;
  explicit operator bool() const { return items_ || range_; }
  std::int64_t size() const { return range_ ? range_->length() : static_cast<std::int64_t>(items_->size()); }
  Value operator[](std::int64_t i) const {
    return range_ ? Value(range_->start + i * range_->step) : (*items_)[static_cast<std::size_t>(i)];
  }

 private:
  const Range* range_;
  const std::vector<Value>* items_ = nullptr;
  std::vector<Value> rows_;  // of an array
};

// The widest element type, in the order in which PyTorch meets the elements.
DType infer_dtype(const Value& value) {
  check_stack();
  look();
  if (value.as_bool()) return DType::Bool;
  if (value.as_int()) return DType::Int64;
  if (value.as_float()) return DType::Float32;
  if (const auto* tensor = value.as<TensorObject>()) return tensor->tensor.dtype();
  if (const auto* array = value.as<Array>(); array && array->is_scalar) return array->tensor->tensor.dtype();
  if (has_number(value)) return DType::Int64;
  if (value.as<Str>()) refuse_data("tensor.type", Code::Type, "TypeError", "new(): invalid data type 'str'");
  const Sequence items(value);
  if (!items) refuse_data("tensor.type", Code::Runtime, "RuntimeError", "Could not infer dtype of " + type_name(value));
  if (items.size() == 0) return DType::Float32;
  charge(items.size());
  DType widest = infer_dtype(items[0]);
  for (std::int64_t i = 1; i < items.size(); ++i) widest = promote(widest, infer_dtype(items[i]));
  return widest;
}

Shape infer_sizes(const Value& data) {
  Shape shape;
  Value value = data;
  while (true) {
    const Sequence items(value);
    if (!items) return shape;
    shape.push_back(items.size());
    if (shape.size() > kMostAxes) refuse_data("tensor.dims", Code::Value, "ValueError", "too many dimensions 'list'");
    if (items.size() == 0) return shape;
    value = items[0];
  }
}

// One number as `dtype` would hold it.
Scalar read_number(const Value& value, DType dtype) {
  std::optional<Scalar> scalar = as_scalar(value);
  if (const auto* object = value.as<TensorObject>()) scalar = item(object->tensor);
  if (!scalar && value.as<Str>()) refuse_data("tensor.dims", Code::Value, "ValueError", "too many dimensions 'str'");
  if (!scalar) {
    const std::string type = type_name(value);
    refuse_data("tensor.type", Code::Type, "TypeError",
                is_floating(dtype) ? "must be real number, not " + type
                                   : fmt::format("'{}' object cannot be interpreted as an integer", type));
  }
  const double* real = std::get_if<double>(&*scalar);
  if (real && dtype == DType::Int64 && !(std::fabs(*real) < 9.3e18)) {
    refuse_data("tensor.overflow", Code::Runtime, "RuntimeError",
                "value cannot be converted to type int64 without overflow");
  }
  return *scalar;
}

template <class T>
T number_as(const Scalar& scalar) {
  return std::visit([](auto value) { return static_cast<T>(value); }, scalar);
}

template <class T>
class Reader {
 public:
  explicit Reader(Shape shape) : result_(Tensor::empty(std::move(shape), dtype_of<T>)) {
    out_ = result_.template mutable_data<T>();
  }
  Tensor read(const Value& data) {
    store(data, 0);
    return std::move(result_);
  }

 private:
  void store(const Value& value, std::size_t depth) {
    check_stack();
    look();
    if (depth == result_.shape().size()) {
      *out_++ = number_as<T>(read_number(value, dtype_of<T>));
      return;
    }
    const Sequence items(value);
    if (!items) refuse_data("tensor.ragged", Code::Type, "TypeError", "not a sequence");
    const std::int64_t expected = result_.shape()[depth];
    if (items.size() != expected) {
      throw TensorError("tensor.ragged", Code::Value, "ValueError",
                        fmt::format("expected sequence of length {} at dim {} (got {})", expected, depth, items.size()),
                        {{"expected", expected}, {"axis", static_cast<std::int64_t>(depth)}, {"got", items.size()}});
    }
    for (std::int64_t i = 0; i < expected; ++i) store(items[i], depth + 1);
  }

  Tensor result_;
  T* out_;
};

// Read in the wide type; integers have to fit (a uint8 takes -1 for 255, as in PyTorch).
Tensor narrow_from(const Value& data, const Shape& shape, DType dtype) {
  if (is_floating(dtype)) return to(Reader<float>(shape).read(data), dtype);
  const Tensor wide = Reader<std::int64_t>(shape).read(data);
  const std::int64_t* const numbers = wide.data<std::int64_t>();
  for (std::int64_t i = 0; i < wide.numel(); ++i) {
    look();
    const bool wraps = dtype == DType::UInt8 && numbers[i] < 0 && numbers[i] >= -255;
    if (narrowed(numbers[i], dtype) != numbers[i] && !wraps)
      refuse_data("tensor.overflow", Code::Runtime, "RuntimeError",
                  fmt::format("value cannot be converted to type {} without overflow", short_name(dtype)));
  }
  return to(wide, dtype);
}

}  // namespace

Tensor tensor_from(const Value& data, std::optional<DType> dtype) {
  if (const auto* array = data.as<Array>()) require_forward(*array, {});
  if (const auto* array = data.as<Array>()) require_torch_type(array->tensor->tensor.dtype(), {});
  if (const auto* array = data.as<Array>()) return tensor_from(array->tensor, dtype);
  if (const auto* object = data.as<TensorObject>()) return cast(object->tensor, dtype.value_or(object->tensor.dtype()));
  const Shape shape = infer_sizes(data);
  charge(numel_of(shape));  // lists that share their items may stand for more numbers than there are
  const DType wanted = dtype ? *dtype : infer_dtype(data);
  if (is_narrow(wanted)) return narrow_from(data, shape, wanted);
  return dispatch(wanted, [&]<class T>(T) { return Reader<T>(shape).read(data); });
}

void require_torch_type(DType dtype, Span span) {
  if (dtype != DType::UInt16 && dtype != DType::UInt32) return;
  throw CellError(Code::Type, span,
                  fmt::format("can't convert np.ndarray of type numpy.{}. The only supported types are: float64, "
                              "float32, float16, complex64, complex128, int64, int32, int16, int8, uint8, and bool.",
                              short_name(dtype)));
}

void require_forward(const Array& array, Span span) {
  if (!array.is_turned) return;
  throw CellError(Code::Value, span,
                  "At least one stride in the given numpy array is negative, and tensors with negative strides are not "
                  "currently supported. (You can probably work around this by making a copy of your array  with "
                  "array.copy().) ");
}

}  // namespace attn
