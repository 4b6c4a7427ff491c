// Methods of dict and set.
#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "python/exceptions.h"
#include "python/modules/collections.h"
#include "python/natives.h"
#include "python/operators.h"
#include "python/types/changing.h"
#include "python/types/iterators.h"
#include "python/types/methods.h"
#include "python/types/python_sort.h"

namespace attn {

void add_to_set(Interpreter& interpreter, Set& to, const Value& from, Span span) {
  if (const Set* other = from.as<Set>()) return to.add_all(*other);
  if (const Dict* other = from.as<Dict>()) to.make_room(other->items.size());
  interpreter.for_each(from, span, [&](const Value& item) { return to.add(item), true; });
}

void add_pairs(Interpreter& interpreter, Dict& dict, const Value& from, Span from_span, Span span) {
  if (Value keys; call_special(from, "keys", {}, keys)) {
    interpreter.for_each(keys, from_span, [&](const Value& key) {
      return dict.set(key, get_item(interpreter, from, key, {span, from_span, from_span})), true;
    });
    return;
  }
  std::size_t number = 0;
  const auto fail = [&](Code code, const std::string& rest) {
    throw CellError(code, span,
                    fmt::format("{}dictionary update sequence element #{} {}",
                                code == Code::Type ? "cannot convert " : "", number, rest));
  };
  interpreter.for_each(from, from_span, [&](const Value& item) {
    if (!is_iterable(item)) fail(Code::Type, "to a sequence");
    const std::vector<Value> pair = interpreter.to_vector(item, from_span);
    if (pair.size() != 2) fail(Code::Value, fmt::format("has length {}; 2 is required", pair.size()));
    dict.set(pair[0], pair[1]);
    ++number;
    return true;
  });
}

namespace {

// ---- dict ----

Dict& dict_of(const MethodCall& call) { return *call.self.as<Dict>(); }

template <DictView::Part Part>
Value dict_view(MethodCall& call) {
  return make<DictView>(call.self.ref<Dict>(), Part);
}

Value dict_get(MethodCall& call) {
  const Value* value = dict_of(call).find(call[0]);
  return value ? *value : call[1];
}

Value dict_pop(MethodCall& call) {
  // Python does not look whether the key is hashable where there is nothing to find.
  const Value* found = dict_of(call).items.empty() ? nullptr : dict_of(call).find(call[0]);
  if (!found && !call.has(1)) throw key_error(call[0], call.given.span);
  Value out = found ? *found : call[1];
  if (found) dict_of(call).erase(call[0]);
  return out;
}

Value dict_popitem(MethodCall& call) {
  const bool is_ordered = dict_of(call).type_name == "OrderedDict";
  if (dict_of(call).items.empty())
    throw key_error(make_str(is_ordered ? "dictionary is empty" : "popitem(): dictionary is empty"), call.given.span);
  if (call.has(0) && !is_ordered) call.fail(Code::Type, "dict.popitem() takes no arguments (1 given)");
  const auto [key, value] = call.has(0) && !truthy(call[0]) ? dict_of(call).items.front() : dict_of(call).items.back();
  dict_of(call).erase(key);
  return make_tuple({key, value});
}

Value dict_update(MethodCall& call) {
  if (dict_of(call).type_name == "Counter") {
    const Ref<Dict> named = make<Dict>();
    for (const auto& [name, value] : call.given.keywords) named->set(make_str(name), value);
    if (call.has(0)) count_into(call.interpreter, dict_of(call), call[0], call.given.span);
    count_into(call.interpreter, dict_of(call), named, call.given.span);
    return {};
  }
  if (const Dict* other = call[0].as<Dict>()) {
    for (const auto& [key, value] : other->items.all()) dict_of(call).set(key, value);
  } else if (call.has(0)) {
    add_pairs(call.interpreter, dict_of(call), call[0], call.span(0), call.given.span);
  }
  for (const auto& [name, value] : call.given.keywords) dict_of(call).set(make_str(name), value);
  return {};
}

Value dict_setdefault(MethodCall& call) {
  if (const Value* found = dict_of(call).find(call[0])) return *found;
  dict_of(call).set(call[0], call[1]);
  return call[1];
}

Value dict_copy(MethodCall& call) {
  Ref<Dict> out = make<Dict>();
  out->type_name = dict_of(call).type_name;
  out->factory = dict_of(call).factory;
  for (const auto& [key, value] : dict_of(call).items.all()) out->set(key, value);
  return out;
}

// Of a Counter: the items, the most frequent first. As in Python's library one is asked for by max(), more by sorted().
Value dict_most_common(MethodCall& call) {
  if (dict_of(call).type_name != "Counter")
    call.fail(Code::Attribute, fmt::format("'{}' object has no attribute 'most_common'", type_name(call.self)));
  using Item = std::pair<Value, Value>;
  std::vector<Item> items = dict_of(call).items.all();
  const Span span = call.given.span;
  const bool wants_all = !call.has(0) || call[0].is_none();
  const auto count = wants_all ? items.size() : static_cast<std::size_t>(std::max<std::int64_t>(call.integer(0), 0));
  if (count == 0) return make_list({});
  if (count == 1 && !items.empty()) {
    const auto is_less = [&](const Item& a, const Item& b) {
      return truthy(apply_compare(call.interpreter, CompareOp::Greater, b.second, a.second, {span, span, span}));
    };
    items = {*std::max_element(items.begin(), items.end(), is_less)};
  } else {
    std::reverse(items.begin(), items.end());  // turned around before and after, equal counts stay in their order
    python_sort(items, [&](const Item& a, const Item& b) { return less(call.interpreter, a.second, b.second, span); });
    std::reverse(items.begin(), items.end());
  }
  std::vector<Value> out;
  for (std::size_t i = 0; i < std::min(count, items.size()); ++i) {
    look();
    out.push_back(make_tuple({items[i].first, items[i].second}));
  }
  return make_list(std::move(out));
}

// What only a dict of this type has, by its function in src/lib.
template <const char* type, const char* function>
Value method_of(MethodCall& call) {
  if (dict_of(call).type_name != type)
    call.fail(Code::Attribute, fmt::format("'{}' object has no attribute '{}'", type_name(call.self), call.name));
  CallArguments arguments = call.given;
  arguments.positional.insert(arguments.positional.begin(), call.self);
  arguments.spans.insert(arguments.spans.begin(), call.given.span);
  return call.interpreter.call(library_function(call.interpreter, "deque", function), arguments);
}
constexpr char kCounter[] = "Counter", kOrderedDict[] = "OrderedDict", kMoveToEnd[] = "move_to_end";
constexpr char kElements[] = "counter_elements", kSubtract[] = "counter_subtract", kTotal[] = "counter_total";

Value dict_clear(MethodCall& call) {
  const Value factory = dict_of(call).factory;
  if (!dict_of(call).mirrored.is_none())
    for (const auto& [key, value] : dict_of(call).items.all()) dict_of(call).erase(key);
  dict_of(call).clear();
  dict_of(call).factory = factory;
  return {};
}

constexpr Method kDictMethods[] = {{"keys", 0, 0, dict_view<DictView::Part::Keys>},
                                   {"values", 0, 0, dict_view<DictView::Part::Values>},
                                   {"items", 0, 0, dict_view<DictView::Part::Items>},
                                   {"get", 1, 2, dict_get},
                                   {"pop", 1, 2, dict_pop, {}, true},
                                   {"popitem", 0, 1, dict_popitem, "last", true},
                                   {"move_to_end", 1, 2, method_of<kOrderedDict, kMoveToEnd>, "key last", true},
                                   {"update", 0, 1, dict_update, "**", true},
                                   {"setdefault", 1, 2, dict_setdefault, {}, true},
                                   {"most_common", 0, 1, dict_most_common},
                                   {"elements", 0, 0, method_of<kCounter, kElements>},
                                   {"subtract", 0, 1, method_of<kCounter, kSubtract>, {}, true},
                                   {"total", 0, 0, method_of<kCounter, kTotal>},
                                   {"copy", 0, 0, dict_copy},
                                   {"clear", 0, 0, dict_clear, {}, true}};

// ---- set ----

Set& set_of(const MethodCall& call) { return *call.self.as<Set>(); }

Ref<Set> set_from(const MethodCall& call, std::size_t i) {
  if (call[i].as<Set>()) return call[i].ref<Set>();
  Ref<Set> out = make<Set>();
  add_to_set(call.interpreter, *out, call[i], call.span(i));
  return out;
}

void add_from(const MethodCall& call, std::size_t i, Set& to) {
  add_to_set(call.interpreter, to, call[i], call.span(i));
}

Ref<Set> copy_of(const Set& set) {
  Ref<Set> out = make<Set>();
  out->is_frozen = set.is_frozen;
  out->add_all(set);
  return out;
}

Value set_add(MethodCall& call) {
  set_of(call).add(call[0]);
  return {};
}

Value set_discard(MethodCall& call) {
  if (set_of(call).contains(call[0])) set_of(call).erase(call[0]);
  return {};
}

Value set_remove(MethodCall& call) {
  if (!set_of(call).contains(call[0])) throw key_error(call[0], call.given.span);
  return set_discard(call);
}

Value set_update(MethodCall& call) {
  for (std::size_t i = 0; i < call.arguments.size(); ++i) add_from(call, i, set_of(call));
  return {};
}

Value set_union(MethodCall& call) {
  Ref<Set> out = copy_of(set_of(call));
  for (std::size_t i = 0; i < call.arguments.size(); ++i) add_from(call, i, *out);
  return out;
}

// What both hold comes from the smaller set, and from anything that is no set.
Ref<Set> both_hold(const MethodCall& call, const Set& set, std::size_t i) {
  if (const Set* other = call[i].as<Set>())
    return other->items.size() <= set.items.size() ? other->shared(set) : set.shared(*other);
  Ref<Set> out = make<Set>();
  call.interpreter.for_each(call[i], call.span(i), [&](const Value& item) {
    if (set.contains(item)) out->add(item);
    return true;
  });
  return out;
}

Value set_intersection(MethodCall& call) {
  Ref<Set> out = call.arguments.empty() ? copy_of(set_of(call)) : call.self.ref<Set>();
  for (std::size_t i = 0; i < call.arguments.size(); ++i) out = both_hold(call, *out, i);
  out->is_frozen = set_of(call).is_frozen;
  return out;
}

Value set_difference(MethodCall& call) {
  const bool is_first_set = !call.arguments.empty() && (call[0].as<Set>() || call[0].as<Dict>());
  Ref<Set> out = is_first_set ? set_of(call).difference(*set_from(call, 0)) : copy_of(set_of(call));
  for (std::size_t i = is_first_set ? 1 : 0; i < call.arguments.size(); ++i) out->erase_all(*set_from(call, i));
  out->is_frozen = set_of(call).is_frozen;
  return out;
}

Value set_difference_update(MethodCall& call) {
  for (std::size_t i = 0; i < call.arguments.size(); ++i) set_of(call).erase_all(*set_from(call, i));
  return {};
}

Value set_symmetric_difference(MethodCall& call) {
  Ref<Set> out = set_from(call, 0);
  if (call[0].as<Set>()) out = copy_of(*out);
  out->exchange_with(set_of(call));
  out->is_frozen = set_of(call).is_frozen;
  return out;
}

Value set_issubset(MethodCall& call) { return Value(set_of(call).is_subset_of(*set_from(call, 0))); }
// Whether each item of the argument is inside, or none: the first that is not so decides.
Value each_is(MethodCall& call, bool inside) {
  bool is_so = true;
  call.interpreter.for_each(call[0], call.span(0), [&](const Value& item) {
    return is_so = contains(call.interpreter, call.self, item, call.given.span) == inside;
  });
  return Value(is_so);
}
Value set_issuperset(MethodCall& call) { return each_is(call, true); }
Value isdisjoint(MethodCall& call) { return each_is(call, false); }
Value set_copy(MethodCall& call) { return copy_of(set_of(call)); }

Value set_pop(MethodCall& call) {
  if (set_of(call).items.empty()) throw key_error(make_str("pop from an empty set"), call.given.span);
  return set_of(call).pop();
}

Value set_intersection_update(MethodCall& call) {
  const Value made = set_intersection(call);
  set_of(call).become(*made.as<Set>());
  return {};
}

Value set_symmetric_difference_update(MethodCall& call) {
  set_of(call).exchange_with(*set_from(call, 0));
  return {};
}

Value set_clear(MethodCall& call) {
  set_of(call).clear();
  return {};
}

constexpr Method kSetMethods[] = {{"add", 1, 1, set_add, {}, true},
                                  {"remove", 1, 1, set_remove, {}, true},
                                  {"discard", 1, 1, set_discard, {}, true},
                                  {"update", 0, kAnyNumber, set_update, {}, true},
                                  {"union", 0, kAnyNumber, set_union},
                                  {"intersection", 0, kAnyNumber, set_intersection},
                                  {"difference", 0, kAnyNumber, set_difference},
                                  {"symmetric_difference", 1, 1, set_symmetric_difference},
                                  {"pop", 0, 0, set_pop, {}, true},
                                  {"intersection_update", 0, kAnyNumber, set_intersection_update, {}, true},
                                  {"difference_update", 0, kAnyNumber, set_difference_update, {}, true},
                                  {"symmetric_difference_update", 1, 1, set_symmetric_difference_update, {}, true},
                                  {"issubset", 1, 1, set_issubset},
                                  {"issuperset", 1, 1, set_issuperset},
                                  {"isdisjoint", 1, 1, isdisjoint},
                                  {"copy", 0, 0, set_copy},
                                  {"clear", 0, 0, set_clear, {}, true}};

constexpr Method kViewMethods[] = {{"isdisjoint", 1, 1, isdisjoint}};

}  // namespace

std::span<const Method> view_methods() { return kViewMethods; }
std::span<const Method> dict_methods() { return kDictMethods; }
std::span<const Method> set_methods() { return kSetMethods; }
std::span<const Method> frozenset_methods() {
  static const std::vector<Method> rows = [] {
    std::vector<Method> unchanging;
    for (const Method& row : kSetMethods)
      if (!row.changes) unchanging.push_back(row);
    return unchanging;
  }();
  return rows;
}

}  // namespace attn
