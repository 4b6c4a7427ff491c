// Every key and command by what it says. A row of the key table without a case here fails.
#include <gmock/gmock.h>

#include <functional>
#include <map>

#include "base/text.h"
#include "session_walk.h"
#include "text/say.h"

namespace attn {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// The steps of usual_body(), by number: 1 to 3 parameters, 4 x, 5 turned (asked), 6 def, 7 y, 8 and 9 inside, 10 total,
// 11 for, 12 and 13 its rounds, 14 cube, 15 z (to be written).

/// What a command must do; `go` runs it, by its key or by its name.
using CommandCase =
    std::function<void(const std::function<std::string(SessionWalk&, const std::string& argument)>& go)>;

void go_to_step(SessionWalk& walk, int step) {
  walk.command("goto " + std::to_string(step));
  ASSERT_EQ(walk.step(), step);
}

/// By key: the key, and where an argument is wanted, the line after it.
std::string by_key(const KeyCommand& row, SessionWalk& walk, const std::string& argument) {
  const std::string key(row.key.substr(0, row.key.find(' ')));
  const std::string said = walk.key(key);
  return argument.empty() ? said : walk.line(argument);
}

std::string by_name(const KeyCommand& row, SessionWalk& walk, const std::string& argument) {
  return walk.command(std::string(row.name) + (argument.empty() ? "" : " " + argument));
}

const std::map<std::string, CommandCase>& cases() {
  static const std::map<std::string, CommandCase> table = {
      {"next",
       [](const auto& go) {
         SessionWalk walk;
         EXPECT_EQ(walk.step(), 3);  // the parameters stand together
         EXPECT_THAT(go(walk, ""), AllOf(HasSubstr("Counting numbers in a table."), HasSubstr("step 4 of 15"),
                                         HasSubstr("x [rows 3, width 4]"), HasSubstr("8.   9.  10.  11.")));
         go_to_step(walk, 15);
         walk.command("skip");
         EXPECT_THAT(go(walk, ""), AllOf(HasSubstr("Bye."), HasSubstr("That was the last step.")));
         EXPECT_EQ(go(walk, ""), "There is nothing after this. b goes back, q leaves.\n");
       }},
      {"back",
       [](const auto& go) {
         SessionWalk walk;
         EXPECT_EQ(go(walk, ""), "This is the beginning.\n");
         go_to_step(walk, 10);
         EXPECT_THAT(go(walk, ""), HasSubstr("step 7 of 15"));  // over the call
         EXPECT_THAT(go(walk, ""), HasSubstr("step 6 of 15"));
       }},
      {"into",
       [](const auto& go) {
         SessionWalk walk;
         EXPECT_EQ(go(walk, ""), "This step does not call a function of the lesson.\n");
         go_to_step(walk, 7);
         EXPECT_THAT(go(walk, ""), AllOf(HasSubstr("in twice(), called at step 7"), HasSubstr("b = a * 2")));
       }},
      {"out",
       [](const auto& go) {
         SessionWalk walk;
         EXPECT_EQ(go(walk, ""), "This step is not inside a function or a loop.\n");
         go_to_step(walk, 9);
         EXPECT_THAT(go(walk, ""), HasSubstr("step 7 of 15"));
         go_to_step(walk, 12);
         EXPECT_THAT(go(walk, ""), HasSubstr("step 14 of 15"));
       }},
      {"chapter",
       [](const auto& go) {
         SessionWalk walk;
         EXPECT_THAT(go(walk, ""), HasSubstr("Counting numbers"));
         EXPECT_THAT(go(walk, ""), AllOf(HasSubstr("Now turn it."), HasSubstr("What is the shape of turned?")));
         EXPECT_THAT(go(walk, ""), HasSubstr("Answer the question first"));
       }},
      {"goto",
       [](const auto& go) {  // rounds of a loop
         SessionWalk walk(cell("total = 0\nfor i in range(20):\n    a = i\n    total += a\nb = total"));
         EXPECT_THAT(go(walk, "round 7"), HasSubstr("round 7"));
         EXPECT_EQ(walk.step(), 15);
         const std::string listed = walk.command("list");
         for (const char* line :
              {"rounds 4 to 6: 6 steps, `g round 4` goes there", "   16   ", "   41   ", "rounds 8 to 19: 24 steps"})
           EXPECT_THAT(listed, HasSubstr(line));
         EXPECT_THAT(listed, Not(HasSubstr("   17   ")));
         EXPECT_THAT(walk.command("list total"), HasSubstr("   18   ")) << "what is looked for is listed";
         EXPECT_THAT(go(walk, "round 33"), HasSubstr("the nearest round with steps is 20"));
         EXPECT_THAT(SessionWalk(cell("x = 1")).command("goto round 2"), HasSubstr("There is no loop here"));
       }},
      {"rechapter",
       [](const auto& go) {
         SessionWalk walk;
         go_to_step(walk, 13);
         EXPECT_THAT(go(walk, ""), HasSubstr("Now turn it."));
         EXPECT_THAT(go(walk, ""), HasSubstr("Counting numbers"));
       }},
      {"goto",
       [](const auto& go) {
         SessionWalk walk;
         EXPECT_THAT(go(walk, "14"), HasSubstr("step 14 of 15"));
         EXPECT_THAT(go(walk, "y"), HasSubstr("step 7 of 15"));
         EXPECT_THAT(go(walk, "99"), HasSubstr("The steps go from 1 to 15."));
         EXPECT_THAT(go(walk, "nobody"), HasSubstr("No step binds nobody."));
         EXPECT_EQ(walk.step(), 7);
       }},
      {"list",
       [](const auto& go) {
         SessionWalk walk;
         EXPECT_THAT(go(walk, ""), AllOf(HasSubstr("y = twice(x)"), HasSubstr("? turned = x.transpose(0, 1)"),
                                         HasSubstr("z = ____"), Not(HasSubstr("z = x + 1"))));
         EXPECT_THAT(walk.line("cube"), AllOf(HasSubstr("14"), Not(HasSubstr("twice"))));
         EXPECT_THAT(walk.line("nobody"), HasSubstr("No step contains nobody."));
         EXPECT_THAT(walk.line("14"), HasSubstr("step 14 of 15"));
         EXPECT_EQ(walk.state.input.kind, Input::Kind::Key);
       }},
      {"slice",
       [](const auto& go) {
         SessionWalk walk;
         EXPECT_THAT(go(walk, ""), HasSubstr("There is no other slice"));
         go_to_step(walk, 14);
         EXPECT_THAT(walk.said(), HasSubstr("slice axis 0 at 0"));
         EXPECT_THAT(go(walk, ""),
                     AllOf(HasSubstr("slice axis 0 at 1"), HasSubstr("12  13  14  15"), Not(HasSubstr("arange"))));
         EXPECT_THAT(go(walk, ""), HasSubstr("slice axis 0 at 0"));
       }},
      {"unslice",
       [](const auto& go) {
         SessionWalk walk;
         go_to_step(walk, 14);
         EXPECT_THAT(go(walk, ""), HasSubstr("slice axis 0 at 1"));
       }},
      {"predict",
       [](const auto& go) {
         SessionWalk walk;
         EXPECT_EQ(go(walk, ""), "Nothing is asked here.\n");
         go_to_step(walk, 5);
         EXPECT_THAT(go(walk, "4 3"),
                     AllOf(HasSubstr("Right:    [4, 3], that is [width 4, rows 3]"),
                           HasSubstr("Why:      The last comes first."), HasSubstr("turned [width 4, rows 3]")));
         EXPECT_THAT(walk.key("n"), HasSubstr("step 6 of 15"));
       }},
      {"hint",
       [](const auto& go) {
         SessionWalk walk;
         EXPECT_EQ(go(walk, ""), "Nothing is asked here.\n");
         go_to_step(walk, 5);
         EXPECT_EQ(go(walk, ""), "Hint:     Two axes change places.\n");
         EXPECT_EQ(go(walk, ""), "Hint:     rows and width.\n");
         EXPECT_EQ(go(walk, ""), "Those were all the hints. `skip` shows the answer.\n");
       }},
      {"skip",
       [](const auto& go) {
         SessionWalk walk;
         EXPECT_EQ(go(walk, ""), "Nothing is asked here.\n");
         go_to_step(walk, 5);
         EXPECT_THAT(go(walk, ""), AllOf(StartsWith("Skipped."), HasSubstr("Answer:   [4, 3]")));
         EXPECT_EQ(walk.state.progress.answers.begin()->second.mark, Mark::Skipped);
       }},
      {"names",
       [](const auto& go) {
         SessionWalk walk;
         go_to_step(walk, 8);
         EXPECT_THAT(go(walk, ""), AllOf(StartsWith("a       [rows 3, width 4]\nb       [rows 3, width 4]  new\n"),
                                         HasSubstr("rows    3"), Not(HasSubstr("cube"))));
       }},
      {"map",
       [](const auto& go) {
         SessionWalk without;
         EXPECT_EQ(go(without, ""), "This lesson has no map.\n");
         SessionWalk walk("```map\nx, turned, y, cube\n```\n\n" + usual_body());
         go_to_step(walk, 4);
         const std::string first = go(walk, "");
         EXPECT_THAT(first, AllOf(HasSubstr("│ ◀ you are here    │"), HasSubstr("[rows 3, width 4]"), HasSubstr("▼"),
                                  Not(HasSubstr("[width 4, rows 3]")), Not(HasSubstr("[2, 3, 4]")),
                                  HasSubstr("Sizes from turned on show once its question is answered.")));
         // In the function that computes y, y is the place, and the question of turned is no longer ahead.
         go_to_step(walk, 5);
         walk.command("skip");
         go_to_step(walk, 8);
         EXPECT_THAT(go(walk, ""), AllOf(HasSubstr("│ y                 │\n"), HasSubstr("[width 4, rows 3]"),
                                         HasSubstr("* 2"), Not(HasSubstr("Sizes from"))));
         SessionOptions spoken;
         spoken.accessible = true;
         SessionWalk heard("```map\nx, turned\n```\n\n" + usual_body(), spoken, {}, 4);
         EXPECT_THAT(go(heard, ""), AllOf(HasSubstr("x [rows 3, width 4]: given. You are here.\n"),
                                          HasSubstr("turned [?]: from x, by transpose.\n"), Not(HasSubstr("┌"))));
       }},
      {"inspect",
       [](const auto& go) {
         SessionWalk walk;
         EXPECT_EQ(go(walk, ""), "No tensor has been shown yet.\n");
         go_to_step(walk, 4);
         EXPECT_THAT(go(walk, ""),
                     AllOf(HasSubstr("x [rows 3, width 4]"), HasSubstr("float32, shape (3, 4), strides (4, 1)"),
                           HasSubstr("contiguous: stored row by row"), HasSubstr("rows   3 = rows, line 11"),
                           HasSubstr("   1   4.   5.   6.   7.\n"), HasSubstr("min 0.0   mean 5.5000")));
         go_to_step(walk, 7);
         EXPECT_THAT(walk.command("inspect turned"),
                     AllOf(HasSubstr("not contiguous"), HasSubstr("shares its storage with x")));
       }},
      {"why",
       [](const auto& go) {
         SessionWalk walk;
         EXPECT_EQ(go(walk, ""), "No tensor has been shown yet.\n");
         go_to_step(walk, 7);
         EXPECT_THAT(go(walk, ""), AllOf(HasSubstr("y [rows 3, width 4]"), HasSubstr("width  4 = width, line 12"),
                                         HasSubstr("= x[0, 0] * 2\n  = 0.0 * 2\n  = 0.0\n")));
         EXPECT_THAT(walk.command("why y[0, 1]"), HasSubstr("= x[0, 1] * 2\n  = 1.0 * 2\n  = 2.0\n"));
         EXPECT_THAT(walk.command("why x"), HasSubstr("rows   3 = rows, line 11"));
         EXPECT_THAT(walk.command("why x[7, 0]"), HasSubstr("index 7 is outside"));
         SessionWalk failing(cell("x = torch.ones(2, 3)") + cell("x.view(7)", "raises=RuntimeError"), {}, {}, 2);
         EXPECT_THAT(go(failing, ""), HasSubstr("x.view(7)"));
       }},
      {"diff",
       [](const auto& go) {
         SessionWalk walk;
         go_to_step(walk, 7);
         EXPECT_THAT(go(walk, "x y"), HasSubstr("11 of 12"));
         EXPECT_EQ(go(walk, "x"), "diff takes two names: `diff A B`\n");
         EXPECT_THAT(go(walk, "x nobody"), HasSubstr("nobody"));
       }},
      {"set",
       [](const auto& go) {
         SessionWalk walk;
         go_to_step(walk, 4);
         EXPECT_THAT(go(walk, "width=5"), AllOf(HasSubstr("[3, 4]"), HasSubstr("[3, 5]"), HasSubstr("width=5")));
         EXPECT_EQ(walk.step(), 4);
         EXPECT_THAT(walk.key("."), HasSubstr("x [rows 3, width 5]"));
         EXPECT_THAT(go(walk, "wide=5"), HasSubstr("no parameter wide"));
         EXPECT_THAT(go(walk, "wide"), HasSubstr("n_heads=4"));
         EXPECT_THAT(go(walk, "text=a b"), HasSubstr("neither sentences nor token_ids"));
       }},
      {"touch",
       [](const auto& go) {
         SessionWalk walk;
         go_to_step(walk, 4);
         EXPECT_THAT(go(walk, "x[0, 1] += 1"), AllOf(HasSubstr("x[0, 1] += 1"), HasSubstr("turned")));
         EXPECT_THAT(go(walk, "nobody[0] += 1"), HasSubstr("nobody"));
         EXPECT_THAT(walk.key("."), HasSubstr("0.   1.   2.   3."));  // the lesson itself is as it was
       }},
      {"play",
       [](const auto& go) {
         SessionWalk walk;
         go_to_step(walk, 4);
         EXPECT_THAT(go(walk, ""), HasSubstr("Free play"));
         EXPECT_EQ(walk.line("w = x + 100"), "");
         EXPECT_THAT(walk.line("w[0, 0]"), HasSubstr("tensor(100.)"));
         walk.line("");
         EXPECT_THAT(walk.key("n"), HasSubstr("u returns"));
         EXPECT_THAT(walk.key("v"), HasSubstr("w "));
         SessionWalk asked(usual_body(), {}, {}, 5);
         go(asked, "");
         asked.line("");
         EXPECT_THAT(asked.key("n"), HasSubstr("u returns"));
       }},
      {"return",
       [](const auto& go) {
         SessionWalk walk;
         EXPECT_THAT(go(walk, ""), HasSubstr("x begins free play"));
         walk.key("x");
         walk.line("w = 1");
         EXPECT_THAT(walk.command("return"), HasSubstr("Back in the lesson."));
         EXPECT_THAT(walk.key("v"), Not(HasSubstr("w ")));
         EXPECT_THAT(walk.key("n"), HasSubstr("step 4 of 15"));
       }},
      {"export",
       [](const auto& go) {
         SessionWalk walk;
         go_to_step(walk, 5);
         walk.command("predict 4 3");
         go(walk, "mine.txt");
         ASSERT_NE(walk.action<WriteFile>(), nullptr);
         EXPECT_EQ(walk.action<WriteFile>()->path, "mine.txt");
         EXPECT_THAT(walk.action<WriteFile>()->text,
                     AllOf(HasSubstr("Counting numbers"), HasSubstr("Your session"), HasSubstr("`4 3`")));
         EXPECT_EQ(walk.take(Written{"mine.txt", "", false}), "Written: mine.txt\n");
         go(walk, "mine.txt");
         EXPECT_THAT(walk.take(Written{"mine.txt", "there is one", true}), HasSubstr("Not written"));
         walk.line("y");
         ASSERT_NE(walk.action<WriteFile>(), nullptr);
         EXPECT_TRUE(walk.action<WriteFile>()->replace);
         go(walk, "mine.md");
         EXPECT_THAT(walk.action<WriteFile>()->text,
                     AllOf(HasSubstr("# 7 Small"), HasSubstr("| `4 3` |"), HasSubstr("1 right, 0 wrong")));
         go(walk, "mine.py");
         EXPECT_THAT(walk.action<WriteFile>()->text, HasSubstr("assert tuple(x.shape) == (3, 4)"));
         EXPECT_THAT(go(walk, "mine.xyz"), HasSubstr("Transcripts are written as .txt, "));
       }},
      {"code",
       [](const auto& go) {
         SessionWalk walk;
         go_to_step(walk, 4);
         EXPECT_EQ(go(walk, "x.sum()"), "tensor(66.)\n[]  float32\n");
         EXPECT_EQ(walk.state.input.prompt, "attn 7 4/15> ");
         EXPECT_TRUE(walk.state.input.is_code);
         EXPECT_EQ(walk.line("x = x[0]"), "");
         EXPECT_EQ(walk.line("=x"), "tensor([0., 1., 2., 3.])\n[width 4]  float32\n");
         EXPECT_THAT(walk.line("x @ torch.ones(3)"), HasSubstr("width 4"));  // an error, told
         EXPECT_THAT(walk.line(":v"), HasSubstr("x      [width 4]"));
         walk.line("");
         EXPECT_EQ(walk.state.input.kind, Input::Kind::Key);
         EXPECT_THAT(walk.key("."), HasSubstr("x [rows 3, width 4]"));  // the record is untouched
       }},
      {"search",
       [](const auto& go) {
         SessionWalk walk;
         const std::string found = go(walk, "arange");
         EXPECT_THAT(found, HasSubstr("arange("));
         EXPECT_THAT(found, Not(HasSubstr("total")));
         EXPECT_EQ(walk.state.input.kind, Input::Kind::Line);
         EXPECT_THAT(walk.line("4"), HasSubstr("step 4 of 15"));
         EXPECT_EQ(walk.state.input.kind, Input::Kind::Key);
       }},
      {"suspect",
       [](const auto& go) {
         SessionWalk walk;
         EXPECT_EQ(go(walk, ""), "No line has a note.\n");
       }},
      {"watch",
       [](const auto& go) {
         SessionWalk walk(cell("scale = 1.0", "parameters") + cell("x = torch.arange(4.0)\ny = x + 0\nx.mul_(2)"));
         EXPECT_THAT(go(walk, ""), HasSubstr("watch Q"));
         EXPECT_THAT(walk.command("watch nowhere"), HasSubstr("No step binds nowhere."));
         EXPECT_THAT(walk.command("watch x"), HasSubstr("x is watched"));
         EXPECT_THAT(walk.command("goto 2"), HasSubstr("watch x: [4], min 0.0   mean 1.5000   max 3.0"));
         EXPECT_THAT(walk.key("n"), Not(HasSubstr("watch x")));
         EXPECT_THAT(walk.key("n"), HasSubstr("watch x: [4], min 0.0   mean 3.0000   max 6.0"));
         EXPECT_THAT(walk.command("watch x"), HasSubstr("no longer watched"));
         EXPECT_THAT(walk.key("."), Not(HasSubstr("watch x:")));
       }},
      {"command",
       [](const auto& go) {
         SessionWalk walk;
         EXPECT_EQ(go(walk, ""), "");
         EXPECT_EQ(walk.state.input.prompt, ":");
         EXPECT_THAT(walk.line("goto 4"), HasSubstr("step 4 of 15"));
         EXPECT_THAT(walk.command("gotu 4"), HasSubstr("There is no command gotu."));
       }},
      {"show",
       [](const auto& go) {
         SessionWalk walk;
         go_to_step(walk, 4);
         const std::string said = walk.said();
         EXPECT_EQ(go(walk, ""), said);
       }},
      {"help",
       [](const auto& go) {
         SessionWalk walk;
         const std::string all = go(walk, "");
         for (const KeyCommand& row : session_commands()) EXPECT_THAT(all, HasSubstr(std::string(row.name)));
         EXPECT_THAT(walk.command("help skip"), AllOf(HasSubstr("counts as skipped"), Not(HasSubstr("free play"))));
         EXPECT_THAT(walk.command("help strides"), HasSubstr("between two neighbors along an axis"));
         EXPECT_THAT(walk.command("help C3"), HasSubstr("C3, a sentence alone as in the batch"));
         EXPECT_THAT(walk.command("help permute"), HasSubstr("torch.permute(input: Tensor"));
         EXPECT_EQ(walk.command("help xyzzy"), "there is no help on xyzzy\n");
       }},
      {"quit",
       [](const auto& go) {
         SessionWalk walk;
         EXPECT_EQ(go(walk, ""), "");
         EXPECT_EQ(exit_wanted(walk.state), 0);
         EXPECT_NE(walk.action<SaveProgress>(), nullptr);
       }},
  };
  return table;
}

TEST(Commands, EveryRowHasACaseForItsKeyAndItsName) {
  for (const KeyCommand& row : session_commands()) {
    const auto found = cases().find(std::string(row.name));
    ASSERT_NE(found, cases().end()) << "no test of the command " << row.name;
    SCOPED_TRACE(std::string(row.name));
    found->second([&](SessionWalk& walk, const std::string& argument) { return by_name(row, walk, argument); });
    if (row.key.empty()) continue;
    SCOPED_TRACE("by key");
    found->second([&](SessionWalk& walk, const std::string& argument) { return by_key(row, walk, argument); });
  }
}

TEST(Commands, KeysAndNamesAreUniqueAndSaid) {
  std::map<std::string, int> seen;
  for (const KeyCommand& row : session_commands()) {
    EXPECT_FALSE(say(row.help).empty());
    EXPECT_EQ(seen[std::string(row.name)]++, 0) << row.name;
    EXPECT_EQ(command_of_name(row.name), &row);
    std::string_view keys = row.key;
    while (!keys.empty()) {
      const std::size_t end = std::min(keys.find(' '), keys.size());
      EXPECT_EQ(command_of_key(keys.substr(0, end)), &row);
      keys.remove_prefix(std::min(end + 1, keys.size()));
    }
  }
  EXPECT_EQ(command_of_key("z"), nullptr);
  EXPECT_EQ(command_of_name("got"), command_of_name("goto"));
}

TEST(Commands, AnotherKeyNamesTheWayToHelp) {
  SessionWalk walk;
  EXPECT_EQ(walk.key("ctrl-g"), "ctrl-g does nothing here. ? lists the keys.\n");
  EXPECT_EQ(walk.key("\x1b[31m"), "␛[31m does nothing here. ? lists the keys.\n");
}

TEST(Commands, AtAQuestionItBeginsTheAnswer) {
  SessionWalk walk(usual_body(), {}, {}, 5);
  ASSERT_EQ(walk.state.stage, Stage::Question);
  EXPECT_EQ(walk.key("tab") + walk.key("escape"), "");
  walk.key("4");
  EXPECT_EQ(walk.state.asked, Asked::Answer);
  EXPECT_EQ(walk.state.input.begun, "4");
  EXPECT_NE(walk.line("4 3").find("Right"), std::string::npos);
  EXPECT_EQ(walk.state.input.begun, "");
  walk.key("4");
  EXPECT_EQ(walk.state.asked, Asked::Named) << "it is answered";
  EXPECT_EQ(walk.state.input.begun, "4");
  EXPECT_THAT(walk.line("4"), HasSubstr("step 4 of 15"));
}

TEST(Commands, KeysThatBeginAnAnswerAreOneAtItsQuestion) {
  const std::string asking =
      cell("x = torch.ones(2, 3)", "predict=shape") + cell("y = x @ x", "predict=raises raises=RuntimeError");
  for (const auto& [step, key] : {std::pair{1, "["}, std::pair{1, "("}, std::pair{2, "y"}, std::pair{2, "n"}}) {
    SessionWalk walk(asking, {}, {}, step);
    walk.key(key);
    EXPECT_EQ(walk.state.asked, Asked::Answer) << key;
    EXPECT_EQ(walk.state.input.begun, key);
  }
  SessionWalk walk(asking, {}, {}, 2);
  walk.key("b");
  EXPECT_EQ(walk.step(), 1) << "a command where no answer begins with it";
}

TEST(Commands, TheLegendFitsItsLine) {
  SessionWalk walk;
  for (const int width : {20, 40, 80, 200}) {
    walk.take(Resize{width, 24});
    EXPECT_LE(display_width(walk.state.input.prompt), width);
  }
  EXPECT_THAT(walk.state.input.prompt, AllOf(HasSubstr("[n]ext"), HasSubstr("[q]uit")));
}

TEST(Commands, TheLegendNamesTheNextSliceWhereThereIsOne) {
  SessionWalk walk;
  EXPECT_THAT(walk.state.input.prompt, Not(HasSubstr("slice")));
  go_to_step(walk, 14);
  EXPECT_THAT(walk.state.input.prompt, HasSubstr(" [ ] slices "));
}

TEST(Commands, TheNextSliceIsThatAfterTheOneThatIsShown) {
  SessionWalk walk(cell("x = torch.arange(12.0).view(3, 2, 2)") + cell("x[1, 0, 0] = float('nan')\ny = x + 0"));
  go_to_step(walk, 3);
  EXPECT_THAT(walk.said(), HasSubstr("slice axis 0 at 1: the first with NaN"));
  EXPECT_THAT(walk.key("]"), HasSubstr("slice axis 0 at 2\n"));
  EXPECT_THAT(walk.key("["), HasSubstr("slice axis 0 at 1\n"));
}

}  // namespace
}  // namespace attn
