// Sums of floats with the bits of PyTorch 1.13 on one thread of a processor with AVX2, on whatever processor this is:
// docs/numbers.md explains the order in which numbers are added (planes, rows, cascades).
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>

#include "base/limits.h"
#include "tensor/core/walk.h"
#include "tensor/core/work.h"
#include "tensor/ops/create.h"
#include "tensor/ops/fold.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/reduce.h"

namespace attn {
namespace {

constexpr int kCascades = 4, kCascadeLevels = 4;

/// What is added at a time: a number, or the numbers of 32 bytes in vectors that every processor has.
template <class T>
constexpr int kLanes = 32 / sizeof(T);
template <class T, int kWidth>
struct SumStep {
  using Vector [[gnu::vector_size(16)]] = T;
};
template <class T>
struct SumStep<T, 1> {
  using Vector = T;
};

// Not filled by std::fill_n: g++ 12 would choose the instruction that repeats a store, at the cost of a whole short
// sum.
template <int kWidth, class T>
[[gnu::always_inline]] inline void set_zero(T* sums) {
  constexpr typename SumStep<T, kWidth>::Vector kZero{};
#pragma GCC unroll 8
  for (std::size_t k = 0; k < kWidth; k += sizeof kZero / sizeof(T)) std::memcpy(sums + k, &kZero, sizeof kZero);
}

/// sums += the kWidth numbers at x.
template <int kWidth, class T>
[[gnu::always_inline]] inline void add_to(T* sums, const T* x) {
  using Vector = typename SumStep<T, kWidth>::Vector;
#pragma GCC unroll 8
  for (std::size_t k = 0; k < kWidth; k += sizeof(Vector) / sizeof(T)) {
    Vector sum, numbers;
    std::memcpy(&sum, sums + k, sizeof sum);
    std::memcpy(&numbers, x + k, sizeof numbers);
    sum += numbers;
    std::memcpy(sums + k, &sum, sizeof sum);
  }
}

/// sums[k] += `count` steps of kWidth numbers from x + k gap on, for four k. Not inlined, so that the sums are kept in
/// registers.
template <int kWidth, class T>
[[gnu::noinline]] void add_steps(T* sums, const T* x, std::int64_t step, std::int64_t gap, std::int64_t count) {
  using Vector = typename SumStep<T, kWidth>::Vector;
  constexpr int kVectors = kWidth * sizeof(T) / sizeof(Vector), kNumbers = kWidth / kVectors;
  Vector acc[kCascades * kVectors];
#pragma GCC unroll 8
  for (int k = 0; k < kCascades * kVectors; ++k) std::memcpy(&acc[k], sums + k * kNumbers, sizeof acc[k]);
  for (std::int64_t i = 0; i < count; ++i, x += step) {
#pragma GCC unroll 8
    for (int k = 0; k < kCascades * kVectors; ++k) {
      Vector numbers;
      std::memcpy(&numbers, x + k / kVectors * gap + k % kVectors * kNumbers, sizeof numbers);
      acc[k] += numbers;
    }
  }
#pragma GCC unroll 8
  for (int k = 0; k < kCascades * kVectors; ++k) std::memcpy(sums + k * kNumbers, &acc[k], sizeof acc[k]);
}

int ceil_log2(std::int64_t n) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n - 1))); }

/// sums[k] = the cascade over `count` steps of kWidth numbers from x + k gap on, for four k.
template <int kWidth, class T>
void cascade(T* sums, const T* x, std::int64_t step, std::int64_t gap, std::int64_t count) {
  constexpr int kNumbers = kCascades * kWidth;
  set_zero<kNumbers>(sums);
  const int power = std::max(4, ceil_log2(std::max<std::int64_t>(count, 1)) / kCascadeLevels);
  const std::int64_t run = std::int64_t{1} << power, runs = count >> power;
  if (runs == 0) return add_steps<kWidth>(sums, x, step, gap, count);
  T levels[kCascadeLevels][kNumbers];
  for (T* level : levels) set_zero<kNumbers>(level);
  for (std::int64_t done = 1; done <= runs; ++done) {
    add_steps<kWidth>(levels[0], x, step, gap, run);
    x += run * step;
    std::int64_t rest = done;
    for (int level = 1; level < kCascadeLevels; ++level, rest >>= power) {
      add_to<kNumbers>(levels[level], levels[level - 1]);
      set_zero<kNumbers>(levels[level - 1]);
      if (rest % run != 0) break;
      charge(0);  // so that a long sum can be interrupted
    }
  }
  add_steps<kWidth>(levels[0], x, step, gap, count - runs * run);
  for (const auto& level : levels) add_to<kNumbers>(sums, level);
}

