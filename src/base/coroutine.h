#pragma once
// A function that stops in its middle and goes on later, on a stack of its own.
#include <ucontext.h>

#include <cstddef>
#include <exception>
#include <functional>
#include <utility>

namespace attn {

class Coroutine {
 public:
  explicit Coroutine(std::function<void()> body) : body_(std::move(body)) {}
  /// One that stopped in its middle is unwound: there, suspend() throws.
  ~Coroutine();
  Coroutine(const Coroutine&) = delete;
  Coroutine& operator=(const Coroutine&) = delete;

  /// Runs the body until it stops (true) or ends (false).
  ///   Errors: what the body throws, which ends it; LimitReached when there is no room for a stack.
  bool resume();
  /// Called by the body: goes back to resume(), and returns when the coroutine is resumed.
  void suspend();
  bool has_ended() const { return has_ended_; }

 private:
  /// What the C++ runtime keeps of exceptions that are being handled; each stack has its own.
  struct Handled {
    void* exceptions = nullptr;
    unsigned int uncaught = 0;
  };
  static void begin();
  void switch_to(ucontext_t& from, ucontext_t& to);

  std::function<void()> body_;
  std::byte* stack_ = nullptr;
  ucontext_t inside_{}, outside_{};
  Handled handled_;
  std::exception_ptr error_;
  const void* outside_stack_ = nullptr;  // for AddressSanitizer
  std::size_t outside_size_ = 0;
  bool is_abandoned_ = false;
  bool has_ended_ = false;
};

}  // namespace attn
