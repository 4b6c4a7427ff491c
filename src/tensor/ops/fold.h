#pragma once
// The one loop of every op that folds axes: which elements of x meet in which element of the result, and in what order.
// Elements that meet come in row-major order of x, whatever its strides.
#include "tensor/core/tensor.h"
#include "tensor/core/walk.h"
#include "tensor/core/work.h"

namespace attn {

struct Fold {
  Shape out_shape;
  Shape out_strides;           // of the (contiguous) result, along x's axes: 0 along folded ones
  Shape number_strides;        // the number of an element among those it meets, along x's axes: 0 along kept ones
  std::int64_t group = 1;      // how many elements meet
  bool rows_in_a_row = false;  // x is contiguous and its last axes are folded: groups lie one after the other
};

/// `dims` empty folds all axes.
///   Errors: IndexError for an axis that x does not have; RuntimeError "dim 0 appears multiple times in the list of
///   dims".
Fold plan_fold(const Tensor& x, const Shape& dims, bool keepdim);

/// The sums of floats in x's type, added in PyTorch's order (docs/numbers.md), and each divided.
Tensor sum_in_order(const Tensor& x, const Fold& fold, std::int64_t divisor = 1);

// Not inlined: beside the call of charge() g++ 12 would keep the sum in memory, at three times the cost.
template <class T, class Acc, class Step>
[[gnu::noinline]] Acc fold_run(const T* x, std::int64_t count, std::int64_t o, Acc sum, const Step& step) {
  for (std::int64_t i = 0; i < count; ++i) sum = step(sum, x[i], o);
  return sum;
}

template <class T, class Acc, class Step>
void fold_row(const T* x, std::int64_t group, std::int64_t o, Acc* acc, const Step& step) {
  const T* row = x + o * group;
  in_chunks(group, [&](std::int64_t begin, std::int64_t end) {
    acc[o] = fold_run(row + begin, end - begin, o, acc[o], step);
  });
}

// Four rows side by side: the processor need not wait for one addition to begin the next. Short rows only, for they are
// charged as a whole.
template <class T, class Acc, class Step>
void fold_four_rows(const T* x, std::int64_t group, std::int64_t o, Acc* acc, Step&& step) {
  charge(4 * group);
  Acc a = acc[o], b = acc[o + 1], c = acc[o + 2], d = acc[o + 3];
  const T* row = x + o * group;
  for (std::int64_t i = 0; i < group; ++i) {
    a = step(a, row[i], o);
    b = step(b, row[i + group], o + 1);
    c = step(c, row[i + 2 * group], o + 2);
    d = step(d, row[i + 3 * group], o + 3);
  }
  acc[o] = a, acc[o + 1] = b, acc[o + 2] = c, acc[o + 3] = d;
}

template <class T, class Acc, class Step>
void fold_rows(const T* x, std::int64_t groups, std::int64_t group, Acc* acc, Step&& step) {
  std::int64_t o = 0;
  if (group <= kWorkChunk)
    for (; o + 4 <= groups; o += 4) fold_four_rows(x, group, o, acc, step);
  for (; o < groups; ++o) fold_row(x, group, o, acc, step);
}

/// acc[o] = step(acc[o], element, o) for every element of x, where o is its place in the result.
template <class T, class Acc, class Step>
void fold_into(const Tensor& x, const Fold& fold, Acc* acc, Step&& step) {
  const T* in = x.data<T>();
  if (fold.rows_in_a_row) return fold_rows(in, numel_of(fold.out_shape), fold.group, acc, step);
  // The first strides are there to have the axes walked in x's own order.
  const Walk walk = plan_walk(x.shape(), {contiguous_strides(x.shape()), x.strides(), fold.out_strides});
  const std::int64_t in_step = walk.strides[1].back();
  const std::int64_t out_step = walk.strides[2].back();
  for_each_row(walk, [&](const std::int64_t* at, std::int64_t count) {
    const T* from = in + at[1];
    const std::int64_t o = at[2];
    if (out_step == 0) {
      Acc sum = acc[o];
      for (std::int64_t i = 0; i < count; ++i) sum = step(sum, from[i * in_step], o);
      acc[o] = sum;
    } else {
      for (std::int64_t i = 0; i < count; ++i)
        acc[o + i * out_step] = step(acc[o + i * out_step], from[i * in_step], o + i * out_step);
    }
  });
}

}  // namespace attn
