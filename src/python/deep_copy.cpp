// copy.copy and copy.deepcopy.
#include "base/limits.h"
#include "python/exceptions.h"
#include "python/object_builtins.h"
#include "python/type.h"
#include "text/unsupported.h"

namespace attn {

Value Copier::copy(const Value& value) {
  check_stack();
  charge(1);
  if (!value.object()) return value;
  if (const auto known = made_.find(value.object()); known != made_.end()) return known->second;
  const NestedLevel level(kWhileCalling, NestedLevel::kDeepest / 2);  // two calls each in Python
  const auto deep_copy = value.object()->type().deep_copy;
  return deep_copy ? deep_copy(value, *this) : value;  // functions, modules and types are shared, as in Python
}

Value deep_copy(const Value& value) { return Copier().copy(value); }

Value refuse_copy(const Value& self, Span span) {
  throw unsupported(span, "unsupported.copy", {{"type", type_name(self)}});
}

}  // namespace attn
