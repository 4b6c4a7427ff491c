#pragma once
// The limits of a run, each enforced in one place: memory in the tensor allocator, work in charge(), depth in
// StackGuard. They hold for the calling thread between the construction and destruction of a LimitScope.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "base/source.h"

namespace attn {

struct Limits {
  std::int64_t max_memory = std::int64_t{2} << 30;  // bytes of tensors, and of what the scope's thread allocated in it
  std::int64_t max_work = 4'000'000'000'000;        // AST nodes + elements + multiply-adds
  std::size_t max_stack = std::size_t{6} << 20;     // bytes below the frame that opened the scope
};

/// A limit was reached, or the user interrupted. Cell code cannot catch it.
class LimitReached : public std::exception {
 public:
  enum class Kind { Memory, Work, Depth, Interrupt };
  LimitReached(Kind kind, std::string message) : kind_(kind), message_(std::move(message)) {}
  Kind kind() const { return kind_; }
  const char* what() const noexcept override { return message_.c_str(); }
  /// The statement that ran, once it is known.
  Span place() const { return place_; }
  void set_place(Span place) {
    if (place_ == Span{}) place_ = place;
  }

 private:
  Kind kind_;
  std::string message_;
  Span place_;
};

/// What holds for one thread. Without an open LimitScope the defaults hold and the stack is not checked.
struct ThreadLimits {
  Limits limits;
  std::int64_t work = 0;
  const char* stack = nullptr;  // frame of the innermost scope
  std::int64_t heap = 0;        // heap_bytes when it began
  std::int64_t allowance = 0;   // bytes that may be in use beside max_memory: those of the record of a run
  std::int64_t next_look = 0;   // beyond these heap_bytes, charge() looks whether more than max_memory is in use
  bool is_undisturbed = false;
};

/// Sets the limits for this thread and restores the former ones at its end.
class LimitScope {
 public:
  explicit LimitScope(const Limits& limits);
  ~LimitScope();
  LimitScope(const LimitScope&) = delete;
  LimitScope& operator=(const LimitScope&) = delete;

 private:
  ThreadLimits saved_;
};

inline constinit thread_local ThreadLimits thread_limits;

/// While it lives an interrupt waits, and neither work nor memory is limited: for little that a thread makes once and
/// keeps for all runs.
class Undisturbed {
 public:
  Undisturbed() { thread_limits.is_undisturbed = true; }
  ~Undisturbed() {
    thread_limits.is_undisturbed = was_;
    thread_limits.work = work_;
  }
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;

 private:
  bool was_ = thread_limits.is_undisturbed;
  std::int64_t work_ = thread_limits.work;
};

/// Bytes that operator new gave this thread and operator delete did not take back: objects, text, lists, records.
inline constinit thread_local std::int64_t heap_bytes = 0;
inline std::atomic<bool> interrupt_flag{false};
/// Set by a program that ends once its run was interrupted: what the run holds is then left to the system.
inline std::atomic<bool> ends_with_the_run{false};
/// For tests: not null, each look at an interrupt that is asked for is counted there, and only the one that makes it 0
/// stops the run.
inline std::int64_t* counted_looks = nullptr;
void stop_charging();
void look_at_memory();
[[noreturn]] void stack_used_up();

/// Counts deterministic units of work. Throws LimitReached beyond the limits or after request_interrupt().
[[gnu::always_inline]] inline void charge(std::int64_t units) {
  // Written so that units near the largest integer cannot overflow the sum.
  if (interrupt_flag.load(std::memory_order_relaxed) || units > thread_limits.limits.max_work - thread_limits.work)
    stop_charging();
  if (heap_bytes > thread_limits.next_look) look_at_memory();
  thread_limits.work += units;
}
/// For loops that are counted elsewhere, or not at all: an interrupt is heard. Nothing is asked outside of a
/// LimitScope, so that code which reports an interrupt is not interrupted itself.
inline void look() {
  if (thread_limits.stack) charge(0);
}
std::int64_t work_done();

/// Called by the tensor allocator before it takes bytes, and after it gave them back. `take` throws LimitReached.
void take_memory(std::int64_t bytes);
void give_memory(std::int64_t bytes) noexcept;
std::int64_t live_memory();

/// Throws LimitReached when the stack below the scope's frame is nearly used up. Call it in every recursion.
inline void check_stack() {
  // The stack grows downwards on every system we know.
  const char* const frame = static_cast<const char*>(__builtin_frame_address(0));
  const auto allowed = static_cast<std::ptrdiff_t>(thread_limits.limits.max_stack);
  if (thread_limits.stack && thread_limits.stack - frame > allowed) stack_used_up();
}

/// Safe in a signal handler: the next charge() throws.
void request_interrupt() noexcept;
void clear_interrupt() noexcept;
bool interrupt_requested() noexcept;

}  // namespace attn
