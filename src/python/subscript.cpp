// x[index] and x[index] = value for every kind of container. Tensors go through the table of ops.
#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "base/number.h"
#include "base/text.h"
#include "python/class.h"
#include "python/exceptions.h"
#include "python/modules/library.h"
#include "python/operators.h"
#include "python/types/iterators.h"
#include "text/say.h"
#include "torch/nn/layer.h"
#include "torch/numpy/array.h"
#include "torch/weights_file.h"

namespace attn {
namespace {

std::optional<std::int64_t> slice_part(const Value& value) {
  if (value.is_none()) return std::nullopt;
  if (const auto index = as_index(value)) return index;
  throw CellError(Code::Type, {}, "slice indices must be integers or None or have an __index__ method");
}

// The place of an index in a sequence of `length` items.
std::size_t item_place(const Value& index, std::size_t length, const std::string& type, Span span) {
  const auto given = as_index(index);
  if (!given && index.as<TensorObject>()) throw CellError(Code::Type, span, std::string(kNoIndex));
  if (!given)
    throw CellError(Code::Type, span,
                    type == "string" ? fmt::format("string indices must be integers, not '{}'", type_name(index))
                                     : fmt::format("{} indices must be integers or slices, not {}",
                                                   type.substr(0, type.find(' ')), type_name(index)));
  const auto size = static_cast<std::int64_t>(length);
  const std::int64_t at = *given < 0 ? *given + size : *given;
  if (at < 0 || at >= size) {
    throw CellError(Code::Index, span, type + " index out of range",
                    say("mistake.index", {{"count", std::to_string(size)}, {"last", std::to_string(size - 1)}}));
  }
  return static_cast<std::size_t>(at);
}

std::vector<Value> sliced(const std::vector<Value>& items, const Slice& slice) {
  const SliceRange range = slice_range(slice, static_cast<std::int64_t>(items.size()));
  std::vector<Value> out;
  for (std::int64_t i = 0; i < range.count; ++i)
    out.push_back(items[static_cast<std::size_t>(range.start + i * range.step)]);
  return out;
}

Value string_item(const std::string& text, const Value& index, Span span) {
  std::vector<std::string_view> characters;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
    characters.push_back(std::string_view(text).substr(at, end - at));
    at = end;
  }
  if (const Slice* slice = index.as<Slice>()) {
    const SliceRange range = slice_range(*slice, static_cast<std::int64_t>(characters.size()));
    std::string out;
    for (std::int64_t i = 0; i < range.count; ++i)
      out += characters[static_cast<std::size_t>(range.start + i * range.step)];
    return make_str(std::move(out));
  }
  return make_str(std::string(characters[item_place(index, characters.size(), "string", span)]));
}

Value range_item(const Range& range, const Value& index, Span span) {
  if (const Slice* slice = index.as<Slice>()) {
    const SliceRange part = slice_range(*slice, range.length());
    return make<Range>(range.start + part.start * range.step, range.start + part.stop * range.step,
                       range.step * part.step);
  }
  const auto at = item_place(index, static_cast<std::size_t>(range.length()), "range object", span);
  return Value(range.start + static_cast<std::int64_t>(at) * range.step);
}

Value tuple_item(const Tuple& tuple, const Value& index, Span span) {
  const Slice* slice = index.as<Slice>();
  if (!slice) return tuple.items[item_place(index, tuple.items.size(), "tuple", span)];
  Ref<Tuple> out = make<Tuple>(sliced(tuple.items, *slice));
  out->is_size = tuple.is_size;
  return out;
}

void assign_slice(Interpreter& interpreter, List& list, const Slice& slice, const Value& value, Span span) {
  const SliceRange range = slice_range(slice, static_cast<std::int64_t>(list.items.size()));
  const std::vector<Value> values = interpreter.to_vector(value, span);
  if (range.step == 1) {
    const auto first = list.items.begin() + range.start;
    list.items.erase(first, first + range.count);
    list.items.insert(list.items.begin() + range.start, values.begin(), values.end());
    return;
  }
  if (static_cast<std::int64_t>(values.size()) != range.count) {
    throw CellError(
        Code::Value, span,
        fmt::format("attempt to assign sequence of size {} to extended slice of size {}", values.size(), range.count));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    list.items[static_cast<std::size_t>(range.start + static_cast<std::int64_t>(i) * range.step)] = values[i];
  }
}

}  // namespace

SliceRange slice_range(const Slice& slice, std::int64_t length) {
  const std::int64_t step = slice_part(slice.step).value_or(1);
  if (step == 0) throw CellError(Code::Value, {}, "slice step cannot be zero");
  const std::int64_t low = step > 0 ? 0 : -1, high = step > 0 ? length : length - 1;
  auto clamped = [&](std::optional<std::int64_t> bound, std::int64_t missing) {
    if (!bound) return missing;
    return std::clamp(*bound < 0 ? std::max(*bound, -length - 1) + length : *bound, low, high);
  };
  const std::int64_t start = clamped(slice_part(slice.start), step > 0 ? low : high);
  const std::int64_t stop = clamped(slice_part(slice.stop), step > 0 ? high : low);
  const std::int64_t span = step > 0 ? stop - start : start - stop;
  const std::int64_t stride = step > 0 ? step : step == INT64_MIN ? INT64_MAX : -step;
  return {start, step, span <= 0 ? 0 : (span - 1) / stride + 1, stop};
}

