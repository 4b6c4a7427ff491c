// Every mistake on the command line and in what it names: the exit code and the message.
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "tests/cli/program.h"

namespace attn {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kHelp = "  hint: attn-tutor --help lists what you can type\n";
const std::string kLessonHelp = "  hint: for example attn-tutor lesson 3; attn-tutor help lesson shows what it takes\n";

struct UsageCase {
  Words words;
  std::string message;  // without "attn-tutor: "
};

void expect_errors(int code, const std::vector<UsageCase>& cases) {
  for (const UsageCase& c : cases) {
    const Ended ended = run_program(c.words);
    EXPECT_EQ(ended.code, code) << testing::PrintToString(c.words);
    EXPECT_EQ(ended.err, "attn-tutor: " + c.message) << testing::PrintToString(c.words);
    EXPECT_TRUE(ended.out.empty()) << testing::PrintToString(c.words);
  }
}

TEST(Usage, UnknownCommandsAndOptions) {
  expect_errors(
      2,
      {
          {{"xyzzy"}, "unknown command 'xyzzy'\n" + kHelp},
          {{"lesosn", "1"}, "unknown command 'lesosn'\n  hint: did you mean lesson?\n"},
          {{"3"}, "unknown command '3'\n  hint: did you mean attn-tutor lesson 3?\n"},
          {{"masks"}, "unknown command 'masks'\n  hint: did you mean attn-tutor lesson masks?\n"},
          {{"attention.py"}, "unknown command 'attention.py'\n  hint: did you mean attn-tutor run attention.py?\n"},
          {{"chekc"}, "unknown command 'chekc'\n  hint: did you mean check?\n"},
          {{"--foo"}, "unknown option --foo\n" + kHelp},
          {{"-Z"}, "unknown option -Z\n" + kHelp},
          {{"lesson", "1", "--widht=30"}, "unknown option --widht=30\n  hint: did you mean --width?\n"},
          {{"lesson", "1", "--sed", "3"}, "unknown option --sed\n  hint: did you mean --seed?\n"},
          {{"list", "--seed", "3"}, "unknown option --seed\n" + kHelp},
          {{"lesson", "1", "extra"}, "lesson takes no further argument: 'extra'\n" + kHelp},
          {{"list", "1"}, "list takes no further argument: '1'\n" + kHelp},
          {{"eval", "1", "2"}, "eval takes no further argument: '2'\n" + kHelp},
          {{"ops", "sum", "mean"}, "ops takes no further argument: 'mean'\n" + kHelp},
          {{"lesson", "--", "1", "--step", "2"}, "--step comes after --, where everything is an argument\n" + kHelp},
          {{"lesson"}, "LESSON is required\n" + kLessonHelp},
          {{"eval"},
           "CODE is required\n  hint: for example attn-tutor eval 'torch.randn(2, 3).softmax(dim=-1)'; attn-tutor help "
           "eval shows what it takes\n"},
      });
}

TEST(Check, GoesOnAfterAFileThatIsMissing) {
  const TemporaryFile fine("01-fine.md", "# T\n\n```python\nx = 1\n```\n");
  const Ended ended = run_program({"check", "/none/a.md", fine.path(), "/none/b.md"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_EQ(ended.err,
            "attn-tutor: /none/a.md: No such file or directory\nattn-tutor: /none/b.md: No such file or directory\n");
  EXPECT_EQ(ended.out, fine.path() + ": fine\n");
}

TEST(Usage, ValuesOfOptions) {
  std::vector<UsageCase> cases = {
      {{"lesson", "1", "--width"}, "--width needs a value\n" + kLessonHelp},
      {{"lesson", "1", "--width="}, "--width needs a value\n" + kLessonHelp},
      {{"lesson", "1", "--color="}, "--color needs a value\n" + kLessonHelp},
      {{"lesson", "1", "--set"}, "--set needs a value\n" + kLessonHelp},
      {{"lesson", "1", "--color=red"}, "--color takes auto, always or never, not 'red'\n" + kHelp},
      {{"lesson", "1", "--step", "0"}, "--step takes a whole number from 1 to 1000000, not '0'\n" + kHelp},
      {{"lesson", "1", "--step=1.5"}, "--step takes a whole number from 1 to 1000000, not '1.5'\n" + kHelp},
      {{"lesson", "1", "--threads", "0"}, "--threads takes a whole number from 1 to 256, not '0'\n" + kHelp},
      {{"lesson", "1", "--set", "n_heads"},
       "--set takes NAME=VALUE, not 'n_heads'\n  hint: attn-tutor lesson 3 --set n_heads=4\n"},
      {{"lesson", "1", "--set", "=3"},
       "--set takes NAME=VALUE, not '=3'\n  hint: attn-tutor lesson 3 --set n_heads=4\n"},
      {{"lesson", "1", "--seed", "x"},
       "--seed takes a whole number from -9223372036854775808 to 9223372036854775807, not 'x'\n" + kHelp},
      {{"eval", "1", "--max-memory", "3X"},
       "--max-memory takes a whole number from 1 to 1125899906842624, not '3X'\n" + kHelp},
      {{"eval", "1", "--max-memory", "9999999999G"},
       "--max-memory takes a whole number from 1 to 1048576, not '9999999999'\n" + kHelp},
      {{"eval", "1", "--max-steps", "0"},
       "--max-steps takes a whole number from 1 to 9223372036854775807, not '0'\n" + kHelp},
  };
  for (const char* width : {"0", "-1", "19", "1001", "1e9", "12x", "99999999999999999999", " 30", "0x20"})
    cases.push_back({{"lesson", "1", std::string("--width=") + width},
                     "--width takes a whole number from 20 to 1000, not '" + std::string(width) + "'\n" + kHelp});
  expect_errors(2, cases);
}

TEST(Usage, LessonsAndParameters) {
  const std::string lessons = "; there are 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, tour\n";
  const std::string parameters = "; it has seed, query_len, key_len, hidden_dim, wide_dim\n";
  expect_errors(2,
                {
                    {{"lesson", "99"}, "there is no lesson \"99\"" + lessons},
                    {{"lesson", ""}, "there is no lesson \"\"" + lessons},
                    {{"lesson", "99999999999999999999"}, "there is no lesson \"99999999999999999999\"" + lessons},
                    {{"lesson", "1", "--set", "hidden_dm=1"},
                     "this lesson has no parameter hidden_dm (did you mean hidden_dim?)" + parameters},
                    {{"lesson", "1", "--set", "zzz=1"}, "this lesson has no parameter zzz" + parameters},
                    {{"lesson", "1", "--set", "hidden_dim=big"}, "--set hidden_dim=big: hidden_dim is an int here\n"},
                    {{"lesson", "1", "--set", "hidden_dim=8.0"}, "--set hidden_dim=8.0: hidden_dim is an int here\n"},
                    {{"lesson", "1", "--set", "hidden_dim="}, "--set hidden_dim=: hidden_dim is an int here\n"},
                    {{"ops", "matmull"}, "no op is called matmull\n  hint: did you mean matmul?\n"},
                    {{"ops", "zzzzzz"}, "no op is called zzzzzz\n  hint: `attn-tutor ops` lists them all\n"},
                });
  const Ended near = run_program({"lesson", "bacth"});
  EXPECT_EQ(near.code, 2);
  EXPECT_THAT(near.err, HasSubstr("batch"));
}

TEST(Usage, WhatIsQuotedCannotSteerATerminal) {
  const std::string evil[] = {"\x1b[31mred",
                              "a\nb",
                              "a\tb",
                              "bell\a",
                              "\x7f",
                              "\xc2\x9b"
                              "31m",
                              "bad \xff\xfe utf-8",
                              "\xe2\x80\xae"
                              "evil",
                              "\r"};
  for (const std::string& word : evil) {
    const Words commands[] = {{word},
                              {"lesson", word},
                              {"lesson", "1", "--" + word},
                              {"lesson", "1", "--width=" + word},
                              {"lesson", "1", "--set", word},
                              {"lesson", "1", "--set", word + "=1"},
                              {"ops", word},
                              {"eval", word},
                              {"eval", "'" + word},
                              {"check", word},
                              {"lesson", "1", word},
                              {"list", "--lessons", word},
                              {"lesson", "1", "--set", "hidden_dim=" + word},
                              {"eval", "print('" + word + "')"},
                              {"lesson", "/" + word}};
    for (const Words& words : commands) {
      const Ended ended = run_program(words);
      EXPECT_TRUE(ended.code >= 0 && ended.code <= 3) << testing::PrintToString(words) << ended.code;
      const bool is_eval = words[0] == "eval";
      for (const std::string& text : {ended.out, ended.err}) {
        for (const char c : text) {
          const bool raw = static_cast<unsigned char>(c) < 0x20 && c != '\n' && !(c == '\t' && is_eval);
          ASSERT_FALSE(raw || c == 0x7f) << testing::PrintToString(words) << text;
        }
        EXPECT_EQ(text.find("\xc2\x9b"), std::string::npos) << testing::PrintToString(words);
        EXPECT_EQ(text.find("\xff"), std::string::npos) << testing::PrintToString(words);
        EXPECT_EQ(text.find("\xe2\x80\xae"), std::string::npos) << testing::PrintToString(words);
      }
      if (is_eval) continue;
      EXPECT_LE(std::count(ended.err.begin(), ended.err.end(), '\n'), 2) << testing::PrintToString(words) << ended.err;
    }
  }
}

TEST(Usage, ManyAndLongArguments) {
  for (const Words& start : {Words{}, Words{"list"}, Words{"eval"}, Words{"lesson", "1"}}) {
    Words words = start;
    words.insert(words.end(), 100'000, "a");
    const Ended ended = run_program(words);
    EXPECT_EQ(ended.code, 2);
    EXPECT_LT(ended.err.size(), 200u);
  }
  const std::string word(131'000, 'x');
  const std::pair<Words, int> cases[] = {{{word}, 2},
                                         {{"lesson", word}, 2},
                                         {{"lesson", "1", "--width=" + word}, 2},
                                         {{"ops", word}, 2},
                                         {{"lesson", "1", "--" + word}, 2},
                                         {{"lesson", "1", "--set", word}, 2},
                                         {{"lesson", "1", "--set", word + "=1"}, 2},
                                         {{"lesson", "1", "--set", "seed=" + word}, 2},
                                         {{"lesson", "/" + word}, 3},
                                         {{"list", "--lessons", word}, 3},
                                         {{"eval", word}, 1},
                                         {{"check", word}, 2}};
  for (const auto& [words, code] : cases) {
    const Ended ended = run_program(words);
    EXPECT_EQ(ended.code, code) << words[0].substr(0, 20) << ended.err.substr(0, 300);
    EXPECT_LT(ended.err.size(), 1500u) << words[0].substr(0, 20);
  }
}

// ---- files ----

TEST(Files, ThatCannotBeRead) {
  expect_errors(3, {
                       {{"lesson", "/nonexistent.md"}, "/nonexistent.md: No such file or directory\n"},
                       {{"lesson", "./nonexistent.md"}, "./nonexistent.md: No such file or directory\n"},
                       {{"lesson", "/"}, "/: is a folder\n"},
                       {{"lesson", "/dev/zero"}, "/dev/zero: is larger than the allowed 1048576 bytes\n"},
                       {{"check", "nonexistent.md"}, "nonexistent.md: No such file or directory\n"},
                       {{"list", "--lessons", "/nonexistent"}, "/nonexistent: No such file or directory\n"},
                       {{"lesson", "1", "--lessons", "/dev/null"}, "/dev/null: Not a directory\n"},
                   });
}

TEST(Files, ALinkToItselfAndOneWithoutRights) {
  const TemporaryFile file("loop.md");
  ::unlink(file.path().c_str());
  ASSERT_EQ(::symlink("loop.md", file.path().c_str()), 0);
  const Ended loop = run_program({"lesson", file.path()});
  EXPECT_EQ(loop.code, 3);
  EXPECT_EQ(loop.err, "attn-tutor: " + file.path() + ": Too many levels of symbolic links\n");

  if (::geteuid() == 0) return;  // may read everything
  const TemporaryFile secret("secret.md", "# T\n");
  ::chmod(secret.path().c_str(), 0);
  const Ended ended = run_program({"lesson", secret.path()});
  EXPECT_EQ(ended.code, 3);
  EXPECT_EQ(ended.err, "attn-tutor: " + secret.path() + ": Permission denied\n");
}

struct LessonCase {
  const char* name;
  std::string text;
  int code;
  std::string message;  // standard error begins so, after the path
};

void expect_lessons(const std::vector<LessonCase>& cases) {
  for (const LessonCase& c : cases) {
    const TemporaryFile file("01-case.md", c.text);
    const Ended ended = run_program({"lesson", file.path()});
    EXPECT_EQ(ended.code, c.code) << c.name << "\n" << ended.err;
    EXPECT_THAT(ended.err, StartsWith(file.path() + c.message)) << c.name;
    EXPECT_EQ(ended.out.find('\x1b'), std::string::npos) << c.name;
  }
}

std::string with_cell(const std::string& code, const std::string& words = "") {
  return "# T\n\n```python hidden\nimport torch\n```\n\n```python" + (words.empty() ? "" : " " + words) + "\n" + code +
         "\n```\n";
}

TEST(Files, MalformedLessons) {
  expect_lessons({
      {"empty", "", 3, ":1:1: format: a lesson needs a title"},
      {"a byte order mark", "\xef\xbb\xbf", 3, ":1:1: format: a lesson needs a title"},
      {"one byte", "x", 3, ":1:1: format: a lesson needs a title"},
      {"only prose", "# T\n\ntext\n", 3, ":1:1: format: the file has no lesson steps"},
      {"UTF-16", std::string("\xff\xfe#\0 \0T\0", 8), 3, ":1:1: format: "},
      {"an unclosed fence", "# T\n\n```python\nx = 1\n", 3, ":3:"},
      {"an unknown word", with_cell("x = 1", "hiden"), 3,
       ":7:11: format: unknown word \"hiden\" on the fence of a cell\n"},
      {"a missing data file", with_cell("x = ...", "data=nothing.json"), 3, ":7:"},
      {"data outside of the folder", with_cell("x = ...", "data=../../../../etc/passwd"), 3, ":7:"},
  });
}

TEST(Files, LessonsThatFail) {
  expect_lessons({
      {"a wrong axis comment", with_cell("x = torch.ones(2, 3)  # [a, b, c]"), 1, ":8:"},
      {"a syntax error", with_cell("x = ("), 1, ":8:5: syntax: '(' was never closed\n"},
      {"an unknown name", with_cell("torch.ones(2) + nothing"), 1, ":8:17: name: name 'nothing' is not defined\n"},
      {"an unknown op", with_cell("torch.mtmul(1)"), 1, ":8:1: attribute: module 'torch' has no attribute 'mtmul'\n"},
      {"shapes", with_cell("x = torch.ones(2, 3)\nx @ x"), 1,
       ":9:1: shape: matmul needs the last axis of x (size 3) to equal"},
      {"a division by zero", with_cell("1 // 0"), 1, ":8:1: zero-division: "},
      {"a failing value in prose", with_cell("x = 1") + "\nA {{ y }}.\n", 1, ":11:"},
      {"a huge tensor", with_cell("torch.zeros(50000, 50000)"), 5, ":8:1: limit: this tensor needs 9.3 GiB"},
      {"brackets", with_cell("x = " + std::string(5000, '(') + "1" + std::string(5000, ')')), 5,
       ":8:205: limit: brackets are nested more than 200 deep\n"},
      {"not raising", with_cell("x = 1", "raises=RuntimeError"), 1,
       ":8:1: format: this cell should raise RuntimeError, but it ran to its end\n"},
      {"a draw where none may be", with_cell("x = 1") + "\n```python wrong=x\ntorch.randn(2)\n```\n", 1,
       ":12:1: format: a cell marked `wrong` may not draw random numbers\n"},
      {"reading a file", with_cell("open('/etc/passwd')"), 1, ":8:1: unsupported: open() may not read files here\n"},
  });
}

TEST(Files, HeadsThatDoNotDivideTheWidth) {
  const Ended ended = run_program({"lesson", "3", "--set", "n_heads=3"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr(": assertion: "));
  EXPECT_THAT(ended.err, HasSubstr("hidden_dim % n_heads == 0"));
  EXPECT_THAT(ended.out, HasSubstr("A batch of sentences")) << "what was done before is shown";
}

// ---- eval ----

struct EvalCase {
  std::string code;
  int exit_code;
  std::string message;  // standard error begins so
};

TEST(Eval, Errors) {
  std::string chain = "1";
  for (int i = 0; i < 30'000; ++i) chain += "+1";
  const EvalCase cases[] = {
      {"1 +", 1, "<code>:1:4: syntax: invalid syntax\n"},
      {"x", 1, "<code>:1:1: name: name 'x' is not defined\n"},
      {"1/0", 1, "<code>:1:1: zero-division: division by zero\n"},
      {"torch.tensor([1, 2]) // 0", 1, "<code>:1:1: zero-division: "},
      {"torch.mtmul(1)", 1, "<code>:1:1: attribute: module 'torch' has no attribute 'mtmul'\n"},
      {"torch.ones(2,3) @ torch.ones(2,3)", 1, "<code>:1:1: shape: matmul needs"},
      {"torch.zeros(10 ** 18)", 5, "<code>:1:1: limit: this tensor needs "},
      {"torch.zeros(2 ** 40, 2 ** 40)", 1, ""},
      {std::string(5000, '(') + "1" + std::string(5000, ')'), 5,
       "<code>:1:201: limit: brackets are nested more than 200 deep\n"},
      {std::string(100'000, '('), 5, "<code>:1:201: limit: brackets are nested more than 200 deep\n"},
      {std::string(100'000, '-') + "1", 5, "<code>:1:"},
      {std::string(100'000, '['), 5, "<code>:1:201: limit: "},
      {"9223372036854775808", 1, "<code>:1:1: unsupported: "},
      {"2 ** 64", 1, "<code>:1:1: unsupported: "},
      {"'abc", 1, "<code>:1:1: syntax: unterminated string literal"},
      {"\xff", 1, "<code>:1:1: syntax: "},
      {"import os; os.kill(1)", 1, "<code>:1:12: unsupported: os.kill is not known here"},
      {"import os; os.remove(1)", 1, "<code>:1:12: type: expected str, bytes or os.PathLike object, not int"},
  };
  for (const EvalCase& c : cases) {
    const Ended ended = run_program({"eval", c.code});
    EXPECT_EQ(ended.code, c.exit_code) << c.code.substr(0, 60) << "\n" << ended.err.substr(0, 300);
    EXPECT_THAT(ended.err, StartsWith(c.message)) << c.code.substr(0, 60);
    EXPECT_EQ(ended.out, "") << c.code.substr(0, 60);
    EXPECT_FALSE(ended.hung) << c.code.substr(0, 60);
  }
  const Ended ended = run_program({"eval", chain});
  EXPECT_TRUE((ended.code == 0 && ended.out == "30001\n") || ended.code == 5) << ended.code;
}

TEST(Eval, LimitsOfTheRun) {
  const std::pair<Words, std::string> cases[] = {
      {{"eval", "torch.zeros(1000, 1000)", "--max-memory", "1M"}, "limit: this tensor needs 3.8 MiB"},
      {{"eval", "torch.zeros(1000, 1000)", "--max-memory", "1MiB"}, "limit: this tensor needs 3.8 MiB"},
      {{"eval", "x = torch.ones(1)\nfor i in range(60):\n  x = torch.cat([x, x])", "--max-memory", "64M"},
       "limit: this tensor needs 64.0 MiB, and 32.0 MiB of the allowed 64.0 MiB are in use"},
      {{"eval", "for i in range(10 ** 15):\n  i", "--max-steps", "100000"},
       "limit: the limit of 100000 units of work is reached"},
      {{"eval", "def f():\n  try:\n    f()\n  finally:\n    f()\nf()", "--max-steps", "10000000"},
       "limit: the limit of 10000000 units of work is reached"},
      {{"eval", "x = torch.ones(1)\nfor i in range(10 ** 6):\n  x = x.unsqueeze(0)"},
       "limit: a tensor of more than 1000 axes"},
      {{"eval", "x = ()\nfor i in range(60):\n  x = (x, x)\nhash(x)", "--max-steps", "10000000"},
       "limit: the limit of 10000000 units of work is reached"},
      {{"eval", "x = [1.0]\nfor i in range(60):\n  x = [x, x]\ntorch.tensor(x)", "--max-steps", "10000000"},
       "limit: the limit of 10000000 units of work is reached"},
      {{"eval", "torch.arange(0, 1, 1e-300)"}, ""},
  };
  for (const auto& [words, message] : cases) {
    const Ended ended = run_program(words);
    EXPECT_EQ(ended.code, message.empty() ? 1 : 5) << words[1] << ended.err;
    EXPECT_THAT(ended.err, HasSubstr(message)) << words[1];
    EXPECT_FALSE(ended.hung) << words[1];
  }
}

}  // namespace
}  // namespace attn
