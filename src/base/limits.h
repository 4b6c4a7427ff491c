#pragma once
// The limits of a run, each enforced in one place: memory in the tensor allocator, work in charge(), depth in
// StackGuard. They hold for the calling thread between the construction and destruction of a LimitScope.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace attn {

struct Limits {
  std::int64_t max_memory = std::int64_t{2} << 30;  // bytes of live tensor storage
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

 private:
  Kind kind_;
  std::string message_;
};

/// Sets the limits for this thread and restores the former ones at its end.
class LimitScope {
 public:
  explicit LimitScope(const Limits& limits);
  ~LimitScope();
  LimitScope(const LimitScope&) = delete;
  LimitScope& operator=(const LimitScope&) = delete;

 private:
  Limits saved_;
  std::int64_t saved_work_;
  const char* saved_stack_;
};

/// Counts deterministic units of work. Throws LimitReached beyond the limit or after request_interrupt().
void charge(std::int64_t units);
std::int64_t work_done();

/// Called by the tensor allocator before it takes bytes, and after it gave them back. `take` throws LimitReached.
void take_memory(std::int64_t bytes);
void give_memory(std::int64_t bytes) noexcept;
std::int64_t live_memory();

/// Throws LimitReached when the stack below the scope's frame is nearly used up. Call it in every recursion.
void check_stack();

/// Safe in a signal handler: the next charge() throws.
void request_interrupt() noexcept;
void clear_interrupt() noexcept;
bool interrupt_requested() noexcept;

}  // namespace attn
