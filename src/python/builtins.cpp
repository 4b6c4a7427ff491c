// Python's built-in functions and types: two tables and a short function for each row, which is what makes it long.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/diagnostic.h"
#include "base/letters.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include "python/argument_count.h"
#include "python/class.h"
#include "python/evaluator.h"
#include "python/exceptions.h"
#include "python/modules/collections.h"
#include "python/modules/library.h"
#include "python/natives.h"
#include "python/object_builtins.h"
#include "python/operators.h"
#include "python/python_builtins.h"
#include "python/type.h"
#include "python/types/bytes.h"
#include "python/types/changing.h"
#include "python/types/format_spec.h"
#include "python/types/iterators.h"
#include "python/types/python_sort.h"
#include "python/types/record.h"
#include "text/unsupported.h"

namespace attn {
namespace {

// "len() takes exactly one argument (2 given)"
void exactly(const CallArguments& arguments, std::string_view name, std::size_t count) {
  const std::size_t given = arguments.positional.size();
  if (!arguments.keywords.empty()) fail(Code::Type, arguments, fmt::format("{}() takes no keyword arguments", name));
  if (given == count) return;
  if (count == 1) fail(Code::Type, arguments, fmt::format("{}() takes exactly one argument ({} given)", name, given));
  fail(Code::Type, arguments, fmt::format("{} expected {} arguments, got {}", name, count, given));
}

Span span_at(const CallArguments& arguments, std::size_t at) {
  return at < arguments.spans.size() ? arguments.spans[at] : arguments.span;
}

std::int64_t index_or_fail(const Value& value, Span span) {
  if (const auto number = as_index(value)) return *number;
  throw CellError(Code::Type, span, fmt::format("'{}' object cannot be interpreted as an integer", type_name(value)));
}

// ---- functions ----

Value print(Interpreter& in, CallArguments& arguments) {
  expect(arguments, "print", 0, SIZE_MAX, {"sep", "end", "flush", "file"});
  const Value sep = keyword(arguments, "sep", Value()), end = keyword(arguments, "end", Value());
  for (const auto& [name, value] : {std::pair{"sep", sep}, std::pair{"end", end}}) {
    if (!value.is_none() && !value.as<Str>())
      fail(Code::Type, arguments, fmt::format("{} must be None or a string, not {}", name, type_name(value)));
  }
  Value file = keyword(arguments, "file", Value());
  if (const Value* redirected = in.kept("print").as<Dict>()->find(make_str("file")); redirected && file.is_none())
    file = *redirected;
  if (!file.is_none() && !has_special(file, "write")) throw unsupported(arguments.span, "unsupported.print_file");
  std::string text;
  for (const Value& value : arguments.positional) {
    if (&value != &arguments.positional.front()) text += sep.is_none() ? " " : str(sep);
    const std::string whole = str(value);
    for (std::string_view rest = whole; !rest.empty();) {  // each place that it goes to copies it
      look();
      constexpr std::size_t kPiece = 1 << 20;
      const std::size_t size = rest.size() <= kPiece ? rest.size() : character_offset(rest, kPiece);
      text += rest.substr(0, size);
      rest.remove_prefix(size);
      if (file.is_none() && text.size() > kPiece) in.print(std::exchange(text, {}));
    }
  }
  text += end.is_none() ? "\n" : str(end);
  Value unused;
  if (file.is_none()) in.print(text);
  else call_special(file, "write", {make_str(std::move(text))}, unused);
  if (!truthy(keyword(arguments, "flush", false))) return {};
  if (file.is_none()) in.flush_output();
  else call_special(file, "flush", {}, unused);
  return {};
}

Value len(Interpreter&, CallArguments& arguments) {
  exactly(arguments, "len", 1);
  const Value& value = arguments.positional[0];
  const auto length = slot_of(value, &Type::length);
  try {
    if (const auto own = length ? length(value) : std::nullopt) return *own;
  } catch (CellError& error) {
    add_span(error, arguments.span);
    throw;
  }
  if (Value own; call_special(value, "__len__", {}, own)) return own.as_bool() ? Value(*as_index(own)) : own;
  fail(Code::Type, arguments, fmt::format("object of type '{}' has no len()", type_name(value)));
}

Value range(Interpreter&, CallArguments& arguments) {
  expect(arguments, "range", 1, 3);
  std::vector<std::int64_t> bounds;
  for (const Value& value : arguments.positional) {
    const auto number = as_index(value);
    if (!number && value.as<TensorObject>()) fail(Code::Type, arguments, std::string(kNoIndex));
    if (!number)
      fail(Code::Type, arguments, fmt::format("'{}' object cannot be interpreted as an integer", type_name(value)));
    bounds.push_back(*number);
  }
  if (bounds.size() == 1) bounds.insert(bounds.begin(), 0);
  if (bounds.size() == 2) bounds.push_back(1);
  if (bounds[2] == 0) fail(Code::Value, arguments, "range() arg 3 must not be zero");
  if (!Range::count(bounds[0], bounds[1], bounds[2])) throw unsupported(arguments.span, "unsupported.int");
  return make<Range>(bounds[0], bounds[1], bounds[2]);
}

Value enumerate(Interpreter& in, CallArguments& arguments) {
  expect(arguments, "enumerate", 1, 2, {"start"});
  const Value start =
      arguments.positional.size() > 1 ? arguments.positional[1] : keyword(arguments, "start", Value(std::int64_t{0}));
  auto next = step_through(in, arguments.positional[0], span_at(arguments, 0));
  return make<Iterator>("enumerate", [next, at = as_index(start).value_or(0)](Value& out) mutable {
    Value item;
    if (!next(item)) return false;
    out = make_tuple({Value(at++), item});
    return true;
  });
}

std::vector<Iterator::Next> all_steps(Interpreter& in, const CallArguments& arguments, std::size_t first) {
  std::vector<Iterator::Next> steps;
  for (std::size_t i = first; i < arguments.positional.size(); ++i)
    steps.push_back(step_through(in, arguments.positional[i], span_at(arguments, i)));
  return steps;
}

// One item of each; false as soon as one has come to its end, `ended` says which.
bool step_all(std::vector<Iterator::Next>& steps, std::vector<Value>& items, std::size_t& ended) {
  items.assign(steps.size(), Value());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!steps[i](items[i])) return ended = i, false;
  }
  return !steps.empty();
}

