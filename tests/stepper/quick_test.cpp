// A key shows its step before the next frame of a screen: within 16 ms of the processor's time, also in the lesson with
// the largest tensors.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

#include "engine/runner.h"
#include "lesson/catalogue.h"
#include "stepper/stepper.h"

namespace attn {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr double kMilliseconds = 160;
#else
constexpr double kMilliseconds = 16;
#endif

TEST(Quick, EveryStepOfLesson5) {
  LoadFindings findings;
  const Lesson lesson = Catalogue::built_in().open("5", findings);
  State state = start_session(lesson, run_lesson(lesson), {});
  int steps = 0, slow = 0;
  double slowest = 0;
  while (view(state).find("That was the last step") == std::string_view::npos && ++steps < 300) {
    const bool is_question = state.stage == Stage::Question;
    const std::clock_t begin = std::clock();
    state = update(std::move(state), is_question ? Event(TypedLine{"skip"}) : Event(KeyPress{"n"}));
    const double took = 1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    slowest = std::max(slowest, took);
    slow += took > kMilliseconds;
  }
  EXPECT_GT(steps, 75);
  EXPECT_LE(slow, 1) << "the slowest took " << slowest << " ms";  // one may have waited for memory
  RecordProperty("slowest_ms", std::to_string(slowest));
}

}  // namespace
}  // namespace attn
