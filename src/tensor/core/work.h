#pragma once
// Charging work in chunks: often enough that an interrupt is noticed at once, seldom enough to cost nothing.
#include <algorithm>
#include <cstdint>

#include "base/limits.h"

namespace attn {

inline constexpr std::int64_t kWorkChunk = std::int64_t{1} << 17;

/// Calls f(begin, end) for consecutive ranges that cover [0, count), and charges each element before it is visited.
/// `units` is the work of one element; a range is at most kWorkChunk units (but at least one element).
template <class F>
void in_chunks(std::int64_t count, F&& f, std::int64_t units = 1) {
  const std::int64_t unit = std::max<std::int64_t>(units, 1);
  const std::int64_t step = std::max<std::int64_t>(kWorkChunk / unit, 1);
  for (std::int64_t begin = 0; begin < count; begin += step) {
    const std::int64_t end = std::min(count, begin + step);
    charge((end - begin) * unit);
    f(begin, end);
  }
}

}  // namespace attn
