// Python's operators: those of numbers, and for objects the choice of the slot that takes them.
#include "python/operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "base/limits.h"
#include "base/number.h"
#include "python/class.h"
#include "python/exceptions.h"
#include "python/type.h"
#include "python/types/iterators.h"
#include "python/types/record.h"
#include "text/say.h"
#include "text/unsupported.h"

namespace attn {
namespace {

// ---- numbers ----

inline std::optional<std::int64_t> int_of(const Value& value) {
  if (const Int* i = value.as_int()) return i->value;
  if (const bool* b = value.as_bool()) return *b;
  return std::nullopt;
}

const Origin* origin_of(const Value& value) { return value.as_int() ? value.as_int()->origin : nullptr; }

// What arithmetic made the int, when an operand has a known origin or, in a run that is followed, it was a division,
// which sizes that do not fit are explained by; long chains (a loop's counter) are cut.
OriginPtr arithmetic_origin(BinaryOp op, const Value& a, const Value& b, std::int64_t result, Span span) {
  const Origin *x = origin_of(a), *y = origin_of(b);
  if (!x && !y && (op != BinaryOp::FloorDiv || !Interpreter::current()->follower())) return nullptr;
  if (is_in_library(span)) return nullptr;
  const int depth = 1 + std::max(x ? x->depth : 0, y ? y->depth : 0);
  if (depth > kMaxOriginDepth) return nullptr;
  Origin origin;
  origin.source = Origin::Source::Arithmetic;
  origin.name = spelling(op);
  origin.value = result;
  origin.span = span;
  origin.operands = {OriginPtr(x), OriginPtr(y)};
  origin.operand_values = {*int_of(a), *int_of(b)};
  origin.depth = depth;
  return make_origin(std::move(origin));
}

std::optional<std::int64_t> checked_pow(std::int64_t base, std::int64_t exponent) {
  std::int64_t result = 1;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) {
      const auto product = checked_mul(result, base);
      if (!product) return std::nullopt;
      result = *product;
    }
    if (exponent > 1) {
      const auto square = checked_mul(base, base);
      if (!square) return std::nullopt;
      base = *square;
    }
  }
  return result;
}

std::optional<std::int64_t> checked_shift_left(std::int64_t a, std::int64_t count) {
  if (a == 0) return 0;
  return count > 62 ? std::nullopt : checked_mul(a, std::int64_t{1} << count);
}

void require_divisor(bool is_zero, const char* message, const Span& span) {
  if (is_zero) throw CellError(Code::ZeroDivision, span, message);
}

std::optional<std::int64_t> checked_int(BinaryOp op, std::int64_t a, std::int64_t b, Span span) {
  switch (op) {
    case BinaryOp::Add: return checked_add(a, b);
    case BinaryOp::Sub: return checked_sub(a, b);
    case BinaryOp::Mul: return checked_mul(a, b);
    case BinaryOp::FloorDiv:
      require_divisor(b == 0, "integer division or modulo by zero", span);
      return b == -1 ? checked_sub(0, a) : std::optional(floor_div(a, b));
    case BinaryOp::Mod: require_divisor(b == 0, "integer modulo by zero", span); return b == -1 ? 0 : floor_mod(a, b);
    case BinaryOp::Pow: return checked_pow(a, b);
    case BinaryOp::BitAnd: return a & b;
    case BinaryOp::BitOr: return a | b;
    case BinaryOp::BitXor: return a ^ b;
    case BinaryOp::ShiftLeft:
    case BinaryOp::ShiftRight:
      if (b < 0) throw CellError(Code::Value, span, "negative shift count");
      return op == BinaryOp::ShiftLeft ? checked_shift_left(a, b) : a >> std::min<std::int64_t>(b, 63);
    default: return std::nullopt;
  }
}

Value int_binary(BinaryOp op, const Value& left, const Value& right, Span span) {
  const std::int64_t a = *int_of(left), b = *int_of(right);
  const bool both_bool = left.as_bool() && right.as_bool();
  if (both_bool && op == BinaryOp::BitAnd) return Value(a && b);
  if (both_bool && op == BinaryOp::BitOr) return Value(a || b);
  if (both_bool && op == BinaryOp::BitXor) return Value(a != b);
  const auto result = checked_int(op, a, b, span);
  if (!result) {
    throw unsupported(span, "unsupported.int.result", {{"code", fmt::format("{} {} {}", a, spelling(op), b)}});
  }
  return Value(*result, arithmetic_origin(op, left, right, *result, span));
}

