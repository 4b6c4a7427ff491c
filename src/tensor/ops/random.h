#pragma once
// PyTorch's CPU generator, bit for bit (docs/random.md): every draw takes the words that PyTorch would take, so any
// interleaving of draws after torch.manual_seed(s) gives PyTorch's numbers.
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "tensor/core/tensor.h"

namespace attn {

class Generator {
 public:
  /// PyTorch starts with this seed when none is set; ours is the same in every run, so that output is repeatable.
  explicit Generator(std::uint64_t seed = 67280421310721ULL) { manual_seed(seed); }
  void manual_seed(std::uint64_t seed);
  std::uint64_t initial_seed() const { return seed_; }
  /// Whether nothing was drawn since it was seeded.
  bool is_fresh() const { return !kept_normal_ && engine_ == Engine(static_cast<std::uint32_t>(seed_)); }

  /// What torch.get_rng_state() holds: 5056 bytes as PyTorch lays them out.
  std::vector<std::uint8_t> state() const;
  /// False: the bytes are no such state, and nothing changes.
  bool set_state(std::span<const std::uint8_t> bytes);

  std::uint32_t word() { return engine_(); }
  std::uint64_t word64();  // two words, the first is the high half
  float uniform24();       // [0, 1), one word
  double uniform53();      // [0, 1), two words
  double small_normal();   // Box-Muller in double; every second call uses the kept half

 private:
  // std::mt19937 with words of 32 bits, which libstdc++ stores in 64: a third of its time.
  using Engine = std::mersenne_twister_engine<std::uint32_t, 32, 624, 397, 31, 0x9908b0df, 11, 0xffffffff, 7,
                                              0x9d2c5680, 15, 0xefc60000, 18, 1812433253>;

  Engine engine_;
  std::uint64_t seed_ = 0;
  std::optional<double> kept_normal_;
};

Tensor rand(const Shape& shape, Generator& generator, DType dtype = DType::Float32);
Tensor randn(const Shape& shape, Generator& generator, DType dtype = DType::Float32);
/// low <= value < high. Errors: RuntimeError when low >= high.
Tensor randint(std::int64_t low, std::int64_t high, const Shape& shape, Generator& generator,
               DType dtype = DType::Int64);
/// The same in the shape and type of x, drawn in the order of x's memory.
Tensor randint_like(std::int64_t low, std::int64_t high, const Tensor& x, Generator& generator);
/// A tensor in x's shape without gaps, for draws: its memory goes through the elements in the order of x's memory.
Tensor empty_in_memory_order(const Tensor& x, DType dtype);
/// Its axes from the largest stride to the smallest, the order in which PyTorch fills a view: t.t().normal_() draws t's
/// first row first.
Tensor in_memory_order(const Tensor& x);
Tensor randperm(std::int64_t n, Generator& generator);
/// 1 with probability p (a tensor of floats in [0, 1]), as p's type.
Tensor bernoulli(const Tensor& p, Generator& generator);
void normal_(Tensor& x, double mean, double std, Generator& generator);
void uniform_(Tensor& x, double from, double to, Generator& generator);

/// Each element is kept with probability 1 - p and multiplied by 1 / (1 - p). p = 0 and p = 1 draw nothing; with p = 0
/// the output is x itself.
///   Errors: ValueError when p is not in [0, 1].
struct Dropped {
  Tensor output;
  Tensor scale;  // 0 or 1 / (1 - p) per element
};
Dropped dropout(const Tensor& x, double p, Generator& generator);

}  // namespace attn
