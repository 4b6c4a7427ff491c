#pragma once
// A lesson file to a Lesson. Everything that is wrong with it is collected; what could be read is returned.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "lesson/findings.h"
#include "lesson/lesson.h"
#include "lesson/markdown.h"

namespace attn {

constexpr std::int64_t kMaxLessonSize = std::int64_t{1} << 20;  // bytes

/// The text or the bytes of `data/FILE`, or nothing if it does not exist.
using ReadData = std::function<std::optional<std::string>(std::string_view file)>;

struct LoadOptions {
  ReadData read_data;          // empty: no data file exists
  LessonExists lesson_exists;  // empty: links between lessons are not checked
};

/// Reads a lesson of Markdown. `path` gives the number, id and language, and is named in every diagnostic.
///   Errors: none is thrown; see findings.failed(). Draw them with the returned lesson's `source`.
Lesson load_lesson(std::string path, std::string_view text, LoadFindings& findings, const LoadOptions& options = {});

/// What the name of a lesson file says: "lessons/03-batch.ko.md" -> 3, "batch", "ko". "<stdin>" has the id "stdin".
struct LessonName {
  std::optional<int> number;  // none of "tour.md"
  std::string id;
  std::string language;
};
LessonName lesson_name(std::string_view path);

/// Text as every reader of a lesson needs it: no byte order mark, line feeds only, valid UTF-8.
///   Errors: findings (too large, UTF-16: then the result is empty; invalid UTF-8: a warning).
Source clean_source(std::string path, std::string_view text, LoadFindings& findings);

}  // namespace attn
