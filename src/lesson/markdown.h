#pragma once
// Markdown to blocks, by md4c's events. Knows what a cell is, not what its code means.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lesson/findings.h"
#include "lesson/lesson.h"

namespace attn {

/// Whether there is a lesson file of that name ("04-masks.md"). An empty function: links between lessons are not
/// checked.
using LessonExists = std::function<bool(std::string_view file)>;

/// All blocks of a file, with hints, traps and reasons already at their cells.
///   Errors: findings; a text that is nested over 200 deep or that grows beyond bounds gives no blocks.
std::vector<LessonBlock> read_markdown(const Source& file, const LessonExists& lesson_exists, LoadFindings& findings);

/// Plain text of the first heading, "" without one. Reads no further.
std::string read_title(const Source& file);

}  // namespace attn
