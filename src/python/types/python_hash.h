#pragma once
// hash() of ints as CPython computes it: by it a set of ints is ordered (set_order.cpp).
#include <cstdint>
#include <optional>

#include "python/value.h"

namespace attn {

/// Of ints and of what equals them; nothing for other values.
std::optional<std::int64_t> python_hash(const Value& value);

}  // namespace attn
