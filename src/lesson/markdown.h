#pragma once
// Markdown to blocks, by md4c's events. Knows what a cell is, not what its code means.
#include <string>
#include <string_view>
#include <vector>

#include "lesson/findings.h"
#include "lesson/lesson.h"

namespace attn {

/// All blocks of a file, with hints, traps and reasons already at their cells.
///   Errors: findings; a text that is nested over 200 deep or that grows beyond bounds gives no blocks.
std::vector<LessonBlock> read_markdown(const Source& file, const LessonExists& lesson_exists, LoadFindings& findings);

/// Plain text of the first heading, "" without one. Reads no further.
std::string read_title(const Source& file);

}  // namespace attn
