#include "lang/python_hash.h"

#include <bit>
#include <cmath>

#include "base/limits.h"

namespace attn {
namespace {

constexpr int kBits = 61;
constexpr std::uint64_t kModulus = (std::uint64_t{1} << kBits) - 1;  // numbers are hashed modulo this prime

// -1 means an error to CPython.
std::int64_t never_minus_one(std::int64_t hash) { return hash == -1 ? -2 : hash; }

std::int64_t hash_of(std::int64_t value) { return never_minus_one(value % static_cast<std::int64_t>(kModulus)); }

std::uint64_t rotated(std::uint64_t x, int by) { return by == 0 ? x : ((x << by) & kModulus) | x >> (kBits - by); }

// The value of the fraction modulo the prime, so that whole floats hash as the ints they equal.
std::optional<std::int64_t> hash_of(double value) {
  constexpr int kStep = 28;
  constexpr std::int64_t kInfinite = 314159;
  if (std::isnan(value)) return std::nullopt;
  if (std::isinf(value)) return value > 0 ? kInfinite : -kInfinite;
  int exponent = 0;
  double mantissa = std::frexp(std::fabs(value), &exponent);
  std::uint64_t x = 0;
  while (mantissa != 0) {
    mantissa = std::ldexp(mantissa, kStep);
    exponent -= kStep;
    const auto digits = static_cast<std::uint64_t>(mantissa);
    mantissa -= static_cast<double>(digits);
    x = (rotated(x, kStep) + digits) % kModulus;
  }
  const int turn = ((exponent % kBits) + kBits) % kBits;
  const auto hash = static_cast<std::int64_t>(rotated(x, turn));
  return never_minus_one(value < 0 ? -hash : hash);
}

// xxHash without its last mixing.
std::optional<std::int64_t> hash_of(const Tuple& tuple) {
  constexpr std::uint64_t kPrime1 = 11400714785074694791u, kPrime2 = 14029467366897019727u,
                          kPrime5 = 2870177450012600261u;
  std::uint64_t sum = kPrime5;
  for (const Value& item : tuple.items) {
    const auto hash = python_hash(item);
    if (!hash) return std::nullopt;
    sum = std::rotl(sum + static_cast<std::uint64_t>(*hash) * kPrime2, 31) * kPrime1;
  }
  sum += tuple.items.size() ^ (kPrime5 ^ 3527539u);
  return sum == UINT64_MAX ? 1546275796 : static_cast<std::int64_t>(sum);
}

}  // namespace

std::optional<std::int64_t> python_hash(const Value& value) {
  check_stack();
  if (const bool* flag = value.as_bool()) return *flag;
  if (const Int* number = value.as_int()) return hash_of(number->value);
  if (const double* number = value.as_float()) return hash_of(*number);
  if (const Tuple* tuple = value.as<Tuple>()) return hash_of(*tuple);
  return std::nullopt;
}

}  // namespace attn
