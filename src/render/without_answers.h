#pragma once
// A lesson as an exercise: its questions without what answers them. For the formats that are read, and for notebooks.
#include "engine/trace.h"
#include "render/formats.h"

namespace attn {

/// The same run with each question as numbered prose. Answers, hints, traps and reasons are gone, and to be read, the
/// cell is its code alone. A line that the learner writes is left open. Prose and other cells stay as they are.
Trace without_answers(Trace trace, Questions questions);

}  // namespace attn
