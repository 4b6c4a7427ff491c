// The module `math`: functions of one number in a table, the others with a row and a short function each.
#include "python/modules/python_math.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/number.h"
#include "python/evaluator.h"
#include "python/exceptions.h"
#include "python/object_builtins.h"
#include "python/operators.h"
#include "text/unsupported.h"

namespace attn {
namespace {

/// Where a function of a finite number is infinite, either the result is too large (OverflowError) or there is none.
enum class Infinite { NoResult, TooLarge, NoResultUpToZero };

struct MathFunction {
  std::string_view name;
  double (*function)(double);
  Infinite infinite = Infinite::NoResult;
};
constexpr MathFunction kMath[] = {{"sqrt", std::sqrt},
                                  {"exp", std::exp, Infinite::TooLarge},
                                  {"sin", std::sin},
                                  {"cos", std::cos},
                                  {"tan", std::tan},
                                  {"tanh", std::tanh},
                                  {"log2", std::log2},
                                  {"log10", std::log10},
                                  {"fabs", std::fabs},
                                  {"atan", std::atan},
                                  {"asin", std::asin},
                                  {"acos", std::acos},
                                  {"erf", std::erf},
                                  {"cbrt", std::cbrt},
                                  {"sinh", std::sinh, Infinite::TooLarge},
                                  {"cosh", std::cosh, Infinite::TooLarge},
                                  {"asinh", std::asinh},
                                  {"acosh", std::acosh},
                                  {"atanh", std::atanh},
                                  {"erfc", std::erfc},
                                  {"log1p", std::log1p},
                                  {"expm1", std::expm1, Infinite::TooLarge},
                                  {"gamma", std::tgamma, Infinite::NoResultUpToZero},
                                  {"lgamma", std::lgamma, Infinite::NoResultUpToZero},
                                  {"degrees", [](double x) { return x * (180.0 / 3.141592653589793); }},
                                  {"radians", [](double x) { return x * (3.141592653589793 / 180.0); }}};

double real_of(const Value& value, Span span) {
  if (const auto number = as_real(value)) return *number;
  if (value.as<TensorObject>()) throw CellError(Code::Value, span, std::string(kNoScalar));
  throw CellError(Code::Type, span, fmt::format("must be real number, not {}", type_name(value)));
}

double real_argument(const CallArguments& arguments, std::size_t at) {
  return real_of(arguments.positional.at(at), arguments.span);
}

void expect_arguments(const CallArguments& arguments, std::string_view name, std::size_t least, std::size_t most) {
  const std::size_t given = arguments.positional.size();
  if (!arguments.keywords.empty())
    throw CellError(Code::Type, arguments.span, fmt::format("math.{}() takes no keyword arguments", name));
  if (given >= least && given <= most) return;
  if (least == 1 && most == 1)
    throw CellError(Code::Type, arguments.span,
                    fmt::format("math.{}() takes exactly one argument ({} given)", name, given));
  const bool too_few = given < least;
  throw CellError(Code::Type, arguments.span,
                  fmt::format("{} expected {}{} argument{}, got {}", name,
                              least == most ? ""
                              : too_few     ? "at least "
                                            : "at most ",
                              too_few ? least : most, (too_few ? least : most) == 1 ? "" : "s", given));
}

[[noreturn]] void fail_domain(Span span) { throw CellError(Code::Value, span, "math domain error"); }
[[noreturn]] void fail_range(Span span) { throw python_error("OverflowError", span, "math range error"); }

Value math_result(const MathFunction& row, double argument, Span span) {
  const double result = row.function(argument);
  if (std::isnan(result) && !std::isnan(argument)) fail_domain(span);
  if (std::isfinite(result) || !std::isfinite(argument)) return Value(result);
  const bool has_pole =
      row.infinite == Infinite::NoResult || (row.infinite == Infinite::NoResultUpToZero && argument <= 0);
  has_pole ? fail_domain(span) : fail_range(span);
}

Value math_log(Interpreter&, CallArguments& arguments) {
  if (!arguments.keywords.empty()) throw CellError(Code::Type, arguments.span, "log() takes no keyword arguments");
  if (arguments.positional.empty() || arguments.positional.size() > 2)
    throw CellError(Code::Type, arguments.span, "math.log requires 1 to 2 arguments");
  const double x = real_argument(arguments, 0);
  if (x <= 0) throw CellError(Code::Value, arguments.span, "math domain error");
  if (arguments.positional.size() == 1) return Value(std::log(x));
  const double base = real_argument(arguments, 1);
  if (base <= 0) fail_domain(arguments.span);
  if (base == 1) throw CellError(Code::ZeroDivision, arguments.span, "float division by zero");
  return Value(std::log(x) / std::log(base));
}

Value math_pow(Interpreter&, CallArguments& arguments) {
  const double base = real_argument(arguments, 0), exponent = real_argument(arguments, 1);
  const double result = std::pow(base, exponent);
  if (std::isfinite(result) || !std::isfinite(base) || !std::isfinite(exponent)) return Value(result);
  std::isnan(result) || base == 0 ? fail_domain(arguments.span) : fail_range(arguments.span);
}

bool is_inf(double x) { return std::isinf(x); }

template <double (*Round)(double)>
Value math_round(Interpreter&, CallArguments& arguments) {
  if (arguments.positional[0].as_int()) return arguments.positional[0];
  constexpr double (*kTrunc)(double) = std::trunc;
  if (Round == kTrunc && !as_real(arguments.positional[0]) && !arguments.positional[0].as<TensorObject>())
    throw CellError(Code::Type, arguments.span,
                    fmt::format("type {} doesn't define __trunc__ method", type_name(arguments.positional[0])));
  const double result = Round(real_argument(arguments, 0));
  if (std::isnan(result)) throw CellError(Code::Value, arguments.span, "cannot convert float NaN to integer");
  if (std::isinf(result))
    throw python_error("OverflowError", arguments.span, "cannot convert float infinity to integer");
  if (!(std::fabs(result) < 9e18)) throw unsupported(arguments.span, "unsupported.int");
  return Value(static_cast<std::int64_t>(result));
}

template <bool (*Test)(double)>
Value math_test(Interpreter&, CallArguments& arguments) {
  return Value(Test(real_argument(arguments, 0)));
}
bool is_nan(double x) { return std::isnan(x); }
bool is_finite(double x) { return std::isfinite(x); }

Value math_isclose(Interpreter&, CallArguments& arguments) {
  double rel_tol = 1e-9, abs_tol = 0;
  for (const auto& [name, value] : arguments.keywords) {
    if (name != "rel_tol" && name != "abs_tol")
      throw CellError(Code::Type, arguments.span,
                      fmt::format("'{}' is an invalid keyword argument for isclose()", name));
    (name == "rel_tol" ? rel_tol : abs_tol) = real_of(value, arguments.span);
  }
  if (arguments.positional.size() != 2)
    throw CellError(
        Code::Type, arguments.span,
        fmt::format("isclose() takes exactly 2 positional arguments ({} given)", arguments.positional.size()));
  const double a = real_argument(arguments, 0), b = real_argument(arguments, 1);
  if (rel_tol < 0 || abs_tol < 0) throw CellError(Code::Value, arguments.span, "tolerances must be non-negative");
  if (a != b && (std::isinf(a) || std::isinf(b))) return Value(false);
  return Value(a == b || std::fabs(a - b) <= std::max(rel_tol * std::max(std::fabs(a), std::fabs(b)), abs_tol));
}

Value math_prod(Interpreter& interpreter, CallArguments& arguments) {
  Value product(std::int64_t{1});
  for (const auto& [name, value] : arguments.keywords) {
    if (name != "start")
      throw CellError(Code::Type, arguments.span, fmt::format("'{}' is an invalid keyword argument for prod()", name));
    product = value;
  }
  if (arguments.positional.size() != 1)
    throw CellError(Code::Type, arguments.span,
                    fmt::format("prod() takes exactly 1 positional argument ({} given)", arguments.positional.size()));
  interpreter.for_each(arguments.positional[0], arguments.span, [&](const Value& factor) {
    const Span span = arguments.span;
    product = apply_binary(interpreter, BinaryOp::Mul, product, factor, {span, span, span});
    return true;
  });
  return product;
}

std::int64_t whole_argument(const CallArguments& arguments, std::size_t at) {
  const Value& value = arguments.positional.at(at);
  if (const auto number = as_index(value)) return *number;
  throw CellError(Code::Type, arguments.span,
                  fmt::format("'{}' object cannot be interpreted as an integer", type_name(value)));
}

Value math_gcd(Interpreter&, CallArguments& arguments) {
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < arguments.positional.size(); ++i) {
    const auto next = static_cast<std::uint64_t>(whole_argument(arguments, i));
    result = std::gcd(result, std::min(next, 0 - next));  // of the smallest int, too, what it is without its sign
  }
  if (result > INT64_MAX) throw unsupported(arguments.span, "unsupported.int");
  return Value(static_cast<std::int64_t>(result));
}

Value math_lcm(Interpreter&, CallArguments& arguments) {
  std::int64_t result = 1;
  for (std::size_t i = 0; i < arguments.positional.size(); ++i) {
    const std::int64_t next = whole_argument(arguments, i);
    if (next == INT64_MIN) throw unsupported(arguments.span, "unsupported.int");
    const auto product = next == 0 ? 0 : checked_mul(result, next / std::gcd(result, next));
    if (!product || *product == INT64_MIN) throw unsupported(arguments.span, "unsupported.int");
    result = *product < 0 ? -*product : *product;
  }
  return Value(result);
}

std::vector<double> reals(Interpreter& interpreter, const CallArguments& arguments, std::size_t at) {
  std::vector<double> out;
  interpreter.for_each(arguments.positional.at(at), arguments.span,
                       [&](const Value& item) { return out.push_back(real_of(item, arguments.span)), true; });
  return out;
}

double vector_length(const std::vector<double>& sides) {
  if (std::any_of(sides.begin(), sides.end(), is_inf)) return HUGE_VAL;
  if (sides.size() == 2) return std::hypot(sides[0], sides[1]);
  long double largest = 0, sum = 0;
  for (const double side : sides) largest = std::fmax(largest, std::fabs(static_cast<long double>(side)));
  if (largest == 0) return std::accumulate(sides.begin(), sides.end(), 0.0);  // nan stays nan
  for (const double side : sides) {
    look();
    sum += (side / largest) * (side / largest);
  }
  return static_cast<double>(largest * std::sqrt(sum));
}

Value math_hypot(Interpreter&, CallArguments& arguments) {
  std::vector<double> sides;
  for (std::size_t i = 0; i < arguments.positional.size(); ++i) sides.push_back(real_argument(arguments, i));
  return Value(vector_length(sides));
}

Value math_dist(Interpreter& interpreter, CallArguments& arguments) {
  std::vector<double> p = reals(interpreter, arguments, 0);
  const std::vector<double> q = reals(interpreter, arguments, 1);
  if (p.size() != q.size())
    throw CellError(Code::Value, arguments.span, "both points must have the same number of dimensions");
  for (std::size_t i = 0; i < p.size(); ++i) p[i] -= q[i];
  return Value(vector_length(p));
}

// The sum as if it were exact and rounded once: partial sums that do not overlap, the smallest first.
Value math_fsum(Interpreter& interpreter, CallArguments& arguments) {
  std::vector<double> parts;
  double special = 0;
  for (double x : reals(interpreter, arguments, 0)) {
    look();
    if (!std::isfinite(x)) {
      if (std::isinf(x) && std::isinf(special) && x != special)
        throw CellError(Code::Value, arguments.span, "-inf + inf in fsum");
      special += x;
      continue;
    }
    std::size_t kept = 0;
    for (double y : std::vector<double>(parts)) {
      if (std::fabs(x) < std::fabs(y)) std::swap(x, y);
      const double high = x + y, low = y - (high - x);
      if (low != 0) parts[kept++] = low;
      x = high;
    }
    if (std::isinf(x)) throw python_error("OverflowError", arguments.span, "intermediate overflow in fsum");
    parts.resize(kept);
    parts.push_back(x);
  }
  if (special != 0) return Value(special);
  double sum = 0;
  while (!parts.empty()) {
    const double x = sum, y = parts.back();
    parts.pop_back();
    sum = x + y;
    const double low = y - (sum - x);
    if (low == 0) continue;
    // Half a unit in the last place goes up where what is left over says so.
    const double doubled = low * 2, up = sum + doubled;
    if (!parts.empty() && (low < 0) == (parts.back() < 0) && doubled == up - sum) sum = up;
    break;
  }
  return Value(sum);
}

Value math_modf(Interpreter&, CallArguments& arguments) {
  double whole = 0;
  const double rest = std::modf(real_argument(arguments, 0), &whole);
  return make_tuple({Value(rest), Value(whole)});
}

Value math_frexp(Interpreter&, CallArguments& arguments) {
  int exponent = 0;
  const double x = real_argument(arguments, 0), mantissa = std::isfinite(x) ? std::frexp(x, &exponent) : x;
  return make_tuple({Value(mantissa), Value(std::int64_t{exponent})});
}

Value math_ldexp(Interpreter&, CallArguments& arguments) {
  const double x = real_argument(arguments, 0);
  if (!arguments.positional[1].as_int() && !arguments.positional[1].as_bool())
    throw CellError(Code::Type, arguments.span, "Expected an int as second argument to ldexp.");
  const double result =
      std::ldexp(x, static_cast<int>(std::clamp<std::int64_t>(*as_index(arguments.positional[1]), -5000, 5000)));
  if (std::isinf(result) && std::isfinite(x)) fail_range(arguments.span);
  return Value(result);
}

// n (n - 1) ... (n - count + 1), divided by count! where `divide` says so.
std::int64_t falling_product(std::int64_t n, std::int64_t count, bool divide, Span span) {
  std::int64_t result = 1;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t by = divide ? i + 1 : 1, common = std::gcd(result, by);
    const std::int64_t factor = divide ? n - count + 1 + i : n - i;
    const auto product = checked_mul(result / common, factor / (by / common));
    if (!product) throw unsupported(span, "unsupported.int");
    result = *product;
  }
  return result;
}

