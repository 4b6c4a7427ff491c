#include "tensor/ops/random.h"

#include <bit>

#include "base/limits.h"
#include "tensor/ops/layout.h"
#include "tests/tensor/hash.h"
#include "tests/tensor/outcome.h"

namespace attn {
namespace {

std::vector<std::uint32_t> bits_of(const Tensor& x) {
  std::vector<std::uint32_t> bits;
  for (std::int64_t i = 0; i < x.numel(); ++i) bits.push_back(std::bit_cast<std::uint32_t>(x.data<float>()[i]));
  return bits;
}

Tensors randn_of_sizes_to(std::int64_t last, Generator& g) {
  Tensors all;
  for (std::int64_t n = 1; n <= last; ++n) all.push_back(randn({n}, g));
  return all;
}

Tensor normal_of(const Shape& shape, double mean, double std, Generator& g) {
  Tensor x = zeros(shape);
  normal_(x, mean, std, g);
  return x;
}

Tensor uniform_of(const Shape& shape, double from, double to, Generator& g) {
  Tensor x = zeros(shape);
  uniform_(x, from, to, g);
  return x;
}

Tensor turned_normal(std::int64_t rows, std::int64_t cols, Generator& g) {
  const Tensor x = zeros({rows, cols});
  Tensor view = t(x);
  normal_(view, 0, 1, g);
  return x;
}

TEST(Random, first_values_after_manual_seed_42) {
  Generator g(42);
  EXPECT_EQ(bits_of(rand({4}, g)), (std::vector<std::uint32_t>{0x3f61dc66, 0x3f6a3db3, 0x3ec406b8, 0x3f75950e}));
  g.manual_seed(42);
  EXPECT_EQ(bits_of(randn({5}, g)),
            (std::vector<std::uint32_t>{0x3eac62ae, 0x3e03e69d, 0x3e7016e7, 0x3e6bdc6c, 0xbf8fb9c2}));
  g.manual_seed(42);  // drops the kept normal
  EXPECT_EQ(
      bits_of(randn({19}, g)),
      (std::vector<std::uint32_t>{0x3ff6a529, 0x3fbe5f53, 0x3f669567, 0x3ee111d8, 0xbf4214e2, 0x3f8a0650, 0x3f4d0144,
                                  0x3fd71e93, 0x3eb63345, 0xbf2fc686, 0xbefc9934, 0x3faad8b0, 0xbe6d2eed, 0x3d2b0c00,
                                  0xbe80ce7a, 0x3f5c1fb0, 0xbe9e9482, 0xbeca9a91, 0x3f4dac3c}));
}

// One stream per seed, every draw after the other; the hashes are of the bytes that PyTorch 1.13.1 drew.
TEST(Random, a_mixed_stream_is_pytorchs_bit_for_bit) {
  struct Draw {
    const char* name;
    Tensors (*draw)(Generator& g);
    std::uint64_t hashes[3];
  };
  const Draw draws[] = {
      {"rand(5)",
       [](Generator& g) -> Tensors { return {rand({5}, g)}; },
       {0x4530ae1f72c05e76, 0x182743c2acc95c06, 0xc57305d572909531}},
      {"randn(3)",
       [](Generator& g) -> Tensors { return {randn({3}, g)}; },
       {0x4e6495781430fe27, 0x46740d1878c06aa5, 0x504d5a7dedce1d66}},
      {"rand(2, 3) beside a kept normal",
       [](Generator& g) -> Tensors {
         return {rand({2, 3}, g)};
       },
       {0x337904779e676193, 0x5ce66c57698be00a, 0xd5cc3ff396becaab}},
      {"randn(16)",
       [](Generator& g) -> Tensors { return {randn({16}, g)}; },
       {0x74bf3f53eebf0e9a, 0xd240387182aaad26, 0x3fecb021b1c7adc5}},
      {"randn(2) with the kept normal first",
       [](Generator& g) -> Tensors { return {randn({2}, g)}; },
       {0xa6fdd7422fe6da10, 0x69bc486f727c9367, 0xe712acd83972e8e3}},
      {"randn(n) for n = 1 .. 200",
       [](Generator& g) -> Tensors { return randn_of_sizes_to(200, g); },
       {0x65fe29841d41022a, 0xf586cf5300e0bdae, 0x1eff9b983e8be873}},
      {"randn(300, 1001)",
       [](Generator& g) -> Tensors {
         return {randn({300, 1001}, g)};
       },
       {0xafdaefe43d8f0ff8, 0x2d8d887b8dee1688, 0xbbe815b4e34d37aa}},
      {"randn(131077)",
       [](Generator& g) -> Tensors { return {randn({131077}, g)}; },
       {0x14d679596f18e93a, 0x82d89535df99339e, 0x517041b57cc66fcf}},
      {"rand(9, float64)",
       [](Generator& g) -> Tensors { return {rand({9}, g, DType::Float64)}; },
       {0x01d2253e842ed77d, 0xd74cb79589d696dd, 0x368d08ce4e10c644}},
      {"randn(7, float64)",
       [](Generator& g) -> Tensors { return {randn({7}, g, DType::Float64)}; },
       {0x9f718dab671f4d98, 0x59fa0c29fa57d7cc, 0xbe2da4a3e9acfe73}},
      {"randn(37, float64)",
       [](Generator& g) -> Tensors { return {randn({37}, g, DType::Float64)}; },
       {0xead49400632b3d15, 0xdc883df6e78043be, 0x0b072111944e3554}},
      {"randint(-5, 7, (50,))",
       [](Generator& g) -> Tensors { return {randint(-5, 7, {50}, g)}; },
       {0x30465676accc0a10, 0xc853d73d5ba09fc6, 0x1f942739801109fc}},
      {"randint(0, 2**32 - 1, (9,))",
       [](Generator& g) -> Tensors { return {randint(0, 4294967295, {9}, g)}; },
       {0x1140e22a68cd7fa8, 0xf9141d1c7025e43b, 0x18ac261a7b242800}},
      {"randint(0, 2**32, (9,))",
       [](Generator& g) -> Tensors { return {randint(0, 4294967296, {9}, g)}; },
       {0x03da545e0f242845, 0xe47fb17767738896, 0xb1a236de06312545}},
      {"randint(-2**62, 2**62, (9,))",
       [](Generator& g) -> Tensors { return {randint(-(std::int64_t{1} << 62), std::int64_t{1} << 62, {9}, g)}; },
       {0x9fae1545270a6cd6, 0x1ae7b5b7e81603a9, 0x2b5bea35cb41b5b5}},
      {"randperm(100)",
       [](Generator& g) -> Tensors { return {randperm(100, g)}; },
       {0x19e7b090a7a6ab05, 0x2206bea9f68d8485, 0xe15a54ce37d65fa5}},
      {"randperm(0) and randperm(1)",
       [](Generator& g) -> Tensors {
         return {randperm(0, g), randperm(1, g)};
       },
       {0xa8c7f832281a39c5, 0xa8c7f832281a39c5, 0xa8c7f832281a39c5}},
      {"bernoulli(rand(30))",
       [](Generator& g) -> Tensors { return {bernoulli(rand({30}, g), g)}; },
       {0xead775f3106719d5, 0xa4b913dd56397615, 0x2f68a08cc7ced5d5}},
      {"bernoulli(rand(30, float64))",
       [](Generator& g) -> Tensors { return {bernoulli(rand({30}, g, DType::Float64), g)}; },
       {0x6de9210964457ef8, 0x2ff42fc7619aad18, 0xa9e9130eadfa1545}},
      {"normal_(0.5, 0.02) of 50",
       [](Generator& g) -> Tensors { return {normal_of({50}, 0.5, 0.02, g)}; },
       {0x1adaf1f3bc517db6, 0x049b24a8ba92f488, 0x55712495a2f23cb2}},
      {"normal_(-1, 3) of 5",
       [](Generator& g) -> Tensors { return {normal_of({5}, -1, 3, g)}; },
       {0x3e43b248b465bdcb, 0xa7e21bf4de6145ec, 0xc3c7c73b6ea69608}},
      {"uniform_(-0.3, 0.7) of 40",
       [](Generator& g) -> Tensors { return {uniform_of({40}, -0.3, 0.7, g)}; },
       {0x1ebdaf17d725ceb2, 0x7428372ff64d2e03, 0xdb9775379d48a357}},
      {"t().normal_() of a 5 x 7",
       [](Generator& g) -> Tensors { return {turned_normal(5, 7, g)}; },
       {0x0b34ca95998a582c, 0x37132b7cbab3383d, 0xbd62dbf6d99d7e2b}},
      {"dropout(ones(60), 0.3)",
       [](Generator& g) -> Tensors { return {dropout(ones({60}), 0.3, g).output}; },
       {0x7c11c0adad467115, 0xc0b7f98a106f5a75, 0xf7c290bf47aecd65}},
      {"dropout(ones(60), 0) and 1",
       [](Generator& g) -> Tensors {
         return {dropout(ones({60}), 0, g).output, dropout(ones({60}), 1, g).output};
       },
       {0xa656a5e8fd807245, 0xa656a5e8fd807245, 0xa656a5e8fd807245}},
      {"dropout(ones(4, 6).t(), 0.5)",
       [](Generator& g) -> Tensors {
         return {contiguous(dropout(t(ones({4, 6})), 0.5, g).output)};
       },
       {0x81819042c6f0c825, 0xc416d5a22737f825, 0x6e4c18e59c5f59e5}},
      {"rand(1) at the end",
       [](Generator& g) -> Tensors { return {rand({1}, g)}; },
       {0x5749342871bc805a, 0x406815f2fb9b40d8, 0x8605ea63b35021d3}},
  };
  const std::uint64_t seeds[] = {0, 1234, (std::uint64_t{1} << 32) + 5};
  for (int i = 0; i < 3; ++i) {
    Generator g(seeds[i]);
    for (const Draw& row : draws)
      ASSERT_EQ(hash_of(row.draw(g)), row.hashes[i]) << row.name << " after manual_seed(" << seeds[i] << ")";
  }
}

TEST(Random, dropout_says_what_it_did) {
  Generator g(1);
  const Dropped dropped = dropout(full({50}, 3.0, DType::Float32), 0.25, g);
  for (int i = 0; i < 50; ++i) {
    const float scale = dropped.scale.data<float>()[i];
    EXPECT_TRUE(scale == 0.0F || scale == 1.0F / 0.75F);
    EXPECT_EQ(dropped.output.data<float>()[i], 3.0F * scale);
  }
  const Tensor x = counting({3});
  EXPECT_TRUE(dropout(x, 0.0, g).output.shares_storage(x));
}

TEST(Random, errors) {
  check_rows({
      {"randint(5, 5, (2,))",
       [] {
         Generator g;
         return randint(5, 5, {2}, g);
       },
       "RuntimeError: random_ expects 'from' to be less than 'to', but got from=5 >= to=5"},
      {"randperm(-1)",
       [] {
         Generator g;
         return randperm(-1, g);
       },
       "RuntimeError: Trying to create tensor with negative dimension -1: [-1]"},
      {"randn(3, dtype=torch.int64)",
       [] {
         Generator g;
         return randn({3}, g, DType::Int64);
       },
       "RuntimeError: \"normal_kernel_cpu\" not implemented for 'Long'"},
      {"rand(3, dtype=torch.bool)",
       [] {
         Generator g;
         return rand({3}, g, DType::Bool);
       },
       "RuntimeError: \"check_uniform_bounds\" not implemented for 'Bool'"},
      {"bernoulli([2.0])",
       [] {
         Generator g;
         return bernoulli(floats({2}, {1}), g);
       },
       "RuntimeError: Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be "
       "improved?  If so, please report an enhancement request to PyTorch.)"},
      {"bernoulli([1])",
       [] {
         Generator g;
         return bernoulli(ints({1}, {1}), g);
       },
       "RuntimeError: \"bernoulli_tensor_cpu_p_\" not implemented for 'Long'"},
      {"normal_(0, -1)",
       [] {
         Generator g;
         return normal_of({3}, 0, -1, g);
       },
       "RuntimeError: normal expects std >= 0.0, but found std -1"},
      {"uniform_(2, 1)",
       [] {
         Generator g;
         return uniform_of({3}, 2, 1, g);
       },
       "RuntimeError: uniform_ expects to return a [from, to) range, but found from=2 > to=1"},
      {"uniform_(-1e39, 1)",
       [] {
         Generator g;
         return uniform_of({3}, -1e39, 1, g);
       },
       "RuntimeError: from is out of bounds for float"},
      {"uniform_(-3e38, 3e38)",
       [] {
         Generator g;
         return uniform_of({3}, -3e38, 3e38, g);
       },
       "RuntimeError: uniform_ expects to-from <= std::numeric_limits<Float>::max(), but found to=3e+38 and "
       "from=-3e+38 which result in to-from to exceed the limit"},
      {"expand().uniform_()",
       [] {
         Generator g;
         Tensor x = expand(zeros({1, 4}), {3, 4});
         uniform_(x, 0, 1, g);
         return x;
       },
       "RuntimeError: unsupported operation: more than one element of the written-to tensor refers to a single memory "
       "location. Please clone() the tensor before performing the operation."},
      {"dropout(p=2.0)",
       [] {
         Generator g;
         return dropout(ones({3}), 2.0, g).output;
       },
       "ValueError: dropout probability has to be between 0 and 1, but got 2.0"},
      {"dropout of int64",
       [] {
         Generator g;
         return dropout(counting({3}, DType::Int64), 0.5, g).output;
       },
       "RuntimeError: result type Float can't be cast to the desired output type Long"},
  });
}

TEST(Random, an_interrupt_ends_a_long_draw) {
  Generator g;
  request_interrupt();
  EXPECT_THROW(randn({1 << 20}, g), LimitReached);
  EXPECT_THROW(rand({1 << 20}, g), LimitReached);
  EXPECT_THROW(randperm(1 << 20, g), LimitReached);
  clear_interrupt();
}

}  // namespace
}  // namespace attn
