#pragma once
// Where a link may lead.
#include <functional>
#include <string>
#include <string_view>

namespace attn {

/// Whether there is a lesson file of that name ("04-masks.md"). An empty function: links between lessons are not
/// checked.
using LessonExists = std::function<bool(std::string_view file)>;

/// What is wrong with the address of a link, or "": it must be http, https or mailto, or name a lesson file.
std::string link_fault(std::string_view href, const LessonExists& lesson_exists);

}  // namespace attn
