#pragma once
// Numbers as Python writes them, and integer arithmetic that says when it overflows.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace attn {

/// repr(float): the shortest digits that read back equal, "1e-05", "inf", "nan", "2.0".
std::string python_repr(double value);

/// The number that the shortest digits of a float32 say: 0.1 for the float32 that is next to it.
double shortest_as_float(double value);
/// The shortest digits of a finite float32 without an exponent: "0.1".
std::string fixed_repr(float value);

/// '%.*f', '%.*e' and '%.*g' of C in the C locale, with Python's spelling of inf and nan.
std::string format_fixed(double value, int precision);
std::string format_exponent(double value, int precision);
std::string format_general(double value, int precision);

/// Locale-independent strtod of the whole text; empty when it is no number.
std::optional<double> parse_double(std::string_view text);
std::optional<std::int64_t> parse_int(std::string_view text);

std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b);
std::optional<std::int64_t> checked_sub(std::int64_t a, std::int64_t b);
std::optional<std::int64_t> checked_mul(std::int64_t a, std::int64_t b);

/// Python's // and %: towards minus infinity, the remainder has the sign of the divisor. b must not be 0;
/// the smallest integer by -1 wraps.
std::int64_t floor_div(std::int64_t a, std::int64_t b);
std::int64_t floor_mod(std::int64_t a, std::int64_t b);

}  // namespace attn
