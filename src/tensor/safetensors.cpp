#include "tensor/safetensors.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tensor/layout.h"
#include "tensor/safetensors_header.h"

namespace attn {
namespace {

constexpr std::size_t kAlignment = 8;

std::string little_endian(std::uint64_t number, std::int64_t size = 8) {
  std::string bytes;
  for (int i = 0; i < size; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xff);
  return bytes;
}

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
void put_narrow(T number, DType dtype, std::string& data) {
  if constexpr (std::is_same_v<T, std::int64_t>) {
    data += little_endian(static_cast<std::uint64_t>(number), size_of(dtype));
  } else if constexpr (std::is_same_v<T, float>) {
    const bool half = dtype == DType::Float16;
    const std::uint32_t bits = std::isnan(number) ? 0x7fc00000u : std::bit_cast<std::uint32_t>(number);
    data += little_endian(half ? half_bits(number) : bits >> 16, 2);
  }
}

/// Processors differ in the sign of the NaN that they make; the file does not.
template <class T>
void put_one_nan(std::string& data, std::size_t at) {
  const T nan = std::numeric_limits<T>::quiet_NaN();
  for (; at < data.size(); at += sizeof(T)) {
    T number;
    std::memcpy(&number, &data[at], sizeof number);
    if (std::isnan(number)) std::memcpy(&data[at], &nan, sizeof nan);
  }
}

}  // namespace

std::string safetensors_bytes(const NamedTensors& tensors,
                              const std::vector<std::pair<std::string, std::string>>& metadata) {
  nlohmann::ordered_json header;
  for (const auto& [key, text] : metadata) header["__metadata__"][key] = text;
  std::string data;
  for (const auto& [name, tensor] : tensors) {
    if (header.contains(name)) throw std::invalid_argument("two tensors are called " + name);
    const Tensor whole = contiguous(tensor);
    const std::size_t begin = data.size();
    dispatch(whole.dtype(), [&]<class T>(T) {
      if (is_narrow(whole.dtype())) {
        for (std::int64_t i = 0; i < whole.numel(); ++i) put_narrow(whole.data<T>()[i], whole.dtype(), data);
        return;
      }
      const std::size_t at = data.size();
      data.append(reinterpret_cast<const char*>(whole.data<T>()), static_cast<std::size_t>(whole.numel()) * sizeof(T));
      if constexpr (std::is_floating_point_v<T>) put_one_nan<T>(data, at);
    });
    header[name] = {
        {"dtype", safetensors_type(whole.dtype())}, {"shape", whole.shape()}, {"data_offsets", {begin, data.size()}}};
  }
  std::string text = header.is_null() ? "{}" : header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  text.append((kAlignment - text.size() % kAlignment) % kAlignment, ' ');
  return little_endian(text.size()) + text + data;
}

}  // namespace attn
