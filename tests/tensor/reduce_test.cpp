#include "tensor/ops/reduce.h"

#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/limits.h"
#include "tensor/ops/compare.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/moments.h"
#include "tensor/ops/norms.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/random.h"
#include "tests/tensor/hash.h"
#include "tests/tensor/outcome.h"

namespace attn {
namespace {

TEST(Reduce, sums_and_means) {
  check_rows({
      {"c((2, 3)).sum()",
       [] {
         return sum(counting({2, 3}));
       },
       "tensor(15.)"},
      {"c((2, 3)).sum(0)",
       [] {
         return sum(counting({2, 3}), {0});
       },
       "tensor([3., 5., 7.])"},
      {"c((2, 3)).sum(-1, keepdim=True)",
       [] {
         return sum(counting({2, 3}), {-1}, true);
       },
       R"(tensor([[ 3.],
        [12.]]))"},
      {"c((2, 3, 4)).sum((0, 2))",
       [] {
         return sum(counting({2, 3, 4}), {0, 2});
       },
       "tensor([ 60.,  92., 124.])"},
      {"c((2, 3, 4)).sum((0, 2), keepdim=True)",
       [] {
         return sum(counting({2, 3, 4}), {0, 2}, true);
       },
       R"(tensor([[[ 60.],
         [ 92.],
         [124.]]]))"},
      {"c((2, 3, 4)).permute(2, 0, 1).sum(1)",
       [] {
         return sum(permute(counting({2, 3, 4}), {2, 0, 1}), {1});
       },
       R"(tensor([[12., 20., 28.],
        [14., 22., 30.],
        [16., 24., 32.],
        [18., 26., 34.]]))"},
      {"c((9, 5)).sum(1)",
       [] {
         return sum(counting({9, 5}), {1});
       },
       "tensor([ 10.,  35.,  60.,  85., 110., 135., 160., 185., 210.])"},
      {"c((1, 4)).expand(3, 4).sum(0)",
       [] {
         return sum(expand(counting({1, 4}), {3, 4}), {0});
       },
       "tensor([0., 3., 6., 9.])"},
      {"b([1, 0, 1], (3,)).sum()",
       [] {
         return sum(bools({true, false, true}, {3}));
       },
       "tensor(2)"},
      {"i([2**62, 2**62, 2**62], (3,)).sum()",
       [] {
         return sum(ints({4611686018427387904, 4611686018427387904, 4611686018427387904}, {3}));
       },
       "tensor(-4611686018427387904)"},
      {"d([0.1, 0.2], (2,)).sum()",
       [] {
         return sum(doubles({0.1, 0.2}, {2}));
       },
       "tensor(0.3000, dtype=torch.float64)"},
      {"f([inf, -inf], (2,)).sum()",
       [] {
         return sum(floats({kInf, -kInf}, {2}));
       },
       "tensor(nan)"},
      {"c((0, 3)).sum(0)",
       [] {
         return sum(counting({0, 3}), {0});
       },
       "tensor([0., 0., 0.])"},
      {"c((0, 3)).sum(1)",
       [] {
         return sum(counting({0, 3}), {1});
       },
       "tensor([])"},
      {"c((2, 3)).sum(2)",
       [] {
         return sum(counting({2, 3}), {2});
       },
       "IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 2)"},
      {"c((2, 3)).sum((0, -2))",
       [] {
         return sum(counting({2, 3}), {0, -2});
       },
       "RuntimeError: dim 0 appears multiple times in the list of dims"},
      {"c((2, 3)).mean()",
       [] {
         return mean(counting({2, 3}));
       },
       "tensor(2.5000)"},
      {"c((2, 3)).mean(-1)",
       [] {
         return mean(counting({2, 3}), {-1});
       },
       "tensor([1., 4.])"},
      {"c((0, 3)).mean(0)",
       [] {
         return mean(counting({0, 3}), {0});
       },
       "tensor([nan, nan, nan])"},
      {"c((3,), i64).mean()", [] { return mean(counting({3}, DType::Int64)); },
       "RuntimeError: mean(): could not infer output dtype. Input dtype must be either a floating point or complex "
       "dtype. Got: Long"},
      {"c((3,), bl).mean(0)", [] { return mean(counting({3}, DType::Bool), {0}); },
       "RuntimeError: mean(): could not infer output dtype. Input dtype must be either a floating point or complex "
       "dtype. Got: Bool"},
      {"f([1, 2, 3, 4], (2, 2)).prod()",
       [] {
         return prod(floats({1.0F, 2.0F, 3.0F, 4.0F}, {2, 2}));
       },
       "tensor(24.)"},
      {"i([1, 2, 3, 4], (2, 2)).prod(0, keepdim=True)",
       [] {
         return prod(ints({1, 2, 3, 4}, {2, 2}), 0, true);
       },
       "tensor([[3, 8]])"},
      {"c((0, 3)).prod(0)",
       [] {
         return prod(counting({0, 3}), 0);
       },
       "tensor([1., 1., 1.])"},
  });
}

