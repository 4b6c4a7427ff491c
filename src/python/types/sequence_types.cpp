// What str, list and tuple do. Over 400 lines because the three share slices, + and *, and how they compare.
#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "base/letters.h"
#include "base/limits.h"
#include "base/number.h"
#include "python/class.h"
#include "python/exceptions.h"
#include "python/operators.h"
#include "python/type.h"
#include "python/types/changing.h"
#include "python/types/format_spec.h"
#include "python/types/iterators.h"
#include "python/types/methods.h"
#include "text/say.h"

namespace attn {
namespace {

// ---- x[index] ----

std::vector<Value> sliced(const std::vector<Value>& items, const Slice& slice) {
  const SliceBounds bounds = slice_bounds(slice);
  const SliceRange range = slice_range(bounds, std::ssize(items));
  std::vector<Value> out;
  for (std::int64_t i = 0; i < range.count; ++i) {
    look();
    out.push_back(items[static_cast<std::size_t>(range.start + i * range.step)]);
  }
  return out;
}

Value string_item(const Str& self, const Value& index, Span span) {
  const std::string& text = self.text;
  const std::size_t size = self.length();
  const auto part = [&](std::size_t first, std::size_t last) {
    const std::size_t begin = self.offset(first);
    return make_str(text.substr(begin, self.offset(last) - begin));
  };
  const Slice* slice = index.as<Slice>();
  if (!slice) {
    const std::size_t at = item_place(index, size, "string", span);
    return part(at, at + 1);
  }
  const SliceRange range = slice_range(*slice, static_cast<std::int64_t>(size));
  const auto start = static_cast<std::size_t>(range.start);
  if (range.count == 0) return make_str({});
  if (range.step == 1) return part(start, start + static_cast<std::size_t>(range.count));
  const bool is_ascii = size == text.size();
  std::vector<std::string_view> characters;
  for (std::string_view rest = text; !is_ascii && !rest.empty(); rest.remove_prefix(characters.back().size()))
    characters.push_back(rest.substr(0, character_offset(rest, 1)));
  std::string out;
  for (std::int64_t i = 0; i < range.count; ++i) {
    look();
    const auto at = static_cast<std::size_t>(range.start + i * range.step);
    out += is_ascii ? std::string_view(text).substr(at, 1) : characters[at];
  }
  return make_str(std::move(out));
}

void assign_slice(Interpreter& interpreter, List& list, const Slice& slice, const Value& value, Span span) {
  const SliceBounds bounds = slice_bounds(slice);
  const std::vector<Value> values = interpreter.to_vector(value, span);
  const SliceRange range = slice_range(bounds, std::ssize(list.items));
  if (range.step == 1) {
    const std::ptrdiff_t same = std::min(std::ssize(values), std::ptrdiff_t{range.count});
    const auto rest = std::copy_n(values.begin(), same, list.items.begin() + range.start);
    list.items.insert(list.items.erase(rest, rest + (range.count - same)), values.begin() + same, values.end());
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

// ---- + and * ----

std::vector<Value> repeat_items(const std::vector<Value>& items, std::int64_t count) {
  count = std::max<std::int64_t>(count, 0);
  const auto total = checked_mul(static_cast<std::int64_t>(items.size()), count);
  if (!total || *total > 100'000'000) throw LimitReached(LimitReached::Kind::Memory, say("limit.sequence"));
  std::vector<Value> out;
  if (items.empty()) return out;  // however often
  out.reserve(static_cast<std::size_t>(*total));
  for (std::int64_t i = 0; i < count; ++i) {
    charge(static_cast<std::int64_t>(items.size()));
    out.insert(out.end(), items.begin(), items.end());
  }
  return out;
}

std::vector<Value> joined(const std::vector<Value>& a, const std::vector<Value>& b) {
  charge(static_cast<std::int64_t>(a.size() + b.size()));
  std::vector<Value> out;
  out.reserve(a.size() + b.size());
  for (const std::vector<Value>* part : {&a, &b}) {
    for (const Value& item : *part) {
      look();
      out.push_back(item);
    }
  }
  return out;
}

std::string repeat_text(const std::string& text, std::int64_t count, Span span) {
  const auto total = checked_mul(static_cast<std::int64_t>(text.size()), std::max<std::int64_t>(count, 0));
  if (!total) throw python_error("OverflowError", span, "repeated string is too long");
  if (*total > 100'000'000) throw LimitReached(LimitReached::Kind::Memory, say("limit.string"));
  charge(*total);
  return repeated(text, text.empty() ? 0 : count);
}

// A torch.Size stays one.
Value like(const Tuple& tuple, std::vector<Value> items) {
  Ref<Tuple> out = make<Tuple>(std::move(items));
  out->is_size = tuple.is_size;
  return out;
}

Value tuple_item(const Tuple& tuple, const Value& index, Span span) {
  const Slice* slice = index.as<Slice>();
  if (!slice) return tuple.items[item_place(index, tuple.items.size(), "tuple", span)];
  return like(tuple, sliced(tuple.items, *slice));
}

Value join_of(const Str& a, const Str& b) {
  constexpr std::size_t kPiece = std::size_t{16} << 20;  // bytes between two looks
  charge(static_cast<std::int64_t>(a.text.size() + b.text.size()) / 64);
  std::string out;
  out.reserve(a.text.size() + b.text.size());
  for (std::string_view text : {std::string_view(a.text), std::string_view(b.text)}) {
    for (; !text.empty(); text.remove_prefix(std::min(kPiece, text.size()))) {
      look();
      out += text.substr(0, kPiece);
    }
  }
  return make_str(std::move(out));
}
Value join_of(const List& a, const List& b) { return make_list(joined(a.items, b.items)); }
Value join_of(const Tuple& a, const Tuple& b) { return like(a, joined(a.items, b.items)); }

Value repeat_of(const Str& text, std::int64_t times, Span span) {
  return make_str(repeat_text(text.text, times, span));
}
Value repeat_of(const List& list, std::int64_t times, Span) { return make_list(repeat_items(list.items, times)); }
Value repeat_of(const Tuple& tuple, std::int64_t times, Span) { return like(tuple, repeat_items(tuple.items, times)); }

/// a + b of two of a kind, and a * 3 or 3 * a of one; the 3 may be a tensor with one integer.
template <class Sequence>
std::optional<Value> add_or_repeat(Interpreter&, BinaryOp op, const Value& a, const Value& b,
                                   const OperatorSpans& spans) {
  const Sequence *x = a.as<Sequence>(), *y = b.as<Sequence>();
  if (op == BinaryOp::Add && x && y) return join_of(*x, *y);
  const auto times = op == BinaryOp::Mul ? as_index(x ? b : a) : std::nullopt;
  return times ? std::optional(repeat_of(x ? *x : *y, *times, spans.whole)) : std::nullopt;
}

template <std::span<const Method> (*Rows)()>
std::span<const Method> methods(const Value&) {
  return Rows();
}

// ---- comparing ----

// Of two items that may be gone from their lists once __eq__ of one of them has been called.
bool equal_pair(const Value& a, const Value& b) {
  return a.object() || b.object() ? equals(Value(a), Value(b)) : equals(a, b);
}

// By the first items that differ; where there are none, by length.
Value compare_items(Interpreter& interpreter, CompareOp op, const std::vector<Value>& a, const std::vector<Value>& b,
                    const OperatorSpans& spans) {
  check_stack();
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const Value x = a[i], y = b[i];
    if (!equals(x, y)) return apply_compare(interpreter, op, x, y, spans);
  }
  return apply_compare(interpreter, op, int_value(std::ssize(a)), int_value(std::ssize(b)), spans);
}

template <class Sequence>
std::optional<bool> equal_items(const Value& a, const Value& b) {
  const Sequence *x = a.as<Sequence>(), *y = b.as<Sequence>();
  if (!x || !y) return std::nullopt;
  const std::vector<Value>&left = x->items, &right = y->items;
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i)
    if (!equal_pair(left[i], right[i])) return false;
  return left.size() == right.size();
}

template <class Sequence>
std::optional<Value> compare_sequences(Interpreter& interpreter, CompareOp op, const Value& a, const Value& b,
                                       const OperatorSpans& spans) {
  const Sequence *x = a.as<Sequence>(), *y = b.as<Sequence>();
  if (!x || !y) return std::nullopt;
  return compare_items(interpreter, op, x->items, y->items, spans);
}

// ---- str ----

std::optional<Value> string_binary(Interpreter& interpreter, BinaryOp op, const Value& a, const Value& b,
                                   const OperatorSpans& spans) {
  if (op == BinaryOp::Mod && a.as<Str>()) return make_str(percent_format(a.as<Str>()->text, b));
  return add_or_repeat<Str>(interpreter, op, a, b, spans);
}

// s += "x": a text that only its name holds (and the caller) grows where it is, so that a loop costs no square.
std::optional<Value> string_in_place(Interpreter&, BinaryOp op, const Value& self, const Value& other,
                                     const OperatorSpans&) {
  const bool are_texts = self.object() && &self.object()->type() == &Str::kType && other.as<Str>();
  if (op != BinaryOp::Add || !are_texts || self.object()->references() != 2 || self.object()->is_kept())
    return std::nullopt;
  const std::string& more = other.as<Str>()->text;
  charge(static_cast<std::int64_t>(more.size()));
  self.as<Str>()->append(more);
  return self;
}

std::optional<Value> compare_strings(Interpreter&, CompareOp op, const Value& a, const Value& b, const OperatorSpans&) {
  const Str *x = a.as<Str>(), *y = b.as<Str>();
  if (!x || !y) return std::nullopt;
  const int order = x->text.compare(y->text);
  return Value(holds(op, order < 0 ? -1 : order > 0));
}

bool string_contains(Interpreter&, const Value& self, const Value& item, Span span) {
  if (const Str* part = item.as<Str>()) return find_text(self.as<Str>()->text, part->text) != std::string::npos;
  throw CellError(Code::Type, span,
                  fmt::format("'in <string>' requires string as left operand, not {}", type_name(item)));
}

void each_character(Interpreter&, const Value& self, Span, const Visit& visit) {
  for (std::string_view rest = self.as<Str>()->text; !rest.empty();) {
    const std::string_view character = rest.substr(0, character_offset(rest, 1));
    if (!visit(make_str(std::string(character)))) return;
    rest.remove_prefix(character.size());
  }
}

}  // namespace

const CharacterPlaces& Str::places() const {
  if (!places_) places_ = std::make_unique<CharacterPlaces>(text);
  return *places_;
}

namespace {

constexpr std::size_t kShort = 64;  // bytes that are as quickly counted anew

}  // namespace

std::size_t Str::length() const { return text.size() <= kShort ? character_count(text) : places().count(); }

std::size_t Str::offset(std::size_t at) const {
  return text.size() <= kShort ? character_offset(text, at) : places().offset(text, at);
}

void Str::append(std::string_view more) {
  text += more;
  places_.reset();
}

const Type Str::kType = {
    .name = "str",
    .repr = [](const Value& self) { return string_repr(self.as<Str>()->text); },
    .str = [](const Value& self) { return self.as<Str>()->text; },
    .truthy = [](const Value& self) { return !self.as<Str>()->text.empty(); },
    .length =
        [](const Value& self) { return std::optional(int_value(static_cast<std::int64_t>(self.as<Str>()->length()))); },
    .hash = [](const Value& self) { return std::hash<std::string>()(self.as<Str>()->text); },
    .equals = [](const Value& a, const Value& b) -> std::optional<bool> {
      if (!a.as<Str>() || !b.as<Str>()) return std::nullopt;
      return a.as<Str>()->text == b.as<Str>()->text;
    },
    .each = each_character,
    .iterator = "str_iterator",
    .methods = methods<string_methods>,
    .get_item = [](Interpreter&, const Value& self, const Value& index,
                   const OperatorSpans& spans) { return string_item(*self.as<Str>(), index, spans.whole); },
    .contains = string_contains,
    .binary = string_binary,
    .compare = compare_strings,
    .in_place = string_in_place,
};

// ---- list ----

namespace {

// A list may grow while it is gone through.
void each_of_list(Interpreter&, const Value& self, Span, const Visit& visit) {
  const Ref<List> list = self.ref<List>();
  for (std::size_t i = 0; i < list->items.size(); ++i) {  // NOLINT(modernize-loop-convert): it may grow meanwhile
    if (!visit(Value(list->items[i]))) return;
  }
}

template <class T>
Iterator::Next step_through_items_of(const Value& self, Span) {
  return [list = self.ref<T>(), at = std::size_t{0}](Value& out) mutable {
    if (!list || at >= list->items.size()) return list = {}, false;  // at its end it stays there
    out = list->items[at++];
    return true;
  };
}

Value list_item(Interpreter&, const Value& self, const Value& index, const OperatorSpans& spans) {
  const std::vector<Value>& items = self.as<List>()->items;
  if (const Slice* slice = index.as<Slice>()) return make_list(sliced(items, *slice));
  return items[item_place(index, items, "list", spans.whole)];
}

void set_list_item(Interpreter& interpreter, const Value& self, const Value& index, const Value& value,
                   const OperatorSpans& spans) {
  List& list = *self.as<List>();
  interpreter.require_effects("wrong_cell.name", spans.whole);
  const Slice* slice = index.as<Slice>();
  if (slice && !is_iterable(value)) {
    const bool is_extended = slice_bounds(*slice).step != 1;
    throw CellError(Code::Type, spans.whole,
                    is_extended ? "must assign iterable to extended slice" : "can only assign an iterable");
  }
  if (slice) return assign_slice(interpreter, list, *slice, value, spans.whole);
  list.items[item_place(index, list.items, "list assignment", spans.whole)] = value;
}

void delete_list_item(Interpreter&, const Value& self, const Value& index, const OperatorSpans& spans) {
  std::vector<Value>& items = self.as<List>()->items;
  const Slice* slice = index.as<Slice>();
  const auto place = [&] { return item_place(index, items, "list assignment", spans.whole); };
  const auto bounds = slice ? std::optional(slice_bounds(*slice)) : std::nullopt;
  const SliceRange range =
      bounds ? slice_range(*bounds, std::ssize(items)) : SliceRange{static_cast<std::int64_t>(place()), 1, 1, 0};
  if (range.step == 1 || range.count == 1) {
    const auto first = items.begin() + range.start;
    items.erase(first, first + range.count);
    return;
  }
  std::vector<bool> gone(items.size(), false);
  for (std::int64_t i = 0; i < range.count; ++i) gone[static_cast<std::size_t>(range.start + i * range.step)] = true;
  std::size_t at = 0;
  std::erase_if(items, [&](const Value&) { return gone[at++]; });
}

std::optional<Value> list_in_place(Interpreter& interpreter, BinaryOp op, const Value& self, const Value& other,
                                   const OperatorSpans& spans) {
  std::vector<Value>& items = self.as<List>()->items;
  if (op == BinaryOp::Add) {
    interpreter.require_effects("wrong_cell.name", spans.whole);
    interpreter.extend(self.ref<List>(), other, spans.right);
    return self;
  }
  const auto times = op == BinaryOp::Mul ? as_index(other) : std::nullopt;
  if (!times) return std::nullopt;
  interpreter.require_effects("wrong_cell.name", spans.whole);
  items = repeat_items(items, *times);
  return self;
}

Value deep_copy_of_list(const Value& self, Copier& copier) {
  Ref<List> out = make<List>();
  copier.remember(self, out);
  all_items(self.as<List>()->items, [&](const Value& item) { return out->items.push_back(copier.copy(item)), true; });
  return out;
}

}  // namespace

const Type List::kType = {
    .name = "list",
    .repr = [](const Value& self) { return "[" + items_repr(self.as<List>()->items) + "]"; },
    .inside_itself = "[...]",
    .length = [](const Value& self) { return std::optional(int_value(std::ssize(self.as<List>()->items))); },
    .hash = refuse_hash,
    .equals = equal_items<List>,
    .each = each_of_list,
    .steps = step_through_items_of<List>,
    .iterator = "list_iterator",
    .methods = methods<list_methods>,
    .get_item = list_item,
    .set_item = set_list_item,
    .delete_item = delete_list_item,
    .binary = add_or_repeat<List>,
    .compare = compare_sequences<List>,
    .in_place = list_in_place,
    .copy = [](const Value& self, Span) { return make_list(self.as<List>()->items); },
    .deep_copy = deep_copy_of_list,
};

// ---- tuple ----

namespace {

std::string tuple_name(const Value& self) {
  const Tuple& tuple = *self.as<Tuple>();
  const std::size_t dot = tuple.type_name.rfind('.');  // "torch.return_types.max"
  if (!tuple.type_name.empty()) return tuple.type_name.substr(dot == std::string::npos ? 0 : dot + 1);
  return tuple.is_size ? "Size" : "tuple";
}

// collections.namedtuple: "Point(x=1, y=2)"
std::string named_tuple_repr(const Tuple& tuple) {
  const bool is_report = tuple.type_name == "_IncompatibleKeys";  // of load_state_dict()
  std::string out;
  bool is_empty = true;
  for (std::size_t i = 0; i < tuple.items.size(); ++i) {
    charge(1);
    const List* list = tuple.items[i].as<List>();
    is_empty = is_empty && list && list->items.empty();
    out += (i ? ", " : "") + tuple.fields[i] + "=" + repr(tuple.items[i]);
  }
  return is_report && is_empty ? "<All keys matched successfully>" : tuple.type_name + "(" + out + ")";
}

std::string tuple_repr(const Tuple& tuple) {
  if (tuple.is_size) return "torch.Size([" + items_repr(tuple.items) + "])";
  if (!tuple.fields.empty() && !tuple.type_name.starts_with("torch.")) return named_tuple_repr(tuple);
  if (!tuple.fields.empty()) {
    std::string out = tuple.type_name + "(\n";
    for (std::size_t i = 0; i < tuple.items.size(); ++i) {
      out += (i ? ",\n" : "") + tuple.fields[i] + "=" + repr(tuple.items[i]);
    }
    return out + ")";
  }
  return "(" + items_repr(tuple.items) + (tuple.items.size() == 1 ? ",)" : ")");
}

// _fields, _asdict() and _replace(x=5) of a namedtuple.
bool named_tuple_attribute(const Tuple& tuple, const std::string& name, Value& out) {
  if (name == "_fields") {
    std::vector<Value> fields;
    for (const std::string& field : tuple.fields) fields.push_back(make_str(field));
    return out = make_tuple(std::move(fields)), true;
  }
  if (name != "_asdict" && name != "_replace") return false;
  const Ref<Tuple> self(const_cast<Tuple*>(&tuple));
  if (name == "_asdict") {
    out = make<Builtin>(name, [self](Interpreter&, CallArguments&) {
      Ref<Dict> dict = make<Dict>();
      for (std::size_t i = 0; i < self->items.size(); ++i) dict->set(make_str(self->fields[i]), self->items[i]);
      return Value(dict);
    });
    return true;
  }
  out = make<Builtin>(name, [self](Interpreter&, CallArguments& arguments) {
    ClassObject* type = class_of(Value(self));
    const Value made = type ? make_derived(Ref<ClassObject>(type)) : Value(make<Tuple>());
    Tuple* changed = made.as<Tuple>();
    changed->items = self->items;
    changed->type_name = self->type_name;
    changed->fields = self->fields;
    for (const auto& [field, value] : arguments.keywords) {
      const auto place = std::find(self->fields.begin(), self->fields.end(), field);
      if (place == self->fields.end())
        throw CellError(Code::Value, arguments.span, fmt::format("Got unexpected field names: ['{}']", field));
      changed->items[static_cast<std::size_t>(place - self->fields.begin())] = value;
    }
    return made;
  });
  return true;
}

bool tuple_attribute(Interpreter&, const Value& self, const std::string& name, Span, Span, Value& out) {
  const Tuple& tuple = *self.as<Tuple>();
  if (tuple.fields.empty()) return false;
  if (named_tuple_attribute(tuple, name, out)) return true;
  const auto field = std::find(tuple.fields.begin(), tuple.fields.end(), name);
  if (field == tuple.fields.end()) return false;
  return out = tuple.items[static_cast<std::size_t>(field - tuple.fields.begin())], true;
}

std::size_t hash_of_tuple(const Value& self) {
  std::size_t hash = 7;
  for (const Value& item : self.as<Tuple>()->items) {
    charge(1);  // what stands in it twice is gone through twice, and so on
    hash = hash * 1000003 + ValueHash()(item);
  }
  return hash;
}

void each_of_tuple(Interpreter&, const Value& self, Span, const Visit& visit) {
  const Ref<Tuple> tuple = self.ref<Tuple>();  // which the loop may let go of
  for (const Value& item : tuple->items) {
    if (!visit(item)) return;
  }
}

Value deep_copy_of_tuple(const Value& self, Copier& copier) {
  const Tuple& tuple = *self.as<Tuple>();
  Ref<Tuple> out = make<Tuple>();
  out->is_size = tuple.is_size;
  out->type_name = tuple.type_name;
  out->fields = tuple.fields;
  for (const Value& item : tuple.items) out->items.push_back(copier.copy(item));
  return out;
}

}  // namespace

const Type Tuple::kType = {
    .name = "tuple",
    .name_of = tuple_name,
    .path = [](const Value& self) { return self.as<Tuple>()->is_size ? "torch.Size" : tuple_name(self); },
    .repr = [](const Value& self) { return tuple_repr(*self.as<Tuple>()); },
    .inside_itself = "(...)",
    .length = [](const Value& self) { return std::optional(int_value(std::ssize(self.as<Tuple>()->items))); },
    .hash = hash_of_tuple,
    .equals = equal_items<Tuple>,
    .each = each_of_tuple,
    .steps = step_through_items_of<Tuple>,
    .iterator = "tuple_iterator",
    .attribute = tuple_attribute,
    .methods = [](const Value& self) { return self.as<Tuple>()->is_size ? size_methods() : tuple_methods(); },
    .get_item = [](Interpreter&, const Value& self, const Value& index,
                   const OperatorSpans& spans) { return tuple_item(*self.as<Tuple>(), index, spans.whole); },
    .binary = add_or_repeat<Tuple>,
    .compare = compare_sequences<Tuple>,
    .deep_copy = deep_copy_of_tuple,
};

}  // namespace attn
