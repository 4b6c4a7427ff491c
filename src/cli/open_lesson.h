#pragma once
// Finding and loading the lesson that a command names.
#include <string>

#include "cli/request.h"
#include "lesson/catalogue.h"

namespace attn {

/// Those of --lessons, else of the program.
Catalogue shared_catalogue(const Request& request);
/// The same, and without --lessons also those of own_lessons(). A folder that cannot be read is reported, not fatal.
Catalogue open_catalogue(const Request& request);

/// The folder of the user's own lessons, there or not: $XDG_DATA_HOME/attn-tutor/lessons, else the same under
/// ~/.local/share; empty when neither variable is an absolute path.
std::string own_lessons();

/// The lesson; warnings are reported. Errors: UserError, also for the first mistake in the lesson.
Lesson open_lesson(const Request& request);

/// The same where a notebook or a script will do too, which may read files beside it as it would in Python, or a model.
Lesson open_program(const Request& request);

/// Errors: UserError for a file with answers whose header names another lesson; a file without one has "".
void require_lesson(const Request& request, const std::string& file, const std::string& named, const Lesson& lesson);

/// With the seed and sizes of --student; as it is without one.
Request with_student(Request request, const Lesson& lesson);

/// What progress in it is kept under: lessons of the program go by their id, files and the user's own by where they
/// are.
std::string progress_name(const Lesson& lesson, const std::string& word);

}  // namespace attn