TEST(Reduce, variance) {
  check_rows({
      {"f([1, 2, 4, 8], (4,)).var()",
       [] {
         return var(floats({1.0F, 2.0F, 4.0F, 8.0F}, {4}));
       },
       "tensor(9.5833)"},
      {"f([1, 2, 4, 8], (4,)).var(unbiased=False)",
       [] {
         return var(floats({1.0F, 2.0F, 4.0F, 8.0F}, {4}), {}, false);
       },
       "tensor(7.1875)"},
      {"f([1, 2, 4, 8], (2, 2)).std(1, keepdim=True)",
       [] {
         return std_dev(floats({1.0F, 2.0F, 4.0F, 8.0F}, {2, 2}), {1}, true, true);
       },
       R"(tensor([[0.7071],
        [2.8284]]))"},
      {"f([1, 2, 4, 8], (2, 2)).t().std(0, unbiased=False)",
       [] {
         return std_dev(t(floats({1.0F, 2.0F, 4.0F, 8.0F}, {2, 2})), {0}, false);
       },
       "tensor([0.5000, 2.0000])"},
      {"c((1,)).var()", [] { return var(counting({1})); }, "tensor(nan)"},
      {"c((1,)).var(unbiased=False)", [] { return var(counting({1}), {}, false); }, "tensor(0.)"},
      {"c((0, 3)).std(0)",
       [] {
         return std_dev(counting({0, 3}), {0});
       },
       "tensor([nan, nan, nan])"},
      {"f([inf, 1], (2,)).var()",
       [] {
         return var(floats({kInf, 1.0F}, {2}));
       },
       "tensor(nan)"},
      {"c((3,), i64).var()", [] { return var(counting({3}, DType::Int64)); },
       "RuntimeError: std and var only support floating point and complex dtypes"},
  });
}

