#pragma once
// The generator behind np.random.default_rng(n): PCG64 (O'Neill 2014), seeded by numpy's SeedSequence, with the ways in
// which numpy's Generator makes numbers of its words.
#include <cstdint>
#include <optional>

namespace attn {

class Pcg64 {
 public:
  explicit Pcg64(std::uint64_t seed);

  std::uint64_t word64();
  /// [0, 1), 53 bits of a word.
  double uniform();
  /// [0, most], by Lemire's product; up to 2^32 - 1 of half a word.
  std::uint64_t up_to(std::uint64_t most);
  /// [0, most], by masked words until one fits: how numpy shuffles.
  std::uint64_t masked_up_to(std::uint64_t most);
  /// A standard normal number by the ziggurat of 256 strips (Marsaglia and Tsang 2000).
  double normal();

 private:
  std::uint32_t word32();
  __extension__ using Word128 = unsigned __int128;
  Word128 state_ = 0, increment_ = 0;
  std::optional<std::uint32_t> kept_;  // the upper half of the last word
};

}  // namespace attn
