#pragma once
// What can be told of a lesson without running it.
#include "lesson/lesson.h"

namespace attn {

/// The statements at the top level of the cells that are shown: the steps of a lesson without the rounds of its loops.
int count_statements(const Lesson& lesson);

}  // namespace attn
