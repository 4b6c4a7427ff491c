#pragma once
// Silent bugs: code that runs and is probably not what was meant. Rules read the Trace alone, and go by what flows
// where and by the numbers, not by names: a table of small functions (lint.cpp). They are silent where they are not
// sure; what can be meant is a remark.
#include <vector>

#include "engine/trace.h"
#include "explain/lint/finding.h"

namespace attn {

/// In order of the ops; each rule is reported once for each statement of the source.
std::vector<Finding> lint(const Trace& trace);

}  // namespace attn
