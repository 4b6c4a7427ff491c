#pragma once
// hash() as CPython computes it, where it is the same in every run.
#include <cstdint>
#include <optional>

#include "lang/value.h"

namespace attn {

/// Of numbers and of tuples of such; nothing for texts and objects, whose hashes CPython draws anew in each run.
std::optional<std::int64_t> python_hash(const Value& value);

}  // namespace attn
