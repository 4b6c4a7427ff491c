#include "tensor/ops/matmul.h"

#include <atomic>
#include <cmath>
#include <stdexcept>

#include "base/limits.h"
#include "tensor/core/parallel.h"
#include "tensor/kernels/kernels.h"
#include "tensor/ops/attention.h"
#include "tensor/ops/compare.h"
#include "tensor/ops/join.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/random.h"
#include "tests/tensor/outcome.h"

namespace attn {
namespace {

TEST(Matmul, shapes) {
  check_rows({
      {"torch.matmul(c((3,)), c((3,)))", [] { return matmul(counting({3}), counting({3})); }, "tensor(5.)"},
      {"torch.matmul(c((2, 3)), c((3, 2)))",
       [] {
         return matmul(counting({2, 3}), counting({3, 2}));
       },
       R"(tensor([[10., 13.],
        [28., 40.]]))"},
      {"torch.matmul(c((2, 3)), c((2, 3)).t())",
       [] {
         return matmul(counting({2, 3}), t(counting({2, 3})));
       },
       R"(tensor([[ 5., 14.],
        [14., 50.]]))"},
      {"torch.matmul(c((3, 2)).t(), c((2, 3)).t())",
       [] {
         return matmul(t(counting({3, 2})), t(counting({2, 3})));
       },
       R"(tensor([[10., 28.],
        [13., 40.]]))"},
      {"torch.matmul(c((3,)), c((3, 2)))",
       [] {
         return matmul(counting({3}), counting({3, 2}));
       },
       "tensor([10., 13.])"},
      {"torch.matmul(c((2, 3)), c((3,)))",
       [] {
         return matmul(counting({2, 3}), counting({3}));
       },
       "tensor([ 5., 14.])"},
      {"torch.matmul(c((2, 2, 3)), c((3,)))",
       [] {
         return matmul(counting({2, 2, 3}), counting({3}));
       },
       R"(tensor([[ 5., 14.],
        [23., 32.]]))"},
      {"torch.matmul(c((2,)), c((2, 2, 3)))",
       [] {
         return matmul(counting({2}), counting({2, 2, 3}));
       },
       R"(tensor([[ 3.,  4.,  5.],
        [ 9., 10., 11.]]))"},
      {"torch.matmul(c((2, 2, 3)), c((3, 2)))",
       [] {
         return matmul(counting({2, 2, 3}), counting({3, 2}));
       },
       R"(tensor([[[10., 13.],
         [28., 40.]],

        [[46., 67.],
         [64., 94.]]]))"},
      {"torch.matmul(c((2, 3)), c((2, 3, 2)))",
       [] {
         return matmul(counting({2, 3}), counting({2, 3, 2}));
       },
       R"(tensor([[[ 10.,  13.],
         [ 28.,  40.]],

        [[ 28.,  31.],
         [100., 112.]]]))"},
      {"torch.matmul(c((2, 1, 1, 3)), c((2, 3, 2)))",
       [] {
         return matmul(counting({2, 1, 1, 3}), counting({2, 3, 2}));
       },
       R"(tensor([[[[ 10.,  13.]],

         [[ 28.,  31.]]],


        [[[ 28.,  40.]],

         [[100., 112.]]]]))"},
      {"torch.matmul(c((2, 3, 2)).permute(1, 0, 2), c((3, 2, 1)))",
       [] {
         return matmul(permute(counting({2, 3, 2}), {1, 0, 2}), counting({3, 2, 1}));
       },
       R"(tensor([[[ 1.],
         [ 7.]],

        [[13.],
         [43.]],

        [[41.],
         [95.]]]))"},
      {"torch.matmul(c((1, 3)).expand(2, 3), c((3, 1)).expand(3, 2))",
       [] {
         return matmul(expand(counting({1, 3}), {2, 3}), expand(counting({3, 1}), {3, 2}));
       },
       R"(tensor([[5., 5.],
        [5., 5.]]))"},
      {"torch.matmul(c((2, 3), i64), c((3, 2), i64))",
       [] {
         return matmul(counting({2, 3}, DType::Int64), counting({3, 2}, DType::Int64));
       },
       R"(tensor([[10, 13],
        [28, 40]]))"},
      {"torch.matmul(c((2, 3), f64), c((3, 2), f64))",
       [] {
         return matmul(counting({2, 3}, DType::Float64), counting({3, 2}, DType::Float64));
       },
       R"(tensor([[10., 13.],
        [28., 40.]], dtype=torch.float64))"},
      {"torch.matmul(c((0, 3)), c((3, 2)))",
       [] {
         return matmul(counting({0, 3}), counting({3, 2}));
       },
       "tensor([], size=(0, 2))"},
      {"torch.matmul(c((2, 0)), c((0, 3)))",
       [] {
         return matmul(counting({2, 0}), counting({0, 3}));
       },
       R"(tensor([[0., 0., 0.],
        [0., 0., 0.]]))"},
      {"torch.matmul(c((0,)), c((0,)))", [] { return matmul(counting({0}), counting({0})); }, "tensor(0.)"},
      {"torch.matmul(c((0, 2, 3)), c((0, 3, 2)))",
       [] {
         return matmul(counting({0, 2, 3}), counting({0, 3, 2}));
       },
       "tensor([], size=(0, 2, 2))"},
      {"torch.mm(c((2, 3)), c((3, 1)))",
       [] {
         return mm(counting({2, 3}), counting({3, 1}));
       },
       R"(tensor([[ 5.],
        [14.]]))"},
      {"torch.bmm(c((2, 1, 3)), c((2, 3, 1)))",
       [] {
         return bmm(counting({2, 1, 3}), counting({2, 3, 1}));
       },
       R"(tensor([[[ 5.]],

        [[50.]]]))"},
      {"torch.dot(c((3,), i64), c((3,), i64))",
       [] { return dot(counting({3}, DType::Int64), counting({3}, DType::Int64)); }, "tensor(5)"},
  });
}

