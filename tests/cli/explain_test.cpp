// attn-tutor explain: numbers, sizes and moves of a lesson, and what it says when it is asked for something else.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/cli/program.h"

namespace attn {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kExplained =
    "# Small\n\nA summary.\n\n```python parameters\nhidden_dim = 4\nn_heads = 2\n```\n\n```python\nimport torch\n"
    "head_dim = hidden_dim // n_heads\nx = torch.arange(8.).view(2, hidden_dim)\n"
    "y = x.view(2, n_heads, head_dim).permute(1, 0, 2)\nz = y @ torch.ones(head_dim, 1) / 4\nx[0, 0] = 9.0\n```\n";

TEST(Explain, ANameThatAFailedRunNeverBoundShowsTheFailure) {
  const TemporaryFile file("broken.py", "import torch\nx = torch.ones(2, 3)\ny = x @ x\n");
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"explain", file.path(), "y[0, 0]"},
                                                    {"touch", file.path(), "y[0, 0] = 1"},
                                                    {"export", file.path(), "--format", "txt", "-o", "-"}}) {
    const Ended ended = run_program(arguments);
    EXPECT_EQ(ended.code, 1) << arguments[0];
    EXPECT_THAT(ended.err, HasSubstr("broken.py:3:5: shape: ")) << arguments[0];
  }
}

TEST(Explain, ANumber) {
  const TemporaryFile file("07-small.md", kExplained);
  EXPECT_EQ(out_of({"explain", file.path(), "z[1,0,0]", "--depth", "1"}),
            "at n_heads 1\n"
            "\n"
            "z[1, 0, 0]                                                          div, line 15\n"
            "  = (y @ torch.ones(head_dim, 1))[1, 0, 0] / 4\n"
            "  = 5.0 / 4\n"
            "  = 1.25\n"
            "\n"
            "  (y @ torch.ones(head_dim, 1))[1, 0, 0]                         matmul, line 15\n"
            "    = y[1, 0, 0] * torch.ones(head_dim, 1)[0, 0] + y[1, 0, 1] *\n"
            "      torch.ones(head_dim, 1)[1, 0]\n"
            "    = 2.0 * 1.0 + 3.0 * 1.0\n"
            "    = 5.0\n"
            "\n"
            "--depth all continues down to inputs and parameters.\n");
  EXPECT_THAT(out_of({"explain", file.path(), "x[0,0]"}), HasSubstr("= 9.0   written there by index_put"));
  EXPECT_THAT(out_of({"explain", file.path(), "x[0,0]", "--step", "5"}), HasSubstr("= 0.0"));
}

TEST(Explain, AGradientNamesTheStepThatItComesBackThrough) {
  const TemporaryFile file("back.py",
                           "import torch\nq = torch.ones(2, 2, requires_grad=True)\nenergy = q @ torch.ones(2, 1) / 4\n"
                           "energy.sum().backward()\n");
  const std::string text = out_of({"explain", file.path(), "q.grad[0,1]", "--depth", "2"});
  EXPECT_THAT(text, HasSubstr("matmul in backward of energy = q @ torch.ones(2, 1) / 4, step 3"));
  EXPECT_THAT(text, HasSubstr("div in backward of energy = q @ torch.ones(2, 1) / 4, step 3"));
}

TEST(Explain, AShape) {
  const TemporaryFile file("07-small.md", kExplained);
  EXPECT_EQ(out_of({"explain", file.path(), "y", "--shape"}),
            "y [n_heads 2, 2, head_dim 2]\n"
            "  n_heads   2 = n_heads, line 7\n"
            "  -         2 = a size of torch.arange(8.).view(2, hidden_dim), line 13\n"
            "  head_dim  2 = head_dim = hidden_dim // n_heads = 4 // 2, line 12\n");
}

TEST(Explain, AMove) {
  const TemporaryFile file("07-small.md", kExplained);
  const std::string text = out_of({"explain", file.path(), "y[1,0,1]", "--move"});
  EXPECT_THAT(text, HasSubstr("permute, line 14: a view; nothing moves in storage\n"
                              "  element 5 in reading order, at place 3 of the storage; strides (2, 4, 1)\n"));
  EXPECT_THAT(text, HasSubstr("n_heads and axis 1 cannot become one axis in a view: the stride of n_heads is 2"));
}

TEST(Explain, KeepsToTheWidthAndToAscii) {
  for (const char* width : {"24", "40", "80"}) {
    for (const Words& question : {Words{"attention[0,1,2,3]"}, Words{"attention[0,1,2,3]", "--depth", "all"},
                                  Words{"K_T", "--shape"}, Words{"K_T[0,1,2,3]", "--move"}}) {
      Words words{"explain", "3"};
      words.insert(words.end(), question.begin(), question.end());
      words.insert(words.end(), {"--ascii", "--width", width});
      const std::string text = out_of(words);
      EXPECT_LE(longest_line(text), std::stoul(width)) << testing::PrintToString(words);
      EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
    }
  }
}

TEST(Explain, MistakesSayWhatToDo) {
  const std::pair<Words, std::string> cases[] = {
      {{"explain", "3", "energi[0,0,0,0]"},
       "nothing is bound to 'energi' in this lesson\n  hint: did you mean energy?\n"},
      {{"explain", "3", "scale", "--shape"}, "this is not a tensor but a value of type float: 2.0\n"},
      {{"explain", "3", "energy[1]", "--step", "1"}, "energy is bound only after that step\n"},
      {{"explain", "3", "energy[1]", "--step", "999"}, "--step 999: this lesson has steps"},
      {{"explain", "3", "energy[1]", "--depth", "deep"}, "--depth takes a whole number from 0 to 1000, not 'deep'\n"},
  };
  for (const auto& [words, message] : cases) {
    const Ended ended = run_program(words);
    EXPECT_EQ(ended.code, 2) << testing::PrintToString(words);
    EXPECT_THAT(ended.err, StartsWith("attn-tutor: " + message));
    EXPECT_EQ(ended.out, "");
  }
}

TEST(Explain, ParenthesesAroundASumStay) {
  const TemporaryFile file("mean.py", "import torch\nx = torch.tensor([1., -3.])\nm = x.mean(dim=0)\n");
  EXPECT_THAT(out_of({"explain", file.path(), "m[]"}),
              HasSubstr("  = (x[0] + x[1]) / 2\n  = (1.0 + (-3.0)) / 2\n  = -1.0\n"));
}

}  // namespace
}  // namespace attn
