#include "tensor/ops/sort.h"

#include "tests/tensor/outcome.h"

namespace attn {
namespace {

Tensor few() { return ints({3, 1, 3, 2}, {4}); }
Tensor rows() { return ints({3, 1, 2, 6, 5, 4}, {2, 3}); }

TEST(Sort, unique) {
  check_rows({
      {"torch.unique(few)", [] { return unique(few()).values; }, "tensor([1, 2, 3])"},
      {"return_inverse", [] { return unique(few()).inverse; }, "tensor([2, 0, 2, 1])"},
      {"return_counts", [] { return unique(few()).counts; }, "tensor([1, 1, 2])"},
      {"of a table",
       [] {
         return unique(floats({2, 1, 1, 2}, {2, 2})).values;
       },
       "tensor([1., 2.])"},
      {"places in a table",
       [] {
         return unique(floats({2, 1, 1, 2}, {2, 2})).inverse;
       },
       "tensor([[1, 0],\n        [0, 1]])"},
      {"each nan is another",
       [] {
         return unique(floats({kNaN, 1, kNaN}, {3})).values;
       },
       "tensor([1., nan, nan])"},
      {"torch.unique(torch.zeros(0))", [] { return unique(zeros({0})).values; }, "tensor([])"},
  });
}

TEST(Sort, bincount) {
  check_rows({
      {"torch.bincount([1, 3, 1])",
       [] {
         return bincount(ints({1, 3, 1}, {3}), {});
       },
       "tensor([0, 2, 0, 1])"},
      {"weights",
       [] {
         return bincount(ints({1, 0, 1}, {3}), floats({0.5F, 2, 0.25F}, {3}));
       },
       "tensor([2.0000, 0.7500])"},
      {"minlength=4", [] { return bincount(ints({1}, {1}), {}, 4); }, "tensor([0, 1, 0, 0])"},
      {"nothing, minlength=2", [] { return bincount(ints({}, {0}), {}, 2); }, "tensor([0, 0])"},
      {"below 0", [] { return bincount(ints({-1}, {1}), {}); },
       "RuntimeError: bincount only supports 1-d non-negative integral inputs."},
      {"a table",
       [] {
         return bincount(ints({1}, {1, 1}), {});
       },
       "RuntimeError: bincount only supports 1-d non-negative integral inputs."},
  });
}

TEST(Sort, kthvalue) {
  check_rows({
      {"torch.kthvalue([3., 1., 2.], 2)",
       [] {
         return kthvalue(floats({3, 1, 2}, {3}), 2).values;
       },
       "tensor(2.)"},
      {"its place",
       [] {
         return kthvalue(floats({3, 1, 2}, {3}), 2).indices;
       },
       "tensor(2)"},
      {"torch.kthvalue(rows, 1)", [] { return kthvalue(rows(), 1).values; }, "tensor([1, 4])"},
      {"their places", [] { return kthvalue(rows(), 1).indices; }, "tensor([1, 2])"},
      {"torch.kthvalue(rows, 2, 0)", [] { return kthvalue(rows(), 2, 0).values; }, "tensor([6, 5, 4])"},
      {"torch.kthvalue(rows, 2, 1, True)", [] { return kthvalue(rows(), 2, 1, true).values; },
       "tensor([[2],\n        [5]])"},
      {"nan is the largest",
       [] {
         return kthvalue(floats({3, kNaN, 1}, {3}), 3).values;
       },
       "tensor(nan)"},
      {"torch.kthvalue([3., 1.], 3)",
       [] {
         return kthvalue(floats({3, 1}, {2}), 3).values;
       },
       "RuntimeError: kthvalue(): selected number k out of range for dimension 0"},
      {"k=0",
       [] {
         return kthvalue(floats({3, 1}, {2}), 0).values;
       },
       "RuntimeError: kthvalue(): selected number k out of range for dimension 0"},
      {"an empty axis",
       [] {
         return kthvalue(zeros({2, 0}), 1).values;
       },
       "IndexError: kthvalue(): Expected reduction dim 1 to have non-zero size."},
      {"truths",
       [] {
         return kthvalue(bools({true, false}, {2}), 1).values;
       },
       "RuntimeError: \"kthvalue_cpu\" not implemented for 'Bool'"},
  });
}

}  // namespace
}  // namespace attn
