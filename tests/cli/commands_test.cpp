// What each command prints, and that it ends well.
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"
#include "tests/cli/same_text.h"

namespace attn {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string kLesson =
    "# Small\n\nA summary.\n\n```python parameters\nseed = 0\nn = 2\n```\n\n```python\nimport torch\nx = torch.ones(n, "
    "3)\n```\n";

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

TEST(List, IsWhatTheProgramDoesWithoutACommand) {
  const std::string list = out_of({"list"});
  EXPECT_THAT(list, StartsWith("   0  Three words"));
  EXPECT_THAT(list, HasSubstr("\n   3  A batch of sentences"));
  EXPECT_THAT(list, HasSubstr(" minutes\n"));
  EXPECT_EQ(out_of({}), list);
  EXPECT_EQ(out_of({"list", "--quiet"}), list.substr(0, list.find("\n\n") + 1));
}

TEST(List, AsJson) {
  const nlohmann::json rows = nlohmann::json::parse(out_of({"list", "--json"}));
  ASSERT_GE(rows.size(), 5u);
  EXPECT_EQ(rows[3]["number"], 3);
  EXPECT_EQ(rows[3]["id"], "batch");
  EXPECT_EQ(rows[3]["title"], "A batch of sentences");
  EXPECT_GT(rows[3]["steps"], 10);
  EXPECT_GE(rows[3]["minutes"], 10);
  EXPECT_THAT(out_of({"list"}), HasSubstr(" " + std::to_string(rows[3]["minutes"].get<int>()) + " minutes\n"));
  EXPECT_THAT(rows[3]["summary"].get<std::string>(), Not(HasSubstr("{{")));
}

TEST(List, OfAFolder) {
  const TemporaryFile file("01-small.md", kLesson);
  const std::string folder = file.path().substr(0, file.path().rfind('/'));
  EXPECT_THAT(out_of({"list", "--lessons", folder}), StartsWith("  1  Small"));
  EXPECT_EQ(nlohmann::json::parse(out_of({"list", "--lessons", folder, "--json"}))[0]["steps"], 4);
  EXPECT_TRUE(same_text(out_of({"lesson", "small", "--lessons", folder}), out_of({"lesson", file.path()})));
}

TEST(Lesson, IsFoundByNumberIdFileNamePathAndOnStandardInput) {
  const std::string text = out_of({"lesson", "3"});
  EXPECT_THAT(text, HasSubstr("A batch of sentences"));
  EXPECT_EQ(text.back(), '\n');
  for (const char* word : {"03", "batch", "03-batch.md"})
    EXPECT_TRUE(same_text(text, out_of({"lesson", word}))) << word;
  const TemporaryFile file("01-small.md", kLesson);
  Conditions conditions;
  conditions.in = Stream::Pipe;
  conditions.input = kLesson;
  const std::string small = out_of({"lesson", file.path()});
  EXPECT_THAT(small, HasSubstr("x [n 2, 3]"));
  EXPECT_THAT(out_of({"lesson", "-"}, conditions), HasSubstr("x [n 2, 3]"));
}

TEST(Lesson, WhoseNameBeginsWithADash) {
  const TemporaryFile file("-01-small.md", kLesson);
  Conditions conditions;
  conditions.folder = file.path().substr(0, file.path().rfind('/'));
  EXPECT_THAT(out_of({"lesson", "--step", "4", "--", "-01-small.md"}, conditions), HasSubstr("x [n 2, 3]"));
}

TEST(Lesson, All) { EXPECT_TRUE(same_text(out_of({"lesson", "1"}), out_of({"lesson", "1", "--all"}))); }

TEST(Lesson, Shapes) {
  const std::string ledger = out_of({"lesson", "3", "--shapes"});
  EXPECT_THAT(ledger, HasSubstr("energy"));
  EXPECT_THAT(ledger, HasSubstr("[3, 2, 5, 6]"));
  EXPECT_LT(ledger.size(), out_of({"lesson", "3"}).size());
}

TEST(Lesson, Step) {
  const TemporaryFile file("01-small.md", kLesson);
  const std::string last = out_of({"lesson", file.path(), "--step", "4"});
  EXPECT_THAT(last, HasSubstr("step 4 of 4"));
  EXPECT_THAT(last, HasSubstr("x = torch.ones(n, 3)"));
  EXPECT_THAT(last, Not(HasSubstr("import torch")));
  const Ended beyond = run_program({"lesson", file.path(), "--step", "5"});
  EXPECT_EQ(beyond.code, 2);
  EXPECT_EQ(beyond.err, "attn-tutor: --step 5: this lesson has steps 1 to 4\n");
  EXPECT_EQ(beyond.out, "");
}

TEST(Lesson, SetAndSeed) {
  const TemporaryFile file("01-small.md", kLesson);
  EXPECT_THAT(out_of({"lesson", file.path(), "--set", "n=7"}), HasSubstr("x [n 7, 3]"));
  EXPECT_THAT(out_of({"lesson", file.path(), "--set", "n=7", "--set", "n=5"}), HasSubstr("x [n 5, 3]"))
      << "the last one holds";
  EXPECT_THAT(out_of({"lesson", file.path(), "--seed", "4"}), HasSubstr("seed = 4"));
  EXPECT_FALSE(same_text(out_of({"lesson", "1"}), out_of({"lesson", "1", "--seed", "1"})));
  EXPECT_EQ(out_of({"explain", "1", "energy[0, 0]"}), out_of({"explain", "1", "energy[0, 0]", "--seed", "0"}));
}

TEST(Lesson, WidthIsKept) {
  for (const std::size_t width : {20u, 40u, 80u, 200u, 1000u}) {
    const std::string text = out_of({"lesson", "4", "--ascii", "--width", std::to_string(width)});
    EXPECT_LE(longest_line(text), width);
  }
  EXPECT_TRUE(same_text(out_of({"lesson", "1"}), out_of({"lesson", "1", "--width", "80"})));
  EXPECT_TRUE(same_text(out_of({"lesson", "1"}), out_of({"lesson", "1", "--width=30", "--width=80"})))
      << "the last one holds";
}

TEST(Lesson, Ascii) {
  for (const char* lesson : {"1", "3", "4"}) EXPECT_TRUE(is_ascii(out_of({"lesson", lesson, "--ascii"}))) << lesson;
  EXPECT_FALSE(is_ascii(out_of({"lesson", "1"})));
}

TEST(Lesson, ColorOnlyWhereItIsWanted) {
  const std::string plain = out_of({"lesson", "1"});
  EXPECT_EQ(plain.find('\x1b'), std::string::npos) << "no terminal";
  EXPECT_TRUE(same_text(plain, out_of({"lesson", "1", "--color=never"})));
  EXPECT_TRUE(same_text(plain, out_of({"lesson", "1", "--color=auto"})));
  const std::string colored = out_of({"lesson", "1", "--color=always"});
  EXPECT_NE(colored.find("\x1b["), std::string::npos);
  Conditions conditions;
  conditions.environment["NO_COLOR"] = "1";
  EXPECT_TRUE(same_text(colored, out_of({"lesson", "1", "--color=always"}, conditions))) << "asked for by name";
  std::string without;
  for (std::size_t i = 0; i < colored.size(); ++i) {
    if (colored[i] == '\x1b') {
      i = colored.find('m', i);
    } else {
      without += colored[i];
    }
  }
  EXPECT_TRUE(same_text(plain, without)) << "colour carries nothing alone";
}

TEST(Lesson, IsTheSameWhateverTheEnvironment) {
  const std::string text = out_of({"lesson", "3"});
  const Environment environments[] = {
      {},
      {{"LC_ALL", "C"}},
      {{"LANG", "de_DE.UTF-8"}, {"LC_NUMERIC", "de_DE.UTF-8"}},
      {{"LANG", "nonsense"}, {"TERM", "../../x"}},
      {{"HOME", std::string(100'000, 'x')}, {"COLUMNS", "-1"}},
      {{"TERM", std::string(10'000, 'x')}, {"COLUMNS", "20"}},
  };
  for (const Environment& environment : environments) {
    Conditions conditions;
    conditions.environment = environment;
    EXPECT_TRUE(same_text(text, out_of({"lesson", "3"}, conditions)))
        << testing::PrintToString(environment).substr(0, 80);
  }
  EXPECT_TRUE(same_text(text, out_of({"lesson", "3", "--threads", "1"})));
}

TEST(Lesson, WhatWasDoneBeforeAFailureIsShown) {
  const TemporaryFile file("01-small.md", kLesson + "\n```python\nx @ x\n```\n\n```python\nnever = 1\n```\n");
  const Ended ended = run_program({"lesson", file.path()});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, HasSubstr("x [n 2, 3]"));
  EXPECT_THAT(ended.out, Not(HasSubstr("never")));
  EXPECT_THAT(ended.err, StartsWith(file.path() + ":16:1: shape: matmul needs the last axis of x (size 3)"));
}

TEST(Eval, PrintsAsPyTorchDoes) {
  EXPECT_EQ(out_of({"eval", "1 + 1"}), "2\n");
  EXPECT_EQ(out_of({"eval", "x = torch.ones(2)\nprint('a')\nx / 2"}), "a\ntensor([0.5000, 0.5000])\n[2]  float32\n");
  EXPECT_EQ(out_of({"eval", "torch.randn(2)", "--seed", "0"}), "tensor([ 1.5410, -0.2934])\n[2]  float32\n");
  EXPECT_EQ(out_of({"eval", "--", "-1"}), "-1\n");
  EXPECT_EQ(out_of({"eval", ""}), "");
}

TEST(Eval, AWarningIsOneUnlessQuiet) {
  const Ended ended = run_program({"eval", "x = torch.ones(2, 3)  # [a]"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.err, HasSubstr("x has 2 axes [2, 3], but the comment names 1"));
  EXPECT_EQ(out_of({"eval", "--quiet", "x = torch.ones(2, 3)  # [a]"}), "");
}

TEST(Ops, AreListedAndShown) {
  const std::string all = out_of({"ops"});
  for (const char* op : {"torch.matmul ", "Tensor.view ", "torch.nn.functional.softmax ", "torch.nn.Linear "})
    EXPECT_THAT(all, HasSubstr("\n" + std::string(op)));
  for (const char* word : {"matmul", "torch.matmul"})
    EXPECT_THAT(out_of({"ops", word}), StartsWith("torch.matmul(input: Tensor, other: Tensor)\n"));
  EXPECT_THAT(out_of({"ops", "F.softmax"}), StartsWith("torch.nn.functional.softmax("));
  EXPECT_THAT(out_of({"ops", "nn.Linear"}), StartsWith("torch.nn.Linear("));
  EXPECT_THAT(out_of({"ops", "view"}), HasSubstr("  example "));
  EXPECT_LE(longest_line(out_of({"ops", "--ascii", "--width", "60"})), 60u);
}

TEST(Check, SaysFineOrWhatIsWrong) {
  EXPECT_EQ(out_of({"check", "1", "batch"}), "1: fine\nbatch: fine\n");
  EXPECT_THAT(out_of({"check"}), HasSubstr("5: fine\n"));
  EXPECT_EQ(out_of({"check", "--quiet", "1"}), "");
  const TemporaryFile good("01-small.md", kLesson);
  EXPECT_EQ(out_of({"check", good.path()}), good.path() + ": fine\n");
  const TemporaryFile bad("02-bad.md", kLesson + "\n```python predict=shape\ny = 3\n```\n");
  const Ended ended = run_program({"check", bad.path(), good.path()});
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(ended.out, bad.path() + ": 2 errors, 0 warnings\n" + good.path() + ": fine\n");
  EXPECT_THAT(ended.err, HasSubstr(bad.path() + ":16:1: format: predict=shape: the cell binds no tensor\n"));
  EXPECT_THAT(ended.err, HasSubstr("a question without a **Why**\n"));
  const TemporaryFile strange("a\x1b[31m\xff.md", kLesson);
  EXPECT_THAT(out_of({"check", strange.path()}), EndsWith("/a\u241b[31m\uFFFD.md: fine\n"));
}

TEST(Help, OfTheProgramAndOfEachCommand) {
  const std::string help = out_of({"--help"});
  for (const char* command : {"list", "lesson", "eval", "ops", "check", "new", "help", "man"}) {
    EXPECT_THAT(help, HasSubstr("\n  " + std::string(command)));
    EXPECT_THAT(out_of({command, "--help"}), HasSubstr("Example:\n  attn-tutor " + std::string(command)));
  }
  EXPECT_THAT(out_of({"lesson", "--help"}), HasSubstr("--set"));
  EXPECT_THAT(out_of({"--version"}), testing::MatchesRegex("attn-tutor [0-9.]+ \\(.*\\)\n"));
}

}  // namespace
}  // namespace attn
