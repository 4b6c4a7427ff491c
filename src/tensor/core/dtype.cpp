#include "tensor/core/dtype.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attn {
namespace {

struct DTypeRow {
  std::string_view name;
  std::int64_t size;
};

constexpr std::array<DTypeRow, kDTypes> kDTypeRows = {{{"torch.bool", 1},
                                                       {"torch.uint8", 1},
                                                       {"torch.int8", 1},
                                                       {"torch.int16", 2},
                                                       {"torch.uint16", 2},
                                                       {"torch.int32", 4},
                                                       {"torch.uint32", 4},
                                                       {"torch.int64", 8},
                                                       {"torch.float16", 2},
                                                       {"torch.bfloat16", 2},
                                                       {"torch.float32", 4},
                                                       {"torch.float64", 8}}};

const DTypeRow& row_of(DType dtype) { return kDTypeRows[static_cast<std::size_t>(dtype)]; }

/// To the nearest number of `digits` binary digits whose last place is not below 2^smallest; halves go to even.
float rounded(float value, int digits, int smallest) {
  if (!std::isfinite(value) || value == 0) return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  const int place = std::max(exponent - digits, smallest);
  return static_cast<float>(std::ldexp(std::nearbyint(std::ldexp(static_cast<double>(value), -place)), place));
}

}  // namespace

std::string_view name_of(DType dtype) { return row_of(dtype).name; }

std::string_view short_name(DType dtype) { return row_of(dtype).name.substr(std::string_view("torch.").size()); }

std::int64_t size_of(DType dtype) { return row_of(dtype).size; }

double to_double(const Scalar& scalar) {
  return std::visit([](auto value) { return static_cast<double>(value); }, scalar);
}

std::int64_t to_int(const Scalar& scalar) {
  return std::visit([](auto value) { return convert<std::int64_t>(value); }, scalar);
}

DType default_dtype(const Scalar& scalar) {
  constexpr std::array<DType, 3> kDefaults = {DType::Bool, DType::Int64, DType::Float32};
  return kDefaults[scalar.index()];
}

bool is_float(const Scalar& scalar) { return std::holds_alternative<double>(scalar); }

std::int64_t narrowed(std::int64_t value, DType dtype) {
  switch (dtype) {
    case DType::UInt8: return static_cast<std::uint8_t>(value);
    case DType::Int8: return static_cast<std::int8_t>(value);
    case DType::Int16: return static_cast<std::int16_t>(value);
    case DType::UInt16: return static_cast<std::uint16_t>(value);
    case DType::Int32: return static_cast<std::int32_t>(value);
    case DType::UInt32: return static_cast<std::uint32_t>(value);
    default: return value;
  }
}

float narrowed(float value, DType dtype) {
  if (dtype == DType::BFloat16) return rounded(value, 8, -133);
  if (dtype != DType::Float16) return value;
  const float near = rounded(value, 11, -24);
  return std::fabs(near) > 65504.0F ? std::copysign(std::numeric_limits<float>::infinity(), near) : near;
}

DType promote(DType a, DType b) {
  if (a > b) std::swap(a, b);
  if (is_unsigned(a) != is_unsigned(b) && a != DType::Bool && b <= DType::UInt32) {
    // The signed type that holds both: the next longer one than the unsigned.
    const DType bytes = is_unsigned(a) ? a : b, other = is_unsigned(a) ? b : a;
    const DType next = bytes == DType::UInt8 ? DType::Int16 : bytes == DType::UInt16 ? DType::Int32 : DType::Int64;
    return std::max(next, other);
  }
  if (a == DType::Float16 && b == DType::BFloat16) return DType::Float32;
  return b;
}

DType promote(DType a, const Scalar& b) {
  if (is_floating(a) || (a != DType::Bool && !is_float(b))) return a;
  return std::max(a, default_dtype(b));
}

}  // namespace attn
