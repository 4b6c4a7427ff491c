#include "explain/numbers.h"

#include <algorithm>
#include <cmath>

#include "base/number.h"
#include "tensor/core/read.h"

namespace attn {
namespace {

constexpr int kDecimals = 4;
constexpr int kExceptionDigits = 3;
constexpr double kLeast = 0.5e-4, kLargest = 1e4;  // beyond, 4 decimals would say too little or take too much room
constexpr double kTiny = 0.01;                     // where even the largest is below, all have exponents

}  // namespace

TableNumbers::TableNumbers(const Tensor& x) : format_(x) {
  exponent_ = is_floating(x.dtype()) && format_(1.0).find('e') != std::string::npos;
  if (!exponent_) return;
  const Statistics numbers = statistics(x);
  fixed_ = std::max(std::fabs(numbers.min), std::fabs(numbers.max)) >= kTiny;
  exponent_ = !fixed_;
}

TableNumbers::Mode TableNumbers::mode() const {
  if (fixed_) return Mode::Decimals;
  if (exponent_) return Mode::Exponent;
  return format_(1.0) == "1." ? Mode::Whole : Mode::Fixed;
}

std::string TableNumbers::in_decimals(double value) const {
  const double size = std::fabs(value);
  const bool is_exception = std::isfinite(size) && size != 0 && (size < kLeast || size >= kLargest);
  return is_exception ? format_general(value, kExceptionDigits) : format_fixed(value, kDecimals);
}

std::string TableNumbers::operator()(const Tensor& x, std::int64_t element) const {
  return fixed_ ? in_decimals(to_double(element_at(x, element))) : format_(x, element);
}

std::string TableNumbers::operator()(double value) const { return fixed_ ? in_decimals(value) : format_(value); }

std::string TableNumbers::beside(double value) const {
  return exponent_ ? format_exponent(value, kDecimals) : in_decimals(value);
}

}  // namespace attn
