// The library in Python (src/lib): what a run sees of it, and what not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/embedded.h"
#include "run_cell.h"
#include "syntax/parser.h"
#include "text/say.h"
#include "torch/op.h"

namespace attn {
namespace {

using testing::ElementsAre;

const char* const kTorch = "import torch\nfrom torch import nn\ntorch.manual_seed(0)\n";

/// What is told of a run: statements, calls and bindings by their lines, ops by their name and depth.
class Told : public Observer {
 public:
  explicit Told(const std::string& code) : interpreter_(this) {
    interpreter_.run(Source{"imports", kTorch});
    told_.clear();
    interpreter_.run(Source{"cell", code + "\n"});
  }
  std::vector<std::string> told_;

 private:
  void statement_begins(const Stmt& stmt, std::int64_t) override { add("step", stmt.span); }
  void call_begins(const Function& function, const Scope&) override { told_.push_back("call " + function.name); }
  void bound(std::string_view target, const Value&, Span) override { told_.push_back("bound " + std::string(target)); }
  void evaluated(const Value&, Span span) override { add("value", span); }
  void op_begins(const OpCall& call) override {
    told_.push_back(std::string(static_cast<std::size_t>(depth_++), ' ') + std::string(call.info().name));
    EXPECT_FALSE(is_in_library(call.span())) << call.info().name;
  }
  void op_ends(const OpCall&, const Value&) override { --depth_; }
  void add(const char* what, Span span) {
    EXPECT_FALSE(is_in_library(span)) << what;
    told_.push_back(what);
  }

  LimitScope limits_{Limits{}};
  int depth_ = 0;
  Interpreter interpreter_;
};

TEST(Library, EveryFileIsParsed) {
  int files = 0;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with("src/lib/")) continue;
    ++files;
    EXPECT_FALSE(parse_cell({std::string(file.path), std::string(file.bytes)}).empty()) << file.path;
  }
  EXPECT_GE(files, 3);
}

TEST(Library, OpsAreToldAndNeitherLinesNorNames) {
  EXPECT_THAT(Told("cell = nn.RNNCell(2, 2, bias=False)\nh = cell(torch.zeros(1, 2))").told_,
              ElementsAre("step", "bound cell", "step", "zeros", "zeros", "rnn_tanh_cell", " linear", "  t", "  matmul",
                          " linear", "  t", "  matmul", " add", " tanh", "bound h"));
}

TEST(Library, LayersOfACellWithinItAreTold) {
  const std::vector<std::string> told =
      Told(
          "class Mine(nn.TransformerEncoderLayer):\n"
          "    def forward(self, src, src_mask=None, src_key_padding_mask=None):\n"
          "        y = src + 1\n        return super().forward(y)\n"
          "encoder = nn.TransformerEncoder(Mine(4, 2, 4), 2)\nencoder(torch.zeros(3, 1, 4))")
          .told_;
  EXPECT_EQ(std::count(told.begin(), told.end(), "call forward"), 2);
  EXPECT_EQ(std::count(told.begin(), told.end(), "bound y"), 2);
  EXPECT_EQ(std::count(told.begin(), told.end(), "multi_head_attention"), 2);
}

TEST(Library, MethodsOfLayersAreNoSteps) {
  EXPECT_THAT(Told("layers = nn.ModuleList([nn.ReLU()])\nlayers.append(nn.Linear(1, 1)).eval()\n"
                   "state = layers.state_dict()\nreport = layers.load_state_dict(state)")
                  .told_,
              ElementsAre("step", "bound layers", "step", "value", "step", "bound state", "step", "bound report"));
}

TEST(Library, AFunctionOfTheCellIsToldWhenTheLibraryCallsIt) {
  EXPECT_THAT(Told("def look(layer):\n    seen = 1\nlayer = nn.Linear(1, 1).apply(look)").told_,
              ElementsAre("step", "step", "call look", "step", "bound seen", "bound layer"));
}