double float_mod(double a, double b) {
  double result = std::fmod(a, b);
  if (result != 0 && (b < 0) != (result < 0)) result += b;
  return result == 0 ? std::copysign(0.0, b) : result;
}

// As CPython does it: from the remainder with the sign of a, so that -1.0 // inf is -1.
double float_floor_div(double a, double b) {
  const double remainder = std::fmod(a, b);
  const bool is_below = remainder != 0 && (b < 0) != (remainder < 0);
  const double quotient = (a - remainder) / b - is_below;
  if (quotient == 0) return std::copysign(0.0, a / b);
  const double floored = std::floor(quotient);
  return quotient - floored > 0.5 ? floored + 1 : floored;
}

/// What has no errors: a sum, a difference or a product.
double float_of(BinaryOp op, double a, double b) {
  return op == BinaryOp::Add ? a + b : op == BinaryOp::Sub ? a - b : a * b;
}

Value float_binary(BinaryOp op, double a, double b, Span span) {
  switch (op) {
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Mul: return float_of(op, a, b);
    case BinaryOp::Div: require_divisor(b == 0, "float division by zero", span); return a / b;
    case BinaryOp::FloorDiv:
      require_divisor(b == 0, "float floor division by zero", span);
      return float_floor_div(a, b);
    case BinaryOp::Mod: require_divisor(b == 0, "float modulo", span); return float_mod(a, b);
    case BinaryOp::Pow: {
      require_divisor(a == 0 && b < 0 && std::isfinite(b), "0.0 cannot be raised to a negative power", span);
      if (a < 0 && std::isfinite(a) && std::isfinite(b) && b != std::floor(b))
        throw unsupported(span, "unsupported.complex");
      const double result = std::pow(a, b);
      if (std::isinf(result) && std::isfinite(a) && std::isfinite(b)) throw result_out_of_range(span);
      return result;
    }
    default: break;
  }
  throw CellError(Code::Type, span,
                  fmt::format("unsupported operand type(s) for {}: 'float' and 'float'", spelling(op)));
}

double as_double(const Value& number) {
  if (const double* const value = number.as_float()) return *value;
  const Int* const whole = number.as_int();
  return static_cast<double>(whole ? whole->value : *number.as_bool());
}

bool stays_int(BinaryOp op, const Value& b) { return op != BinaryOp::Div && !(op == BinaryOp::Pow && *int_of(b) < 0); }

[[gnu::noinline]] Value number_binary(BinaryOp op, const Value& a, const Value& b, const Span& span) {
  if (!a.as_float() && !b.as_float()) {
    if (stays_int(op, b)) return int_binary(op, a, b, span);
    require_divisor(op == BinaryOp::Div && *int_of(b) == 0, "division by zero", span);
  }
  if (op >= BinaryOp::MatMul)
    throw CellError(
        Code::Type, span,
        fmt::format("unsupported operand type(s) for {}: '{}' and '{}'", spelling(op), type_name(a), type_name(b)));
  return float_binary(op, as_double(a), as_double(b), span);
}

// ---- objects ----

bool is_sequence(const Value& value) { return value.as<Str>() || value.as<List>() || value.as<Tuple>(); }

int rank_of(const Value& value) { return type_of(value) ? type_of(value)->rank : 0; }

/// What the slots of the two operands make of them, that of the higher rank first, the left one of equals.
template <class Slot, class Op>
std::optional<Value> ask_both(Slot Type::*slot, Interpreter& interpreter, Op op, const Value& a, const Value& b,
                              const OperatorSpans& spans) {
  const bool is_right_first = rank_of(b) > rank_of(a);
  const Slot first = slot_of(is_right_first ? b : a, slot), second = slot_of(is_right_first ? a : b, slot);
  std::optional<Value> made = first ? first(interpreter, op, a, b, spans) : std::nullopt;
  if (!made && second && second != first) made = second(interpreter, op, a, b, spans);
  return made;
}