Value math_factorial(Interpreter&, CallArguments& arguments) {
  const std::int64_t n = whole_argument(arguments, 0);
  if (n < 0) throw CellError(Code::Value, arguments.span, "factorial() not defined for negative values");
  return Value(falling_product(n, n, false, arguments.span));
}

template <bool Divide>
Value math_choices(Interpreter& interpreter, CallArguments& arguments) {
  if (arguments.positional.size() == 1) return math_factorial(interpreter, arguments);  // all orders of all
  const std::int64_t n = whole_argument(arguments, 0), k = whole_argument(arguments, 1);
  if (n < 0) throw CellError(Code::Value, arguments.span, "n must be a non-negative integer");
  if (k < 0) throw CellError(Code::Value, arguments.span, "k must be a non-negative integer");
  if (k > n) return Value(std::int64_t{0});
  return Value(falling_product(n, Divide ? std::min(k, n - k) : k, Divide, arguments.span));
}

Value math_isqrt(Interpreter&, CallArguments& arguments) {
  const std::int64_t n = whole_argument(arguments, 0);
  if (n < 0) throw CellError(Code::Value, arguments.span, "isqrt() argument must be nonnegative");
  auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(n)));
  while (root > 0 && root > n / root) --root;
  while ((root + 1) <= n / (root + 1)) ++root;
  return Value(root);
}

