#include "base/coroutine.h"

#include <cxxabi.h>
#include <sys/mman.h>

#include <cstring>
#include <utility>
#include <vector>

#include "base/limits.h"

#if defined(ATTN_SANITIZED)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace attn {
namespace {

#if defined(ATTN_SANITIZED)
constexpr std::size_t kStack = std::size_t{8} << 20;  // frames are several times larger
#else
constexpr std::size_t kStack = std::size_t{1} << 20;  // of addresses; memory only as far as it is used
#endif
constexpr std::size_t kRest = std::size_t{128} << 10;  // left for what does not look at the limit
constexpr std::size_t kMostKept = 16;

struct Abandoned {};

void free_stack(std::byte* stack) {
#if defined(ATTN_SANITIZED)
  __asan_unpoison_memory_region(stack, kStack);  // begin() never returns, and a tensor may stand there next
#endif
  munmap(stack, kStack);
}

/// Stacks that nobody uses.
struct Shelf {
  std::vector<std::byte*> stacks;
  ~Shelf() {
    for (std::byte* stack : stacks) free_stack(stack);
  }
};
thread_local Shelf shelf;
thread_local Coroutine* current = nullptr;

std::byte* take_stack() {
  if (!shelf.stacks.empty()) {
    std::byte* const stack = shelf.stacks.back();
    shelf.stacks.pop_back();
    return stack;
  }
  void* const stack = mmap(nullptr, kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED) throw LimitReached(LimitReached::Kind::Memory, "there is no room for another generator");
  return static_cast<std::byte*>(stack);
}

void keep_stack(std::byte* stack) {
  if (shelf.stacks.size() < kMostKept) shelf.stacks.push_back(stack);
  else free_stack(stack);
}

}  // namespace

void Coroutine::begin() {
  Coroutine& self = *current;
#if defined(ATTN_SANITIZED)
  __sanitizer_finish_switch_fiber(nullptr, &self.outside_stack_, &self.outside_size_);
#endif
  try {
    self.body_();
  } catch (const Abandoned&) {
  } catch (...) {
    self.error_ = std::current_exception();
  }
  self.has_ended_ = true;
  self.switch_to(self.inside_, self.outside_);
}

// With the exceptions that are being handled where it goes.
void Coroutine::switch_to(ucontext_t& from, ucontext_t& to) {
  static_assert(sizeof(Handled) == 16);
  void* const globals = abi::__cxa_get_globals();
  Handled here;
  std::memcpy(&here, globals, sizeof(here));
  std::memcpy(globals, &handled_, sizeof(handled_));
  handled_ = here;
#if defined(ATTN_SANITIZED)
  const bool goes_in = &to == &inside_;
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(has_ended_ ? nullptr : &fake, goes_in ? stack_ : outside_stack_,
                                 goes_in ? kStack : outside_size_);
#endif
  swapcontext(&from, &to);
#if defined(ATTN_SANITIZED)
  if (goes_in) __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
  else __sanitizer_finish_switch_fiber(fake, &outside_stack_, &outside_size_);
#endif
}

bool Coroutine::resume() {
  if (has_ended_) return false;
  if (!stack_) {
    stack_ = take_stack();
    getcontext(&inside_);
    inside_.uc_stack.ss_sp = stack_;
    inside_.uc_stack.ss_size = kStack;
    makecontext(&inside_, begin, 0);
  }
  Coroutine* const outer = std::exchange(current, this);
  const char* const outer_stack = std::exchange(thread_limits.stack, reinterpret_cast<const char*>(stack_ + kStack));
  const std::size_t outer_size = std::exchange(thread_limits.limits.max_stack, kStack - kRest);
  switch_to(outside_, inside_);
  current = outer;
  thread_limits.stack = outer_stack;
  thread_limits.limits.max_stack = outer_size;
  if (has_ended_) keep_stack(std::exchange(stack_, nullptr));
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  return !has_ended_;
}

void Coroutine::suspend() {
  if (is_abandoned_) throw Abandoned();
  switch_to(inside_, outside_);
  if (is_abandoned_) throw Abandoned();
}

Coroutine::~Coroutine() {
  if (!stack_) return;
  is_abandoned_ = true;
  try {
    resume();
  } catch (...) {  // nobody waits for it
  }
}

}  // namespace attn
