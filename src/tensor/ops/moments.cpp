#include "tensor/ops/moments.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "tensor/core/walk.h"
#include "tensor/core/work.h"
#include "tensor/kernels/fixed_order.h"
#include "tensor/ops/create.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/math_functions.h"
#include "tensor/ops/pointwise.h"

namespace attn {
namespace {

constexpr std::int64_t kChunk = 16;  // vectors whose moments run one after the other

// Of so many lanes side by side.
template <class T, int kLanes = 1>
struct Running {
  using Number = typename ATTN_LEVEL::Lanes<T, kLanes>::Vector;
  std::int64_t count = 0;
  Number mean{}, squares{};
};

// Chan's rule: from the moments of two groups those of both.
template <class T, int kLanes>
void merge(Running<T, kLanes>& into, const Running<T, kLanes>& part) {
  const std::int64_t both = into.count + part.count;
  if (both == 0) return;
  const T share = static_cast<T>(part.count) / static_cast<T>(both);
  const auto distance = part.mean - into.mean;
  into.squares += part.squares + distance * distance * share * static_cast<T>(into.count);
  into.mean += distance * share;
  into.count = both;
}

// A row in vectors of 32 bytes. Chunks of them are merged in pairs, as one counts in binary: level k holds 2^k chunks.
template <class T>
class RowMoments {
 public:
  static constexpr int kLanes = 32 / sizeof(T);

  Running<T> of(const T* x, std::int64_t count) {
    const std::int64_t vectors = count / kLanes;
    const Row& lanes = of_vectors(x, vectors);
    Running<T> row;
    for (std::int64_t i = vectors * kLanes; i < count; ++i) {
      const T distance = x[i] - row.mean;
      row.mean += distance / static_cast<T>(++row.count);
      row.squares += distance * (x[i] - row.mean);
    }
    for (int lane = 0; lane < kLanes; ++lane) merge(row, Running<T>{vectors, lanes.mean[lane], lanes.squares[lane]});
    return row;
  }

 private:
  using Row = Running<T, kLanes>;

  const Row& of_vectors(const T* x, std::int64_t vectors) {
    const std::int64_t chunks = (vectors + kChunk - 1) / kChunk;
    const auto levels =
        static_cast<std::size_t>(chunks > 1 ? std::bit_width(static_cast<std::uint64_t>(chunks - 1)) : 1);
    std::fill_n(levels_.begin(), levels, Row{});
    for (std::int64_t i = 0; i < chunks; ++i) {
      charge(kChunk * kLanes);
      add_chunk(x + i * kChunk * kLanes, std::min(kChunk, vectors - i * kChunk));
      for (std::size_t level = 1; level < levels && (i + 1) % (std::int64_t{1} << level) == 0; ++level) {
        merge(levels_[level], levels_[level - 1]);
        levels_[level - 1] = {};
      }
    }
    for (std::size_t level = 1; level < levels; ++level) merge(levels_[0], levels_[level]);
    return levels_[0];
  }

  void add_chunk(const T* x, std::int64_t vectors) {
    Row chunk;
    for (; chunk.count < vectors; x += kLanes) {
      typename Row::Number numbers;
      std::memcpy(&numbers, x, sizeof numbers);
      const typename Row::Number distance = numbers - chunk.mean;
      chunk.mean += distance * (T{1} / static_cast<T>(++chunk.count));
      chunk.squares += distance * (numbers - chunk.mean);
    }
    merge(levels_[0], chunk);
  }

  std::array<Row, 64> levels_;
};

// Distances and squares are rounded to T, their sums are double.
template <class T>
Running<T> feature_in_double(const T* x, std::int64_t images, std::int64_t stride, std::int64_t size) {
  const auto sum_of = [&](auto&& term) {
    double sum = 0;
    for (std::int64_t image = 0; image < images; ++image)
      in_chunks(size, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) sum += static_cast<double>(term(x[image * stride + i]));
      });
    return sum;
  };
  const std::int64_t count = images * size;
  const T mean = static_cast<T>(sum_of([](T number) { return number; }) / static_cast<double>(count));
  const double squares = sum_of([mean](T number) { return (number - mean) * (number - mean); });
  return {count, mean, static_cast<T>(squares)};
}

