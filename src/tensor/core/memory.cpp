#include "tensor/core/memory.h"

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "base/limits.h"
#include "base/spare_blocks.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace attn {
namespace {

constexpr std::int64_t kSmall = std::int64_t{1} << 16;  // malloc keeps smaller ones itself
constexpr std::int64_t kHugePage = std::int64_t{1} << 21;
constexpr std::int64_t kMostKept = std::int64_t{256} << 20;
constexpr std::int64_t kPartKept = 8;  // and no more than this part of what a run may use

// Sizes are rounded up to eighths of a power of two, so that blocks of nearly one size can stand for each other.
std::int64_t rounded_up(std::int64_t bytes) {
  const auto step = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(bytes)) / 8);
  return (bytes + step - 1) / step * step;
}

#if defined(__linux__)
// Large blocks come from the kernel and go back to it: among the small ones of malloc they would leave holes that the
// next, larger ones do not fit into. Those that have room for huge pages begin at one.
std::byte* mapped_block(std::int64_t bytes) {
  const auto size = static_cast<std::size_t>(bytes);
  const std::size_t more = bytes < kHugePage ? 0 : static_cast<std::size_t>(kHugePage);
  void* const region = mmap(nullptr, size + more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (region == MAP_FAILED) return nullptr;
  auto* const start = static_cast<std::byte*>(region);
  if (more == 0) return start;
  const std::size_t before = (more - std::bit_cast<std::uintptr_t>(start) % more) % more;
  std::byte* const block = start + before;
  if (before > 0) munmap(start, before);
  munmap(block + size, more - before);
  madvise(block, size, MADV_HUGEPAGE);
  return block;
}
#endif

constexpr std::align_val_t kCacheLine{64};

std::byte* allocate(std::int64_t bytes) {
#if defined(__linux__)
  if (bytes >= kSmall) return mapped_block(bytes);
#endif
  return static_cast<std::byte*>(::operator new(static_cast<std::size_t>(bytes), kCacheLine, std::nothrow));
}

void release(std::byte* block, std::int64_t bytes) {
#if defined(__linux__)
  if (bytes >= kSmall) {
    munmap(block, static_cast<std::size_t>(bytes));
    return;
  }
#endif
  ::operator delete(block, kCacheLine);
}

using Spare = SpareBlocks<64, 128>;
constinit thread_local Spare spare;

/// Large blocks that nobody uses, by their rounded size.
class Shelf {
 public:
  std::byte* take(std::int64_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto found = blocks_.find(bytes);
    if (found == blocks_.end()) return nullptr;
    kept_ -= bytes;
    return blocks_.extract(found).mapped();
  }

  // The room for the node is taken here; where there is none the block is not kept.
  bool keep(std::byte* block, std::int64_t bytes) noexcept try {
    const std::lock_guard lock(mutex_);
    if (kept_ + bytes > std::min(kMostKept, thread_limits.limits.max_memory / kPartKept)) return false;
    blocks_.emplace(bytes, block);
    kept_ += bytes;
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }

  void clear() {
    const std::lock_guard lock(mutex_);
    for (const auto& [bytes, block] : blocks_) release(block, bytes);
    blocks_.clear();
    kept_ = 0;
  }

  std::int64_t kept() {
    const std::lock_guard lock(mutex_);
    return kept_;
  }

 private:
  std::mutex mutex_;
  std::multimap<std::int64_t, std::byte*> blocks_;
  std::int64_t kept_ = 0;
};

// Never destroyed: tensors of other static objects may be given back after everything else.
Shelf& shelf() {
  static Shelf& shelf = *new Shelf;
  return shelf;
}

}  // namespace

std::byte* take_block(std::int64_t bytes) {
  const auto count = static_cast<std::size_t>(bytes);
  if (count <= Spare::kLargest) {
    if (void* block = spare.take(count)) return static_cast<std::byte*>(block);
    return allocate(static_cast<std::int64_t>(Spare::rounded_up(count)));
  }
  if (bytes < kSmall) return allocate(bytes);
  const std::int64_t size = rounded_up(bytes);
  if (std::byte* block = shelf().take(size)) return block;
  if (std::byte* block = allocate(size)) return block;
  shelf().clear();
  return allocate(size);
}

void give_block(std::byte* block, std::int64_t bytes) noexcept {
  if (block == nullptr) return;
  const auto count = static_cast<std::size_t>(bytes);
  if (count <= Spare::kLargest && spare.keep(block, count)) return;
  const std::int64_t size = bytes < kSmall ? bytes : rounded_up(bytes);
  if (bytes >= kSmall && shelf().keep(block, size)) return;
  release(block, size);
}

std::int64_t kept_memory() { return shelf().kept(); }

void keep_freed_memory() {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  mallopt(M_ARENA_MAX, 1);  // that of another thread grows page by page, each time with a call into the kernel
  mallopt(M_TOP_PAD, 1 << 20);
  mallopt(M_MXFAST, 0);  // millions of small blocks would be joined at once, where nothing hears Ctrl-C
#endif
}

}  // namespace attn
