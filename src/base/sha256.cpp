#include "base/sha256.h"

#include <algorithm>
#include <bit>

namespace attn {
namespace {

constexpr std::size_t kBlock = 64;  // bytes

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::uint32_t kRounds[] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using State = std::array<std::uint32_t, 8>;

// The same of the square roots of the first 8.
constexpr State kStart = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word = (word << 8) | static_cast<unsigned char>(bytes[at + i]);
  return word;
}

void add_block(State& state, std::string_view block) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t i = 0; i < 16; ++i) w[i] = word_at(block, 4 * i);
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kRounds[i] + w[i];
    const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const State rounds = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state[i] += rounds[i];
}

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// What each byte means as a digit of base64; 64: it is none.
constexpr auto kMeanings = [] {
  std::array<std::uint8_t, 256> meanings{};
  meanings.fill(64);
  for (std::size_t i = 0; i < kDigits.size(); ++i)
    meanings[static_cast<unsigned char>(kDigits[i])] = static_cast<std::uint8_t>(i);
  return meanings;
}();

void put_bytes(std::string& out, std::uint64_t number, int count) {
  for (int i = count - 1; i >= 0; --i) out += static_cast<char>((number >> (8 * i)) & 0xff);
}

}  // namespace

Sha256::Sha256() : state_(kStart) {}

void Sha256::add(std::string_view bytes) {
  size_ += bytes.size();
  if (!rest_.empty()) {
    const std::size_t wanted = std::min(kBlock - rest_.size(), bytes.size());
    rest_ += bytes.substr(0, wanted);
    bytes.remove_prefix(wanted);
    if (rest_.size() < kBlock) return;
    add_block(state_, rest_);
    rest_.clear();
  }
  for (; bytes.size() >= kBlock; bytes.remove_prefix(kBlock)) add_block(state_, bytes);
  rest_ = bytes;
}

std::string Sha256::digest() {
  const std::uint64_t size = size_;
  std::string end = "\x80";
  while ((rest_.size() + end.size()) % kBlock != kBlock - 8) end += '\0';
  put_bytes(end, size * 8, 8);
  add(end);
  std::string digest;
  for (const std::uint32_t word : state_) put_bytes(digest, word, 4);
  return digest;
}

std::string sha256(std::string_view bytes) {
  Sha256 sum;
  sum.add(bytes);
  return sum.digest();
}

std::string hex_digits(std::string_view bytes) {
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  std::string out;
  for (const char byte : bytes) {
    out += kHexDigits[static_cast<unsigned char>(byte) >> 4];
    out += kHexDigits[static_cast<unsigned char>(byte) & 15];
  }
  return out;
}

std::string base64(std::string_view bytes) {
  std::string out((bytes.size() + 2) / 3 * 4, '=');
  char* to = out.data();
  const auto put = [&](std::size_t at, std::size_t count) {
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i)
      group = group << 8 | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0);
    for (std::size_t i = 0; i <= count; ++i) to[i] = kDigits[group >> (18 - 6 * i) & 63];
    to += 4;
  };
  const std::size_t rest = bytes.size() % 3, whole = bytes.size() - rest;
  for (std::size_t at = 0; at < whole; at += 3) put(at, 3);
  if (rest > 0) put(whole, rest);
  return out;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  std::string out;
  out.reserve(text.size() / 4 * 3);
  for (std::size_t at = 0; at < text.size(); at += 4) {
    const std::size_t digits = at + 4 < text.size() ? 4 : 4 - padding;
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::uint32_t meaning = i < digits ? kMeanings[static_cast<unsigned char>(text[at + i])] : 0;
      if (meaning > 63) return std::nullopt;
      group = group << 6 | meaning;
    }
    if ((group & ((1u << 8 * (4 - digits)) - 1)) != 0) return std::nullopt;  // bits that no byte takes
    for (std::size_t i = 0; i + 1 < digits; ++i) out += static_cast<char>(group >> (16 - 8 * i) & 0xff);
  }
  return out;
}

}  // namespace attn