/// sums = those of `count` steps of kWidth numbers, in four cascades. Has room for four times kWidth numbers.
template <int kWidth, class T>
void add_row(T* sums, const T* x, std::int64_t step, std::int64_t count) {
  if (count < 2 * kCascades) {  // no cascade has more than one step
    const std::int64_t first = count < kCascades ? count : 1;
    set_zero<kWidth>(sums);
    for (std::int64_t i = 0; i < first; ++i) add_to<kWidth>(sums, x + i * step);
    for (std::int64_t i = kCascades; i < count; ++i) add_to<kWidth>(sums, x + i * step);
    for (std::int64_t i = first; i < std::min<std::int64_t>(count, kCascades); ++i) add_to<kWidth>(sums, x + i * step);
    return;
  }
  const std::int64_t steps = count / kCascades;
  cascade<kWidth>(sums, x, kCascades * step, step, steps);
  for (std::int64_t i = steps * kCascades; i < count; ++i) add_to<kWidth>(sums, x + i * step);
  for (int k = 1; k < kCascades; ++k) add_to<kWidth>(sums, sums + k * kWidth);
}

/// In loops over many short sums: an interrupt is heard every thousand.
void look_now_and_then(std::int64_t round) {
  if (round % 1024 == 0) charge(0);
}

struct Plane {
  std::int64_t folded, kept;     // sizes; of two folded axes the second counts as kept
  std::int64_t step, kept_step;  // of x along them
  std::int64_t out_step;         // of the result along `kept`: 0 where that is folded, too
};

template <class T>
void add_contiguous_rows(const Plane& plane, const T* x, T* out) {
  constexpr int kWidth = kLanes<T>;
  const std::int64_t vectors = plane.folded / kWidth;
  for (std::int64_t j = 0; j < plane.kept; ++j, x += plane.kept_step, out += plane.out_step) {
    look_now_and_then(j);
    T lanes[kCascades * kWidth], sum{};
    add_row<kWidth>(lanes, x, kWidth, vectors);
    for (std::int64_t i = vectors * kWidth; i < plane.folded; ++i) sum += x[i];
    for (int lane = 0; lane < kWidth; ++lane) sum += lanes[lane];
    *out += sum;
  }
}

/// From result `j` on as many as fill kWidth at a time, with `in_fours` first four times as many.
template <int kWidth, class T>
void add_columns(const Plane& plane, const T* x, T* out, bool in_fours, std::int64_t& j) {
  T sums[kCascades * kWidth];
  std::int64_t round = 0;
  const auto give = [&](int count) {
    look_now_and_then(++round);
    for (int k = 0; k < count; ++k, ++j) out[j * plane.out_step] += sums[k];
  };
  while (in_fours && j + kCascades * kWidth <= plane.kept) {
    cascade<kWidth>(sums, x + j * plane.kept_step, plane.step, kWidth * plane.kept_step, plane.folded);
    give(kCascades * kWidth);
  }
  while (j + kWidth <= plane.kept) {
    add_row<kWidth>(sums, x + j * plane.kept_step, plane.step, plane.folded);
    give(kWidth);
  }
}

template <class T>
void add_plane(const Plane& plane, const T* x, T* out) {
  charge(plane.folded * plane.kept);
  if (plane.step == 1 && plane.folded >= kLanes<T>) return add_contiguous_rows(plane, x, out);
  const bool in_vectors = plane.kept_step == 1 && plane.kept >= kLanes<T>;
  std::int64_t j = 0;
  if (in_vectors) add_columns<kLanes<T>>(plane, x, out, true, j);
  add_columns<1>(plane, x, out, !in_vectors && plane.step >= plane.kept_step, j);
}

