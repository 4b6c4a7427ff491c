#include "tensor/ops/index.h"

#include "tensor/ops/gather.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/pointwise.h"
#include "tests/tensor/outcome.h"

namespace attn {
namespace {

Tensor x4() { return counting({2, 3, 4, 5}); }

using Items = std::vector<IndexItem>;
const SliceIndex kAll;
const NewAxis kNew;
const EllipsisIndex kDots;
IndexItem n(std::int64_t number) { return number; }
SliceIndex from(std::int64_t start) { return {start, {}, {}}; }
Tensor pick(std::vector<std::int64_t> values) {
  const auto count = static_cast<std::int64_t>(values.size());
  return ints(std::move(values), {count});
}
Tensor sizes(const Tensor& result) { return Tensor::from(result.shape(), {result.dim()}); }
Tensor put(const Tensor& target, const Items& items, const Tensor& value) {
  Tensor copy = clone(target);
  index_put(copy, items, value);
  return copy;
}

TEST(Index, nonzero) {
  const auto few = [] { return ints({0, 3, 5, 0}, {2, 2}); };
  check_rows({
      {"torch.nonzero(T([[0,3],[5,0]]))", [&] { return nonzero(few()); }, "tensor([[0, 1],\n        [1, 0]])"},
      {"its strides and offset", [&] { return strides(nonzero(few())); }, "tensor([1, 2, 0])"},
      {"torch.nonzero(T([[0,3],[5,0]]).t())",
       [&] {
         return nonzero(permute(few(), {1, 0}));
       },
       "tensor([[0, 1],\n        [1, 0]])"},
      {"torch.nonzero(T([False,True]))",
       [] {
         return nonzero(bools({false, true}, {2}));
       },
       "tensor([[1]])"},
      {"torch.nonzero(torch.zeros(3))", [] { return nonzero(zeros({3})); },
       "tensor([], size=(0, 1), dtype=torch.int64)"},
      {"torch.nonzero(T(2.))", [] { return nonzero(Tensor::scalar(2.0F)); },
       "tensor([], size=(1, 0), dtype=torch.int64)"},
  });
}

// Ints, slices, None and ... give views.
TEST(Index, views) {
  check_rows({
      {"strides(x4[0,1,2,3])",
       [] {
         return strides(index(x4(), {n(0), n(1), n(2), n(3)}));
       },
       "tensor([33])"},
      {"strides(x4[...,-1])",
       [] {
         return strides(index(x4(), {kDots, n(-1)}));
       },
       "tensor([60, 20,  5,  4])"},
      {"strides(x4[None,...,None])",
       [] {
         return strides(index(x4(), {kNew, kDots, kNew}));
       },
       "tensor([120,  60,  20,   5,   1,   1,   0])"},
      {"strides(x4[0,...,None,0])",
       [] {
         return strides(index(x4(), {n(0), kDots, kNew, n(0)}));
       },
       "tensor([20,  5,  5,  0])"},
      {"strides(x4[:,1:,::2])",
       [] {
         return strides(index(x4(), {kAll, from(1), SliceIndex{{}, {}, 2}}));
       },
       "tensor([60, 20, 10,  1, 20])"},
      {"strides(x4[T(1)])", [] { return strides(index(x4(), {Tensor::scalar(std::int64_t{1})})); },
       "tensor([20,  5,  1, 60])"},
      {"strides(s0[...])", [] { return strides(index(s0(), {kDots})); }, "tensor([0])"},
      {"strides(s0[None])", [] { return strides(index(s0(), {kNew})); }, "tensor([1, 0])"},
      {"x[1,2]",
       [] {
         return index(x(), {n(1), n(2)});
       },
       "tensor([20., 21., 22., 23.])"},
      {"x[2]", [] { return index(x(), {n(2)}); }, "IndexError: index 2 is out of bounds for dimension 0 with size 2"},
      {"x[0,-4]",
       [] {
         return index(x(), {n(0), n(-4)});
       },
       "IndexError: index -4 is out of bounds for dimension 1 with size 3"},
      {"x[...,9]",
       [] {
         return index(x(), {kDots, n(9)});
       },
       "IndexError: index 9 is out of bounds for dimension 1 with size 4"},
      {"x[0,0,0,0]",
       [] {
         return index(x(), {n(0), n(0), n(0), n(0)});
       },
       "IndexError: too many indices for tensor of dimension 3"},
      {"x[:,:,:,:]",
       [] {
         return index(x(), {kAll, kAll, kAll, kAll});
       },
       "IndexError: too many indices for tensor of dimension 3"},
      {"s0[0]", [] { return index(s0(), {n(0)}); },
       "IndexError: invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in "
       "C++ to convert a 0-dim tensor to a number"},
      {"s0[:]", [] { return index(s0(), {kAll}); }, "IndexError: slice() cannot be applied to a 0-dim tensor."},
      {"x[::0]",
       [] {
         return index(x(), {SliceIndex{{}, {}, 0}});
       },
       "ValueError: slice step cannot be zero"},
      {"x[0,::-1]",
       [] {
         return index(x(), {n(0), SliceIndex{{}, {}, -1}});
       },
       "ValueError: step must be greater than zero"},
      {"torch.zeros(0,3)[0]",
       [] {
         return index(zeros({0, 3}), {n(0)});
       },
       "IndexError: index 0 is out of bounds for dimension 0 with size 0"},
  });
}

// Axes of index tensors stand in place of the first, or in front when they are apart.
TEST(Index, tensors_go_where) {
  check_rows({
      {"sizes(x4[T([0,1]),:,T([1,0])])",
       [] {
         return sizes(index(x4(), {pick({0, 1}), kAll, pick({1, 0})}));
       },
       "tensor([2, 3, 5])"},
      {"sizes(x4[:,T([0,1]),T([1,0])])",
       [] {
         return sizes(index(x4(), {kAll, pick({0, 1}), pick({1, 0})}));
       },
       "tensor([2, 2, 5])"},
      {"sizes(x4[:,T([0,1]),:,T([1,0])])",
       [] {
         return sizes(index(x4(), {kAll, pick({0, 1}), kAll, pick({1, 0})}));
       },
       "tensor([2, 2, 4])"},
      {"sizes(x4[:,T([0,1]),None,T([1,0])])",
       [] {
         return sizes(index(x4(), {kAll, pick({0, 1}), kNew, pick({1, 0})}));
       },
       "tensor([2, 2, 1, 5])"},
      {"sizes(x4[:,T([[0,1]]),T([[1],[0]])])",
       [] {
         return sizes(index(x4(), {kAll, ints({0, 1}, {1, 2}), ints({1, 0}, {2, 1})}));
       },
       "tensor([2, 2, 2, 5])"},
      {"sizes(x4[:,0,T([1,0])])",
       [] {
         return sizes(index(x4(), {kAll, n(0), pick({1, 0})}));
       },
       "tensor([2, 2, 5])"},
      {"sizes(x4[T([0,1]),:,1])",
       [] {
         return sizes(index(x4(), {pick({0, 1}), kAll, n(1)}));
       },
       "tensor([2, 3, 5])"},
      {"sizes(x4[0,:,T([1,0])])",
       [] {
         return sizes(index(x4(), {n(0), kAll, pick({1, 0})}));
       },
       "tensor([3, 2, 5])"},
      {"sizes(x4[...,T([0,1]),None])",
       [] {
         return sizes(index(x4(), {kDots, pick({0, 1}), kNew}));
       },
       "tensor([2, 3, 4, 2, 1])"},
      {"sizes(x4[T([0]),...,T([1])])",
       [] {
         return sizes(index(x4(), {pick({0}), kDots, pick({1})}));
       },
       "tensor([1, 3, 4])"},
      {"sizes(x4[T([],dtype=torch.long)])", [] { return sizes(index(x4(), {pick({})})); }, "tensor([0, 3, 4, 5])"},
      {"sizes(x4[:,torch.ones(3,4).bool()])",
       [] {
         return sizes(index(x4(), {kAll, ones({3, 4}, DType::Bool)}));
       },
       "tensor([ 2, 12,  5])"},
      {"sizes(x4[x4>50])", [] { return sizes(index(x4(), {gt(x4(), Scalar(50.0))})); }, "tensor([69])"},
      {"sizes(x4[T([True,False]),T([1])])",
       [] {
         return sizes(index(x4(), {bools({true, false}, {2}), pick({1})}));
       },
       "tensor([1, 4, 5])"},
      {"sizes(x4[T([True,True]),:,T([1,2])])",
       [] {
         return sizes(index(x4(), {bools({true, true}, {2}), kAll, pick({1, 2})}));
       },
       "tensor([2, 3, 5])"},
      {"sizes(torch.zeros(3,0)[T([5])])",
       [] {
         return sizes(index(zeros({3, 0}), {pick({5})}));
       },
       "tensor([1, 0])"},
      {"sizes(torch.zeros(0)[torch.zeros(0).bool()])",
       [] { return sizes(index(zeros({0}), {zeros({0}, DType::Bool)})); }, "tensor([0])"},
      {"strides(x4.permute(3,2,1,0)[T([0,1])])",
       [] {
         return strides(index(numpy_T(x4()), {pick({0, 1})}));
       },
       "tensor([24,  1,  4, 12,  0])"},
      {"strides(x4.permute(3,2,1,0)[:,T([0,1])])",
       [] {
         return strides(index(numpy_T(x4()), {kAll, pick({0, 1})}));
       },
       "tensor([ 1, 15,  5, 30,  0])"},
  });
}

// Values, negative indices, repeats, masks.
TEST(Index, tensor_values) {
  check_rows({
      {"T([10,20,30])[T([[0,-1],[2,2]])]",
       [] {
         return index(ints({10, 20, 30}, {3}), {ints({0, -1, 2, 2}, {2, 2})});
       },
       "tensor([[10, 30],\n"
       "        [30, 30]])"},
      {"x[T([1,0]),T([2,-3])]",
       [] {
         return index(x(), {pick({1, 0}), pick({2, -3})});
       },
       "tensor([[20., 21., 22., 23.],\n"
       "        [ 0.,  1.,  2.,  3.]])"},
      {"x[:,T([2,0]),1]",
       [] {
         return index(x(), {kAll, pick({2, 0}), n(1)});
       },
       "tensor([[ 9.,  1.],\n"
       "        [21., 13.]])"},
      {"x[1:,T([0,2]),T([3,1])]",
       [] {
         return index(x(), {from(1), pick({0, 2}), pick({3, 1})});
       },
       "tensor([[15., 21.]])"},
      {"x[T([0,1]),:,T([3,1])]",
       [] {
         return index(x(), {pick({0, 1}), kAll, pick({3, 1})});
       },
       "tensor([[ 3.,  7., 11.],\n"
       "        [13., 17., 21.]])"},
      {"x[x>20]", [] { return index(x(), {gt(x(), Scalar(20.0))}); }, "tensor([21., 22., 23.])"},
      {"x[:,T([True,False,True]),0]",
       [] {
         return index(x(), {kAll, bools({true, false, true}, {3}), n(0)});
       },
       "tensor([[ 0.,  8.],\n"
       "        [12., 20.]])"},
      {"x.permute(2,0,1)[T([3]),1]",
       [] {
         return index(permute(x(), {2, 0, 1}), {pick({3}), n(1)});
       },
       "tensor([[15., 19., 23.]])"},
      {"T([True,False])[T([1,1,0])]",
       [] {
         return index(bools({true, false}, {2}), {pick({1, 1, 0})});
       },
       "tensor([False, False,  True])"},
  });
}

// Whole texts.
TEST(Index, tensor_refusals) {
  check_rows({
      {"x[T([2])]", [] { return index(x(), {pick({2})}); },
       "IndexError: index 2 is out of bounds for dimension 0 with size 2"},
      {"x[:,T([-4])]",
       [] {
         return index(x(), {kAll, pick({-4})});
       },
       "IndexError: index -4 is out of bounds for dimension 0 with size 3"},
      {"x[T([0]),T([7])]",
       [] {
         return index(x(), {pick({0}), pick({7})});
       },
       "IndexError: index 7 is out of bounds for dimension 1 with size 3"},
      {"x[T([0.])]", [] { return index(x(), {zeros({1})}); },
       "IndexError: tensors used as indices must be long, byte or bool tensors"},
      {"x[T([0,1]),T([0,1,2])]",
       [] {
         return index(x(), {pick({0, 1}), pick({0, 1, 2})});
       },
       "IndexError: shape mismatch: indexing tensors could not be broadcast together with shapes [2], [3]"},
      {"x[T([True,False,True])]",
       [] {
         return index(x(), {bools({true, false, true}, {3})});
       },
       "IndexError: The shape of the mask [3] at index 0 does not match the shape of the indexed tensor [2, "
       "3, 4] at index 0"},
      {"x[:,torch.ones(3,5).bool()]",
       [] {
         return index(x(), {kAll, ones({3, 5}, DType::Bool)});
       },
       "IndexError: The shape of the mask [3, 5] at index 1 does not match the shape of the indexed tensor "
       "[2, 3, 4] at index 2"},
      {"x[torch.ones(2,3,4,1).bool()]",
       [] {
         return index(x(), {ones({2, 3, 4, 1}, DType::Bool)});
       },
       "IndexError: too many indices for tensor of dimension 3"},
      {"x[T([0]),0,0,0]",
       [] {
         return index(x(), {pick({0}), n(0), n(0), n(0)});
       },
       "IndexError: too many indices for tensor of dimension 3"},
      {"s0[T([0])]", [] { return index(s0(), {pick({0})}); }, "IndexError: too many indices for tensor of dimension 0"},
      {"s0[T(0)]", [] { return index(s0(), {Tensor::scalar(std::int64_t{0})}); },
       "IndexError: too many indices for tensor of dimension 0"},
      {"torch.zeros(0,3)[T([0])]",
       [] {
         return index(zeros({0, 3}), {pick({0})});
       },
       "IndexError: index is out of bounds for dimension with size 0"},
      {"x[T(2)]", [] { return index(x(), {Tensor::scalar(std::int64_t{2})}); },
       "IndexError: index 2 is out of bounds for dimension 0 with size 2"},
  });
}

// The value broadcasts; repeated places keep the last.
TEST(Index, assignment) {
  check_rows({
      {"put(x,0,torch.zeros(1,3,4))[0]",
       [] {
         return select(put(x(), {n(0)}, zeros({1, 3, 4})), 0, 0);
       },
       "tensor([[0., 0., 0., 0.],\n"
       "        [0., 0., 0., 0.],\n"
       "        [0., 0., 0., 0.]])"},
      {"put(x,(0,T([0,1])),T(8.))[0]",
       [] {
         return select(put(x(), {n(0), pick({0, 1})}, Tensor::scalar(8.0F)), 0, 0);
       },
       "tensor([[ 8.,  8.,  8.,  8.],\n"
       "        [ 8.,  8.,  8.,  8.],\n"
       "        [ 8.,  9., 10., 11.]])"},
      {"put(x,(slice(None),1),T([1,2,3,4]))[1]",
       [] {
         return select(put(x(), {kAll, n(1)}, pick({1, 2, 3, 4})), 0, 1);
       },
       "tensor([[12., 13., 14., 15.],\n"
       "        [ 1.,  2.,  3.,  4.],\n"
       "        [20., 21., 22., 23.]])"},
      {"put(x,x>3,-1)", [] { return put(x(), {gt(x(), Scalar(3.0))}, Tensor::scalar(std::int64_t{-1})); },
       "tensor([[[ 0.,  1.,  2.,  3.],\n"
       "         [-1., -1., -1., -1.],\n"
       "         [-1., -1., -1., -1.]],\n"
       "\n"
       "        [[-1., -1., -1., -1.],\n"
       "         [-1., -1., -1., -1.],\n"
       "         [-1., -1., -1., -1.]]])"},
      {"put(x,x>21,T([7.,8.]))[1]",
       [] {
         return select(put(x(), {gt(x(), Scalar(21.0))}, floats({7, 8}, {2})), 0, 1);
       },
       "tensor([[12., 13., 14., 15.],\n"
       "        [16., 17., 18., 19.],\n"
       "        [20., 21.,  7.,  8.]])"},
      {"put(T([0.,0.,0.]),T([1,1]),T([5.,6.]))",
       [] {
         return put(zeros({3}), {pick({1, 1})}, floats({5, 6}, {2}));
       },
       "tensor([0., 6., 0.])"},
      {"put(x,(Ellipsis,T([0,3])),T([8.,9.]))[0]",
       [] {
         return select(put(x(), {kDots, pick({0, 3})}, floats({8, 9}, {2})), 0, 0);
       },
       "tensor([[ 8.,  1.,  2.,  9.],\n"
       "        [ 8.,  5.,  6.,  9.],\n"
       "        [ 8.,  9., 10.,  9.]])"},
      {"put(x,(T([0,1]),slice(None),T([0,3])),T([[8.],[9.]]))",
       [] {
         return put(x(), {pick({0, 1}), kAll, pick({0, 3})}, floats({8, 9}, {2, 1}));
       },
       "tensor([[[ 8.,  1.,  2.,  3.],\n"
       "         [ 8.,  5.,  6.,  7.],\n"
       "         [ 8.,  9., 10., 11.]],\n"
       "\n"
       "        [[12., 13., 14.,  9.],\n"
       "         [16., 17., 18.,  9.],\n"
       "         [20., 21., 22.,  9.]]])"},
      {"put(T([1,2]),0,T(7.9))",
       [] {
         return put(pick({1, 2}), {n(0)}, Tensor::scalar(7.9F));
       },
       "tensor([7, 2])"},
      {"put(x,0,torch.zeros(2))", [] { return put(x(), {n(0)}, zeros({2})); },
       "RuntimeError: The expanded size of the tensor (4) must match the existing size (2) at non-singleton "
       "dimension 1.  Target sizes: [3, 4].  Tensor sizes: [2]"},
      {"put(x,0,torch.zeros(2,3,4))",
       [] {
         return put(x(), {n(0)}, zeros({2, 3, 4}));
       },
       "RuntimeError: expand(torch.FloatTensor{[2, 3, 4]}, size=[3, 4]): the number of sizes provided (2) "
       "must be greater or equal to the number of dimensions in the tensor (3)"},
      {"put(x,(0,0,0),torch.zeros(2))",
       [] {
         return put(x(), {n(0), n(0), n(0)}, zeros({2}));
       },
       "RuntimeError: expand(torch.FloatTensor{[2]}, size=[]): the number of sizes provided (0) must be "
       "greater or equal to the number of dimensions in the tensor (1)"},
      {"put(x,T([0,1]),torch.zeros(3))",
       [] {
         return put(x(), {pick({0, 1})}, zeros({3}));
       },
       "RuntimeError: shape mismatch: value tensor of shape [3] cannot be broadcast to indexing result of "
       "shape [2, 3, 4]"},
      {"put(x,x>3,torch.zeros(1,3))",
       [] {
         return put(x(), {gt(x(), Scalar(3.0))}, zeros({1, 3}));
       },
       "RuntimeError: shape mismatch: value tensor of shape [3] cannot be broadcast to indexing result of "
       "shape [20]"},
      {"put(x,T([0]),T([1]))", [] { return put(x(), {pick({0})}, pick({1})); },
       "RuntimeError: Index put requires the source and destination dtypes match, got Float for the "
       "destination and Long for the source."},
      {"put(x,9,torch.zeros(7))", [] { return put(x(), {n(9)}, zeros({7})); },
       "IndexError: index 9 is out of bounds for dimension 0 with size 2"},
      {"put(x,T([9]),torch.zeros(4))", [] { return put(x(), {pick({9})}, zeros({4})); },
       "IndexError: index 9 is out of bounds for dimension 0 with size 2"},
      {"put(x,x>100,torch.zeros(3))", [] { return put(x(), {gt(x(), Scalar(100.0))}, zeros({3})); },
       "RuntimeError: shape mismatch: value tensor of shape [3] cannot be broadcast to indexing result of "
       "shape [0]"},
  });
}

// Rows of a table.
TEST(Index, embedding) {
  check_rows({
      {"emb(T([[0,2],[1,1]]),x[0])",
       [] {
         return embedding(select(x(), 0, 0), ints({0, 2, 1, 1}, {2, 2}));
       },
       "tensor([[[ 0.,  1.,  2.,  3.],\n"
       "         [ 8.,  9., 10., 11.]],\n"
       "\n"
       "        [[ 4.,  5.,  6.,  7.],\n"
       "         [ 4.,  5.,  6.,  7.]]])"},
      {"emb(T(1),x[0])", [] { return embedding(select(x(), 0, 0), Tensor::scalar(std::int64_t{1})); },
       "tensor([4., 5., 6., 7.])"},
      {"emb(T([1]),x[0].t())", [] { return embedding(t(select(x(), 0, 0)), pick({1})); }, "tensor([[1., 5., 9.]])"},
      {"emb(T([]).long(),x[0])", [] { return embedding(select(x(), 0, 0), pick({})); }, "tensor([], size=(0, 4))"},
      {"emb(T([0,3]),x[0])",
       [] {
         return embedding(select(x(), 0, 0), pick({0, 3}));
       },
       "IndexError: index out of range in self"},
      {"emb(T([0,-1]),x[0])",
       [] {
         return embedding(select(x(), 0, 0), pick({0, -1}));
       },
       "IndexError: index out of range in self"},
      {"emb(T([0.,1]),x[0])",
       [] {
         return embedding(select(x(), 0, 0), floats({0, 1}, {2}));
       },
       "RuntimeError: Expected tensor for argument #1 'indices' to have one of the following scalar types: "
       "Long, Int; but got torch.FloatTensor instead (while checking arguments for embedding)"},
      {"emb(T([True]),x[0])", [] { return embedding(select(x(), 0, 0), bools({true}, {1})); },
       "RuntimeError: Expected tensor for argument #1 'indices' to have one of the following scalar types: "
       "Long, Int; but got CPUBoolType instead (while checking arguments for embedding)"},
      {"emb(T([0,1]),x)",
       [] {
         return embedding(x(), pick({0, 1}));
       },
       "RuntimeError: 'weight' must be 2-D"},
  });
}

/// What a rule says beside its text.
TEST(Index, facts) {
  try {
    index(x(), {kNew, n(1), kAll, n(4)});
    FAIL();
  } catch (const TensorError& error) {
    EXPECT_EQ(error.rule(), "index.range");
    EXPECT_EQ(error.code(), Code::Index);
    EXPECT_EQ(error.facts(), (std::vector<Fact>{{"index", 4}, {"axis", 2}, {"size", 4}}));
  }
  try {
    embedding(zeros({3, 2}), pick({1, 5}));
    FAIL();
  } catch (const TensorError& error) {
    EXPECT_EQ(error.rule(), "embedding.range");
    EXPECT_EQ(error.facts(), (std::vector<Fact>{{"id", 5}, {"rows", 3}}));
  }
}

// A Bool without dimensions adds an axis, of which it takes all or nothing.
TEST(Index, single_bool) {
  const Tensor values = zeros({2, 3});
  const Tensor yes = Tensor::scalar(true), no = Tensor::scalar(false);
  EXPECT_EQ(index(values, {yes}).shape(), (Shape{1, 2, 3}));
  EXPECT_EQ(index(values, {no}).shape(), (Shape{0, 2, 3}));
  EXPECT_EQ(index(values, {std::int64_t{0}, yes}).shape(), (Shape{1, 3}));
  EXPECT_EQ(index(values, {SliceIndex{}, yes}).shape(), (Shape{2, 1, 3}));
  EXPECT_EQ(index(values, {pick({0, 1}), yes}).shape(), (Shape{2, 3}));
  EXPECT_EQ(index(values, {EllipsisIndex{}, no}).shape(), (Shape{2, 3, 0}));
  EXPECT_EQ(index(Tensor::scalar(7.0f), {yes}).shape(), (Shape{1}));
}

// PyTorch refuses to copy a tensor onto itself with a shift; here the value is read whole before it is written.
TEST(Index, overlapping_assignment) {
  Tensor line = counting({5});
  EXPECT_THROW(index_put(line, {from(1)}, slice(line, 0, {}, -1)), TensorError);
  EXPECT_THROW(index_put(line, {SliceIndex{{}, -1, {}}}, slice(line, 0, 1, {})), TensorError);
  EXPECT_EQ(tensor_repr(line), "tensor([0., 1., 2., 3., 4.])");
}

}  // namespace
}  // namespace attn
