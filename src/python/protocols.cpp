// What Python asks of any value: its type, hash, truth, whether it equals another, which number it is.
#include <algorithm>
#include <cmath>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "python/class.h"
#include "python/exceptions.h"
#include "python/type.h"
#include "python/types/record.h"

namespace attn {
namespace {

// Python's True == 1 == 1.0: one number for hashing and comparing, exact for ints.
std::optional<double> number_of(const Value& value) {
  const std::optional<Scalar> number = as_scalar(value);
  return number ? std::optional(to_double(*number)) : std::nullopt;
}

// As one of the two kinds, each asked once, says.
std::optional<bool> equal_objects(const Value& a, const Value& b) {
  const auto first = slot_of(a, &Type::equals), second = slot_of(b, &Type::equals);
  std::optional<bool> same = first ? first(a, b) : std::nullopt;
  if (!same && second && second != first) same = second(a, b);
  return same;
}

}  // namespace

bool equals(const Value& a, const Value& b) {
  check_stack();
  charge(1);
  if (a.is_none() && b.is_none()) return true;
  if ((a.is_none() || b.is_none()) && !class_of(a) && !class_of(b)) return false;
  const auto x = number_of(a), y = number_of(b);
  if (x && y) {
    if (a.as_int() && b.as_int()) return a.as_int()->value == b.as_int()->value;
    const Int* whole = a.as_int() ? a.as_int() : b.as_int();
    const double real = a.as_int() ? *y : *x;
    if (whole && (a.as_float() || b.as_float())) {  // exactly: 2**53 + 1 is no float
      return real >= -9223372036854775808.0 && real < 9223372036854775808.0 && *x == *y &&
             static_cast<std::int64_t>(real) == whole->value;
    }
    return *x == *y;
  }
  if (a.object() && a.object() == b.object()) return true;
  const NestedLevel level(" in comparison");
  for (const auto& [one, other] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    if (Value own; call_special(*one, "__eq__", {*other}, own) && !is_not_implemented(own)) return truthy(own);
  }
  return equal_objects(a, b).value_or(false);
}

std::optional<std::int64_t> python_hash(const Value& value) {
  constexpr std::int64_t kModulus = (std::int64_t{1} << 61) - 1;
  const double* real = value.as_float();
  const bool is_whole = real && std::abs(*real) < 0x1p63 && std::trunc(*real) == *real;
  if (real ? !is_whole : !value.is_number()) return std::nullopt;
  const std::int64_t hash = (real ? static_cast<std::int64_t>(*real) : *as_index(value)) % kModulus;
  return hash == -1 ? -2 : hash;  // -1 means an error to CPython
}

std::size_t ValueHash::operator()(const Value& value) const {
  check_stack();
  if (const auto number = number_of(value)) return std::hash<double>()(*number);
  if (value.is_none()) return 1;
  if (const auto hash = value.object()->type().hash) return hash(value);
  const ClassObject* const type = class_of(value);
  const Value* const own_hash = type ? type->find("__hash__") : nullptr;
  if (own_hash && own_hash->is_none()) refuse_hash(value);
  if (Value own; call_special(value, "__hash__", {}, own)) return static_cast<std::size_t>(*as_index(own));
  const bool has_field_hash = type && type->has_field_hash;
  if (!has_field_hash && has_special(value, "__eq__")) refuse_hash(value);
  if (!has_field_hash) return std::hash<const void*>()(value.object());
  look();
  std::size_t hash = 11;
  for (const auto& item : Members(value.as<Instance>()->attributes)) hash = hash * 1000003 + (*this)(item.second);
  return hash;
}

std::size_t refuse_hash(const Value& value) {
  throw CellError(Code::Type, {}, "unhashable type: '" + type_name(value) + "'");
}

std::optional<std::int64_t> as_index(const Value& value) {
  if (const Int* i = value.as_int()) return i->value;
  if (const bool* b = value.as_bool()) return *b;
  if (Value own; call_special(value, "__index__", {}, own)) return as_index(own);
  const auto single = slot_of(value, &Type::single);
  const std::optional<Scalar> element = single ? single(value) : std::nullopt;
  return element && !std::holds_alternative<double>(*element) ? std::optional(to_int(*element)) : std::nullopt;
}

std::optional<double> as_real(const Value& value) {
  if (const auto number = number_of(value)) return number;
  const auto single = slot_of(value, &Type::single);
  const std::optional<Scalar> element = single ? single(value) : std::nullopt;
  return element ? std::optional(to_double(*element)) : std::nullopt;
}

std::optional<Scalar> as_scalar(const Value& value) {
  if (const bool* b = value.as_bool()) return Scalar(*b);
  if (const Int* i = value.as_int()) return Scalar(i->value);
  if (const double* d = value.as_float()) return Scalar(*d);
  const auto number = slot_of(value, &Type::number);
  return number ? number(value) : std::nullopt;
}

bool truthy(const Value& value) {
  if (const bool* flag = value.as_bool()) return *flag;
  if (const auto number = number_of(value)) return *number != 0;
  if (value.is_none()) return false;
  const Type& type = value.object()->type();
  if (type.truthy) return type.truthy(value);
  if (const auto length = type.length ? type.length(value) : std::nullopt) return truthy(*length);
  Value own;
  if (call_special(value, "__bool__", {}, own) || call_special(value, "__len__", {}, own)) return truthy(own);
  return true;
}

std::string type_name(const Value& value) {
  if (value.is_none()) return "NoneType";
  if (value.as_bool()) return "bool";
  if (value.as_int()) return "int";
  if (value.as_float()) return "float";
  const Type& type = value.object()->type();
  return type.name_of ? type.name_of(value) : std::string(type.name);
}

}  // namespace attn