// "zip() argument 3 is longer than arguments 1-2"
[[noreturn]] void fail_strict(std::size_t which, bool is_longer, Span span) {
  const std::string others = which == 1 ? " 1" : fmt::format("s 1-{}", which);
  throw CellError(
      Code::Value, span,
      fmt::format("zip() argument {} is {} than argument{}", which + 1, is_longer ? "longer" : "shorter", others));
}

Value zip_function(Interpreter& in, CallArguments& arguments) {
  expect(arguments, "zip", 0, SIZE_MAX, {"strict"});
  const bool strict = truthy(keyword(arguments, "strict", Value(false)));
  const Span span = arguments.span;
  return make<Iterator>("zip", [steps = all_steps(in, arguments, 0), strict, span](Value& out) mutable {
    std::vector<Value> items;
    std::size_t ended = 0;
    if (step_all(steps, items, ended)) return out = make_tuple(std::move(items)), true;
    if (!strict || steps.empty()) return false;
    if (ended > 0) fail_strict(ended, false, span);
    for (std::size_t i = 1; i < steps.size(); ++i) {
      if (steps[i](items[i])) fail_strict(i, true, span);
    }
    return false;
  });
}

Value map_function(Interpreter& in, CallArguments& arguments) {
  if (arguments.positional.size() < 2) fail(Code::Type, arguments, "map() must have at least two arguments.");
  auto step = [&in, arguments, steps = all_steps(in, arguments, 1)](Value& out) mutable {
    std::vector<Value> items;
    std::size_t ended = 0;
    if (!step_all(steps, items, ended)) return false;
    return out = in.call(arguments.positional[0], std::move(items), arguments.span), true;
  };
  return make<Iterator>("map", step);
}

Value filter(Interpreter& in, CallArguments& arguments) {
  exactly(arguments, "filter", 2);
  auto step = [&in, arguments, next = step_through(in, arguments.positional[1], span_at(arguments, 1))](Value& out) {
    const Value& test = arguments.positional[0];
    while (next(out)) {
      charge(1);
      if (truthy(test.is_none() ? out : in.call(test, {out}, arguments.span))) return true;
    }
    return false;
  };
  return make<Iterator>("filter", step);
}

