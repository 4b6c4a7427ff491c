// copy.copy and copy.deepcopy.
#include "base/limits.h"
#include "python/exceptions.h"
#include "python/object_builtins.h"
#include "python/type.h"
#include "text/unsupported.h"

namespace attn {
namespace {

Value id_of(const Value& value) { return Value(Interpreter::current()->number_of(value)); }

}  // namespace

Dict& Copier::memo() {
  if (memo_.is_none()) {
    memo_ = make<Dict>();
    for (const auto& each : made_) memo().set(id_of(each.second.original), each.second.made);
  }
  return *memo_.as<Dict>();
}

Value Copier::remember(const Value& original, Value made) {
  if (!memo_.is_none()) memo().set(id_of(original), made);
  return made_.insert_or_assign(original.object(), Copy{original, std::move(made)}).first->second.made;
}

Value Copier::copy(const Value& value) {
  check_stack();
  charge(1);
  if (!value.object()) return value;
  if (const auto known = made_.find(value.object()); known != made_.end()) return known->second.made;
  const Value* const told = memo_.is_none() ? nullptr : memo().find(id_of(value));
  if (told) return *told;
  if (Value made; has_special(value, "__deepcopy__")) {
    memo();
    call_special(value, "__deepcopy__", {memo_}, made);
    return remember(value, made);
  }
  const NestedLevel level(kWhileCalling, NestedLevel::kDeepest / 2);  // two calls each in Python
  const auto deep_copy = value.object()->type().deep_copy;
  return deep_copy ? deep_copy(value, *this) : value;  // functions, modules and types are shared, as in Python
}

Value refuse_copy(const Value& self, Span span) {
  throw unsupported(span, "unsupported.copy", {{"type", type_name(self)}});
}

}  // namespace attn
