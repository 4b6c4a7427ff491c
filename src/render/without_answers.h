#pragma once
// A lesson as an exercise: its questions without what answers them. For the formats that are read, and for notebooks.
#include "engine/trace.h"
#include "render/formats.h"

namespace attn {

/// The same run with each question as numbered prose. Answers, hints, traps and reasons are gone, and of its cell the
/// steps with their numbers; in formats whose reader runs the cells, every output. A line that the learner writes is
/// left open. Prose and later cells stay as they are.
Trace without_answers(Trace trace, Questions questions);

}  // namespace attn
