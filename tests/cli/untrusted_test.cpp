// Lessons and code from strangers: no control byte reaches the terminal, nothing crashes, hangs or is made up.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/cli/program.h"
#include "tests/cli/steering.h"

namespace attn {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kPayloads[] = {"\x1b[31mred",
                                 "\x1b]0;title\a",
                                 "\x1b]52;c;AAAA\x1b\\",
                                 "\x1bP+q\x1b\\",
                                 "\u009b31m",
                                 "\x7f",
                                 "a\bb",
                                 "\u202e evil",
                                 "\u2066 evil",
                                 "&#27;[31m",
                                 "&#x1b;]52;c;AAAA&#7;",
                                 "&#155;31m",
                                 "&#x202e;",
                                 "~~&**#27;**[31mFAKE~~"};

void expect_harmless(const std::string& text) {
  const TemporaryFile file("01-case.md", text);
  for (const char* command : {"lesson", "check"}) {
    const Ended ended = run_program({command, file.path()});
    EXPECT_TRUE(ended.code == 0 || ended.code == 1 || ended.code == 3) << ended.code << "\n" << text;
    EXPECT_EQ(steering_in(ended.out), "") << text;
    EXPECT_EQ(steering_in(ended.err), "") << text;
  }
}

TEST(Untrusted, NothingInProseSteersTheTerminal) {
  std::string all, links;
  for (const std::string& evil : kPayloads) {
    all += evil + " ";
    links += "`" + evil + "` [" + evil + "](http://x/" + evil + ")\n\n";
  }
  const std::string cell = "\n\n```python\nx = 1\n```\n";
  expect_harmless("# T " + all + cell);
  expect_harmless("# T\n\n" + all + "\n\n" + links + cell);
  expect_harmless("# T\n\n```python " + all + "\nx = 1\n```\n");
}

// One at a time: the first that is no Python ends the lesson.
TEST(Untrusted, NothingInCodeSteersTheTerminal) {
  for (const std::string& evil : kPayloads) {
    expect_harmless("# T\n\n```python\nx = '" + evil + "'  # " + evil + "\nprint(x)\nassert False, x\n```\n");
    expect_harmless("# T\n\n```python\nx = " + evil + "\n```\n");
  }
}

TEST(Untrusted, WhatWasHiddenIsSaid) {
  const TemporaryFile file("01-case.md", "# T\n\na\x1b[31m &#27;[32m \u202e\n\n```python\nprint('\\x1b[33m')\n```\n");
  const Ended ended = run_program({"lesson", file.path()});
  EXPECT_EQ(ended.code, 0) << ended.err;
  for (const char* shown : {"a\u241b[31m \u241b[32m <U+202E>", "\u241b[33m"}) EXPECT_THAT(ended.out, HasSubstr(shown));
}

TEST(Untrusted, MarkdownThatIsNestedOrRepeated) {
  const std::string end = "\n\n```python\nx = 1\n```\n";
  for (const char* piece : {"> ", "- ", "[", "*", "`", "![", "_", "<"}) {
    std::string text = "# T\n\n";
    for (int i = 0; i < 20'000; ++i) text += piece;
    const TemporaryFile file("01-case.md", text + end);
    const Ended ended = run_program({"lesson", file.path()});
    EXPECT_FALSE(ended.hung) << piece;
    EXPECT_TRUE(ended.code == 0 || ended.code == 3 || ended.code == 5) << piece << ended.code << "/" << ended.signal;
  }
}

struct CodeCase {
  const char* code;
  int exit_code;
  const char* text;  // standard output when it is 0, else a part of standard error
};

TEST(Untrusted, CodeAtTheEdges) {
  const CodeCase cases[] = {
      {"torch.ones(3) / 0", 0, "tensor([inf, inf, inf])\n[3]  float32\n"},
      {"torch.zeros(2) / 0", 0, "tensor([nan, nan])\n[2]  float32\n"},
      {"torch.log(torch.tensor([-1.0]))", 0, "tensor([nan])\n[1]  float32\n"},
      {"torch.exp(torch.tensor([1000.0]))", 0, "tensor([inf])\n[1]  float32\n"},
      {"torch.zeros(0, 4) @ torch.zeros(4, 2)", 0, "tensor([], size=(0, 2))\n[0, 2]  float32\n"},
      {"torch.zeros(2, 0) @ torch.zeros(0, 2)", 0, "tensor([[0., 0.],\n        [0., 0.]])\n[2, 2]  float32\n"},
      {"torch.full((2,), float('-inf')).softmax(dim=0)", 0, "tensor([nan, nan])\n[2]  float32\n"},
      {"5 % 0", 1, "zero-division: integer modulo by zero"},
      {"torch.tensor([5]) % 0", 1, "ZeroDivisionError"},
      {"torch.zeros(0).max()", 1, "<code>:1:1: "},
      {"torch.zeros(-1)", 1, "negative dimension"},
      {"torch.ones(2, 3) + torch.ones(4)", 1, "shape: "},
      {"torch.ones(2, 3)[5]", 1, "index"},
      {"[1][2 ** 62]", 1, "index"},
      {"torch.ones(6).view(-1, -1)", 1, "only one dimension can be inferred"},
      {"torch.ones(6).view(4)", 1, "shape '[4]' is invalid for input of size 6"},
      {"torch.ones(2).transpose(0, 9)", 1, "Dimension out of range"},
      {"torch.ones(2, 2).permute(0, 0)", 1, "duplicate dims"},
      {"nn.Dropout(2.0)", 1, "dropout probability has to be between 0 and 1, but got 2.0"},
      {"1 << 64", 1, "unsupported: "},
      {"10 ** 400", 1, "unsupported: "},
      {"(-2 ** 63) // -1", 1, "unsupported: "},
      {"1__0", 1, "syntax: "},
      {"0x", 1, "syntax: "},
      {"1.2.3", 1, "syntax: "},
      {"None = 1", 1, "syntax: "},
      {"open('/etc/passwd')", 1, "unsupported: open() may not read files here"},
      {"__import__('os').system('id')", 1, "unsupported: __import__() is not known here"},
      {"eval('1')", 1, "unsupported: eval() is not known here"},
      {"torch.load('x')", 1, "<code>:1:1: "},
      {"(1).__class__.__mro__", 1, "<code>:1:1: "},
      {"f = lambda n: f(n + 1)\nf(0)", 1, "runtime: maximum recursion depth exceeded"},
      {"'a' * 10 ** 12", 5, "limit: "},
      {"[0] * 10 ** 12", 5, "limit: "},
      {"torch.zeros(10 ** 10)", 5, "limit: this tensor needs 37.3 GiB, and 0 bytes of the allowed 2.0 GiB are in use"},
  };
  for (const CodeCase& c : cases) {
    const Ended ended = run_program({"eval", c.code});
    EXPECT_EQ(ended.code, c.exit_code) << c.code << "\nsignal " << ended.signal << "\n" << ended.out << ended.err;
    if (c.exit_code == 0) {
      EXPECT_EQ(ended.out, c.text) << c.code;
    } else {
      EXPECT_EQ(ended.out, "") << c.code;
      EXPECT_THAT(ended.err, HasSubstr(c.text)) << c.code;
      EXPECT_THAT(ended.err, Not(HasSubstr("bug in attn-tutor"))) << c.code;
    }
  }
}

#if !defined(ATTN_SANITIZED)  // which needs terabytes of addresses
TEST(Untrusted, AListThatOutgrowsTheMemoryThereIs) {
  Conditions conditions;
  conditions.address_space = 400L << 20;
  const Ended ended = run_program({"eval", "list(range(10 ** 12))"}, conditions);
  EXPECT_EQ(ended.code, 5) << "signal " << ended.signal;
  EXPECT_THAT(ended.err, testing::HasSubstr("limit: this needs more memory than the run may use\n  list(range"));
  EXPECT_EQ(ended.out, "");
}
#endif

}  // namespace
}  // namespace attn
