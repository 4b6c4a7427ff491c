#include "python/modules/mersenne_twister.h"

#include <bit>
#include <cmath>
#include <utility>

#include "base/limits.h"

namespace attn {

void MersenneTwister::fill(std::uint32_t seed) {
  state_[0] = seed;
  for (std::uint32_t i = 1; i < 624; ++i) state_[i] = 1812433253U * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
  at_ = 624;
  kept_.reset();
}

void MersenneTwister::seed_numpy(std::uint32_t seed) { fill(seed); }

void MersenneTwister::seed_python(std::uint64_t seed) {
  const std::uint32_t key[] = {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
  const std::uint32_t length = key[1] ? 2 : 1;
  fill(19650218U);
  std::uint32_t i = 1, j = 0;
  const auto advance = [&] {
    if (++i < 624) return;
    state_[0] = state_[623];
    i = 1;
  };
  for (int k = 0; k < 624; ++k) {
    state_[i] = (state_[i] ^ ((state_[i - 1] ^ (state_[i - 1] >> 30)) * 1664525U)) + key[j] + j;
    advance();
    j = (j + 1) % length;
  }
  for (int k = 0; k < 623; ++k) {
    state_[i] = (state_[i] ^ ((state_[i - 1] ^ (state_[i - 1] >> 30)) * 1566083941U)) - i;
    advance();
  }
  state_[0] = 0x80000000U;
}

void MersenneTwister::restore(const State& state) {
  state_ = state.words;
  at_ = state.at;
  kept_ = state.kept;
}

std::uint32_t MersenneTwister::word() {
  if (at_ == 624) {
    for (std::size_t i = 0; i < 624; ++i) {
      const std::uint32_t y = (state_[i] & 0x80000000U) | (state_[(i + 1) % 624] & 0x7fffffffU);
      state_[i] = state_[(i + 397) % 624] ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfU : 0U);
    }
    at_ = 0;
  }
  std::uint32_t y = state_[at_++];
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680U;
  y ^= (y << 15) & 0xefc60000U;
  return y ^ (y >> 18);
}

double MersenneTwister::uniform() {
  const std::uint32_t high = word() >> 5, low = word() >> 6;
  return (high * 67108864.0 + low) / 9007199254740992.0;
}

std::uint64_t MersenneTwister::bits(int count) {
  if (count <= 0) return 0;
  if (count <= 32) return word() >> (32 - count);
  const std::uint64_t low = word();
  return low | (static_cast<std::uint64_t>(word() >> (64 - count)) << 32);
}

std::uint64_t MersenneTwister::below(std::uint64_t below) {
  if (below == 0) return 0;
  const int count = static_cast<int>(std::bit_width(below));
  std::uint64_t drawn = bits(count);
  while (drawn >= below) drawn = bits(count);
  return drawn;
}

std::uint64_t MersenneTwister::up_to(std::uint64_t most) {
  if (most == 0) return 0;
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - std::bit_width(most));
  const auto draw = [&] {
    if (most <= 0xffffffffU) return word() & mask;
    const std::uint64_t high = word();
    return ((high << 32) | word()) & mask;
  };
  std::uint64_t drawn = draw();
  while (drawn > most) drawn = draw();
  return drawn;
}

double MersenneTwister::polar_normal() {
  if (kept_) return *std::exchange(kept_, std::nullopt);
  double x = 0, y = 0, square = 0;
  do {
    look();  // a state of zeros never leads out
    x = 2.0 * uniform() - 1.0;
    y = 2.0 * uniform() - 1.0;
    square = x * x + y * y;
  } while (square >= 1.0 || square == 0.0);
  const double factor = std::sqrt(-2.0 * std::log(square) / square);
  kept_ = factor * x;
  return factor * y;
}

double MersenneTwister::gauss(double mean, double deviation) {
  if (kept_) return mean + *std::exchange(kept_, std::nullopt) * deviation;
  const double angle = uniform() * 6.283185307179586;
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  kept_ = std::sin(angle) * radius;
  return mean + std::cos(angle) * radius * deviation;
}

}  // namespace attn
