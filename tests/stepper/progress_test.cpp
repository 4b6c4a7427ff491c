#include "stepper/progress.h"

#include <gtest/gtest.h>

namespace attn {
namespace {

Progress some() {
  Progress progress;
  progress.lesson = "batch";
  progress.at = "batch/2/abc";
  progress.steps = 71;
  progress.seen = {"batch/1/x", "batch/2/abc"};
  progress.answers["batch/2/abc"] = {"3 2 5", Mark::Wrong, 2, 1};
  progress.typed = {{"batch/2/abc", "x = \"책\"\nx"}};
  progress.given = {{"the cat", "@poem.txt"}, "", "v.txt"};
  return progress;
}

TEST(Progress, ReadsWhatItWrites) {
  const auto read = read_progress(progress_text(some()));
  ASSERT_TRUE(read);
  EXPECT_EQ(progress_text(*read), progress_text(some()));
  EXPECT_EQ(read->typed.front().code, "x = \"책\"\nx");
  EXPECT_EQ(read->answers.at("batch/2/abc").mark, Mark::Wrong);
  EXPECT_EQ(read->given, some().given);
}

TEST(Progress, RefusesWhatIsNone) {
  for (const char* text : {"", "{}", "[1]", "{\"version\": 2}", "not json", "{\"version\":1,\"lesson\":3}"})
    EXPECT_FALSE(read_progress(text)) << text;
  std::string cut = progress_text(some());
  cut.resize(cut.size() / 2);
  EXPECT_FALSE(read_progress(cut));
}

TEST(Progress, TwoSessionsAreMergedByStep) {
  Progress other = some();
  other.at = "batch/3/z";
  other.seen = {"batch/3/z"};
  other.answers.clear();
  other.answers["batch/2/abc"] = {"3 5 2", Mark::Right, 1, 0};
  other.typed = {{"batch/3/z", "y"}};
  for (const Progress& both : {merged(some(), other), merged(other, some())}) {
    EXPECT_EQ(both.seen, (std::set<std::string>{"batch/1/x", "batch/2/abc", "batch/3/z"}));
    EXPECT_EQ(both.answers.at("batch/2/abc").mark, Mark::Right);
    EXPECT_EQ(both.typed.size(), 2U);
  }
  EXPECT_EQ(merged(some(), other).at, "batch/3/z");
  EXPECT_EQ(merged(other, some()).at, "batch/2/abc");
}

}  // namespace
}  // namespace attn
