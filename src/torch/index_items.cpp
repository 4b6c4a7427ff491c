#include "torch/index_items.h"

#include <algorithm>

#include "base/limits.h"
#include "python/type.h"
#include "python/types/changing.h"
#include "tensor/core/error.h"
#include "tensor/core/read.h"
#include "tensor/ops/join.h"
#include "tensor/ops/pointwise.h"
#include "torch/tensor_data.h"

namespace attn {
namespace {

constexpr std::size_t kMostLikeTuple = 31;  // items of a sequence

// The tensor of an array with axes.
const Tensor* array_of_places(const Value& value) {
  const Array* array = value.as<Array>();
  return array && !array->is_scalar && array->tensor->tensor.dim() > 0 ? &array->tensor->tensor : nullptr;
}

// PyTorch's rule (an old habit of numpy's): x[[0, slice(2)]] is x[0, :2], but x[[0, 2]] picks two rows. The rows of an
// array are such items, too: x[np.array([[0, 1], [2, 3]])] is x[[0, 1], [2, 3]].
bool is_tuple_like(const Value& index) {
  if (index.as<Tuple>()) return true;
  if (const Tensor* rows = array_of_places(index))
    return rows->dim() > 1 && rows->size(0) > 0 && static_cast<std::size_t>(rows->size(0)) <= kMostLikeTuple;
  const auto* list = index.as<List>();
  if (!list || list->items.size() > kMostLikeTuple) return false;
  return std::any_of(list->items.begin(), list->items.end(), [](const Value& item) {
    return item.is_none() || item.as<TensorObject>() || item.as<List>() || item.as<Tuple>() || item.as<Range>() ||
           item.as<Slice>() || item.as<EllipsisObject>() || array_of_places(item);
  });
}

std::optional<std::int64_t> slice_end(const Value& value) {
  if (value.is_none()) return std::nullopt;
  const auto number = value.as_float() ? std::nullopt : as_index(value);
  if (!number) {
    throw TensorError("index.slice", Code::Type, "TypeError",
                      "slice indices must be integers or None or have an __index__ method");
  }
  return number;
}

IndexPart tensor_part(Ref<TensorObject> object) {
  const Tensor& tensor = object->tensor;
  if (tensor.dtype() == DType::UInt8) return tensor_part(make<TensorObject>(cast(tensor, DType::Bool)));
  const bool counts = tensor.dtype() != DType::Bool && !is_floating(tensor.dtype());
  if (tensor.dim() == 0 && counts) return {to_int(item(tensor)), {}};
  return {tensor, std::move(object)};
}

// Of numpy's: numbers of any type are places, but those of uint8 a mask.
IndexPart array_part(const Tensor& tensor, Ref<TensorObject> object) {
  const DType type = tensor.dtype();
  if (type != DType::Bool && type != DType::UInt8 && type != DType::Int64)
    return array_part(to(tensor, DType::Int64), nullptr);
  return tensor_part(object ? std::move(object) : make<TensorObject>(tensor));
}

// A list of ints or bools. An empty one picks nothing.
IndexPart list_part(const Value& value) {
  Tensor tensor = tensor_from(value);
  if (tensor.numel() == 0 || is_floating(tensor.dtype())) tensor = tensor_from(value, DType::Int64);
  return tensor_part(make<TensorObject>(std::move(tensor)));
}

[[noreturn]] void refuse_part(const Value& value) {
  throw TensorError("index.type", Code::Index, "IndexError",
                    "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices "
                    "(got " +
                        type_name(value) + ")");
}

IndexPart read_part(const Value& value) {
  if (value.is_none()) return {NewAxis{}, {}};
  if (const Int* number = value.as_int()) return {number->value, {}};
  if (const Array* array = value.as<Array>()) {
    const auto place = array->is_scalar ? as_index(value) : std::nullopt;
    if (place) return {*place, {}};
    if (array->is_scalar && is_floating(array->tensor->tensor.dtype())) refuse_part(value);
    return array_part(array->tensor->tensor, array->tensor);
  }
  if (has_number(value)) return {*as_index(value), {}};
  if (value.as<EllipsisObject>()) return {EllipsisIndex{}, {}};
  if (const auto* slice = value.as<Slice>()) {
    const auto step = slice_end(slice->step);
    if (step == 0)
      throw TensorError("index.step", Code::Value, "ValueError", "slice step cannot be zero", {{"step", 0}});
    return {SliceIndex{slice_end(slice->start), slice_end(slice->stop), step}, {}};
  }
  if (value.as<TensorObject>()) return tensor_part(value.ref<TensorObject>());
  if (value.as<List>() || value.as<Tuple>() || value.as<Range>()) return list_part(value);
  if (const bool* all = value.as_bool()) return tensor_part(make<TensorObject>(Tensor::scalar(*all)));
  if (value.as<Str>()) throw TensorError("index.type", Code::Type, "TypeError", "new(): invalid data type 'str'");
  refuse_part(value);
}

// PyTorch goes from item to item: what cannot be read is refused after what the items before it are refused for.
IndexPart read_or_refuse(const Value& value) {
  try {
    return read_part(value);
  } catch (const TensorError& error) {
    return {RefusedIndex{error}, {}};
  }
}

}  // namespace

std::vector<IndexPart> read_index(const Value& index) {
  if (index.as<Slice>()) return {read_part(index)};
  if (!is_tuple_like(index)) return {read_or_refuse(index)};
  const auto* tuple = index.as<Tuple>();
  std::vector<IndexPart> parts;
  if (const Tensor* rows = array_of_places(index)) {
    for (const Tensor& row : unbind(*rows, 0)) parts.push_back(array_part(row, nullptr));
    return parts;
  }
  all_items(tuple ? tuple->items : index.as<List>()->items,
            [&](const Value& item) { return parts.push_back(read_or_refuse(item)), true; });
  return parts;
}

std::vector<IndexItem> items_of(const std::vector<IndexPart>& parts) {
  std::vector<IndexItem> items;
  items.reserve(parts.size());
  for (const IndexPart& part : parts) {
    look();
    items.push_back(part.item);
  }
  return items;
}

}  // namespace attn
