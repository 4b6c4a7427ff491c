#include "base/limits.h"

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "base/spare_blocks.h"

namespace attn {
namespace {

// Memory is counted for the whole process: a tensor may be freed on another thread than the one that made it.
std::atomic<std::int64_t> live_bytes{0};

static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

const char* frame_address() { return static_cast<const char*>(__builtin_frame_address(0)); }

std::string size_text(std::int64_t bytes) {
  const double value = static_cast<double>(bytes);
  if (bytes >= std::int64_t{1} << 30) return fmt::format("{:.1f} GiB", value / (1 << 30));
  if (bytes >= std::int64_t{1} << 20) return fmt::format("{:.1f} MiB", value / (1 << 20));
  return fmt::format("{} bytes", bytes);
}

[[noreturn]] void memory_reached(std::int64_t wanted, std::int64_t live, std::int64_t limit) {
  throw LimitReached(LimitReached::Kind::Memory,
                     fmt::format("this tensor needs {}, and {} of the allowed {} are in use", size_text(wanted),
                                 size_text(live), size_text(limit)));
}

constexpr std::int64_t kFree = std::int64_t{1} << 20;  // what every run needs beside its tensors

bool is_too_much(std::int64_t bytes) {
  const std::int64_t allowed = thread_limits.limits.max_memory + thread_limits.allowance;
  return heap_bytes - thread_limits.heap - kFree + bytes > allowed - live_memory();
}

// 0 where the system does not say.
std::int64_t resident_bytes() {
  std::int64_t pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(file, "%*d %" SCNd64, &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * sysconf(_SC_PAGESIZE);
}

// What was freed between blocks that live stays with the process, which may so have far more than the limit.
void give_back_pages() {
  constexpr std::int64_t kStep = std::int64_t{4} << 20;
  static constinit thread_local std::int64_t used_before = 0;
  const std::int64_t used = heap_bytes + live_memory();
  if (std::abs(used - used_before) < kStep) return;
  used_before = used;
  if (resident_bytes() > thread_limits.limits.max_memory) malloc_trim(0);
}

}  // namespace

LimitScope::LimitScope(const Limits& limits) : saved_(thread_limits) {
  thread_limits = ThreadLimits{limits, 0, frame_address(), heap_bytes};
}

LimitScope::~LimitScope() { thread_limits = saved_; }

void stop_charging() {
  if (thread_limits.is_undisturbed) return;
  if (interrupt_flag && counted_looks && ++*counted_looks != 0) return;
  if (interrupt_flag) throw LimitReached(LimitReached::Kind::Interrupt, "interrupted");
  throw LimitReached(LimitReached::Kind::Work,
                     fmt::format("the limit of {} units of work is reached", thread_limits.limits.max_work));
}

void look_at_memory() {
  thread_limits.next_look = heap_bytes + kFree;
  give_back_pages();
  if (thread_limits.is_undisturbed || !is_too_much(0)) return;
  thread_limits.next_look = heap_bytes;  // a run that goes on is looked at again
  throw LimitReached(LimitReached::Kind::Memory,
                     fmt::format("all of the allowed {} are in use", size_text(thread_limits.limits.max_memory)));
}

std::int64_t work_done() { return thread_limits.work; }

void take_memory(std::int64_t bytes) {
  const std::int64_t limit = thread_limits.limits.max_memory;
  std::int64_t live = live_bytes.load(std::memory_order_relaxed);
  do {
    if (bytes > limit + thread_limits.allowance - live) memory_reached(bytes, live, limit);
  } while (!live_bytes.compare_exchange_weak(live, live + bytes, std::memory_order_relaxed));
  thread_limits.next_look = 0;
}

void give_memory(std::int64_t bytes) noexcept { live_bytes.fetch_sub(bytes, std::memory_order_relaxed); }

std::int64_t live_memory() { return live_bytes.load(std::memory_order_relaxed); }

void stack_used_up() { throw LimitReached(LimitReached::Kind::Depth, "nested too deeply: the stack is used up"); }

void request_interrupt() noexcept { interrupt_flag.store(true, std::memory_order_relaxed); }
void clear_interrupt() noexcept { interrupt_flag.store(false, std::memory_order_relaxed); }
bool interrupt_requested() noexcept { return interrupt_flag.load(std::memory_order_relaxed); }

}  // namespace attn

#if !defined(ATTN_SANITIZED)  // which have their own

namespace {

// Small blocks are counted, and looked at by charge(), so that an error can still be told; a large one is refused.
constexpr std::size_t kLarge = std::size_t{1} << 20;

// What the C library takes for a block: a word before it, in steps of 16 bytes.
constexpr std::size_t kWord = 8;
constexpr std::size_t taken_size(std::size_t size) { return size <= 24 ? 32 : (size + 23) / 16 * 16; }

using Spare = attn::SpareBlocks<16, 32>;
constinit thread_local Spare spare;
constexpr std::size_t kSmall = Spare::kLargest - kWord;

// After a block was freed, what is taken in its place is looked at.
void look_again() noexcept {
  std::int64_t& next = attn::thread_limits.next_look;
  next = std::min(next, attn::heap_bytes + attn::kFree);
}

}  // namespace

void* operator new(std::size_t size) {
  if (size >= kLarge && attn::is_too_much(static_cast<std::int64_t>(size))) throw std::bad_alloc();
  void* block = size <= kSmall ? spare.take(taken_size(size)) : nullptr;
  if (!block) block = std::malloc(size <= kSmall ? taken_size(size) - kWord : size);
  if (!block) throw std::bad_alloc();
  attn::heap_bytes += static_cast<std::int64_t>(taken_size(size));
  return block;
}

void operator delete(void* block, std::size_t size) noexcept {
  if (!block) return;
  attn::heap_bytes -= static_cast<std::int64_t>(taken_size(size));
  if (size > kSmall) look_again();
  if (size > kSmall || !spare.keep(block, taken_size(size))) std::free(block);
}

void operator delete(void* block) noexcept {  // by code that does not know the size, which is rare
  attn::heap_bytes -= static_cast<std::int64_t>(malloc_usable_size(block) + kWord);
  std::free(block);
}

#endif
