#include "stepper/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "engine/runner.h"
#include "lesson/catalogue.h"
#include "stepper/stepper.h"
#include "stepper/steps.h"

namespace attn {
namespace {

using testing::HasSubstr;

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

TEST(CarriedProgress, FindsStepsByTheirCode) {
  Progress saved;
  saved.at = "batch/4/dd";
  saved.seen = {"batch/1/aa", "batch/2/bb", "batch/3/cc", "batch/4/dd", "batch/3/cc/ee@1"};
  saved.answers["batch/2/bb"] = {"3 2 5", Mark::Right, 1, 0};
  saved.answers["quiz:batch/3/cc"] = {"3", Mark::Wrong, 1, 0};
  saved.answers["batch/4/dd"] = {"0.5", Mark::Right, 1, 0};
  saved.typed = {{"batch/3/cc", "x"}, {"batch/4/dd", "y"}};
  // A cell was put in front, and the last one was written anew.
  const CarriedProgress carried =
      carried_over(saved, {"batch/1/zz", "batch/2/aa", "batch/3/bb", "batch/4/cc", "batch/4/cc/ee@1", "batch/9/cc"});
  EXPECT_TRUE(carried.is_older);
  EXPECT_TRUE(carried.lost_place);
  EXPECT_EQ(carried.progress.seen,
            (std::set<std::string>{"batch/2/aa", "batch/3/bb", "batch/4/cc", "batch/4/cc/ee@1"}));
  EXPECT_EQ(carried.answers, 2U);
  EXPECT_EQ(carried.kept, 1U);
  EXPECT_EQ(carried.progress.answers.at("batch/3/bb").given, "3 2 5");
  EXPECT_EQ(carried.progress.answers.at("quiz:batch/4/cc").given, "3");
  EXPECT_EQ(carried.progress.typed[0].step, "batch/4/cc");
  EXPECT_EQ(carried.progress.typed[1].step, "batch/4/dd") << "it is shown as at a step that is gone";
  EXPECT_TRUE(carried.progress.at.starts_with("batch/4/cc")) << carried.progress.at;
}

TEST(CarriedProgress, OfTheSameLessonStaysAsItIs) {
  // With --set a parameter's line is another one: that alone makes no older lesson.
  Progress saved = some();
  const CarriedProgress carried = carried_over(saved, {"batch/1/y", "batch/2/abc"});
  EXPECT_FALSE(carried.is_older);
  EXPECT_FALSE(carried.lost_place);
  EXPECT_EQ(carried.progress.at, saved.at);
}

TEST(CarriedProgress, SurvivesNamesThatAreNone) {
  for (const char* name : {"", "/", "x", "a/b", "a//", "//", ":", "quiz:", "a/99999999999999999999/b"}) {
    Progress saved;
    saved.at = name;
    saved.seen = {name};
    saved.answers[name] = {};
    saved.typed = {{name, "x"}};
    EXPECT_TRUE(carried_over(saved, {"batch/1/x"}).progress.seen.empty()) << name;
  }
}

// Saved by the program at aef8d53, in the middle of lesson 3.
TEST(CarriedProgress, OpensWhatWasSavedOfAnOlderLesson) {
  std::ifstream file(std::string(ATTN_SOURCE_DIR) + "/tests/stepper/progress_of_an_older_lesson_3.json");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto saved = read_progress(text);
  ASSERT_TRUE(saved);
  LoadFindings findings;
  const Lesson lesson = Catalogue::built_in().open("3", findings);
  State state = start_session(lesson, run_lesson(lesson), {}, *saved);
  EXPECT_THAT(state.said, HasSubstr("This lesson has changed since you were here. Of your 7 answers "));
  EXPECT_THAT(state.said, HasSubstr("You were at step "));
  ASSERT_GE(state.actions.size(), 2U);
  EXPECT_TRUE(std::holds_alternative<ForgetProgress>(state.actions[0])) << "the old names would come back";
  EXPECT_TRUE(std::holds_alternative<SaveProgress>(state.actions[1]));
  EXPECT_TRUE(place_of(state, state.progress.at));
  EXPECT_GE(state.progress.answers.size(), 1U);
  for (const auto& [key, answer] : state.progress.answers) EXPECT_TRUE(place_of(state, key)) << key;
  state = update(std::move(state), TypedLine{""});
  EXPECT_EQ(step_at(state, state.at).id, state.progress.at);
  const State again = start_session(lesson, run_lesson(lesson), {}, state.progress);
  EXPECT_THAT(again.said, testing::Not(HasSubstr("has changed"))) << "once is enough";
}

}  // namespace
}  // namespace attn
