// Items of arrays: numpy's indices as PyTorch takes them, slices that go backwards, and errors in numpy's words.
#include <fmt/format.h>

#include <algorithm>

#include "python/type.h"
#include "tensor/core/error.h"
#include "tensor/core/read.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/pointwise.h"
#include "text/unsupported.h"
#include "torch/numpy/array.h"

namespace attn {
namespace {

Value index_part(const Value& index, Span span) {
  if (const Slice* slice = index.as<Slice>()) {
    if (const auto step = as_index(slice->step); step && *step < 0)
      throw unsupported(span, "unsupported.array.negative_step");
    return index;
  }
  if (items_of(index) || index.as<Range>()) return index_part(as_array(index, {}, span), span);
  const Array* array = index.as<Array>();
  if (!array) return index;
  const Tensor& tensor = array->tensor->tensor;
  if (tensor.numel() == 0 && tensor.dtype() != DType::Bool) return make_tensor(to(tensor, DType::Int64));
  if (is_floating(tensor.dtype()))
    throw CellError(Code::Index, span, "arrays used as indices must be of integer (or boolean) type");
  if (tensor.dim() == 0 && tensor.dtype() != DType::Bool) return Value(to_int(item(tensor)));
  return is_narrow(tensor.dtype()) ? make_tensor(to(tensor, DType::Int64)) : Value(array->tensor);
}

Value tensor_index(const Value& index, Span span) {
  const Tuple* tuple = index.as<Tuple>();
  if (!tuple) return index_part(index, span);
  std::vector<Value> parts;
  for (const Value& part : tuple->items) parts.push_back(index_part(part, span));
  return make_tuple(std::move(parts));
}

bool has_ellipsis(const Value& index) {
  const Tuple* tuple = index.as<Tuple>();
  if (!tuple) return index.as<EllipsisObject>();
  return std::any_of(tuple->items.begin(), tuple->items.end(),
                     [](const Value& part) { return part.as<EllipsisObject>(); });
}

// An index whose slices with a negative step pick in order, and the axes of the result that are turned around then.
struct Turned {
  Value index;
  Shape axes;
};

bool goes_back(const Value& part) {
  const Slice* slice = part.as<Slice>();
  const auto step = slice ? as_index(slice->step) : std::nullopt;
  return step && *step < 0;
}

// What the slice picks of `size` elements, from the lowest place on.
Value in_order(const Slice& slice, std::int64_t size) {
  const SliceRange range = slice_range(slice, size);
  const std::int64_t lowest = range.count > 0 ? range.start + (range.count - 1) * range.step : 0;
  return make<Slice>(Value(lowest), Value(range.count > 0 ? range.start + 1 : 0), Value(-range.step));
}

Turned turned(const Value& index, const Shape& shape, Span span) {
  const Tuple* tuple = index.as<Tuple>();
  const std::vector<Value> parts = tuple ? tuple->items : std::vector<Value>{index};
  if (std::none_of(parts.begin(), parts.end(), goes_back)) return {index, {}};
  const auto takes_axis = [](const Value& part) { return !part.is_none() && !part.as<EllipsisObject>(); };
  const auto left_out = std::ssize(shape) - std::count_if(parts.begin(), parts.end(), takes_axis);
  std::vector<Value> out;
  Shape axes;
  std::int64_t from = 0, to = 0;  // axes of the array and of the result
  for (const Value& part : parts) {
    const bool is_slice = part.as<Slice>();
    if (part.as<EllipsisObject>()) {
      from += left_out;
      to += left_out;
    } else if (is_slice) {
      if (from >= std::ssize(shape)) return {index, {}};  // too many indices
      if (goes_back(part)) axes.push_back(to);
      out.push_back(goes_back(part) ? in_order(*part.as<Slice>(), shape[static_cast<std::size_t>(from)]) : part);
      ++from, ++to;
      continue;
    } else if (part.is_none()) {
      ++to;
    } else if (as_index(part) && !part.as_bool()) {
      ++from;
    } else {
      throw unsupported(span, "unsupported.array.negative_step");
    }
    out.push_back(part);
  }
  return {tuple ? make_tuple(std::move(out)) : out[0], axes};
}

// How many axes an index takes in: a mask has as many as it is deep.
std::int64_t axes_taken(const Value& index) {
  const Tuple* several = index.as<Tuple>();
  std::int64_t count = 0;
  for (const Value& item : several ? several->items : std::vector{index}) {
    const Array* array = item.as<Array>();
    const bool is_mask = array && array->tensor->tensor.dtype() == DType::Bool;
    if (!item.is_none() && !item.as<EllipsisObject>()) count += is_mask ? array->tensor->tensor.dim() : 1;
  }
  return count;
}

// PyTorch's texts about places, in numpy's words.
[[noreturn]] void rethrow(const CellError& error, const Array& array, const Value& index, Span span) {
  std::string text = error.what();
  if (text.starts_with("too many indices"))
    text = fmt::format("too many indices for array: array is {}-dimensional, but {} were indexed",
                       array.tensor->tensor.dim(), axes_taken(index));
  else if (text.starts_with("only integers"))
    text =
        "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid "
        "indices";
  else if (const std::size_t at = text.find("dimension "); at != std::string::npos) text.replace(at, 9, "axis");
  throw CellError(error.diagnostic().code, span, text);
}

// Loops over tables read and write one number after another: those of float64 and int64, named by ints alone, need no
// op where no observer follows.
std::optional<std::int64_t> place_of_element(const Tensor& x, const Value& index) {
  if (x.dtype() != DType::Float64 && x.dtype() != DType::Int64) return std::nullopt;
  const Tuple* const several = index.as<Tuple>();
  if (x.dim() != (several ? std::ssize(several->items) : 1)) return std::nullopt;
  std::int64_t place = 0;
  for (std::size_t i = 0; i < x.shape().size(); ++i) {
    const auto number = plain_number(several ? several->items[i] : index);
    const std::int64_t* const at = number ? std::get_if<std::int64_t>(&*number) : nullptr;
    if (!at || *at < -x.shape()[i] || *at >= x.shape()[i]) return std::nullopt;
    place += (*at < 0 ? *at + x.shape()[i] : *at) * x.strides()[i];
  }
  return place;
}

// False where it is not such a number, or not such a value.
bool write_element(Interpreter& interpreter, Tensor& x, const Value& index, const Value& value, Span span) {
  const auto number = plain_number(value);
  if (!number || (x.dtype() == DType::Int64 && is_float(*number))) return false;
  const auto place = place_of_element(x, index);
  if (!place) return false;
  interpreter.require_effects("wrong_cell.write", span);
  if (x.dtype() == DType::Float64) x.mutable_data<double>()[*place] = to_double(*number);
  else x.mutable_data<std::int64_t>()[*place] = to_int(*number);
  return true;
}

}  // namespace

Value array_item(Interpreter& interpreter, const Value& array, const Value& index, const OperatorSpans& spans) {
  const Array& source = *array.as<Array>();
  const auto place =
      interpreter.follower() || source.is_scalar ? std::nullopt : place_of_element(source.tensor->tensor, index);
  if (place) {
    const Tensor& from = source.tensor->tensor;
    return from.dtype() == DType::Float64 ? make_array(Tensor::scalar(from.data<double>()[*place]), true)
                                          : make_array(Tensor::scalar(from.data<std::int64_t>()[*place]), true);
  }
  try {
    const Turned wanted = turned(index, source.tensor->tensor.shape(), spans.right);
    Value picked = call_named_op(interpreter, "op.index", {source.tensor, tensor_index(wanted.index, spans.right)},
                                 {spans.left, spans.right}, spans.whole);
    if (!wanted.axes.empty())
      picked = call_named_op(interpreter, "torch.flip", {picked, make_size(wanted.axes)}, {spans.left, spans.right},
                             spans.whole);
    const Ref<TensorObject> handle = picked.ref<TensorObject>();
    const bool is_scalar = handle->tensor.dim() == 0 && !has_ellipsis(index);
    if (is_scalar) handle->tensor = cast(handle->tensor, handle->tensor.dtype());  // a copy, unlike other parts
    Ref<Array> made = make<Array>(handle, is_scalar);
    made->is_turned = !wanted.axes.empty();
    return made;
  } catch (const CellError& error) {
    if (error.type() == "IndexError") rethrow(error, source, index, spans.whole);
    throw;
  }
}

void set_array_item(Interpreter& interpreter, const Value& array, const Value& index, const Value& value,
                    const OperatorSpans& spans) {
  const Array& target = *array.as<Array>();
  if (target.is_scalar)
    throw CellError(Code::Type, spans.whole,
                    fmt::format("'{}' object does not support item assignment", type_name(array)));
  if (target.is_turned) throw unsupported(spans.whole, "unsupported.array.negative_step");
  if (!interpreter.follower() && write_element(interpreter, target.tensor->tensor, index, value, spans.whole)) return;
  Ref<TensorObject> written = as_array(value, target.tensor->tensor.dtype(), spans.right).as<Array>()->tensor;
  // a[1:] = a[:-1]: numpy reads all before it writes.
  if (written->tensor.shares_storage(target.tensor->tensor)) written = make<TensorObject>(clone(written->tensor));
  try {
    call_named_op(interpreter, "op.index_put", {target.tensor, tensor_index(index, spans.right), Value(written)},
                  {spans.left, spans.right, spans.right}, spans.whole);
  } catch (const CellError& error) {
    if (error.type() == "IndexError") rethrow(error, target, index, spans.whole);
    throw;
  }
}

}  // namespace attn
