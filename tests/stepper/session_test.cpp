// Walks through a lesson: by Enter alone, questions, interruptions, resuming, the ways to ask more or less.
#include <gmock/gmock.h>

#include "base/limits.h"
#include "base/text.h"
#include "explain/lint/notes.h"
#include "lesson/program.h"
#include "session_walk.h"
#include "stepper/batch.h"
#include "stepper/steps.h"

namespace attn {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// Enter until the end; every line that was said.
std::string enter_through(SessionWalk& walk) {
  std::string all = walk.said();
  for (int i = 0; i < 100 && walk.state.at < walk.state.run->order.size(); ++i) {
    const bool line = walk.state.input.kind == Input::Kind::Line;
    all += line ? walk.line("") : walk.key("enter");
  }
  return all;
}

TEST(Session, EnterAloneLeadsThroughEverything) {
  SessionWalk walk;
  const std::string all = enter_through(walk);
  for (const char* text :
       {"What it is about.", "Hint:     Two axes change places.", "Hint:     rows and width.", "Skipped.", "round 2",
        "Write it.", "z [rows 3, width 4]", "Bye.", "Questions: 0 right, 0 wrong, 2 skipped."})
    EXPECT_THAT(all, HasSubstr(text));
  EXPECT_TRUE(walk.state.progress.finished);
  // Calls are passed over, so what is in them was not seen.
  EXPECT_EQ(walk.state.progress.seen.size(), 13U);
}

TEST(Session, WhatAnInterruptedRunHasOfALessonIsNotTheLesson) {
  SessionWalk walk;
  const Lesson lesson = small_lesson(usual_body());
  std::int64_t looks = 0;
  const auto run = [&] {
    counted_looks = &looks;
    request_interrupt();
    Trace trace = run_lesson(lesson, {});
    clear_interrupt();
    counted_looks = nullptr;
    return trace;
  };
  run();
  looks = -looks / 2;  // it is interrupted half-way
  Trace trace = run();
  ASSERT_EQ(trace.outcome, RunOutcome::Interrupted);
  ASSERT_GT(trace.steps.size(), 1u);
  walk.state = start_session(lesson, std::move(trace), {}, {}, 0);
  enter_through(walk);
  EXPECT_TRUE(at_end(walk.state));
  EXPECT_FALSE(walk.state.progress.finished);
}

TEST(Session, BackFromTheEndToTheBeginning) {
  SessionWalk walk;
  enter_through(walk);
  for (int i = 0; i < 50; ++i) walk.key("b");
  EXPECT_EQ(walk.said(), "This is the beginning.\n");
  EXPECT_EQ(walk.step(), 3);
}

TEST(Session, ATableIsFoldedOnlyWhereTheOneAboveItWasShown) {
  SessionWalk walk(cell("scale = 1.0", "parameters") + cell("x = torch.arange(4.0)\ny = x + 0\nz = y * 1"));
  walk.command("goto 4");
  EXPECT_THAT(walk.said(), HasSubstr("0.  1.  2.  3."));  // jumped over the others
  walk.key("b");
  EXPECT_THAT(walk.said(), HasSubstr("0.  1.  2.  3."));
  EXPECT_THAT(walk.key("n"), AllOf(HasSubstr("as y, step 3"), Not(HasSubstr("0.  1.  2.  3."))));
  EXPECT_THAT(walk.key("."), HasSubstr("as y, step 3"));
  EXPECT_THAT(walk.key("i"), HasSubstr("0.  1.  2.  3."));  // who asks for it sees it
  // Another run has other tables.
  walk.command("set scale=2.0");
  EXPECT_THAT(walk.key("."), HasSubstr("0.  1.  2.  3."));
}

TEST(Session, NoLineIsWiderThanTheTerminal) {
  for (const int width : {20, 33, 80}) {
    SessionWalk walk;
    walk.take(Resize{width, 10});
    std::string all = walk.key(".") + enter_through(walk) + walk.key("?") + walk.key("l");
    walk.line("");
    all += walk.key("v") + walk.key("i");
    for (const std::string_view line : split_lines(all)) EXPECT_LE(display_width(line), width) << line;
  }
}

TEST(Session, AQuestionStopsNextAndShowsNothingOfTheAnswer) {
  SessionWalk walk;
  walk.key("n");
  EXPECT_THAT(walk.key("n"), AllOf(HasSubstr("What is the shape of turned?"), Not(HasSubstr("[width 4, rows 3]"))));
  EXPECT_EQ(walk.key("n"), "");
  EXPECT_EQ(walk.state.input.prompt, "shape> ");
  EXPECT_EQ(walk.step(), 5);
  // What was not shown cannot be asked for either.
  walk.take(Interrupt{});
  EXPECT_THAT(walk.key("v"), Not(HasSubstr("turned")));
  EXPECT_THAT(walk.command("inspect turned"), HasSubstr("No step up to here binds turned."));
}

TEST(Session, WrongAnswersHaveWordsAndATrapItsText) {
  SessionWalk walk(usual_body(), {}, {}, 5);
  walk.key("p");
  EXPECT_EQ(walk.line("3 4"), "Not yet:  That is x itself.\nTry again; Enter alone gives a hint, `skip` the answer.\n");
  EXPECT_THAT(walk.line("4 4"), HasSubstr("Not yet:  rows is 3, not 4."));
  EXPECT_THAT(walk.line("what"), HasSubstr("what is neither a size nor a name"));
  EXPECT_THAT(walk.line("b"),
              HasSubstr("b is neither a size nor a name of this lesson.\nHere a command begins with a colon: `:b`."));
  EXPECT_THAT(walk.line("12"), AllOf(HasSubstr("width 4 and rows 3 are merged"), HasSubstr("Answer:   [4, 3]"),
                                     HasSubstr("Why:      The last comes first.")));
  EXPECT_EQ(walk.state.progress.answers.begin()->second.mark, Mark::Wrong);
  EXPECT_EQ(walk.state.progress.answers.begin()->second.tries, 3);
}

TEST(Session, AWrittenLineIsJudgedByValue) {
  const auto answer = [](const std::string& line) {
    SessionWalk walk(usual_body(), {}, {}, 15);
    walk.key("p");
    return walk.line(line);
  };
  EXPECT_THAT(answer("z = 1 + x"), AllOf(HasSubstr("Right:"), HasSubstr("z [rows 3, width 4]")));
  EXPECT_THAT(answer("torch.add(x, 1)"), HasSubstr("Right:"));
  EXPECT_THAT(answer("k = 1\nz = x + k"), HasSubstr("Right:"));
  EXPECT_THAT(answer("z = x + 2"), AllOf(HasSubstr("Not yet:"), HasSubstr("12 of 12 differ")));
  EXPECT_THAT(answer("z = x.t() + 1"), HasSubstr("Another shape"));
  EXPECT_THAT(answer("z = q"), HasSubstr("name 'q' is not defined"));
  EXPECT_THAT(answer("z == 3"), HasSubstr("name 'z' is not defined"));
}

TEST(Session, AWrittenLineIsOpenAndIsLeftForTheKeys) {
  SessionWalk walk(usual_body(), {}, {}, 15);
  EXPECT_EQ(walk.state.asked, Asked::Answer);
  EXPECT_EQ(walk.state.input.begun, "z = ");
  walk.key("escape");
  EXPECT_EQ(walk.state.input.kind, Input::Kind::Key);
  walk.key("p");
  EXPECT_EQ(walk.state.input.begun, "z = ");
  walk.take(Interrupt{});
  EXPECT_EQ(walk.state.input.kind, Input::Kind::Key);
  walk.key("p");
  EXPECT_THAT(walk.line("z = "), HasSubstr("Skipped."));
}

TEST(Session, OfAWrittenLineErrorsAreNoAttempt) {
  SessionWalk walk(usual_body(), {}, {}, 15);
  for (const char* line : {"z = x +", "z = x @ x", "k = x + 1"}) {
    walk.line(line);
    EXPECT_EQ(walk.state.tries, 0) << line;
    EXPECT_EQ(walk.state.asked, Asked::Answer) << line;
  }
  walk.line("z = x + 2");
  EXPECT_EQ(walk.state.tries, 1);
  EXPECT_THAT(walk.line("z = x + F.relu(torch.ones(1)) * math.cos(0) * nn.Identity()(torch.ones(1))"),
              HasSubstr("Right:"));
}

TEST(Session, OfAWrittenLineTheFirstOperationThatDiffersIsNamed) {
  const std::string body = cell("seed = 0", "parameters") +
                           cell(
                               "torch.manual_seed(seed)\nQ = torch.randn(3, 2)  # [query_len, head_dim]\n"
                               "K = torch.randn(4, 2)  # [key_len, head_dim]") +
                           "Write it.\n\n" +
                           cell("scores = Q @ K.T\nweights = torch.softmax(scores * 0.5, dim=-1)", "write=weights");
  const auto answer = [&](const std::string& line) {
    SessionWalk walk(body);
    walk.command("goto weights");
    return walk.line("weights = " + line);
  };
  EXPECT_THAT(answer("torch.softmax(scores * 0.5, dim=0)"),
              HasSubstr("softmax: yours runs over query_len, the lesson's over key_len."));
  EXPECT_THAT(answer("torch.softmax(scores * 2, dim=-1)"),
              HasSubstr("mul is the first operation with other numbers than in the lesson."));
  EXPECT_THAT(answer("torch.softmax(scores, dim=-1)"), HasSubstr("The lesson's line also computes mul."));
  EXPECT_THAT(answer("torch.softmax(0.5 * scores, dim=-1)"), HasSubstr("Right:"));
}

TEST(Session, WordsLeadOutOfEveryPromptUnlessTheyAreNames) {
  for (const char* word : {"quit", "exit", "q"}) {
    for (const char* key : {"=", "g", "s", "t", "e", "x", ":"}) {
      SessionWalk walk;
      walk.key(key);
      walk.line(word);
      EXPECT_EQ(exit_wanted(walk.state), 0) << key << " " << word;
    }
  }
  SessionWalk walk(cell("seed = 0", "parameters") + cell("q = torch.arange(3.0)"));
  walk.key("n");
  walk.key("=");
  EXPECT_THAT(walk.line("q"), HasSubstr("tensor([0., 1., 2.])"));
  EXPECT_THAT(walk.line("help"), HasSubstr("the step before"));
  EXPECT_EQ(walk.state.asked, Asked::Code);
  EXPECT_EQ(walk.line("u"), "");
  EXPECT_EQ(walk.state.input.kind, Input::Kind::Key);
}

TEST(Session, WordsLeadOutOfQuestionsToo) {
  const std::string asking = cell("x = torch.ones(2, 3)", "predict=shape") +
                             cell("y = x @ x", "predict=raises raises=RuntimeError") + cell("z = x + 1", "write=z");
  for (const int step : {1, 2, 3}) {
    for (const char* word : {"quit", "exit", "help", "help softmax"}) {
      SessionWalk walk(asking, {}, {}, step);
      walk.key("p");
      ASSERT_EQ(walk.state.asked, Asked::Answer) << step;
      const std::string said = walk.line((step == 3 ? "z = " : "") + std::string(word));
      if (std::string_view(word).starts_with("help")) {
        EXPECT_THAT(said, HasSubstr(std::string_view(word) == "help" ? "the step before" : "softmax")) << step;
        EXPECT_EQ(walk.state.asked, Asked::Answer);
      } else {
        EXPECT_EQ(exit_wanted(walk.state), 0) << step << word;
      }
    }
  }
}

TEST(Session, NotesRemarksAndErrorsOfAProgramAreSaidAndFound) {
  LoadFindings findings;
  const Lesson program = load_program(
      "noted.py",
      "import torch\nfrom torch import nn\nx = torch.randn(2, 5, 16)\nq, k, v = nn.Linear(16, 16), nn.Linear(16, 16), "
      "nn.Linear(16, 16)\nw = torch.softmax(q(x) @ k(x).transpose(-2, -1), dim=-1)\ny = w @ v(x)\nz = y @ y\n",
      findings);
  Trace trace = run_lesson(program);
  note_findings(trace, program);
  State state = start_session(program, std::move(trace), {});
  EXPECT_THAT(std::string(view(state)), HasSubstr("1 remark: 5; 1 error: 7 (! goes to the next)"));
  for (const int step : {5, 7, 5}) {
    state = update(std::move(state), KeyPress{"!"});
    EXPECT_EQ(static_cast<int>(state.at) + 1, step) << view(state);
  }
}

TEST(Session, NamesComeAsTheyAppearWithWhatIsNewAndChanged) {
  SessionWalk walk(cell("seed = 0", "parameters") + cell("def helper(a):\n    return a", "hidden") +
                   cell("zeta = torch.ones(2)") + cell("alpha = zeta + 1") + cell("zeta = zeta * 2"));
  walk.command("goto 4");
  const std::string names = walk.key("v");
  EXPECT_THAT(names, Not(HasSubstr("helper")));
  EXPECT_LT(names.find("zeta"), names.find("alpha"));
  EXPECT_THAT(names, HasSubstr("zeta   [2]  changed"));
  walk.key("b");
  EXPECT_THAT(walk.key("v"), AllOf(HasSubstr("alpha  [2]  new"), Not(HasSubstr("changed"))));
}

TEST(Session, ARefusedSettingKeepsThePlace) {
  SessionWalk walk(cell("width = 4", "parameters") + cell("x = torch.arange(4.0).view(2, 2)") +
                   cell("y = torch.ones(width) + x.flatten()") + cell("z = y + 1"));
  walk.command("goto 3");
  EXPECT_THAT(walk.command("set width=3"), HasSubstr("stays as it was"));
  EXPECT_EQ(walk.step(), 3);
  EXPECT_THAT(walk.key("n"), HasSubstr("step 4 of 4"));
}

TEST(Session, ArrowsAndPagesAreForwardAndBack) {
  SessionWalk walk;
  const int first = walk.step();
  for (const char* key : {"right", "down", "pagedown"}) {
    const int before = walk.step();
    walk.key(key);
    EXPECT_GT(walk.step(), before) << key;
    if (walk.state.stage == Stage::Question) break;
  }
  for (const char* key : {"left", "up", "pageup", "left", "left"}) walk.key(key);
  EXPECT_EQ(walk.step(), first);
  EXPECT_EQ(walk.key("ctrl-l"), walk.key("."));
}

TEST(Session, ATranscriptNeedsAnEnding) {
  SessionWalk walk;
  walk.key("e");
  EXPECT_THAT(walk.state.input.prompt, HasSubstr("? Enter, another name, Esc"));
  EXPECT_THAT(walk.line("mine"), HasSubstr("Transcripts are written as"));
  EXPECT_EQ(walk.state.asked, Asked::Export);
  walk.key("escape");
  EXPECT_EQ(walk.action<WriteFile>(), nullptr);
  EXPECT_EQ(walk.state.input.kind, Input::Kind::Key);
}

TEST(Session, LeavingSaysHowToComeBack) {
  SessionWalk walk;
  walk.key("q");
  ASSERT_NE(walk.action<Quit>(), nullptr);
  EXPECT_TRUE(walk.action<Quit>()->tells_what_is_saved);
}

TEST(Session, EveryStepIsSaved) {
  SessionWalk walk;
  for (const char* key : {"n", "b", "c"}) {
    walk.key(key);
    EXPECT_NE(walk.action<SaveProgress>(), nullptr) << key;
  }
}

TEST(Session, AFinishedLessonOffersTheNext) {
  SessionOptions options;
  options.next_lesson = {"4", "Masks"};
  SessionWalk walk(cell("x = 1", "parameters"), options);
  EXPECT_THAT(walk.key("n"), HasSubstr("Enter begins lesson 4, Masks."));
  walk.key("enter");
  ASSERT_NE(walk.action<OpenLesson>(), nullptr);
  EXPECT_EQ(walk.action<OpenLesson>()->word, "4");
}

TEST(Session, NoSkipWantsAnAnswer) {
  SessionOptions options;
  options.no_skip = true;
  SessionWalk walk(usual_body(), options, {}, 5);
  EXPECT_THAT(walk.command("skip"), HasSubstr("cannot be skipped"));
  EXPECT_THAT(walk.command("goto 14"), AllOf(HasSubstr("answer that first"), HasSubstr("step 5 of 15")));
  EXPECT_THAT(walk.command("predict 4 3"), HasSubstr("Right:"));
}

TEST(Session, QuizAsksWhereAShapeChanges) {
  SessionOptions options;
  options.quiz = true;
  SessionWalk walk(usual_body(), options, {}, 4);
  EXPECT_THAT(walk.said(), Not(HasSubstr("What is the shape of x?")));  // made from nothing: no operand to reason from
  SessionWalk other(
      "Sums.\n\n" + cell("x = torch.zeros(2, 3)  # [rows, width]\ny = x.sum(dim=1)  # [rows]\nz = y + 1  # [rows]"),
      options, {}, 2);
  EXPECT_THAT(other.said(), AllOf(HasSubstr("What is the shape of y?"), Not(HasSubstr("# [rows]"))));
  EXPECT_THAT(other.command("predict 2 3"), HasSubstr("That is the shape before: [rows 2, width 3]"));
  EXPECT_THAT(other.line("2"), HasSubstr("Right:"));
  EXPECT_THAT(other.key("n"), Not(HasSubstr("What is the shape of z?")));
}

TEST(Session, FadeLeavesAGapInStepsThatWereSeen) {
  SessionWalk first;
  enter_through(first);
  SessionOptions options;
  options.fade = true;
  SessionWalk walk(usual_body(), options, first.state.progress);
  EXPECT_THAT(walk.said(), HasSubstr("You were at step"));
  EXPECT_THAT(walk.line("restart"), HasSubstr("seed = 0"));
  EXPECT_THAT(walk.key("n"), AllOf(HasSubstr(".view(____)"), HasSubstr("What belongs in the gap?")));
  walk.key("p");
  EXPECT_THAT(walk.line("width, rows"), HasSubstr("Another shape"));
  EXPECT_THAT(walk.line("rows, -1"), AllOf(HasSubstr("Right:"), HasSubstr("x [rows 3, width 4]")));
}

TEST(Session, AnExpressionIsEnoughWhereALineIsToBeWritten) {
  for (const char* typed : {"torch.add(x, 1, alpha=1)", "z = x + 1", "w = x\nz = w + 1"}) {
    SessionWalk walk;
    walk.command("goto z");
    walk.key("p");
    EXPECT_THAT(walk.line(typed), HasSubstr("Right:")) << typed;
  }
}

TEST(Session, CtrlCCancelsALineThenLeavesAtTheSecondTime) {
  SessionWalk walk;
  walk.key("=");
  EXPECT_EQ(walk.take(Interrupt{}), "");
  EXPECT_EQ(walk.state.input.kind, Input::Kind::Key);
  walk.key("n");
  EXPECT_THAT(walk.take(Interrupt{}), HasSubstr("Ctrl-C again leaves"));
  walk.key("=");
  walk.take(Interrupt{});
  EXPECT_EQ(exit_wanted(walk.state), std::nullopt);
  walk.take(Interrupt{});
  EXPECT_EQ(exit_wanted(walk.state), 130);
  EXPECT_NE(walk.action<SaveProgress>(), nullptr);
}

TEST(Session, TheEndOfTheInputLeaves) {
  SessionWalk walk;
  walk.take(EndOfInput{});
  EXPECT_EQ(exit_wanted(walk.state), 0);
  EXPECT_NE(walk.action<SaveProgress>(), nullptr);
}

TEST(Session, ContinueRestartForget) {
  SessionWalk first;
  first.command("goto 5");
  first.command("predict 4 3");
  first.key("n");
  const Progress saved = first.state.progress;
  {
    SessionWalk walk(usual_body(), {}, saved);
    EXPECT_THAT(walk.said(), HasSubstr("You were at step 6 of 15."));
    EXPECT_THAT(walk.line("perhaps"), HasSubstr("Type continue, restart or forget."));
    EXPECT_THAT(walk.line(""), HasSubstr("step 6 of 15"));
    EXPECT_THAT(walk.key("b"), Not(HasSubstr("Predict:")));  // answered
  }
  {
    SessionWalk walk(usual_body(), {}, saved);
    EXPECT_THAT(walk.line("restart"), HasSubstr("seed = 0"));
    walk.key("n");
    EXPECT_THAT(walk.key("n"), HasSubstr("Predict:"));  // asked again
  }
  {
    SessionWalk walk(usual_body(), {}, saved);
    walk.line("forget");
    EXPECT_NE(walk.action<ForgetProgress>(), nullptr);
    EXPECT_TRUE(walk.state.progress.answers.empty());
  }
}

TEST(Session, LinesInsteadOfKeysForAScreenReader) {
  SessionOptions options;
  options.accessible = true;
  SessionWalk walk(usual_body(), options);
  EXPECT_THAT(walk.said(), HasSubstr("help lists all of them"));  // the commands, once
  EXPECT_EQ(walk.state.input.kind, Input::Kind::Line);
  EXPECT_EQ(walk.state.input.prompt, "step 3 of 15> ");
  EXPECT_THAT(walk.line("next"), AllOf(HasSubstr("Code:"), HasSubstr("Operation: view of [12] gives [rows 3, width 4]"),
                                       HasSubstr("Output: x [rows 3, width 4]"), HasSubstr("rows 0: 0., 1., 2., 3.")));
  EXPECT_THAT(walk.line("inspect"), HasSubstr("rows 1: 4., 5., 6., 7.\n"));
  EXPECT_THAT(walk.line(""), HasSubstr("What is the shape of turned?"));
  EXPECT_THAT(walk.line("hint"), HasSubstr("Hint:"));
  EXPECT_THAT(walk.line("4 3"), HasSubstr("Right:"));  // without asking for the question first
  EXPECT_THAT(walk.line("= x.shape"), HasSubstr("Output:\ntorch.Size([3, 4])"));
}

TEST(Session, WhatIsTypedIsKeptAndRecorded) {
  SessionWalk walk(usual_body(), {}, {}, 4);
  walk.command("code x.sum()");
  ASSERT_EQ(walk.state.progress.typed.size(), 1U);
  EXPECT_EQ(walk.state.progress.typed[0].code, "x.sum()");
  EXPECT_NE(walk.action<SaveProgress>(), nullptr);
  walk.line(":export");
  walk.line("");
  ASSERT_NE(walk.action<WriteFile>(), nullptr);
  EXPECT_THAT(walk.action<WriteFile>()->path, "small.txt");
  EXPECT_THAT(walk.action<WriteFile>()->text, HasSubstr(">>> x.sum()\n    tensor(66.)"));
}

TEST(Session, EscapeSequencesOfALessonDoNotReachTheTerminal) {
  SessionWalk walk(cell("print('\\x1b[31mred')") + cell("x = torch.zeros(1)"));
  EXPECT_THAT(walk.key("=") + walk.line("print('\\x1b[2J')"), Not(HasSubstr("\x1b")));
  EXPECT_THAT(walk.key("."), Not(HasSubstr("\x1b")));
}

TEST(Batch, AnswersFromAFile) {
  SessionWalk walk;
  const auto right = answer_all(walk.state, "# two questions\n4 3\nz = x + 1\n");
  ASSERT_EQ(right.size(), 2U);
  EXPECT_TRUE(all_right(right));
  const auto wrong = answer_all(walk.state, "3 4\n");
  EXPECT_FALSE(all_right(wrong));
  EXPECT_EQ(wrong[0].mark, Mark::Wrong);
  EXPECT_EQ(wrong[1].mark, Mark::Skipped);
  EXPECT_THAT(batch_text(wrong, {}),
              AllOf(HasSubstr("3 4: wrong; [4, 3], that is [width 4, rows 3]"), HasSubstr("That is x itself."),
                    HasSubstr("no answer; z = x + 1"), HasSubstr("0 right, 1 wrong, 1 skipped")));
  EXPECT_THAT(batch_json(right), HasSubstr("\"mark\": \"right\""));
}

}  // namespace
}  // namespace attn
