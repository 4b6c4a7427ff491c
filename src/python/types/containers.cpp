// Methods of list and tuple.
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/limits.h"
#include "base/number.h"
#include "python/evaluator.h"
#include "python/operators.h"
#include "python/types/changing.h"
#include "python/types/methods.h"
#include "text/unsupported.h"

namespace attn {
namespace {

// Python's == inside of containers: the same object is equal to itself, tensors are asked.
bool same(const MethodCall& call, const Value& a, const Value& b) {
  charge(1);
  if (a.object() && a.object() == b.object()) return true;
  if (!a.as<TensorObject>() && !b.as<TensorObject>()) return equals(a, b);
  const Span span = call.given.span;
  return truthy(apply_compare(call.interpreter, CompareOp::Equal, a, b, {span, span, span}));
}

Value count_of(const MethodCall& call, const std::vector<Value>& items) {
  const Value wanted = call[0];
  std::int64_t count = 0;
  all_items(items, [&](const Value& item) { return count += same(call, item, wanted), true; });
  return Value(count);
}

// The place that `at` means between the items, or behind them.
std::int64_t place_between(const std::vector<Value>& items, std::int64_t at) {
  const std::int64_t size = std::ssize(items);
  return std::clamp<std::int64_t>(at < 0 ? std::max(at, -size) + size : at, 0, size);
}

// The place of the first argument between the second and third; -1 when it is not there.
std::int64_t place_among(const MethodCall& call, const std::vector<Value>& items) {
  const std::int64_t from = call.integer(1), to = call.integer(2, INT64_MAX);
  const std::int64_t end = place_between(items, to);
  for (std::int64_t i = place_between(items, from); i < std::min(end, std::ssize(items)); ++i) {
    const Value item = items[static_cast<std::size_t>(i)];
    if (same(call, item, call[0])) return i;
  }
  return -1;
}

// ---- list ----

std::vector<Value>& list_items(const MethodCall& call) { return call.self.as<List>()->items; }

auto list_place(std::vector<Value>& items, std::int64_t at) { return items.begin() + static_cast<std::ptrdiff_t>(at); }

Value list_append(MethodCall& call) {
  list_items(call).push_back(call[0]);
  return {};
}

Value list_extend(MethodCall& call) {
  call.interpreter.extend(call.self.ref<List>(), call[0], call.span(0));
  return {};
}

Value list_insert(MethodCall& call) {
  std::vector<Value>& items = list_items(call);
  const std::int64_t at = call.integer(0);
  charge(std::ssize(items));
  items.insert(list_place(items, place_between(items, at)), call[1]);
  return {};
}

Value list_pop(MethodCall& call) {
  std::vector<Value>& items = list_items(call);
  std::int64_t at = call.integer(0, -1);
  const std::int64_t size = std::ssize(items);
  if (size == 0) call.fail(Code::Index, "pop from empty list");
  if (at < 0) at = std::max(at, -size - 1) + size;
  if (at < 0 || at >= size) call.fail(Code::Index, "pop index out of range");
  charge(size - at);
  Value out = items[static_cast<std::size_t>(at)];
  items.erase(list_place(items, at));
  return out;
}

Value list_remove(MethodCall& call) {
  std::vector<Value>& items = list_items(call);
  const std::int64_t at = place_among(call, items);
  if (at < 0) call.fail(Code::Value, "list.remove(x): x not in list");
  if (at >= std::ssize(items)) return {};                     // the comparison has removed it
  const Value removed = items[static_cast<std::size_t>(at)];  // lives until the list is in order again
  items.erase(list_place(items, at));
  return {};
}

Value list_index(MethodCall& call) {
  const std::int64_t at = place_among(call, list_items(call));
  if (at < 0) call.fail(Code::Value, repr(call[0]) + " is not in list");
  return Value(at);
}

Value list_count(MethodCall& call) { return count_of(call, list_items(call)); }

Value list_sort(MethodCall& call) {
  if (!call.given.positional.empty()) call.fail(Code::Type, "sort() takes no positional arguments");
  // As in CPython the list is empty while keys are asked for and items compared.
  const Value taken = make_list(std::exchange(list_items(call), {}));
  const CallArguments arguments{{taken}, call.given.keywords, {call.given.span}, call.given.span};
  Value sorted = taken;
  try {
    sorted = call.interpreter.call(*find_builtin("sorted"), arguments);
  } catch (...) {
    list_items(call) = taken.as<List>()->items;
    throw;
  }
  const std::vector<Value> added = std::exchange(list_items(call), sorted.as<List>()->items);
  if (!added.empty()) call.fail(Code::Value, "list modified during sort");
  return {};
}

Value list_reverse(MethodCall& call) {
  std::reverse(list_items(call).begin(), list_items(call).end());
  return {};
}

Value list_copy(MethodCall& call) { return make_list(list_items(call)); }

Value list_clear(MethodCall& call) {
  const std::vector<Value> gone = std::exchange(list_items(call), {});
  return {};
}

constexpr Method kListMethods[] = {{"append", 1, 1, list_append, {}, true},
                                   {"extend", 1, 1, list_extend, {}, true},
                                   {"insert", 2, 2, list_insert, {}, true},
                                   {"pop", 0, 1, list_pop, {}, true},
                                   {"remove", 1, 1, list_remove, {}, true},
                                   {"index", 1, 3, list_index},
                                   {"count", 1, 1, list_count},
                                   {"sort", 0, 2, list_sort, "key reverse", true},
                                   {"reverse", 0, 0, list_reverse, {}, true},
                                   {"copy", 0, 0, list_copy},
                                   {"clear", 0, 0, list_clear, {}, true}};

// ---- tuple ----

const std::vector<Value>& tuple_items(const MethodCall& call) { return call.self.as<Tuple>()->items; }

Value tuple_index(MethodCall& call) {
  const std::int64_t at = place_among(call, tuple_items(call));
  if (at < 0) call.fail(Code::Value, "tuple.index(x): x not in tuple");
  return Value(at);
}

Value tuple_count(MethodCall& call) { return count_of(call, tuple_items(call)); }

Value size_numel(MethodCall& call) {
  std::int64_t product = 1;
  for (const Value& item : tuple_items(call)) {
    const auto next = checked_mul(product, as_index(item).value_or(1));
    if (!next) throw unsupported(call.given.span, "unsupported.numel");
    product = *next;
  }
  return Value(product);
}

constexpr Method kTupleMethods[] = {{"index", 1, 3, tuple_index}, {"count", 1, 1, tuple_count}};
constexpr Method kSizeMethods[] = {
    {"index", 1, 3, tuple_index}, {"count", 1, 1, tuple_count}, {"numel", 0, 0, size_numel}};

// ---- range ----

std::int64_t range_place(const MethodCall& call) {
  const Range& range = *call.self.as<Range>();
  const Value wanted = call[0];
  if (!wanted.is_number()) return -1;
  const double* real = wanted.as_float();
  if (real && !(std::fabs(*real) < 9e18)) return -1;
  const std::int64_t number = real ? static_cast<std::int64_t>(*real) : *as_index(wanted);
  if (!equals(wanted, Value(number))) return -1;
  const std::int64_t at = floor_div(number - range.start, range.step);
  return at >= 0 && at < range.length() && range.start + at * range.step == number ? at : -1;
}

Value range_index(MethodCall& call) {
  const std::int64_t at = range_place(call);
  if (at < 0 && (call[0].as_int() || call[0].as_bool())) call.fail(Code::Value, repr(call[0]) + " is not in range");
  if (at < 0) call.fail(Code::Value, "sequence.index(x): x not in sequence");
  return Value(at);
}

Value range_count(MethodCall& call) { return Value(std::int64_t{range_place(call) >= 0}); }

// (start, stop, step) of its places in a sequence of that length.
Value slice_indices(MethodCall& call) {
  const std::int64_t length = call.integer(0);
  if (length < 0) call.fail(Code::Value, "length should not be negative");
  const SliceRange range = slice_range(*call.self.as<Slice>(), length);
  return make_tuple({Value(range.start), Value(range.stop), Value(range.step)});
}

constexpr Method kSliceMethods[] = {{"indices", 1, 1, slice_indices}};
constexpr Method kRangeMethods[] = {{"index", 1, 1, range_index}, {"count", 1, 1, range_count}};

}  // namespace

std::span<const Method> range_methods() { return kRangeMethods; }
std::span<const Method> slice_methods() { return kSliceMethods; }
std::span<const Method> list_methods() { return kListMethods; }
std::span<const Method> tuple_methods() { return kTupleMethods; }
std::span<const Method> size_methods() { return kSizeMethods; }

}  // namespace attn
