#pragma once
// A file as memory, without reading it. Nobody can change what is mapped: while it is, the system's read lease on the
// file has whoever opens it to write wait until the mapping has become a copy.
#include <cstddef>
#include <cstdint>
#include <memory>

namespace attn {

class MappedFile {
 public:
  /// The first `size` bytes of an open file; null where the system grants no lease: on other systems, on some file
  /// systems, for the files of other users, for one that somebody is writing to, and beyond eight files.
  static std::shared_ptr<const MappedFile> of(int descriptor, std::uint64_t size);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::byte* data() const { return data_; }

 private:
  MappedFile(int descriptor, const std::byte* data, std::size_t size)
      : descriptor_(descriptor), data_(data), size_(size) {}

  int descriptor_;  // its own: the lease belongs to it
  const std::byte* data_;
  std::size_t size_;
};

}  // namespace attn
