#pragma once
// The JSON of a safetensors header, read event by event: nothing is built that the format does not have, keys that
// occur twice are seen, and no nesting is followed deeper than the format's three levels.
#include <cstddef>
#include <string>
#include <string_view>

#include "tensor/io/safetensors_header.h"

namespace attn {

/// `text` is the file's beginning, its JSON from byte `begin` on. Offsets are still those within the data.
///   Errors: BadFile, which names the byte of the file or the key.
SafetensorsHeader parse_safetensors_json(const std::string& file, std::string_view text, std::size_t begin);

}  // namespace attn
