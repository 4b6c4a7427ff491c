#pragma once
// SHA-256 and base64, for pages that say which script and style belong to them, and for runs that say which file they
// read.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace attn {

/// The digest of bytes that come in pieces. Source: FIPS 180-4.
class Sha256 {
 public:
  Sha256();
  void add(std::string_view bytes);
  /// The 32 bytes of the digest of all that was added. Nothing can be added afterwards.
  std::string digest();

 private:
  std::array<std::uint32_t, 8> state_;
  std::string rest_;  // less than a block
  std::uint64_t size_ = 0;
};

std::string sha256(std::string_view bytes);

/// "00ff": two digits a byte.
std::string hex_digits(std::string_view bytes);

/// With padding. Source: RFC 4648, section 4.
std::string base64(std::string_view bytes);

}  // namespace attn
