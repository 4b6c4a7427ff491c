#pragma once
// Functions of one number at this level: see kernels.h. Each is computed in double and rounded once, but for those
// whose digits PyTorch loses on the way: they take its steps.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "tensor/kernels/level_namespace.h"
#include "tensor/ops/math_functions.h"

namespace attn::ATTN_LEVEL {

struct Log {
  static double of(double v) { return math::log(v); }
};
struct Tanh {
  static double of(double v) { return math::tanh(v); }
};
struct Sigmoid {
  static double of(double v) { return math::sigmoid(v); }
};
inline float exact_exp(float v) {
  const double power = math::exp(static_cast<double>(v));
  return power > 0x1.fffffep127 ? std::numeric_limits<float>::infinity() : static_cast<float>(power);
}

/// PyTorch keeps exp(-x) and 1 + exp(-x) in float32: infinite below -88.7, which gives 0, and 1 above 16.7.
struct SigmoidOfFloat {
  static float of(float v) { return 1.0F / (1.0F + math::exp_of_float(-v)); }
  static float last(float v) { return 1.0F / (1.0F + exact_exp(-v)); }
};
struct Erf {
  static double of(double v) { return math::erf(v); }
};
struct Gelu {
  static double of(double v) { return v * 0.5 * (1.0 + math::erf(v * (std::numbers::sqrt2 / 2))); }
};
/// PyTorch hands gelu of float32 to oneDNN, which has an exp of its own and an erf (Abramowitz and Stegun 7.1.26) that
/// has few digits far below 0. These are its steps on a processor with AVX2.
struct GeluOfFloat {
  static float of(float v) {
    const float half = v * 0.5F;
    return std::fma(Parts(v).erf, half, half);
  }
  static float slope(float v) {
    constexpr float kOneBySqrtPi = 0.564189554F;
    const Parts parts(v);
    return std::fma(0.5F, parts.erf, (v * kOneBySqrt2) * kOneBySqrtPi * parts.exp + 0.5F);
  }

 private:
  static constexpr float kOneBySqrt2 = 0.707106769F;
  struct Parts {  // of v / sqrt(2): exp of its negative square, and erf
    explicit Parts(float v) {
      const float x = v * kOneBySqrt2;
      const float t = 1.0F / std::fma(0.3275911F, std::fabs(x), 1.0F);
      float r = std::fma(1.061405429F, t, -1.453152027F);
      r = std::fma(r, t, 1.421413741F);
      r = std::fma(r, t, -0.284496736F);
      r = std::fma(r, t, 0.254829592F);
      exp = exp_below_zero(-(x * x));
      const float size = std::fma(-exp * t, r, 1.0F);
      erf = std::signbit(x) ? -size : size;
    }
    float exp, erf;
  };
  static float exp_below_zero(float x) {
    constexpr float kLeast = -87.3365479F;
    const float within = x < kLeast ? kLeast : x;
    const float k = std::floor(std::fma(within, 1.44269502F, 0.5F));
    const float r = std::fma(-k, 0.693147182F, within);
    float p = std::fma(0.00828929059F, r, 0.0418978221F);
    p = std::fma(p, r, 0.166676521F);
    p = std::fma(p, r, 0.499991506F);
    p = std::fma(p, r, 0.999999701F);
    p = std::fma(p, r, 1.0F);
    const auto power = static_cast<std::int32_t>(k == k ? k : 0.0F);
    return p * std::bit_cast<float>((power + 126) << 23) * 2.0F;
  }
};
struct GeluSlope {
  static double of(double v) {
    const double share = 0.5 * (1.0 + math::erf(v * (std::numbers::sqrt2 / 2)));
    return share + v * math::exp(-0.5 * v * v) * (std::numbers::inv_sqrtpi / std::numbers::sqrt2);
  }
};
struct GeluSlopeOfFloat {
  static float of(float v) { return GeluOfFloat::slope(v); }
};
struct GeluTanhOfFloat {
  static float of(float v) {
    constexpr float kBeta = static_cast<float>(std::numbers::sqrt2 * std::numbers::inv_sqrtpi);
    const float inner = kBeta * std::fma(0.044715F, v * v * v, v);
    return 0.5F * v * (1.0F + static_cast<float>(math::tanh(static_cast<double>(inner))));
  }
};
struct SiluOfFloat {
  static float of(float v) { return v / (1.0F + math::exp_of_float(-v)); }
  static float last(float v) { return v / (1.0F + exact_exp(-v)); }
};
struct GeluTanh {
  static double of(double v) {
    constexpr double kBeta = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;  // sqrt(2 / pi)
    return 0.5 * v * (1.0 + math::tanh(kBeta * (v + 0.044715 * v * v * v)));
  }
};
struct Silu {
  static double of(double v) { return v / (1.0 + math::exp(-v)); }
};

template <class Function, class T>
void map(const T* x, T* out, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<T>(Function::of(static_cast<double>(x[i])));
}

/// PyTorch works in blocks of 16. What is left after the last whole block goes through the exp of C there, and in
/// last() here.
template <class Function>
void map_floats(const float* x, float* out, std::int64_t n) {
  constexpr bool kEndsOtherwise = requires { Function::last(0.0F); };
  const std::int64_t whole = kEndsOtherwise ? n - n % 16 : n;
  for (std::int64_t i = 0; i < whole; ++i) out[i] = Function::of(x[i]);
  if constexpr (kEndsOtherwise)
    for (std::int64_t i = whole; i < n; ++i) out[i] = Function::last(x[i]);
}

inline void exponentials(const float* x, float* out, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = math::exp_of_float(x[i]);
}
inline void exponentials(const double* x, double* out, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = math::exp(x[i]);
}

}  // namespace attn::ATTN_LEVEL
