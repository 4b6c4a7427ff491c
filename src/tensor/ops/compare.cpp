#include "tensor/ops/compare.h"

#include <algorithm>
#include <cmath>

#include "base/number.h"
#include "tensor/core/error.h"
#include "tensor/core/read.h"
#include "tensor/core/scalar_type.h"
#include "tensor/core/walk.h"
#include "tensor/core/work.h"
#include "tensor/ops/pointwise.h"

namespace attn {
namespace {

// PyTorch measures integers in float32 and floats in their own type.
template <class T>
bool is_close(T a, T b, double rtol, double atol, bool equal_nan) {
  using Measure = std::conditional_t<std::is_floating_point_v<T>, T, float>;
  if (a == b) return true;
  if (rtol == 0.0 && atol == 0.0 && !equal_nan) return false;
  const auto x = static_cast<Measure>(a);
  const auto y = static_cast<Measure>(b);
  if (equal_nan && std::isnan(x) && std::isnan(y)) return true;
  const Measure allowed = static_cast<Measure>(atol) + std::fabs(static_cast<Measure>(rtol) * y);
  const Measure actual = std::fabs(x - y);
  return std::isfinite(actual) && actual <= allowed;
}

void require_tolerance(double value, const char* name) {
  if (!(value >= 0.0))
    throw TensorError(
        "allclose.tolerance", Code::Value, "RuntimeError",
        std::string(name) + " must be greater than or equal to zero, but got " + format_general(value, 6));
}

// The distance of two integers does not fit their type, but it fits the unsigned one.
template <class T>
double distance(T a, T b) {
  if constexpr (std::is_same_v<T, std::int64_t>) {
    const auto x = static_cast<std::uint64_t>(a);
    const auto y = static_cast<std::uint64_t>(b);
    return static_cast<double>(a > b ? x - y : y - x);
  } else {
    return std::fabs(static_cast<double>(a) - static_cast<double>(b));
  }
}

// Collects what is said of two tensors while their elements pass by in row-major order.
class Comparison {
 public:
  Comparison(const Shape& shape, double rtol, double atol, bool bits = false)
      : shape_(shape), rtol_(rtol), atol_(atol), bits_(bits) {
    result_.same_shape = true;
    for (const std::int64_t size : shape) harmed_.emplace_back(static_cast<std::size_t>(size), false);
  }

  template <class T>
  void add(T a, T b) {
    const double x = static_cast<double>(a);
    const double y = static_cast<double>(b);
    const double d = distance(a, b);
    result_.nan_a += std::isnan(x) ? 1 : 0;
    result_.nan_b += std::isnan(y) ? 1 : 0;
    if (std::isfinite(x) && std::isfinite(y)) result_.largest = std::max(result_.largest, d);
    const bool within = std::isfinite(d) && d <= atol_ + rtol_ * std::fabs(y);
    const bool equal = bits_ ? a == b && std::signbit(x) == std::signbit(y) : a == b || within;
    const bool agrees = equal || (std::isnan(x) && std::isnan(y));
    if (!agrees) note_difference(x, y);
    ++result_.total;
  }

  Difference finish() {
    for (const std::vector<bool>& axis : harmed_) {
      std::vector<std::int64_t>& list = result_.unharmed.emplace_back();
      if (axis.size() < 2) continue;
      for (std::size_t i = 0; i < axis.size(); ++i)
        if (!axis[i]) list.push_back(static_cast<std::int64_t>(i));
    }
    return std::move(result_);
  }

 private:
  void note_difference(double x, double y) {
    const Shape index = unravel(result_.total, shape_);
    if (result_.differing++ == 0) {
      result_.first = index;
      result_.first_a = x;
      result_.first_b = y;
    }
    for (std::size_t d = 0; d < index.size(); ++d) harmed_[d][static_cast<std::size_t>(index[d])] = true;
  }

  const Shape& shape_;
  double rtol_, atol_;
  bool bits_;
  std::vector<std::vector<bool>> harmed_;  // per axis and index: some element of the slice differs
  Difference result_;
};

// Calls f(a, b) for pairs in row-major order until it returns false. Both have type T and broadcast to `shape`.
template <class T, class F>
void for_each_pair(const Tensor& a, const Tensor& b, const Shape& shape, F&& f) {
  const T* x = a.data<T>();
  const T* y = b.data<T>();
  const Walk walk =
      plan_walk(shape, {contiguous_strides(shape), broadcast_strides(a, shape), broadcast_strides(b, shape)});
  bool going = true;
  for_each_row(walk, [&](const std::int64_t* at, std::int64_t count) {
    for (std::int64_t i = 0; going && i < count; ++i)
      going = f(x[at[1] + i * walk.strides[1].back()], y[at[2] + i * walk.strides[2].back()]);
  });
}

}  // namespace

Shape require_comparable(const Tensor& a, const Tensor& b, double rtol, double atol, bool equal_nan) {
  if (a.dtype() != b.dtype())
    throw TensorError("allclose.dtype", Code::Type, "RuntimeError",
                      scalar_type_name(a.dtype()) + " did not match " + scalar_type_name(b.dtype()));
  require_tolerance(rtol, "rtol");
  require_tolerance(atol, "atol");
  Shape shape = broadcast_shapes(a.shape(), b.shape());
  if (equal_nan && is_floating(a.dtype()) && shape != a.shape())
    throw TensorError(
        "inplace.shape", Code::Shape, "RuntimeError",
        "output with shape " + shape_text(a.shape()) + " doesn't match the broadcast shape " + shape_text(shape));
  return shape;
}

bool allclose(const Tensor& a, const Tensor& b, double rtol, double atol, bool equal_nan) {
  const Shape shape = require_comparable(a, b, rtol, atol, equal_nan);
  bool close = true;
  dispatch(a.dtype(), [&]<class T>(T) {
    for_each_pair<T>(a, b, shape, [&](T x, T y) { return close = is_close(x, y, rtol, atol, equal_nan); });
  });
  return close;
}

bool equal(const Tensor& a, const Tensor& b) {
  if (a.shape() != b.shape()) return false;
  const DType dtype = promote(a.dtype(), b.dtype());
  const Tensor x = a.dtype() == dtype ? a : cast(a, dtype);
  const Tensor y = b.dtype() == dtype ? b : cast(b, dtype);
  bool same = true;
  dispatch(dtype, [&]<class T>(T) { for_each_pair<T>(x, y, a.shape(), [&](T p, T q) { return same = p == q; }); });
  return same;
}

namespace {

Difference compared(const Tensor& a, const Tensor& b, Comparison&& comparison) {
  const DType dtype = promote(a.dtype(), b.dtype());
  const Tensor x = a.dtype() == dtype ? a : cast(a, dtype);
  const Tensor y = b.dtype() == dtype ? b : cast(b, dtype);
  dispatch(dtype, [&]<class T>(T) {
    for_each_pair<T>(x, y, a.shape(), [&](T p, T q) {
      comparison.add(p, q);
      return true;
    });
  });
  return comparison.finish();
}

}  // namespace

Difference compare(const Tensor& a, const Tensor& b, double rtol, double atol) {
  if (a.shape() != b.shape()) return {};
  return compared(a, b, Comparison(a.shape(), rtol, atol));
}

Difference compare_bits(const Tensor& a, const Tensor& b) {
  if (a.shape() != b.shape()) return {};
  return compared(a, b, Comparison(a.shape(), 0, 0, true));
}

}  // namespace attn
