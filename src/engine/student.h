#pragma once
// The run of one student: a seed and sizes that follow from the name, so that everybody in a class has other values.
#include <string>
#include <string_view>

#include "engine/trace.h"
#include "lesson/lesson.h"

namespace attn {

/// A name as it is compared and hashed: without regard to case, blanks around it, or how an accent or a Korean syllable
/// is encoded.
std::string student_key(std::string_view name);

/// The first 12 hex digits of the SHA-256 of the lesson's text.
std::string lesson_hash(const Lesson& lesson);

/// The seed, and values for the integer parameters that do not follow from the words: the first of those tried with
/// which the lesson raises the errors of `own`, its run as written, has the same effects of common bugs, and tells its
/// traps from the answers. The same name and lesson always give the same run.
RunOptions student_run(const Lesson& lesson, const Trace& own, std::string_view name);

/// For a lesson that was not run yet.
RunOptions student_run(const Lesson& lesson, std::string_view name);

}  // namespace attn
