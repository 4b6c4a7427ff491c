#pragma once
// The files that the cells of a lesson may read: those of data/ that its fences name, and no others, so that lessons
// of strangers are safe to run.
#include "base/file_bytes.h"
#include "engine/trace.h"
#include "lesson/lesson.h"

namespace attn {

/// Opens them by name, from memory; null if it is not there. Does not need the lesson afterwards.
///   Errors: of the opener: FileError for any other name.
FileOpener files_of_lesson(const Lesson& lesson);

/// The same files as a record of the run keeps them.
std::vector<DataFile> recorded_files(const Lesson& lesson);

}  // namespace attn
