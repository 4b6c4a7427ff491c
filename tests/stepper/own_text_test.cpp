// Words of one's own in a session: `set text=...`, and what is kept of them.
#include <gmock/gmock.h>

#include "engine/own_input.h"
#include "lesson/catalogue.h"
#include "session_walk.h"
#include "stepper/steps.h"

namespace attn {
namespace {

using testing::HasSubstr;
using testing::Not;

SessionWalk walk_through(const char* lesson) {
  SessionWalk walk;
  LoadFindings findings;
  const Lesson opened = Catalogue::built_in().open(lesson, findings);
  SessionOptions options;
  options.render.width = 80;
  walk.state = start_session(opened, run_lesson(opened), options, {}, 12);
  return walk;
}

/// A sentence as it was before it was broken into lines.
std::string unbroken(std::string said) {
  for (std::size_t at = 0; (at = said.find("\n  ", at)) != std::string::npos;) said.replace(at, 3, " ");
  return said;
}

TEST(OwnText, IsSetAndTakenBack) {
  SessionWalk walk = walk_through("1");
  const auto sizes = [&] {
    walk.key("=");
    std::string said = walk.line("query_len, key_len");
    walk.line("");
    return said;
  };
  EXPECT_THAT(unbroken(walk.command("set text=the cat sat | \"a dog\"")),
              testing::AllOf(HasSubstr("text=the cat sat | a dog"), HasSubstr("`set text=` goes back.")));
  EXPECT_EQ(walk.step(), 12);
  EXPECT_EQ(walk.state.progress.given.text, (std::vector<std::string>{"the cat sat", "a dog"}));
  EXPECT_THAT(sizes(), HasSubstr("(3, 2)"));
  EXPECT_THAT(walk.key("s"), HasSubstr("query_len=3  key_len=2"));
  walk.line("");
  EXPECT_THAT(unbroken(walk.command("set text=")),
              HasSubstr("with its own words. `set text=the cat sat | a dog` goes back."));
  EXPECT_TRUE(walk.state.progress.given.text.empty());
  EXPECT_THAT(sizes(), HasSubstr("(5, 6)"));
}

TEST(OwnText, WhatALessonRefusesIsNotTaken) {
  SessionWalk walk = walk_through("3");
  EXPECT_THAT(walk.command("set text=a b | c"),
              testing::AllOf(HasSubstr("this lesson has no padding"), Not(HasSubstr("goes back"))));
  EXPECT_EQ(trace_of(walk.state).outcome, RunOutcome::Fine);
  EXPECT_TRUE(walk.state.progress.given.text.empty());
  EXPECT_THAT(walk.command("set text=a | "), HasSubstr("text=a"));
  EXPECT_THAT(walk.command("set text=| a"), HasSubstr("there is no word in this text"));
}

}  // namespace
}  // namespace attn
