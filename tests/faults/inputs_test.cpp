// Lesson files and code from strangers, row by row of the list in docs/testing.md: the exit code and the message.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "tests/faults/faults.h"

namespace attn {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

std::string references(int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += "[a" + std::to_string(i * 65536) + "]: /b\n";
  return out;
}

std::vector<Row> lessons() {
  return {
      {"B1 NULs alone", std::string(4, '\0'), 3, "a lesson needs a title"},
      {"B2 not UTF-8", "# T \xff\xc0\xaf \xed\xa0\x80 end\xe2\x82" + kCell, 0, "T \ufffd"},
      {"B3 CR alone", "# T\r\r```python\rx = 1\r```\r", 0, "x = 1"},
      {"B3 mixed ends of lines", "# T\r\n\r\n```python\r\nx = 1\n```\r\n", 0, "x = 1"},
      {"B3 no end of the last line", "# T\n\n```python\nx = 1\n```", 0, "x = 1"},
      {"B6 10,000 marks on a letter", "# T a" + repeated("\u0301", 10'000) + kCell, 0, "x = 1"},
      {"B11 too large", repeated("a", 1'100'000), 3, "is larger than the allowed 1048576 bytes"},
      {"B11 one line", "# T\n\n" + repeated("a", 1'000'000) + kCell, 0, "x = 1"},
      {"B11 many headings", "# T\n\n" + repeated("# h\n", 200'000) + kCell, 0, "x = 1"},
      {"B15 colliding labels", "# T\n\n" + references(25'000) + kCell, 0, "x = 1"},
      {"B16 a cell without end", "# T\n\n```python\nwhile True: pass\n```\n", 5, "units of work"},
  };
}

TEST(Inputs, LessonsFromStrangers) {
  for (const Row& row : lessons()) {
    const Workshop workshop;
    workshop.put("01-a.md", row.text);
    const Ended ended = run_program({"lesson", workshop.file("01-a.md"), "--max-steps", "1000000"});
    EXPECT_EQ(ended.code, row.code) << row.row << ended.err.substr(0, 500);
    EXPECT_THAT(row.code == 0 ? ended.out : ended.err, HasSubstr(row.message)) << row.row;
    EXPECT_FALSE(ended.hung) << row.row;
  }
}

std::vector<Row> code() {
  return {
      {"C2 NUL", std::string("a = 'b"), 1, "unterminated string literal"},
      {"C2 a sign that Python lacks", "a = $", 1, "<code>:1:5: syntax"},
      {"C2 a mark of direction in a name", "a\u202e = 1", 1, "syntax"},
      {"C3 more than can be counted", "torch.zeros(2 ** 40, 2 ** 40)", 1, "Storage size calculation overflowed"},
      {"C3 more than there is", "torch.zeros(10 ** 18)", 5, "limit: this tensor needs"},
      {"C3 beyond 64 bits", "torch.zeros(2 ** 63)", 1, "does not fit 64 bits"},
      {"C3 nine axes", "torch.zeros(1, 1, 1, 1, 1, 1, 1, 1, 1).dim()", 0, "9\n"},
      {"C4 doubling", "x = torch.ones(2 ** 20)\nfor i in range(60): x = torch.cat([x, x])", 5,
       "limit: this tensor needs"},
      {"C4 nothing, often", "print(repr('' * 2 ** 62), [] * 2 ** 61, () * 2 ** 60)", 0, "'' [] ()"},
      {"C4 rows of nothing", "torch.zeros(2 ** 40, 0).topk(0).values.shape, torch.zeros(2 ** 40, 0).sort(0)[0].shape",
       0, "(torch.Size([1099511627776, 0]), torch.Size([1099511627776, 0]))"},
      {"C4 none of few, often", "import math\nprint(math.perm(3, 2 ** 60), math.comb(3, 2 ** 60))", 0, "0 0"},
      {"C4 many", "y = [torch.ones(2 ** 24) for i in range(1000)]", 5, "limit: this tensor needs"},
      {"C6 the smallest int", "torch.tensor([-2 ** 62 * 2]) // -1", 0, "tensor([-9223372036854775808])"},
      {"C6 its remainder", "torch.tensor([-2 ** 62 * 2]) % -1", 0, "tensor([0])"},
      {"C6 its size", "abs(torch.tensor([-2 ** 62 * 2]))", 0, "tensor([-9223372036854775808])"},
      {"C6 by zero", "torch.tensor([1, 2]) // 0", 1, "ZeroDivisionError"},
      {"C6 a shift", "1 << -1", 1, "negative shift count"},
      {"C7 too large a number", "9223372036854775808", 1, "more than 64 bits"},
      {"C7 too many digits", repeated("9", 60'000), 1, "more than 64 bits"},
      {"C7 beyond floats", "1e400, 1e-400", 0, "(inf, 0.0)"},
      {"C8 no rows", "F.softmax(torch.ones(0, 3), dim=0).shape", 0, "torch.Size([0, 3])"},
      {"C8 a temperature of 0", "F.softmax(torch.tensor([1., 2.]) / 0, dim=0)", 0, "tensor([nan, nan])"},
      {"C11 a step of 0", "torch.zeros(2)[::0]", 1, "slice step cannot be zero"},
      {"C11 far out", "torch.zeros(2)[2 ** 62]", 1, "is out of bounds for dimension 0"},
      {"C11 a far slice", "torch.zeros(2)[2 ** 62:].shape", 0, "torch.Size([0])"},
      {"C12 repeated axes", "torch.zeros(2, 2).permute(0, 0)", 1, "duplicate dims"},
      {"C13 no heads", "nn.MultiheadAttention(8, 0)", 1, "<code>:1:1: "},
      {"C13 heads that do not divide", "nn.MultiheadAttention(8, 3)", 1, "embed_dim must be divisible by num_heads"},
      {"C14 an unknown name", "torch.ones(2).sofmax(0)", 1, "softmax"},
      {"C14 a keyword", "lambda = 1", 1, "<code>:1:8: syntax"},
      {"C15 attributes of objects", "torch.ones(1).__class__.__bases__", 1, "<code>:1:1: "},
      {"C15 the system", "import os\nos.system('id')", 1, "os"},
      {"C16 too many steps", "torch.arange(0, 1, 1e-300)", 1, "invalid size, possible overflow?"},
      {"C16 too many copies", "torch.ones(1).repeat(10 ** 9).sum()", 5, "limit: this tensor needs"},
      {"C16 all letters", "torch.einsum('abcdefghijklmnopqrstuvwxyz->', torch.ones([1] * 26)).item()", 0, "1.0"},
      {"C3 an array beyond what can be counted", "import numpy as np\nnp.zeros(2 ** 62)", 1, "<code>:2:1: "},
      {"C3 an indent below 0", "import json\njson.dumps([1], indent=-1)", 0, "[\\n1\\n]"},
      {"C17 ten million", "torch.arange(10 ** 7)", 0,
       "tensor([      0,       1,       2,  ..., 9999997, 9999998, 9999999])"},
      {"C17 signs and sizes", "torch.tensor([-0.0, 5e-324, 1e300], dtype=torch.float64)", 0,
       "tensor([-0.0000e+00, 4.9407e-324, 1.0000e+300]"},
  };
}

TEST(Inputs, CodeFromStrangers) {
  for (const Row& row : code()) {
    const Ended ended = run_program({"eval", row.text});
    EXPECT_EQ(ended.code, row.code) << row.row << ended.err.substr(0, 500);
    EXPECT_THAT(row.code == 0 ? ended.out : ended.err, HasSubstr(row.message)) << row.row;
    EXPECT_LT(ended.err.size(), 3000u) << row.row;
  }
}

struct Link {
  const char* text;  // @ stands for a pipe that nobody writes to: who opened it would wait
  int code;
};

const Link kLinks[] = {
    {"[a](@)", 3},
    {"[a](../pipe.md)", 3},
    {"[a](file://@)", 3},
    {"[a](javascript:alert(1))", 3},
    {"[a](data:text/html,x)", 3},
    {"[a](pipe.md)", 0},
    {"![a](@)", 3},
    {"![a](file://@)", 3},
    {"![a](pipe.md)", 0},
    {"<script src='@'></script> <img src=@ onerror=alert(1)>", 0},
    {"<a href='javascript:alert(1)'>a</a> [b](https://example.org/)", 0},
};

// B13: what a lesson links to is never opened, and no format has a live link but to the web.
TEST(Inputs, LinksAreNotFollowed) {
  const Workshop workshop;
  const std::string pipe = workshop.file("pipe.md");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const Link& link : kLinks) {
    std::string text = link.text;
    for (std::size_t at; (at = text.find('@')) != text.npos;) text.replace(at, 1, pipe);
    workshop.put("01-a.md", "# T\n\n" + text + kCell);
    for (const char* format : {"txt", "md", "html", "ipynb", "json", "py"}) {
      const Ended ended = run_program({"export", workshop.file("01-a.md"), "-o", "-", "--format", format});
      EXPECT_EQ(ended.code, link.code) << format << link.text << ended.err;
      EXPECT_FALSE(ended.hung) << format << link.text;
      for (const char* live :
           {"href=\"javascript:", "href='javascript:", "href=\"file:", "src=\"file:", "<script src=", "<img"})
        EXPECT_TRUE(std::string(format) != "html" || ended.out.find(live) == std::string::npos) << link.text << live;
    }
  }
}

// A8: places in the environment that are nowhere, or too long.
TEST(Inputs, AnOddEnvironment) {
  for (const char* name :
       {"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "TMPDIR", "LANG", "LC_ALL", "TERM", "COLUMNS"}) {
    for (const std::string& value : {std::string(), std::string("/proc/none"), std::string(100'000, 'x')}) {
      Conditions conditions;
      conditions.environment[name] = value;
      const Ended ended = run_program({"lesson", "0", "--shapes"}, conditions);
      EXPECT_EQ(ended.code, 0) << name << "=" << value.substr(0, 20) << ended.err.substr(0, 300);
    }
  }
}

// A6: what stands behind -- is a name; of two values the last one counts.
TEST(Inputs, NamesThatLookLikeOptions) {
  const Workshop workshop;
  workshop.put("-f.md", "# T" + kCell);
  Conditions conditions;
  conditions.folder = workshop.path();
  EXPECT_EQ(run_program({"lesson", "--", "-f.md"}, conditions).code, 0);
  const std::string narrow = run_program({"lesson", "0", "--width", "60"}).out;
  EXPECT_EQ(run_program({"lesson", "0", "--width", "40", "--width", "60"}).out, narrow);
}

TEST(Inputs, AfterAnInterruptTheFinishedStepsAreShown) {
  const Workshop workshop;
  for (const std::string last : {"i", "x = x.float() + 1"}) {  // of tensors it takes ops to show what they are
    workshop.put("a.py", "import torch\nx = torch.arange(3)\nfor i in range(10 ** 12):\n  " + last + "\n");
    Conditions conditions;
    conditions.interrupt_after = 1000;
    const Ended ended =
        run_program({"run", workshop.file("a.py"), "--transcript", workshop.file(last + ".md")}, conditions);
    EXPECT_EQ(ended.code, 130) << "signal " << ended.signal;
    for (const std::string& text : {ended.out, workshop.text(last + ".md")}) {
      EXPECT_THAT(text, HasSubstr("x = torch.arange(3)"));
      EXPECT_THAT(text, HasSubstr(last));
    }
    EXPECT_THAT(ended.err, ContainsRegex("a.py:[34]:[13]: interrupt"));
  }
}

#if !defined(ATTN_SANITIZED)  // which may take longer to get there
TEST(Inputs, WhatTakesLongToShowIsLeftOutAfterAnInterrupt) {
  const Workshop workshop;
  workshop.put("a.py", "print('-' * 10 ** 8)\nwhile True: pass\n");
  Conditions conditions;
  conditions.interrupt_after = 4000;
  const Ended ended = run_program({"run", workshop.file("a.py")}, conditions);
  EXPECT_EQ(ended.code, 130) << "signal " << ended.signal;
  EXPECT_THAT(ended.err, HasSubstr("what was reached is not shown"));
  EXPECT_THAT(ended.err, ContainsRegex("a.py:[12]:1: interrupt"));
}
#endif

TEST(Inputs, AViewOfMoreElementsThanMemoryHoldsIsShown) {
  const Workshop workshop;
  workshop.put("a.py", "import torch\nx = torch.zeros(1).expand(10 ** 9, 10 ** 9)\nx\nx.unsqueeze(0)\n");
  const Ended ended = run_program({"run", workshop.file("a.py")});
  EXPECT_EQ(ended.code, 0) << ended.hung;
  EXPECT_THAT(ended.out, HasSubstr("1000000000"));
}

TEST(Inputs, ALongMessageIsCutWhereverItIsShown) {
  const Workshop workshop;
  workshop.put("a.py", "raise ValueError('z' * 10 ** 8)\n");
  const Ended ended = run_program({"run", workshop.file("a.py")});
  EXPECT_EQ(ended.code, 1);
  EXPECT_LT(ended.out.size(), 2000u);
  EXPECT_LT(ended.err.size(), 2000u);
}

}  // namespace
}  // namespace attn
