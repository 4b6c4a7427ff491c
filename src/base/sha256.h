#pragma once
// SHA-256 and base64: pages say which script and style belong to them, and text carries bytes.
#include <optional>
#include <string>
#include <string_view>

namespace attn {

/// The 32 bytes of the digest. Source: FIPS 180-4.
std::string sha256(std::string_view bytes);

/// With padding. Source: RFC 4648, section 4.
std::string base64(std::string_view bytes);

/// The bytes again; nothing when the text is not what base64() writes.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace attn
