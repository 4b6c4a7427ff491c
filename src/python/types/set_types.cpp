// What set and frozenset do, and the views of a dict: those of keys and items count as sets beside others.
#include <algorithm>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "python/interpreter.h"
#include "python/operators.h"
#include "python/type.h"
#include "python/types/changing.h"
#include "python/types/iterators.h"
#include "python/types/methods.h"

namespace attn {

void Set::clear() {
  Lookup::require_none(*this);
  items.clear();
  order_ = order_ ? order_->emptied() : SetOrder();
}

bool Set::is_subset_of(const Set& other) const {
  return all_items(items, [&](const Value& item) { return other.contains(item); });
}

std::optional<std::size_t> Set::place_of(const Value& value, std::size_t hash) const {
  const Lookup lookup(*this);
  return items.find(hash, [&](std::size_t place) { return is_key(items[place], value); });
}

bool Set::contains(const Value& value) const {
  look();
  return place_of(value, ValueHash()(value)).has_value();
}

void Set::add(const Value& value) {
  look();
  Lookup::require_none(*this);
  const std::size_t hash = ValueHash()(value);
  if (place_of(value, hash)) return;
  const auto number = order_ ? python_hash(value) : std::nullopt;
  try {
    if (items.has_many_gaps()) {
      const auto moved = items.close_gaps();
      if (order_) order_->renumber(moved);
    }
    items.add(hash, value);
    if (number) order_->add(*number, items.last_place());
    else order_.reset();
  } catch (...) {  // no memory: the slots may not be those of the items any more
    order_.reset();
    throw;
  }
}

void Set::make_room(std::size_t count) {
  if (order_ && count > 0) order_->make_room(count);
}

void Set::add_all(const Set& other) {
  if (&other == this) return;
  Lookup::require_none(*this);
  if (other.order_) make_room(other.items.size());
  if (auto order = order_ && other.order_ ? order_->with_slots_of(*other.order_) : std::nullopt) {
    items = other.items.copy();
    order_ = std::move(order);
    return;
  }
  for (const Value& item : other.ordered()) add(item);
}

Value Set::take(std::size_t place) {
  if (order_) order_->erase(*python_hash(items[place]), place);
  return items.erase(place);
}

void Set::erase_all(const Set& other) {
  for (const Value& item : other.ordered()) erase(item);
  if (order_) order_->tidy();
}

void Set::exchange_with(const Set& other) {
  for (const Value& item : other.ordered())
    if (!erase(item)) add(item);
}

Ref<Set> Set::shared(const Set& other) const {
  Ref<Set> out = make<Set>();
  for (const Value& item : ordered())
    if (other.contains(item)) out->add(item);
  return out;
}

Ref<Set> Set::difference(const Set& other) const {
  Ref<Set> out = make<Set>();
  if (items.size() / 4 > other.items.size()) {
    out->add_all(*this);
    out->erase_all(other);
    return out;
  }
  for (const Value& item : ordered())
    if (!other.contains(item)) out->add(item);
  return out;
}

void Set::become(const Set& other) {
  auto copies = other.items.copy();
  auto order = other.order_;
  clear();
  items = std::move(copies);
  order_ = std::move(order);
}

Value Set::pop() {
  Lookup::require_none(*this);
  return take(order_ ? order_->popped() : items.begin().place());
}

std::vector<Value> Set::ordered() const {
  if (!order_) return items.all();
  std::vector<Value> out;
  out.reserve(items.size());
  order_->each_place([&](std::size_t place) { out.push_back(items[place]); });
  return out;
}

bool Set::erase(const Value& value) {
  Lookup::require_none(*this);
  const auto place = place_of(value, ValueHash()(value));
  if (!place) return false;
  take(*place);
  return true;
}

Value DictView::item(const std::pair<Value, Value>& entry) const {
  const auto& [key, value] = entry;
  if (part == Part::Items) return make_tuple({key, value});
  return part == Part::Keys ? key : value;
}

std::vector<Value> DictView::items() const {
  std::vector<Value> out;
  for (const auto& entry : dict->items) out.push_back(item(entry));
  return out;
}

std::string DictView::type_name() const {
  const std::string owner = dict->type_name == "OrderedDict" ? "odict" : "dict";
  return owner + (part == Part::Keys ? "_keys" : part == Part::Values ? "_values" : "_items");
}

namespace {

void each_of_view(Interpreter&, const Value& self, Span span, const Visit& visit) {
  const Ref<DictView> view = self.ref<DictView>();
  const std::size_t size = view->size();
  for (const auto& entry : view->dict->items) {
    if (!visit(view->item(entry))) return;
    if (view->size() != size) throw CellError(Code::Runtime, span, "dictionary changed size during iteration");
  }
}

Iterator::Next step_through_view(const Value& self, Span span) {
  const Ref<DictView> view = self.ref<DictView>();
  return [view, span, size = view->size(), place = std::size_t{0}](Value& out) mutable {
    if (view->size() != size) throw CellError(Code::Runtime, span, "dictionary changed size during iteration");
    const auto entry = view->dict->items.from(place);
    if (entry == view->dict->items.end()) return false;
    place = entry.place() + 1;
    out = view->item(*entry);
    return true;
  };
}

bool view_contains(Interpreter&, const Value& self, const Value& item, Span) {
  const DictView& view = *self.as<DictView>();
  if (view.part == DictView::Part::Keys) return view.dict->find(item) != nullptr;
  if (view.part == DictView::Part::Items) {
    const Tuple* pair = item.as<Tuple>();
    const Value* found = pair && pair->items.size() == 2 ? view.dict->find(pair->items[0]) : nullptr;
    return found && equals(Value(*found), pair->items[1]);
  }
  const std::vector<Value> items = view.items();
  return std::any_of(items.begin(), items.end(), [&](const Value& own) { return equals(own, item); });
}

bool is_view_like_a_set(const Value& value) {
  const DictView* view = value.as<DictView>();
  return view && view->part != DictView::Part::Values;
}

// Sets, and views that compare like one; the values of a dict are equal only to themselves.
std::optional<bool> equal_sets(const Value& a, const Value& b) {
  const Set *x = a.as<Set>(), *y = b.as<Set>();
  if (x && y) return x->items.size() == y->items.size() && x->is_subset_of(*y);
  if (!(x || is_view_like_a_set(a)) || !(y || is_view_like_a_set(b))) return false;
  if ((x ? x->items.size() : a.as<DictView>()->size()) != (y ? y->items.size() : b.as<DictView>()->size()))
    return false;
  return all_items(x ? x->items.all() : a.as<DictView>()->items(), [&](const Value& item) {
    return y ? y->contains(item) : view_contains(*Interpreter::current(), b, item, {});
  });
}

std::optional<Value> set_binary(BinaryOp op, const Set& a, const Set& b) {
  Ref<Set> out = make<Set>();
  switch (op) {
    case BinaryOp::BitOr:
      for (const Set* from : {&a, &b}) out->add_all(*from);
      break;
    // The items of the smaller one, of the right one where both are of a size.
    case BinaryOp::BitAnd: out = b.items.size() <= a.items.size() ? b.shared(a) : a.shared(b); break;
    case BinaryOp::Sub: out = a.difference(b); break;
    case BinaryOp::BitXor:
      out->add_all(b);
      out->exchange_with(a);
      break;
    default: return std::nullopt;
  }
  out->is_frozen = a.is_frozen;
  return out;
}

// A view of keys or items counts as a set beside another set or view.
Value as_set(const Value& value) {
  if (!is_view_like_a_set(value)) return value;
  Ref<Set> out = make<Set>();
  for (const Value& item : value.as<DictView>()->items()) out->add(item);
  return out;
}

std::optional<Value> combine_sets(Interpreter&, BinaryOp op, const Value& a, const Value& b, const OperatorSpans&) {
  const Value x = as_set(a), y = as_set(b);
  return x.as<Set>() && y.as<Set>() ? set_binary(op, *x.as<Set>(), *y.as<Set>()) : std::nullopt;
}

// A view also takes whatever can be gone through: vocabulary.keys() & ["a", "b"].
std::optional<Value> combine_views(Interpreter& interpreter, BinaryOp op, const Value& a, const Value& b,
                                   const OperatorSpans& spans) {
  constexpr BinaryOp kTaken[] = {BinaryOp::BitOr, BinaryOp::BitAnd, BinaryOp::Sub, BinaryOp::BitXor};
  if (std::find(std::begin(kTaken), std::end(kTaken), op) == std::end(kTaken)) return std::nullopt;
  const auto taken = [&](const Value& value, Span span) -> Value {
    const Value own = as_set(value);
    if (own.as<Set>() || !is_iterable(value)) return own;
    Ref<Set> out = make<Set>();
    interpreter.for_each(value, span, [&](const Value& item) { return out->add(item), true; });
    return out;
  };
  if (!is_view_like_a_set(a) && !is_view_like_a_set(b)) return std::nullopt;
  return combine_sets(interpreter, op, taken(a, spans.left), taken(b, spans.right), spans);
}

bool compare_sets(CompareOp op, const Set& a, const Set& b) {
  switch (op) {
    case CompareOp::LessEqual: return a.is_subset_of(b);
    case CompareOp::Less: return a.items.size() < b.items.size() && a.is_subset_of(b);
    case CompareOp::GreaterEqual: return b.is_subset_of(a);
    default: return a.items.size() > b.items.size() && b.is_subset_of(a);
  }
}

std::optional<Value> compare_two_sets(Interpreter&, CompareOp op, const Value& a, const Value& b,
                                      const OperatorSpans&) {
  const Value x = as_set(a), y = as_set(b);
  if (!x.as<Set>() || !y.as<Set>()) return std::nullopt;
  return Value(compare_sets(op, *x.as<Set>(), *y.as<Set>()));
}

std::optional<Value> set_in_place(Interpreter& interpreter, BinaryOp op, const Value& self, const Value& other,
                                  const OperatorSpans& spans) {
  Set& set = *self.as<Set>();
  if (!other.as<Set>() || set.is_frozen) return std::nullopt;
  if (op == BinaryOp::BitOr || op == BinaryOp::Sub || op == BinaryOp::BitXor) {  // these cost what `other` has
    interpreter.require_effects("wrong_cell.name", spans.whole);
    const Set& more = *other.as<Set>();
    op == BinaryOp::BitOr ? set.add_all(more) : op == BinaryOp::Sub ? set.erase_all(more) : set.exchange_with(more);
    return self;
  }
  const auto changed = set_binary(op, set, *other.as<Set>());
  if (!changed) return std::nullopt;
  interpreter.require_effects("wrong_cell.name", spans.whole);
  set.become(*changed->as<Set>());
  return self;
}

void each_of_set(Interpreter&, const Value& self, Span span, const Visit& visit) {
  const Ref<Set> set = self.ref<Set>();
  const std::size_t size = set->items.size();
  for (const Value& item : set->ordered()) {
    if (!visit(item)) return;
    if (set->items.size() != size) throw CellError(Code::Runtime, span, "Set changed size during iteration");
  }
}

std::string set_name(const Value& self) { return self.as<Set>()->is_frozen ? "frozenset" : "set"; }

std::string set_repr(const Value& self) {
  const Set& set = *self.as<Set>();
  const std::string items = set.items.empty() ? "" : "{" + items_repr(set.ordered()) + "}";
  return set.is_frozen || items.empty() ? set_name(self) + "(" + items + ")" : items;
}

std::size_t hash_of_set(const Value& self) {
  if (!self.as<Set>()->is_frozen) refuse_hash(self);
  std::size_t hash = 5;
  for (const Value& item : self.as<Set>()->items) hash += ValueHash()(item) * 1000003;  // in whatever order
  return hash;
}

Value copy_of_set(const Value& self, Span) {
  if (self.as<Set>()->is_frozen) return self;
  Ref<Set> out = make<Set>();
  out->add_all(*self.as<Set>());
  return out;
}

Value deep_copy_of_set(const Value& self, Copier& copier) {
  Ref<Set> out = make<Set>();
  out->is_frozen = self.as<Set>()->is_frozen;
  copier.remember(self, out);
  for (const Value& item : self.as<Set>()->ordered()) out->add(copier.copy(item));
  return out;
}

}  // namespace

const Type Set::kType = {
    .name = "set",
    .name_of = set_name,
    .repr = set_repr,
    .length =
        [](const Value& self) {
          return std::optional(int_value(static_cast<std::int64_t>(self.as<Set>()->items.size())));
        },
    .hash = hash_of_set,
    .equals = equal_sets,
    .each = each_of_set,
    .iterator = "set_iterator",
    .methods = [](const Value& self) { return self.as<Set>()->is_frozen ? frozenset_methods() : set_methods(); },
    .contains = [](Interpreter&, const Value& self, const Value& item, Span) { return self.as<Set>()->contains(item); },
    .binary = combine_sets,
    .compare = compare_two_sets,
    .in_place = set_in_place,
    .copy = copy_of_set,
    .deep_copy = deep_copy_of_set,
};

const Type DictView::kType = {
    .name = "dict_view",
    .name_of = [](const Value& self) { return self.as<DictView>()->type_name(); },
    .repr =
        [](const Value& self) {
          const DictView& view = *self.as<DictView>();
          return view.type_name() + "([" + items_repr(view.items()) + "])";
        },
    .length =
        [](const Value& self) {
          return std::optional(int_value(static_cast<std::int64_t>(self.as<DictView>()->size())));
        },
    .hash = refuse_hash,
    .equals = equal_sets,
    .each = each_of_view,
    .steps = step_through_view,
    .methods = [](const Value& self) { return is_view_like_a_set(self) ? view_methods() : std::span<const Method>(); },
    .contains = view_contains,
    .binary = combine_views,
    .compare = compare_two_sets,
};

}  // namespace attn
