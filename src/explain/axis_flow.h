#pragma once
// Which axis went where when an op only laid a tensor out anew: a view cuts and merges axes, a permute exchanges them.
// It follows from the strides alone, so no op has code of its own here.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/trace.h"

namespace attn {

struct AxisFlow {
  OpId op = -1;
  ValueId from = -1, to = -1;
  /// An axis of `from` and one of `to` that walk over the same elements, in order. One of size 1 has at most one
  /// partner.
  std::vector<std::pair<std::size_t, std::size_t>> links;
};

/// Nothing when the op does something else, or leaves every axis where it is.
std::optional<AxisFlow> axis_flow(const Trace& trace, OpId op);

/// Axes that belong together: one to one they stay or move, one to several it is cut, several to one they are merged;
/// without `from` it is new, without `to` it is gone.
struct AxisGroup {
  std::vector<std::size_t> from, to;
};
std::vector<AxisGroup> axis_groups(const Trace& trace, const AxisFlow& flow);

/// "view: hidden_dim 8 is cut into n_heads 2, head_dim 4. batch_size 3, query_len 5 as before."
std::string axis_flow_text(const Trace& trace, const AxisFlow& flow);

}  // namespace attn
