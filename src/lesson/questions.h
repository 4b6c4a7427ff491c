#pragma once
// Quotes that begin with **Hint**, **Trap** or **Why** belong to the question before them.
#include <vector>

#include "lesson/findings.h"
#include "lesson/lesson.h"

namespace attn {

/// Takes the blocks of one quote. Those that belong to `cell` (the last cell so far, may be null) are moved into it;
/// the others are returned.
std::vector<Prose> attach_quote(std::vector<Prose> quote, Cell* cell, LoadFindings& findings);

}  // namespace attn
