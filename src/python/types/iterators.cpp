#include "python/types/iterators.h"

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "python/class.h"
#include "python/exceptions.h"
#include "python/interpreter.h"
#include "torch/nn/layer.h"

namespace attn {
namespace {

// What has to be looked at as a whole is listed first.
Iterator::Next step_through_items(std::vector<Value> items) {
  return [items = std::move(items), at = std::size_t{0}](Value& out) mutable {
    if (at == items.size()) return false;
    out = items[at++];
    return true;
  };
}

Iterator::Next step_through_list(Ref<List> list) {
  return [list, at = std::size_t{0}](Value& out) mutable {
    if (!list || at >= list->items.size()) return list = {}, false;  // at its end it stays there
    out = list->items[at++];
    return true;
  };
}

Iterator::Next step_through_range(const Range& range) {
  return [start = range.start, step = range.step, length = range.length(), at = std::int64_t{0}](Value& out) mutable {
    if (at >= length) return false;
    out = Value(start + at++ * step);
    return true;
  };
}

Iterator::Next step_through_view(const Ref<DictView>& view, Span span) {
  return [view, span, size = view->size(), at = std::size_t{0}](Value& out) mutable {
    if (view->size() != size) throw CellError(Code::Runtime, span, "dictionary changed size during iteration");
    if (at >= size) return false;
    out = view->item(at++);
    return true;
  };
}

// By __getitem__(0), __getitem__(1), ... up to the IndexError.
Iterator::Next step_through_places(const Value& object) {
  return [object, at = std::int64_t{0}](Value& out) mutable {
    try {
      return call_special(object, "__getitem__", {Value(at++)}, out);
    } catch (const CellError& error) {
      if (error.type() == "IndexError" || error.type() == "StopIteration") return false;
      throw;
    }
  };
}

const char* iterator_name(const Value& value) {
  if (value.as<List>()) return "list_iterator";
  if (value.as<Tuple>()) return "tuple_iterator";
  if (value.as<Str>()) return "str_iterator";
  if (value.as<Range>()) return "range_iterator";
  if (value.as<Set>()) return "set_iterator";
  if (value.as<Dict>()) return "dict_keyiterator";
  return "iterator";
}

}  // namespace

bool is_iterable(const Value& value) {
  if (!value.object()) return false;
  switch (value.object()->kind()) {
    case Kind::Str:
    case Kind::List:
    case Kind::Tuple:
    case Kind::Dict:
    case Kind::Set:
    case Kind::View:
    case Kind::Range:
    case Kind::Iterator:
    case Kind::Tensor:
    case Kind::Array:
    case Kind::Quiet: return true;
    case Kind::Layer:
      if (is_container(*value.as<Layer>())) return true;
      break;
    default: break;
  }
  return has_special(value, "__iter__") || has_special(value, "__getitem__");
}

bool next_of(Interpreter&, const Value& iterator, Value& out) {
  check_stack();
  if (const Iterator* own = iterator.as<Iterator>()) return own->next && own->next(out);
  try {
    return call_special(iterator, "__next__", {}, out);
  } catch (const CellError& error) {
    if (error.type() == "StopIteration") return false;
    throw;
  }
}

Iterator::Next step_through(Interpreter& interpreter, const Value& iterable, Span span) {
  if (iterable.as<Iterator>() || (has_special(iterable, "__next__") && !has_special(iterable, "__iter__"))) {
    return [&interpreter, iterable](Value& out) { return next_of(interpreter, iterable, out); };
  }
  if (iterable.as<List>()) return step_through_list(iterable.ref<List>());
  if (const Range* range = iterable.as<Range>()) return step_through_range(*range);
  if (iterable.as<Dict>()) return step_through_view(make<DictView>(iterable.ref<Dict>(), DictView::Part::Keys), span);
  if (iterable.as<DictView>()) return step_through_view(iterable.ref<DictView>(), span);
  if (Value iterator; call_special(iterable, "__iter__", {}, iterator)) {
    if (!iterator.as<Iterator>() && !has_special(iterator, "__next__")) {
      throw CellError(Code::Type, span, fmt::format("iter() returned non-iterator of type '{}'", type_name(iterator)));
    }
    return [&interpreter, iterator](Value& out) { return next_of(interpreter, iterator, out); };
  }
  if (has_special(iterable, "__getitem__")) return step_through_places(iterable);
  return step_through_items(interpreter.to_vector(iterable, span));
}

Value make_iterator(Interpreter& interpreter, const Value& value, Span span) {
  if (value.as<Iterator>()) return value;
  if (Value own; call_special(value, "__iter__", {}, own)) return own;
  return make<Iterator>(iterator_name(value), step_through(interpreter, value, span));
}

}  // namespace attn
