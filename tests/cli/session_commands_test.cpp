// What is kept of sessions, without a terminal: list, reset; and questions answered from a file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.h"
#include "stepper/state_folder.h"

namespace attn {
namespace {

using testing::HasSubstr;
using testing::Not;

class Kept : public testing::Test {
 protected:
  Kept() : file_("marker", ""), root_(file_.path().substr(0, file_.path().rfind('/'))) {
    conditions_.environment["XDG_STATE_HOME"] = root_;
  }
  Ended run(const std::vector<std::string>& words) const { return run_program(words, conditions_); }
  StateFolder folder() const { return StateFolder(root_ + "/attn-tutor"); }
  void keep(const std::string& lesson, bool finished) const {
    Progress progress;
    progress.lesson = lesson;
    progress.at = "b";
    progress.seen = {"a", "b"};
    progress.steps = 60;
    progress.finished = finished;
    ASSERT_EQ(folder().save(progress), "");
  }

  TemporaryFile file_;
  std::string root_;
  Conditions conditions_;
};

TEST_F(Kept, TheListShowsHowFarOneHasCome) {
  EXPECT_THAT(run({"list"}).out, Not(HasSubstr(" of 60")));
  keep("heads", false);
  keep("batch", true);
  EXPECT_THAT(run({"list"}).out, HasSubstr("2 of 60 steps\n"));
  EXPECT_THAT(run({"list"}).out, HasSubstr(" done\n"));
  for (const nlohmann::json& row : nlohmann::json::parse(run({"list", "--json"}).out)) {
    EXPECT_EQ(row["seen"], row["id"] == "heads" || row["id"] == "batch" ? 2 : 0);
    EXPECT_EQ(row["finished"], row["id"] == "batch");
  }
}

TEST_F(Kept, ResetForgetsOneOrAll) {
  EXPECT_EQ(run({"reset", "3", "--yes"}).out, "There is no progress to delete.\n");
  keep("heads", false);
  keep("batch", true);
  keep("masks", true);
  EXPECT_EQ(run({"reset", "3", "--yes"}).out, "Your progress in batch is deleted.\n");
  EXPECT_EQ(folder().lessons().size(), 2u);
  EXPECT_EQ(run({"reset", "--all", "--yes"}).out, "Your progress in 2 lessons is deleted.\n");
  EXPECT_TRUE(folder().lessons().empty());
}

TEST_F(Kept, ResetForgetsNothingByMistake) {
  keep("batch", true);
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"reset"}, {"reset", "3"}, {"reset", "--all"}, {"reset", "3", "--all", "--yes"}, {"reset", "99", "--yes"}}) {
    const Ended ended = run(words);
    EXPECT_EQ(ended.code, 2) << testing::PrintToString(words);
    EXPECT_THAT(ended.err, HasSubstr("attn-tutor: "));
  }
  EXPECT_EQ(folder().lessons().size(), 1u);
}

std::string short_answer(std::string correct) {
  const std::pair<const char*, const char*> effects[] = {{"It raises", "error"},
                                                         {"It gives another", "shape"},
                                                         {"It gives the same", "numbers"},
                                                         {"It makes no", "none"},
                                                         {"Yes, ", "yes"},
                                                         {"No, ", "no"}};
  for (const auto& [begin, word] : effects) {
    if (correct.starts_with(begin)) return word;
  }
  correct = correct.substr(0, correct.find(", that is"));
  for (std::size_t at; (at = correct.find('\n')) != std::string::npos;) correct.replace(at, 1, "\\n");
  return correct;
}

TEST_F(Kept, AnswersFromAFile) {
  const TemporaryFile answers("answers.txt", "# of lesson 3\nyes\n0.5\n2 3\n");
  const Ended ended = run({"lesson", "3", "--answers", answers.path()});
  EXPECT_EQ(ended.code, 1) << "one is wrong, and most are missing";
  EXPECT_THAT(ended.out, HasSubstr("yes: right"));
  EXPECT_THAT(ended.out, HasSubstr("0.5: right"));
  EXPECT_THAT(ended.out, HasSubstr("no answer"));
  EXPECT_TRUE(folder().lessons().empty()) << "they are nobody's progress";

  const nlohmann::json json = nlohmann::json::parse(run({"lesson", "3", "--answers", answers.path(), "--json"}).out);
  EXPECT_EQ(json["right"], 2);
  ASSERT_GT(json["questions"].size(), 10u);
  // What the program itself says is right is right, in the short words of an answer.
  std::string all;
  for (const nlohmann::json& question : json["questions"]) all += short_answer(question["correct"]) + "\n";
  conditions_.in = Stream::Pipe;
  conditions_.input = all;
  const Ended right = run({"lesson", "3", "--answers", "-"});
  EXPECT_EQ(right.code, 0) << right.out;
}

TEST_F(Kept, AnswersThatCannotBeRead) {
  EXPECT_EQ(run({"lesson", "3", "--answers", "/no/such/file"}).code, 3);
  EXPECT_EQ(run({"lesson", "3", "--answers="}).code, 2);
  EXPECT_EQ(run({"lesson", "3", "--json"}).code, 2);
  EXPECT_EQ(run({"lesson", "3", "--answers", "/dev/null"}).code, 1) << "nothing is answered";
}

}  // namespace
}  // namespace attn
