#include "base/mapped_file.h"

#if defined(__linux__)
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#endif
#if defined(ATTN_SANITIZED)
#include <sanitizer/asan_interface.h>
#endif

namespace attn {

#if defined(__linux__)
namespace {

/// A mapping that its lease guards. Free: data is null. A handler of signals reads it, so nothing here is locked.
struct Leased {
  std::atomic<std::byte*> data = nullptr;
  std::atomic<int> descriptor = -1;
  std::atomic<std::size_t> size = 0;
};
std::array<Leased, 8> leased;

/// MAP_FAILED, or new memory: where the stack of a thread was that has ended the sanitizer would still see it.
void* map(std::size_t size, int protection, int flags, int descriptor) {
  void* const data = mmap(nullptr, size, protection, MAP_PRIVATE | flags, descriptor, 0);
#if defined(ATTN_SANITIZED)
  if (data != MAP_FAILED) __asan_unpoison_memory_region(data, size);
#endif
  return data;
}

constexpr std::size_t kCopiedAtOnce = std::size_t{16} << 20;  // bytes: a wall around the address space leaves room

/// The same bytes at the same place, but our own, piece by piece. (Pages of a private mapping that are written to are
/// our own, too, but who makes the file shorter takes them away.)
void become_copy(std::byte* data, std::size_t size) {
  for (std::size_t done = 0; done < size; done += kCopiedAtOnce) {
    const std::size_t bytes = std::min(kCopiedAtOnce, size - done);
    void* const copy = map(bytes, PROT_READ | PROT_WRITE, MAP_ANONYMOUS, -1);
    if (copy == MAP_FAILED) return;
    std::memcpy(copy, data + done, bytes);
    mprotect(copy, bytes, PROT_READ);
    mremap(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, data + done);
  }
}

/// Somebody has opened the file to write, and waits for the lease.
void on_break(int, siginfo_t* info, void*) {
  const int saved = errno;
  for (Leased& file : leased) {
    if (file.data == nullptr || file.descriptor != info->si_fd) continue;
    become_copy(file.data, file.size);
    fcntl(file.descriptor, F_SETLEASE, F_UNLCK);
  }
  errno = saved;
}

int signal_of_breaks() {
  static const int number = [] {
    struct sigaction action {};
    action.sa_sigaction = on_break;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigfillset(&action.sa_mask);
    sigaction(SIGRTMIN, &action, nullptr);
    return SIGRTMIN;
  }();
  return number;
}

bool take_lease(int descriptor) {
  return fcntl(descriptor, F_SETSIG, signal_of_breaks()) == 0 && fcntl(descriptor, F_SETLEASE, F_RDLCK) == 0;
}

/// The entry is complete before its lease is taken: the lease may be broken at once.
bool enter(int descriptor, std::byte* data, std::size_t size) {
  for (Leased& file : leased) {
    std::byte* none = nullptr;
    if (!file.data.compare_exchange_strong(none, data)) continue;
    file.size = size;
    file.descriptor = descriptor;
    if (take_lease(descriptor)) return true;
    file.descriptor = -1;
    file.data = nullptr;
    return false;
  }
  return false;
}

void leave(int descriptor) {
  fcntl(descriptor, F_SETLEASE, F_UNLCK);
  for (Leased& file : leased) {
    if (file.descriptor != descriptor) continue;
    file.descriptor = -1;
    file.data = nullptr;
  }
}

}  // namespace

std::shared_ptr<const MappedFile> MappedFile::of(int descriptor, std::uint64_t size) {
  const int own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (own < 0) return nullptr;
  const auto bytes = static_cast<std::size_t>(size);
  void* const data = map(bytes, PROT_READ, 0, own);
  if (data != MAP_FAILED && enter(own, static_cast<std::byte*>(data), bytes))
    return std::shared_ptr<const MappedFile>(new MappedFile(own, static_cast<std::byte*>(data), bytes));
  if (data != MAP_FAILED) munmap(data, bytes);
  close(own);
  return nullptr;
}

MappedFile::~MappedFile() {
  leave(descriptor_);
  munmap(const_cast<std::byte*>(data_), size_);
  close(descriptor_);
}

#else

std::shared_ptr<const MappedFile> MappedFile::of(int, std::uint64_t) { return nullptr; }
MappedFile::~MappedFile() = default;

#endif

}  // namespace attn
