// What dict does.
#include <algorithm>
#include <cmath>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/text.h"
#include "python/class.h"
#include "python/exceptions.h"
#include "python/interpreter.h"
#include "python/modules/collections.h"
#include "python/natives.h"
#include "python/operators.h"
#include "python/type.h"
#include "python/types/changing.h"
#include "python/types/methods.h"
#include "python/types/python_sort.h"
#include "text/say.h"

namespace attn {

void Dict::clear() {
  Lookup::require_none(*this);
  items.clear();
  factory = mirrored = Value();
}

bool is_key(const Value& own, const Value& key) {
  if (own.object() && own.object() == key.object()) return true;
  const double *const x = own.as_float(), *const y = key.as_float();
  return (x && y && std::isnan(*x) && std::isnan(*y)) || equals(own, key);  // Python asks the one in the table
}

std::optional<std::size_t> Dict::place_of(const Value& key, std::size_t hash) const {
  const Lookup lookup(*this);
  return items.find(hash, [&](std::size_t place) { return is_key(items[place].first, key); });
}

const Value* Dict::find(const Value& key) const {
  const auto place = place_of(key, ValueHash()(key));
  return place ? &items[*place].second : nullptr;
}

void Dict::set(const Value& key, Value value) {
  look();
  if (Instance* object = mirrored.as<Instance>()) object->attributes.set(str(key), value);
  else if (!mirrored.is_none())
    mirrored.object()->type().set_attribute(*Interpreter::current(), mirrored, str(key), value, {});
  Lookup::require_none(*this);
  const std::size_t hash = ValueHash()(key);
  if (const auto place = place_of(key, hash)) {
    items[*place].second = std::move(value);
  } else {
    if (items.has_many_gaps()) items.close_gaps();
    items.add(hash, {key, std::move(value)});
  }
}

bool Dict::erase(const Value& key) {
  if (Instance* object = mirrored.as<Instance>()) object->attributes.erase(str(key));
  else if (!mirrored.is_none())
    mirrored.object()->type().delete_attribute(*Interpreter::current(), mirrored, str(key), {});
  Lookup::require_none(*this);
  const auto place = place_of(key, ValueHash()(key));
  if (!place) return false;
  items.erase(*place);
  return true;
}

namespace {

// OrderedDict([('a', 1)]), Counter({'a': 2, 'b': 1}), defaultdict(<class 'int'>, {'a': 1})
std::string collection_repr(const Dict& dict, const std::string& items) {
  if (dict.type_name == "defaultdict") return "defaultdict(" + repr(dict.factory) + ", {" + items + "})";
  return dict.type_name + (items.empty() ? "()" : "({" + items + "})");
}

std::string ordered_dict_repr(const Dict& dict) {
  std::vector<Value> pairs;
  for (const auto& [key, value] : dict.items) pairs.push_back(make_tuple({key, value}));
  return "OrderedDict(" + (pairs.empty() ? "" : "[" + items_repr(pairs) + "]") + ")";
}

std::string dict_repr(const Dict& dict) {
  if (dict.type_name == "OrderedDict") return ordered_dict_repr(dict);
  auto items = dict.items.all();
  if (dict.type_name == "Counter") {  // the most frequent first
    python_sort(items, [](const auto& a, const auto& b) {
      return as_real(a.second).value_or(0) > as_real(b.second).value_or(0);
    });
  }
  std::string out;
  for (const auto& [key, value] : items) {
    if (is_cut_off(out)) break;
    charge(1);
    if (!out.empty()) out += ", ";
    out += repr(key) + ": " + repr(value);
  }
  return dict.type_name.empty() ? "{" + out + "}" : collection_repr(dict, out);
}

std::string dict_path(const Value& self) {
  const std::string& name = self.as<Dict>()->type_name;
  return name.empty() ? "dict" : "collections." + name;
}

// In errors Python writes the module of types that are written in C; Counter is written in Python.
std::string dict_name(const Value& self) {
  const std::string& name = self.as<Dict>()->type_name;
  return name == "Counter" ? name : dict_path(self);
}

bool is_counter(const Value& value) {
  const Dict* dict = value.as<Dict>();
  return dict && dict->type_name == "Counter";
}

// What is not in a Counter is counted as 0.
bool equal_counters(const Dict& a, const Dict& b) {
  const auto has_counts = [](const Dict& of, const Dict& in) {
    bool has = true;
    each_pair(of, [&](const Value& key, const Value& count) {
      if (!has) return;
      const Value* found = in.find(key);
      has = equals(count, found ? Value(*found) : Value(std::int64_t{0}));
    });
    return has;
  };
  return has_counts(a, b) && has_counts(b, a);
}

std::optional<bool> equal_dicts(const Value& a, const Value& b) {
  const Dict *x = a.as<Dict>(), *y = b.as<Dict>();
  if (!x || !y) return std::nullopt;
  if (is_counter(a) && is_counter(b)) return equal_counters(*x, *y);
  if (x->items.size() != y->items.size()) return false;
  const bool are_ordered = x->type_name == "OrderedDict" && y->type_name == "OrderedDict";
  auto in_order = y->items.begin();
  for (const auto& item : x->items) {
    const auto [key, value] = item;  // copies: it may change meanwhile
    const Value* found = y->find(key);
    if (!found) return false;
    const Value other = *found;
    if (are_ordered && (in_order == y->items.end() || !equals(key, Value((*in_order).first)))) return false;
    ++in_order;
    if (!equals(value, other)) return false;
  }
  return true;
}

Ref<Dict> from_keys(Interpreter& interpreter, CallArguments& arguments) {
  if (!arguments.keywords.empty())
    throw CellError(Code::Type, arguments.span, "dict.fromkeys() takes no keyword arguments");
  if (arguments.positional.empty())
    throw CellError(Code::Type, arguments.span, "fromkeys expected at least 1 argument, got 0");
  Ref<Dict> out = make<Dict>();
  const Value value = arguments.positional.size() > 1 ? arguments.positional[1] : Value();
  interpreter.for_each(arguments.positional.at(0), arguments.span,
                       [&](const Value& key) { return out->set(key, value), true; });
  return out;
}

}  // namespace

Value keys_method(const std::string& type_name) {
  return make<Builtin>("fromkeys", [type_name](Interpreter& interpreter, CallArguments& arguments) {
    const Ref<Dict> out = from_keys(interpreter, arguments);
    out->type_name = type_name;
    return Value(out);
  });
}

namespace {

bool dict_attribute(Interpreter&, const Value& self, const std::string& name, Span, Span, Value& out) {
  const Dict* dict = self.as<Dict>();
  if (name == "default_factory" && dict->type_name == "defaultdict") return out = dict->factory, true;
  if (name != "fromkeys") return false;
  return out = keys_method(dict->type_name == "OrderedDict" ? dict->type_name : ""), true;
}

Value dict_item(Interpreter& interpreter, const Value& self, const Value& index, const OperatorSpans& spans) {
  Dict& dict = *self.as<Dict>();
  if (const Value* value = dict.find(index)) return *value;
  if (dict.type_name == "Counter") return Value(std::int64_t{0});
  if (!dict.factory.is_none()) {
    Value made = interpreter.call(dict.factory, {{}, {}, {}, spans.whole});
    dict.set(index, made);
    return made;
  }
  constexpr std::size_t kMostCompared = 1000;  // a program that catches the error asks again and again
  std::vector<std::string> keys;
  if (dict.items.size() <= kMostCompared)
    for (const auto& item : dict.items.all()) keys.push_back(repr(item.first));
  throw key_error(index, spans.whole, did_you_mean(nearest(repr(index), keys)));
}

void set_dict_item(Interpreter& interpreter, const Value& self, const Value& index, const Value& value,
                   const OperatorSpans& spans) {
  interpreter.require_effects("wrong_cell.name", spans.whole);
  self.as<Dict>()->set(index, value);
}

void delete_dict_item(Interpreter&, const Value& self, const Value& index, const OperatorSpans& spans) {
  Dict& dict = *self.as<Dict>();
  if (!dict.erase(index) && !is_counter(self)) throw key_error(index, spans.whole);  // a Counter has counted 0 of it
}

Value copy_of_dict(const Value& self, Span) {
  const Dict& dict = *self.as<Dict>();
  Ref<Dict> out = make<Dict>();
  out->type_name = dict.type_name;
  out->factory = dict.factory;
  for (const auto& [key, item] : dict.items.all()) out->set(key, item);
  return out;
}

std::optional<Value> join_counters(Interpreter& interpreter, BinaryOp op, const Value& a, const Value& b, Span span) {
  constexpr std::pair<BinaryOp, std::string_view> kRows[] = {{BinaryOp::Add, "counter_sum"},
                                                             {BinaryOp::Sub, "counter_difference"},
                                                             {BinaryOp::BitOr, "counter_union"},
                                                             {BinaryOp::BitAnd, "counter_intersection"}};
  for (const auto& [own, function] : kRows)
    if (own == op) return interpreter.call(library_function(interpreter, "deque", function), {a, b}, span);
  return std::nullopt;
}

// +counter, -counter: what is counted more, or less, than never.
Value unary_of_dict(Interpreter& interpreter, UnaryOp op, const Value& self, Span span, Span) {
  if (!is_counter(self) || op == UnaryOp::Invert) refuse_unary(op, self, span);
  const Ref<Dict> none = make<Dict>();
  none->type_name = "Counter";
  return op == UnaryOp::Plus ? *join_counters(interpreter, BinaryOp::Add, self, none, span)
                             : *join_counters(interpreter, BinaryOp::Sub, none, self, span);
}

std::optional<Value> join_dicts(Interpreter& interpreter, BinaryOp op, const Value& a, const Value& b,
                                const OperatorSpans& spans) {
  if (is_counter(a) && is_counter(b)) {
    if (auto joined = join_counters(interpreter, op, a, b, spans.whole)) return joined;
  }
  const Dict *left = a.as<Dict>(), *right = b.as<Dict>();
  if (op != BinaryOp::BitOr || !left || !right) return std::nullopt;
  Ref<Dict> out = make<Dict>();
  const Dict& kind = left->type_name.empty() ? *right : *left;  // which of them makes the result of its own kind
  if (!is_counter(a) && !is_counter(b)) {
    out->type_name = kind.type_name;
    out->factory = kind.factory;
  }
  for (const Dict* from : {left, right}) {
    each_pair(*from, [&](const Value& key, const Value& value) { out->set(key, value); });
  }
  return out;
}

std::optional<Value> dict_in_place(Interpreter& interpreter, BinaryOp op, const Value& self, const Value& other,
                                   const OperatorSpans& spans) {
  Dict& dict = *self.as<Dict>();
  std::vector<std::pair<Value, Value>> items;
  if (is_counter(self) && is_counter(other)) {
    const auto joined = join_counters(interpreter, op, self, other, spans.whole);
    if (!joined) return std::nullopt;
    items = joined->as<Dict>()->items.all();
    interpreter.require_effects("wrong_cell.name", spans.whole);
    dict.clear();
  } else if (op != BinaryOp::BitOr) {
    return std::nullopt;
  } else if (!other.as<Dict>()) {
    interpreter.require_effects("wrong_cell.name", spans.whole);
    add_pairs(interpreter, dict, other, spans.right, spans.whole);
  } else {
    interpreter.require_effects("wrong_cell.name", spans.whole);
    items = other.as<Dict>()->items.all();
  }
  for (const auto& [key, value] : items) dict.set(key, value);
  return self;
}

Value deep_copy_of_dict(const Value& self, Copier& copier) {
  const Dict& dict = *self.as<Dict>();
  Ref<Dict> out = make<Dict>();
  out->type_name = dict.type_name;
  out->factory = dict.factory;
  copier.remember(self, out);
  each_pair(dict, [&](const Value& key, const Value& item) { out->set(copier.copy(key), copier.copy(item)); });
  return out;
}

Ref<DictView> keys_of(const Value& dict) { return make<DictView>(dict.ref<Dict>(), DictView::Part::Keys); }

}  // namespace

const Type Dict::kType = {
    .name = "dict",
    .name_of = dict_name,
    .path = dict_path,
    .repr = [](const Value& self) { return dict_repr(*self.as<Dict>()); },
    .inside_itself = "{...}",
    .length =
        [](const Value& self) {
          return std::optional(int_value(static_cast<std::int64_t>(self.as<Dict>()->items.size())));
        },
    .hash = refuse_hash,
    .equals = equal_dicts,
    .each = [](Interpreter& interpreter, const Value& self, Span span,
               const Visit& visit) { DictView::kType.each(interpreter, keys_of(self), span, visit); },
    .steps = [](const Value& self, Span span) { return DictView::kType.steps(keys_of(self), span); },
    .iterator = "dict_keyiterator",
    .attribute = dict_attribute,
    .methods = [](const Value&) { return dict_methods(); },
    .get_item = dict_item,
    .set_item = set_dict_item,
    .delete_item = delete_dict_item,
    .contains = [](Interpreter&, const Value& self, const Value& item,
                   Span) { return self.as<Dict>()->find(item) != nullptr; },
    .binary = join_dicts,
    .in_place = dict_in_place,
    .unary = unary_of_dict,
    .copy = copy_of_dict,
    .deep_copy = deep_copy_of_dict,
};

}  // namespace attn
