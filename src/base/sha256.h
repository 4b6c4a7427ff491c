#pragma once
// SHA-256 and base64, for pages that say which script and style belong to them.
#include <string>
#include <string_view>

namespace attn {

/// The 32 bytes of the digest. Source: FIPS 180-4.
std::string sha256(std::string_view bytes);

/// With padding. Source: RFC 4648, section 4.
std::string base64(std::string_view bytes);

}  // namespace attn
