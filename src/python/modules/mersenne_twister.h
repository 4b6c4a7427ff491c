#pragma once
// The generator behind Python's `random` and numpy's `np.random`: MT19937 with the ways in which the two seed it and
// make numbers of its words. (PyTorch's own draws are tensor/random.h.)
#include <array>
#include <cstdint>
#include <optional>

namespace attn {

class MersenneTwister {
 public:
  /// Both libraries start from the system's noise; here every run starts alike.
  MersenneTwister() { seed_python(0); }
  /// random.seed(n), by init_by_array of |n| in words of 32 bits.
  void seed_python(std::uint64_t seed);
  /// np.random.seed(n), 0 <= n < 2^32.
  void seed_numpy(std::uint32_t seed);

  std::uint32_t word();
  /// [0, 1), 53 bits of two words.
  double uniform();
  /// k words' upper bits, 0 <= bits <= 64 (Python's getrandbits).
  std::uint64_t bits(int count);
  /// [0, below) as Python draws it: getrandbits until it fits.
  std::uint64_t below(std::uint64_t below);
  /// [0, most] as numpy's RandomState draws it: masked words until one fits.
  std::uint64_t up_to(std::uint64_t most);
  /// A standard normal number by the polar method; every second call gives the half that was kept.
  double polar_normal();
  /// random.gauss: Box and Muller, with a half that is kept.
  double gauss(double mean, double deviation);

  /// The state: the words, how many of them are spent, and the second number of a pair of normal ones, if it is kept.
  struct State {
    std::array<std::uint32_t, 624> words{};
    std::size_t at = 624;
    std::optional<double> kept;
  };
  State state() const { return {state_, at_, kept_}; }
  void restore(const State& state);

 private:
  void fill(std::uint32_t seed);
  std::array<std::uint32_t, 624> state_{};
  std::size_t at_ = 624;
  std::optional<double> kept_;
};

}  // namespace attn