// Features that lie side by side: each is added from row to row, in T.
template <class T>
std::vector<Running<T>> features_side_by_side(const T* x, std::int64_t rows, std::int64_t features) {
  std::vector<Running<T>> result(static_cast<std::size_t>(features));
  const auto each = [&](auto&& add) {
    for (std::int64_t row = 0; row < rows; ++row) {
      charge(features);
      for (std::int64_t i = 0; i < features; ++i) add(result[static_cast<std::size_t>(i)], x[row * features + i]);
    }
  };
  each([](Running<T>& feature, T number) { feature.mean += number; });
  for (Running<T>& feature : result) feature.mean /= static_cast<T>(feature.count = rows);
  each([](Running<T>& feature, T number) {
    feature.squares = math::fused(number - feature.mean, number - feature.mean, feature.squares);
  });
  return result;
}

template <class T>
std::vector<Running<T>> features_of(const Tensor& input) {
  const std::int64_t features = input.size(1), batch = input.size(0), inner = input.numel() / (batch * features);
  if (has_channels_last(input) || (input.is_contiguous() && input.strides()[1] == 1))
    return features_side_by_side(input.data<T>(), batch * inner, features);
  const Tensor x = contiguous(input);
  std::vector<Running<T>> result;
  for (std::int64_t i = 0; i < features; ++i)
    result.push_back(feature_in_double(x.data<T>() + i * inner, batch, features * inner, inner));
  return result;
}

template <class T>
Moments as_tensors(const Shape& shape, DType dtype, const std::vector<Running<T>>& groups) {
  Moments moments;
  for (Tensor* tensor : {&moments.mean, &moments.squares, &moments.variance}) *tensor = Tensor::empty(shape, dtype);
  T *mean = moments.mean.mutable_data<T>(), *squares = moments.squares.mutable_data<T>(),
    *variance = moments.variance.mutable_data<T>();
  for (const Running<T>& group : groups) {
    look();
    *mean++ = group.mean;
    *squares++ = group.squares;
    *variance++ = group.squares / static_cast<T>(group.count);
  }
  return moments;
}

template <class F>
auto as_float_or_double(DType dtype, F&& f) {
  return dtype == DType::Float32 ? f(float{}) : f(double{});
}

}  // namespace

Moments row_moments(const Tensor& input, std::int64_t axes) {
  const Tensor x = contiguous(input);
  Shape shape = x.shape();
  std::fill(shape.end() - axes, shape.end(), 1);
  const std::int64_t rows = numel_of(shape), length = rows > 0 ? x.numel() / rows : 0;
  return as_float_or_double(x.dtype(), [&]<class T>(T) {
    RowMoments<T> moments;
    std::vector<Running<T>> result;
    for (std::int64_t row = 0; row < rows; ++row) {
      charge(RowMoments<T>::kLanes);
      result.push_back(moments.of(x.data<T>() + row * length, length));
    }
    return as_tensors(shape, x.dtype(), result);
  });
}

Moments feature_moments(const Tensor& x) {
  Shape shape(x.shape().size(), 1);
  shape[1] = x.size(1);
  return as_float_or_double(x.dtype(), [&]<class T>(T) { return as_tensors(shape, x.dtype(), features_of<T>(x)); });
}