TEST(Matmul, errors_of_shape) {
  check_rows({
      {"torch.matmul(c((5, 8)), c((6, 8)))",
       [] {
         return matmul(counting({5, 8}), counting({6, 8}));
       },
       "RuntimeError: mat1 and mat2 shapes cannot be multiplied (5x8 and 6x8)"},
      {"torch.matmul(c((3,)), c((4,)))", [] { return matmul(counting({3}), counting({4})); },
       "RuntimeError: inconsistent tensor size, expected tensor [3] and src [4] to have the same number of elements, "
       "but got 3 and 4 elements respectively"},
      {"torch.matmul(c((3,)), c((4, 5)))",
       [] {
         return matmul(counting({3}), counting({4, 5}));
       },
       "RuntimeError: mat1 and mat2 shapes cannot be multiplied (1x3 and 4x5)"},
      {"torch.matmul(c((3, 4)), c((3,)))",
       [] {
         return matmul(counting({3, 4}), counting({3}));
       },
       "RuntimeError: size mismatch, got 3, 3x4,3"},
      {"torch.matmul(c((2, 4, 5)), c((4,)))",
       [] {
         return matmul(counting({2, 4, 5}), counting({4}));
       },
       "RuntimeError: size mismatch, got 8, 8x5,4"},
      {"torch.matmul(c((3,)), c((2, 4, 5)))",
       [] {
         return matmul(counting({3}), counting({2, 4, 5}));
       },
       "RuntimeError: size mismatch, got 10, 10x4,3"},
      {"torch.matmul(c((2, 4, 5)), c((6, 7)))",
       [] {
         return matmul(counting({2, 4, 5}), counting({6, 7}));
       },
       "RuntimeError: mat1 and mat2 shapes cannot be multiplied (8x5 and 6x7)"},
      {"torch.matmul(c((4, 5)), c((2, 6, 7)))",
       [] {
         return matmul(counting({4, 5}), counting({2, 6, 7}));
       },
       "RuntimeError: mat1 and mat2 shapes cannot be multiplied (14x6 and 5x4)"},
      {"torch.matmul(c((2, 3, 4)).permute(0, 2, 1), c((2, 5)))",
       [] {
         return matmul(permute(counting({2, 3, 4}), {0, 2, 1}), counting({2, 5}));
       },
       "RuntimeError: Expected size for first two dimensions of batch2 tensor to be: [2, 3] but got: [2, 2]."},
      {"torch.matmul(c((2, 3, 5, 4)), c((2, 3, 6, 4)))",
       [] {
         return matmul(counting({2, 3, 5, 4}), counting({2, 3, 6, 4}));
       },
       "RuntimeError: Expected size for first two dimensions of batch2 tensor to be: [6, 4] but got: [6, 6]."},
      {"torch.matmul(c((1, 2, 3)), c((7, 1, 4, 2)))",
       [] {
         return matmul(counting({1, 2, 3}), counting({7, 1, 4, 2}));
       },
       "RuntimeError: Expected size for first two dimensions of batch2 tensor to be: [7, 3] but got: [7, 4]."},
      {"torch.matmul(c((2, 3, 5, 4)), c((3, 3, 4, 6)))",
       [] {
         return matmul(counting({2, 3, 5, 4}), counting({3, 3, 4, 6}));
       },
       "RuntimeError: The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0"},
      {"torch.matmul(c(()), c((3,)))", [] { return matmul(counting({}), counting({3})); },
       "RuntimeError: both arguments to matmul need to be at least 1D, but they are 0D and 1D"},
      {"torch.matmul(c((3, 2)), c(()))",
       [] {
         return matmul(counting({3, 2}), counting({}));
       },
       "RuntimeError: both arguments to matmul need to be at least 1D, but they are 2D and 0D"},
      {"torch.mm(c((2, 3)), c((4, 5)))",
       [] {
         return mm(counting({2, 3}), counting({4, 5}));
       },
       "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)"},
      {"torch.mm(c((2, 3, 3)), c((4, 5)))",
       [] {
         return mm(counting({2, 3, 3}), counting({4, 5}));
       },
       "RuntimeError: self must be a matrix"},
      {"torch.mm(c((2, 3)), c((5,)))",
       [] {
         return mm(counting({2, 3}), counting({5}));
       },
       "RuntimeError: mat2 must be a matrix"},
      {"torch.bmm(c((2, 3)), c((4, 5)))",
       [] {
         return bmm(counting({2, 3}), counting({4, 5}));
       },
       "RuntimeError: batch1 must be a 3D tensor"},
      {"torch.bmm(c((2, 3, 4)), c((4, 5)))",
       [] {
         return bmm(counting({2, 3, 4}), counting({4, 5}));
       },
       "RuntimeError: batch2 must be a 3D tensor"},
      {"torch.bmm(c((2, 3, 4)), c((3, 4, 5)))",
       [] {
         return bmm(counting({2, 3, 4}), counting({3, 4, 5}));
       },
       "RuntimeError: Expected size for first two dimensions of batch2 tensor to be: [2, 4] but got: [3, 4]."},
      {"torch.bmm(c((2, 3, 4)), c((2, 3, 5)))",
       [] {
         return bmm(counting({2, 3, 4}), counting({2, 3, 5}));
       },
       "RuntimeError: Expected size for first two dimensions of batch2 tensor to be: [2, 4] but got: [2, 3]."},
      {"torch.dot(c((2,)), c((3,)))", [] { return dot(counting({2}), counting({3})); },
       "RuntimeError: inconsistent tensor size, expected tensor [2] and src [3] to have the same number of elements, "
       "but got 2 and 3 elements respectively"},
      {"torch.dot(c((2, 2)), c((3,)))",
       [] {
         return dot(counting({2, 2}), counting({3}));
       },
       "RuntimeError: 1D tensors expected, but got 2D and 1D tensors"},
  });
}

