#pragma once
// Reading files with a bound, writing them whole or not at all, and the few questions about paths that the upper
// layers ask.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace attn {

/// A file could not be read: what the system said, or that it is larger than allowed.
class FileError : public UserError {
 public:
  FileError(const std::string& path, const std::string& reason, Fault fault = Fault::Input)
      : UserError(path + ": " + reason, {}, fault) {}
};

/// There is no file of that name.
class MissingFile : public FileError {
 public:
  using FileError::FileError;
};

/// A file could not be written; what stood at its path before still stands there.
class WriteError : public FileError {
 public:
  WriteError(const std::string& path, const std::string& reason) : FileError(path, reason, Fault::Output) {}
};

/// The bytes of a regular file or pipe ("-" is standard input). Reads at most `limit` bytes, so /dev/zero ends too.
///   Errors: FileError (missing, a directory, no right to read, larger than `limit`); LimitReached when the user
///   interrupts while a pipe has nothing to say, or a file much.
std::string read_file(const std::string& path, std::int64_t limit);
FileError too_large(const std::string& name, std::int64_t limit);

/// Who may read a file that is made: everybody the user's umask allows, or the user alone.
enum class Privacy { Shared, Private };

/// Makes the file, or replaces it as a whole: whoever looks sees the old text or the new one, also after a crash. A
/// symbolic link is followed, so that the link stays; permissions of a file that was there are kept.
///   Errors: WriteError, and LimitReached when the user interrupts while many megabytes are written; then the old file
///   is as it was and no other one is left.
void write_whole_file(const std::string& path, std::string_view text, Privacy privacy = Privacy::Shared);

/// Writes to an open descriptor, as often as it takes: 0, or the errno of the write that failed.
int write_all(int descriptor, std::string_view text);
/// The same to what may be a pipe: EINTR when the user interrupts and nobody reads.
int write_to_reader(int descriptor, std::string_view text);

/// As write_whole_file() where the path may be that of a pipe or a device, which is written directly.
void write_file(const std::string& path, std::string_view bytes);

bool is_file(const std::string& path);

/// The value of an environment variable that names a folder; empty when it is no absolute path, or an endless one.
std::string absolute_variable(const char* name);

/// What changes when a file is written to or replaced by another.
struct FileState {
  std::int64_t written = 0;  // ticks of the file system's clock
  std::uint64_t size = 0;
  std::uint64_t number = 0;  // of the file in its file system
  friend bool operator==(const FileState&, const FileState&) = default;
};
/// Nothing while there is no such file.
std::optional<FileState> file_state(const std::string& path);

/// Names in a folder that end in `suffix`, sorted; pipes and devices are left out, as reading them may never end.
///   Errors: FileError when the folder cannot be listed.
std::vector<std::string> list_folder(const std::string& path, const std::string& suffix);

}  // namespace attn