namespace {

// In the lanes of a vector of 32 bytes, which are then added: of float32 the upper half to the lower, and so on.
template <class T>
T row_product(const T* row, const T* other, std::int64_t count) {
  constexpr std::int64_t kLanes = 32 / sizeof(T);
  std::array<T, kLanes> lanes{};
  const std::int64_t filled = std::min(count, kLanes);
  for (std::int64_t i = 0; i < filled; ++i) lanes[static_cast<std::size_t>(i)] = row[i] * other[i];
  for (std::int64_t i = kLanes; i < count; i += kLanes)
    for (std::int64_t lane = 0; lane < std::min(kLanes, count - i); ++lane) {
      T& sum = lanes[static_cast<std::size_t>(lane)];
      sum = math::fused(row[i + lane], other[i + lane], sum);
    }
  const bool halves = std::is_same_v<T, float> && count >= kLanes;
  for (std::size_t width = kLanes / 2; halves && width > 0; width /= 2)
    for (std::size_t i = 0; i < width; ++i) lanes[i] += lanes[i + width];
  for (std::int64_t i = 1; !halves && i < filled; ++i) lanes[0] += lanes[static_cast<std::size_t>(i)];
  return lanes[0];
}

}  // namespace

Tensor row_products(const Tensor& left, const Tensor& right) {
  const Tensor rows = contiguous(left), others = contiguous(right);
  const std::int64_t count = rows.size(0), length = rows.size(2);
  Tensor out = Tensor::empty({count, 1, 1}, rows.dtype());
  as_float_or_double(rows.dtype(), [&]<class T>(T) {
    T* const to = out.mutable_data<T>();
    for (std::int64_t i = 0; i < count; ++i) {
      charge(length);
      to[i] = row_product(rows.data<T>() + i * length, others.data<T>() + i * length, length);
    }
  });
  return out;
}

Tensor column_products(const Tensor& left, const Tensor& right) {
  const std::int64_t count = left.size(0), length = left.size(2);
  Tensor out = zeros({count, 1, 1}, left.dtype());
  const Shape &a = left.strides(), &b = right.strides();
  as_float_or_double(left.dtype(), [&]<class T>(T) {
    T* const to = out.mutable_data<T>();
    const T *from = left.data<T>(), *other = right.data<T>();
    for (std::int64_t k = 0; k < length; ++k, from += a[2], other += b[1]) {
      charge(count);
      for (std::int64_t i = 0; i < count; ++i) to[i] = math::fused(from[i * a[0]], other[i * b[0]], to[i]);
    }
  });
  return out;
}

Tensor sum_of_rows(const Tensor& x) {
  const Tensor rows = contiguous(x);
  Tensor out = zeros(Shape(x.shape().begin() + 1, x.shape().end()), x.dtype());
  as_float_or_double(x.dtype(), [&]<class T>(T) {
    T* to = out.mutable_data<T>();
    for (std::int64_t i = 0; i < rows.size(0); ++i) {
      charge(out.numel());
      for (std::int64_t j = 0; j < out.numel(); ++j) to[j] += rows.data<T>()[i * out.numel() + j];
    }
  });
  return out;
}

Tensor multiply_add(const Tensor& a, const Tensor& b, const Tensor& c) {
  const Shape shape = broadcast_shapes(broadcast_shapes(a.shape(), b.shape()), c.shape());
  Tensor out = empty_strided(shape, a.dtype(), result_strides(shape, {&c, &a, &b}));
  const Walk walk = plan_walk(
      shape, {out.strides(), broadcast_strides(a, shape), broadcast_strides(b, shape), broadcast_strides(c, shape)});
  const auto step = [&](std::size_t operand) { return walk.strides[operand].back(); };
  as_float_or_double(a.dtype(), [&]<class T>(T) {
    T* to = out.mutable_data<T>();
    const T *left = a.data<T>(), *right = b.data<T>(), *added = c.data<T>();
    for_each_row(walk, [&](const std::int64_t* at, std::int64_t count) {
      for (std::int64_t i = 0; i < count; ++i)
        to[at[0] + i * step(0)] =
            math::fused(left[at[1] + i * step(1)], right[at[2] + i * step(2)], added[at[3] + i * step(3)]);
    });
  });
  return out;
}

}  // namespace attn
