#pragma once
// One line of a table of expectations: what an op says of its operands, as the text that Python would show.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tensor/core/error.h"
#include "tensor/core/print.h"
#include "tensor/ops/create.h"

namespace attn {

/// repr() of the result, or "RuntimeError: text".
inline std::string outcome_of(const std::function<Tensor()>& compute) {
  try {
    return tensor_repr(compute());
  } catch (const TensorError& error) {
    return error.type() + ": " + error.what();
  }
}

struct OutcomeRow {
  const char* code;  // what was run in PyTorch 1.13.1
  std::function<Tensor()> compute;
  const char* expected;
};

inline void check_rows(const std::vector<OutcomeRow>& rows) {
  for (const OutcomeRow& row : rows) EXPECT_EQ(outcome_of(row.compute), row.expected) << row.code;
}

inline constexpr float kInf = std::numeric_limits<float>::infinity();
inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

inline Scalar whole(std::int64_t number) { return number; }

inline Tensor floats(std::vector<float> values, Shape shape) { return Tensor::from(values, std::move(shape)); }
inline Tensor doubles(std::vector<double> values, Shape shape) { return Tensor::from(values, std::move(shape)); }
inline Tensor ints(std::vector<std::int64_t> values, Shape shape) { return Tensor::from(values, std::move(shape)); }
inline Tensor bools(std::vector<bool> values, Shape shape) { return Tensor::from(values, std::move(shape)); }

/// 0, 1, 2, ... in row-major order.
inline Tensor counting(const Shape& shape, DType dtype = DType::Float32) {
  Tensor result = Tensor::empty(shape, dtype);
  dispatch(dtype, [&]<class T>(T) {
    T* out = result.mutable_data<T>();
    for (std::int64_t i = 0; i < result.numel(); ++i) out[i] = static_cast<T>(i);
  });
  return result;
}

/// What the tables call x and s0.
inline Tensor x() { return counting({2, 3, 4}); }
inline Tensor s0() { return Tensor::scalar(5.0F); }

/// Strides and offset.
inline Tensor strides(const Tensor& result) {
  Shape numbers = result.strides();
  numbers.push_back(result.offset());
  return Tensor::from(numbers, {static_cast<std::int64_t>(numbers.size())});
}

}  // namespace attn
