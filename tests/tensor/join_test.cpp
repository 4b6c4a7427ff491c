#include "tensor/ops/join.h"

#include "tensor/ops/arrange.h"
#include "tensor/ops/layout.h"
#include "tests/tensor/outcome.h"

namespace attn {
namespace {

TEST(Join, cat) {
  check_rows({
      {"torch.cat([c((1, 2)), c((2, 2))])",
       [] {
         return cat({counting({1, 2}), counting({2, 2})});
       },
       R"(tensor([[0., 1.],
        [0., 1.],
        [2., 3.]]))"},
      {"torch.cat([c((2, 1)), c((2, 2))], -1)",
       [] {
         return cat({counting({2, 1}), counting({2, 2})}, -1);
       },
       R"(tensor([[0., 0., 1.],
        [1., 2., 3.]]))"},
      {"torch.cat([c((2, 3)).t(), c((3, 1))], 1)",
       [] {
         return cat({t(counting({2, 3})), counting({3, 1})}, 1);
       },
       R"(tensor([[0., 3., 0.],
        [1., 4., 1.],
        [2., 5., 2.]]))"},
      {"torch.cat([c((0,)), c((2, 1))], 1)",
       [] {
         return cat({counting({0}), counting({2, 1})}, 1);
       },
       R"(tensor([[0.],
        [1.]]))"},
      {"torch.cat([c((0,)), c((0,), f64)])",
       [] {
         return cat({counting({0}), counting({0}, DType::Float64)});
       },
       "tensor([], dtype=torch.float64)"},
      {"torch.cat([c((2,), bl), c((2,), i64)])",
       [] {
         return cat({counting({2}, DType::Bool), counting({2}, DType::Int64)});
       },
       "tensor([0, 1, 0, 1])"},
      {"torch.cat([c((2,), i64), c((2,))])",
       [] {
         return cat({counting({2}, DType::Int64), counting({2})});
       },
       "tensor([0., 1., 0., 1.])"},
      {"torch.cat([])", [] { return cat({}); }, "RuntimeError: torch.cat(): expected a non-empty list of Tensors"},
      {"torch.cat([c((2, 3)), c((2, 4))])",
       [] {
         return cat({counting({2, 3}), counting({2, 4})});
       },
       "RuntimeError: Sizes of tensors must match except in dimension 0. Expected size 3 but got size 4 for tensor "
       "number 1 in the list."},
      {"torch.cat([c((2, 3, 4)), c((2, 3, 4)), c((2, 2, 4))], -1)",
       [] {
         return cat({counting({2, 3, 4}), counting({2, 3, 4}), counting({2, 2, 4})}, -1);
       },
       "RuntimeError: Sizes of tensors must match except in dimension 2. Expected size 3 but got size 2 for tensor "
       "number 2 in the list."},
      {"torch.cat([c((2, 3)), c((3,))])",
       [] {
         return cat({counting({2, 3}), counting({3})});
       },
       "RuntimeError: Tensors must have same number of dimensions: got 2 and 1"},
      {"torch.cat([c((2,)), c(())])",
       [] {
         return cat({counting({2}), counting({})});
       },
       "RuntimeError: zero-dimensional tensor (at position 1) cannot be concatenated"},
      {"torch.cat([c((2, 3))], 2)",
       [] {
         return cat({counting({2, 3})}, 2);
       },
       "IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 2)"},
  });
}