TEST(Matmul, errors_of_type) {
  check_rows({
      {"torch.matmul(c((5, 8), f64), c((8, 2)))",
       [] {
         return matmul(counting({5, 8}, DType::Float64), counting({8, 2}));
       },
       "RuntimeError: expected scalar type Double but found Float"},
      {"torch.matmul(c((5, 8)), c((8, 2), f64))",
       [] {
         return matmul(counting({5, 8}), counting({8, 2}, DType::Float64));
       },
       "RuntimeError: expected scalar type Float but found Double"},
      {"torch.matmul(c((5, 8), i64), c((8, 2)))",
       [] {
         return matmul(counting({5, 8}, DType::Int64), counting({8, 2}));
       },
       "RuntimeError: expected scalar type Long but found Float"},
      {"torch.matmul(c((4, 5)), c((2, 5, 7), f64))",
       [] {
         return matmul(counting({4, 5}), counting({2, 5, 7}, DType::Float64));
       },
       "RuntimeError: expected scalar type Double but found Float"},
      {"torch.matmul(c((8,)), c((8,), i64))", [] { return matmul(counting({8}), counting({8}, DType::Int64)); },
       "RuntimeError: dot : expected both vectors to have same dtype, but found Float and Long"},
      {"torch.matmul(c((8,), bl), c((8,), bl))",
       [] { return matmul(counting({8}, DType::Bool), counting({8}, DType::Bool)); },
       R"(RuntimeError: "dot" not implemented for 'Bool')"},
      {"torch.matmul(c((3, 8), bl), c((8,), bl))",
       [] {
         return matmul(counting({3, 8}, DType::Bool), counting({8}, DType::Bool));
       },
       R"(RuntimeError: "addmv_impl_cpu" not implemented for 'Bool')"},
      {"torch.matmul(c((5, 8), bl), c((8, 2), bl))",
       [] {
         return matmul(counting({5, 8}, DType::Bool), counting({8, 2}, DType::Bool));
       },
       R"(RuntimeError: "addmm_impl_cpu_" not implemented for 'Bool')"},
      {"torch.bmm(c((2, 3, 8), bl), c((2, 8, 3), bl))",
       [] {
         return bmm(counting({2, 3, 8}, DType::Bool), counting({2, 8, 3}, DType::Bool));
       },
       R"(RuntimeError: "bmm" not implemented for 'Bool')"},
      {"torch.bmm(c((2, 3, 8)), c((2, 8, 3), f64))",
       [] {
         return bmm(counting({2, 3, 8}), counting({2, 8, 3}, DType::Float64));
       },
       "RuntimeError: expected scalar type Float but found Double"},
      {"torch.bmm(c((2, 30, 8)), c((2, 8, 30), f64))",
       [] {
         return bmm(counting({2, 30, 8}), counting({2, 8, 30}, DType::Float64));
       },
       "RuntimeError: expected scalar type Double but found Float"},
      {"torch.matmul(c((3,)), c((4,), f64))", [] { return matmul(counting({3}), counting({4}, DType::Float64)); },
       "RuntimeError: dot : expected both vectors to have same dtype, but found Float and Double"},
      {"torch.matmul(c((2, 3)), c((4, 5), f64))",
       [] {
         return matmul(counting({2, 3}), counting({4, 5}, DType::Float64));
       },
       "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)"},
  });
}

