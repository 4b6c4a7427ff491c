#include "base/files.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
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

}  // namespace

FileError too_large(const std::string& name, std::int64_t limit) {
  return FileError(name, "is larger than the allowed " + std::to_string(limit) + " bytes");
}

std::string read_file(const std::string& path, std::int64_t limit) {
  std::error_code ignored;
  if (path != "-" && fs::is_directory(path, ignored)) throw FileError(path, "is a folder");
  const std::string name = path == "-" ? "standard input" : path;
  const Input input(path);
  if (!input.is_open()) throw FileError(name, system_reason(errno));

  constexpr std::size_t kMuch = std::size_t{1} << 20;  // what is small is read, as progress is after an interrupt
  std::string bytes;
  char block[1 << 16];
  for (;;) {
    const ssize_t count = input.read(block, sizeof block);
    if (count < 0) throw FileError(name, system_reason(errno));
    if (count == 0) return bytes;
    bytes.append(block, static_cast<std::size_t>(count));
    if (bytes.size() > kMuch && interrupt_requested()) throw LimitReached(LimitReached::Kind::Interrupt, "interrupted");
    if (std::ssize(bytes) > limit) throw too_large(name, limit);
  }
}

namespace {

[[noreturn]] void not_written(const std::string& path, int error) {
  if (error == EINTR && interrupt_requested()) throw LimitReached(LimitReached::Kind::Interrupt, "interrupted");
  throw WriteError(path, system_reason(error));
}

/// As ::write(), but not at all interrupted.
ssize_t write_some(int descriptor, std::string_view text) {
  for (;;) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0 || errno != EINTR) return written;
  }
}

/// Waits until a pipe has room for PIPE_BUF bytes. False: the user interrupted, and whoever reads takes nothing.
bool wait_for_room(int descriptor) {
  pollfd event{descriptor, POLLOUT, 0};
  for (int ready = 0; (ready = ::poll(&event, 1, kPatience)) <= 0;) {
    if (ready < 0 && errno != EINTR) return true;  // write() will say what is wrong
    if (ready == 0 && (interrupt_requested() || ends_with_the_run)) return false;
  }
  return true;
}

bool is_regular(int descriptor) {
  struct stat file {};
  return fstat(descriptor, &file) == 0 && S_ISREG(file.st_mode);
}

/// As ::open() to write. For a named pipe that nobody reads it waits, as that does, but hears Ctrl-C.
int open_to_write(const std::string& path, bool is_pipe) {
  for (;;) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor >= 0) fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
    if (descriptor >= 0 || errno != ENXIO || !is_pipe) return descriptor;
    if (interrupt_requested()) throw LimitReached(LimitReached::Kind::Interrupt, "interrupted");
    ::poll(nullptr, 0, kPatience);
  }
}

}  // namespace

int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write_some(descriptor, text);
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

int write_to_reader(int descriptor, std::string_view text) {
  if (is_regular(descriptor)) return write_all(descriptor, text);
  while (!text.empty()) {
    if (!wait_for_room(descriptor)) return EINTR;
    const ssize_t written = write_some(descriptor, text.substr(0, PIPE_BUF));
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

namespace {

/// In pieces, since a disk takes seconds for a gigabyte: EINTR when the user interrupts between two of them.
int write_and_sync(int descriptor, std::string_view text) {
  constexpr std::size_t kPiece = std::size_t{16} << 20;
  do {
    if (const int failure = write_all(descriptor, text.substr(0, kPiece))) return failure;
    // Some file systems cannot; the text is there all the same.
    if (fsync(descriptor) != 0 && errno != EINVAL && errno != EROFS) return errno;
    text.remove_prefix(std::min(text.size(), kPiece));
  } while (!text.empty() && !interrupt_requested());
  return text.empty() ? 0 : EINTR;
}

mode_t mode_of(const std::string& path, Privacy privacy) {
  struct stat old {};
  if (stat(path.c_str(), &old) == 0) return old.st_mode & 0777;
  if (privacy == Privacy::Private) return 0600;
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

/// Renaming is on the disk when its folder is. Not every file system can say so, and the file is whole either way.
void sync_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

std::atomic<const char*> unfinished{nullptr};

void take_away_and_end(int number) {
  if (const char* const name = unfinished) ::unlink(name);
  std::signal(number, SIG_DFL);
  std::raise(number);
}

/// While it lasts, a signal that ends the program takes away the file of that name, which is not whole yet. Signals
/// that are ignored or handled otherwise stay so.
class TakenAwayAtTheEnd {
 public:
  explicit TakenAwayAtTheEnd(const char* name) {
    unfinished = name;
    for (const int number : kEndings) {
      struct sigaction now {};
      if (sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) std::signal(number, take_away_and_end);
    }
  }
  ~TakenAwayAtTheEnd() {
    for (const int number : kEndings) {
      struct sigaction now {};
      if (sigaction(number, nullptr, &now) == 0 && now.sa_handler == take_away_and_end) std::signal(number, SIG_DFL);
    }
    unfinished = nullptr;
  }
  TakenAwayAtTheEnd(const TakenAwayAtTheEnd&) = delete;
  TakenAwayAtTheEnd& operator=(const TakenAwayAtTheEnd&) = delete;

 private:
  static constexpr int kEndings[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
};

}  // namespace

void write_whole_file(const std::string& path, std::string_view text, Privacy privacy) {
  std::error_code error;
  const bool is_link = fs::is_symlink(path, error);
  const fs::path resolved = is_link ? fs::canonical(path, error) : fs::path(path);
  if (is_link && error) throw WriteError(path, "is a link to nothing");
  if (fs::is_directory(resolved, error)) throw WriteError(path, "is a folder");
  if (fs::exists(resolved, error) && !fs::is_regular_file(resolved, error))
    throw WriteError(path, "is no regular file");
  std::string temporary = (resolved.parent_path() / ("." + resolved.filename().string().substr(0, 200))).string();
  temporary += ".XXXXXX";
  const mode_t mode = mode_of(resolved.string(), privacy);
  const TakenAwayAtTheEnd taken_away(temporary.c_str());
  const int descriptor = mkostemp(temporary.data(), O_CLOEXEC);
  if (descriptor < 0) throw WriteError(path, system_reason(errno));
  int failure = write_and_sync(descriptor, text);
  if (fchmod(descriptor, mode) != 0 && failure == 0) failure = errno;
  if (::close(descriptor) != 0 && failure == 0) failure = errno;
  if (failure == 0 && std::rename(temporary.c_str(), resolved.c_str()) != 0) failure = errno;
  if (failure == 0) return sync_folder(resolved.parent_path());
  ::unlink(temporary.c_str());
  not_written(path, failure);
}

void write_file(const std::string& path, std::string_view bytes) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status) || fs::is_regular_file(status) || fs::is_directory(status))
    return write_whole_file(path, bytes);
  const int descriptor = open_to_write(path, fs::is_fifo(status));
  const int failure = descriptor < 0 ? errno : write_to_reader(descriptor, bytes);
  if (descriptor >= 0) ::close(descriptor);
  if (failure != 0) not_written(path, failure);
}

std::string absolute_variable(const char* name) {
  constexpr std::size_t kLongest = 3000;
  const char* value = std::getenv(name);
  return value && value[0] == '/' && std::string_view(value).size() < kLongest ? value : "";
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
    if (!name.ends_with(suffix)) continue;
    std::error_code ignored;
    const fs::file_type type = entry->status(ignored).type();
    if (type != fs::file_type::fifo && type != fs::file_type::character) names.push_back(name);
  }
  if (error) throw FileError(path, error.message());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace attn
