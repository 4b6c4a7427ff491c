#pragma once
// What softmax does with one row of float32, several elements at a time: the largest element, the exponentials and
// their sum. A sum is kept in 64 parts, element i in part i % 64, whatever the width of the processor's vectors: so the
// bits are the same at every level.
#include <limits>

#include "tensor/kernels/versioned/vector.h"

namespace attn::ATTN_LEVEL {

using Floats [[gnu::vector_size(kVectorBytes)]] = float;
using Ints [[gnu::vector_size(kVectorBytes)]] = int;

inline constexpr int kWidth = kVectorBytes / sizeof(float);
inline constexpr int kParts = 64;
inline constexpr int kVectors = kParts / kWidth;
inline constexpr float kLowest = -std::numeric_limits<float>::infinity();

inline Floats load(const float* from) {
  Floats value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}
inline void store(float* to, Floats value) { __builtin_memcpy(to, &value, sizeof value); }

/// exp(x) for x <= 0 to about one unit in the last place; what would be subnormal is 0. NaN stays NaN.
/// x = k ln 2 + r; ln 2 has two parts, of which the first times k is exact. The polynomial is that of Cephes' expf.
inline Floats exp_of_negative(Floats x) {
  constexpr float kRounder = 0x1.8p23F;  // as in math_functions.h
  const Floats low = x < -87.0F ? Floats{} - 87.0F : x;
  const Floats shifted = low * 1.44269504F + kRounder;
  const Floats k = shifted - kRounder;
  const Floats r = (low - k * 0.693359375F) - k * -2.12194440e-4F;
  Floats p = r * 1.9875691500e-4F + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * r * r + r + 1.0F;
  const Floats result = (Floats)((Ints)p + ((Ints)shifted << 23));  // times 2^k
  return x < -87.0F ? Floats{} : x == x ? result : x;
}

/// Calls f(vectors of 64 elements, where they stand, how many are of the row) for the whole row; the last ones are
/// filled up with `filling`.
template <class F>
inline void for_each_part(const float* x, std::int64_t n, float filling, F&& f) {
  std::int64_t i = 0;
  for (; i + kParts <= n; i += kParts) f(x + i, i, kParts);
  if (i == n) return;
  float rest[kParts];
  for (int j = 0; j < kParts; ++j) rest[j] = i + j < n ? x[i + j] : filling;
  f(rest, i, static_cast<int>(n - i));
}

/// The largest of x[0 .. n) and -infinity. NaN is passed over.
inline float largest(const float* x, std::int64_t n) {
  Floats best[kVectors];
  for (Floats& b : best) b = Floats{} + kLowest;
  for_each_part(x, n, kLowest, [&](const float* part, std::int64_t, int) {
    for (int v = 0; v < kVectors; ++v) {
      const Floats value = load(part + v * kWidth);
      best[v] = value > best[v] ? value : best[v];
    }
  });
  float result = kLowest;
  for (const Floats& b : best)
    for (int lane = 0; lane < kWidth; ++lane) result = b[lane] > result ? b[lane] : result;
  return result;
}

/// out = exp(factor * x - top) for top no less than any factor * x; gives the sum. `out` may be x.
inline double exponentials(const float* x, std::int64_t n, float factor, float top, float* out) {
  Floats sums[kVectors] = {};
  for_each_part(x, n, kLowest, [&](const float* part, std::int64_t at, int count) {
    float values[kParts];
    float* const to = count == kParts ? out + at : values;
    for (int v = 0; v < kVectors; ++v) {
      const Floats value = exp_of_negative(factor * load(part + v * kWidth) - top);
      sums[v] += value;
      store(to + v * kWidth, value);
    }
    if (count != kParts) __builtin_memcpy(out + at, values, static_cast<std::size_t>(count) * sizeof(float));
  });
  double sum = 0;
  for (const Floats& s : sums)
    for (int lane = 0; lane < kWidth; ++lane) sum += static_cast<double>(s[lane]);
  return sum;
}

/// x *= factor.
inline void scale(float* x, std::int64_t n, float factor) {
  for (std::int64_t i = 0; i < n; ++i) x[i] *= factor;
}

}  // namespace attn::ATTN_LEVEL
