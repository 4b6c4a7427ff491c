#pragma once
// A lesson as an exercise: its questions without what answers them. For the formats that are read, and for notebooks.
#include "engine/trace.h"

namespace attn {

/// The same run with each question as numbered prose. Answers, hints, traps and reasons are gone, and a
/// question's cell is its code alone, unless `keeps_cells`: for a reader who runs them. A line that the learner writes
/// is left open. Prose and other cells stay as they are.
Trace without_answers(Trace trace, bool keeps_cells);

}  // namespace attn
