#pragma once
// What --weights did to a run, in sentences.
#include <string>
#include <vector>

#include "engine/trace.h"

namespace attn {

/// The file with its sum and which parameters came from it, then other_weights_text(). Empty without --weights.
std::vector<std::string> weights_text(const Trace& trace);

/// Which parameters were drawn although there is a file, and what in the file the lesson has no use for. Long lists
/// are cut.
std::vector<std::string> other_weights_text(const Trace& trace);

}  // namespace attn
