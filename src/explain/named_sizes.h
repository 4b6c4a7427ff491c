#pragma once
// What a name means in a typed shape: "batch_size, n_heads, 5, 6".
#include <map>
#include <string>

#include "engine/trace.h"

namespace attn {

/// The size of every name of the run: of the newest int bound to it, else of the newest axis called so.
std::map<std::string, std::int64_t> named_sizes(const Trace& trace);

}  // namespace attn
