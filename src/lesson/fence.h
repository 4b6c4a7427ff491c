#pragma once
// The words after `python` on a fence.
#include <string_view>

#include "base/source.h"
#include "lesson/findings.h"
#include "lesson/lesson.h"

namespace attn {

/// Reads `predict=shape hidden ...`. `place` is where `words` is in the file. Unknown words, bad values and words
/// that contradict each other go to `findings`.
CellOptions parse_fence(std::string_view words, Span place, LoadFindings& findings);

/// Whether it is an identifier of Python (letters beyond ASCII are let through).
bool is_identifier(std::string_view word);

}  // namespace attn