TEST(Reduce, extremes) {
  check_rows({
      {"f([1, nan, 3, nan], (4,)).max(0)[0]",
       [] {
         return max(floats({1.0F, kNaN, 3.0F, kNaN}, {4}), 0).values;
       },
       "tensor(nan)"},
      {"f([1, nan, 3, nan], (4,)).max(0)[1]",
       [] {
         return max(floats({1.0F, kNaN, 3.0F, kNaN}, {4}), 0).indices;
       },
       "tensor(1)"},
      {"f([1, 3, 3, 1], (4,)).max(0)[1]",
       [] {
         return max(floats({1.0F, 3.0F, 3.0F, 1.0F}, {4}), 0).indices;
       },
       "tensor(1)"},
      {"f([1, 3, 3, 1], (4,)).min(0)[1]",
       [] {
         return min(floats({1.0F, 3.0F, 3.0F, 1.0F}, {4}), 0).indices;
       },
       "tensor(0)"},
      {"i([3, 1, 2, 5, 9, 0], (2, 3)).max(0)[0]",
       [] {
         return max(ints({3, 1, 2, 5, 9, 0}, {2, 3}), 0).values;
       },
       "tensor([5, 9, 2])"},
      {"i([3, 1, 2, 5, 9, 0], (2, 3)).max(0)[1]",
       [] {
         return max(ints({3, 1, 2, 5, 9, 0}, {2, 3}), 0).indices;
       },
       "tensor([1, 1, 0])"},
      {"i([3, 1, 2, 5, 9, 0], (2, 3)).t().min(-1, keepdim=True)[1]",
       [] {
         return min(t(ints({3, 1, 2, 5, 9, 0}, {2, 3})), -1, true).indices;
       },
       R"(tensor([[0],
        [0],
        [1]]))"},
      {"f([-inf, -inf], (2,)).max(0)[0]",
       [] {
         return max(floats({-kInf, -kInf}, {2}), 0).values;
       },
       "tensor(-inf)"},
      {"f([-5, -2, -9], (3,)).max()",
       [] {
         return max(floats({-5.0F, -2.0F, -9.0F}, {3}));
       },
       "tensor(-2.)"},
      {"f([1, nan], (2,)).min()",
       [] {
         return min(floats({1.0F, kNaN}, {2}));
       },
       "tensor(nan)"},
      {"b([0, 1], (2,)).max()",
       [] {
         return max(bools({false, true}, {2}));
       },
       "tensor(True)"},
      {"f([3, 1, 2, 5, 9, 0], (2, 3)).amax((0, 1), keepdim=True)",
       [] {
         return amax(floats({3.0F, 1.0F, 2.0F, 5.0F, 9.0F, 0.0F}, {2, 3}), {0, 1}, true);
       },
       "tensor([[9.]])"},
      {"f([3, 1, 2, 5, 9, 0], (2, 3)).amin(0)",
       [] {
         return amin(floats({3.0F, 1.0F, 2.0F, 5.0F, 9.0F, 0.0F}, {2, 3}), {0});
       },
       "tensor([3., 1., 0.])"},
      {"f([3, 1, 2, 5, 9, 0], (2, 3)).argmax()",
       [] {
         return argmax(floats({3.0F, 1.0F, 2.0F, 5.0F, 9.0F, 0.0F}, {2, 3}));
       },
       "tensor(4)"},
      {"f([3, 1, 2, 5, 9, 0], (2, 3)).t().argmax()",
       [] {
         return argmax(t(floats({3.0F, 1.0F, 2.0F, 5.0F, 9.0F, 0.0F}, {2, 3})));
       },
       "tensor(3)"},
      {"f([3, 1, 2, 5, 9, 0], (2, 3)).argmin(1)",
       [] {
         return argmin(floats({3.0F, 1.0F, 2.0F, 5.0F, 9.0F, 0.0F}, {2, 3}), 1);
       },
       "tensor([1, 2])"},
      {"f([1, nan, nan], (3,)).argmin()",
       [] {
         return argmin(floats({1.0F, kNaN, kNaN}, {3}));
       },
       "tensor(1)"},
      {"b([0, 1], (2,)).argmax()",
       [] {
         return argmax(bools({false, true}, {2}));
       },
       R"(RuntimeError: "argmax_cpu" not implemented for 'Bool')"},
      {"c((0,)).max()", [] { return max(counting({0})); },
       "RuntimeError: max(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim "
       "with the 'dim' argument."},
      {"c((0, 3)).max(0)[0]",
       [] {
         return max(counting({0, 3}), 0).values;
       },
       "IndexError: max(): Expected reduction dim 0 to have non-zero size."},
      {"c((0, 3)).max(1)[1]",
       [] {
         return max(counting({0, 3}), 1).indices;
       },
       "tensor([], dtype=torch.int64)"},
      {"c((0, 3)).min(-2)[0]",
       [] {
         return min(counting({0, 3}), -2).values;
       },
       "IndexError: min(): Expected reduction dim 0 to have non-zero size."},
      {"c((0, 3)).amax(-2)",
       [] {
         return amax(counting({0, 3}), {-2});
       },
       "IndexError: amax(): Expected reduction dim -2 to have non-zero size."},
      {"c((0, 3)).amin()",
       [] {
         return amin(counting({0, 3}));
       },
       "RuntimeError: amin(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim "
       "with the 'dim' argument."},
      {"c((0,)).argmax()", [] { return argmax(counting({0})); },
       "IndexError: argmax(): Expected reduction dim to be specified for input.numel() == 0."},
      {"c((0, 3)).argmin(0)",
       [] {
         return argmin(counting({0, 3}), 0);
       },
       "IndexError: argmin(): Expected reduction dim 0 to have non-zero size."},
      {"c((2, 3)).max(2)[0]",
       [] {
         return max(counting({2, 3}), 2).values;
       },
       "IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 2)"},
  });
}