[[noreturn]] void unsupported_operands(std::string_view op, const Value& a, const Value& b, Span span) {
  throw CellError(Code::Type, span,
                  fmt::format("unsupported operand type(s) for {}: '{}' and '{}'", op, type_name(a), type_name(b)));
}

// Python's text for a pair that no operator takes.
[[noreturn]] void refuse_operands(BinaryOp op, const Value& a, const Value& b, Span span) {
  if (op == BinaryOp::Add && is_sequence(a)) {
    const std::string type = a.as<Tuple>() ? "tuple" : type_name(a);
    throw CellError(Code::Type, span,
                    fmt::format("can only concatenate {} (not \"{}\") to {}", type, type_name(b), type));
  }
  if (op == BinaryOp::Mul && (is_sequence(a) || is_sequence(b))) {
    const Value& count = is_sequence(a) ? b : a;
    throw CellError(Code::Type, span,
                    count.as<TensorObject>()
                        ? std::string(kNoIndex)
                        : fmt::format("can't multiply sequence by non-int of type '{}'", type_name(count)));
  }
  unsupported_operands(op == BinaryOp::Pow ? "** or pow()" : spelling(op), a, b, span);
}

}  // namespace

std::string_view op_behind(BinaryOp op) {
  switch (op) {
    case BinaryOp::Add: return "torch.add";
    case BinaryOp::Sub: return "torch.sub";
    case BinaryOp::Mul: return "torch.mul";
    case BinaryOp::Div: return "torch.div";
    case BinaryOp::FloorDiv: return "torch.floor_divide";
    case BinaryOp::Mod: return "torch.remainder";
    case BinaryOp::Pow: return "torch.pow";
    case BinaryOp::MatMul: return "torch.matmul";
    case BinaryOp::BitAnd: return "torch.bitwise_and";
    case BinaryOp::BitOr: return "torch.bitwise_or";
    case BinaryOp::BitXor: return "torch.bitwise_xor";
    case BinaryOp::ShiftLeft: return "torch.bitwise_left_shift";
    case BinaryOp::ShiftRight: return "torch.bitwise_right_shift";
  }
  return "";
}

std::string_view op_behind(CompareOp op) {
  switch (op) {
    case CompareOp::Equal: return "torch.eq";
    case CompareOp::NotEqual: return "torch.ne";
    case CompareOp::Less: return "torch.lt";
    case CompareOp::LessEqual: return "torch.le";
    case CompareOp::Greater: return "torch.gt";
    case CompareOp::GreaterEqual: return "torch.ge";
    default: return "";
  }
}