Value get_item(Interpreter& interpreter, const Value& object, const Value& index, const OperatorSpans& spans) {
  if (object.as<TensorObject>())
    return call_named_op(interpreter, "op.index", {object, index}, {spans.left, spans.right}, spans.whole);
  if (const List* list = object.as<List>()) {
    if (const Slice* slice = index.as<Slice>()) return make_list(sliced(list->items, *slice));
    return list->items[item_place(index, list->items.size(), "list", spans.whole)];
  }
  if (const Tuple* tuple = object.as<Tuple>()) return tuple_item(*tuple, index, spans.whole);
  if (const Str* text = object.as<Str>()) return string_item(text->text, index, spans.whole);
  if (const Range* range = object.as<Range>()) return range_item(*range, index, spans.whole);
  if (const Layer* layer = object.as<Layer>(); layer && is_container(*layer)) {
    return container_item(interpreter, object.ref<Layer>(), index, spans.whole);
  }
  if (Dict* dict = object.as<Dict>()) {
    if (const Value* value = dict->find(index)) return *value;
    if (dict->type_name == "Counter") return Value(std::int64_t{0});
    if (!dict->factory.is_none()) {
      Value made = interpreter.call(dict->factory, {{}, {}, {}, spans.whole});
      dict->set(index, made);
      return made;
    }
    std::vector<std::string> keys;
    for (const auto& item : dict->items) keys.push_back(repr(item.first));
    const std::string near = nearest(repr(index), keys);
    throw key_error(index, spans.whole, did_you_mean(near));
  }
  if (object.as<Array>()) return array_item(interpreter, object, index, spans);
  if (const WeightsSlice* slice = object.as<WeightsSlice>())
    return weights_slice_item(interpreter, *slice, index, spans);
  if (const Quiet* quiet = object.as<Quiet>()) return quiet_item(*quiet, index, spans.whole);
  if (object.as<TypeObject>()) return object;  // list[int], Optional[Tensor]: annotations
  Value special;
  if (call_special(object, "__getitem__", {index}, special)) return special;
  throw CellError(Code::Type, spans.whole, fmt::format("'{}' object is not subscriptable", type_name(object)));
}

void set_item(Interpreter& interpreter, const Value& object, const Value& index, const Value& value,
              const OperatorSpans& spans) {
  if (object.as<TensorObject>()) {
    call_named_op(interpreter, "op.index_put", {object, index, value}, {spans.left, spans.right}, spans.whole);
  } else if (List* list = object.as<List>()) {
    interpreter.require_effects("wrong_cell.name", spans.whole);
    if (const Slice* slice = index.as<Slice>(); slice && !is_iterable(value)) {
      const bool is_extended = slice_range(*slice, 0).step != 1;
      throw CellError(Code::Type, spans.whole,
                      is_extended ? "must assign iterable to extended slice" : "can only assign an iterable");
    }
    if (const Slice* slice = index.as<Slice>()) return assign_slice(interpreter, *list, *slice, value, spans.whole);
    list->items[item_place(index, list->items.size(), "list assignment", spans.whole)] = value;
  } else if (Dict* dict = object.as<Dict>()) {
    interpreter.require_effects("wrong_cell.name", spans.whole);
    dict->set(index, value);
  } else if (const Layer* layer = object.as<Layer>(); layer && is_container(*layer)) {
    set_container_item(interpreter, object.ref<Layer>(), index, value, spans.whole);
  } else if (object.as<Array>()) {
    set_array_item(interpreter, object, index, value, spans);
  } else if (object.as<Quiet>()) {
    // plt.rcParams['figure.figsize'] = ...: how a figure looks
  } else if (Value ignored; !call_special(object, "__setitem__", {index, value}, ignored)) {
    throw CellError(Code::Type, spans.whole,
                    fmt::format("'{}' object does not support item assignment", type_name(object)));
  }
}

void delete_item(Interpreter& interpreter, const Value& object, const Value& index, const OperatorSpans& spans) {
  if (List* list = object.as<List>()) {
    const Slice* slice = index.as<Slice>();
    const auto length = static_cast<std::int64_t>(list->items.size());
    const SliceRange range =
        slice ? slice_range(*slice, length)
              : SliceRange{
                    static_cast<std::int64_t>(item_place(index, list->items.size(), "list assignment", spans.whole)), 1,
                    1, 0};
    std::vector<bool> gone(list->items.size(), false);
    for (std::int64_t i = 0; i < range.count; ++i) gone[static_cast<std::size_t>(range.start + i * range.step)] = true;
    std::size_t at = 0;
    std::erase_if(list->items, [&](const Value&) { return gone[at++]; });
  } else if (Dict* dict = object.as<Dict>()) {
    if (!dict->find(index) || !dict->erase(index)) throw key_error(index, spans.whole);
  } else if (const Layer* layer = object.as<Layer>(); layer && is_container(*layer)) {
    delete_container_item(interpreter, object.ref<Layer>(), index, spans.whole);
  } else if (Value ignored; !call_special(object, "__delitem__", {index}, ignored)) {
    // CPython says it in one way of an index into what could have places, in another of everything else.
    const bool has_places =
        object.as<Str>() || object.as<Tuple>() || object.as<Range>() || object.as<Set>() || class_of(object);
    const std::string_view words = has_places && as_index(index) ? "doesn't" : "does not";
    throw CellError(Code::Type, spans.whole,
                    fmt::format("'{}' object {} support item deletion", type_name(object), words));
  }
}

}  // namespace attn
