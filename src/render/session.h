#pragma once
// What a learner did, as prose: every format that has prose shows it as it shows that of a lesson.
#include <vector>

#include "engine/session_record.h"
#include "lesson/lesson.h"

namespace attn {

/// A heading, then the step the learner is at, the parameters, the questions in a table with the score, and the typed
/// lines with their results.
std::vector<Prose> session_prose(const SessionRecord& session);

}  // namespace attn
