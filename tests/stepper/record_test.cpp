// What a session leaves in its transcripts.
#include "stepper/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "render/formats.h"
#include "tests/stepper/session_walk.h"

namespace attn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;
using testing::SizeIs;

SessionRecord record_of(const SessionWalk& walk) { return session_record(walk.state); }

TEST(Record, HoldsWhatTheLearnerDid) {
  SessionWalk walk;
  EXPECT_EQ(record_of(walk).step, walk.step());
  EXPECT_THAT(record_of(walk).answers, SizeIs(0));
  walk.command("goto 5");
  walk.line(":predict 3 4");
  walk.line(":hint");
  walk.command("predict 4 3");
  walk.command("code turned.sum()");
  walk.command("code nothing");
  const SessionRecord record = record_of(walk);
  EXPECT_EQ(record.step, 5);
  EXPECT_EQ(record.steps, 15);
  EXPECT_FALSE(record.finished);
  EXPECT_THAT(record.parameters, ElementsAre(Pair("seed", "0"), Pair("rows", "3"), Pair("width", "4")));
  ASSERT_THAT(record.answers, SizeIs(1));
  EXPECT_EQ(record.answers[0], (SessionAnswer{5, "What is the shape of turned?", "4 3",
                                              "[4, 3], that is [width 4, rows 3]", Mark::Right, 1, 1}))
      << record.answers[0].correct;
  ASSERT_THAT(record.typed, SizeIs(2));
  EXPECT_EQ(record.typed[0].step, 5);
  EXPECT_EQ(record.typed[0].code, "turned.sum()");
  EXPECT_THAT(record.typed[0].result, HasSubstr("tensor(66.)\n"));
  EXPECT_THAT(record.typed[1].result, HasSubstr("name 'nothing' is not defined"));
}

TEST(Record, IsTheSameWhateverTheTerminalIs) {
  const auto bytes = [](int width, bool color, bool accessible) {
    SessionOptions options;
    options.render.color = color;
    options.accessible = accessible;
    SessionWalk walk(usual_body(), options);
    walk.take(Resize{width, 50});
    walk.command("goto 5");
    walk.command("predict 1");
    walk.line(":skip");
    walk.command("code x @ x");
    walk.command("export mine.md");
    const WriteFile* file = walk.action<WriteFile>();
    return file ? file->text : "";
  };
  const std::string usual = bytes(80, false, false);
  EXPECT_THAT(usual, HasSubstr(">>> x @ x"));
  EXPECT_EQ(bytes(20, true, true), usual);
}

TEST(Record, FollowsParametersThatAreSet) {
  SessionWalk walk;
  walk.command("set rows=5");
  walk.command("set seed=3");
  EXPECT_THAT(record_of(walk).parameters, ElementsAre(Pair("seed", "3"), Pair("rows", "5"), Pair("width", "4")));
}

/// Progress of a session that answered and typed something.
Progress earlier() {
  SessionWalk walk;
  walk.command("goto 5");
  walk.command("predict 4 3");
  walk.command("code x");
  return walk.state.progress;
}

TEST(Record, GoesOnWithTheSessionBefore) {
  SessionWalk walk(usual_body(), {}, earlier());
  EXPECT_THAT(record_of(walk).typed, SizeIs(0)) << "not asked yet";
  walk.line("continue");
  EXPECT_THAT(record_of(walk).typed, SizeIs(1));
  EXPECT_THAT(record_of(walk).answers, SizeIs(1));
}

TEST(Record, BeginsAnewWithARestart) {
  for (const char* word : {"restart", "forget"}) {
    SessionWalk walk(usual_body(), {}, earlier());
    walk.line(word);
    walk.command("code 1 + 1");
    ASSERT_THAT(record_of(walk).typed, SizeIs(1)) << word;
    EXPECT_EQ(record_of(walk).typed[0].result, "2\n");
    EXPECT_THAT(record_of(walk).answers, SizeIs(0)) << word;
  }
}

TEST(Record, LinesOfAStepThatIsGoneStay) {
  SessionWalk walk(cell("n = 3", "parameters") + cell("for i in range(n):\n    x = i"));
  walk.command("goto 5");
  walk.command("code i");
  EXPECT_EQ(record_of(walk).typed.at(0).step, 5);
  walk.command("set n=1");
  ASSERT_THAT(record_of(walk).typed, SizeIs(1));
  EXPECT_EQ(record_of(walk).typed[0].step, 0);
}

TEST(Record, LongResultsLoseTheirEnd) {
  EXPECT_EQ(kept_result("short\n"), "short\n");
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += "line\n";
  EXPECT_EQ(kept_result(lines), lines.substr(0, 2000) + "... 600 more lines\n");
  const std::string one = kept_result("a" + std::string(3000, '\xc3'));
  EXPECT_TRUE(one.ends_with("...\n"));
  std::string wide;
  for (int i = 0; i < 1000; ++i) wide += "\u20ac";
  EXPECT_EQ(valid_utf8(kept_result(wide)), kept_result(wide));
}

TEST(Record, OfAnswersFromAFile) {
  const SessionWalk walk;
  const SessionRecord record = batch_record(walk.state, answer_all(walk.state, "4 3\nz = x\n"));
  ASSERT_THAT(record.answers, SizeIs(2));
  EXPECT_EQ(record.answers[0].mark, Mark::Right);
  EXPECT_EQ(record.answers[1].mark, Mark::Wrong);
  EXPECT_EQ(record.answers[1].given, "z = x");
}

}  // namespace
}  // namespace attn