namespace {

// a.__add__(b), else b.__radd__(a), where a cell's class defines them.
bool own_binary(BinaryOp op, const Value& a, const Value& b, Value& out) {
  static constexpr std::string_view kNames[] = {"add",    "sub", "mul", "truediv", "floordiv", "mod",   "pow",
                                                "matmul", "and", "or",  "xor",     "lshift",   "rshift"};
  if (!class_of(a) && !class_of(b)) return false;
  const std::string name(kNames[static_cast<std::size_t>(op)]);
  if (call_special(a, "__" + name + "__", {b}, out) && !is_not_implemented(out)) return true;
  return call_special(b, "__r" + name + "__", {a}, out) && !is_not_implemented(out);
}

bool own_compare(CompareOp op, const Value& a, const Value& b, Value& out) {
  static constexpr std::string_view kNames[] = {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"};
  static constexpr std::string_view kReflected[] = {"__eq__", "__ne__", "__gt__", "__ge__", "__lt__", "__le__"};
  const auto at = static_cast<std::size_t>(op);
  if ((!class_of(a) && !class_of(b)) || at >= std::size(kNames)) return false;
  if (call_special(a, kNames[at], {b}, out) && !is_not_implemented(out)) return true;
  if (call_special(b, kReflected[at], {a}, out) && !is_not_implemented(out)) return true;
  if (op != CompareOp::NotEqual || !own_compare(CompareOp::Equal, a, b, out)) return false;
  return out = Value(!truthy(out)), true;
}

bool is_member(const Value& value) { return class_of(value) && has_number(value); }

// A member of an IntEnum as its number, where it has no operator of its own.
Value plain(const Value& value) { return is_member(value) ? from_scalar(*as_scalar(value)) : value; }

[[gnu::noinline]] Value object_binary(Interpreter& interpreter, BinaryOp op, const Value& a, const Value& b,
                                      const OperatorSpans& spans) {
  if (Value own; own_binary(op, a, b, own)) return own;
  const Value x = plain(a), y = plain(b);
  if (x.is_number() && y.is_number() && op != BinaryOp::MatMul) return number_binary(op, x, y, spans.whole);
  if (const auto made = ask_both(&Type::binary, interpreter, op, x, y, spans)) return *made;
  refuse_operands(op, a, b, spans.whole);
}

}  // namespace

// The operators of numbers are the inner loop of many a program: what is rarer is kept out of this function.
Value apply_binary(Interpreter& interpreter, BinaryOp op, const Value& a, const Value& b, const OperatorSpans& spans) {
  if (!a.is_number() || !b.is_number() || op == BinaryOp::MatMul) return object_binary(interpreter, op, a, b, spans);
  if (op <= BinaryOp::Mul && (a.as_float() || b.as_float())) return float_of(op, as_double(a), as_double(b));
  return number_binary(op, a, b, spans.whole);
}

Value apply_in_place(Interpreter& interpreter, BinaryOp op, const Value& a, const Value& b,
                     const OperatorSpans& spans) {
  if (a.is_number() && b.is_number()) return apply_binary(interpreter, op, a, b, spans);
  if (const auto in_place = slot_of(a, &Type::in_place)) {
    if (const auto made = in_place(interpreter, op, a, b, spans)) return *made;
  }
  static constexpr std::string_view kNames[] = {
      "__iadd__",    "__isub__", "__imul__", "__itruediv__", "__ifloordiv__", "__imod__",   "__ipow__",
      "__imatmul__", "__iand__", "__ior__",  "__ixor__",     "__ilshift__",   "__irshift__"};
  if (Value own; call_special(a, kNames[static_cast<std::size_t>(op)], {b}, own) && !is_not_implemented(own))
    return own;
  try {
    return apply_binary(interpreter, op, a, b, spans);
  } catch (CellError& error) {
    // Python names the operator as it is written: "unsupported operand type(s) for +=".
    const std::string prefix = fmt::format("unsupported operand type(s) for {}:", spelling(op));
    std::string& message = error.diagnostic().message;
    if (op != BinaryOp::Pow && message.starts_with(prefix)) message.insert(prefix.size() - 1, "=");
    throw;
  }
}

void refuse_unary(UnaryOp op, const Value& a, Span span) {
  throw CellError(Code::Type, span, fmt::format("bad operand type for unary {}: '{}'", spelling(op), type_name(a)));
}

Value apply_unary(Interpreter& interpreter, UnaryOp op, const Value& a, Span span, Span operand) {
  if (op == UnaryOp::Not) return Value(!truthy(a));
  const std::string_view method = op == UnaryOp::Minus ? "__neg__" : op == UnaryOp::Plus ? "__pos__" : "__invert__";
  if (Value own; call_special(a, method, {}, own)) return own;
  if (const auto unary = slot_of(a, &Type::unary)) return unary(interpreter, op, a, span, operand);
  if (const auto i = int_of(a)) {
    if (op == UnaryOp::Plus) return Value(*i, OriginPtr(origin_of(a)));
    if (op == UnaryOp::Invert) return Value(~*i);
    if (const auto negative = checked_sub(0, *i)) return Value(*negative);
    throw unsupported(span, "unsupported.int.negated");
  }
  if (is_member(a)) return apply_unary(interpreter, op, plain(a), span, operand);
  if (const double* d = a.as_float(); d && op != UnaryOp::Invert) return Value(op == UnaryOp::Minus ? -*d : *d);
  refuse_unary(op, a, span);
}

// ---- comparison ----

namespace {

// An int beside a float, exactly: -1, 0, 1, or 2 for NaN.
int order_int_float(std::int64_t a, double b) {
  if (std::isnan(b)) return 2;
  if (b >= 9223372036854775808.0) return -1;
  if (b < -9223372036854775808.0) return 1;
  const auto whole = static_cast<std::int64_t>(std::floor(b));
  if (a != whole) return a < whole ? -1 : 1;
  return std::floor(b) < b ? -1 : 0;
}

// -1, 0 or 1 of two numbers, 2 for NaN.
int order(const Value& a, const Value& b) {
  if (int_of(a) && int_of(b)) return *int_of(a) < *int_of(b) ? -1 : *int_of(a) > *int_of(b);
  if (int_of(a) || int_of(b)) {
    const bool int_first = int_of(a).has_value();
    const int result = order_int_float(int_first ? *int_of(a) : *int_of(b), as_double(int_first ? b : a));
    return int_first || result == 2 ? result : -result;
  }
  const double x = as_double(a), y = as_double(b);
  return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
}

bool is_same(const Value& a, const Value& b) {
  if (a.object() || b.object()) {
    if (a.object() && a.object() == b.object()) return true;
    return type_of(a) && type_of(a) == type_of(b) && type_of(a)->is_singleton && equals(a, b);
  }
  // A float is told by its bits, so that NaN is itself.
  if (a.as_float() && b.as_float())
    return std::bit_cast<std::uint64_t>(*a.as_float()) == std::bit_cast<std::uint64_t>(*b.as_float());
  return type_name(a) == type_name(b) && equals(a, b);
}

}  // namespace

bool holds(CompareOp op, int order) {
  switch (op) {
    case CompareOp::Equal: return order == 0;
    case CompareOp::NotEqual: return order != 0;
    case CompareOp::Less: return order == -1;
    case CompareOp::LessEqual: return order == -1 || order == 0;
    case CompareOp::Greater: return order == 1;
    default: return order == 1 || order == 0;
  }
}

bool contains(Interpreter& interpreter, const Value& container, const Value& item, Span span) {
  if (Value own; call_special(container, "__contains__", {item}, own)) return truthy(own);
  if (const auto slot = slot_of(container, &Type::contains)) return slot(interpreter, container, item, span);
  if (!is_iterable(container))
    throw CellError(Code::Type, span, fmt::format("argument of type '{}' is not iterable", type_name(container)));
  return contains_by_loop(interpreter, container, item, span);
}

bool contains_by_loop(Interpreter& interpreter, const Value& container, const Value& item, Span span) {
  bool found = false;
  interpreter.for_each(container, span, [&](const Value& element) {
    if (element.object() && element.object() == item.object()) return !(found = true);
    found = rank_of(element) > 0 || rank_of(item) > 0
                ? truthy(apply_compare(interpreter, CompareOp::Equal, element, item, {span, span, span}))
                : equals(element, item);
    return !found;
  });
  return found;
}

bool less(Interpreter& interpreter, const Value& a, const Value& b, Span span) {
  return truthy(apply_compare(interpreter, CompareOp::Less, a, b, {span, span, span}));
}

Value apply_compare(Interpreter& interpreter, CompareOp op, const Value& a, const Value& b,
                    const OperatorSpans& spans) {
  switch (op) {
    case CompareOp::Is: return Value(is_same(a, b));
    case CompareOp::IsNot: return Value(!is_same(a, b));
    case CompareOp::In: return Value(contains(interpreter, b, a, spans.whole));
    case CompareOp::NotIn: return Value(!contains(interpreter, b, a, spans.whole));
    default: break;
  }
  if (a.is_number() && b.is_number()) return Value(holds(op, order(a, b)));
  check_stack();
  const NestedLevel level(" in comparison");
  if (Value own; own_compare(op, a, b, own)) return own;
  const bool is_equality = op == CompareOp::Equal || op == CompareOp::NotEqual;
  if (!is_equality || rank_of(a) > 0 || rank_of(b) > 0) {
    if (const auto made = ask_both(&Type::compare, interpreter, op, a, b, spans)) return *made;
  }
  if (is_equality) return Value(equals(a, b) == (op == CompareOp::Equal));
  if (is_member(a) || is_member(b)) return apply_compare(interpreter, op, plain(a), plain(b), spans);
  throw CellError(
      Code::Type, spans.whole,
      fmt::format("'{}' not supported between instances of '{}' and '{}'", spelling(op), type_name(a), type_name(b)));
}

}  // namespace attn
