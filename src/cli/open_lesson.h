#pragma once
// Finding and loading the lesson that a command names, with its errors reported.
#include <optional>
#include <string>

#include "cli/request.h"
#include "lesson/catalogue.h"

namespace attn {

Catalogue open_catalogue(const Request& request);

/// The lesson, or nothing after its errors were reported; `code` is then the exit code. Warnings are reported too.
std::optional<Lesson> open_lesson(const Request& request, int& code);

/// The same where a notebook or a script will do too.
std::optional<Lesson> open_program(const Request& request, int& code);

/// What progress in it is kept under: lessons of the program go by their id, files by where they are.
std::string progress_name(const Lesson& lesson, const std::string& word);

}  // namespace attn