TEST(Reduce, any_and_all) {
  check_rows({
      {"c((2, 2)).any()",
       [] {
         return any(counting({2, 2}));
       },
       "tensor(True)"},
      {"c((2, 2)).all(1)",
       [] {
         return all(counting({2, 2}), 1);
       },
       "tensor([False,  True])"},
      {"f([nan, 0], (2,)).any(0, keepdim=True)",
       [] {
         return any(floats({kNaN, 0.0F}, {2}), 0, true);
       },
       "tensor([True])"},
      {"c((0, 2)).any()",
       [] {
         return any(counting({0, 2}));
       },
       "tensor(False)"},
      {"c((0, 2)).all(0)",
       [] {
         return all(counting({0, 2}), 0);
       },
       "tensor([True, True])"},
      {"b([1, 1, 0, 1], (2, 2)).all(0)",
       [] {
         return all(bools({true, true, false, true}, {2, 2}), 0);
       },
       "tensor([False,  True])"},
      {"c((2, 2)).all(2)",
       [] {
         return all(counting({2, 2}), 2);
       },
       "IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 2)"},
  });
}

TEST(Softmax, along_an_axis) {
  check_rows({
      {"torch.softmax(f([1, 2, 3, 1, 1, 1], (2, 3)), 1)",
       [] {
         return softmax(floats({1.0F, 2.0F, 3.0F, 1.0F, 1.0F, 1.0F}, {2, 3}), 1);
       },
       R"(tensor([[0.0900, 0.2447, 0.6652],
        [0.3333, 0.3333, 0.3333]]))"},
      {"torch.softmax(f([1, 2, 3, 1, 1, 1], (2, 3)), 0)",
       [] {
         return softmax(floats({1.0F, 2.0F, 3.0F, 1.0F, 1.0F, 1.0F}, {2, 3}), 0);
       },
       R"(tensor([[0.5000, 0.7311, 0.8808],
        [0.5000, 0.2689, 0.1192]]))"},
      {"torch.softmax(f([1, 2, 3, 1, 1, 1], (2, 3)).t(), -1)",
       [] {
         return softmax(t(floats({1.0F, 2.0F, 3.0F, 1.0F, 1.0F, 1.0F}, {2, 3})), -1);
       },
       R"(tensor([[0.5000, 0.5000],
        [0.7311, 0.2689],
        [0.8808, 0.1192]]))"},
      {"torch.softmax(c((2, 3, 2)).permute(2, 0, 1), 1)",
       [] {
         return softmax(permute(counting({2, 3, 2}), {2, 0, 1}), 1);
       },
       R"(tensor([[[0.0025, 0.0025, 0.0025],
         [0.9975, 0.9975, 0.9975]],

        [[0.0025, 0.0025, 0.0025],
         [0.9975, 0.9975, 0.9975]]]))"},
      {"torch.softmax(c((2, 3, 2)).permute(2, 1, 0), 0)",
       [] {
         return softmax(permute(counting({2, 3, 2}), {2, 1, 0}), 0);
       },
       R"(tensor([[[0.2689, 0.2689],
         [0.2689, 0.2689],
         [0.2689, 0.2689]],

        [[0.7311, 0.7311],
         [0.7311, 0.7311],
         [0.7311, 0.7311]]]))"},
      {"torch.softmax(f([1000, 1001], (2,)), 0)",
       [] {
         return softmax(floats({1000.0F, 1001.0F}, {2}), 0);
       },
       "tensor([0.2689, 0.7311])"},
      {"torch.softmax(f([-inf, 0], (2,)), 0)",
       [] {
         return softmax(floats({-kInf, 0.0F}, {2}), 0);
       },
       "tensor([0., 1.])"},
      {"torch.softmax(f([-inf, -inf], (2,)), 0)",
       [] {
         return softmax(floats({-kInf, -kInf}, {2}), 0);
       },
       "tensor([nan, nan])"},
      {"torch.softmax(f([inf, 0], (2,)), 0)",
       [] {
         return softmax(floats({kInf, 0.0F}, {2}), 0);
       },
       "tensor([nan, nan])"},
      {"torch.softmax(f([nan, 0], (2,)), 0)",
       [] {
         return softmax(floats({kNaN, 0.0F}, {2}), 0);
       },
       "tensor([nan, nan])"},
      {"torch.softmax(f([5], ()), 0)", [] { return softmax(floats({5.0F}, {}), 0); }, "tensor(1.)"},
      {"torch.softmax(c((2, 0)), 1)",
       [] {
         return softmax(counting({2, 0}), 1);
       },
       "tensor([], size=(2, 0))"},
      {"torch.softmax(d([1, 2], (2,)), 0)",
       [] {
         return softmax(doubles({1.0, 2.0}, {2}), 0);
       },
       "tensor([0.2689, 0.7311], dtype=torch.float64)"},
      {"torch.softmax(c((2, 3), i64), 1)",
       [] {
         return softmax(counting({2, 3}, DType::Int64), 1);
       },
       R"(RuntimeError: "softmax_lastdim_kernel_impl" not implemented for 'Long')"},
      {"torch.softmax(c((2, 3), i64), 0)",
       [] {
         return softmax(counting({2, 3}, DType::Int64), 0);
       },
       R"(RuntimeError: "softmax_kernel_impl" not implemented for 'Long')"},
      {"torch.softmax(c((2, 3)), 2)",
       [] {
         return softmax(counting({2, 3}), 2);
       },
       "IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 2)"},
      {"torch.log_softmax(f([1, 2, 3, 1, 1, 1], (2, 3)), 1)",
       [] {
         return log_softmax(floats({1.0F, 2.0F, 3.0F, 1.0F, 1.0F, 1.0F}, {2, 3}), 1);
       },
       R"(tensor([[-2.4076, -1.4076, -0.4076],
        [-1.0986, -1.0986, -1.0986]]))"},
      {"torch.log_softmax(f([-inf, 0], (2,)), 0)",
       [] {
         return log_softmax(floats({-kInf, 0.0F}, {2}), 0);
       },
       "tensor([-inf, 0.])"},
      {"torch.log_softmax(f([0, 200], (2,)), 0)",
       [] {
         return log_softmax(floats({0.0F, 200.0F}, {2}), 0);
       },
       "tensor([-200.,    0.])"},
      {"torch.log_softmax(c((2, 3), bl), 1)",
       [] {
         return log_softmax(counting({2, 3}, DType::Bool), 1);
       },
       R"(RuntimeError: "log_softmax_lastdim_kernel_impl" not implemented for 'Bool')"},
      {"c((2, 3)).cumsum(0)",
       [] {
         return cumsum(counting({2, 3}), 0);
       },
       R"(tensor([[0., 1., 2.],
        [3., 5., 7.]]))"},
      {"c((2, 3)).t().cumsum(-1)",
       [] {
         return cumsum(t(counting({2, 3})), -1);
       },
       R"(tensor([[0., 3.],
        [1., 5.],
        [2., 7.]]))"},
      {"b([1, 1, 0, 1], (4,)).cumsum(0)",
       [] {
         return cumsum(bools({true, true, false, true}, {4}), 0);
       },
       "tensor([1, 2, 2, 3])"},
      {"i([2**62, 2**62], (2,)).cumsum(0)",
       [] {
         return cumsum(ints({4611686018427387904, 4611686018427387904}, {2}), 0);
       },
       "tensor([ 4611686018427387904, -9223372036854775808])"},
      {"f([7], ()).cumsum(0)", [] { return cumsum(floats({7.0F}, {}), 0); }, "tensor(7.)"},
      {"c((2, 3)).cumsum(2)",
       [] {
         return cumsum(counting({2, 3}), 2);
       },
       "IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 2)"},
  });
}