template <double (*Function)(double, double)>
Value math_two(Interpreter&, CallArguments& arguments) {
  const double a = real_argument(arguments, 0), b = real_argument(arguments, 1), result = Function(a, b);
  if (std::isnan(result) && !std::isnan(a) && !std::isnan(b)) fail_domain(arguments.span);
  return Value(result);
}

// Where most < least the function looks at its arguments itself.
struct MathRow {
  std::string_view name;
  std::size_t least, most;  // arguments by position
  NativeFunction function;
};
constexpr std::size_t kAny = SIZE_MAX;

constexpr MathRow kMathOthers[] = {
    {"gcd", 0, kAny, math_gcd},
    {"lcm", 0, kAny, math_lcm},
    {"dist", 2, 2, math_dist},
    {"fsum", 1, 1, math_fsum},
    {"modf", 1, 1, math_modf},
    {"frexp", 1, 1, math_frexp},
    {"ldexp", 2, 2, math_ldexp},
    {"remainder", 2, 2, math_two<std::remainder>},
    {"factorial", 1, 1, math_factorial},
    {"comb", 2, 2, math_choices<true>},
    {"perm", 1, 2, math_choices<false>},
    {"isqrt", 1, 1, math_isqrt},
    {"atan2", 2, 2, math_two<std::atan2>},
    {"hypot", 0, kAny, math_hypot},
    {"copysign", 2, 2, math_two<std::copysign>},
    {"fmod", 2, 2, math_two<std::fmod>},
    {"log", 1, 0, math_log},
    {"pow", 2, 2, math_pow},
    {"floor", 1, 1, math_round<std::floor>},
    {"ceil", 1, 1, math_round<std::ceil>},
    {"trunc", 1, 1, math_round<std::trunc>},
    {"isnan", 1, 1, math_test<is_nan>},
    {"isinf", 1, 1, math_test<is_inf>},
    {"isfinite", 1, 1, math_test<is_finite>},
    {"isclose", 1, 0, math_isclose},
    {"prod", 1, 0, math_prod},
};

}  // namespace

bool math_member(const std::string& name, Value& out) {
  for (const MathFunction& row : kMath) {
    if (row.name != name) continue;
    auto native = [row](Interpreter&, CallArguments& arguments) {
      expect_arguments(arguments, row.name, 1, 1);
      return math_result(row, real_argument(arguments, 0), arguments.span);
    };
    out = make<Builtin>(name, native);
    return true;
  }
  for (const MathRow& row : kMathOthers) {
    if (row.name != name) continue;
    out = make<Builtin>(name, [row](Interpreter& interpreter, CallArguments& arguments) {
      if (row.least <= row.most) expect_arguments(arguments, row.name, row.least, row.most);
      return row.function(interpreter, arguments);
    });
    return true;
  }
  return false;
}

std::vector<std::string> math_names() {
  std::vector<std::string> names;
  for (const MathFunction& row : kMath) names.emplace_back(row.name);
  for (const MathRow& row : kMathOthers) names.emplace_back(row.name);
  return names;
}

}  // namespace attn
