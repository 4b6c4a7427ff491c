#pragma once
// Bytes at any place of something whose size is known: of a file, of which only the parts that are asked for are read,
// or of a text in memory.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/mapped_file.h"

namespace attn {

class BytesAt {
 public:
  virtual ~BytesAt() = default;
  /// What errors call it: a path.
  virtual const std::string& name() const = 0;
  virtual std::uint64_t size() const = 0;
  /// Fills `bytes` from `offset` on. The caller has checked that offset + bytes.size() <= size().
  ///   Errors: FileError; also when a file has become another or shorter since it was opened.
  virtual void read_at(std::uint64_t offset, std::span<std::byte> bytes) const = 0;
  /// Where the bytes from `offset` on lie in memory, as long as the pointer lives; null: they have to be read.
  virtual std::shared_ptr<const std::byte> mapped_at(std::uint64_t) const { return nullptr; }

 protected:
  BytesAt() = default;
  BytesAt(const BytesAt&) = default;
  BytesAt& operator=(const BytesAt&) = default;
};

class FileBytes : public BytesAt {
 public:
  ///   Errors: FileError (missing, a folder, a pipe or device, no right to read).
  explicit FileBytes(std::string path);
  ~FileBytes() override;
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  const std::string& name() const override { return path_; }
  std::uint64_t size() const override { return size_; }
  void read_at(std::uint64_t offset, std::span<std::byte> bytes) const override;
  /// Of a large file, where the system sees to it that it stays as it is.
  std::shared_ptr<const std::byte> mapped_at(std::uint64_t offset) const override;

 private:
  void check_unchanged() const;

  std::string path_;
  int descriptor_;
  std::uint64_t size_ = 0;
  std::int64_t written_ = 0;  // nanoseconds, by the file system's clock
  mutable std::once_flag is_mapped_;
  mutable std::shared_ptr<const MappedFile> map_;
};

/// The text must outlive it.
class TextBytes : public BytesAt {
 public:
  TextBytes(std::string name, std::string_view text) : name_(std::move(name)), text_(text) {}

  const std::string& name() const override { return name_; }
  std::uint64_t size() const override { return text_.size(); }
  void read_at(std::uint64_t offset, std::span<std::byte> bytes) const override;

 private:
  std::string name_;
  std::string_view text_;
};

/// Opens a file by the name that a program gives it.
///   Errors: FileError.
using FileOpener = std::function<std::shared_ptr<const BytesAt>(const std::string& name)>;

/// The files in a folder and below it; names that lead out of it are refused.
///   Errors: FileError, of the opener too.
FileOpener files_of_folder(std::string folder);

/// The first `count` bytes, or all when there are fewer.
std::string first_bytes(const BytesAt& bytes, std::uint64_t count);

}  // namespace attn
