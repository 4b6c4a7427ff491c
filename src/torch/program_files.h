#pragma once
// Files that a program of one's own reads: load_file(), safe_open(), numpy.load(). Cells of lessons read none, so that
// a lesson from a stranger is safe to run.
#include <memory>
#include <string>

#include "base/file_bytes.h"
#include "python/types/methods.h"

namespace attn {

/// The file that the first argument of a call names.
///   Errors: CellError: unsupported where cells read no files; RuntimeError with the reason of the FileError.
std::shared_ptr<const BytesAt> open_program_file(MethodCall& call);

/// numpy.load(file): the array of a .npy file.
///   Errors: CellError, as above; ValueError for a file that breaks the format; unsupported for allow_pickle=True.
Value numpy_load(MethodCall& call);

}  // namespace attn
