// Softmax and its logarithm of one row, with the bits of PyTorch where vectors have 8 float32 (docs/numbers.md).
#include "tensor/kernels/versioned/softmax.h"

#include "tensor/ops/math_functions.h"

namespace attn::ATTN_LEVEL {
namespace {

constexpr std::int64_t kLanes = 8;

/// f over a row: lane k takes the elements k, k + 8, ..., then the lanes are folded in halves. Rows shorter than the
/// vector go from left to right.
template <class F>
float reduce(const float* x, std::int64_t n, F f) {
  float lanes[kLanes];
  if (n < kLanes) {
    float result = x[0];
    for (std::int64_t i = 1; i < n; ++i) result = f(result, x[i]);
    return result;
  }
  for (std::int64_t k = 0; k < kLanes; ++k) lanes[k] = x[k];
  std::int64_t i = kLanes;
  for (; i + kLanes <= n; i += kLanes)
    for (std::int64_t k = 0; k < kLanes; ++k) lanes[k] = f(lanes[k], x[i + k]);
  for (std::int64_t k = 0; i + k < n; ++k) lanes[k] = f(lanes[k], x[i + k]);
  for (std::int64_t half = kLanes / 2; half > 0; half /= 2)
    for (std::int64_t k = 0; k < half; ++k) lanes[k] = f(lanes[k], lanes[k + half]);
  return lanes[0];
}

/// NaN is passed over: it comes back by the sum.
float largest(const float* x, std::int64_t n) {
  return reduce(x, n, [](float a, float b) { return b > a ? b : a; });
}

/// out = exp(x - top); gives the sum.
float exponentials(const float* x, float top, float* out, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = math::exp_of_float(x[i] - top);
  return reduce(out, n, [](float a, float b) { return a + b; });
}

}  // namespace

void softmax_row(const float* x, float* out, std::int64_t n) {
  const float factor = 1.0F / exponentials(x, largest(x, n), out, n);
  for (std::int64_t i = 0; i < n; ++i) out[i] *= factor;
}

void log_softmax_row(const float* x, float* out, std::int64_t n) {
  const float top = largest(x, n);
  const auto log = static_cast<float>(math::log(static_cast<double>(exponentials(x, top, out, n))));
  for (std::int64_t i = 0; i < n; ++i) out[i] = x[i] - top - log;
}

}  // namespace attn::ATTN_LEVEL
