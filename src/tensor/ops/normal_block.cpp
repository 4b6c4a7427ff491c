// Box-Muller over a block of 16. PyTorch on x86-64 computes float blocks with AVX2, using logarithm, sine and cosine
// from single-precision polynomials; every rounding below is one of that code, so std::fma stands where it fuses.
//
// Credit: the polynomials are those of Cephes (Stephen L. Moshier). The order of operations is that of avx_mathfun.h in
// PyTorch (Julien Pommier; AVX version by Giovanni Garberoglio; zlib licence). Rewritten here one lane at a time.
#include "tensor/ops/normal_block.h"

#include <bit>
#include <cmath>
#include <numbers>
#include <span>

namespace attn {
namespace {

constexpr float kLogTerms[] = {7.0376836292e-2F,  -1.1514610310e-1F, 1.1676998740e-1F,
                               -1.2420140846e-1F, 1.4249322787e-1F,  -1.6668057665e-1F,
                               2.0000714765e-1F,  -2.4999993993e-1F, 3.3333331174e-1F};
constexpr float kCosTerms[] = {2.443315711809948e-5F, -1.388731625493765e-3F, 4.166664568298827e-2F};
constexpr float kSinTerms[] = {-1.9515295891e-4F, 8.3321608736e-3F, -1.6666654611e-1F};

float horner(float x, std::span<const float> terms) {
  float y = terms[0];
  for (const float term : terms.subspan(1)) y = std::fma(y, x, term);
  return y;
}

// x = m 2^e with m in [sqrt(1/2), sqrt(2)). x is a normal number in (0, 1].
float cephes_log(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  float m = std::bit_cast<float>((bits & 0x007FFFFFU) | 0x3F000000U);
  float e = static_cast<float>(static_cast<int>(bits >> 23) - 126);
  if (m < 0.707106781186547524F) {
    e -= 1.0F;
    m = (m - 1.0F) + m;
  } else {
    m -= 1.0F;
  }
  const float z = m * m;
  float y = horner(m, kLogTerms) * m;
  y = std::fma(y, z, e * -2.12194440e-4F);
  y = std::fma(-0.5F, z, y);
  return std::fma(e, 0.693359375F, m + y);
}

struct SinCos {
  float sin, cos;
};

// x >= 0. j counts octants, rounded up to even; pi/4 is taken off in three parts so that the rest is exact enough.
SinCos cephes_sincos(float x) {
  const unsigned j = (static_cast<unsigned>(x * 1.27323954473516F) + 1U) & ~1U;
  const float octants = static_cast<float>(j);
  float r = std::fma(octants, -0.78515625F, x);
  r = std::fma(octants, -2.4187564849853515625e-4F, r);
  r = std::fma(octants, -3.77489497744594108e-8F, r);
  const float z = r * r;
  const float cosine = std::fma(horner(z, kCosTerms) * z, z, -(z * 0.5F)) + 1.0F;
  const float sine = std::fma(horner(z, kSinTerms) * z, r, r);
  const bool swapped = (j & 2U) != 0;
  const float s = swapped ? cosine : sine;
  const float c = swapped ? sine : cosine;
  return {(j & 4U) != 0 ? -s : s, ((j - 2U) & 4U) == 0 ? -c : c};
}

}  // namespace

void normal_block(float* block, float mean, float std) {
  for (int j = 0; j < 8; ++j) {
    const float radius = std::sqrt(-2.0F * cephes_log(1.0F - block[j]));
    const SinCos angle = cephes_sincos(block[j + 8] * (2.0F * std::numbers::pi_v<float>));
    block[j] = std::fma(radius * angle.cos, std, mean);
    block[j + 8] = std::fma(radius * angle.sin, std, mean);
  }
}

void normal_block(double* block, double mean, double std) {
  for (int j = 0; j < 8; ++j) {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - block[j]));
    const double angle = 2.0 * std::numbers::pi * block[j + 8];
    block[j] = std::fma(radius * std::cos(angle), std, mean);
    block[j + 8] = std::fma(radius * std::sin(angle), std, mean);
  }
}

}  // namespace attn
