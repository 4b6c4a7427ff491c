// Code without a lesson around it.
#include "engine/evaluate.h"

#include <gmock/gmock.h>

#include "base/limits.h"

namespace attn {
namespace {

using testing::HasSubstr;

struct EvalCase {
  const char* code;
  const char* text;
};

TEST(Evaluate, PrintsTheLastValueAndTheShapeOfATensor) {
  const EvalCase cases[] = {
      {"1 + 1", "2\n"},
      {"'a'", "'a'\n"},
      {"None", ""},
      {"", ""},
      {"# only a comment", ""},
      {"x = 3", ""},
      {"x = 3\nx", "3\n"},
      {"x = 3; x * 2", "6\n"},
      {"3\nx = 1", ""},
      {"print('a')\nprint('b', end='')\n'c'", "a\nb'c'\n"},
      {"torch.ones(2)", "tensor([1., 1.])\n[2]  float32\n"},
      {"torch.tensor(3)", "tensor(3)\n[]  int64\n"},
      {"torch.ones(2, 1).bool()", "tensor([[True],\n        [True]])\n[2, 1]  bool\n"},
      {"x = torch.zeros(1, 2)  # [row, column]\nx", "tensor([[0., 0.]])\n[row 1, column 2]  float32\n"},
      {"nn.ReLU()", "ReLU()\n"},
      {"F.relu(torch.tensor([-1., 2.]))", "tensor([0., 2.])\n[2]  float32\n"},
      {"math.sqrt(16)", "4.0\n"},
      {"for i in range(2):\n  print(i)", "0\n1\n"},
      {"for i in range(2):\n  i", ""},
  };
  for (const EvalCase& c : cases) {
    const Evaluation result = evaluate_code(c.code);
    EXPECT_EQ(result.text, c.text) << c.code;
    EXPECT_FALSE(result.error) << c.code << ": " << result.error->message;
  }
}

TEST(Evaluate, AnAxisCommentThatDoesNotFitIsAWarning) {
  const Evaluation result = evaluate_code("x = torch.zeros(2)  # [a, b]\nx");
  EXPECT_EQ(result.text, "tensor([0., 0.])\n[2]  float32\n");
  EXPECT_FALSE(result.error);
  ASSERT_EQ(result.warnings.size(), 1u);
  EXPECT_EQ(result.warnings[0].severity, Severity::Warning);
  EXPECT_EQ(result.warnings[0].message, "x has 1 axis [2], but the comment names 2");
}

// What PyTorch 1.13 prints for the same seed.
TEST(Evaluate, TheSeedDecidesTheDraws) {
  RunOptions options;
  options.seed = 0;
  EXPECT_EQ(evaluate_code("torch.randn(3)", options).text, "tensor([ 1.5410, -0.2934, -2.1788])\n[3]  float32\n");
  EXPECT_EQ(evaluate_code("torch.manual_seed(0)\ntorch.randn(3)").text,
            "tensor([ 1.5410, -0.2934, -2.1788])\n[3]  float32\n");
}

TEST(Evaluate, ErrorsKeepWhatWasPrinted) {
  const Evaluation result = evaluate_code("print('before')\n1 / 0\nprint('after')");
  EXPECT_EQ(result.text, "before\n");
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->code, Code::ZeroDivision);
  EXPECT_EQ(result.source.slice(result.error->span), "1 / 0");
}

struct ErrorCase {
  const char* code;
  Code kind;
  const char* message;
};

TEST(Evaluate, Errors) {
  const ErrorCase cases[] = {
      {"1 +", Code::Syntax, "invalid syntax"},
      {"nothing", Code::Name, "name 'nothing' is not defined"},
      {"torch.nothing", Code::Attribute, "module 'torch' has no attribute 'nothing'"},
      {"torch.zeros(10 ** 18)", Code::Limit, "this tensor needs"},
      {"torch.ones(2, 3) @ torch.ones(2, 3)", Code::Shape, "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"},
      {"torch.zeros(-1)", Code::Shape, "Trying to create tensor with negative dimension -1: [-1]"},
      {"open('/etc/passwd')", Code::Unsupported, "open() may not read files here"},
      {"eval('1')", Code::Unsupported, "eval() is not known here"},
      {"__import__('os')", Code::Unsupported, "__import__() is not known here"},
      {"import os; os.listdir()", Code::Unsupported, "os.listdir"},
      {"torch.load('x')", Code::Unsupported, "torch.load() may not read files here"},
      {"torch.ones(2).__class__.__bases__", Code::Attribute, "__bases__"},
      {"().__class__.__subclasses__()", Code::Attribute, "__subclasses__"},
  };
  for (const ErrorCase& c : cases) {
    const Evaluation result = evaluate_code(c.code);
    ASSERT_TRUE(result.error) << c.code;
    EXPECT_EQ(result.error->code, c.kind) << c.code << ": " << result.error->message;
    EXPECT_THAT(result.error->message, HasSubstr(c.message)) << c.code;
  }
}

TEST(Evaluate, AnInterruptIsOne) {
  request_interrupt();
  std::optional<Evaluation> result;
  EXPECT_NO_THROW(result = evaluate_code("1 + 1"));
  clear_interrupt();
  ASSERT_TRUE(result && result->error);
  EXPECT_EQ(result->error->code, Code::Interrupt);
}

}  // namespace
}  // namespace attn
