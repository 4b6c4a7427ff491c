#include "tensor/kernels/levels.h"

#include <algorithm>
#include <atomic>

namespace attn {

// The tables of kernels/versioned/table.cpp.
namespace baseline {
extern const Kernels kKernels;
}
#ifdef ATTN_X86_LEVELS
namespace v3 {
extern const Kernels kKernels;
}
namespace v4 {
extern const Kernels kKernels;
}
#endif

namespace {

// What is asked for is what CMakeLists.txt tells the compiler that there is.
constexpr Level kLevels[] = {
    {"baseline", "nothing beyond the architecture itself", [] { return true; }, &baseline::kKernels},
#ifdef ATTN_X86_LEVELS
    {"v3", "AVX2 and FMA", [] { return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0; },
     &v3::kKernels},
    {"v4", "AVX-512 (F, BW, DQ, VL)",
     [] {
       return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
              __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
              __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
     },
     &v4::kKernels},
#endif
};

const Level* fastest() {
  const Level* found = nullptr;
  for (const Level& level : kLevels)
    if (level.is_supported()) found = &level;
  return found;
}

const Level*& chosen() {
  static const Level* level = fastest();
  return level;
}

std::atomic<bool> used{false};

}  // namespace

std::span<const Level> levels() { return kLevels; }

const Level* find_level(std::string_view name) {
  const auto found =
      std::find_if(std::begin(kLevels), std::end(kLevels), [&](const Level& l) { return l.name == name; });
  return found == std::end(kLevels) ? nullptr : found;
}

const Level& level() { return *chosen(); }
const Kernels& kernels() { return *chosen()->kernels; }

void use_level(const Level& level) { chosen() = &level; }

void note_level_used() { used.store(true, std::memory_order_relaxed); }
bool take_level_used() { return used.exchange(false); }

}  // namespace attn
