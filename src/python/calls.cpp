// Calls and loops: by the slot of the kind, else by the methods of the class.
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "python/class.h"
#include "python/interpreter.h"
#include "python/modules/unsupported_names.h"
#include "python/type.h"
#include "python/types/iterators.h"

namespace attn {

namespace {

const Value* special_member(const Value& object, std::string_view name) {
  const ClassObject* type = class_of(object);
  return type ? type->find(name) : nullptr;
}

// An object with __iter__ and __next__, or with __len__ and __getitem__.
bool each_of_instance(Interpreter& interpreter, const Value& object, Span span,
                      const std::function<bool(const Value&)>& visit) {
  if (!has_special(object, "__iter__") && !has_special(object, "__getitem__")) return false;
  const Iterator::Next next = step_through(interpreter, object, span);
  for (Value item; next(item);)
    if (!visit(item)) break;
  return true;
}

}  // namespace

Value Interpreter::call(const Value& callable, std::vector<Value> arguments, Span span) {
  std::vector<Span> spans(arguments.size(), span);
  return call(callable, {std::move(arguments), {}, std::move(spans), span});
}

Value Interpreter::call(const Value& callable, const CallArguments& arguments) {
  check_stack();
  if (const auto own = slot_of(callable, &Type::call)) return own(*this, callable, arguments);
  if (const Value* own = special_member(callable, "__call__")) {
    const Value method = bind_member(*this, *own, callable, Ref<ClassObject>(class_of(callable)), arguments.span);
    return call(method, arguments);
  }
  const Module* module = callable.as<Module>();
  if (module && module->is_unsupported) refuse_name(module->name, arguments.span);
  throw CellError(Code::Type, arguments.span, fmt::format("'{}' object is not callable", type_name(callable)));
}

// ---- iteration ----

void Interpreter::for_each(const Value& iterable, Span span, const std::function<bool(const Value&)>& visit) {
  const auto counted = [&](const Value& item) {
    charge(1);
    return visit(item);
  };
  if (const auto each = item_slot_of(iterable, &Type::each)) return each(*this, iterable, span, counted);
  if (!each_of_instance(*this, iterable, span, counted))
    throw CellError(Code::Type, span, fmt::format("'{}' object is not iterable", type_name(iterable)));
}

std::vector<Value> Interpreter::to_vector(const Value& iterable, Span span) {
  ItemCollector items;
  for_each(iterable, span, [&](const Value& item) {
    items.add(item);
    return true;
  });
  return items.take();
}

void Interpreter::extend(const Ref<List>& list, const Value& iterable, Span span) {
  const bool runs_code = iterable.as<Iterator>() || !item_slot_of(iterable, &Type::each);
  if (!runs_code) {
    const std::vector<Value> more = to_vector(iterable, span);
    list->items.insert(list->items.end(), more.begin(), more.end());
    return;
  }
  for_each(iterable, span, [&](const Value& item) {
    list->items.push_back(item);
    return true;
  });
}

}  // namespace attn
