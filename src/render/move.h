#pragma once
// Where the sizes of a tensor were born, and the way of one element through views and copies, as text.
#include <string>

#include "engine/trace.h"
#include "explain/move.h"
#include "explain/shape.h"
#include "render/options.h"

namespace attn {

/// One line for each axis: "4 = head_dim = hidden_dim // n_heads = 8 // 2, line 3".
std::string render_shape(const Trace& trace, const ShapeExplanation& explanation, const RenderOptions& options = {});

/// Every place of the element with its storage; small slices and the storage around it are drawn, the element between
/// brackets. Then which neighboring axes a view can merge.
std::string render_move(const Trace& trace, const MoveExplanation& explanation, const RenderOptions& options = {});

}  // namespace attn
