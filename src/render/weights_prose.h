#pragma once
// What stands below the title of a run with --weights, in every view and transcript.
#include <vector>

#include "engine/trace.h"

namespace attn {

/// Paragraphs; none without --weights.
std::vector<Prose> weights_prose(const Trace& trace);

}  // namespace attn
