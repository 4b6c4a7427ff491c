#include "base/file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/limits.h"
#include "base/text.h"

namespace attn {
namespace {

constexpr std::uint64_t kWorthMapping = std::uint64_t{1} << 20;  // bytes

std::int64_t time_of(const struct stat& file) {
  return std::int64_t{file.st_mtim.tv_sec} * 1'000'000'000 + file.st_mtim.tv_nsec;
}

[[noreturn]] void fail(const std::string& path, int error) {
  if (error == ENOENT) throw MissingFile(path, std::generic_category().message(error));
  throw FileError(path, std::generic_category().message(error));
}

}  // namespace

// A pipe is opened without waiting for its writer, only to be refused.
FileBytes::FileBytes(std::string path)
    : path_(std::move(path)), descriptor_(::open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
  if (descriptor_ < 0) fail(path_, errno);
  struct stat file {};
  const int error = ::fstat(descriptor_, &file) == 0 ? 0 : errno;
  if (error == 0 && S_ISREG(file.st_mode)) {
    size_ = static_cast<std::uint64_t>(file.st_size);
    written_ = time_of(file);
    return;
  }
  ::close(descriptor_);  // a constructor that throws gets no destructor
  if (error != 0) fail(path_, error);
  throw FileError(path_, S_ISDIR(file.st_mode) ? "is a folder" : "is no regular file");
}

FileBytes::~FileBytes() { ::close(descriptor_); }

void FileBytes::read_at(std::uint64_t offset, std::span<std::byte> bytes) const {
  if (offset > size_ || bytes.size() > size_ - offset) throw std::out_of_range("FileBytes::read_at");
  while (!bytes.empty()) {
    const ssize_t count = ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path_, errno);
    if (count == 0) throw FileError(path_, "became shorter while it was read");
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  check_unchanged();
}

std::shared_ptr<const std::byte> FileBytes::mapped_at(std::uint64_t offset) const {
  std::call_once(is_mapped_, [&] {
    // Whoever writes to the file makes a copy of it in memory.
    const auto room = static_cast<std::uint64_t>(thread_limits.limits.max_memory);
    if (size_ >= kWorthMapping && size_ <= room) map_ = MappedFile::of(descriptor_, size_);
    check_unchanged();  // until there was a lease
  });
  return map_ ? std::shared_ptr<const std::byte>(map_, map_->data() + offset) : nullptr;
}

/// What is read much later must still belong to the header that was checked.
void FileBytes::check_unchanged() const {
  struct stat now {};
  if (::fstat(descriptor_, &now) != 0) fail(path_, errno);
  if (time_of(now) != written_ || static_cast<std::uint64_t>(now.st_size) != size_)
    throw FileError(path_, "was written to after it was opened");
}

void TextBytes::read_at(std::uint64_t offset, std::span<std::byte> bytes) const {
  if (offset > size() || bytes.size() > size() - offset) throw std::out_of_range("TextBytes::read_at");
  if (!bytes.empty()) std::memcpy(bytes.data(), text_.data() + offset, bytes.size());
}

FileOpener files_of_folder(std::string folder) {
  return [folder = std::move(folder)](const std::string& name) -> std::shared_ptr<const BytesAt> {
    const std::filesystem::path path = std::filesystem::path(name).lexically_normal();
    // The system would read a name with a byte 0 only up to there.
    const bool leads_out = path.is_absolute() || (!path.empty() && *path.begin() == "..");
    if (leads_out || name.find('\0') != std::string::npos)
      throw FileError(visible(name), "only files in the program's folder, and in folders below it, are read");
    return std::make_shared<FileBytes>((std::filesystem::path(folder) / path).string());
  };
}

std::string first_bytes(const BytesAt& bytes, std::uint64_t count) {
  std::string text(static_cast<std::size_t>(std::min(count, bytes.size())), '\0');
  bytes.read_at(0, std::as_writable_bytes(std::span(text)));
  return text;
}

}  // namespace attn
