// x[index], x[index] = value and del x[index]: by the slots of the kind, else by the methods of the class.
#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "base/number.h"
#include "python/class.h"
#include "python/operators.h"
#include "python/type.h"
#include "python/types/changing.h"
#include "text/say.h"

namespace attn {
namespace {

std::optional<std::int64_t> slice_part(const Value& value) {
  if (value.is_none()) return std::nullopt;
  if (const auto index = as_index(value)) return index;
  throw CellError(Code::Type, {}, "slice indices must be integers or None or have an __index__ method");
}

std::int64_t item_number(const Value& index, const std::string& type, Span span) {
  const auto given = as_index(index);
  if (!given && index.as<TensorObject>()) throw CellError(Code::Type, span, std::string(kNoIndex));
  if (!given)
    throw CellError(Code::Type, span,
                    type == "string" ? fmt::format("string indices must be integers, not '{}'", type_name(index))
                                     : fmt::format("{} indices must be integers or slices, not {}",
                                                   type.substr(0, type.find(' ')), type_name(index)));
  return *given;
}

std::size_t place_of(std::int64_t number, std::size_t length, const std::string& type, Span span) {
  const auto size = static_cast<std::int64_t>(length);
  const std::int64_t at = number < 0 ? number + size : number;
  if (at < 0 || at >= size) {
    throw CellError(Code::Index, span, type + " index out of range",
                    say("mistake.index", {{"count", std::to_string(size)}, {"last", std::to_string(size - 1)}}));
  }
  return static_cast<std::size_t>(at);
}

}  // namespace

std::size_t item_place(const Value& index, std::size_t length, const std::string& type, Span span) {
  return place_of(item_number(index, type, span), length, type, span);
}

std::size_t item_place(const Value& index, const std::vector<Value>& items, const std::string& type, Span span) {
  const std::int64_t number = item_number(index, type, span);
  return place_of(number, items.size(), type, span);
}

SliceBounds slice_bounds(const Slice& slice) {
  const std::int64_t step = slice_part(slice.step).value_or(1);
  if (step == 0) throw CellError(Code::Value, {}, "slice step cannot be zero");
  const auto start = slice_part(slice.start);
  return {step, start, slice_part(slice.stop)};
}

SliceRange slice_range(const Slice& slice, std::int64_t length) { return slice_range(slice_bounds(slice), length); }

SliceRange slice_range(const SliceBounds& bounds, std::int64_t length) {
  const std::int64_t step = bounds.step;
  const std::int64_t low = step > 0 ? 0 : -1, high = step > 0 ? length : length - 1;
  auto clamped = [&](std::optional<std::int64_t> bound, std::int64_t missing) {
    if (!bound) return missing;
    return std::clamp(*bound < 0 ? std::max(*bound, -length - 1) + length : *bound, low, high);
  };
  const std::int64_t start = clamped(bounds.start, step > 0 ? low : high);
  const std::int64_t stop = clamped(bounds.stop, step > 0 ? high : low);
  const std::int64_t span = step > 0 ? stop - start : start - stop;
  const std::int64_t stride = step > 0 ? step : step == INT64_MIN ? INT64_MAX : -step;
  return {start, step, span <= 0 ? 0 : (span - 1) / stride + 1, stop};
}

Value get_item(Interpreter& interpreter, const Value& object, const Value& index, const OperatorSpans& spans) {
  if (const auto get = item_slot_of(object, &Type::get_item)) return get(interpreter, object, index, spans);
  Value special;
  if (call_special(object, "__getitem__", {index}, special)) return special;
  if (const ClassObject* type = object.as<ClassObject>(); type && type->is_generic) return object;  // Stack[int]
  throw CellError(Code::Type, spans.whole, fmt::format("'{}' object is not subscriptable", type_name(object)));
}

void set_item(Interpreter& interpreter, const Value& object, const Value& index, const Value& value,
              const OperatorSpans& spans) {
  if (const auto set = item_slot_of(object, &Type::set_item)) return set(interpreter, object, index, value, spans);
  if (Value ignored; call_special(object, "__setitem__", {index, value}, ignored)) return;
  throw CellError(Code::Type, spans.whole,
                  fmt::format("'{}' object does not support item assignment", type_name(object)));
}

void delete_item(Interpreter& interpreter, const Value& object, const Value& index, const OperatorSpans& spans) {
  if (const auto erase = item_slot_of(object, &Type::delete_item)) return erase(interpreter, object, index, spans);
  if (Value ignored; call_special(object, "__delitem__", {index}, ignored)) return;
  // CPython says it in one way of an index into what could have places, in another of everything else.
  const bool has_places =
      object.as<Str>() || object.as<Tuple>() || object.as<Range>() || object.as<Set>() || class_of(object);
  const std::string_view words = has_places && as_index(index) ? "doesn't" : "does not";
  throw CellError(Code::Type, spans.whole,
                  fmt::format("'{}' object {} support item deletion", type_name(object), words));
}

}  // namespace attn