TEST(Join, stack) {
  check_rows({
      {"torch.stack([c((2,)), c((2,))])",
       [] {
         return stack({counting({2}), counting({2})});
       },
       R"(tensor([[0., 1.],
        [0., 1.]]))"},
      {"torch.stack([c((2,)), c((2,))], -1)",
       [] {
         return stack({counting({2}), counting({2})}, -1);
       },
       R"(tensor([[0., 0.],
        [1., 1.]]))"},
      {"torch.stack([c(()), c(())])",
       [] {
         return stack({counting({}), counting({})});
       },
       "tensor([0., 0.])"},
      {"torch.stack([])", [] { return stack({}); }, "RuntimeError: stack expects a non-empty TensorList"},
      {"torch.stack([c((2,)), c((2,)), c((2, 1))])",
       [] {
         return stack({counting({2}), counting({2}), counting({2, 1})});
       },
       "RuntimeError: stack expects each tensor to be equal size, but got [2] at entry 0 and [2, 1] at entry 2"},
      {"torch.stack([c((2,)), c((2,))], 2)",
       [] {
         return stack({counting({2}), counting({2})}, 2);
       },
       "IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 2)"},
      {"torch.hstack([c((2,)), c((3,))])",
       [] {
         return hstack({counting({2}), counting({3})});
       },
       "tensor([0., 1., 0., 1., 2.])"},
      {"torch.hstack([c((2, 1)), c((2, 2))])",
       [] {
         return hstack({counting({2, 1}), counting({2, 2})});
       },
       R"(tensor([[0., 0., 1.],
        [1., 2., 3.]]))"},
      {"torch.hstack([c((2, 1)), c((3, 2))])",
       [] {
         return hstack({counting({2, 1}), counting({3, 2})});
       },
       "RuntimeError: Sizes of tensors must match except in dimension 1. Expected size 2 but got size 3 for tensor "
       "number 1 in the list."},
      {"torch.hstack([c(()), c(())])",
       [] {
         return hstack({counting({}), counting({})});
       },
       "tensor([0., 0.])"},
      {"torch.hstack([])", [] { return hstack({}); }, "RuntimeError: hstack expects a non-empty TensorList"},
      {"torch.vstack([c((2,)), c((2, 2))])",
       [] {
         return vstack({counting({2}), counting({2, 2})});
       },
       R"(tensor([[0., 1.],
        [0., 1.],
        [2., 3.]]))"},
      {"torch.vstack([c(()), c(())])",
       [] {
         return vstack({counting({}), counting({})});
       },
       R"(tensor([[0.],
        [0.]]))"},
      {"torch.vstack([c((2,)), c((3,))])",
       [] {
         return vstack({counting({2}), counting({3})});
       },
       "RuntimeError: Sizes of tensors must match except in dimension 0. Expected size 2 but got size 3 for tensor "
       "number 1 in the list."},
  });
}

TEST(Join, repeat) {
  check_rows({
      {"c((2, 2)).repeat(2, 2)",
       [] {
         return repeat(counting({2, 2}), {2, 2});
       },
       R"(tensor([[0., 1., 0., 1.],
        [2., 3., 2., 3.],
        [0., 1., 0., 1.],
        [2., 3., 2., 3.]]))"},
      {"c((2, 2)).t().repeat(1, 2)",
       [] {
         return repeat(t(counting({2, 2})), {1, 2});
       },
       R"(tensor([[0., 2., 0., 2.],
        [1., 3., 1., 3.]]))"},
      {"c((2,)).repeat(2, 1, 2)",
       [] {
         return repeat(counting({2}), {2, 1, 2});
       },
       R"(tensor([[[0., 1., 0., 1.]],

        [[0., 1., 0., 1.]]]))"},
      {"c(()).repeat(3)", [] { return repeat(counting({}), {3}); }, "tensor([0., 0., 0.])"},
      {"c((2, 3)).repeat(0, 1)",
       [] {
         return repeat(counting({2, 3}), {0, 1});
       },
       "tensor([], size=(0, 3))"},
      {"c((0, 3)).repeat(2, 2)",
       [] {
         return repeat(counting({0, 3}), {2, 2});
       },
       "tensor([], size=(0, 6))"},
      {"c((2, 3)).repeat(2)",
       [] {
         return repeat(counting({2, 3}), {2});
       },
       "RuntimeError: Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"},
      {"c((2, 3)).repeat(-1, 1)",
       [] {
         return repeat(counting({2, 3}), {-1, 1});
       },
       "RuntimeError: Trying to create tensor with negative dimension -2: [-2, 3]"},
      {"c((2, 3)).repeat(2**60, 1)",
       [] {
         return repeat(counting({2, 3}), {std::int64_t{1} << 60, 1});
       },
       "RuntimeError: Storage size calculation overflowed with sizes=[2305843009213693952, 3]"},
  });
}

