#pragma once
// Where a link may lead.
#include <string>
#include <string_view>

#include "lesson/markdown.h"

namespace attn {

/// What is wrong with the address of a link, or "": it must be http, https or mailto, or name a lesson file.
std::string link_fault(std::string_view href, const LessonExists& lesson_exists);

}  // namespace attn
