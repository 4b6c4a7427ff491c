#pragma once
// Are two tensors alike, and if not, where do they differ: in all, first, and along which slices not at all.
#include <cstdint>
#include <string>
#include <vector>

#include "tensor/core/tensor.h"

namespace attn {

/// |a - b| <= atol + rtol |b| for every element. RuntimeError when shapes do not broadcast or dtypes differ.
bool allclose(const Tensor& a, const Tensor& b, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false);
/// What allclose and isclose ask for before they look at elements; gives the shape to which both broadcast.
///   Errors: RuntimeError for two dtypes, a negative tolerance, shapes that do not broadcast, or that do not broadcast
///   to a's own with equal_nan, where PyTorch compares in place.
Shape require_comparable(const Tensor& a, const Tensor& b, double rtol, double atol, bool equal_nan);
/// Same shape, every element equal (NaN differs from itself).
bool equal(const Tensor& a, const Tensor& b);

/// Two tensors of one shape, element by element. Two elements agree within atol + rtol |b|; NaN agrees with NaN here.
struct Difference {
  bool same_shape = false;
  std::int64_t total = 0;
  std::int64_t differing = 0;
  Shape first;  // index of the first differing element; empty when none
  double first_a = 0, first_b = 0;
  double largest = 0;  // of |a - b| over elements where both are finite
  std::int64_t nan_a = 0, nan_b = 0;
  /// unharmed[axis] lists the indices along that axis whose whole slice agrees; only axes of size >= 2.
  std::vector<std::vector<std::int64_t>> unharmed;
};
Difference compare(const Tensor& a, const Tensor& b, double rtol = 1e-6, double atol = 1e-7);

/// The same for two tensors of one dtype, but only equal bits agree: 0.0 is not -0.0. NaN agrees with NaN.
Difference compare_bits(const Tensor& a, const Tensor& b);

}  // namespace attn
