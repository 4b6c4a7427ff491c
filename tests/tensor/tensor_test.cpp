// Storage, snapshots, versions, limits and reading.
#include "tensor/core/tensor.h"

#include <limits>

#include "base/limits.h"
#include "tensor/core/read.h"
#include "tensor/ops/index.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/pointwise.h"
#include "tests/tensor/outcome.h"

namespace attn {
namespace {

using Values = std::vector<double>;

TEST(Tensor, snapshot_keeps_what_was_there) {
  Tensor x = floats({1, 2, 3, 4}, {2, 2});
  Tensor row = select(x, 0, 1);
  const Tensor before = x.snapshot();
  const Tensor row_before = row.snapshot();
  EXPECT_EQ(before.storage().id, x.storage().id);
  EXPECT_EQ(before.storage().version, x.storage().version);
  EXPECT_EQ(before.data<float>(), x.data<float>());  // nothing is copied yet

  assign(row, zeros({2}));
  EXPECT_EQ(to_doubles(x), (Values{1, 2, 0, 0}));  // a view's write reaches the base
  EXPECT_EQ(to_doubles(before), (Values{1, 2, 3, 4}));
  EXPECT_EQ(to_doubles(row_before), (Values{3, 4}));
  EXPECT_EQ(x.storage().id, before.storage().id);
  EXPECT_EQ(x.storage().version, before.storage().version + 1);
  EXPECT_EQ(row.storage().version, x.storage().version);
}

TEST(Tensor, write_without_snapshot_stays_in_place) {
  Tensor x = zeros({3});
  const float* const place = x.data<float>();
  const std::int64_t version = x.storage().version;
  { const Tensor dropped = x.snapshot(); }
  x.mutable_data<float>()[1] = 5;
  EXPECT_EQ(x.data<float>(), place);
  EXPECT_EQ(x.storage().version, version + 1);
}

TEST(Tensor, writing_a_snapshot_leaves_the_original) {
  const Tensor x = floats({1, 2}, {2});
  Tensor kept = x.snapshot();
  kept.mutable_data<float>()[0] = 9;
  EXPECT_EQ(to_doubles(x), (Values{1, 2}));
  EXPECT_EQ(to_doubles(kept), (Values{9, 2}));
}

TEST(Tensor, snapshots_of_several_versions) {
  Tensor x = ints({0}, {1});
  std::vector<Tensor> history;
  for (std::int64_t i = 1; i <= 3; ++i) {
    history.push_back(x.snapshot());
    assign(x, Tensor::scalar(i));
  }
  Values seen;
  for (const Tensor& old : history) seen.push_back(to_doubles(old)[0]);
  EXPECT_EQ(seen, (Values{0, 1, 2}));
  EXPECT_EQ(history[2].storage().version, history[0].storage().version + 2);
}

TEST(Tensor, storages_have_their_own_ids) {
  const Tensor a = zeros({1}), b = zeros({1});
  EXPECT_NE(a.storage().id, b.storage().id);
  EXPECT_TRUE(a.shares_storage(unsqueeze(a, 0)));
  EXPECT_FALSE(a.shares_storage(b));
  EXPECT_FALSE(Tensor().defined());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data<float>()) % 64, 0U);
}

TEST(Tensor, contiguity) {
  EXPECT_TRUE(t(zeros({3, 1})).is_contiguous());
  EXPECT_FALSE(slice(zeros({2, 3}), 1, 0, 1).is_contiguous());
  EXPECT_TRUE(t(zeros({0, 3})).is_contiguous());
  EXPECT_FALSE(t(zeros({2, 3})).is_contiguous());
  EXPECT_TRUE(zeros({}).is_contiguous());
  EXPECT_EQ(contiguous_strides({2, 0, 3}), (Shape{3, 3, 1}));
  EXPECT_EQ(shape_text({}), "[]");
}

TEST(Tensor, memory_is_counted) {
  const std::int64_t before = live_memory();
  {
    const Tensor x = zeros({1000}, DType::Float64);
    const Tensor same = reshape(x, {10, 100});
    EXPECT_EQ(live_memory(), before + 8000);
  }
  EXPECT_EQ(live_memory(), before);
}

