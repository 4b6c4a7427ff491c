// What range, slice and ... do.
#include <fmt/format.h>

#include <cmath>

#include "python/operators.h"
#include "python/type.h"
#include "python/types/methods.h"

namespace attn {

namespace {

Value range_item(const Range& range, const Value& index, Span span) {
  if (const Slice* slice = index.as<Slice>()) {
    const SliceRange part = slice_range(*slice, range.length());
    return make<Range>(range.start + part.start * range.step, range.start + part.stop * range.step,
                       range.step * part.step);
  }
  const auto at = item_place(index, static_cast<std::size_t>(range.length()), "range object", span);
  return Value(range.start + static_cast<std::int64_t>(at) * range.step);
}

void each_of_range(Interpreter&, const Value& self, Span, const Visit& visit) {
  const Range& range = *self.as<Range>();
  const std::int64_t start = range.start, step = range.step, length = range.length();
  for (std::int64_t i = 0; i < length; ++i) {
    if (!visit(Value(start + i * step))) return;
  }
}

Iterator::Next step_through_range(const Value& self, Span) {
  const Range& range = *self.as<Range>();
  return [start = range.start, step = range.step, length = range.length(), at = std::int64_t{0}](Value& out) mutable {
    if (at >= length) return false;
    out = Value(start + at++ * step);
    return true;
  };
}

std::optional<bool> equal_ranges(const Value& a, const Value& b) {
  const Range *x = a.as<Range>(), *y = b.as<Range>();
  if (!x || !y) return std::nullopt;
  return x->length() == y->length() &&
         (x->length() == 0 || (x->start == y->start && (x->length() == 1 || x->step == y->step)));
}

// Of what makes two ranges equal.
std::size_t hash_of_range(const Value& self) {
  const Range& range = *self.as<Range>();
  const std::int64_t length = range.length();
  return ValueHash()(
      make_tuple({Value(length), length > 0 ? Value(range.start) : Value(), length > 1 ? Value(range.step) : Value()}));
}

std::string range_repr(const Value& self) {
  const Range& range = *self.as<Range>();
  return range.step == 1 ? fmt::format("range({}, {})", range.start, range.stop)
                         : fmt::format("range({}, {}, {})", range.start, range.stop, range.step);
}

// Of numbers it is known without a loop.
bool range_contains(Interpreter& interpreter, const Value& self, const Value& item, Span span) {
  if (!item.is_number()) return contains_by_loop(interpreter, self, item, span);
  const Range& range = *self.as<Range>();
  const auto real = as_real(item);
  const bool is_whole = !item.as_float() || (std::trunc(*real) == *real && std::abs(*real) < 0x1p63);
  if (!is_whole) return false;
  const std::int64_t number = item.as_float() ? static_cast<std::int64_t>(*real) : *as_index(item);
  const bool is_within =
      range.step > 0 ? number >= range.start && number < range.stop : number <= range.start && number > range.stop;
  // The distance may be one of 64 bits without a sign.
  const auto distance = static_cast<std::uint64_t>(number) - static_cast<std::uint64_t>(range.start);
  const auto step = static_cast<std::uint64_t>(range.step);
  return is_within && (range.step > 0 ? distance % step : (0 - distance) % (0 - step)) == 0;
}

template <class Bounds>
bool bound_attribute(Interpreter&, const Value& self, const std::string& name, Span, Span, Value& out) {
  const Bounds& bounds = *self.as<Bounds>();
  const std::pair<std::string_view, Value> parts[] = {
      {"start", Value(bounds.start)}, {"stop", Value(bounds.stop)}, {"step", Value(bounds.step)}};
  for (const auto& [part, value] : parts) {
    if (part == name) return out = value, true;
  }
  return false;
}

}  // namespace

const Type Range::kType = {
    .name = "range",
    .repr = range_repr,
    .length = [](const Value& self) { return std::optional(Value(self.as<Range>()->length())); },
    .hash = hash_of_range,
    .equals = equal_ranges,
    .each = each_of_range,
    .steps = step_through_range,
    .iterator = "range_iterator",
    .attribute = bound_attribute<Range>,
    .methods = [](const Value&) { return range_methods(); },
    .get_item = [](Interpreter&, const Value& self, const Value& index,
                   const OperatorSpans& spans) { return range_item(*self.as<Range>(), index, spans.whole); },
    .contains = range_contains,
};

const Type Slice::kType = {
    .name = "slice",
    .repr =
        [](const Value& self) {
          const Slice& slice = *self.as<Slice>();
          return fmt::format("slice({}, {}, {})", repr(slice.start), repr(slice.stop), repr(slice.step));
        },
    .hash = refuse_hash,
    .equals = [](const Value& a, const Value& b) -> std::optional<bool> {
      const Slice *x = a.as<Slice>(), *y = b.as<Slice>();
      if (!x || !y) return std::nullopt;
      return equals(x->start, y->start) && equals(x->stop, y->stop) && equals(x->step, y->step);
    },
    .attribute = bound_attribute<Slice>,
    .methods = [](const Value&) { return slice_methods(); },
};

const Type EllipsisObject::kType = {
    .name = "ellipsis",
    .repr = [](const Value&) { return std::string("Ellipsis"); },
    .hash = [](const Value&) { return std::size_t{17}; },
    .equals = [](const Value& a, const Value& b) -> std::optional<bool> {
      return a.as<EllipsisObject>() && b.as<EllipsisObject>();
    },
    .is_singleton = true,
};

}  // namespace attn
