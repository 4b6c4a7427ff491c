#pragma once
// The files that cells may read. Those of a lesson: what its fences name of data/, and no others, so that lessons of
// strangers are safe to run. Those of a program: what is beside it.
#include <set>
#include <string>

#include "base/file_bytes.h"
#include "engine/trace.h"
#include "lesson/lesson.h"

namespace attn {

/// Opens them by name; null if there are none. Does not need the lesson afterwards.
///   Errors: of the opener: FileError for any other name.
FileOpener files_of_lesson(const Lesson& lesson);

/// The files of a lesson, and of others those that were opened, as a record of the run keeps them.
std::vector<DataFile> recorded_files(const Lesson& lesson, const std::set<std::string>& opened);

/// Adds the SHA-256 of those that are not carried, for exports: this reads them to their end.
///   Errors: FileError.
void add_sums(std::vector<DataFile>& files, const Lesson& lesson);

}  // namespace attn
