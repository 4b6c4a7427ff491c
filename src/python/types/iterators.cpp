#include "python/types/iterators.h"

#include <fmt/format.h>

#include <memory>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "python/class.h"
#include "python/exceptions.h"
#include "python/interpreter.h"
#include "python/type.h"

namespace attn {
namespace {

// What has to be looked at as a whole is listed first. A copy of the step copies no items.
Iterator::Next step_through_items(std::vector<Value> items) {
  return
      [items = std::make_shared<const std::vector<Value>>(std::move(items)), at = std::size_t{0}](Value& out) mutable {
        if (at == items->size()) return false;
        out = (*items)[at++];
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

}  // namespace

bool is_iterable(const Value& value) {
  return item_slot_of(value, &Type::each) || has_special(value, "__iter__") || has_special(value, "__getitem__");
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

Iterator::Next step_with(Interpreter& interpreter, const Value& iterator, Span span) {
  if (!iterator.as<Iterator>() && !has_special(iterator, "__next__"))
    throw CellError(Code::Type, span, fmt::format("iter() returned non-iterator of type '{}'", type_name(iterator)));
  return [&interpreter, iterator](Value& out) { return next_of(interpreter, iterator, out); };
}

Iterator::Next step_through(Interpreter& interpreter, const Value& iterable, Span span) {
  if (iterable.as<Iterator>() || (has_special(iterable, "__next__") && !has_special(iterable, "__iter__"))) {
    return [&interpreter, iterable](Value& out) { return next_of(interpreter, iterable, out); };
  }
  if (const auto steps = slot_of(iterable, &Type::steps)) return steps(iterable, span);
  if (Value own; call_special(iterable, "__iter__", {}, own)) return step_with(interpreter, own, span);
  if (has_special(iterable, "__getitem__")) return step_through_places(iterable);
  return step_through_items(interpreter.to_vector(iterable, span));
}

Value make_iterator(Interpreter& interpreter, const Value& value, Span span) {
  if (value.as<Iterator>()) return value;
  if (Value own; call_special(value, "__iter__", {}, own)) return step_with(interpreter, own, span), own;
  const Type* type = type_of(value);
  return make<Iterator>(std::string(type ? type->iterator : "iterator"), step_through(interpreter, value, span));
}

}  // namespace attn
