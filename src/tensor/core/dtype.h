#pragma once
// The element types of a tensor, PyTorch's names for them, and how they mix.
//
// Every op computes in one of four wide types: bool, int64, float32, float64. The others are narrow: their elements lie
// in memory as those of their wide type, rounded or wrapped to what the narrow one can hold whenever they are written.
// So whatever only moves elements works for all types; arithmetic on narrow ones goes through torch/narrow_types.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace attn {

/// In order of promotion: the later one wins (but see promote()).
/// UInt16 and UInt32 are types of numpy arrays only: PyTorch 1.13 has no such tensors.
enum class DType : std::uint8_t {
  Bool,
  UInt8,
  Int8,
  Int16,
  UInt16,
  Int32,
  UInt32,
  Int64,
  Float16,
  BFloat16,
  Float32,
  Float64
};
inline constexpr std::size_t kDTypes = 12;

/// "torch.float32"; short_name gives "float32".
std::string_view name_of(DType dtype);
std::string_view short_name(DType dtype);
std::int64_t size_of(DType dtype);
inline bool is_floating(DType dtype) { return dtype >= DType::Float16; }
inline bool is_unsigned(DType dtype) {
  return dtype == DType::UInt8 || dtype == DType::UInt16 || dtype == DType::UInt32;
}

/// The type in which elements lie in memory and are computed with.
constexpr DType wide_of(DType dtype) {
  if (dtype == DType::Bool || dtype == DType::Float64) return dtype;
  return dtype >= DType::Float16 ? DType::Float32 : DType::Int64;
}
constexpr bool is_narrow(DType dtype) { return wide_of(dtype) != dtype; }
/// The element of the narrow type that a number becomes: integers wrap, floats are rounded to the nearest.
std::int64_t narrowed(std::int64_t value, DType dtype);
float narrowed(float value, DType dtype);

/// A Python number on its way into an op. It has a category only: it never widens float32 to float64.
using Scalar = std::variant<bool, std::int64_t, double>;
double to_double(const Scalar& scalar);
std::int64_t to_int(const Scalar& scalar);  // truncates a float, as torch.full(..., dtype=torch.int64) does
DType default_dtype(const Scalar& scalar);  // Bool, Int64, Float32
bool is_float(const Scalar& scalar);

/// The result type of an operation between tensors, and between a tensor and a Python number (PyTorch's categories).
///   Note: PyTorch lets a tensor of dimension 0 lose against one with dimensions in the same category;
///   result_type in pointwise.h takes the dimensions into account, this one does not.
DType promote(DType a, DType b);
DType promote(DType a, const Scalar& b);

/// Calls `f` with a value of the element's C++ type (that of its wide type): the one dispatch of an op.
///   dispatch(x.dtype(), [&]<class T>(T) { ... x.data<T>() ... });
template <class F>
decltype(auto) dispatch(DType dtype, F&& f) {
  switch (wide_of(dtype)) {
    case DType::Bool: return std::forward<F>(f)(bool{});
    case DType::Int64: return std::forward<F>(f)(std::int64_t{});
    case DType::Float32: return std::forward<F>(f)(float{});
    case DType::Float64: return std::forward<F>(f)(double{});
    default: break;
  }
  __builtin_unreachable();
}

template <class T>
inline constexpr DType dtype_of = DType::Float32;
template <>
inline constexpr DType dtype_of<bool> = DType::Bool;
template <>
inline constexpr DType dtype_of<std::int64_t> = DType::Int64;
template <>
inline constexpr DType dtype_of<double> = DType::Float64;

/// An element as another type. A float becomes an integer by truncation; NaN and what is out of range give the lowest
/// integer, as on x86. Everything but 0 is true, NaN too.
template <class To, class From>
inline To convert(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != From{};
  } else if constexpr (std::is_same_v<To, std::int64_t> && std::is_floating_point_v<From>) {
    const bool fits = value >= From(-0x1p63) && value < From(0x1p63);
    return fits ? static_cast<std::int64_t>(value) : std::numeric_limits<std::int64_t>::min();
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace attn
