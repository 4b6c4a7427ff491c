#include "tensor/kernels/versioned/softmax.h"

#include "tensor/kernels/versioned/row.h"
#include "tensor/ops/math_functions.h"

namespace attn::ATTN_LEVEL {
namespace {

// Short rows are those that somebody may look at: their numbers are computed in double and rounded once.
constexpr std::int64_t kLongRow = 256;

void softmax_short_row(const float* x, float* out, std::int64_t n) {
  float top = kLowest;
  for (std::int64_t i = 0; i < n; ++i) top = x[i] > top ? x[i] : top;
  const double shift = static_cast<double>(top);
  for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<float>(math::exp(static_cast<double>(x[i]) - shift));
  double sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += static_cast<double>(out[i]);
  for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<float>(static_cast<double>(out[i]) / sum);
}

}  // namespace

void softmax_row(const float* x, float* out, std::int64_t n) {
  if (n < kLongRow) return softmax_short_row(x, out, n);
  const double sum = exponentials(x, n, 1.0F, largest(x, n), out);
  scale(out, n, static_cast<float>(1.0 / sum));
}

}  // namespace attn::ATTN_LEVEL
