#pragma once
// The loops of pointwise ops: map makes each element of a new tensor from one operand, zip from two.
//
// A function object gets values of the operand's C++ type, its result type is the element type of the new tensor. Rows
// that lie contiguous in all tensors, or where one operand is a single number, have loops that a compiler vectorises.
#include <type_traits>

#include "tensor/core/walk.h"

namespace attn {

template <class T>
struct Strided {
  T* data;
  std::int64_t step;
};

template <class Out, class A, class F>
void map_row(Strided<Out> out, Strided<const A> a, std::int64_t count, F f) {
  Out* __restrict to = out.data;
  const A* from = a.data;
  if (out.step == 1 && a.step == 1) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = f(from[i]);
  } else {
    for (std::int64_t i = 0; i < count; ++i) to[i * out.step] = f(from[i * a.step]);
  }
}

template <class Out, class A, class B, class F>
void zip_row(Strided<Out> out, Strided<const A> a, Strided<const B> b, std::int64_t count, F f) {
  Out* __restrict to = out.data;
  const A* left = a.data;
  const B* right = b.data;
  if (out.step == 1 && a.step == 1 && b.step == 1) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = f(left[i], right[i]);
  } else if (out.step == 1 && a.step == 1 && b.step == 0) {
    const B number = *right;
    for (std::int64_t i = 0; i < count; ++i) to[i] = f(left[i], number);
  } else if (out.step == 1 && a.step == 0 && b.step == 1) {
    const A number = *left;
    for (std::int64_t i = 0; i < count; ++i) to[i] = f(number, right[i]);
  } else {
    for (std::int64_t i = 0; i < count; ++i) to[i * out.step] = f(left[i * a.step], right[i * b.step]);
  }
}

/// Fills `out`, to whose shape x broadcasts. They must not share storage.
template <class Out, class A, class F>
void map_into(Tensor& out, const Tensor& x, F f) {
  const Walk walk = plan_walk(out.shape(), {out.strides(), broadcast_strides(x, out.shape())});
  Out* to = out.mutable_data<Out>();
  const A* from = x.data<A>();
  for_each_row(walk, [&](const std::int64_t* at, std::int64_t count) {
    map_row<Out, A>({to + at[0], walk.strides[0].back()}, {from + at[1], walk.strides[1].back()}, count, f);
  });
}

/// A new tensor of f(element); x has elements of type A.
template <class A, class F>
Tensor map(const Tensor& x, F f) {
  using Out = std::invoke_result_t<F, A>;
  Tensor out = empty_strided(x.shape(), dtype_of<Out>, result_strides(x.shape(), {&x}));
  map_into<Out, A>(out, x, f);
  return out;
}

/// Two operands that broadcast, with elements of one type, and where their result lies: make_pair() (pointwise.h).
struct OperandPair {
  Tensor a, b;
  Shape shape, strides;
};

/// The new tensor of a pair, to be filled, and how it and the operands are walked.
struct ZipPlan {
  Tensor out;
  Walk walk;
};
ZipPlan plan_zip(const OperandPair& pair, DType dtype);

/// A new tensor of f(a, b); the pair has elements of type T.
template <class T, class F>
Tensor zip(const OperandPair& pair, F f) {
  using Out = std::invoke_result_t<F, T, T>;
  ZipPlan plan = plan_zip(pair, dtype_of<Out>);
  Out* const data = plan.out.mutable_data<Out>();
  const T* const left = pair.a.data<T>();
  const T* const right = pair.b.data<T>();
  const std::vector<Shape>& strides = plan.walk.strides;
  for_each_row(plan.walk, [&](const std::int64_t* at, std::int64_t count) {
    zip_row<Out, T, T>({data + at[0], strides[0].back()}, {left + at[1], strides[1].back()},
                       {right + at[2], strides[2].back()}, count, f);
  });
  return plan.out;
}

}  // namespace attn
