#include "tensor/io/stored_elements.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "tensor/core/work.h"
#include "tensor/io/bad_file.h"
#include "tensor/ops/layout.h"
#include "text/say.h"

namespace attn {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are copied as they lie in the file");

// ---- reading ----

/// A run of stored elements.
struct Block {
  const BytesAt& file;
  std::uint64_t offset;  // in the file
  const std::byte* bytes;
  std::int64_t count;
};

template <class Stored>
Stored element(const Block& block, std::int64_t i) {
  Stored value;
  std::memcpy(&value, block.bytes + static_cast<std::size_t>(i) * sizeof value, sizeof value);
  return value;
}

float from_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
  const float sign = bits & 0x8000 ? -1.0F : 1.0F;
  if (exponent == 31)
    return sign * (fraction ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity());
  // Below 2^-14 there is no leading 1.
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
  return sign * std::ldexp(static_cast<float>(fraction | 0x400), exponent - 25);
}

float from_bfloat16(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

template <class Stored>
void widen(const Block& block, std::int64_t* out) {
  for (std::int64_t i = 0; i < block.count; ++i) out[i] = std::int64_t{element<Stored>(block, i)};
}

void put(const Block& block, DType, bool* out) {
  for (std::int64_t i = 0; i < block.count; ++i) {
    const auto value = element<std::uint8_t>(block, i);
    if (value > 1)
      throw BadFile(block.file.name(),
                    say("bad_file.bool", {{"byte", std::to_string(block.offset + static_cast<std::uint64_t>(i))},
                                          {"value", std::to_string(value)}}));
    out[i] = value != 0;
  }
}

void put(const Block& block, DType dtype, std::int64_t* out) {
  switch (dtype) {
    case DType::UInt8: return widen<std::uint8_t>(block, out);
    case DType::Int8: return widen<std::int8_t>(block, out);
    case DType::Int16: return widen<std::int16_t>(block, out);
    case DType::UInt16: return widen<std::uint16_t>(block, out);
    case DType::Int32: return widen<std::int32_t>(block, out);
    case DType::UInt32: return widen<std::uint32_t>(block, out);
    default: return widen<std::int64_t>(block, out);
  }
}

void put(const Block& block, DType dtype, float* out) {
  if (dtype == DType::Float32) {
    std::memcpy(out, block.bytes, static_cast<std::size_t>(block.count) * sizeof *out);
    return;
  }
  const auto decode = dtype == DType::Float16 ? from_half : from_bfloat16;
  for (std::int64_t i = 0; i < block.count; ++i) out[i] = decode(element<std::uint16_t>(block, i));
}

void put(const Block& block, DType, double* out) {
  std::memcpy(out, block.bytes, static_cast<std::size_t>(block.count) * sizeof *out);
}

void read_into(std::byte* to, std::int64_t numel, const BytesAt& bytes, std::uint64_t offset, DType dtype) {
  const std::int64_t size = size_of(dtype);
  std::vector<std::byte> stored(static_cast<std::size_t>(std::min(numel, kWorkChunk) * size));
  dispatch(dtype, [&]<class T>(T) {
    T* out = reinterpret_cast<T*>(to);
    in_chunks(numel, [&](std::int64_t begin, std::int64_t end) {
      const std::uint64_t at = offset + static_cast<std::uint64_t>(begin * size);
      bytes.read_at(at, std::span(stored).first(static_cast<std::size_t>((end - begin) * size)));
      put(Block{bytes, at, stored.data(), end - begin}, dtype, out + begin);
    });
  });
}

/// Narrow types are held as wider ones, and a bool is checked when it is read.
bool is_stored_as_held(DType dtype) { return !is_narrow(dtype) && dtype != DType::Bool; }

// ---- writing ----

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

Tensor stored_tensor(std::shared_ptr<const BytesAt> bytes, std::uint64_t offset, Shape shape, DType dtype) {
  const std::int64_t numel = numel_of(shape);
  std::shared_ptr<const std::byte> mapped = is_stored_as_held(dtype) ? bytes->mapped_at(offset) : nullptr;
  const auto place = reinterpret_cast<std::uintptr_t>(mapped.get());
  if (mapped && numel > 0 && place % static_cast<std::uintptr_t>(size_of(dtype)) == 0)
    return Tensor::mapped(std::move(shape), dtype, std::move(mapped));
  return Tensor::unread(std::move(shape), dtype,
                        [=, bytes = std::move(bytes)](std::byte* to) { read_into(to, numel, *bytes, offset, dtype); });
}

Tensor read_elements(const BytesAt& bytes, std::uint64_t offset, Shape shape, DType dtype) {
  Tensor result = Tensor::empty(std::move(shape), dtype);
  read_into(result.storage().buffer->data(), result.numel(), bytes, offset, dtype);
  return result;
}

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