TEST(Join, repeat_interleave) {
  const auto x = [] { return counting({2, 3}, DType::Int64); };
  check_rows({
      {"torch.repeat_interleave(x,T(2),0)", [&] { return repeat_interleave(x(), Tensor::scalar(std::int64_t{2}), 0); },
       "tensor([[0, 1, 2],\n        [0, 1, 2],\n        [3, 4, 5],\n        [3, 4, 5]])"},
      {"torch.repeat_interleave(x,T([2]),1)", [&] { return repeat_interleave(x(), ints({2}, {1}), 1); },
       "tensor([[0, 0, 1, 1, 2, 2],\n        [3, 3, 4, 4, 5, 5]])"},
      {"torch.repeat_interleave(x,T([0,2,1]),1)",
       [&] {
         return repeat_interleave(x(), ints({0, 2, 1}, {3}), 1);
       },
       "tensor([[1, 1, 2],\n        [4, 4, 5]])"},
      {"torch.repeat_interleave(x,T([1,2]),1)",
       [&] {
         return repeat_interleave(x(), ints({1, 2}, {2}), 1);
       },
       "RuntimeError: repeats must have the same size as input along dim"},
      {"torch.repeat_interleave(x,T([[1,2]]),1)",
       [&] {
         return repeat_interleave(x(), ints({1, 2}, {1, 2}), 1);
       },
       "RuntimeError: repeats must be 0-dim or 1-dim tensor"},
      {"torch.repeat_interleave(T([2,0,1]))",
       [] {
         return repeat_interleave(ints({2, 0, 1}, {3}));
       },
       "tensor([0, 0, 2])"},
      {"torch.repeat_interleave(T([-1]))", [] { return repeat_interleave(ints({-1}, {1})); },
       "RuntimeError: repeats can not be negative"},
  });
}

TEST(Join, split_errors) {
  check_rows({
      {"torch.split(c((5,)), 0)[0]", [] { return split(counting({5}), 0)[0]; },
       "RuntimeError: split_size can only be 0 if dimension size is 0, but got dimension size of 5"},
      {"torch.split(c((5,)), -1)[0]", [] { return split(counting({5}), -1)[0]; },
       "RuntimeError: split expects split_size be non-negative, but got split_size=-1"},
      {"torch.split(c(()), 2)[0]", [] { return split(counting({}), 2)[0]; },
       "RuntimeError: split expects at least a 1-dimensional tensor"},
      {"torch.split(c((5,)), [2, 2])[0]",
       [] {
         return split(counting({5}), Shape{2, 2})[0];
       },
       "RuntimeError: split_with_sizes expects split_sizes to sum exactly to 5 (input tensor's size at dimension 0), "
       "but got split_sizes=[2, 2]"},
      {"torch.split(c((5,)), [6, -1])[0]",
       [] {
         return split(counting({5}), Shape{6, -1})[0];
       },
       "RuntimeError: split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes=[6, "
       "-1]"},
      {"torch.split(c((2, 5)), [2, 2], -1)[0]",
       [] {
         return split(counting({2, 5}), Shape{2, 2}, -1)[0];
       },
       "RuntimeError: split_with_sizes expects split_sizes to sum exactly to 5 (input tensor's size at dimension -1), "
       "but got split_sizes=[2, 2]"},
      {"torch.split(c((5,)), 2, 1)[0]", [] { return split(counting({5}), 2, 1)[0]; },
       "IndexError: Dimension out of range (expected to be in range of [-1, 0], but got 1)"},
      {"torch.chunk(c((5,)), 0)[0]", [] { return chunk(counting({5}), 0)[0]; },
       "RuntimeError: chunk expects `chunks` to be greater than 0, got: 0"},
      {"torch.chunk(c(()), 2)[0]", [] { return chunk(counting({}), 2)[0]; },
       "RuntimeError: chunk expects at least a 1-dimensional tensor"},
      {"torch.unbind(c(()))[0]", [] { return unbind(counting({}))[0]; },
       "IndexError: Dimension specified as 0 but tensor has no dimensions"},
      {"torch.unbind(c((2, 3)), 2)[0]",
       [] {
         return unbind(counting({2, 3}), 2)[0];
       },
       "IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 2)"},
  });
}

