#pragma once
// Programs of learners: notebooks (.ipynb) and scripts (.py), read into the same struct as lessons. A notebook's
// Markdown becomes prose, its code cells become cells without fence words; a script is one cell.
#include <cstdint>
#include <string>
#include <string_view>

#include "lesson/findings.h"
#include "lesson/lesson.h"

namespace attn {

constexpr std::int64_t kMaxNotebookSize = std::int64_t{32} << 20;  // bytes

/// Whether the name of a file says that it is a notebook or a script, and no lesson.
bool is_program_name(std::string_view path);

/// Reads a notebook or a script.
///   Errors: findings (no JSON, no cells, another language, nested too deeply, too large).
Lesson load_program(const std::string& path, const std::string& text, LoadFindings& findings);

}  // namespace attn