// In float32 one by one, 2^24 + 1 + 1 + ... never moves; in double it does. Long enough for every path.
TEST(Reduce, sums_in_double) {
  Tensor x = full({8, 4096}, 1.0, DType::Float32);
  for (std::int64_t row = 0; row < 8; ++row) x.mutable_data<float>()[row * 4096] = 0x1p24F;
  for (const Tensor& form : {x, transpose(contiguous(transpose(x, 0, 1)), 0, 1)}) {
    const Tensor sums = sum_in_double(form, {1});
    for (std::int64_t row = 0; row < 8; ++row)
      EXPECT_EQ(sums.data<float>()[row], 0x1p24F + 4096.0F);  // 2^24 + 4095, rounded
  }
  EXPECT_EQ(sum_in_double(transpose(x, 0, 1), {0}).data<float>()[7], 0x1p24F + 4096.0F);
}

/// The numbers in a text, up to the next bar.
Shape next_list(std::istream& line) {
  std::string text;
  std::getline(line, text, '|');
  std::istringstream numbers(text);
  return {std::istream_iterator<std::int64_t>(numbers), {}};
}

Tensor layer_norm(const Tensor& x) {
  const Moments moments = row_moments(x, 1);
  const Tensor scale = rsqrt(add(moments.variance, Scalar(1e-5)));
  return multiply_add(x, scale, neg(mul(moments.mean, scale)));
}