Value sum_function(Interpreter& in, CallArguments& arguments) {
  expect(arguments, "sum", 1, 2, {"start"});
  Value total =
      arguments.positional.size() > 1 ? arguments.positional[1] : keyword(arguments, "start", Value(std::int64_t{0}));
  if (total.as<Str>()) fail(Code::Type, arguments, "sum() can't sum strings [use ''.join(seq) instead]");
  const Span span = span_at(arguments, 0);
  in.for_each(arguments.positional[0], span, [&](const Value& item) {
    total = apply_binary(in, BinaryOp::Add, total, item, {arguments.span, span, span});
    return true;
  });
  return total;
}

// min and max: of one iterable, or of the arguments.
Value extreme(Interpreter& in, CallArguments& arguments, std::string_view name, bool want_max) {
  expect(arguments, name, 1, SIZE_MAX, {"key", "default"});
  const Value key = keyword(arguments, "key", Value());
  const Span span = arguments.span;
  std::optional<Value> best;
  Value best_key;
  const auto compare = [&](const Value& item) {
    look();
    const Value item_key = key.is_none() ? item : in.call(key, {item}, span);
    const CompareOp op = want_max ? CompareOp::Greater : CompareOp::Less;
    if (best && !truthy(apply_compare(in, op, item_key, best_key, {span, span, span}))) return true;
    best = item;
    best_key = item_key;
    return true;
  };
  if (arguments.positional.size() == 1) {
    in.for_each(arguments.positional[0], span_at(arguments, 0), compare);
  } else {
    for (const Value& item : arguments.positional) compare(item);
  }
  if (best) return *best;
  for (const auto& item : arguments.keywords) {
    if (item.first == "default") return item.second;
  }
  fail(Code::Value, arguments, fmt::format("{}() arg is an empty sequence", name));
}
Value min_function(Interpreter& in, CallArguments& arguments) { return extreme(in, arguments, "min", false); }
Value max_function(Interpreter& in, CallArguments& arguments) { return extreme(in, arguments, "max", true); }

Value sorted(Interpreter& in, CallArguments& arguments) {
  expect(arguments, "sorted", 1, 1, {"key", "reverse"});
  const Value key = keyword(arguments, "key", Value());
  const std::int64_t reverse = index_or_fail(keyword(arguments, "reverse", Value(false)), arguments.span);
  if (reverse != static_cast<std::int32_t>(reverse))
    throw python_error("OverflowError", arguments.span, "Python int too large to convert to C int");
  std::vector<std::pair<Value, Value>> keyed;
  for (const Value& item : in.to_vector(arguments.positional[0], span_at(arguments, 0))) {
    look();
    keyed.emplace_back(key.is_none() ? item : in.call(key, {item}, arguments.span), item);
  }
  // Turned around before and after, equal items stay in their order.
  if (reverse) std::reverse(keyed.begin(), keyed.end());
  python_sort(keyed, [&](const auto& a, const auto& b) { return less(in, a.first, b.first, arguments.span); });
  if (reverse) std::reverse(keyed.begin(), keyed.end());
  std::vector<Value> out;
  out.reserve(keyed.size());
  for (auto& item : keyed) {
    look();
    out.push_back(std::move(item.second));
  }
  return make_list(std::move(out));
}

Value reversed(Interpreter& in, CallArguments& arguments) {
  exactly(arguments, "reversed", 1);
  const Value& value = arguments.positional[0];
  if (Value own; call_special(value, "__reversed__", {}, own)) return own;
  if (const TensorObject* const tensor = value.as<TensorObject>(); tensor && tensor->tensor.dim() > 0)
    return in.call(get_attribute(in, value, "flip", arguments.span, arguments.span), {Value(INT64_C(0))},
                   arguments.span);
  if (value.as<Set>() || value.as<Iterator>() || !is_iterable(value))
    fail(Code::Type, arguments, fmt::format("'{}' object is not reversible", type_name(value)));
  std::vector<Value> items;
  if (!has_special(value, "__iter__") && has_special(value, "__len__")) {
    const std::int64_t size = *as_index(len(in, arguments));
    for (std::int64_t i = 0; i < size; ++i) {
      Value item;
      call_special(value, "__getitem__", {Value(i)}, item);
      items.push_back(item);
    }
  } else {
    items = in.to_vector(value, span_at(arguments, 0));
  }
  std::reverse(items.begin(), items.end());
  return make<Iterator>("reversed", step_through(in, make_list(std::move(items)), arguments.span));
}

