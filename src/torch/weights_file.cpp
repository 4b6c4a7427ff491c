#include "torch/weights_file.h"

#include "python/exceptions.h"
#include "python/type.h"
#include "torch/numpy/array.h"
#include "torch/op.h"

namespace attn {
namespace {

Value as_given(Tensor tensor, bool numpy) {
  return numpy ? make_array(std::move(tensor)) : make_tensor(std::move(tensor));
}

const std::shared_ptr<const SafetensorsFile>& open_file(const MethodCall& call) {
  const auto& file = call.self.as<WeightsFile>()->file;
  if (!file) throw python_error("SafetensorError", call.given.span, "File is closed");
  return file;
}

const StoredTensor& named_tensor(const MethodCall& call) {
  const StoredTensor* tensor = open_file(call)->find(call.text(0));
  if (!tensor) throw python_error("SafetensorError", call.given.span, "File does not contain tensor " + call.text(0));
  return *tensor;
}

Value keys(MethodCall& call) {
  std::vector<Value> names;
  for (const StoredTensor* tensor : open_file(call)->in_order_of_data()) names.push_back(make_str(tensor->name));
  return make_list(std::move(names));
}

Value metadata(MethodCall& call) {
  const auto& pairs = open_file(call)->metadata();
  if (pairs.empty()) return {};
  Ref<Dict> out = make<Dict>();
  for (const auto& [key, text] : pairs) out->set(make_str(key), make_str(text));
  return out;
}

Value get_tensor(MethodCall& call) {
  const StoredTensor& tensor = named_tensor(call);
  return as_given(open_file(call)->read(tensor), call.self.as<WeightsFile>()->gives_numpy);
}

Value get_slice(MethodCall& call) {
  const StoredTensor& tensor = named_tensor(call);
  return make<WeightsSlice>(open_file(call), tensor, call.self.as<WeightsFile>()->gives_numpy);
}

Value enter(MethodCall& call) {
  open_file(call);
  return call.self;
}

Value leave(MethodCall& call) {
  call.self.as<WeightsFile>()->file = nullptr;
  return {};
}

constexpr Method kFileMethods[] = {{"keys", 0, 0, keys},
                                   {"metadata", 0, 0, metadata},
                                   {"get_tensor", 1, 1, get_tensor, "name"},
                                   {"get_slice", 1, 1, get_slice, "name"},
                                   {"__enter__", 0, 0, enter},
                                   {"__exit__", 3, 3, leave}};

Value get_shape(MethodCall& call) {
  std::vector<Value> sizes;
  for (const std::int64_t size : call.self.as<WeightsSlice>()->tensor.shape) sizes.emplace_back(size);
  return make_list(std::move(sizes));
}

Value get_dtype(MethodCall& call) { return make_str(call.self.as<WeightsSlice>()->tensor.type); }

constexpr Method kSliceMethods[] = {{"get_shape", 0, 0, get_shape}, {"get_dtype", 0, 0, get_dtype}};

/// The rows that an index asks for, and the index of them in the place of the first.
struct Rows {
  std::int64_t begin = 0, end = 0;
  Value index;
};

Rows row_range(const Value& first, std::int64_t size) {
  const Slice* slice = first.as<Slice>();
  if (slice && (slice->step.is_none() || as_index(slice->step) == 1)) {
    const SliceRange range = slice_range(*slice, size);
    return {range.start, range.start + range.count, make<Slice>(Value(), Value(), Value())};
  }
  const Int* number = first.as_int();
  const std::int64_t at = number ? number->value + (number->value < 0 ? size : 0) : -1;
  if (at >= 0 && at < size) return {at, at + 1, Value(std::int64_t{0})};
  return {0, size, first};
}

Value slice_item(Interpreter& interpreter, const Value& self, const Value& index, const OperatorSpans& spans) {
  const WeightsSlice& slice = *self.as<WeightsSlice>();
  const Tuple* several = index.as<Tuple>();
  std::vector<Value> parts = several ? several->items : std::vector<Value>{index};
  Tensor read;
  if (!slice.tensor.shape.empty() && !parts.empty()) {
    Rows rows = row_range(parts[0], slice.tensor.shape[0]);
    read = slice.file->read_rows(slice.tensor, rows.begin, rows.end);
    parts[0] = std::move(rows.index);
  } else {
    read = slice.file->read(slice.tensor);
  }
  return get_item(interpreter, as_given(std::move(read), slice.gives_numpy), make_tuple(std::move(parts)), spans);
}

}  // namespace

const Type WeightsFile::kType = {
    .name = "safe_open",
    .methods = [](const Value&) { return std::span<const Method>(kFileMethods); },
};

const Type WeightsSlice::kType = {
    .name = "PySafeSlice",
    .methods = [](const Value&) { return std::span<const Method>(kSliceMethods); },
    .get_item = slice_item,
};

}  // namespace attn
