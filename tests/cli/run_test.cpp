// attn-tutor run: notebooks, scripts and Markdown of learners, as they stand.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/cli/program.h"
#include "tests/cli/same_text.h"
#include "tests/lesson/notebook.h"

namespace attn {
namespace {

using test::markdown;
using test::notebook;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// Runs a file of that name; what was written has "FILE" for its path.
Ended run_text(const std::string& name, const std::string& text, const Words& options = {}) {
  const TemporaryFile file(name, text);
  Words words = {"run", file.path()};
  words.insert(words.end(), options.begin(), options.end());
  Ended ended = run_program(words);
  for (std::string* written : {&ended.out, &ended.err}) {
    for (std::size_t at = 0; (at = written->find(file.path())) != std::string::npos;)
      written->replace(at, file.path().size(), "FILE");
  }
  return ended;
}

Ended plain_run(const std::string& name, const std::string& text) { return run_text(name, text, {"--plain"}); }

/// What a notebook of these cells prints with --plain.
std::string output_of(const std::vector<test::NotebookCell>& cells) {
  const Ended ended = plain_run("a.ipynb", notebook(cells));
  EXPECT_EQ(ended.code, 0) << ended.err;
  return ended.out;
}

// ---- what is shown ----

#if !defined(ATTN_SANITIZED)  // which counts no objects
TEST(Run, ShowsATensorThatIsStretchedToAnyLength) {
  const Ended ended = run_text("a.py",
                               "import torch\nx = torch.ones(1).expand(2**40)\ny = torch.ones(3, 1).expand(3, 2**30)\n"
                               "z = torch.ones(1, 2).expand(2**30, 2)\n");
  EXPECT_EQ(ended.code, 0) << ended.err;
  for (const char* count : {"all 1.0   1099511627776 numbers", "all 1.0   3221225472 numbers", "2147483648 numbers"})
    EXPECT_THAT(ended.out, HasSubstr(count));
}

TEST(Run, ACellThatNeedsTooMuchMemoryEndsAndTheNextRun) {
  const Ended ended = run_text("a.ipynb",
                               notebook({{"print(1)\nx = [i for i in range(10**12)]\nprint('not here')"},
                                         {"print(2)\ny = ','.join('a' * 10**8)"},
                                         {"print(3)"}}),
                               {"--plain", "--max-memory", "40M"});
  EXPECT_EQ(ended.out, "1\n2\n3\n");
  EXPECT_EQ(ended.code, 5);
  EXPECT_THAT(ended.err, HasSubstr("x = [i for i in range(10**12)]\n"));
  EXPECT_THAT(ended.err, HasSubstr("y = ','.join('a' * 10**8)\n"));
}

#if !defined(ATTN_SANITIZED)  // which count no memory
TEST(Run, WhatTakesTooMuchMemoryToShowIsSaid) {
  const TemporaryFile lines("lines.py", "print('\\n' * 10**8)\n");
  const Ended ended = run_program({"run", lines.path(), "--max-memory", "500M"});
  EXPECT_EQ(ended.code, 5) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("what was done is not shown: that would need more memory"));
}
#endif

// Whatever is made without end: what the process has at most is the limit, the program itself and, where it is
// recorded, the record.
TEST(Run, MemoryStaysWithinTheLimitWhateverIsMade) {
  constexpr long kLimit = 64 << 20, kProgram = 28 << 20, kRecord = 64 << 20;
  for (const std::string code :
       {"[i for i in range(10**12)]", "min([1] * 10**8)", "{i: i for i in range(10**12)}", "tuple(range(10**10))",
        "set(range(10**10))", "','.join('a' * 10**8)", "s = 'a'\nwhile True: s = s + s",
        "a = []\nwhile True: a.append(str(len(a)))", "import torch\na = []\nwhile True: a.append(torch.ones(1))",
        "import torch\na = []\nwhile True: a.append(torch.ones(3, 3))",
        "import numpy as np\na = []\nwhile True: a.append(np.zeros(2))",
        "import torch\nx = torch.ones(1, requires_grad=True)\nwhile True: x = x * 1",
        "class A: pass\na = []\nwhile True:\n    x = A()\n    x.y = 1\n    a.append(x)",
        "a = []\nwhile True: a.append(lambda x: x)", "a = []\nwhile True: a = [a]",
        "a = []\nfor i in range(10**9):\n    x = 'a' * (1000 + i)\n    if i % 6 == 0: a.append(x)",  // holes between
                                                                                                     // them
        "import re\nre.match('(ab)*', 'ab' * 8 * 10**6)"}) {
    const Ended plain = run_text("a.py", code + "\n", {"--plain", "--max-memory", "64M"});
    const Ended whole = run_text("a.py", code + "\n", {"--max-memory", "64M"});
    const Ended value = run_program({"eval", "--max-memory", "64M", code});
    for (const Ended* ended : {&plain, &whole, &value}) {
      EXPECT_EQ(ended->code, 5) << code << ended->err;
      EXPECT_THAT(ended->err, HasSubstr(": limit: ")) << code;
      EXPECT_LT(ended->peak, kLimit + kProgram + (ended == &whole ? kRecord : 0)) << code;
    }
  }
}

TEST(Run, AFieldThatTakesAllMemoryHasItsPlace) {
  const Ended ended = run_text("01-a.md", "# T\n\n```python\nx = 1\n```\n\nThat is {{ list(range(10**9)) }}.\n",
                               {"--max-memory", "40M"});
  EXPECT_EQ(ended.code, 5);
  EXPECT_THAT(ended.err, HasSubstr("FILE:7:"));
}

// What was followed is not held beyond that.
TEST(Run, ALongRunHoldsNothingOfItsBeginning) {
  const std::string code = "import torch\nd = [None] * 100\nfor i in range(5000): d[i % 100] = torch.zeros(10**5)\n";
  const Ended ended = run_text("a.py", code, {"--plain", "--max-memory", "64M"});
  EXPECT_EQ(ended.err, "");
  EXPECT_LT(ended.peak, (56 + 28) << 20);
}

// What goes out at once is not kept beside.
TEST(Run, WhatAStatementPrintsIsNotHeldWhereItGoesOutAtOnce) {
  const Ended ended = run_text("a.py", "for i in range(80): print('x' * 10**6)\n", {"--plain", "--max-memory", "32M"});
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(ended.out.size(), 80u * 1'000'001);
  EXPECT_LT(ended.peak, (32 + 28) << 20);
}

// What trains for a while is followed for some steps, and changes are tried on these.
TEST(Run, ALongTrainingIsTriedWithTheChangeOfANote) {
  const std::string code =
      "import torch\nlayer = torch.nn.Linear(4, 4)\noptimizer = torch.optim.SGD(layer.parameters(), lr=0.01)\n"
      "x = torch.ones(3, 4)\nfor i in range(3000):\n    loss = layer(x).square().mean()\n    loss.backward()\n"
      "    optimizer.step()\nprint(loss.item() < 1)\n";
  const Ended ended = run_text("a.py", code, {"--plain"});
  EXPECT_THAT(ended.err, HasSubstr("  fix:  optimizer.zero_grad(); loss.backward()\n"));
}

// Blocks of every size come and go; what the record keeps of them does not count where the run is shown.
TEST(Run, TensorsThatGrowLeaveNoHoles) {
  const std::string code =
      "import torch\nx = torch.ones(1)\n"
      "while x.numel() < 4 * 10**6: x = torch.nn.functional.pad(x, (0, 1000 + len(x) // 50))\nprint('whole')\n";
  const Ended plain = run_text("a.py", code, {"--plain", "--max-memory", "64M"});
  const Ended shown = run_text("a.py", code, {"--max-memory", "64M"});
  for (const Ended* ended : {&plain, &shown}) {
    EXPECT_EQ(ended->err, "");
    EXPECT_THAT(ended->out, HasSubstr("whole\n"));
  }
  EXPECT_LT(plain.peak, (64 + 28) << 20);
}

TEST(Run, BytesOfAScriptThatAreNoTextAreTold) {
  const Ended ended = plain_run("a.py", "x = 'a\xe9'\nprint(len(x))\n");
  EXPECT_EQ(ended.out, "2\n");
  EXPECT_THAT(ended.err, HasSubstr("FILE:1:7: warning: format: some bytes are not UTF-8"));
}

// What wraps a line takes many times the memory that it has.
TEST(Run, OneLongLineIsShownInPieces) {
  const Ended ended = run_text("a.py", "print('\\u00e9' * 5 * 10**6)\n", {"--max-memory", "100M"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_GT(ended.out.size(), 10u * 1000 * 1000);
}

// A second copy is a pass that hears no Ctrl-C, and takes the memory again.
TEST(Run, LongArraysAndMessagesAreNotCopied) {
  const std::string make_array = "import numpy as np\nx = np.";
  for (const std::string code :
       {make_array + "arange(3 * 10**6)", make_array + "arange(0.0, 3 * 10**6)",
        make_array + "linspace(0, 1, 3 * 10**6)", make_array + "random.rand(3 * 10**6)",
        make_array + "random.permutation(3 * 10**6)", make_array + "random.default_rng(0).random(3 * 10**6)",
        make_array + "random.default_rng(0).permutation(3 * 10**6)",
        std::string("try: raise Exception('b' * 12 * 10**6)\nexcept Exception as e: print(len(e.args[0]))")}) {
    const Ended ended = run_text("a.py", code + "\n", {"--plain", "--max-memory", "32M"});
    EXPECT_EQ(ended.err, "") << code;
    EXPECT_LT(ended.peak, (32 + 28) << 20) << code;
  }
}
#endif

// The numbers that a write replaces are kept only where a gradient asks for them, and what a backward pass makes on its
// way goes as it went by.
TEST(Run, WritesAndTheirGradientsKeepNoCopies) {
  const std::string code =
      "import torch\nw = torch.ones(10**6, requires_grad=True)\nh = torch.zeros(10**6) * w\n"
      "for i in range(40):\n    h[:10] = w[0] * i\n    h[10:20] += 1\n"
      "h.sum().backward()\nprint(w.grad.sum())\n";
  const Ended ended = run_text("a.py", code, {"--plain", "--max-memory", "64M"});
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(ended.out, "tensor(390.)\n");
}

// A sum asks for none of its numbers on the way back, a product with a number for none of its tensor's.
TEST(Run, HistoriesKeepOnlyWhatAGradientAsksFor) {
  const std::string code =
      "import torch\nw = torch.ones(10**6, requires_grad=True)\nh = w\n"
      "for i in range(40):\n    h = (h + 1) * 0.5 - w\n"
      "h.sum().backward()\nprint(w.grad[0])\n";
  const Ended ended = run_text("a.py", code, {"--plain", "--max-memory", "48M"});
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(ended.out, "tensor(-2.)\n");
}

TEST(Run, PlainWritesWhileItRuns) {
  EXPECT_EQ(run_text("a.py", "print('first')\nwhile True:\n    x = 1\n", {"--plain", "--max-steps", "100000"}).out,
            "first\n");
}

TEST(Run, AScript) {
  const std::string script = "import torch\nx = torch.arange(6).view(2, 3)  # (a, b)\nprint(x.sum())\nx\n";
  const Ended shown = run_text("a.py", script);
  EXPECT_EQ(shown.code, 0);
  EXPECT_EQ(shown.err, "");
  EXPECT_THAT(shown.out,
              AllOf(StartsWith("a.py\n"), HasSubstr("\n  2  x = torch.arange(6)"), HasSubstr("x [a 2, b 3]")));
  EXPECT_EQ(plain_run("a.py", script).out, "tensor(15)\n") << "as python a.py: the last expression is not printed";
}

TEST(Run, ANotebook) {
  const std::string text = notebook({markdown("# Mine\n\nSome *prose*."), {"x = 2"}, {"print('a')\nx + 1"}});
  EXPECT_THAT(run_text("a.ipynb", text).out,
              AllOf(StartsWith("Mine\n"), HasSubstr("Some *prose*."), HasSubstr("gives 3")));
  EXPECT_EQ(plain_run("a.ipynb", text).out, "a\n3\n");
}

TEST(Run, OneStepAndTheLedger) {
  const std::string script = "import torch\ndef f(n):\n    return torch.ones(n)\nx = f(2)\ny = f(3)\n";
  const std::string step = run_text("a.py", script, {"--step", "6"}).out;
  EXPECT_THAT(step,
              AllOf(HasSubstr("step 6 of 6\n\ninside f\n"), HasSubstr("return torch.ones(n)"), HasSubstr("gives [3]")))
      << "a step that the whole text leaves out";
  const std::string all = run_text("a.py", script).out;
  EXPECT_THAT(all, HasSubstr("inside f: as at step 4, here step 6, with 3 on axis 0 of the result (there 2)\n"));
  EXPECT_THAT(run_text("a.py", script, {"--every-call"}).out, Not(HasSubstr("as at step")));
  EXPECT_THAT(run_text("a.py", script, {"--step", "7"}).err, HasSubstr("--step 7: this program has steps 1 to 6\n"));
  EXPECT_THAT(run_text("a.py", script, {"--shapes"}).out, HasSubstr("[3]"));
}

TEST(Run, MarkdownThatIsNoLesson) {
  const std::string text = "# Mine\n\n```python title=x\nimport torch\nx = 2\n```\n\nWords.\n\n```python\nx + 1\n```\n";
  EXPECT_THAT(run_text("mine.md", text).out, AllOf(StartsWith("Mine\n"), HasSubstr("Words."), HasSubstr("gives 3")));
  EXPECT_EQ(plain_run("mine.md", text).out, "3\n");
  const Ended bad = run_text("mine.md", "# Mine\n\n```python\nx = 2\n```\n\n```python\nx +\n```\n");
  EXPECT_EQ(bad.code, 1);
  EXPECT_THAT(bad.err, StartsWith("FILE:8:4: syntax:"));
}

TEST(Run, ALesson) {
  const std::string text =
      "# L\n\n```python parameters\nseed = 0\n```\n\n```python\nimport torch\ntorch.manual_seed(seed)\n"
      "x = torch.rand(1)\n```\n";
  EXPECT_THAT(run_text("01-l.md", text, {"--seed", "5"}).out, HasSubstr("seed = 5"));
  EXPECT_EQ(run_text("01-l.md", "# L\n\n```python foo\nx = 1\n```\n").code, 3) << "held to the format of lessons";
}

TEST(Run, TheLastValueOfACellAsJupyterShowsIt) {
  const std::pair<std::vector<test::NotebookCell>, std::string> cases[] = {
      {{{"3"}, {"_ + 1"}, {"_"}}, "3\n4\n4\n"},
      {{{"3"}, {"4;"}, {"_"}}, "3\n3\n"},
      {{{"3"}, {"4;  # quiet"}, {"5 # ; loud"}, {"x = 6"}}, "3\n5\n"},
      {{{"3"}, {"None"}, {"print('p')"}, {"_"}}, "3\np\n3\n"},
      {{{"_ = 7\n3"}, {"_"}}, "3\n7\n"},
      {{{"for _ in range(3): pass\n9"}, {"_"}}, "9\n2\n"},
      {{{"'text'"}, {"1, 2"}, {"if True:\n    5"}}, "'text'\n(1, 2)\n"},
      {{{"import torch\ntorch.ones(2)"}, {"_.sum()"}}, "tensor([1., 1.])\ntensor(2.)\n"},
  };
  for (const auto& [cells, expected] : cases) EXPECT_EQ(output_of(cells), expected);
}

TEST(Run, CommandsOfTheNotebookArePassedOver) {
  const std::string text =
      notebook({{"%matplotlib inline\n!pip install torch\nx = 1\nprint(x)"}, {"%%bash\nls"}, {"%%time\nprint(2)"}});
  const Ended ended = plain_run("a.ipynb", text);
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.out, "1\n2\n");
  EXPECT_THAT(ended.err, AllOf(HasSubstr("FILE [cell 1]:1:1: note: unsupported: this is a command of the notebook"),
                               HasSubstr("FILE [cell 1]:2:1: note:"), HasSubstr("FILE [cell 2]:1:1: note:")));
  EXPECT_EQ(run_text("a.ipynb", text, {"--plain", "--quiet"}).err, "");
  const Ended script = plain_run("a.py", "%matplotlib inline\n");
  EXPECT_EQ(script.code, 1) << "a script with them is no Python";
}

// ---- what goes wrong ----

TEST(Run, AfterACellThatFailsTheOthersRun) {
  const Ended ended = plain_run(
      "a.ipynb",
      notebook({{"print(1)\nx = 1 / 0\nprint('not here')"}, {"print(2)"}, {"def f(:\n  pass"}, {"print(3)"}}));
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(ended.out, "1\n2\n3\n");
  EXPECT_EQ(ended.err,
            "FILE [cell 1]:2:5: zero-division: division by zero\n  x = 1 / 0\n      ^~~~~\n"
            "FILE [cell 3]:1:7: syntax: invalid syntax\n  def f(:\n        ^\n");
}

TEST(Run, AScriptEndsWhereItFails) {
  const Ended ended = plain_run("a.py", "print(1)\nassert 1 > 2, 'no'\nprint(2)\n");
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(ended.out, "1\n");
  EXPECT_THAT(ended.err, StartsWith("FILE:2:1: assertion: no\n"));
}

TEST(Run, WhatProgramsMayNotDo) {
  const std::pair<const char*, const char*> cases[] = {
      {"import requests; requests.get('http://x')", "FILE:1:18: unsupported: requests.get is not known here"},
      {"import os; os.system('ls')", "FILE:1:12: unsupported: os.system is not known here"},
      {"from os import system; system('ls')", "FILE:1:24: unsupported: os.system is not known here"},
      {"open('/etc/passwd').read()", "FILE:1:1: runtime: /etc/passwd: only files in the program's folder"},
      {"open('../x')", "FILE:1:1: runtime: ../x: only files in the program's folder"},
      {"open('made', 'r+')", "FILE:1:1: unsupported: "},
      {"open('none')", "FILE:1:1: runtime: [Errno 2] No such file or directory: 'none'"},
      {"x = input()", "FILE:1:5: unsupported: input() is not known here"},
      {"eval('1')", "FILE:1:1: unsupported: eval() is not known here"},
      {"__import__('os')", "FILE:1:1: unsupported: __import__() is not known here"},
  };
  for (const auto& [script, message] : cases) {
    const Ended ended = plain_run("a.py", std::string(script) + "\n");
    EXPECT_EQ(ended.code, 1) << script;
    EXPECT_THAT(ended.err, StartsWith(message)) << script;
    EXPECT_EQ(ended.out, "");
  }
  // A name of the program's own is its own.
  EXPECT_EQ(plain_run("a.py", "def open(x): return x\nprint(open(3))\n").out, "3\n");
}

TEST(Run, Limits) {
  const std::string deep =
      "def f(n):\n    return 0 if n == 0 else f(n - 1)\nprint('start')\nf(990)\nprint('deep')\nf(10 ** 6)\n";
  const Ended recursion = plain_run("a.py", deep);
  EXPECT_EQ(recursion.code, 1);
  EXPECT_EQ(recursion.out, "start\ndeep\n");
  EXPECT_THAT(recursion.err, HasSubstr("runtime: maximum recursion depth exceeded"));
  EXPECT_LT(run_text("a.py", deep).out.size(), 20'000u);
  const Ended loop = run_text("a.py", "while True:\n    x = 1\n", {"--plain", "--max-steps", "10000"});
  EXPECT_EQ(loop.code, 5);
  EXPECT_THAT(loop.err, HasSubstr("the limit of 10000 units of work is reached"));
  const Ended shown = run_text("a.py", "x = 7 * 6\nwhile True:\n    y = 1\n", {"--max-steps", "3000"});
  EXPECT_EQ(shown.code, 5);
  EXPECT_THAT(shown.out, AllOf(HasSubstr("x = 7 * 6"), HasSubstr("42"))) << "what was reached is shown";
  const Ended caught =
      plain_run("a.py", "def f():\n    f()\ntry:\n    f()\nexcept RecursionError:\n    print('caught')\n");
  EXPECT_EQ(caught.out, "caught\n") << "Python's own limit is an exception of the program";
}

TEST(Run, FilesThatAreNone) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "FILE:1:1: format: here the file stops being JSON"},
      {"{\"cells\": [", "FILE:1:12: format: here the file stops being JSON"},
      {"{}", "FILE:1:1: format: this JSON is not a notebook"},
      {std::string(100'000, '['), "FILE:1:1: format: this JSON is nested over 100 deep"},
      {notebook({{"x"}}, "julia"), "FILE:1:1: format: this notebook is written in julia, not in Python"},
  };
  for (const auto& [text, message] : cases) {
    const Ended ended = run_text("a.ipynb", text);
    EXPECT_EQ(ended.code, 3) << message;
    EXPECT_THAT(ended.err, StartsWith(message));
    EXPECT_EQ(ended.out, "");
  }
  EXPECT_EQ(run_program({"run", "/none/a.py"}).code, 3);
  EXPECT_EQ(run_program({"run", "/none/a.ipynb"}).err, "attn-tutor: /none/a.ipynb: No such file or directory\n");
  EXPECT_EQ(run_program({"run", "/none/a.md"}).code, 3);
}

// ---- outputs that are saved in the file ----

TEST(Run, SavedOutputsAreCompared) {
  const std::string text = notebook({{"print(1)\nprint(2)", "1\n3\n"}, {"0.1 + 0.2", "", "0.3"}, {"5", "", "5"}});
  const Ended ended = plain_run("a.ipynb", text);
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.err,
            "FILE [cell 1]: note: the output saved in the file differs at its line 2\n  saved  3\n  now    2\n");
  EXPECT_EQ(run_text("a.ipynb", text, {"--plain", "--ignore-outputs"}).err, "");
  EXPECT_EQ(run_text("a.ipynb", text, {"--plain", "--quiet"}).err, "");
  std::string list, lines;
  for (int i = 0; i < 40; ++i) {
    list += (i ? ", " : "") + std::to_string(i);
    lines += (i ? ",\n " : "") + std::to_string(i);
  }
  EXPECT_EQ(plain_run("a.ipynb", notebook({{"list(range(40))", "", "[" + lines + "]"}})).err, "")
      << "broken by Jupyter";
}

// ---- axis comments ----

struct CommentCase {
  std::string comment;  // of q, which is [2, 3, 4]
  std::string warning;  // "" when it fits
};

TEST(Run, AxisCommentsThatDoNotFitAreWarnings) {
  const CommentCase cases[] = {
      {"# (B, T, C)", ""},
      {"# (B, T)", "axis: q has 3 axes [2, 3, 4], but the comment names 2"},
      {"# Shape: (b, num_tokens, d_out)", ""},
      {"# Shape: (b, d_out)", "axis: q has 3 axes [2, 3, 4], but the comment names 2"},
      {"#q = [batch size, query len, head dim]", ""},
      {"#q = [batch size, n heads, query len, head dim]", "axis: q has 3 axes [2, 3, 4], but the comment names 4"},
      {"#q = [batch size, query len, 5]", "axis: axis 2 of q has size 4, but the comment says 5"},
      {"# torch.Size([2, 3, 4])", ""},
      {"# torch.Size([2, 3, 5])", "axis: axis 2 of q has size 4, but the comment says 5"},
      {"# q: (batch, seq, dim)", ""},
      {"# q: (batch, dim)", "axis: q has 3 axes [2, 3, 4], but the comment names 2"},
      {"# [batch_size, 3, 4]", ""},
      {"# [batch_size, batch_size, 4]", "axis: axis 1 of q has size 3, but the comment says batch_size = 2"},
      {"# (B, T, C) -> (B, T, T)", "axis: axis 2 of q has size 4, but the comment says T"},
      {"# (first)", ""},
      {"# see above (twice)", ""},
  };
  for (const CommentCase& c : cases) {
    // Behind the statement, and on the line below it where the comment says the name.
    Words scripts = {"import torch\nbatch_size = 2\nq = torch.ones(2, 3, 4)  " + c.comment + "\nprint(1)\n"};
    if (c.comment.find('q') < 3)
      scripts.push_back("import torch\nbatch_size = 2\nq = torch.ones(2, 3, 4)\n" + c.comment + "\nprint(1)\n");
    for (const std::string& script : scripts) {
      for (const auto& [name, text] : {std::pair<std::string, std::string>{"a.py", script},
                                       {"a.ipynb", notebook({{script}})},
                                       {"a.md", "# T\n\n```python\n" + script + "```\n"}}) {
        const Ended ended = plain_run(name, text);
        EXPECT_EQ(ended.code, 0) << name << script;
        EXPECT_EQ(ended.out, "1\n");
        if (c.warning.empty()) EXPECT_EQ(ended.err, "") << script;
        else EXPECT_THAT(ended.err, HasSubstr(": warning: " + c.warning)) << script;
      }
    }
  }
}

TEST(Run, AWarningStandsBesideItsLineAndOnce) {
  const Ended ended = run_text("a.py",
                               "import torch\nfor i in range(4):\n    x = torch.ones(2, 3)  # (a, b, c)\n    y = 1\n"
                               "z = torch.ones(2)\n# z: (a, b)\nw = 2\n");
  EXPECT_EQ(ended.code, 0);
  const std::size_t first = ended.out.find("warning: axis: x has 2 axes"),
                    second = ended.out.find("warning: axis: z has 1");
  EXPECT_LT(ended.out.find("x = torch.ones"), first);
  EXPECT_LT(first, ended.out.find("y = 1"));
  EXPECT_EQ(ended.out.find("warning: axis: x", first + 1), std::string::npos);
  EXPECT_LT(ended.out.find("z = torch.ones"), second);
  EXPECT_LT(second, ended.out.find("w = 2"));
  EXPECT_THAT(run_text("a.py", "import torch\nx = torch.ones(2)  # (a, b)\n", {"--quiet"}).err, "");
}

// ---- seeds ----

// torch.rand(1) of PyTorch 1.13.1 after manual_seed(0), (1), (2)
constexpr const char* kFirst[] = {"tensor([0.4963])\n", "tensor([0.7576])\n", "tensor([0.6147])\n"};

TEST(Run, SeedReplacesTheFirstManualSeed) {
  const std::string script =
      "import torch\ntorch.manual_seed(1)\nprint(torch.rand(1))\ntorch.manual_seed(1)\nprint(torch.rand(1))\n";
  EXPECT_EQ(plain_run("a.py", script).out, std::string(kFirst[1]) + kFirst[1]);
  const Ended ended = run_text("a.py", script, {"--plain", "--seed", "2"});
  EXPECT_EQ(ended.out, std::string(kFirst[2]) + kFirst[1]);
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(run_text("a.ipynb", notebook({{script}}), {"--plain", "--seed", "2"}).out, ended.out);
}

TEST(Run, WhatAProgramSaysOnStandardErrorGoesThere) {
  const Ended ended = plain_run("a.py",
                                "import sys, logging\nprint('one', file=sys.stderr)\nsys.stderr.write('two\\n')\n"
                                "print('three')\nlogging.warning('four')\n");
  EXPECT_EQ(ended.out, "three\n");
  EXPECT_EQ(ended.err, "one\ntwo\nWARNING:root:four\n");
}

TEST(Run, WhoMeasuresTimesIsToldThatTheClockOnlyCounts) {
  const std::string script = "import time\nstart = time.time()\n";
  const std::string measured = script + "print(f'{time.perf_counter() - start:.0f} s')\n";
  const Ended ended = plain_run("a.py", measured);
  EXPECT_EQ(ended.out, "0 s\n");
  EXPECT_THAT(ended.err, StartsWith("FILE: note: the clock goes on by a millisecond each time it is read"));
  EXPECT_EQ(run_text("a.py", measured, {"--plain", "--quiet"}).err, "");
  EXPECT_EQ(plain_run("a.py", script).err, "") << "the date alone is no measurement";
}

TEST(Run, WithoutASeedItIsThatOfZeroAndANoteSaysSo) {
  const char* note = "FILE: note: random numbers are drawn before any torch.manual_seed(); they are those of seed 0";
  const std::string script = "import torch\nprint(torch.rand(1))\n";
  const Ended ended = plain_run("a.py", script);
  EXPECT_EQ(ended.out, kFirst[0]);
  EXPECT_THAT(ended.err, StartsWith(note));
  EXPECT_THAT(plain_run("a.py", script + "torch.manual_seed(3)\n").err, StartsWith(note)) << "too late";
  EXPECT_THAT(plain_run("a.py", "import torch\nlayer = torch.nn.Linear(2, 2)\n").err, StartsWith(note));
  EXPECT_EQ(run_text("a.py", script, {"--plain", "--quiet"}).err, "");
  const Ended seeded = run_text("a.py", script, {"--plain", "--seed", "2"});
  EXPECT_EQ(seeded.out, kFirst[2]);
  EXPECT_EQ(seeded.err, "") << "it was asked for";
  EXPECT_EQ(plain_run("a.py", "import torch\nprint(torch.ones(1))\n").err, "") << "nothing is drawn";
  EXPECT_EQ(plain_run("a.py", "import torch\ntorch.manual_seed(0)\nprint(torch.rand(1))\n").err, "");
}

// ---- --watch ----

TEST(Run, WatchRunsAgainUntilInterrupted) {
  const TemporaryFile file("a.py", "print('one')\n");
  const auto save = [&](const std::string& text) {
    const std::string beside = file.path() + ".new";
    std::ofstream(beside) << text;
    std::filesystem::rename(beside, file.path());
  };
  std::thread editor([&] {
    const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(700)); };
    pause();
    std::filesystem::remove(file.path());
    pause();
    save("print('two')\n");
    pause();
    save("print('thr\n");
    pause();
    save("print('four')\n");
  });
  Conditions conditions;
  conditions.interrupt_after = 4500;
  const Ended ended = run_program({"run", file.path(), "--plain", "--watch", "--width", "200"}, conditions);
  editor.join();
  EXPECT_FALSE(ended.hung);
  EXPECT_EQ(ended.code, 130);
  EXPECT_THAT(ended.out, StartsWith("one\n\n" + file.path() + " changed: run 2\n"));
  EXPECT_THAT(ended.out, HasSubstr("\n\ntwo\n"));
  EXPECT_THAT(ended.out, HasSubstr("\n\nfour\n"));
  EXPECT_THAT(ended.err, HasSubstr(":1:7: syntax: "));
  EXPECT_THAT(ended.err, Not(HasSubstr("No such file")));
}