Value any_function(Interpreter& in, CallArguments& arguments) {
  exactly(arguments, "any", 1);
  bool found = false;
  in.for_each(arguments.positional[0], span_at(arguments, 0),
              [&](const Value& item) { return !(found = truthy(item)); });
  return Value(found);
}

Value all_function(Interpreter& in, CallArguments& arguments) {
  exactly(arguments, "all", 1);
  bool holds = true;
  in.for_each(arguments.positional[0], span_at(arguments, 0), [&](const Value& item) { return holds = truthy(item); });
  return Value(holds);
}

Value abs_function(Interpreter& in, CallArguments& arguments) {
  exactly(arguments, "abs", 1);
  const Value& value = arguments.positional[0];
  if (const auto absolute = slot_of(value, &Type::absolute))
    return absolute(in, value, arguments.span, span_at(arguments, 0));
  if (const double* d = value.as_float()) return Value(std::fabs(*d));
  if (Value own; call_special(value, "__abs__", {}, own)) return own;
  if (!value.is_number() && !has_number(value))
    fail(Code::Type, arguments, fmt::format("bad operand type for abs(): '{}'", type_name(value)));
  const std::int64_t number = *as_index(value);
  return number < 0 ? apply_unary(in, UnaryOp::Minus, value, arguments.span, arguments.span) : Value(number);
}

// 1250 to hundreds: 1200, half to even.
// Nothing where it is beyond 64 bits.
std::optional<std::int64_t> rounded_to_tens(std::int64_t number, std::int64_t zeros) {
  if (zeros > 19) return 0;
  if (zeros == 19)
    return number > 5'000'000'000'000'000'000 || number < -5'000'000'000'000'000'000 ? std::nullopt
                                                                                     : std::optional<std::int64_t>(0);
  std::int64_t unit = 1;
  for (std::int64_t i = 0; i < zeros; ++i) unit *= 10;
  const std::int64_t rest = floor_mod(number, unit);
  const auto floor = checked_sub(number, rest);
  if (!floor) return std::nullopt;
  const bool is_up = rest > unit - rest || (rest == unit - rest && floor_mod(*floor / unit, 2) == 1);
  return is_up ? checked_add(*floor, unit) : floor;
}

// 1234.5 to hundreds: by the digits of its exact decimal value.
double rounded_float_to_tens(double number, std::int64_t zeros) {
  if (zeros > 308) return std::copysign(0.0, number);
  constexpr int kEnough = 25;  // digits, so that rounding does not carry into the exponent
  const std::string digits = format_exponent(std::fabs(number), kEnough);
  const std::int64_t exponent = *parse_int(std::string_view(digits).substr(digits.find('e') + 1));
  if (exponent < zeros - 1) return std::copysign(0.0, number);
  // In front of the first digit stands a 0: what is between 0 and the unit goes to the nearer one, a half to 0.
  if (exponent == zeros - 1 || number == 0) {
    const double half = *parse_double(fmt::format("5e{}", zeros - 1));
    return std::copysign(std::fabs(number) > half ? 2 * half : 0.0, number);
  }
  const double size = *parse_double(format_exponent(std::fabs(number), static_cast<int>(exponent - zeros)));
  return std::copysign(size, number);
}

