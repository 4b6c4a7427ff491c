#pragma once
// How a run differs from the lesson as it is written, because it was asked to: shown under the title.
#include <string>
#include <vector>

#include "engine/trace.h"

namespace attn {

/// "--seed 3 --set n_heads=4 --text "the cat sat"": as one types it; texts that are long are cut. Empty when nothing
/// was asked for.
std::string asked_text(const RunOptions& options);

/// The paragraphs that say so, and which parameters came from a file; none for a lesson as it is written.
std::vector<Prose> run_notes(const Trace& trace);

}  // namespace attn
