#pragma once
// Ctrl-C while a long text is laid out.
#include <cstddef>

#include "base/limits.h"

namespace attn {

/// Called at each step of a loop over a text, it listens for Ctrl-C now and then. A short text is always finished, so
/// that code which reports an interrupt is not interrupted itself.
class LongTextLook {
 public:
  void operator()() {
    constexpr std::size_t kSteps = 4096;
    if (++steps_ % kSteps == 0) look();
  }

 private:
  std::size_t steps_ = 0;
};

}  // namespace attn