// Half to even, as Python rounds.
Value round_function(Interpreter& in, CallArguments& arguments) {
  for (const auto& item : arguments.keywords) arguments.positional.push_back(item.second);
  expect(arguments, "round", 1, 2, {"number", "ndigits"});
  std::vector<Value> digits_given(arguments.positional.begin() + 1, arguments.positional.end());
  if (Value own; call_special(arguments.positional[0], "__round__", digits_given, own)) return own;
  Value value = arguments.positional[0];
  const Array* const array = value.as<Array>();
  if (array && array->is_scalar && is_floating(array->tensor->tensor.dtype()) &&
      !arguments.positional.back().is_none() && arguments.positional.size() == 2)  // numpy multiplies and divides
    return in.call(get_attribute(in, value, "round", arguments.span, arguments.span), std::move(digits_given),
                   arguments.span);
  if (const auto scalar = value.object() ? as_scalar(value) : std::nullopt) value = from_scalar(*scalar);
  const auto number = value.is_number() ? as_real(value) : std::nullopt;
  if (!number) fail(Code::Type, arguments, fmt::format("type {} doesn't define __round__ method", type_name(value)));
  if (arguments.positional.size() == 2 && !arguments.positional[1].is_none()) {
    const std::int64_t digits = index_or_fail(arguments.positional[1], arguments.span);
    if (value.as_int() && digits >= 0) return value;
    if (value.as_int() || value.as_bool()) {
      const auto rounded = rounded_to_tens(*as_index(value), std::max(-digits, INT64_C(0)));
      if (!rounded) throw unsupported(arguments.span, "unsupported.int");
      return Value(*rounded);
    }
    if (!std::isfinite(*number) || digits > 300) return Value(*number);
    if (digits < 0) return Value(rounded_float_to_tens(*number, -digits));
    return Value(parse_double(format_fixed(*number, static_cast<int>(digits))).value_or(*number));
  }
  if (value.as_int()) return value;
  if (value.as_bool()) return Value(*as_index(value));
  if (std::isnan(*number)) fail(Code::Value, arguments, "cannot convert float NaN to integer");
  if (std::isinf(*number))
    throw python_error("OverflowError", arguments.span, "cannot convert float infinity to integer");
  if (std::fabs(*number) >= 9.2e18) throw unsupported(arguments.span, "unsupported.int");
  return Value(static_cast<std::int64_t>(std::nearbyint(*number)));
}

// What times `number` leaves the rest 1, by Euclid's algorithm.
std::int64_t inverse_modulo(std::int64_t number, std::int64_t modulus, const CallArguments& arguments) {
  __extension__ using Wide = __int128;
  Wide rest = number, next_rest = modulus, factor = 1, next_factor = 0;
  while (next_rest != 0) {
    const Wide quotient = rest / next_rest;
    rest = std::exchange(next_rest, rest - quotient * next_rest);
    factor = std::exchange(next_factor, factor - quotient * next_factor);
  }
  if (rest != 1 && rest != -1) fail(Code::Value, arguments, "base is not invertible for the given modulus");
  return static_cast<std::int64_t>(factor * rest % modulus);
}

// pow(base, exponent, modulus) of ints.
std::int64_t modular_power(const CallArguments& arguments) {
  const std::vector<Value>& given = arguments.positional;
  // A float refuses the modulus, whatever stands beside it.
  const bool has_float = std::any_of(given.begin(), given.end(), [](const Value& v) { return v.as_float(); });
  if (!has_float && !std::all_of(given.begin(), given.end(), [](const Value& v) { return v.is_number(); }))
    fail(Code::Type, arguments,
         fmt::format("unsupported operand type(s) for ** or pow(): '{}', '{}', '{}'", type_name(given[0]),
                     type_name(given[1]), type_name(given[2])));
  std::int64_t numbers[3];
  for (std::size_t i = 0; i < 3; ++i) {
    const auto number = as_index(given[i]);
    if (!number) fail(Code::Type, arguments, "pow() 3rd argument not allowed unless all arguments are integers");
    numbers[i] = *number;
  }
  if (numbers[2] == 0) fail(Code::Value, arguments, "pow() 3rd argument cannot be 0");
  __extension__ using Wide = __int128;
  const Wide modulus = numbers[2];
  Wide result = 1, base = numbers[0];
  if (numbers[1] < 0) {
    base = inverse_modulo(numbers[0], numbers[2], arguments);
    numbers[1] = numbers[1] == INT64_MIN ? INT64_MAX : -numbers[1];
  }
  for (std::int64_t exponent = numbers[1]; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result = result * base % modulus;
    base = base * base % modulus;
  }
  result %= modulus;
  if (result != 0 && (result < 0) != (modulus < 0)) result += modulus;
  return static_cast<std::int64_t>(result);
}

Value pow_function(Interpreter& in, CallArguments& arguments) {
  expect(arguments, "pow", 2, 3);
  if (arguments.positional.size() == 3 && !arguments.positional[2].is_none()) return Value(modular_power(arguments));
  return apply_binary(in, BinaryOp::Pow, arguments.positional[0], arguments.positional[1],
                      {arguments.span, span_at(arguments, 0), span_at(arguments, 1)});
}

