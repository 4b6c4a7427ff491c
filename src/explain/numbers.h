#pragma once
// How single numbers of a tensor are written in tables, in every view alike.
#include <string>

#include "tensor/core/print.h"

namespace attn {

/// PyTorch's choice for the tensor (see NumberFormat), with one exception. PyTorch writes every number with an exponent
/// as soon as two of them differ by a factor of 1000; here, unless all are tiny, usual numbers keep 4 decimals and only
/// the others have exponents: "0.1910", "-1e+10", "3.12e-07". So only 0 looks like 0.
/// Made once per tensor; scans it.
class TableNumbers {
 public:
  explicit TableNumbers(const Tensor& x);

  /// How floats are written, for code that writes them elsewhere: as "1.", with 4 decimals, the same but for very small
  /// and large ones, with an exponent.
  enum class Mode { Whole, Fixed, Decimals, Exponent };
  Mode mode() const;

  /// The element with that row-major number.
  std::string operator()(const Tensor& x, std::int64_t element) const;
  std::string operator()(double value) const;
  /// A number that is not in the tensor, such as its mean: never "2." for 2.4.
  std::string beside(double value) const;

 private:
  std::string in_decimals(double value) const;

  NumberFormat format_;
  bool fixed_ = false;
  bool exponent_ = false;
};

}  // namespace attn
