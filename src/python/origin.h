#pragma once
// What an int knows of itself beside its value.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "python/object.h"

namespace attn {

inline constexpr int kMaxOriginDepth = 6;

struct Origin;
using OriginPtr = Ref<const Origin>;

/// Where an int came from: the name it was assigned to, the axis it is the size of, or the arithmetic that made it.
/// This is what names the axes of `view(batch_size, -1, n_heads, head_dim)` and lets a size be explained.
struct Origin : Counted<Origin> {
  enum class Source { Assigned, AxisSize, Arithmetic };
  Source source = Source::Assigned;
  std::string name;  // of the variable or the axis; the operator of Arithmetic
  std::int64_t value = 0;
  Span span;
  std::vector<OriginPtr> operands;  // of Arithmetic (null for a literal); one for Assigned, or none
  std::vector<std::int64_t> operand_values;
  int depth = 1;  // chains are cut at kMaxOriginDepth
};
inline OriginPtr make_origin(Origin origin) { return OriginPtr(new Origin(std::move(origin))); }

}  // namespace attn
