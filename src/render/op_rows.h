#pragma once
// What each operation of a step did with the axes: its operands, and below them its result.
#include "engine/trace.h"
#include "render/page.h"

namespace attn {

/// One group of rows per op at the top level; composites (linear, an attention) are one op here. An op that works on
/// the result of the line above does not repeat it. Queries (shape, stride) are shown only where there is nothing else.
/// Returns whether anything was written.
bool put_ops(Page& page, const Trace& trace, const Step& step);

}  // namespace attn
