#pragma once
// What each operation of a step did with the axes: its operands, and below them its result.
#include <vector>

#include "engine/trace.h"
#include "render/page.h"

namespace attn {

/// One group of rows per op at the top level; composites (linear, an attention) are one op here. An op that works on
/// the result of the line above does not repeat it.
void put_ops(Page& page, const Trace& trace, const Step& step);

/// The ops that put_ops() shows: not what only asks a tensor for something (shape, stride) or failed.
std::vector<const Op*> shown_ops(const Trace& trace, const Step& step);

/// The op of a step that binds nothing whose tensor is worth a look all the same: one that wrote in place, or one that
/// draws its tensor as a picture. Null: there is none.
const Op* op_to_look_at(const Trace& trace, const Step& step);

}  // namespace attn