TEST(Tensor, limits_hold) {
  const auto kind_of = [](const Limits& limits, const std::function<void()>& run) {
    const LimitScope scope(limits);
    try {
      run();
    } catch (const LimitReached& reached) {
      return static_cast<int>(reached.kind());
    }
    return -1;
  };
  const int memory = static_cast<int>(LimitReached::Kind::Memory), work = static_cast<int>(LimitReached::Kind::Work);
  EXPECT_EQ(kind_of({}, [] { zeros({1000000000000000000}); }), memory);
  EXPECT_EQ(kind_of({}, [] { add(zeros({1000000, 1}), zeros({1, 1000000})); }), memory);
  Limits little;
  little.max_memory = live_memory() + 8000;
  EXPECT_EQ(kind_of(little, [] { zeros({2001}); }), memory);
  EXPECT_EQ(kind_of(little, [] { zeros({2000}); }), -1);
  const Tensor small = zeros({1});  // whose block is aligned
  EXPECT_GE(live_memory() - (little.max_memory - 8000), 64);
  Limits lazy;
  lazy.max_work = 199;
  EXPECT_EQ(kind_of(lazy, [] { exp(zeros({100})); }), work);
  EXPECT_EQ(kind_of(lazy, [] { exp(zeros({99})); }), -1);
}

TEST(Tensor, work_is_one_per_element) {
  const Tensor x = zeros({300, 1000}), column = zeros({300, 1});
  const auto cost = [](const std::function<void()>& run) {
    const std::int64_t before = work_done();
    run();
    return work_done() - before;
  };
  EXPECT_EQ(cost([&] { add(x, column); }), 300000);
  EXPECT_EQ(cost([&] { exp(t(x)); }), 300000);
  EXPECT_EQ(cost([&] { cast(t(x), DType::Int64); }), 300000);
  EXPECT_EQ(cost([&] { masked_fill(x, zeros({1}, DType::Bool), 0.0); }), 300001);
  EXPECT_EQ(cost([&] { permute(x, {1, 0}); }), 0);
}

TEST(Tensor, interrupt_stops_a_loop) {
  const Tensor x = zeros({1 << 20});
  request_interrupt();
  EXPECT_THROW(exp(x), LimitReached);
  clear_interrupt();
  EXPECT_NO_THROW(exp(x));
}

TEST(Assign, refusals) {
  const auto assigned = [](Tensor target, const Tensor& value) {
    assign(target, value);
    return target;
  };
  check_rows({
      {"copy_ broadcast", [&] { return assigned(zeros({3}), zeros({2})); },
       "RuntimeError: The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0"},
      {"copy_ too large",
       [&] {
         return assigned(zeros({3}), zeros({2, 3}));
       },
       "RuntimeError: output with shape [3] doesn't match the broadcast shape [2, 3]"},
      {"copy_ into expanded", [&] { return assigned(expand(zeros({1}), {3}), zeros({3})); },
       "RuntimeError: unsupported operation: more than one element of the written-to tensor refers to a single memory "
       "location. Please clone() the tensor before performing the operation."},
      {"fill_ of expanded", [&] { return assigned(expand(zeros({1}), {3}), Tensor::scalar(2.0)); },
       "tensor([2., 2., 2.])"},
      {"copy_ casts",
       [&] {
         return assigned(zeros({2}, DType::Int64), floats({1.9F, -1.9F}, {2}));
       },
       "tensor([ 1, -1])"},
      {"copy_ broadcasts",
       [&] {
         return assigned(zeros({2, 2}), floats({1, 2}, {2}));
       },
       "tensor([[1., 2.],\n        [1., 2.]])"},
  });
}

