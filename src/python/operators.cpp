// Python's operators, kind by kind of operand. Over 400 lines because each kind (ints, floats, sequences, sets,
// tensors, objects of classes) has its own few lines and they share the small helpers at the top.
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
#include "python/python_builtins.h"
#include "python/types/format_spec.h"
#include "python/types/iterators.h"
#include "text/say.h"
#include "text/unsupported.h"
#include "torch/nn/layer_call.h"
#include "torch/numpy/array.h"

namespace attn {
namespace {

// ---- numbers ----

std::optional<std::int64_t> int_of(const Value& value) {
  if (const Int* i = value.as_int()) return i->value;
  if (const bool* b = value.as_bool()) return *b;
  return std::nullopt;
}

OriginPtr origin_of(const Value& value) { return value.as_int() ? value.as_int()->origin : nullptr; }

// What arithmetic made the int, when an operand has a known origin; long chains (a loop's counter) are cut.
OriginPtr arithmetic_origin(BinaryOp op, const Value& a, const Value& b, std::int64_t result, Span span) {
  const OriginPtr x = origin_of(a), y = origin_of(b);
  if ((!x && !y) || is_in_library(span)) return nullptr;
  const int depth = 1 + std::max(x ? x->depth : 0, y ? y->depth : 0);
  if (depth > kMaxOriginDepth) return nullptr;
  Origin origin;
  origin.source = Origin::Source::Arithmetic;
  origin.name = spelling(op);
  origin.value = result;
  origin.span = span;
  origin.operands = {x, y};
  origin.operand_values = {*int_of(a), *int_of(b)};
  origin.depth = depth;
  return std::make_shared<const Origin>(std::move(origin));
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

void require_divisor(bool is_zero, const std::string& message, Span span) {
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

Value float_binary(BinaryOp op, double a, double b, Span span) {
  switch (op) {
    case BinaryOp::Add: return a + b;
    case BinaryOp::Sub: return a - b;
    case BinaryOp::Mul: return a * b;
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

std::optional<double> python_float(const Value& value) {
  if (const auto i = int_of(value)) return static_cast<double>(*i);
  if (const double* d = value.as_float()) return *d;
  return std::nullopt;
}

bool stays_int(BinaryOp op, const Value& b) { return op != BinaryOp::Div && !(op == BinaryOp::Pow && *int_of(b) < 0); }

Value number_binary(BinaryOp op, const Value& a, const Value& b, Span span) {
  if (int_of(a) && int_of(b)) {
    if (stays_int(op, b)) return int_binary(op, a, b, span);
    require_divisor(op == BinaryOp::Div && *int_of(b) == 0, "division by zero", span);
  }
  if (op >= BinaryOp::MatMul)
    throw CellError(
        Code::Type, span,
        fmt::format("unsupported operand type(s) for {}: '{}' and '{}'", spelling(op), type_name(a), type_name(b)));
  return float_binary(op, *python_float(a), *python_float(b), span);
}

// ---- sequences ----

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

std::vector<Value> joined(std::vector<Value> a, const std::vector<Value>& b) {
  charge(static_cast<std::int64_t>(a.size() + b.size()));
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::string repeat_text(const std::string& text, std::int64_t count, Span span) {
  const auto total = checked_mul(static_cast<std::int64_t>(text.size()), std::max<std::int64_t>(count, 0));
  if (!total) throw python_error("OverflowError", span, "repeated string is too long");
  if (*total > 100'000'000) throw LimitReached(LimitReached::Kind::Memory, say("limit.string"));
  charge(*total);
  std::string out;
  if (text.empty()) return out;  // however often
  for (std::int64_t i = 0; i < count; ++i) out += text;
  return out;
}

// A torch.Size stays one.
Value like(const Tuple& tuple, std::vector<Value> items) {
  Ref<Tuple> out = make<Tuple>(std::move(items));
  out->is_size = tuple.is_size;
  return out;
}

// The sequence kinds of + and *; nothing when the operands are none of them.
std::optional<Value> sequence_binary(BinaryOp op, const Value& a, const Value& b, Span span) {
  if (op == BinaryOp::Add) {
    if (a.as<Str>() && b.as<Str>()) return make_str(a.as<Str>()->text + b.as<Str>()->text);
    if (a.as<List>() && b.as<List>()) return make_list(joined(a.as<List>()->items, b.as<List>()->items));
    if (a.as<Tuple>() && b.as<Tuple>()) return like(*a.as<Tuple>(), joined(a.as<Tuple>()->items, b.as<Tuple>()->items));
  }
  if (op == BinaryOp::Mul) {
    const bool count_first = as_index(a).has_value();  // a tensor with one integer too
    const Value& sequence = count_first ? b : a;
    const auto count = as_index(count_first ? a : b);
    if (count && sequence.as<Str>()) return make_str(repeat_text(sequence.as<Str>()->text, *count, span));
    if (count && sequence.as<List>()) return make_list(repeat_items(sequence.as<List>()->items, *count));
    if (count && sequence.as<Tuple>())
      return like(*sequence.as<Tuple>(), repeat_items(sequence.as<Tuple>()->items, *count));
  }
  return std::nullopt;
}

std::optional<Value> set_binary(BinaryOp op, const Set& a, const Set& b) {
  Ref<Set> out = make<Set>();
  auto add_if = [&](const Set& from, auto&& keep) {
    for (const Value& item : from.items) {
      if (keep(item)) out->add(item);
    }
  };
  switch (op) {
    case BinaryOp::BitOr:
      add_if(a, [](const Value&) { return true; });
      add_if(b, [](const Value&) { return true; });
      return out;
    case BinaryOp::BitAnd: {  // the items of the smaller one, of the right one where both are of a size
      const bool is_right = b.items.size() <= a.items.size();
      add_if(is_right ? b : a, [&](const Value& item) { return (is_right ? a : b).contains(item); });
      return out;
    }
    case BinaryOp::Sub: add_if(a, [&](const Value& item) { return !b.contains(item); }); return out;
    case BinaryOp::BitXor:
      add_if(b, [&](const Value& item) { return !a.contains(item); });
      add_if(a, [&](const Value& item) { return !b.contains(item); });
      return out;
    default: return std::nullopt;
  }
}

// A view of keys or items counts as a set beside another set or view.
Value as_set(const Value& value) {
  const DictView* view = value.as<DictView>();
  if (!view || view->part == DictView::Part::Values) return value;
  Ref<Set> out = make<Set>();
  for (const Value& item : view->items()) out->add(item);
  return out;
}

bool is_tensor(const Value& value) { return value.as<TensorObject>() != nullptr; }
bool is_sequence(const Value& value) { return value.as<Str>() || value.as<List>() || value.as<Tuple>(); }
bool is_tensor_operand(const Value& value) { return is_tensor(value) || value.is_number(); }

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
                    is_tensor(count)
                        ? std::string(kNoIndex)
                        : fmt::format("can't multiply sequence by non-int of type '{}'", type_name(count)));
  }
  unsupported_operands(op == BinaryOp::Pow ? "** or pow()" : spelling(op), a, b, span);
}

// PyTorch divides a number by a tensor as reciprocal times number.
Value number_over_tensor(Interpreter& interpreter, const Value& a, const Value& b, const OperatorSpans& spans) {
  const Value inverse = call_named_op(interpreter, "torch.reciprocal", {b}, {spans.right}, spans.whole);
  return call_named_op(interpreter, "torch.mul", {inverse, a}, {spans.right, spans.left}, spans.whole);
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

Value call_named_op(Interpreter& interpreter, std::string_view op, std::vector<Value> arguments,
                    std::vector<Span> spans, Span whole) {
  const OpInfo* info = find_op(op);
  if (!info) throw unsupported(whole, "unsupported.name", {{"name", std::string(op)}});
  CallArguments call{std::move(arguments), {}, std::move(spans), whole};
  return interpreter.call_op(*info, call);
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

}  // namespace

Value apply_binary(Interpreter& interpreter, BinaryOp op, const Value& a, const Value& b, const OperatorSpans& spans) {
  if (Value own; own_binary(op, a, b, own)) return own;
  if (op == BinaryOp::Mod && a.as<Str>()) return make_str(percent_format(a.as<Str>()->text, b));
  if (a.as<Array>() || b.as<Array>()) return array_binary(interpreter, op, a, b, spans);
  if (is_tensor(a) || is_tensor(b)) {
    const bool fits =
        op == BinaryOp::MatMul ? is_tensor(a) && is_tensor(b) : is_tensor_operand(a) && is_tensor_operand(b);
    if (!fits && op == BinaryOp::Mul) {
      if (auto value = sequence_binary(op, a, b, spans.whole)) return *value;
    }
    if (!fits) refuse_operands(op, a, b, spans.whole);
    if (op == BinaryOp::Div && !is_tensor(a)) return number_over_tensor(interpreter, a, b, spans);
    return call_named_op(interpreter, op_behind(op), {a, b}, {spans.left, spans.right}, spans.whole);
  }
  if (a.is_number() && b.is_number() && op != BinaryOp::MatMul) return number_binary(op, a, b, spans.whole);
  if (auto value = sequence_binary(op, a, b, spans.whole)) return *value;
  if (const Value x = as_set(a), y = as_set(b); x.as<Set>() && y.as<Set>()) {
    if (auto value = set_binary(op, *x.as<Set>(), *y.as<Set>())) return *value;
  }
  if (a.as<Dict>() && b.as<Dict>() && op == BinaryOp::BitOr) {
    Ref<Dict> out = make<Dict>();
    for (const Value* from : {&a, &b}) {
      for (const auto& [key, value] : from->as<Dict>()->items) out->set(key, value);
    }
    return out;
  }
  refuse_operands(op, a, b, spans.whole);
}

Value apply_in_place(Interpreter& interpreter, BinaryOp op, const Value& a, const Value& b,
                     const OperatorSpans& spans) {
  if (a.as<Array>()) return array_in_place(interpreter, op, a, b, spans);
  if (const Array* array = b.as<Array>(); array && array->is_scalar && is_tensor(a))
    return apply_in_place(interpreter, op, a, from_scalar(*as_scalar(b)), spans);
  if (is_tensor(a)) {
    const std::string row = "Tensor." + std::string(op_behind(op).substr(std::string_view("torch.").size())) + "_";
    if (find_op(row)) return call_named_op(interpreter, row, {a, b}, {spans.left, spans.right}, spans.whole);
  }
  if (List* list = a.as<List>(); list && op == BinaryOp::Add) {
    interpreter.require_effects("wrong_cell.name", spans.whole);
    const std::vector<Value> more = interpreter.to_vector(b, spans.right);
    list->items.insert(list->items.end(), more.begin(), more.end());
    return a;
  }
  if (Value extend; a.as<Layer>() && op == BinaryOp::Add && container_attribute(a.ref<Layer>(), "extend", extend)) {
    return interpreter.call(extend, {{b}, {}, {spans.right}, spans.whole});
  }
  if (Set* set = a.as<Set>(); set && b.as<Set>() && op == BinaryOp::BitOr) {
    interpreter.require_effects("wrong_cell.name", spans.whole);
    for (const Value& item : b.as<Set>()->items) set->add(item);
    return a;
  }
  static constexpr std::string_view kNames[] = {
      "__iadd__",    "__isub__", "__imul__", "__itruediv__", "__ifloordiv__", "__imod__",   "__ipow__",
      "__imatmul__", "__iand__", "__ior__",  "__ixor__",     "__ilshift__",   "__irshift__"};
  if (Value own; call_special(a, kNames[static_cast<std::size_t>(op)], {b}, own) && !is_not_implemented(own))
    return own;
  if (Set* left = a.as<Set>(); left && b.as<Set>()) {
    if (const auto changed = set_binary(op, *left, *b.as<Set>())) {
      interpreter.require_effects("wrong_cell.name", spans.whole);
      left->clear();
      for (const Value& item : changed->as<Set>()->items) left->add(item);
      return a;
    }
  }
  if (Dict* dict = a.as<Dict>(); dict && b.as<Dict>() && op == BinaryOp::BitOr) {
    interpreter.require_effects("wrong_cell.name", spans.whole);
    for (const auto& [key, value] : std::vector(b.as<Dict>()->items)) dict->set(key, value);
    return a;
  }
  if (List* list = a.as<List>(); list && op == BinaryOp::Mul && as_index(b)) {
    interpreter.require_effects("wrong_cell.name", spans.whole);
    list->items = repeat_items(list->items, *as_index(b));
    return a;
  }
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

namespace {

// ~x of a tensor: what the op refuses with a RuntimeError, the operator refuses with a TypeError.
Value inverted(Interpreter& interpreter, const Value& a, Span span, Span operand) {
  try {
    return call_named_op(interpreter, "torch.bitwise_not", {a}, {operand}, span);
  } catch (const CellError& error) {
    if (error.diagnostic().code != Code::Type) throw;
    Diagnostic diagnostic = error.diagnostic();
    diagnostic.message = "~ (operator.invert) is only implemented on integer and Boolean-type tensors";
    throw CellError(std::move(diagnostic), "TypeError");
  }
}

}  // namespace

Value apply_unary(Interpreter& interpreter, UnaryOp op, const Value& a, Span span, Span operand) {
  if (op == UnaryOp::Not) return Value(!truthy(a));
  const std::string_view method = op == UnaryOp::Minus ? "__neg__" : op == UnaryOp::Plus ? "__pos__" : "__invert__";
  if (Value own; call_special(a, method, {}, own)) return own;
  if (a.as<Array>()) return array_unary(interpreter, op, a, span);
  if (is_tensor(a)) {
    if (op == UnaryOp::Plus && a.as<TensorObject>()->tensor.dtype() == DType::Bool)
      throw CellError(Code::Runtime, span, "The `+` operator, on a bool tensor is not supported.");
    if (op == UnaryOp::Plus) return a;
    return op == UnaryOp::Minus ? call_named_op(interpreter, "torch.neg", {a}, {operand}, span)
                                : inverted(interpreter, a, span, operand);
  }
  if (const auto i = int_of(a)) {
    if (op == UnaryOp::Plus) return Value(*i, origin_of(a));
    if (op == UnaryOp::Invert) return Value(~*i);
    if (const auto negative = checked_sub(0, *i)) return Value(*negative);
    throw unsupported(span, "unsupported.int.negated");
  }
  if (const double* d = a.as_float(); d && op != UnaryOp::Invert) return Value(op == UnaryOp::Minus ? -*d : *d);
  throw CellError(Code::Type, span, fmt::format("bad operand type for unary {}: '{}'", spelling(op), type_name(a)));
}

// ---- comparison ----

namespace {

std::optional<int> order(Interpreter& interpreter, const Value& a, const Value& b, Span span);

// An int beside a float, exactly: -1, 0, 1, or 2 for NaN.
int order_int_float(std::int64_t a, double b) {
  if (std::isnan(b)) return 2;
  if (b >= 9223372036854775808.0) return -1;
  if (b < -9223372036854775808.0) return 1;
  const auto whole = static_cast<std::int64_t>(std::floor(b));
  if (a != whole) return a < whole ? -1 : 1;
  return std::floor(b) < b ? -1 : 0;
}

// By the first items that differ; where there are none, by length.
Value compare_items(Interpreter& interpreter, CompareOp op, const std::vector<Value>& a, const std::vector<Value>& b,
                    const OperatorSpans& spans) {
  check_stack();
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (!equals(a[i], b[i])) return apply_compare(interpreter, op, a[i], b[i], spans);
  }
  const auto length = [](const std::vector<Value>& items) { return Value(static_cast<std::int64_t>(items.size())); };
  return apply_compare(interpreter, op, length(a), length(b), spans);
}

// -1, 0 or 1; nothing for kinds that have no order. NaN gives 2: no comparison holds.
std::optional<int> order(Interpreter& interpreter, const Value& a, const Value& b, Span span) {
  check_stack();
  if (int_of(a) && int_of(b)) return *int_of(a) < *int_of(b) ? -1 : *int_of(a) > *int_of(b);
  if (a.is_number() && b.is_number()) {
    if (int_of(a) || int_of(b)) {
      const bool int_first = int_of(a).has_value();
      const int result = order_int_float(int_first ? *int_of(a) : *int_of(b), *python_float(int_first ? b : a));
      return int_first || result == 2 ? result : -result;
    }
    const double x = *python_float(a), y = *python_float(b);
    return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
  }
  if (a.as<Str>() && b.as<Str>()) {
    const int result = a.as<Str>()->text.compare(b.as<Str>()->text);
    return result < 0 ? -1 : result > 0;
  }
  if (a.as<Array>() || b.as<Array>()) {
    if (truthy(array_compare(interpreter, CompareOp::Less, a, b, {span, span, span}))) return -1;
    return truthy(array_compare(interpreter, CompareOp::Greater, a, b, {span, span, span})) ? 1 : 0;
  }
  if ((is_tensor(a) && is_tensor_operand(b)) || (is_tensor(b) && is_tensor_operand(a))) {
    if (truthy(apply_compare(interpreter, CompareOp::Less, a, b, {span, span, span}))) return -1;
    return truthy(apply_compare(interpreter, CompareOp::Greater, a, b, {span, span, span})) ? 1 : 0;
  }
  return std::nullopt;
}

bool compare_sets(CompareOp op, const Set& a, const Set& b) {
  switch (op) {
    case CompareOp::LessEqual: return a.is_subset_of(b);
    case CompareOp::Less: return a.items.size() < b.items.size() && a.is_subset_of(b);
    case CompareOp::GreaterEqual: return b.is_subset_of(a);
    default: return a.items.size() > b.items.size() && b.is_subset_of(a);
  }
}

bool is_same(const Value& a, const Value& b) {
  if (a.object() || b.object()) {
    if (a.object() && a.object() == b.object()) return true;
    const bool singletons = (a.as<DTypeObject>() && b.as<DTypeObject>()) ||
                            (a.as<TypeObject>() && b.as<TypeObject>()) ||
                            (a.as<EllipsisObject>() && b.as<EllipsisObject>());
    return singletons && equals(a, b);
  }
  // A float is told by its bits, so that NaN is itself.
  if (a.as_float() && b.as_float())
    return std::bit_cast<std::uint64_t>(*a.as_float()) == std::bit_cast<std::uint64_t>(*b.as_float());
  return type_name(a) == type_name(b) && equals(a, b);
}

}  // namespace

bool contains(Interpreter& interpreter, const Value& container, const Value& item, Span span) {
  if (Value own; call_special(container, "__contains__", {item}, own)) return truthy(own);
  if (const Str* text = container.as<Str>()) {
    if (const Str* part = item.as<Str>()) return text->text.find(part->text) != std::string::npos;
    throw CellError(Code::Type, span,
                    fmt::format("'in <string>' requires string as left operand, not {}", type_name(item)));
  }
  if (const Dict* dict = container.as<Dict>()) return dict->find(item) != nullptr;
  if (const Set* set = container.as<Set>()) return set->contains(item);
  if (is_tensor(container)) {
    if (!is_tensor(item) && !item.is_number())
      throw CellError(Code::Runtime, span,
                      fmt::format("Tensor.__contains__ only supports Tensor or scalar, but you passed in a "
                                  "<class '{}'>.",
                                  type_name(item)));
    const Value same = call_named_op(interpreter, "torch.eq", {container, item}, {span, span}, span);
    return truthy(call_named_op(interpreter, "torch.any", {same}, {span}, span));
  }
  if (!is_iterable(container))
    throw CellError(Code::Type, span, fmt::format("argument of type '{}' is not iterable", type_name(container)));
  bool found = false;
  interpreter.for_each(container, span, [&](const Value& element) {
    found = is_tensor(element) || is_tensor(item) || element.as<Array>() || item.as<Array>()
                ? truthy(apply_compare(interpreter, CompareOp::Equal, element, item, {span, span, span}))
                : equals(element, item);
    return !found;
  });
  return found;
}

bool less(Interpreter& interpreter, const Value& a, const Value& b, Span span) {
  return truthy(apply_compare(interpreter, CompareOp::Less, a, b, {span, span, span}));
}

namespace {

CompareOp reflected(CompareOp op) {
  switch (op) {
    case CompareOp::Less: return CompareOp::Greater;
    case CompareOp::LessEqual: return CompareOp::GreaterEqual;
    case CompareOp::Greater: return CompareOp::Less;
    case CompareOp::GreaterEqual: return CompareOp::LessEqual;
    default: return op;
  }
}

}  // namespace

Value apply_compare(Interpreter& interpreter, CompareOp op, const Value& a, const Value& b,
                    const OperatorSpans& spans) {
  switch (op) {
    case CompareOp::Is: return Value(is_same(a, b));
    case CompareOp::IsNot: return Value(!is_same(a, b));
    case CompareOp::In: return Value(contains(interpreter, b, a, spans.whole));
    case CompareOp::NotIn: return Value(!contains(interpreter, b, a, spans.whole));
    default: break;
  }
  if (Value own; own_compare(op, a, b, own)) return own;
  if (a.as<Array>() || b.as<Array>()) return array_compare(interpreter, op, a, b, spans);
  if (is_tensor(a) && is_tensor_operand(b))
    return call_named_op(interpreter, op_behind(op), {a, b}, {spans.left, spans.right}, spans.whole);
  if (is_tensor(b) && is_tensor_operand(a))  // 1 < x is x > 1
    return apply_compare(interpreter, reflected(op), b, a, {spans.whole, spans.right, spans.left});
  if (op == CompareOp::Equal) return Value(equals(a, b));
  if (op == CompareOp::NotEqual) return Value(!equals(a, b));
  if (a.as<Set>() && b.as<Set>()) return Value(compare_sets(op, *a.as<Set>(), *b.as<Set>()));
  if (a.as<List>() && b.as<List>())
    return compare_items(interpreter, op, a.as<List>()->items, b.as<List>()->items, spans);
  if (a.as<Tuple>() && b.as<Tuple>())
    return compare_items(interpreter, op, a.as<Tuple>()->items, b.as<Tuple>()->items, spans);
  const auto result = order(interpreter, a, b, spans.whole);
  if (!result) {
    throw CellError(
        Code::Type, spans.whole,
        fmt::format("'{}' not supported between instances of '{}' and '{}'", spelling(op), type_name(a), type_name(b)));
  }
  switch (op) {
    case CompareOp::Less: return Value(*result == -1);
    case CompareOp::LessEqual: return Value(*result == -1 || *result == 0);
    case CompareOp::Greater: return Value(*result == 1);
    default: return Value(*result == 1 || *result == 0);
  }
}

}  // namespace attn
