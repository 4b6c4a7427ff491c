#include "tensor/ops/layout.h"

#include <limits>

#include "tensor/ops/pointwise.h"
#include "tests/tensor/outcome.h"

namespace attn {
namespace {

Tensor p() { return permute(x(), {2, 0, 1}); }

// Where a view is possible its strides are PyTorch's.
TEST(Layout, view_strides) {
  check_rows({
      {"strides(p.view(4,2,3,1))",
       [] {
         return strides(view(p(), {4, 2, 3, 1}));
       },
       "tensor([ 1, 12,  4,  4,  0])"},
      {"strides(x.transpose(0,1).view(3,2,2,2))",
       [] {
         return strides(view(transpose(x(), 0, 1), {3, 2, 2, 2}));
       },
       "tensor([ 4, 12,  2,  1,  0])"},
      {"strides(x[:,:,::2].view(6,2))",
       [] {
         return strides(view(slice(x(), 2, {}, {}, 2), {6, 2}));
       },
       "tensor([4, 2, 0])"},
      {"strides(x.expand(5,2,3,4).view(5,-1))",
       [] {
         return strides(view(expand(x(), {5, 2, 3, 4}), {5, -1}));
       },
       "tensor([0, 1, 0])"},
      {"strides(torch.zeros(2,0,3).view(4,0,2))",
       [] {
         return strides(view(zeros({2, 0, 3}), {4, 0, 2}));
       },
       "tensor([2, 2, 1, 0])"},
      {"strides(torch.zeros(2,0,3).view(-1,3))",
       [] {
         return strides(view(zeros({2, 0, 3}), {-1, 3}));
       },
       "tensor([3, 1, 0])"},
      {"strides(s0.view(1,1))",
       [] {
         return strides(view(s0(), {1, 1}));
       },
       "tensor([1, 1, 0])"},
      {"strides(T([1.]).expand(4).view(2,2))",
       [] {
         return strides(view(expand(ones({1}), {4}), {2, 2}));
       },
       "tensor([0, 0, 0])"},
      {"strides(p.reshape(24))", [] { return strides(reshape(p(), {24})); }, "tensor([1, 0])"},
      {"strides(p.reshape(4,6))",
       [] {
         return strides(reshape(p(), {4, 6}));
       },
       "tensor([1, 4, 0])"},
      {"strides(x[:,1:].reshape(2,8))",
       [] {
         return strides(reshape(slice(x(), 1, 1, {}), {2, 8}));
       },
       "tensor([12,  1,  4])"},
  });
}

// Whole texts.
TEST(Layout, view_refusals) {
  check_rows({
      {"x.view(3,7)",
       [] {
         return view(x(), {3, 7});
       },
       "RuntimeError: shape '[3, 7]' is invalid for input of size 24"},
      {"x.view(-1,7)",
       [] {
         return view(x(), {-1, 7});
       },
       "RuntimeError: shape '[-1, 7]' is invalid for input of size 24"},
      {"x.view(-1,-1)",
       [] {
         return view(x(), {-1, -1});
       },
       "RuntimeError: only one dimension can be inferred"},
      {"x.view(-2,12)",
       [] {
         return view(x(), {-2, 12});
       },
       "RuntimeError: invalid shape dimension -2"},
      {"x.view(-1,0)",
       [] {
         return view(x(), {-1, 0});
       },
       "RuntimeError: shape '[-1, 0]' is invalid for input of size 24"},
      {"torch.zeros(2,0,3).view(-1,0)",
       [] {
         return view(zeros({2, 0, 3}), {-1, 0});
       },
       "RuntimeError: cannot reshape tensor of 0 elements into shape [-1, 0] because the unspecified "
       "dimension size -1 can be any value and is ambiguous"},
      {"x.view(24,2**62,4)",
       [] {
         return view(x(), {24, std::int64_t{1} << 62, 4});
       },
       "RuntimeError: shape '[24, 4611686018427387904, 4]' is invalid for input of size 24"},
      {"x.view(())", [] { return view(x(), {}); }, "RuntimeError: shape '[]' is invalid for input of size 24"},
      {"p.view(24)", [] { return view(p(), {24}); },
       "RuntimeError: view size is not compatible with input tensor's size and stride (at least one "
       "dimension spans across two contiguous subspaces). Use .reshape(...) instead."},
      {"p.reshape(7)", [] { return reshape(p(), {7}); }, "RuntimeError: shape '[7]' is invalid for input of size 24"},
      {"(x+0).transpose(1,2).view(2,12)",
       [] {
         return view(transpose(x(), 1, 2), {2, 12});
       },
       "RuntimeError: view size is not compatible with input tensor's size and stride (at least one "
       "dimension spans across two contiguous subspaces). Use .reshape(...) instead."},
  });
}

// permute, transpose, t, .T, squeeze, unsqueeze, flatten.
TEST(Layout, axes) {
  check_rows({
      {"strides(x.permute(-1,0,1))",
       [] {
         return strides(permute(x(), {-1, 0, 1}));
       },
       "tensor([ 1, 12,  4,  0])"},
      {"strides(x.transpose(0,-1))", [] { return strides(transpose(x(), 0, -1)); }, "tensor([ 1,  4, 12,  0])"},
      {"strides(s0.transpose(0,-1))", [] { return strides(transpose(s0(), 0, -1)); }, "tensor([0])"},
      {"strides(x[0].t())", [] { return strides(t(select(x(), 0, 0))); }, "tensor([1, 4, 0])"},
      {"strides(x.T)", [] { return strides(numpy_T(x())); }, "tensor([ 1,  4, 12,  0])"},
      {"strides(torch.zeros(1,3,1).squeeze())",
       [] {
         return strides(squeeze(zeros({1, 3, 1})));
       },
       "tensor([1, 0])"},
      {"strides(torch.zeros(1,3,1).squeeze(1))",
       [] {
         return strides(squeeze(zeros({1, 3, 1}), 1));
       },
       "tensor([3, 1, 1, 0])"},
      {"strides(torch.zeros(1,3,1).squeeze(-1))",
       [] {
         return strides(squeeze(zeros({1, 3, 1}), -1));
       },
       "tensor([3, 1, 0])"},
      {"strides(s0.squeeze(0))", [] { return strides(squeeze(s0(), 0)); }, "tensor([0])"},
      {"strides(p.unsqueeze(1))", [] { return strides(unsqueeze(p(), 1)); }, "tensor([ 1, 24, 12,  4,  0])"},
      {"strides(x.unsqueeze(-1))", [] { return strides(unsqueeze(x(), -1)); }, "tensor([12,  4,  1,  1,  0])"},
      {"strides(s0.unsqueeze(0))", [] { return strides(unsqueeze(s0(), 0)); }, "tensor([1, 0])"},
      {"strides(p.flatten(1,2))", [] { return strides(flatten(p(), 1, 2)); }, "tensor([1, 4, 0])"},
      {"strides(p.flatten())", [] { return strides(flatten(p())); }, "tensor([1, 0])"},
      {"strides(s0.flatten())", [] { return strides(flatten(s0())); }, "tensor([1, 0])"},
      {"strides(x.flatten(1))", [] { return strides(flatten(x(), 1)); }, "tensor([12,  1,  0])"},
      {"x.permute(0,1)",
       [] {
         return permute(x(), {0, 1});
       },
       "RuntimeError: permute(sparse_coo): number of dimensions in the tensor input does not match the "
       "length of the desired ordering of dimensions i.e. input.dim() = 3 is not equal to len(dims) = 2"},
      {"x.permute(0,1,1)",
       [] {
         return permute(x(), {0, 1, 1});
       },
       "RuntimeError: permute(): duplicate dims are not allowed."},
      {"x.permute(0,1,3)",
       [] {
         return permute(x(), {0, 1, 3});
       },
       "IndexError: Dimension out of range (expected to be in range of [-3, 2], but got 3)"},
      {"s0.permute(0)", [] { return permute(s0(), {0}); },
       "RuntimeError: permute(sparse_coo): number of dimensions in the tensor input does not match the "
       "length of the desired ordering of dimensions i.e. input.dim() = 0 is not equal to len(dims) = 1"},
      {"x.transpose(0,3)", [] { return transpose(x(), 0, 3); },
       "IndexError: Dimension out of range (expected to be in range of [-3, 2], but got 3)"},
      {"s0.transpose(0,1)", [] { return transpose(s0(), 0, 1); },
       "IndexError: Dimension out of range (expected to be in range of [-1, 0], but got 1)"},
      {"x.t()", [] { return t(x()); }, "RuntimeError: t() expects a tensor with <= 2 dimensions, but self is 3D"},
      {"x.squeeze(3)", [] { return squeeze(x(), 3); },
       "IndexError: Dimension out of range (expected to be in range of [-3, 2], but got 3)"},
      {"x.unsqueeze(-5)", [] { return unsqueeze(x(), -5); },
       "IndexError: Dimension out of range (expected to be in range of [-4, 3], but got -5)"},
      {"x.flatten(2,1)", [] { return flatten(x(), 2, 1); },
       "RuntimeError: flatten() has invalid args: start_dim cannot come after end_dim"},
      {"s0.flatten(0,1)", [] { return flatten(s0(), 0, 1); },
       "IndexError: Dimension out of range (expected to be in range of [-1, 0], but got 1)"},
  });
}

// Sizes of 1 get stride 0.
TEST(Layout, expand) {
  check_rows({
      {"strides(x.expand(7,-1,3,4))",
       [] {
         return strides(expand(x(), {7, -1, 3, 4}));
       },
       "tensor([ 0, 12,  4,  1,  0])"},
      {"strides(torch.zeros(1,3).expand(0,3))",
       [] {
         return strides(expand(zeros({1, 3}), {0, 3}));
       },
       "tensor([0, 1, 0])"},
      {"strides(s0.expand(1,1))",
       [] {
         return strides(expand(s0(), {1, 1}));
       },
       "tensor([0, 0, 0])"},
      {"strides(s0.expand(2,3))",
       [] {
         return strides(expand(s0(), {2, 3}));
       },
       "tensor([0, 0, 0])"},
      {"strides(torch.zeros(1,1).expand(4,1))",
       [] {
         return strides(expand(zeros({1, 1}), {4, 1}));
       },
       "tensor([0, 1, 0])"},
      {"strides(torch.zeros(3).expand(1,1,3))",
       [] {
         return strides(expand(zeros({3}), {1, 1, 3}));
       },
       "tensor([3, 3, 1, 0])"},
      {"x.expand(3,4)",
       [] {
         return expand(x(), {3, 4});
       },
       "RuntimeError: expand(torch.FloatTensor{[2, 3, 4]}, size=[3, 4]): the number of sizes provided (2) "
       "must be greater or equal to the number of dimensions in the tensor (3)"},
      {"x.expand(-1,5,4)",
       [] {
         return expand(x(), {-1, 5, 4});
       },
       "RuntimeError: The expanded size of the tensor (5) must match the existing size (3) at non-singleton "
       "dimension 1.  Target sizes: [-1, 5, 4].  Tensor sizes: [2, 3, 4]"},
      {"x.expand(-1,2,3,4)",
       [] {
         return expand(x(), {-1, 2, 3, 4});
       },
       "RuntimeError: The expanded size of the tensor (-1) isn't allowed in a leading, non-existing "
       "dimension 0"},
      {"x.expand(2,3,-2)",
       [] {
         return expand(x(), {2, 3, -2});
       },
       "RuntimeError: The expanded size of the tensor (-2) must match the existing size (4) at "
       "non-singleton dimension 2.  Target sizes: [2, 3, -2].  Tensor sizes: [2, 3, 4]"},
      {"x.expand(-2,2,3,4)",
       [] {
         return expand(x(), {-2, 2, 3, 4});
       },
       "RuntimeError: numel: integer multiplication overflow"},
      {"torch.zeros(2).expand(0)", [] { return expand(zeros({2}), {0}); },
       "RuntimeError: The expanded size of the tensor (0) must match the existing size (2) at non-singleton "
       "dimension 0.  Target sizes: [0].  Tensor sizes: [2]"},
      {"torch.zeros(1).expand(10**10,10**10)",
       [] {
         return expand(zeros({1}), {10000000000, 10000000000});
       },
       "RuntimeError: numel: integer multiplication overflow"},
      {"T([True,False]).expand(3,3)",
       [] {
         return expand(bools({true, false}, {2}), {3, 3});
       },
       "RuntimeError: The expanded size of the tensor (3) must match the existing size (2) at non-singleton "
       "dimension 1.  Target sizes: [3, 3].  Tensor sizes: [2]"},
      {"torch.zeros(2,1,dtype=torch.long).expand(3)",
       [] {
         return expand(zeros({2, 1}, DType::Int64), {3});
       },
       "RuntimeError: expand(torch.LongTensor{[2, 1]}, size=[3]): the number of sizes provided (1) must be "
       "greater or equal to the number of dimensions in the tensor (2)"},
  });
}

// select, slice, narrow.
TEST(Layout, parts) {
  check_rows({
      {"x.select(1,-1)", [] { return select(x(), 1, -1); },
       "tensor([[ 8.,  9., 10., 11.],\n"
       "        [20., 21., 22., 23.]])"},
      {"x.select(0,2)", [] { return select(x(), 0, 2); },
       "IndexError: select(): index 2 out of range for tensor of size [2, 3, 4] at dimension 0"},
      {"x.select(3,0)", [] { return select(x(), 3, 0); },
       "IndexError: Dimension out of range (expected to be in range of [-3, 2], but got 3)"},
      {"s0.select(0,0)", [] { return select(s0(), 0, 0); },
       "IndexError: select() cannot be applied to a 0-dim tensor."},
      {"strides(x[5:])", [] { return strides(slice(x(), 0, 5, {})); }, "tensor([12,  4,  1, 24])"},
      {"strides(x[:,-100:100:2])", [] { return strides(slice(x(), 1, -100, 100, 2)); }, "tensor([12,  8,  1,  0])"},
      {"strides(x[1:0])", [] { return strides(slice(x(), 0, 1, 0)); }, "tensor([12,  4,  1, 12])"},
      {"x[:,-2:-1,0]", [] { return select(slice(x(), 1, -2, -1), 2, 0); },
       "tensor([[ 4.],\n"
       "        [16.]])"},
      {"x[::0]", [] { return slice(x(), 0, {}, {}, 0); }, "ValueError: slice step cannot be zero"},
      {"x[::-1]", [] { return slice(x(), 0, {}, {}, -1); }, "ValueError: step must be greater than zero"},
      {"s0[:]", [] { return slice(s0(), 0, {}, {}); }, "IndexError: slice() cannot be applied to a 0-dim tensor."},
      {"x.narrow(2,-2,2)[0]", [] { return select(narrow(x(), 2, -2, 2), 0, 0); },
       "tensor([[ 2.,  3.],\n"
       "        [ 6.,  7.],\n"
       "        [10., 11.]])"},
      {"x.narrow(1,3,0)", [] { return narrow(x(), 1, 3, 0); }, "tensor([], size=(2, 0, 4))"},
      {"x.narrow(0,1,2)", [] { return narrow(x(), 0, 1, 2); },
       "RuntimeError: start (1) + length (2) exceeds dimension size (2)."},
      {"x.narrow(0,0,-1)", [] { return narrow(x(), 0, 0, -1); },
       "RuntimeError: start (0) + length (-1) exceeds dimension size (2)."},
      {"x.narrow(0,-3,1)", [] { return narrow(x(), 0, -3, 1); },
       "IndexError: Dimension out of range (expected to be in range of [-2, 1], but got -3)"},
      {"s0.narrow(0,0,0)", [] { return narrow(s0(), 0, 0, 0); },
       "RuntimeError: narrow() cannot be applied to a 0-dim tensor."},
  });
}

// The last two axes; always a contiguous copy.
TEST(Layout, triangles) {
  check_rows({
      {"torch.tril(p[0].view(2,3))", [] { return tril(select(p(), 0, 0)); },
       "tensor([[ 0.,  0.,  0.],\n"
       "        [12., 16.,  0.]])"},
      {"torch.triu(torch.ones(2,3),1)",
       [] {
         return triu(ones({2, 3}), 1);
       },
       "tensor([[0., 1., 1.],\n"
       "        [0., 0., 1.]])"},
      {"torch.triu(torch.ones(2,3),-1)",
       [] {
         return triu(ones({2, 3}), -1);
       },
       "tensor([[1., 1., 1.],\n"
       "        [1., 1., 1.]])"},
      {"torch.tril(x,-1)", [] { return tril(x(), -1); },
       "tensor([[[ 0.,  0.,  0.,  0.],\n"
       "         [ 4.,  0.,  0.,  0.],\n"
       "         [ 8.,  9.,  0.,  0.]],\n"
       "\n"
       "        [[ 0.,  0.,  0.,  0.],\n"
       "         [16.,  0.,  0.,  0.],\n"
       "         [20., 21.,  0.,  0.]]])"},
      {"torch.tril(T([[True,True]]))",
       [] {
         return tril(bools({true, true}, {1, 2}));
       },
       "tensor([[ True, False]])"},
      {"torch.triu(torch.ones(2,2),10**10)",
       [] {
         return triu(ones({2, 2}), 10000000000);
       },
       "tensor([[0., 0.],\n"
       "        [0., 0.]])"},
      {"torch.tril(torch.ones(2,2),-2**63)",
       [] {
         return tril(ones({2, 2}), std::numeric_limits<std::int64_t>::min());
       },
       "tensor([[0., 0.],\n"
       "        [0., 0.]])"},
      {"torch.tril(torch.zeros(3))", [] { return tril(zeros({3})); },
       "IndexError: Dimension out of range (expected to be in range of [-1, 0], but got -2)"},
      {"torch.triu(s0)", [] { return triu(s0()); },
       "IndexError: Dimension specified as -2 but tensor has no dimensions"},
      {"torch.tril(torch.zeros(0,3))",
       [] {
         return tril(zeros({0, 3}));
       },
       "tensor([], size=(0, 3))"},
      {"strides(torch.tril(p))", [] { return strides(tril(p())); }, "tensor([6, 3, 1, 0])"},
  });
}

TEST(Layout, views_share_storage) {
  Tensor base = x();
  Tensor column = select(view(base, {6, 4}), 1, 2);
  assign(column, zeros({6}));
  EXPECT_EQ(tensor_repr(select(base, 0, 1)),
            "tensor([[12., 13.,  0., 15.],\n        [16., 17.,  0., 19.],\n        [20., 21.,  0., 23.]])");
  EXPECT_FALSE(contiguous(p()).shares_storage(p()));
  EXPECT_TRUE(contiguous(base).shares_storage(base));
  EXPECT_TRUE(reshape(base, {24}).shares_storage(base));
  EXPECT_FALSE(reshape(numpy_T(base), {24}).shares_storage(base));
}

}  // namespace
}  // namespace attn