TEST(Linear, is_x_times_w_transposed) {
  check_rows({
      {"F.linear(c((2, 3)), c((2, 3)))",
       [] {
         return linear(counting({2, 3}), counting({2, 3}), {});
       },
       R"(tensor([[ 5., 14.],
        [14., 50.]]))"},
      {"F.linear(c((2, 3)), c((2, 3)), c((2,)))",
       [] {
         return linear(counting({2, 3}), counting({2, 3}), counting({2}));
       },
       R"(tensor([[ 5., 15.],
        [14., 51.]]))"},
      {"F.linear(c((2, 3)), c((2, 3)), c((1,)))",
       [] {
         return linear(counting({2, 3}), counting({2, 3}), counting({1}));
       },
       R"(tensor([[ 5., 14.],
        [14., 50.]]))"},
      {"F.linear(c((3,)), c((2, 3)), c((2,)))",
       [] {
         return linear(counting({3}), counting({2, 3}), counting({2}));
       },
       "tensor([ 5., 15.])"},
      {"F.linear(c((1, 2, 3)), c((2, 3)), c((2,)))",
       [] {
         return linear(counting({1, 2, 3}), counting({2, 3}), counting({2}));
       },
       R"(tensor([[[ 5., 15.],
         [14., 51.]]]))"},
      {"F.linear(c((2, 3, 2)).permute(0, 2, 1), c((2, 3)), c((2,)))",
       [] {
         return linear(permute(counting({2, 3, 2}), {0, 2, 1}), counting({2, 3}), counting({2}));
       },
       R"(tensor([[[ 10.,  29.],
         [ 13.,  41.]],

        [[ 28., 101.],
         [ 31., 113.]]]))"},
      {"F.linear(c((2, 0, 3)), c((4, 3)), c((4,)))",
       [] {
         return linear(counting({2, 0, 3}), counting({4, 3}), counting({4}));
       },
       "tensor([], size=(2, 0, 4))"},
      {"F.linear(c((2, 0)), c((3, 0)), c((3,)))",
       [] {
         return linear(counting({2, 0}), counting({3, 0}), counting({3}));
       },
       R"(tensor([[0., 1., 2.],
        [0., 1., 2.]]))"},
      {"F.linear(c((2, 3)), c((3,)))",
       [] {
         return linear(counting({2, 3}), counting({3}), {});
       },
       "tensor([ 5., 14.])"},
      {"F.linear(c((2, 3), i64), c((2, 3), i64), c((2,), i64))",
       [] {
         return linear(counting({2, 3}, DType::Int64), counting({2, 3}, DType::Int64), counting({2}, DType::Int64));
       },
       R"(tensor([[ 5, 15],
        [14, 51]]))"},
      {"F.linear(c((2, 3)), c((4, 5)))",
       [] {
         return linear(counting({2, 3}), counting({4, 5}), {});
       },
       "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 5x4)"},
      {"F.linear(c((2, 2, 3)), c((4, 5)), c((4,)))",
       [] {
         return linear(counting({2, 2, 3}), counting({4, 5}), counting({4}));
       },
       "RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x3 and 5x4)"},
      {"F.linear(c((2,)), c((4, 3)), c((4,)))",
       [] {
         return linear(counting({2}), counting({4, 3}), counting({4}));
       },
       "RuntimeError: mat1 and mat2 shapes cannot be multiplied (1x2 and 3x4)"},
      {"F.linear(c((2, 3)), c((4, 3)), c((5,)))",
       [] {
         return linear(counting({2, 3}), counting({4, 3}), counting({5}));
       },
       "RuntimeError: The expanded size of the tensor (4) must match the existing size (5) at non-singleton dimension "
       "1.  Target sizes: [2, 4].  Tensor sizes: [5]"},
      {"F.linear(c((3,)), c((4, 3)), c((5,)))",
       [] {
         return linear(counting({3}), counting({4, 3}), counting({5}));
       },
       "RuntimeError: The size of tensor a (4) must match the size of tensor b (5) at non-singleton dimension 0"},
      {"F.linear(c((2, 3)), c((3,)), c((1,)))",
       [] {
         return linear(counting({2, 3}), counting({3}), counting({1}));
       },
       "RuntimeError: mat2 must be a matrix, got 1-D tensor"},
      {"F.linear(c((2, 3)), c((2, 4, 3)))",
       [] {
         return linear(counting({2, 3}), counting({2, 4, 3}), {});
       },
       "RuntimeError: t() expects a tensor with <= 2 dimensions, but self is 3D"},
      {"F.linear(c(()), c((4, 3)))",
       [] {
         return linear(counting({}), counting({4, 3}), {});
       },
       "RuntimeError: both arguments to matmul need to be at least 1D, but they are 0D and 2D"},
      {"F.linear(c((2, 3), f64), c((4, 3)))",
       [] {
         return linear(counting({2, 3}, DType::Float64), counting({4, 3}), {});
       },
       "RuntimeError: expected scalar type Double but found Float"},
      {"F.linear(c((2, 3), f64), c((4, 3)), c((4,)))",
       [] {
         return linear(counting({2, 3}, DType::Float64), counting({4, 3}), counting({4}));
       },
       "RuntimeError: mat1 and mat2 must have the same dtype"},
      {"F.linear(c((2, 3)), c((4, 3)), c((4,), f64))",
       [] {
         return linear(counting({2, 3}), counting({4, 3}), counting({4}, DType::Float64));
       },
       "RuntimeError: self and mat2 must have the same dtype"},
  });
}