Tensor result_of(const std::string& op, const Tensor& x, const Shape& dims, bool keepdim) {
  if (op == "sum") return sum(x, dims, keepdim);
  if (op == "mean") return mean(x, dims, keepdim);
  if (op == "norm") return vector_norm(x, 2, dims, keepdim);
  if (op == "losses") return sum_of_losses(x);
  return op == "softmax" ? softmax(x, -1) : layer_norm(x);
}

// Tensors of every form, row by row of what tests/oracle/sums.py wrote under PyTorch.
TEST(Reduce, sums_have_the_bits_of_pytorch) {
  std::ifstream file(ATTN_SOURCE_DIR "/tests/tensor/sums.txt");
  int rows = 0;
  for (std::string text; std::getline(file, text); ++rows) {
    std::istringstream line(text);
    std::string type, op;
    bool keepdim = false;
    std::int64_t numel = 0;
    std::uint64_t hash = 0;
    line >> type >> op >> keepdim >> numel >> hash;
    next_list(line);
    const Shape sizes = next_list(line), strides = next_list(line), offset = next_list(line), dims = next_list(line);
    Tensor storage = Tensor::empty({numel}, type == "float32" ? DType::Float32 : DType::Float64);
    dispatch(storage.dtype(), [&]<class T>(T) {
      for (std::int64_t i = 0; i < numel; ++i)
        storage.mutable_data<T>()[i] = static_cast<T>(static_cast<double>(i * 7919 % 1009 - 504)) / static_cast<T>(997);
    });
    const Tensor x = storage.as_strided(sizes, strides, offset[0]);
    EXPECT_EQ(hash_of({contiguous(result_of(op, x, dims, keepdim))}), hash) << text;
  }
  EXPECT_EQ(rows, 300);
}

TEST(Reduce, sums_of_nothing_and_of_what_is_no_number) {
  EXPECT_FALSE(std::signbit(sum(floats({-0.0F, -0.0F}, {2})).data<float>()[0]));
  EXPECT_FALSE(std::signbit(sum(floats({-0.0F}, {1}), {0}).data<float>()[0]));
  EXPECT_EQ(sum(zeros({0, 2}), {0}).data<float>()[1], 0);
  EXPECT_TRUE(std::isnan(mean(zeros({0})).data<float>()[0]));
  EXPECT_EQ(sum(floats({3e38F, 3e38F, -3e38F}, {3})).data<float>()[0], kInf);  // added in float32
  EXPECT_TRUE(std::isnan(sum(floats({kInf, 1, -kInf}, {3})).data<float>()[0]));
}

// More columns than are computed side by side, at every place of the axis: each must be the softmax of its column
// alone, but for the last bit: a row by itself is added in another order.
TEST(Softmax, columns_do_not_mix) {
  Generator generator(7);
  const Tensor x = randn({3, 5, 150}, generator);
  const Tensor together = softmax(x, 1);
  for (std::int64_t outer = 0; outer < 3; ++outer)
    for (std::int64_t column = 0; column < 150; ++column) {
      const Tensor alone = softmax(select(select(x, 0, outer), 1, column), 0);
      for (std::int64_t i = 0; i < 5; ++i)
        EXPECT_NEAR(together.data<float>()[(outer * 5 + i) * 150 + column], alone.data<float>()[i], 1.2e-7)
            << outer << ' ' << column;
    }
}

TEST(Reduce, an_interrupt_ends_a_long_sum) {
  const Tensor x = zeros({1 << 20});
  request_interrupt();
  EXPECT_THROW(sum(x), LimitReached);
  EXPECT_THROW(softmax(x, 0), LimitReached);
  EXPECT_THROW(max(x, 0), LimitReached);
  clear_interrupt();
}

}  // namespace
}  // namespace attn