Value repr_function(Interpreter&, CallArguments& arguments) {
  exactly(arguments, "repr", 1);
  return make_str(repr(arguments.positional[0]));
}

Value format_function(Interpreter&, CallArguments& arguments) {
  expect(arguments, "format", 1, 2);
  return make_str(
      format_value(arguments.positional[0], arguments.positional.size() > 1 ? str(arguments.positional[1]) : ""));
}

Value id(Interpreter& in, CallArguments& arguments) {
  exactly(arguments, "id", 1);
  return Value(in.number_of(arguments.positional[0]));
}

constexpr NativeRow kBuiltins[] = {
    {"print", print},
    {"len", len},
    {"range", range},
    {"enumerate", enumerate},
    {"zip", zip_function},
    {"map", map_function},
    {"filter", filter},
    {"sum", sum_function},
    {"min", min_function},
    {"max", max_function},
    {"sorted", sorted},
    {"reversed", reversed},
    {"any", any_function},
    {"all", all_function},
    {"abs", abs_function},
    {"round", round_function},
    {"pow", pow_function},
    {"repr", repr_function},
    {"format", format_function},
    {"id", id},
};

// ---- types ----

// "1_000" as 1000: a single _ may stand between digits.
std::string without_underscores(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i % 65536 == 0) look();
    const auto is_digit = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
    if (text[i] != '_' || i == 0 || !is_digit(i - 1) || !is_digit(i + 1)) out += text[i];
  }
  return out;
}

// CPython quotes this much of the text, too.
[[noreturn]] void invalid_literal(const Str& text, std::int64_t base, const CallArguments& arguments) {
  constexpr std::size_t kMostQuoted = 200;
  std::string quoted = string_repr(text.text.substr(0, character_offset(text.text, kMostQuoted)));
  quoted.resize(character_offset(quoted, kMostQuoted));
  fail(Code::Value, arguments, fmt::format("invalid literal for int() with base {}: {}", base, quoted));
}

// What the text says in that base; in base 0 its prefix says which.
Value read_int(const Str& text, std::int64_t base, const CallArguments& arguments) {
  const std::int64_t asked_for = base;
  std::string digits = without_underscores(trim(text.text));
  const bool is_negative = digits.starts_with('-');
  if (is_negative || digits.starts_with('+')) digits.erase(0, 1);
  for (const auto& [prefix, own] : {std::pair{"0x", 16}, std::pair{"0o", 8}, std::pair{"0b", 2}}) {
    if (lower_case(digits.substr(0, 2)) != prefix || (base != 0 && base != own)) continue;
    base = own;
    digits.erase(0, 2);
  }
  if (base == 0) base = 10;
  const auto digit_of = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    return c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
  };
  const auto is_foreign = [&](char c) {
    look();
    return digit_of(c) >= base;
  };
  if (digits.empty() || std::any_of(digits.begin(), digits.end(), is_foreign))
    invalid_literal(text, asked_for, arguments);
  std::optional<std::int64_t> number = 0;  // negated, as there is one more number below zero
  for (std::size_t i = 0; number && i < digits.size(); ++i) {
    look();
    number = checked_mul(*number, base);
    if (number) number = checked_sub(*number, digit_of(digits[i]));
  }
  if (number && !is_negative) number = checked_sub(0, *number);
  if (!number) throw unsupported(arguments.span, "unsupported.int");
  return Value(*number);
}

Value to_int_value(Interpreter&, const Value& value, const CallArguments& arguments) {
  if (const Str* text = value.as<Str>()) return read_int(*text, 10, arguments);
  if (Value own; call_special(value, "__int__", {}, own) || call_special(value, "__index__", {}, own))
    return own.as_bool() ? Value(*as_index(own)) : own;
  if (const auto exact = as_index(value))
    return Value(*exact, OriginPtr(value.as_int() ? value.as_int()->origin : nullptr));
  const auto number = as_real(value);
  if (value.as<TensorObject>() && !number) fail(Code::Value, arguments, std::string(kNoScalar));
  if (!number)
    fail(Code::Type, arguments,
         fmt::format("int() argument must be a string, a bytes-like object or a real number, not '{}'",
                     type_name(value)));
  if (std::isnan(*number)) fail(Code::Value, arguments, "cannot convert float NaN to integer");
  if (std::isinf(*number))
    throw python_error("OverflowError", arguments.span, "cannot convert float infinity to integer");
  if (std::fabs(*number) >= 9.2e18) throw unsupported(arguments.span, "unsupported.int");
  return Value(static_cast<std::int64_t>(*number));
}

