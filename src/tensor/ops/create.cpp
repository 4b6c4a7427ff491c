#include "tensor/ops/create.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/limits.h"
#include "base/number.h"
#include "tensor/core/error.h"
#include "tensor/core/scalar_type.h"
#include "tensor/core/walk.h"
#include "tensor/ops/pointwise.h"

namespace attn {
namespace {

/// out[i] = f(i) in blocks.
template <class T, class F>
void generate(Tensor& out, F f) {
  T* const data = out.mutable_data<T>();
  for (std::int64_t begin = 0; begin < out.numel(); begin += kBlock) {
    const std::int64_t end = std::min(begin + kBlock, out.numel());
    charge(end - begin);
    for (std::int64_t i = begin; i < end; ++i) data[i] = f(i);
  }
}

constexpr const char* kWrongSign = "upper bound and larger bound inconsistent with step sign";
constexpr const char* kTooLong = "invalid size, possible overflow?";

std::int64_t length_of_range(std::int64_t start, std::int64_t end, std::int64_t step) {
  if (step == 0) throw_value("arange.step", "step must be nonzero");
  if (step > 0 ? start > end : start < end) throw_value("arange.sign", kWrongSign);
  __extension__ using Wide = __int128;  // end - start may need 65 bits
  const Wide distance = step > 0 ? Wide{end} - start : Wide{start} - end;
  const Wide stride = step > 0 ? Wide{step} : -Wide{step};
  const Wide length = (distance + stride - 1) / stride;
  if (length > std::numeric_limits<std::int64_t>::max()) throw_value("arange.length", kTooLong);
  return static_cast<std::int64_t>(length);
}

std::int64_t length_of_range(double start, double end, double step) {
  if (!(step > 0 || step < 0)) throw_value("arange.step", "step must be nonzero");
  if (!std::isfinite(start) || !std::isfinite(end))
    throw_value("arange.finite", "unsupported range: " + format_general(start, 6) + " -> " + format_general(end, 6));
  if (step > 0 ? start > end : start < end) throw_value("arange.sign", kWrongSign);
  const double length = std::ceil((end - start) / step);
  if (!(length >= 0 && length < 0x1p63)) throw_value("arange.length", kTooLong);
  return static_cast<std::int64_t>(length);
}

/// PyTorch's vectorised loop rounds the first number of each 32 bytes and counts on from there, for pairs of such
/// blocks; what remains at the end is start + i step. The last digits show it, and 0 may become 3e-9.
template <class T>
Tensor float_range(const Scalar& start, const Scalar& end, const Scalar& step) {
  constexpr std::int64_t kWidth = 32 / sizeof(T);
  const double first = to_double(start);
  const double stride = to_double(step);
  Tensor out = Tensor::empty({length_of_range(first, to_double(end), stride)}, dtype_of<T>);
  const std::int64_t whole = out.numel() - out.numel() % (2 * kWidth);
  generate<T>(out, [=](std::int64_t i) {
    const std::int64_t ahead = i < whole ? i % kWidth : 0;
    const T base = static_cast<T>(std::fma(stride, static_cast<double>(i - ahead), first));
    return static_cast<T>(std::fma(stride, static_cast<double>(ahead), base));
  });
  return out;
}

Tensor int_range(std::int64_t start, std::int64_t end, std::int64_t step) {
  Tensor out = Tensor::empty({length_of_range(start, end, step)}, DType::Int64);
  generate<std::int64_t>(out, [=](std::int64_t i) { return start + step * i; });
  return out;
}

void check_side(const char* name, std::int64_t size) {
  if (size < 0)
    throw TensorError("eye.negative", Code::Value, "RuntimeError",
                      std::string(name) + " must be greater or equal to 0, got " + std::to_string(size),
                      {{"size", size}});
}

}  // namespace

Tensor full(const Shape& shape, const Scalar& value, DType dtype) {
  if (is_narrow(dtype)) {
    check_fits(value, dtype);
    return to(full(shape, value, wide_of(dtype)), dtype);
  }
  Tensor out = Tensor::empty(shape, dtype);
  check_fits(value, dtype);
  dispatch(dtype, [&]<class T>(T) {
    const T element = std::visit([](auto number) { return convert<T>(number); }, value);
    generate<T>(out, [element](std::int64_t) { return element; });
  });
  return out;
}

Tensor zeros(const Shape& shape, DType dtype) { return full(shape, std::int64_t{0}, dtype); }

Tensor ones(const Shape& shape, DType dtype) { return full(shape, std::int64_t{1}, dtype); }

Tensor arange(const Scalar& start, const Scalar& end, const Scalar& step, DType dtype) {
  if (dtype == DType::Int64)
    for (const Scalar& number : {start, end, step}) check_fits(number, dtype);
  if (is_narrow(dtype) && is_floating(dtype)) return to(arange(start, end, step, wide_of(dtype)), dtype);
  if (is_narrow(dtype)) {  // counted in floats, but made in whole steps
    const std::int64_t first = to_int(start), by = to_int(step);
    if (by == 0) throw_value("arange.step", "step must be nonzero");
    const std::int64_t count = length_of_range(to_double(start), to_double(end), to_double(step));
    Tensor out = Tensor::empty({count}, DType::Int64);
    generate<std::int64_t>(out, [=](std::int64_t i) { return first + i * by; });
    return to(out, dtype);
  }
  switch (dtype) {
    case DType::Int64: return int_range(to_int(start), to_int(end), to_int(step));
    case DType::Float32: return float_range<float>(start, end, step);
    case DType::Float64: return float_range<double>(start, end, step);
    default: throw_not_implemented("arange_cpu", dtype);
  }
}

Tensor eye(std::int64_t rows, std::int64_t columns, DType dtype) {
  check_side("n", rows);
  check_side("m", columns);
  Tensor out = zeros({rows, columns}, dtype);
  dispatch(dtype, [&]<class T>(T) {
    T* const data = out.mutable_data<T>();
    for (std::int64_t i = 0; i < std::min(rows, columns); ++i) data[i * (columns + 1)] = T{1};
  });
  return out;
}

}  // namespace attn