/// The axes of x, kept ones first and those that are nearest last, with the strides of x and of the result.
Walk plan_sum(const Tensor& x, const Fold& fold) {
  const bool drops_axes = fold.out_shape.size() < x.shape().size();
  Shape sizes[2], strides[2], out_strides[2];  // of kept and of folded axes
  for (std::size_t d = 0; d < x.shape().size(); ++d) {
    const bool is_folded = fold.out_strides[d] == 0 && (drops_axes || x.shape()[d] != 1);
    sizes[is_folded].push_back(x.shape()[d]);
    strides[is_folded].push_back(x.strides()[d]);
    out_strides[is_folded].push_back(fold.out_strides[d]);
  }
  Walk walk = plan_walk(sizes[0], {out_strides[0], strides[0]});
  const Walk folded = plan_walk(sizes[1], {strides[1]});
  walk.sizes.insert(walk.sizes.end(), folded.sizes.begin(), folded.sizes.end());
  walk.strides[0].resize(walk.sizes.size(), 0);
  walk.strides[1].insert(walk.strides[1].end(), folded.strides[0].begin(), folded.strides[0].end());
  return walk;
}

template <class T>
void add_planes(const Tensor& x, const Fold& fold, T* to) {
  Walk walk = plan_sum(x, fold);
  const auto take_last = [](Shape& list) {
    const std::int64_t last = list.back();
    list.pop_back();
    return last;
  };
  Plane plane{};
  plane.folded = take_last(walk.sizes), plane.kept = take_last(walk.sizes);
  plane.step = take_last(walk.strides[1]), plane.kept_step = take_last(walk.strides[1]);
  take_last(walk.strides[0]), plane.out_step = take_last(walk.strides[0]);
  if (walk.sizes.empty()) walk = {{1}, {{0}, {0}}};
  const T* const from = x.data<T>();
  const std::int64_t out_step = walk.strides[0].back(), step = walk.strides[1].back();
  for_each_row(walk, [&](const std::int64_t* at, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) add_plane(plane, from + at[1] + i * step, to + at[0] + i * out_step);
  });
}

template <class T>
Tensor sum_of(const Tensor& x, const Fold& fold, T divisor) {
  Tensor out = Tensor::empty(fold.out_shape, x.dtype());
  T* const to = out.mutable_data<T>();
  std::fill_n(to, out.numel(), T{});
  if (x.numel() > 0) add_planes(x, fold, to);
  for (std::int64_t i = 0; i < out.numel(); ++i) to[i] /= divisor;
  return out;
}

// Every 2^power losses their sum goes up a level, and so on. The place of an ignored one is passed over: what would go
// up there stays until the next.
template <class T>
T add_losses(const T* losses, const bool* ignored, std::int64_t count) {
  std::array<T, 8> levels{};
  const int bits = count > 1 ? static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count - 1))) : 0;
  const int power = std::max(4, bits / static_cast<int>(levels.size()));
  in_chunks(count, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      if (ignored && ignored[i]) continue;
      levels[0] += losses[i];
      std::int64_t place = i;
      for (std::size_t level = 0; level + 1 < levels.size() && place % (std::int64_t{1} << power) == 0; ++level) {
        levels[level + 1] += levels[level];
        levels[level] = 0;
        place >>= power;
      }
    }
  });
  return std::accumulate(levels.begin(), levels.end(), T{});
}

}  // namespace

Tensor sum_of_losses(const Tensor& losses, const Tensor* ignored) {
  const Tensor x = contiguous(losses), passed = ignored ? contiguous(*ignored) : Tensor();
  const bool* const marks = ignored ? passed.data<bool>() : nullptr;
  if (x.dtype() == DType::Float32)
    return full({}, Scalar(static_cast<double>(add_losses(x.data<float>(), marks, x.numel()))), x.dtype());
  return full({}, Scalar(add_losses(x.data<double>(), marks, x.numel())), x.dtype());
}

Tensor sum_in_order(const Tensor& x, const Fold& fold, std::int64_t divisor) {
  return x.dtype() == DType::Float32 ? sum_of(x, fold, static_cast<float>(divisor))
                                     : sum_of(x, fold, static_cast<double>(divisor));
}

}  // namespace attn
