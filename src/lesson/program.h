#pragma once
// Programs of learners: notebooks (.ipynb) and scripts (.py), read into the same struct as lessons. A notebook's
// Markdown becomes prose, its code cells become cells without fence words; a script is one cell. Other Markdown files
// are read as notebooks.
#include <cstdint>
#include <string>
#include <string_view>

#include "lesson/findings.h"
#include "lesson/lesson.h"

namespace attn {

constexpr std::int64_t kMaxNotebookSize = std::int64_t{32} << 20;  // bytes

/// Whether the name of a file says that it is a notebook or a script, and no lesson.
bool is_program_name(std::string_view path);

/// Whether a Markdown file is a lesson: its name begins with a number, one of its fences carries a word of the lesson
/// format, or its prose holds {{ }}. Any other is a program, with its python blocks as cells.
bool has_lesson_form(const std::string& path, std::string_view text);

/// Reads a notebook, a script or a Markdown file that is not a lesson.
///   Errors: findings (no JSON, no cells, another language, nested too deeply, too large).
Lesson load_program(const std::string& path, const std::string& text, LoadFindings& findings);

/// JSON of others may hold \ud83d alone, half of a character: Python's reader takes it, strict ones do not. Here each
/// became \ufffd, as long as the one it replaces: places of errors stay where they were.
std::string without_lone_surrogates(std::string text);

}  // namespace attn