Value to_float_value(Interpreter&, const Value& value, const CallArguments& arguments) {
  if (const Str* text = value.as<Str>()) {
    if (const auto number = parse_double(without_underscores(trim(text->text)))) return Value(*number);
    fail(Code::Value, arguments, fmt::format("could not convert string to float: {}", repr(value)));
  }
  if (Value own; call_special(value, "__float__", {}, own)) return own;
  if (const auto number = as_real(value)) return Value(*number);
  if (value.as<TensorObject>()) fail(Code::Value, arguments, std::string(kNoScalar));
  fail(Code::Type, arguments,
       fmt::format("float() argument must be a string or a real number, not '{}'", type_name(value)));
}

Value to_dict_value(Interpreter& in, const CallArguments& arguments) {
  Ref<Dict> dict = make<Dict>();
  if (!arguments.positional.empty()) {
    const Value& from = arguments.positional[0];
    if (const Dict* other = from.as<Dict>()) {
      each_pair(*other, [&](const Value& key, const Value& item) { dict->set(key, item); });
    } else {
      add_pairs(in, *dict, from, span_at(arguments, 0), arguments.span);
    }
  }
  for (const auto& [name, value] : arguments.keywords) dict->set(make_str(name), value);
  return dict;
}

Value to_set_value(Interpreter& in, const Value& from, const CallArguments& arguments) {
  Ref<Set> set = make<Set>();
  add_to_set(in, *set, from, span_at(arguments, 0));
  return set;
}

Value to_frozenset_value(Interpreter& in, const Value& from, const CallArguments& arguments) {
  const Value set = to_set_value(in, from, arguments);
  set.as<Set>()->is_frozen = true;
  return set;
}

Value empty_frozenset() {
  Ref<Set> set = make<Set>();
  set->is_frozen = true;
  return set;
}

Value to_tuple_value(Interpreter& in, const Value& from, const CallArguments& arguments) {
  return make_tuple(in.to_vector(from, span_at(arguments, 0)));
}
Value to_list_value(Interpreter& in, const Value& from, const CallArguments& arguments) {
  return make_list(in.to_vector(from, span_at(arguments, 0)));
}
Value to_str_value(Interpreter&, const Value& from, const CallArguments&) { return make_str(str(from)); }
Value to_bool_value(Interpreter&, const Value& from, const CallArguments&) { return Value(truthy(from)); }

Value to_size_value(Interpreter& in, const Value& from, const CallArguments& arguments) {
  Ref<Tuple> size = make<Tuple>(in.to_vector(from, span_at(arguments, 0)));
  size->is_size = true;
  return size;
}

// A type that converts its one argument; without one it gives `empty`.
struct TypeConversion {
  std::string_view name;
  Value (*convert)(Interpreter&, const Value&, const CallArguments&);
  Value (*empty)();
};
constexpr TypeConversion kTypeConversions[] = {
    {"int", to_int_value, [] { return Value(std::int64_t{0}); }},
    {"float", to_float_value, [] { return Value(0.0); }},
    {"bool", to_bool_value, [] { return Value(false); }},
    {"str", to_str_value, [] { return make_str(""); }},
    {"list", to_list_value, [] { return make_list({}); }},
    {"tuple", to_tuple_value, [] { return make_tuple({}); }},
    {"set", to_set_value, [] { return Value(make<Set>()); }},
    {"frozenset", to_frozenset_value, empty_frozenset},
    {"torch.Size", to_size_value, [] { return make_size({}); }},
};

constexpr std::string_view kTypeNames[] = {"int", "float",     "bool", "str",   "list",  "tuple",
                                           "set", "frozenset", "dict", "bytes", "object"};