TEST(Read, elements) {
  const Tensor x = permute(counting({2, 3}), {1, 0});
  EXPECT_EQ(std::get<double>(element_at(x, Shape{2, 1})), 5.0);
  EXPECT_EQ(std::get<double>(element_at(x, 3)), 4.0);  // row-major of the view: 0 3 1 4 2 5
  EXPECT_EQ(unravel(5, {3, 2}), (Shape{2, 1}));
  EXPECT_EQ(to_doubles(x), (Values{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(std::get<bool>(item(bools({true}, {1, 1}))), true);
  EXPECT_EQ(std::get<std::int64_t>(item(ints({-7}, {}))), -7);
  EXPECT_EQ(to_doubles(zeros({0, 3})), Values{});
  try {
    item(zeros({2}));
    FAIL();
  } catch (const TensorError& error) {
    EXPECT_EQ(error.type(), "ValueError");
    EXPECT_STREQ(error.what(), "only one element tensors can be converted to Python scalars");
  }
}

TEST(Read, statistics) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const Statistics some = statistics(floats({nan, -inf, 1, 4, inf, -2}, {6}));
  EXPECT_EQ(some.count, 6);
  EXPECT_EQ(some.nan, 1);
  EXPECT_EQ(some.inf, 2);
  EXPECT_EQ(some.min, -2);
  EXPECT_EQ(some.max, 4);
  EXPECT_EQ(some.mean, 1);
  const Statistics none = statistics(floats({nan, inf}, {2}));
  EXPECT_EQ(none.mean, 0);
  EXPECT_EQ(none.count, 2);
  EXPECT_EQ(statistics(zeros({0})).count, 0);
  const std::int64_t length = std::int64_t{1} << 40;  // of one element each
  const Statistics stretched = statistics(expand(floats({1, nan, 3}, {3, 1}), {3, length}));
  EXPECT_EQ(stretched.count, 3 * length);
  EXPECT_EQ(stretched.nan, length);
  EXPECT_EQ(stretched.mean, 2);
}

TEST(DType, names_and_promotion) {
  EXPECT_EQ(name_of(DType::Float32), "torch.float32");
  EXPECT_EQ(short_name(DType::Bool), "bool");
  EXPECT_EQ(size_of(DType::Int64), 8);
  EXPECT_EQ(promote(DType::Int64, DType::Float32), DType::Float32);
  EXPECT_EQ(promote(DType::Bool, Scalar(std::int64_t{1})), DType::Int64);
  EXPECT_EQ(promote(DType::Int64, Scalar(1.5)), DType::Float32);
  EXPECT_EQ(promote(DType::Float64, Scalar(1.5)), DType::Float64);
  EXPECT_EQ(promote(DType::Int64, Scalar(true)), DType::Int64);
  EXPECT_EQ(to_int(Scalar(-2.9)), -2);
  EXPECT_EQ(to_int(Scalar(1e300)), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(to_double(Scalar(true)), 1.0);
  EXPECT_TRUE(is_float(Scalar(1.0)) && !is_float(Scalar(true)));
}

// Without a copy, and yet a later write to either does not reach the other; views see what was taken.
TEST(Tensor, TakesElements) {
  Tensor x = Tensor::from<float>({1, 2, 3, 4}, {2, 2});
  Tensor y = Tensor::from<float>({5, 6, 7, 8}, {2, 2});
  const Tensor row = x.as_strided({2}, {1}, 2), kept = x.snapshot();
  const std::int64_t version = x.storage().version;
  ASSERT_TRUE(x.take_elements(y));
  EXPECT_EQ(x.data<float>(), y.data<float>());
  EXPECT_EQ(x.storage().version, version + 1);
  EXPECT_EQ(row.data<float>()[0], 7);
  EXPECT_EQ(kept.data<float>()[0], 1);
  y.mutable_data<float>()[0] = -1;
  x.mutable_data<float>()[1] = -2;
  EXPECT_EQ(x.data<float>()[0], 5);
  EXPECT_EQ(y.data<float>()[1], 6);
  EXPECT_FALSE(x.take_elements(Tensor::from<float>({1, 2}, {2})));
  EXPECT_FALSE(x.take_elements(y.as_strided({2, 2}, {1, 2}, 0)));
  Tensor part = x.as_strided({2}, {1}, 0);
  EXPECT_FALSE(part.take_elements(Tensor::from<float>({1, 2}, {2})));
}

}  // namespace
}  // namespace attn
