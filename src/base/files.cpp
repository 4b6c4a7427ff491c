#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>

namespace attn {
namespace {

namespace fs = std::filesystem;

struct CloseFile {
  void operator()(std::FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};

std::string system_reason(int error) { return std::generic_category().message(error); }

/// A file that is open for writing; it is closed, and removed unless keep() was called.
class OpenFile {
 public:
  OpenFile(int descriptor, std::string path, bool temporary)
      : descriptor_(descriptor), path_(std::move(path)), temporary_(temporary) {}
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (temporary_) ::unlink(path_.c_str());
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int descriptor() const { return descriptor_; }
  const std::string& path() const { return path_; }
  /// 0, or the errno of a write or flush that failed.
  int write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return errno;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
  }
  int close() {
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    return closed == 0 ? 0 : errno;
  }
  void keep() { temporary_ = false; }

 private:
  int descriptor_;
  std::string path_;
  bool temporary_;
};

/// What the file at `path` has, or what a new file gets.
mode_t permissions_for(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return status.st_mode & 07777;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

/// Renaming is on the disk when its folder is. Not every file system can say so, and the file is whole either way.
void flush_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

void replace_file(const std::string& path, const std::string& target, std::string_view bytes) {
  const auto check = [&](int error) {
    if (error != 0) throw WriteError(path, system_reason(error));
  };
  std::string name = target + ".XXXXXX";
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0) check(errno);
  OpenFile file(descriptor, name, true);
  check(::fchmod(descriptor, permissions_for(target)) == 0 ? 0 : errno);
  check(file.write(bytes));
  check(::fsync(descriptor) == 0 ? 0 : errno);
  check(file.close());
  check(::rename(name.c_str(), target.c_str()) == 0 ? 0 : errno);
  file.keep();
  const fs::path folder = fs::path(target).parent_path();
  flush_folder(folder.empty() ? fs::path(".") : folder);
}

void write_directly(const std::string& path, std::string_view bytes) {
  const OpenFile file(::open(path.c_str(), O_WRONLY | O_CLOEXEC), path, false);
  const int error = file.descriptor() < 0 ? errno : file.write(bytes);
  if (error != 0) throw WriteError(path, system_reason(error));
}

}  // namespace

std::string read_file(const std::string& path, std::int64_t limit) {
  std::error_code ignored;
  if (path != "-" && fs::is_directory(path, ignored)) throw FileError(path, "is a folder");
  const std::string name = path == "-" ? "standard input" : path;
  const std::unique_ptr<std::FILE, CloseFile> file(path == "-" ? stdin : std::fopen(path.c_str(), "rb"));
  if (!file) throw FileError(name, system_reason(errno));

  std::string bytes;
  char block[1 << 16];
  errno = 0;
  while (const std::size_t count = std::fread(block, 1, sizeof block, file.get())) {
    bytes.append(block, count);
    if (bytes.size() > static_cast<std::size_t>(limit)) {
      throw FileError(name, "is larger than the allowed " + std::to_string(limit) + " bytes");
    }
  }
  if (std::ferror(file.get())) throw FileError(name, system_reason(errno));
  return bytes;
}

void write_file(const std::string& path, std::string_view bytes) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) throw WriteError(path, "is a folder");
  if (fs::exists(status) && !fs::is_regular_file(status)) return write_directly(path, bytes);
  const fs::path target =
      fs::is_symlink(fs::symlink_status(path, error)) ? fs::weakly_canonical(path, error) : fs::path(path);
  if (error && target.empty()) throw WriteError(path, error.message());
  replace_file(path, target.string(), bytes);
}

bool is_file(const std::string& path) {
  // Not only regular files: a shell's <(command) is a pipe.
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return !error && fs::exists(status) && !fs::is_directory(status);
}

std::vector<std::string> list_folder(const std::string& path, const std::string& suffix) {
  std::error_code error;
  std::vector<std::string> names;
  fs::directory_iterator entry(path, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.ends_with(suffix)) names.push_back(name);
  }
  if (error) throw FileError(path, error.message());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace attn
