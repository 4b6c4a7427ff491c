#include "base/limits.h"

#include <fmt/format.h>

namespace attn {
namespace {

/// What holds for one thread. Without an open LimitScope the defaults hold and the stack is not checked.
struct ThreadState {
  Limits limits;
  std::int64_t work = 0;
  const char* stack = nullptr;  // frame of the innermost scope
};

thread_local ThreadState thread_state;

// Memory is counted for the whole process: a tensor may be freed on another thread than the one that made it.
std::atomic<std::int64_t> live_bytes{0};

std::atomic<bool> interrupted{false};
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

}  // namespace

LimitScope::LimitScope(const Limits& limits)
    : saved_(thread_state.limits), saved_work_(thread_state.work), saved_stack_(thread_state.stack) {
  thread_state = ThreadState{limits, 0, frame_address()};
}

LimitScope::~LimitScope() { thread_state = ThreadState{saved_, saved_work_, saved_stack_}; }

void charge(std::int64_t units) {
  if (interrupted.load(std::memory_order_relaxed)) {
    throw LimitReached(LimitReached::Kind::Interrupt, "interrupted");
  }
  // Written so that units near the largest integer cannot overflow the sum.
  if (units > thread_state.limits.max_work - thread_state.work) {
    throw LimitReached(LimitReached::Kind::Work,
                       fmt::format("the limit of {} units of work is reached", thread_state.limits.max_work));
  }
  thread_state.work += units;
}

std::int64_t work_done() { return thread_state.work; }

void take_memory(std::int64_t bytes) {
  const std::int64_t limit = thread_state.limits.max_memory;
  std::int64_t live = live_bytes.load(std::memory_order_relaxed);
  do {
    if (bytes > limit - live) memory_reached(bytes, live, limit);
  } while (!live_bytes.compare_exchange_weak(live, live + bytes, std::memory_order_relaxed));
}

void give_memory(std::int64_t bytes) noexcept { live_bytes.fetch_sub(bytes, std::memory_order_relaxed); }

std::int64_t live_memory() { return live_bytes.load(std::memory_order_relaxed); }

void check_stack() {
  if (thread_state.stack == nullptr) return;
  const auto used = thread_state.stack - frame_address();  // the stack grows downwards on every system we know
  if (used > static_cast<std::ptrdiff_t>(thread_state.limits.max_stack)) {
    throw LimitReached(LimitReached::Kind::Depth, "nested too deeply: the stack is used up");
  }
}

void request_interrupt() noexcept { interrupted.store(true, std::memory_order_relaxed); }
void clear_interrupt() noexcept { interrupted.store(false, std::memory_order_relaxed); }
bool interrupt_requested() noexcept { return interrupted.load(std::memory_order_relaxed); }

}  // namespace attn