TEST(Join, parts) {
  struct Parts {
    const char* code;
    std::vector<Tensor> parts;
    std::vector<std::string> expected;
  };
  const std::vector<Parts> table = {
      {"torch.split(c((5,)), 2)", split(counting({5}), 2), {"tensor([0., 1.])", "tensor([2., 3.])", "tensor([4.])"}},
      {"torch.split(c((5,)), 9)", split(counting({5}), 9), {"tensor([0., 1., 2., 3., 4.])"}},
      {"torch.split(c((0,)), 0)", split(counting({0}), 0), {"tensor([])"}},
      {"torch.split(c((2, 5)), [2, 0, 3], 1)",
       split(counting({2, 5}), Shape{2, 0, 3}, 1),
       {R"(tensor([[0., 1.],
        [5., 6.]]))",
        "tensor([], size=(2, 0))", R"(tensor([[2., 3., 4.],
        [7., 8., 9.]]))"}},
      {"torch.split(c((0,)), [])", split(counting({0}), Shape{}), {}},
      {"torch.chunk(c((5,)), 2)", chunk(counting({5}), 2), {"tensor([0., 1., 2.])", "tensor([3., 4.])"}},
      {"torch.chunk(c((5,)), 4)", chunk(counting({5}), 4), {"tensor([0., 1.])", "tensor([2., 3.])", "tensor([4.])"}},
      {"torch.chunk(c((5,)), 7)",
       chunk(counting({5}), 7),
       {"tensor([0.])", "tensor([1.])", "tensor([2.])", "tensor([3.])", "tensor([4.])"}},
      {"torch.chunk(c((0, 3)), 2)", chunk(counting({0, 3}), 2), {"tensor([], size=(0, 3))", "tensor([], size=(0, 3))"}},
      {"torch.chunk(c((2, 6)), 3, -1)",
       chunk(counting({2, 6}), 3, -1),
       {R"(tensor([[0., 1.],
        [6., 7.]]))",
        R"(tensor([[2., 3.],
        [8., 9.]]))",
        R"(tensor([[ 4.,  5.],
        [10., 11.]]))"}},
      {"torch.unbind(c((2, 3)))", unbind(counting({2, 3})), {"tensor([0., 1., 2.])", "tensor([3., 4., 5.])"}},
      {"torch.unbind(c((2, 3)), 1)",
       unbind(counting({2, 3}), 1),
       {"tensor([0., 3.])", "tensor([1., 4.])", "tensor([2., 5.])"}},
      {"torch.unbind(c((0, 3)))", unbind(counting({0, 3})), {}},
  };
  for (const Parts& row : table) {
    std::vector<std::string> texts;
    for (const Tensor& part : row.parts) texts.push_back(tensor_repr(part));
    EXPECT_EQ(texts, row.expected) << row.code;
  }
}

TEST(Join, parts_are_views_and_joins_are_copies) {
  Tensor x = counting({4});
  EXPECT_TRUE(split(x, 2)[1].shares_storage(x));
  EXPECT_TRUE(chunk(x, 2)[1].shares_storage(x));
  EXPECT_TRUE(unbind(x)[1].shares_storage(x));
  EXPECT_FALSE(cat({x}).shares_storage(x));
  EXPECT_FALSE(repeat(x, {1}).shares_storage(x));
}

TEST(Join, facts_name_what_differs) {
  try {
    cat({counting({2, 3}), counting({2, 4})});
    FAIL();
  } catch (const TensorError& error) {
    EXPECT_EQ(error.rule(), "cat.size");
    const std::vector<Fact> expected = {{"axis", 1}, {"expected", 3}, {"got", 4}, {"tensor", 1}};
    EXPECT_EQ(error.facts(), expected);
  }
}

}  // namespace
}  // namespace attn
