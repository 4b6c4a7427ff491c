#include "python/modules/pcg64.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>

namespace attn {
namespace {

__extension__ using Word128 = unsigned __int128;
constexpr Word128 kMultiplier = (Word128{0x2360ED051FC65DA4} << 64) | 0x4385DF649FCCF645;

// ---- SeedSequence: a pool of four words, mixed, from which the state is made ----

constexpr std::size_t kPool = 4;

std::uint32_t folded(std::uint32_t word) { return word ^ (word >> 16); }

std::array<std::uint32_t, kPool> mixed_pool(std::uint64_t seed) {
  std::uint32_t constant = 0x43b0d7e5;
  const auto hashed = [&constant](std::uint32_t word) {
    word ^= constant;
    constant *= 0x931e8875;
    return folded(word * constant);
  };
  std::array<std::uint32_t, kPool> pool = {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
  for (std::uint32_t& word : pool) word = hashed(word);
  for (std::size_t from = 0; from < kPool; ++from)
    for (std::size_t to = 0; to < kPool; ++to)
      if (from != to) pool[to] = folded(0xca01f9ddU * pool[to] - 0x4973f715U * hashed(pool[from]));
  return pool;
}

std::array<std::uint64_t, kPool> seed_words(std::uint64_t seed) {
  const auto pool = mixed_pool(seed);
  std::uint32_t constant = 0x8b51f9dd;
  std::array<std::uint64_t, kPool> words{};
  for (std::size_t i = 0; i < 2 * kPool; ++i) {
    std::uint32_t word = pool[i % kPool] ^ constant;
    constant *= 0x58f38ded;
    word = folded(word * constant);
    words[i / 2] |= std::uint64_t{word} << (i % 2 * 32);
  }
  return words;
}

// ---- the ziggurat: strips of equal area under exp(-x^2 / 2) ----

constexpr double kEdge = 3.6541528853610088;    // of the lowest strip
constexpr double kArea = 0.004928673233974652;  // of each: with it the widths are numpy's to the last bit
constexpr double kMantissa = 4503599627370496;  // 2^52
constexpr std::size_t kRoundedUp = 38;          // whose height numpy's table has rounded up

struct Ziggurat {
  std::array<std::uint64_t, 256> inside{};  // below it a draw is within the strip above, too
  std::array<double, 256> width{}, height{};
};

const Ziggurat& ziggurat() {
  static const Ziggurat table = [] {
    Ziggurat made;
    double x = kEdge, height = std::exp(-0.5 * x * x);
    made.inside[0] = static_cast<std::uint64_t>(x * height / kArea * kMantissa);
    made.width[0] = kArea / height / kMantissa;
    made.height[0] = 1;
    for (std::size_t i = 255; i > 0; --i) {
      if (i == kRoundedUp) height = std::nextafter(height, 1.0);
      made.width[i] = x / kMantissa;
      made.height[i] = height;
      if (i == 1) break;
      const double next = std::sqrt(-2 * std::log(kArea / x + height));
      made.inside[i] = static_cast<std::uint64_t>(next / x * kMantissa);
      x = next;
      height = std::exp(-0.5 * x * x);
    }
    return made;
  }();
  return table;
}

}  // namespace

Pcg64::Pcg64(std::uint64_t seed) {
  const auto words = seed_words(seed);
  increment_ = (((Word128{words[2]} << 64) | words[3]) << 1) | 1;
  state_ = increment_ + ((Word128{words[0]} << 64) | words[1]);
  state_ = state_ * kMultiplier + increment_;
}

std::uint64_t Pcg64::word64() {
  state_ = state_ * kMultiplier + increment_;
  const auto high = static_cast<std::uint64_t>(state_ >> 64), low = static_cast<std::uint64_t>(state_);
  return std::rotr(high ^ low, static_cast<int>(high >> 58));
}

std::uint32_t Pcg64::word32() {
  if (kept_) {
    const std::uint32_t word = *kept_;
    kept_.reset();
    return word;
  }
  const std::uint64_t word = word64();
  kept_ = static_cast<std::uint32_t>(word >> 32);
  return static_cast<std::uint32_t>(word);
}

double Pcg64::uniform() { return static_cast<double>(word64() >> 11) * 0x1p-53; }

std::uint64_t Pcg64::up_to(std::uint64_t most) {
  constexpr std::uint64_t kHalf = UINT32_MAX;
  if (most == 0) return 0;
  if (most == kHalf) return word32();
  if (most == UINT64_MAX) return word64();
  const std::uint64_t count = most + 1;
  if (most < kHalf) {
    const std::uint64_t refused = (kHalf - most) % count;
    std::uint64_t product = word32() * count;
    while ((product & kHalf) < refused) product = word32() * count;
    return product >> 32;
  }
  const std::uint64_t refused = (UINT64_MAX - most) % count;
  Word128 product = Word128{word64()} * count;
  while (static_cast<std::uint64_t>(product) < refused) product = Word128{word64()} * count;
  return static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t Pcg64::masked_up_to(std::uint64_t most) {
  const std::uint64_t mask = most == 0 ? 0 : UINT64_MAX >> std::countl_zero(most);
  if (most == 0) return 0;
  for (;;) {
    const std::uint64_t drawn = (most <= UINT32_MAX ? word32() : word64()) & mask;
    if (drawn <= most) return drawn;
  }
}

double Pcg64::normal() {
  const Ziggurat& table = ziggurat();
  for (;;) {
    const std::uint64_t word = word64();
    const std::size_t strip = word & 0xff;
    const bool is_negative = (word >> 8) & 1;
    const std::uint64_t draw = (word >> 9) & 0xfffffffffffff;
    const double x = static_cast<double>(draw) * table.width[strip] * (is_negative ? -1 : 1);
    if (draw < table.inside[strip]) return x;
    if (strip == 0) {  // the tail
      for (;;) {
        const double beyond = -std::log1p(-uniform()) / kEdge, other = -std::log1p(-uniform());
        if (other + other > beyond * beyond) return (draw >> 8) & 1 ? -(kEdge + beyond) : kEdge + beyond;
      }
    }
    if ((table.height[strip - 1] - table.height[strip]) * uniform() + table.height[strip] < std::exp(-0.5 * x * x))
      return x;
  }
}

}  // namespace attn
