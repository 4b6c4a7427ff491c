// Allocations fail from one on: the program says so and ends with 5, or did not need it. It never crashes.
#include "tests/faults/faults.h"

namespace attn {
namespace {

using Words = std::vector<std::string>;

const Words kRuns[] = {
    {"eval", "torch.ones(3, 4) @ torch.ones(4, 2)"},
    {"eval", "x = [i for i in range(100)]\nprint(f'{sum(x):.2f}')\n{'a': (1, 2)}['b']"},
    {"lesson", "0", "--all"},
    {"export", "0", "-o", "-", "--format", "html"},
    {"ops", "softmax"},
};

/// The outcome with allocations failing from the n-th on; false when fewer were made.
bool survives(const Words& words, long n, const Ended& whole) {
  const Workshop workshop;
  const Ended ended = run_failing(workshop, words, {{"ATTN_FAIL_MEMORY", std::to_string(n)}});
  const std::string what = words[0] + " " + words[1] + ", allocation " + std::to_string(n) + "\n";
  EXPECT_EQ(ended.signal, 0) << what << ended.err;
  EXPECT_TRUE(ended.code == whole.code || ended.code == 5) << what << ended.code << ended.err;
  if (ended.code == 5) {
    EXPECT_NE(ended.err, "") << what;
  } else {
    EXPECT_EQ(ended.out, whole.out) << what;
  }
  return workshop.was_failed();
}

// All of the first allocations, then ever larger steps: a run makes tens of thousands.
TEST(Memory, MayRunOutAnywhere) {
  if (!kCanFail) GTEST_SKIP() << "calls cannot be made to fail under sanitizers";
  for (const Words& words : kRuns) {
    const Workshop workshop;
    const Ended whole = run_failing(workshop, words, {});
    int tried = 0;
    for (long n = 1; survives(words, n, whole); n += 1 + n / 12) ++tried;
    EXPECT_GT(tried, 50) << words[0];
  }
}

}  // namespace
}  // namespace attn
