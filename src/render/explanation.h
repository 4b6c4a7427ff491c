#pragma once
// The arithmetic behind a number as text: each level with its names, its digits and its result.
#include <string>

#include "explain/element.h"
#include "render/page.h"

namespace attn {

/// The op of the level, with the one that it belongs to: "add in linear".
std::string op_text(const Trace& trace, const Explanation& level);

/// The level and those below it. In a long list of similar terms the middle is left out, and counted.
void put_explanation(Page& page, const Trace& trace, const Explanation& explanation);

/// The same as a text of its own; says how to see more when something was left out.
std::string render_explanation(const Trace& trace, const Explanation& explanation, const RenderOptions& options = {});

}  // namespace attn