const std::unordered_map<Symbol, Value>& builtins() {
  // These live as long as the thread: the heap of the first run must not clear them at its end.
  thread_local const std::unordered_map<Symbol, Value> table = [] {
    const OutsideHeap outside;
    std::unordered_map<Symbol, Value> made;
    for (const NativeRow& row : kBuiltins) made[row.name] = make<Builtin>(std::string(row.name), row.function);
    for (const NativeRow& row : object_functions()) {
      if (row.name.find('.') == std::string_view::npos)
        made[row.name] = make<Builtin>(std::string(row.name), row.function);
    }
    for (const NativeRow& row : python_functions()) made[row.name] = make<Builtin>(std::string(row.name), row.function);
    made["__name__"] = make_str("__main__");
    made["Ellipsis"] = make<EllipsisObject>();
    made["NotImplemented"] = not_implemented();
    for (const std::string& name : exception_names()) made[name] = make<TypeObject>(name);
    for (const std::string_view name : kTypeNames) made[name] = make<TypeObject>(std::string(name));
    return made;
  }();
  return table;
}

}  // namespace

// What is made for a program: exit(); of some form, __file__ and __doc__ of a script, display() and get_ipython() of a
// notebook.
static const Value* name_of_program(Symbol name) {
  Interpreter& in = *Interpreter::current();
  const InterpreterOptions& options = in.options();
  Value made;
  const bool is_doc = name == "__doc__";
  if (is_doc && !options.doc.empty()) made = make_str(options.doc);
  if (name == "__file__" && !options.file.empty())
    made = in.call(library_function(in, "files", "in_folder"), {make_str(options.file)}, {});
  if (name == "exit" || name == "quit") made = library_function(in, "programs", "exit");
  if (options.is_notebook && (name == "display" || name == "get_ipython"))
    made = library_function(in, "display", name.text());
  if (made.is_none() && !is_doc) return nullptr;
  const Value kept = in.kept("names of the program"), key = make_str(std::string(name.text()));
  kept.as<Dict>()->set(key, made);
  return kept.as<Dict>()->find(key);
}

const Value* find_builtin(Symbol name) {
  const auto found = builtins().find(name);
  return found == builtins().end() ? name_of_program(name) : &found->second;
}

std::vector<std::string> builtin_names() {
  std::vector<std::string> names;
  for (const auto& item : builtins()) names.push_back(item.first.text());
  return names;
}

// int("ff", 16), int("0x1f", 0)
Value int_in_base(const CallArguments& arguments) {
  const Value base_value =
      arguments.positional.size() > 1 ? arguments.positional[1] : keyword(arguments, "base", Value(std::int64_t{10}));
  const Str* text = arguments.positional.at(0).as<Str>();
  if (!text) fail(Code::Type, arguments, "int() can't convert non-string with explicit base");
  const std::int64_t base = as_index(base_value).value_or(-1);
  if (base != 0 && (base < 2 || base > 36)) fail(Code::Value, arguments, "int() base must be >= 2 and <= 36, or 0");
  return read_int(*text, base, arguments);
}

Value construct(Interpreter& interpreter, const TypeObject& type, const CallArguments& arguments) {
  if (type.name == "int" && arguments.positional.size() + arguments.keywords.size() == 2) return int_in_base(arguments);
  if (Value made; construct_native(interpreter, type, arguments, made)) return made;
  if (type.name == "dict") return to_dict_value(interpreter, arguments);
  if (type.name == "bytes") return construct_bytes(interpreter, arguments);
  if (type.name == "str" && arguments.positional.size() > 1) return recoded(interpreter, arguments, "decode");
  if (Value made; construct_collection(interpreter, type, arguments, made)) return made;
  for (const TypeConversion& row : kTypeConversions) {
    if (row.name != type.name) continue;
    expect(arguments, type.name, row.empty ? 0 : 1, 1);
    return arguments.positional.empty() ? row.empty() : row.convert(interpreter, arguments.positional[0], arguments);
  }
  if (is_exception_name(type.name)) return make<ExceptionObject>(type.name, arguments.positional);
  if (type.name == "object") {
    thread_local const Ref<ClassObject> plain = [] {
      const OutsideHeap outside;
      Ref<ClassObject> made = make<ClassObject>();
      made->name = made->builtin = "object";
      return made;
    }();
    return make<Instance>(plain);
  }
  throw CellError(Code::Type, arguments.span, fmt::format("cannot create '{}' instances", type.name));
}

}  // namespace attn
