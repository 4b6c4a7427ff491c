// What is computed with the same bits at every level of the processor, and by any number of threads; what is not must
// be near. Values themselves are compared with PyTorch's by the oracle.
#include "tensor/kernels/levels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "tensor/core/memory.h"
#include "tensor/core/parallel.h"
#include "tensor/ops/activations.h"
#include "tensor/ops/attention.h"
#include "tensor/ops/compare.h"
#include "tensor/ops/create.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/matmul.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/random.h"
#include "tensor/ops/reduce.h"
#include "tensor/ops/special.h"

namespace attn {
namespace {

/// Another level, and another number of threads, until the end of the scope.
class Setting {
 public:
  explicit Setting(const Level& level, int threads_now = 1) : level_(level_before()), threads_(threads()) {
    use_level(level);
    set_threads(threads_now);
  }
  ~Setting() {
    use_level(level_);
    set_threads(threads_);
  }

 private:
  static const Level& level_before() { return level(); }
  const Level& level_;
  int threads_;
};

std::vector<const Level*> supported() {
  std::vector<const Level*> found;
  for (const Level& level : levels())
    if (level.is_supported()) found.push_back(&level);
  return found;
}

struct Work {
  const char* name;
  std::function<Tensor()> compute;
  bool same_at_all_levels;
};

Tensor drawn(const Shape& shape, std::uint64_t seed = 7) {
  Generator generator(seed);
  return randn(shape, generator);
}

constexpr double kLowestScore = -std::numeric_limits<double>::infinity();
constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

Tensor attended(AttentionOptions options = {}) {
  options.scale = 0.3;
  const Tensor q = drawn({2, 520, 12}), k = drawn({2, 530, 12}, 8), v = drawn({2, 530, 9}, 9);
  EXPECT_TRUE(takes_tiles(q, k, v, options));
  return attention_in_tiles(q, k, v, options);
}

const std::vector<Work> kWork = {
    {"small product",
     [] {
       return mm(drawn({61, 130}), drawn({130, 77}));
     },
     true},
    {"small product of turned matrices",
     [] {
       return mm(t(drawn({130, 61})), t(drawn({77, 130})));
     },
     true},
    {"row times turned matrix",
     [] {
       return mm(drawn({1, 500}), t(drawn({333, 500})));
     },
     true},
    {"small product in float64",
     [] {
       return mm(cast(drawn({61, 130}), DType::Float64), cast(drawn({130, 77}), DType::Float64));
     },
     true},
    {"many small products",
     [] {
       return matmul(drawn({90, 20, 64}), drawn({90, 64, 50}));
     },
     true},
    {"softmax of short rows",
     [] {
       return softmax(drawn({3000, 97}), -1);
     },
     true},
    {"softmax of long rows",
     [] {
       return softmax(drawn({300, 1001}), -1);
     },
     true},
    {"softmax of columns",
     [] {
       return softmax(drawn({300, 101}), 0);
     },
     true},
    {"large product",
     [] {
       return mm(drawn({301, 200}), drawn({200, 603}));
     },
     false},
    {"large product with a bias",
     [] {
       return linear(drawn({301, 200}), drawn({103, 200}), drawn({103}));
     },
     false},
    {"attention", [] { return attended(); }, false},
    {"causal attention", [] { return attended({.mask = {}, .is_causal = true}); }, false},
};

TEST(Levels, ChangeNoBitOfWhatIsSmall) {
  for (const Work& work : kWork) {
    const Setting at_first(*supported().front());
    const Tensor expected = work.compute();
    for (const Level* level : supported()) {
      const Setting setting(*level);
      const Tensor result = work.compute();
      if (work.same_at_all_levels) EXPECT_TRUE(equal(result, expected)) << work.name << " at " << level->name;
      else EXPECT_TRUE(allclose(result, expected, 1e-5, 1e-4)) << work.name << " at " << level->name;
    }
  }
}

TEST(Levels, ThreadsChangeNoBit) {
  for (const Level* level : supported()) {
    for (const Work& work : kWork) {
      const Setting alone(*level, 1);
      const Tensor expected = work.compute();
      const Setting together(*level, 3);
      EXPECT_TRUE(equal(work.compute(), expected)) << work.name << " at " << level->name;
    }
  }
}

TEST(Levels, AreNotedWhereNumbersDependOnThem) {
  for (const Work& work : kWork) {
    take_level_used();
    work.compute();
    EXPECT_EQ(take_level_used(), !work.same_at_all_levels) << work.name;
  }
}

Tensor wide(const Tensor& x) { return cast(x, DType::Float64); }

// By the definition, in float64; `added` to the scores.
Tensor formula(const Tensor& q, const Tensor& k, const Tensor& v, double scale, const Tensor& added) {
  const Tensor scores = mul(matmul(wide(q), transpose(wide(k), -2, -1)), scale);
  return matmul(softmax(add(scores, wide(added)), -1), wide(v));
}

Tensor hidden_where(const Tensor& mask) { return masked_fill(zeros(mask.shape()), mask, kLowestScore); }

struct Tiles {
  const char* name;
  Shape q, k, v;
  AttentionOptions options;
  Tensor added;
};

TEST(Attention, InTilesIsWhatItsFormulaSays) {
  const Tensor later = triu(ones({520, 530}), 1), some = drawn({520, 530}, 3);
  const Tensor drawn_mask = gt(some, 0.5);
  const std::vector<Tiles> cases = {
      {"plain", {2, 520, 12}, {2, 530, 12}, {2, 530, 9}, {}, zeros({1})},
      {"one key more than two tiles", {512, 64}, {513, 64}, {513, 64}, {}, zeros({1})},
      {"wide heads", {300, 300}, {1000, 300}, {1000, 130}, {}, zeros({1})},
      {"one row", {1, 64}, {270000, 64}, {270000, 5}, {}, zeros({1})},
      {"causal", {520, 40}, {530, 40}, {530, 64}, {.mask = {}, .is_causal = true}, hidden_where(gt(later, 0))},
      {"a mask that is added", {520, 40}, {530, 40}, {530, 64}, {.mask = some}, some},
      {"a mask of what is seen",
       {520, 40},
       {530, 40},
       {530, 64},
       {.mask = logical_not(drawn_mask)},
       hidden_where(drawn_mask)},
      {"negative scale", {520, 12}, {530, 12}, {530, 9}, {.mask = {}, .scale = -0.5}, zeros({1})},
  };
  for (Tiles c : cases) {
    const Tensor q = drawn(c.q), k = drawn(c.k, 8), v = drawn(c.v, 9);
    if (c.options.scale == 1) c.options.scale = 1 / std::sqrt(static_cast<double>(c.q.back()));
    ASSERT_TRUE(takes_tiles(q, k, v, c.options)) << c.name;
    const Tensor result = attention_in_tiles(q, k, v, c.options);
    EXPECT_TRUE(allclose(wide(result), formula(q, k, v, c.options.scale, c.added), 1e-5, 2e-6)) << c.name;
  }
}

TEST(Attention, InTilesOfWhatIsNotFinite) {
  const Tensor k = drawn({600, 16}, 8), v = drawn({600, 7}, 9);
  Tensor q = drawn({600, 16});
  q.mutable_data<float>()[100 * 16] = kNotANumber;
  Tensor seen = logical_not(eq(zeros({600, 600}), 1));
  for (std::int64_t j = 0; j < 600; ++j) seen.mutable_data<bool>()[200 * 600 + j] = false;
  const Tensor result = attention_in_tiles(q, k, v, {.mask = seen});
  for (std::int64_t i = 0; i < 600; ++i)
    EXPECT_EQ(std::isnan(result.data<float>()[i * 7 + 6]), i == 100 || i == 200) << i;
}

TEST(Attention, IsTakenInTilesOnlyWhereThatHelpsAndFits) {
  const Tensor q = drawn({2, 520, 12}), k = drawn({2, 530, 12});
  EXPECT_TRUE(takes_tiles(q, k, k, {}));
  EXPECT_FALSE(takes_tiles(drawn({2, 100, 12}), k, k, {})) << "small";
  EXPECT_FALSE(takes_tiles(drawn({520, 12}), k, k, {})) << "batches differ";
  EXPECT_FALSE(takes_tiles(q, drawn({2, 530, 11}), k, {})) << "head_dim differs";
  EXPECT_FALSE(takes_tiles(cast(q, DType::Float64), k, k, {})) << "another type";
  EXPECT_FALSE(takes_tiles(q, k, k, {.mask = drawn({3, 1, 530})})) << "a mask that does not fit";
  EXPECT_TRUE(takes_tiles(q, k, k, {.mask = drawn({530})}));
}

TEST(Memory, OfLargeTensorsIsTakenAgain) {
  const void* first = nullptr;
  {
    const Tensor x = Tensor::empty({1000, 1000}, DType::Float32);
    first = x.data<float>();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % (std::uintptr_t{1} << 21), 0U) << "a huge page begins here";
  }
  EXPECT_GE(kept_memory(), 4'000'000);
  const Tensor y = Tensor::empty({1001, 999}, DType::Float32);
  EXPECT_EQ(y.data<float>(), first);
}

}  // namespace
}  // namespace attn
