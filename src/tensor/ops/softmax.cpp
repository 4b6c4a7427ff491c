// Ops along one axis that keep its size. Each sees x as slabs: n places along the axis, `columns` elements at each. For
// the last axis that is a row (one column). A softmax of float32 has PyTorch's bits (docs/numbers.md); otherwise
// arithmetic is in double, and a result is rounded once.
#include <algorithm>
#include <array>
#include <limits>

#include "tensor/core/parallel.h"
#include "tensor/core/scalar_type.h"
#include "tensor/core/walk.h"
#include "tensor/core/work.h"
#include "tensor/kernels/levels.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/math_functions.h"
#include "tensor/ops/reduce.h"

namespace attn {
namespace {

// Columns that are computed side by side: their state fits the nearest cache.
constexpr std::int64_t kColumns = 64;

template <class In, class Out>
struct Slab {
  const In* in;
  std::int64_t in_step;    // along the axis
  std::int64_t in_column;  // from column to column
  Out* out;
  std::int64_t out_step;  // from column to column it is 1
  std::int64_t n;
  std::int64_t columns;  // 1 .. kColumns

  const In* in_at(std::int64_t i) const { return in + i * in_step; }
  Out* out_at(std::int64_t i) const { return out + i * out_step; }
};

// Calls f(i) for each place along the axis; an interrupt is noticed in long ones too.
template <class F>
void for_each_place(std::int64_t n, F&& f) {
  constexpr std::int64_t kBetweenChecks = kWorkChunk / kColumns;
  for (std::int64_t begin = 0; begin < n; begin += kBetweenChecks) {
    charge(0);
    const std::int64_t end = std::min(n, begin + kBetweenChecks);
    for (std::int64_t i = begin; i < end; ++i) f(i);
  }
}

// Axes behind `dim` seen as one; a copy only if their strides do not allow it.
Walk columns_of(Tensor& x, std::size_t dim) {
  const auto plan = [&] {
    const Shape shape(x.shape().begin() + static_cast<std::ptrdiff_t>(dim) + 1, x.shape().end());
    const Shape strides(x.strides().begin() + static_cast<std::ptrdiff_t>(dim) + 1, x.strides().end());
    return plan_walk(shape, {contiguous_strides(shape), strides});
  };
  Walk walk = plan();
  if (walk.sizes.size() == 1) return walk;
  x = contiguous(x);
  return plan();
}

// Calls f for slabs that cover x and the contiguous `out`. f may touch each element a few times.
template <class In, class Out, class F>
void for_each_slab(Tensor x, Tensor& out, std::int64_t axis, F&& f) {
  Out* to = out.mutable_data<Out>();
  if (x.dim() == 0) x = x.as_strided({1}, {1}, x.offset());
  const auto dim = static_cast<std::size_t>(axis);
  const Walk columns = columns_of(x, dim);
  const std::int64_t n = x.shape()[dim];
  const std::int64_t width = columns.sizes[0];
  const In* from = x.data<In>();
  const Shape outer_shape(x.shape().begin(), x.shape().begin() + axis);
  const Shape outer_strides(x.strides().begin(), x.strides().begin() + axis);
  for_each_offset(outer_shape, outer_strides, [&](std::int64_t offset) {
    for (std::int64_t begin = 0; begin < width; begin += kColumns) {
      const std::int64_t count = std::min(kColumns, width - begin);
      charge(n * count);
      f(Slab<In, Out>{from + offset + begin * columns.strides[1][0], x.strides()[dim], columns.strides[1][0],
                      to + begin, width, n, count});
    }
    to += n * width;
  });
}

template <class T>
using Row = std::array<T, kColumns>;

template <class T>
Row<T> column_maxima(const Slab<T, T>& s) {
  Row<T> top;
  top.fill(-std::numeric_limits<T>::infinity());
  for_each_place(s.n, [&](std::int64_t i) {
    for (std::int64_t j = 0; j < s.columns; ++j) {
      const T value = s.in_at(i)[j * s.in_column];
      T& best = top[static_cast<std::size_t>(j)];
      best = value > best ? value : best;
    }
  });
  return top;
}

// exp(x - top) of column j. PyTorch takes the columns that fill vectors of 8 by its own exp, the others by C's.
template <class T>
T exponential(const Slab<T, T>& s, std::int64_t j, T x, T top) {
  if constexpr (std::is_same_v<T, float>)
    if (j < s.columns - s.columns % 8) return math::exp_of_float(x - top);
  return static_cast<T>(math::exp(static_cast<double>(x - top)));
}

// out = exp(x - top), a row at a time so that the compiler can compute several at once; gives their sums.
template <class T>
Row<T> write_exponentials(const Slab<T, T>& s, const Row<T>& top) {
  Row<T> sums{};
  for_each_place(s.n, [&](std::int64_t i) {
    for (std::int64_t j = 0; j < s.columns; ++j) {
      const auto column = static_cast<std::size_t>(j);
      sums[column] += s.out_at(i)[j] = exponential(s, j, s.in_at(i)[j * s.in_column], top[column]);
    }
  });
  return sums;
}

template <class T>
void softmax_slab(const Slab<T, T>& s) {
  const Row<T> sums = write_exponentials(s, column_maxima(s));
  for_each_place(s.n, [&](std::int64_t i) {
    for (std::int64_t j = 0; j < s.columns; ++j) s.out_at(i)[j] /= sums[static_cast<std::size_t>(j)];
  });
}

template <class T>
void log_softmax_slab(const Slab<T, T>& s) {
  const Row<T> top = column_maxima(s);
  Row<T> sums = write_exponentials(s, top);
  for (std::int64_t j = 0; j < s.columns; ++j) {
    T& sum = sums[static_cast<std::size_t>(j)];
    sum = static_cast<T>(math::log(static_cast<double>(sum)));
  }
  for_each_place(s.n, [&](std::int64_t i) {
    for (std::int64_t j = 0; j < s.columns; ++j) {
      const auto column = static_cast<std::size_t>(j);
      s.out_at(i)[j] = s.in_at(i)[j * s.in_column] - top[column] - sums[column];
    }
  });
}

// Acc is double for floats; integers wrap around in std::uint64_t.
template <class Acc, class In, class Out>
void cumsum_slab(const Slab<In, Out>& s) {
  Row<Acc> sums{};
  for_each_place(s.n, [&](std::int64_t i) {
    for (std::int64_t j = 0; j < s.columns; ++j) {
      Acc& sum = sums[static_cast<std::size_t>(j)];
      sum += static_cast<Acc>(s.in_at(i)[j * s.in_column]);
      s.out_at(i)[j] = static_cast<Out>(sum);
    }
  });
}

template <class F>
Tensor along_axis(const Tensor& x, std::int64_t dim, const char* kernel, F&& f) {
  const std::int64_t axis = wrap_dim(dim, x.dim());
  if (x.numel() > 0 && !is_floating(x.dtype())) {
    const bool last = axis == std::max<std::int64_t>(x.dim() - 1, 0);
    throw_not_implemented(last ? std::string(kernel) + "_lastdim_kernel_impl" : "softmax_kernel_impl", x.dtype());
  }
  Tensor out = Tensor::empty(x.shape(), x.dtype());
  if (x.numel() == 0) return out;
  if (x.dtype() == DType::Float32) for_each_slab<float, float>(x, out, axis, [&](const auto& slab) { f(slab); });
  else for_each_slab<double, double>(x, out, axis, [&](const auto& slab) { f(slab); });
  return out;
}

// Rows of the last axis have a kernel. Very long ones could not be interrupted in it.
bool has_row_kernel(const Tensor& x, std::int64_t dim) {
  return x.dtype() == DType::Float32 && x.numel() > 0 &&
         wrap_dim(dim, x.dim()) == std::max<std::int64_t>(x.dim() - 1, 0) &&
         (x.dim() == 0 || x.shape().back() <= kWorkChunk);
}

Tensor of_rows(const Tensor& input, void (*kernel)(const float*, float*, std::int64_t)) {
  const Tensor x = contiguous(input);
  Tensor out = Tensor::empty(x.shape(), x.dtype());
  const float* const from = x.data<float>();
  float* const to = out.mutable_data<float>();
  const std::int64_t n = x.dim() == 0 ? 1 : x.shape().back(), rows = x.numel() / n;
  const std::int64_t rows_of_job = std::max<std::int64_t>(kWorkChunk / n, 1);
  charge(x.numel());
  run_jobs((rows + rows_of_job - 1) / rows_of_job, threads(), [&]() -> Worker {
    return [&](std::int64_t job, const StopCheck&) {
      const std::int64_t begin = job * rows_of_job, end = std::min(rows, begin + rows_of_job);
      for (std::int64_t row = begin; row < end; ++row) kernel(from + row * n, to + row * n, n);
    };
  });
  return out;
}

}  // namespace

Tensor softmax(const Tensor& x, std::int64_t dim) {
  if (has_row_kernel(x, dim)) return of_rows(x, kernels().softmax_row);
  return along_axis(x, dim, "softmax", [](const auto& slab) { softmax_slab(slab); });
}

Tensor log_softmax(const Tensor& x, std::int64_t dim) {
  if (has_row_kernel(x, dim)) return of_rows(x, kernels().log_softmax_row);
  return along_axis(x, dim, "log_softmax", [](const auto& slab) { log_softmax_slab(slab); });
}

Tensor cumsum(const Tensor& x, std::int64_t dim) {
  const std::int64_t axis = wrap_dim(dim, x.dim());
  Tensor out = Tensor::empty(x.shape(), is_floating(x.dtype()) ? x.dtype() : DType::Int64);
  if (x.numel() == 0) return out;
  dispatch(x.dtype(), [&]<class T>(T) {
    if constexpr (std::is_floating_point_v<T>)
      for_each_slab<T, T>(x, out, axis, [](const Slab<T, T>& slab) { cumsum_slab<double>(slab); });
    else
      for_each_slab<T, std::int64_t>(x, out, axis,
                                     [](const Slab<T, std::int64_t>& slab) { cumsum_slab<std::uint64_t>(slab); });
  });
  return out;
}

}  // namespace attn