TEST(Library, AWrongCellChangesNoLayer) {
  Interpreter interpreter;
  interpreter.run(Source{"cell", std::string(kTorch) + "layers = nn.Sequential(nn.Linear(1, 1))\n"});
  const auto saved = interpreter.fork();
  for (const char* code : {"layers.append(nn.ReLU())", "layers[0] = nn.ReLU()", "del layers[0]", "layers.eval()",
                           "layers.requires_grad_()", "layers.load_state_dict({})", "layers.double()",
                           "layers.register_buffer('b', None)"}) {
    try {
      interpreter.run(Source{"wrong", code});
      ADD_FAILURE() << code;
    } catch (const CellError& error) {
      EXPECT_EQ(error.diagnostic().code, Code::Format) << code;
    }
  }
  EXPECT_NO_THROW(interpreter.run(Source{"wrong", "nn.Sequential(nn.ReLU()).append(nn.ReLU()).eval()"}));
  interpreter.restore(saved);
}

/// The error of a cell, whose place must be in the cell.
CellError error_of(const std::string& code) {
  Interpreter interpreter;
  interpreter.run(Source{"imports", kTorch});
  try {
    interpreter.run(Source{"cell", code + "\n"});
  } catch (const CellError& error) {
    EXPECT_EQ(error.diagnostic().span.source, 1u) << code;
    EXPECT_EQ(interpreter.sources()[1].slice(error.diagnostic().span), code);
    return error;
  }
  return CellError(Code::Runtime, {}, "no error");
}

TEST(Library, ErrorsPointAtTheCallIntoIt) {
  EXPECT_STREQ(error_of("nn.GRU(3, 4)(torch.zeros(2, 5, 7))").what(),
               "input.size(-1) must be equal to input_size. Expected 3, got 7");
  EXPECT_STREQ(error_of("nn.MultiheadAttention(4, 2)(3, 4, 5)").what(), "'int' object has no attribute 'dim'");
  EXPECT_STREQ(error_of("nn.TransformerEncoderLayer(4, 2)()").what(),
               "TransformerEncoderLayer.forward() missing 1 required positional argument: 'src'");
  EXPECT_STREQ(error_of("nn.TransformerEncoderLayer(4, 2, activation='tanh')").what(),
               "activation should be relu/gelu, not tanh");
  EXPECT_STREQ(error_of("nn.ModuleList([nn.ReLU()])[1]").what(), "index 1 is out of range");
  EXPECT_STREQ(error_of("nn.Linear(1, 1).load_state_dict({}, 1, 2)").what(),
               "Module.load_state_dict() takes from 2 to 3 positional arguments but 4 were given");
  EXPECT_STREQ(error_of("nn.ReLU().cuda()").what(), say("unsupported.device").c_str());
  EXPECT_STREQ(error_of("nn.Linear(1, 1).__dict__['x'] = nn.ReLU()").what(), say("unsupported.layer.dict").c_str());
  const CellError inner = error_of("nn.RNN(3, 4)(torch.ones(1, 2, 3).double())");
  ASSERT_EQ(inner.diagnostic().operands.size(), 1u);
  EXPECT_THAT(inner.diagnostic().operands[0].text, testing::StartsWith("torch.ones(1, 2, 3).double() ["));
}

TEST(Library, ItsNamesNameNoAxes) {
  EXPECT_EQ(axes_of("attend = nn.MultiheadAttention(4, 2)\nx = torch.zeros(3, 1, 4)\ny, w = attend(x, x, x)", "y"),
            ",,");
  EXPECT_EQ(axes_of("hidden = 4\nrnn = nn.GRU(3, hidden)\ny, h = rnn(torch.zeros(2, 1, 3))", "y"), ",,hidden");
}

// 1,000 calls of the cell fit, however many of the library's lie between them.
TEST(Library, ItsCallsAreNotCounted) {
  const std::string nested =
      "class Deep(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.depth = 0\n"
      "    def forward(self, src, src_mask=None, src_key_padding_mask=None):\n        self.depth += 1\n"
      "        return encoder(src) if self.depth < 40 else src\n"
      "encoder = nn.TransformerEncoder(nn.Linear(1, 1), 1)\nencoder.layers[0] = Deep()\n"
      "def f(n):\n    return encoder(torch.zeros(1)) if n == 0 else f(n - 1)\n";
  EXPECT_EQ(failure_of(nested + "f(958)"), "");
  EXPECT_EQ(failure_of(nested + "f(960)"), "RecursionError: maximum recursion depth exceeded");
}

}  // namespace
}  // namespace attn