TEST(Run, WatchNeedsAFile) {
  const Ended ended = run_program({"run", "/none/a.py", "--watch"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_EQ(ended.err, "attn-tutor: --watch: there is no file /none/a.py\n");
}

TEST(Run, APictureIsATable) {
  const TemporaryFile file(
      "picture.py", "import torch\nimport matplotlib.pyplot as plt\nw = torch.eye(2)\nplt.imshow(w)\nplt.show()\n");
  const Ended ended = run_program({"run", file.path(), "--width", "60"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("     w [2, 2]\n         0   1\n     0  1.  0.\n"));
  EXPECT_THAT(ended.out, HasSubstr("plt.imshow(w)\n\n     w [2, 2]                                   as w, step 3\n"));
  EXPECT_THAT(ended.out, Not(HasSubstr("imshow  w")));
}

// Of a long run the beginning is looked at, by rules to which the rest cannot matter: gradients come later here.
TEST(Run, TheBeginningOfALongProgramHasNotesToo) {
  const std::string loop = "for i in range(3000):\n    y = y + 1\n";
  const Ended masked = plain_run(
      "a.py",
      "import torch\ntorch.manual_seed(0)\nq = torch.randn(2, 5, 4)\ny = (q @ q.mT / 2).softmax(1) @ q\n" + loop);
  EXPECT_THAT(masked.err, HasSubstr("FILE:4:5: note: suspect: the weights add up to 1 along axis 1"));
  const Ended late = plain_run(
      "a.py",
      "import torch\nw = torch.nn.Linear(2, 1)\no = torch.optim.SGD(w.parameters(), lr=0.1)\ny = torch.ones(1, 2)\n"
      "o.step()\n" +
          loop + "w(y).sum().backward()\no.step()\n");
  EXPECT_THAT(late.err, Not(HasSubstr("suspect")));
}

}  // namespace
}  // namespace attn
