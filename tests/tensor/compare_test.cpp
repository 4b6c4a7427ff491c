#include "tensor/ops/compare.h"

#include <cmath>

#include "tensor/ops/layout.h"
#include "tests/tensor/outcome.h"

namespace attn {
namespace {

Tensor truth(bool value) { return Tensor::scalar(value); }

// Expectations are those of torch.allclose and torch.equal 1.13.1.
TEST(Compare, allclose) {
  check_rows({
      {"within rtol", [] { return truth(allclose(floats({100.0F}, {1}), floats({100.0005F}, {1}))); }, "tensor(True)"},
      {"beyond rtol", [] { return truth(allclose(floats({1.0F}, {1}), floats({1.00002F}, {1}))); }, "tensor(False)"},
      {"rtol of the second", [] { return truth(allclose(floats({1}, {1}), floats({2}, {1}), 0.5)); }, "tensor(True)"},
      {"not of the first", [] { return truth(allclose(floats({2}, {1}), floats({1}, {1}), 0.5)); }, "tensor(False)"},
      {"broadcast",
       [] {
         return truth(allclose(zeros({2}), zeros({3, 1})));
       },
       "tensor(True)"},
      {"equal infinities", [] { return truth(allclose(floats({kInf}, {1}), floats({kInf}, {1}))); }, "tensor(True)"},
      {"infinite b", [] { return truth(allclose(floats({1}, {1}), floats({kInf}, {1}))); }, "tensor(False)"},
      {"nan", [] { return truth(allclose(floats({kNaN}, {1}), floats({kNaN}, {1}))); }, "tensor(False)"},
      {"equal_nan", [] { return truth(allclose(floats({kNaN}, {1}), floats({kNaN}, {1}), 1e-5, 1e-8, true)); },
       "tensor(True)"},
      {"ints", [] { return truth(allclose(ints({100}, {1}), ints({102}, {1}), 0.01)); }, "tensor(False)"},
      {"large ints, measured in float32",
       [] { return truth(allclose(ints({std::int64_t{1} << 62}, {1}), ints({(std::int64_t{1} << 62) + 1}, {1}))); },
       "tensor(True)"},
      {"no tolerance is equality",
       [] {
         return truth(allclose(ints({std::int64_t{1} << 62}, {1}), ints({(std::int64_t{1} << 62) + 1}, {1}), 0, 0));
       },
       "tensor(False)"},
      {"empty", [] { return truth(allclose(zeros({0}), zeros({1}))); }, "tensor(True)"},
      {"dtypes", [] { return truth(allclose(zeros({2}), zeros({2}, DType::Float64))); },
       "RuntimeError: Float did not match Double"},
      {"shapes", [] { return truth(allclose(zeros({2}), zeros({3}))); },
       "RuntimeError: The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0"},
      {"rtol", [] { return truth(allclose(zeros({2}), zeros({2}), -1)); },
       "RuntimeError: rtol must be greater than or equal to zero, but got -1"},
      {"atol", [] { return truth(allclose(zeros({2}), zeros({2}), 0, -0.5)); },
       "RuntimeError: atol must be greater than or equal to zero, but got -0.5"},
  });
}

TEST(Compare, equal) {
  EXPECT_TRUE(equal(counting({2, 3}), contiguous(counting({2, 3}))));
  EXPECT_TRUE(equal(transpose(counting({2, 3}), 0, 1), floats({0, 3, 1, 4, 2, 5}, {3, 2})));
  EXPECT_TRUE(equal(zeros({2}), zeros({2}, DType::Int64)));
  EXPECT_TRUE(equal(floats({0.0F}, {1}), floats({-0.0F}, {1})));
  EXPECT_TRUE(equal(zeros({0, 3}), zeros({0, 3})));
  EXPECT_FALSE(equal(zeros({0, 3}), zeros({0, 2})));
  EXPECT_FALSE(equal(zeros({2}), zeros({1, 2})));
  EXPECT_FALSE(equal(floats({kNaN}, {1}), floats({kNaN}, {1})));
  EXPECT_FALSE(equal(counting({3}), floats({0, 1, 3}, {3})));
}

TEST(Compare, says_where_and_how_far) {
  const Tensor a = counting({2, 3});
  const Tensor b = floats({0, 1, 2.5F, 3, 4, 7}, {2, 3});
  const Difference d = compare(a, b);
  EXPECT_TRUE(d.same_shape);
  EXPECT_EQ(d.total, 6);
  EXPECT_EQ(d.differing, 2);
  EXPECT_EQ(d.first, (Shape{0, 2}));
  EXPECT_EQ(d.first_a, 2.0);
  EXPECT_EQ(d.first_b, 2.5);
  EXPECT_EQ(d.largest, 2.0);
  const std::vector<std::vector<std::int64_t>> unharmed = {{}, {0, 1}};  // both rows differ, in the last column only
  EXPECT_EQ(d.unharmed, unharmed);
}

TEST(Compare, strides_do_not_matter) {
  const Difference d = compare(transpose(counting({2, 3}), 0, 1), floats({0, 3, 1, 4, 2, 6}, {3, 2}));
  EXPECT_EQ(d.differing, 1);
  EXPECT_EQ(d.first, (Shape{2, 1}));
}

TEST(Compare, special_numbers) {
  const Difference d = compare(floats({kNaN, kNaN, kInf, 1, -kInf}, {5}), floats({kNaN, 1, kInf, kNaN, kInf}, {5}));
  EXPECT_EQ(d.differing, 3);  // NaN agrees with NaN, an infinity with itself
  EXPECT_EQ(d.first, (Shape{1}));
  EXPECT_EQ(d.nan_a, 2);
  EXPECT_EQ(d.nan_b, 2);
  EXPECT_EQ(d.largest, 0.0);
  EXPECT_EQ(d.unharmed, (std::vector<std::vector<std::int64_t>>{{0, 2}}));
}

TEST(Compare, tolerance_and_integers) {
  EXPECT_EQ(compare(floats({1000.0F}, {1}), floats({1000.0005F}, {1})).differing, 0);
  EXPECT_EQ(compare(floats({1000.0F}, {1}), floats({1000.01F}, {1})).differing, 1);
  const std::int64_t big = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(compare(ints({big}, {1}), ints({big - 1}, {1}), 0, 0).differing, 1);
  EXPECT_EQ(compare(ints({big}, {1}), ints({-big}, {1})).largest, 0x1p64);
  EXPECT_EQ(compare(bools({true, false}, {2}), bools({true, true}, {2})).differing, 1);
}

TEST(Compare, other_shapes_and_one_element) {
  EXPECT_FALSE(compare(zeros({2, 3}), zeros({3, 2})).same_shape);
  const Difference d = compare(floats({1}, {}), floats({2}, {}));
  EXPECT_EQ(d.differing, 1);
  EXPECT_TRUE(d.first.empty());
  EXPECT_TRUE(compare(zeros({1, 2}), zeros({1, 2})).unharmed[0].empty());  // an axis of size 1 says nothing
}

TEST(Compare, bits) {
  EXPECT_EQ(compare_bits(floats({1, 2}, {2}), floats({1, 2}, {2})).differing, 0);
  EXPECT_EQ(compare_bits(floats({1}, {1}), floats({std::nextafter(1.0F, 2.0F)}, {1})).differing, 1);
  EXPECT_EQ(compare_bits(floats({0.0F}, {1}), floats({-0.0F}, {1})).differing, 1);
  EXPECT_EQ(compare(floats({0.0F}, {1}), floats({-0.0F}, {1})).differing, 0);
  EXPECT_EQ(compare_bits(floats({kNaN, kInf}, {2}), floats({kNaN, kInf}, {2})).differing, 0);
  EXPECT_EQ(compare_bits(ints({1, 2}, {2}), ints({1, 3}, {2})).unharmed, (std::vector<std::vector<std::int64_t>>{{0}}));
  EXPECT_FALSE(compare_bits(zeros({2}), zeros({3})).same_shape);
}

}  // namespace
}  // namespace attn