struct Sizes {
  std::int64_t rows, depth, cols;
};

// Around both kernels and their edges: fewer rows or columns than a block, one, tails, many tiles, above 2^20. Blocks
// of the large one are six rows, up to 64 columns and 128 or 256 deep; rows that lie whole pages apart are copied.
const std::vector<Sizes> kSizes = {{1, 1, 1},      {5, 7, 3},      {3, 100, 21},    {33, 65, 17},   {2, 3000, 300},
                                   {64, 128, 127}, {64, 128, 128}, {130, 65, 1100}, {4, 70000, 5},  {1500, 9, 100},
                                   {102, 256, 64}, {101, 257, 65}, {103, 255, 63},  {6, 513, 400},  {203, 100, 77},
                                   {65, 600, 33},  {101, 129, 65}, {70, 1024, 40},  {130, 2048, 48}};

Tensor column_major(const Tensor& x) { return t(contiguous(t(x))); }
Tensor every_second_column(const Tensor& x) {
  Tensor wide = zeros({x.size(0), 2 * x.size(1)});
  Tensor view = slice(wide, 1, 0, {}, 2);
  assign(view, x);
  return view;
}

TEST(Matmul, layout_and_threads_change_no_bit) {
  Generator generator(3);
  for (const Sizes& s : kSizes) {
    const Tensor a = randn({s.rows, s.depth}, generator);
    const Tensor b = randn({s.depth, s.cols}, generator);
    const Tensor expected = mm(a, b);
    const std::string sizes = shape_text({s.rows, s.depth, s.cols});
    set_threads(3);
    EXPECT_TRUE(equal(mm(a, b), expected)) << sizes;
    set_threads(1);
    EXPECT_TRUE(equal(mm(column_major(a), b), expected)) << sizes;
    EXPECT_TRUE(equal(mm(a, column_major(b)), expected)) << sizes;
    EXPECT_TRUE(equal(mm(every_second_column(a), every_second_column(b)), expected)) << sizes;
    const Tensor batch = matmul(stack({a, a, a}), b);
    EXPECT_TRUE(equal(select(batch, 0, 2), expected)) << sizes;
  }
}

