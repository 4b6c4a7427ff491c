#include "base/files.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/limits.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr int kPatience = 50;  // milliseconds between two looks at whether the user interrupted

/// A descriptor to read from; standard input stays open.
class Input {
 public:
  // A named pipe is opened at once, also while nobody writes to it: waiting is wait()'s.
  explicit Input(const std::string& path)
      : descriptor_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {}
  ~Input() {
    if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  bool is_open() const { return descriptor_ >= 0; }

  /// As ::read(), but waits for a pipe.
  ssize_t read(char* block, std::size_t size) const {
    for (;;) {
      wait();
      const ssize_t count = ::read(descriptor_, block, size);
      if (count >= 0 || (errno != EINTR && errno != EAGAIN)) return count;
    }
  }

 private:
  // A call of read() would sleep through a Ctrl-C that comes right before it, or that another thread gets.
  void wait() const {
    pollfd event{descriptor_, POLLIN, 0};
    for (int ready = 0; (ready = ::poll(&event, 1, kPatience)) <= 0;) {
      if (ready < 0 && errno != EINTR) return;  // read() will say what is wrong
      if (interrupt_requested()) throw LimitReached(LimitReached::Kind::Interrupt, "interrupted");
    }
  }

  int descriptor_;
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
  const Input input(path);
  if (!input.is_open()) throw FileError(name, system_reason(errno));

  std::string bytes;
  char block[1 << 16];
  for (;;) {
    const ssize_t count = input.read(block, sizeof block);
    if (count < 0) throw FileError(name, system_reason(errno));
    if (count == 0) return bytes;
    bytes.append(block, static_cast<std::size_t>(count));
    if (bytes.size() > static_cast<std::size_t>(limit)) {
      throw FileError(name, "is larger than the allowed " + std::to_string(limit) + " bytes");
    }
  }
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

std::optional<FileState> file_state(const std::string& path) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0 || S_ISDIR(file.st_mode)) return std::nullopt;
  std::error_code error;
  const fs::file_time_type written = fs::last_write_time(path, error);
  if (error) return std::nullopt;
  return FileState{written.time_since_epoch().count(), static_cast<std::uint64_t>(file.st_size), file.st_ino};
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
