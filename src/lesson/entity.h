#pragma once
// HTML entities in Markdown text.
#include <string>
#include <string_view>

namespace attn {

/// "&amp;" -> "&", "&#8594;" -> "→". One that is not known stays as written.
std::string decode_entity(std::string_view entity);

}  // namespace attn