// The largest distance of an element of a b from its definition, in float64, one product after the other.
template <class T>
double error_of_product(const Tensor& a, const Tensor& b) {
  const Tensor product = mm(a, b);
  const std::int64_t rows = a.size(0), depth = a.size(1), cols = b.size(1);
  double worst = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    std::vector<double> sums(static_cast<std::size_t>(cols));
    for (std::int64_t k = 0; k < depth; ++k) {
      const auto left = static_cast<double>(a.data<T>()[i * depth + k]);
      for (std::int64_t j = 0; j < cols; ++j)
        sums[static_cast<std::size_t>(j)] += left * static_cast<double>(b.data<T>()[k * cols + j]);
    }
    for (std::int64_t j = 0; j < cols; ++j)
      worst = std::max(
          worst, std::abs(static_cast<double>(product.data<T>()[i * cols + j]) - sums[static_cast<std::size_t>(j)]));
  }
  return worst;
}

TEST(Matmul, every_element_is_right) {
  Generator generator(4);
  for (const Sizes& s : kSizes) {
    const Tensor a = randn({s.rows, s.depth}, generator), b = randn({s.depth, s.cols}, generator);
    const std::string sizes = shape_text({s.rows, s.depth, s.cols});
    // Partial sums grow as the square root of their terms, and so do the sums of their errors of rounding.
    const double units = 4 * static_cast<double>(s.depth) + 64;
    EXPECT_LT(error_of_product<float>(a, b), units * 0x1p-24) << sizes;
    EXPECT_LT(error_of_product<double>(cast(a, DType::Float64), cast(b, DType::Float64)), units * 0x1p-53) << sizes;
  }
}

// What is not finite stays in its row or column, though rows and columns are computed in blocks.
TEST(Matmul, nan_and_infinity_stay_where_they_are) {
  for (const Sizes& s : {Sizes{5, 7, 9}, Sizes{103, 257, 65}}) {
    Tensor a = ones({s.rows, s.depth}), b = ones({s.depth, s.cols});
    a.mutable_data<float>()[1 * s.depth + 3] = kNaN;
    a.mutable_data<float>()[(s.rows - 1) * s.depth] = kInf;
    b.mutable_data<float>()[(s.depth - 1) * s.cols + s.cols - 1] = -kInf;
    const Tensor product = mm(a, b);
    for (std::int64_t i = 0; i < s.rows; ++i)
      for (std::int64_t j = 0; j < s.cols; ++j) {
        const float value = product.data<float>()[i * s.cols + j];
        const bool in_last_row = i == s.rows - 1, in_last_col = j == s.cols - 1;
        if (i == 1 || (in_last_row && in_last_col)) EXPECT_TRUE(std::isnan(value)) << i << ' ' << j;
        else if (in_last_row) EXPECT_EQ(value, kInf) << j;
        else EXPECT_EQ(value, in_last_col ? -kInf : static_cast<float>(s.depth)) << i << ' ' << j;
      }
  }
}

