// Writing elements as files store them.
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "tensor/io/stored_elements.h"
#include "tensor/layout.h"

namespace attn {
namespace {

/// The bits of a float16 that the number is already rounded to.
std::uint16_t half_bits(float number) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  if (std::isnan(number)) return 0x7e00u;
  if (std::isinf(number)) return static_cast<std::uint16_t>(sign | 0x7c00u);
  int exponent = 0;
  const float fraction = std::frexp(std::fabs(number), &exponent);  // 0.5 <= fraction < 1
  if (fraction == 0.0f) return static_cast<std::uint16_t>(sign);
  // Below 2^-14 the exponent stays and the fraction gets shorter.
  const int place = std::max(exponent, -13);
  const auto digits = static_cast<std::uint32_t>(std::ldexp(fraction, exponent - place + 11));
  const auto biased = static_cast<std::uint32_t>(exponent < -13 ? 0 : place + 14);
  return static_cast<std::uint16_t>(sign | biased << 10 | (digits & 0x3ffu));
}

/// In memory narrow types lie as their wide ones.
template <class T>
void put_narrow(T number, DType dtype, std::string& bytes) {
  std::uint64_t bits = 0;
  if constexpr (std::is_same_v<T, std::int64_t>) {
    bits = static_cast<std::uint64_t>(number);
  } else if constexpr (std::is_same_v<T, float>) {
    const bool half = dtype == DType::Float16;
    const std::uint32_t wide = std::isnan(number) ? 0x7fc00000u : std::bit_cast<std::uint32_t>(number);
    bits = half ? half_bits(number) : wide >> 16;
  }
  for (int i = 0; i < size_of(dtype); ++i) bytes += static_cast<char>(bits >> (8 * i) & 0xff);
}

/// Processors differ in the sign of the NaN that they make; the file does not.
template <class T>
void put_one_nan(std::string& bytes) {
  const T nan = std::numeric_limits<T>::quiet_NaN();
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(T)) {
    T number;
    std::memcpy(&number, &bytes[at], sizeof number);
    if (std::isnan(number)) std::memcpy(&bytes[at], &nan, sizeof nan);
  }
}

}  // namespace

std::string element_bytes(const Tensor& x) {
  const Tensor whole = contiguous(x);
  std::string bytes;
  dispatch(whole.dtype(), [&]<class T>(T) {
    if (is_narrow(whole.dtype())) {
      for (std::int64_t i = 0; i < whole.numel(); ++i) put_narrow(whole.data<T>()[i], whole.dtype(), bytes);
      return;
    }
    bytes.assign(reinterpret_cast<const char*>(whole.data<T>()), static_cast<std::size_t>(whole.numel()) * sizeof(T));
    if constexpr (std::is_floating_point_v<T>) put_one_nan<T>(bytes);
  });
  return bytes;
}

}  // namespace attn
