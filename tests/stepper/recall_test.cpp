// A question of an earlier lesson, asked once more.
#include "stepper/recall.h"

#include <gmock/gmock.h>

#include "stepper/record.h"
#include "tests/stepper/session_walk.h"

namespace attn {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kBody = "## Recall\n\nOnce more.\n\n" + cell("a = 1", "predict=value") + "> **Hint** One.\n\n" +
                          "## Sizes\n\nThe rest.\n\n" + cell("b = 2") + "The end.\n\nBye.\n";

// Of the usual lesson, after its question about a shape got three wrong answers.
std::shared_ptr<const State> wrong_before() {
  SessionWalk walk;
  walk.command("goto turned");
  for (const char* wrong : {"1 1", "2 2", "3 3"}) {
    walk.command("predict");
    walk.line(wrong);
  }
  Lesson lesson = small_lesson(usual_body());
  Trace trace = run_lesson(lesson);
  return question_to_recall(std::move(lesson), std::move(trace), {}, walk.state.progress);
}

TEST(Recall, AsksOnceMoreWhatWasWrong) {
  SessionWalk walk(kBody);
  EXPECT_TRUE(has_recall(*walk.state.run->lesson));
  walk.state.recall = wrong_before();
  ASSERT_TRUE(walk.state.recall);
  walk.command("predict");
  EXPECT_THAT(walk.line("1"), Not(HasSubstr("One more")));
  EXPECT_THAT(walk.key("n"), AllOf(HasSubstr("One more, which you got wrong in lesson"), HasSubstr("Now turn it."),
                                   HasSubstr("turned = x.transpose(0, 1)"), HasSubstr("Here x [rows 3, width 4]."),
                                   Not(HasSubstr("step "))));
  EXPECT_EQ(walk.state.input.prompt, "shape> ");
  EXPECT_THAT(walk.line(""), HasSubstr("Two axes change places."));
  EXPECT_THAT(walk.line("3 4"), HasSubstr("That is x itself."));
  EXPECT_EQ(walk.state.input.prompt, "shape> ");
  EXPECT_THAT(walk.line("4 3"), AllOf(HasSubstr("Right:"), HasSubstr("The last comes first."), HasSubstr("The rest."),
                                      HasSubstr("b = 2")));
  EXPECT_EQ(walk.step(), 2);
  const SaveRecalled* saved = walk.action<SaveRecalled>();
  ASSERT_TRUE(saved);
  EXPECT_EQ(saved->progress.answers.begin()->second.mark, Mark::Right);
  EXPECT_FALSE(walk.state.recall);
  EXPECT_EQ(walk.state.progress.answers.size(), 1U) << "those of this lesson alone";
  EXPECT_EQ(session_record(walk.state).answers.size(), 1U);
}

TEST(Recall, CanBeSkippedAndIsNotAskedOnTheWayBack) {
  SessionWalk walk(kBody);
  walk.state.recall = wrong_before();
  walk.command("skip");
  walk.key("n");
  EXPECT_THAT(walk.line("skip"), AllOf(HasSubstr("[width 4, rows 3]"), HasSubstr("b = 2")));
  walk.key("b");
  EXPECT_THAT(walk.key("n"), Not(HasSubstr("One more")));
}

TEST(Recall, AsksNothingThatWasRight) {
  SessionWalk walk;
  walk.command("goto turned");
  walk.command("predict");
  walk.line("4 3");
  Lesson lesson = small_lesson(usual_body());
  Trace trace = run_lesson(lesson);
  EXPECT_FALSE(question_to_recall(std::move(lesson), std::move(trace), {}, walk.state.progress));
  EXPECT_FALSE(has_recall(small_lesson(usual_body())));
}

TEST(Recall, AsksWhatWasGivenUpAfterAWrongAnswer) {
  for (const bool is_tried : {true, false}) {
    SessionWalk walk;
    walk.command("goto turned");
    walk.command("predict");
    if (is_tried) walk.line("1 1");
    walk.line("skip");
    Lesson lesson = small_lesson(usual_body());
    Trace trace = run_lesson(lesson);
    EXPECT_EQ(question_to_recall(std::move(lesson), std::move(trace), {}, walk.state.progress) != nullptr, is_tried);
  }
}

}  // namespace
}  // namespace attn
