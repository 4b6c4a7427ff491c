#pragma once
// The map of a lesson as a drawing in a page: boxes that lead to the steps that compute them. It needs no script.
#include <functional>
#include <string>

#include "engine/trace.h"

namespace attn {

/// The id of the element that shows a step; empty where the page has none.
using StepAnchor = std::function<std::string(StepId step)>;

/// Empty where there is nothing to draw. Title and description say the same in words.
std::string html_map(const Trace& trace, const StepAnchor& anchor_of);

}  // namespace attn
