// Allocations fail from one on: the program says so and ends with 5, or did not need it. It never crashes.
#include "tests/faults/faults.h"
#include "tests/session/screen.h"

namespace attn {
namespace {

struct Run {
  Words words;
  int others;  // of the later allocations, one in so many is tried: a run makes tens of thousands
};

const Run kRuns[] = {
    {{"eval", "torch.ones(3, 4) @ torch.ones(4, 2)"}, 8},
    {{"eval", "x = [i for i in range(100)]\nprint(f'{sum(x):.2f}')\n{'a': (1, 2)}['b']"}, 8},
    {{"lesson", "0", "--all"}, 8},
    {{"lesson", "0", "--answers", "/dev/null"}, 4},
    {{"export", "0", "-o", "-", "--format", "html"}, 4},
    {{"export", "0", "-o", "-", "--format", "ipynb"}, 4},
    {{"explain", "0", "weights[0, 0]"}, 4},
    {{"check", "0"}, 4},
    {{"ops", "softmax"}, 4},
    {{"lesson", "99"}, 4},
};

std::string what_of(const Words& words, long n) {
  return words[0] + " " + words[1] + ", allocation " + std::to_string(n) + "\n";
}

/// The outcome with allocations failing from the n-th on; false when fewer were made.
bool survives(const Words& words, long n, const Ended& whole) {
  const Workshop workshop;
  const Ended ended = run_failing(workshop, words, {{"ATTN_FAIL_MEMORY", std::to_string(n)}});
  const std::string what = what_of(words, n);
  EXPECT_EQ(ended.signal, 0) << what << ended.err;
  EXPECT_TRUE(ended.code == whole.code || ended.code == 5) << what << ended.code << ended.err;
  if (ended.code == 5) {
    EXPECT_NE(ended.err, "") << what;
  } else {
    EXPECT_EQ(ended.out, whole.out) << what;
  }
  return workshop.was_failed();
}

TEST(Memory, MayRunOutAnywhere) {
  if (!kCanFail) GTEST_SKIP() << "calls cannot be made to fail under sanitizers";
  for (const auto& [words, others] : kRuns) {
    const Workshop workshop;
    const Ended whole = run_failing(workshop, words, {});
    int tried = 0;
    for (long n = 1; survives(words, n, whole); n += 1 + n / others) ++tried;
    EXPECT_GT(tried, 20) << words[0];
  }
}

// Tables of the program are made before main(), where nobody catches.
TEST(Memory, MayRunOutBeforeTheProgramBegins) {
  if (!kCanFail) GTEST_SKIP() << "calls cannot be made to fail under sanitizers";
  for (long n = 1; n < 2000; n += 1 + n / 8) {
    const Workshop workshop;
    const Ended ended =
        run_failing(workshop, {"ops"}, {{"ATTN_FAIL_MEMORY", std::to_string(n)}, {"ATTN_FAIL_START", "1"}});
    EXPECT_EQ(ended.code, 5) << what_of({"ops", ""}, n) << ended.signal << ended.err;
    EXPECT_EQ(ended.err, "attn-tutor: not enough memory\n") << n;
  }
}

// A session that ends for want of memory leaves the terminal as it was.
TEST(Memory, MayRunOutInASession) {
  if (!kCanFail) GTEST_SKIP() << "calls cannot be made to fail under sanitizers";
  if (!has_terminals()) GTEST_SKIP() << "no pseudo-terminal can be opened here";
  for (long n = 1000; n < 100'000; n += n / 4) {
    const Workshop workshop;
    ScreenOptions options;
    options.environment = workshop.environment({{"ATTN_FAIL_MEMORY", std::to_string(n)}});
    Screen screen({"lesson", "0"}, options);
    if (screen.expect_raw()) screen.type("\r\x04\x04");
    const int code = screen.exit_code();
    EXPECT_TRUE(code == 0 || code == 5) << n << " " << code << screen.text();
    EXPECT_TRUE(same_settings(screen.settings(), screen.settings_before())) << n;
  }
}

// Without threads the main one does the work.
TEST(Memory, OfThreadsMayRunOutToo) {
  if (!kCanFail) GTEST_SKIP() << "calls cannot be made to fail under sanitizers";
  const Workshop workshop;
  const Ended ended = run_failing(workshop, {"eval", "print((torch.ones(300, 300) @ torch.ones(300, 300)).sum())"},
                                  {{"ATTN_FAIL_THREADS", "1"}});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, "tensor(27000000.)\n");
}

}  // namespace
}  // namespace attn