// Rows of a product are those of their own product: how many are computed side by side changes no bit.
TEST(Matmul, large_products_do_not_depend_on_their_other_rows) {
  Generator generator(5);
  const Tensor a = randn({700, 300}, generator), b = randn({300, 700}, generator), product = mm(a, b);
  for (const std::int64_t first : {0, 1, 5, 511, 600})
    EXPECT_TRUE(equal(mm(slice(a, 0, first, first + 100), b), slice(product, 0, first, first + 100))) << first;
  EXPECT_TRUE(equal(mm(a, slice(b, 1, 100, 133)), slice(product, 1, 100, 133)));
}

// 2^24 + 1 + 1 + 1 + 1 from the left stays 2^24 in float32; added from the right, or in double, it would not.
TEST(Matmul, small_products_add_from_the_left) {
  const Tensor a = floats({0x1p24F, 1, 1, 1, 1}, {1, 5});
  const Tensor b = ones({5, 20});
  EXPECT_EQ(mm(a, b).data<float>()[19], 0x1p24F);
  EXPECT_EQ(mm(t(b), t(a)).data<float>()[19], 0x1p24F);
}

TEST(Matmul, integers_wrap_around) {
  const Tensor a = full({1, 2}, std::int64_t{1} << 62, DType::Int64);
  EXPECT_EQ(mm(a, full({2, 1}, std::int64_t{2}, DType::Int64)).data<std::int64_t>()[0], 0);
}

TEST(Matmul, facts_are_the_sizes_that_differ) {
  try {
    matmul(counting({2, 3, 5, 4}), counting({2, 3, 6, 4}));
    FAIL();
  } catch (const TensorError& error) {
    EXPECT_EQ(error.rule(), "matmul.inner");
    const std::vector<Fact> expected = {{"left", 4}, {"right", 6}};
    EXPECT_EQ(error.facts(), expected);
  }
}

TEST(Matmul, charges_its_multiply_adds_and_can_be_interrupted) {
  const LimitScope scope({.max_work = 1'000'000});
  const std::int64_t before = work_done();
  matmul(counting({2, 3, 4}), counting({4, 5}));
  EXPECT_EQ(work_done() - before, 2 * 3 * 4 * 5);
  EXPECT_THROW(mm(counting({101, 100}), counting({100, 100})), LimitReached);
  request_interrupt();
  EXPECT_THROW(mm(counting({2, 2}), counting({2, 2})), LimitReached);
  clear_interrupt();
}

// How often an interrupt is looked for.
template <class F>
std::int64_t looks_during(F&& f) {
  std::int64_t looks = 0;
  counted_looks = &looks;
  request_interrupt();
  f();
  clear_interrupt();
  counted_looks = nullptr;
  return looks;
}

// However deep a tile is: where numbers are denormal, a slice of it takes a tenth of a second.
TEST(Matmul, large_products_look_at_the_interrupt_at_each_slice) {
  const std::int64_t depth = 50'000;
  for (const DType dtype : {DType::Float32, DType::Float64}) {
    const Tensor a = ones({64, depth}, dtype);
    EXPECT_GE(looks_during([&] { mm(a, t(a)); }), depth / 256);
  }
  const Tensor q = ones({512, 8}), k = ones({depth, 8});
  EXPECT_GE(looks_during([&] { attention_in_tiles(q, k, k, {}); }), depth / kAttentionKeys);
}

TEST(Jobs, run_once_each_and_the_first_failure_is_thrown) {
  std::vector<std::atomic<int>> runs(1000);
  run_jobs(1000, 4, [&]() -> Worker {
    return [&](std::int64_t job, const StopCheck&) { ++runs[static_cast<std::size_t>(job)]; };
  });
  for (const std::atomic<int>& count : runs) EXPECT_EQ(count, 1);
  const auto failing = []() -> Worker {
    return [](std::int64_t job, const StopCheck&) {
      if (job == 17) throw std::runtime_error("job 17");
    };
  };
  EXPECT_THROW(run_jobs(1000, 4, failing), std::runtime_error);
  EXPECT_THROW(run_jobs(1000, 1, failing), std::runtime_error);
}

}  // namespace
}  // namespace attn
