// ATTN_TUTOR_CPU chooses the kernels of a test program, as it does for attn-tutor itself.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "tensor/kernels/levels.h"

namespace attn {
namespace {

constexpr int kSkipped = 77;  // what tests/CMakeLists.txt takes for "not on this processor"

class LevelOfVariable : public testing::Environment {
 public:
  void SetUp() override {
    const char* const name = std::getenv("ATTN_TUTOR_CPU");
    if (!name || !*name) return;
    const Level* const level = find_level(name);
    ASSERT_NE(level, nullptr) << name;
    if (!level->is_supported()) std::exit(kSkipped);
    use_level(*level);
  }
};

const auto* const kEnvironment = testing::AddGlobalTestEnvironment(new LevelOfVariable);

}  // namespace
}  // namespace attn
