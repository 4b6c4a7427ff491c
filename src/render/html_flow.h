#pragma once
// A drawing of where the axes of a tensor went: boxes for the axes, bands from each to what became of it.
#include <string>

#include "render/html_steps.h"

namespace attn {

/// The ops of a step that cut, merge or exchange axes, one drawing for those that follow on one another. Empty: none.
std::string html_flow(HtmlPage& page, const Step& step);

}  // namespace attn
