// Layers made of layers: what is recorded of them, how axes are named, what is refused. That they compute what PyTorch
// does is tests/oracle/cases/nn_*.py.
#include <gtest/gtest.h>

#include <algorithm>

#include "op_names.h"
#include "printed.h"
#include "run_cell.h"
#include "torch/nn/layer.h"
#include "torch/op.h"

namespace attn {
namespace {

constexpr const char* kImports = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n";

TEST(Modules, StepsOfAttentionAreBelowIt) {
  const std::string ops = ops_of("m = nn.MultiheadAttention(4, 2)\nx = torch.ones(3, 1, 4)", "m(x, x, x)");
  EXPECT_TRUE(ops.starts_with("multi_head_attention\n  linear\n    t\n    matmul\n    add\n  chunk\n")) << ops;
  EXPECT_NE(ops.find("\n  softmax\n  bmm\n"), std::string::npos) << ops;
}

TEST(Modules, AConvolutionIsAProductWithPatches) {
  EXPECT_EQ(ops_of("conv = nn.Conv2d(1, 2, 2)\nx = torch.ones(1, 1, 3, 3)", "conv(x)"),
            "conv2d\n  patches\n  reshape\n  matmul\n  reshape\n  add\n  reshape\n");
}

TEST(Modules, AnLstmIsOneOpAndSoIsItsCell) {
  EXPECT_TRUE(ops_of("m = nn.LSTM(2, 3)\nx = torch.ones(2, 1, 2)", "m(x)")
                  .starts_with("zeros\nzeros\nlstm\n  unbind\n  unbind\n  linear\n"));
  EXPECT_TRUE(
      ops_of("m = nn.LSTMCell(2, 3)\nx = torch.ones(1, 2)", "m(x)").starts_with("zeros\nlstm_cell\n  linear\n"));
}

TEST(Modules, AxesKeepTheirNames) {
  const std::string attention =
      "m = nn.MultiheadAttention(8, 2, batch_first=True)\nq = torch.zeros(3, 5, 8)  # [batch, query_len, hidden]\n"
      "k = torch.zeros(3, 6, 8)  # [batch, key_len, hidden]\n";
  EXPECT_EQ(axes_of(attention + "o, w = m(q, k, k)", "o"), "batch,query_len,hidden");
  EXPECT_EQ(axes_of(attention + "o, w = m(q, k, k)", "w"), "batch,query_len,key_len");
  EXPECT_EQ(axes_of(attention + "o, w = m(q, k, k, average_attn_weights=False)", "w"), "batch,head,query_len,key_len");
  EXPECT_EQ(axes_of(attention + "o = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)(q)", "o"),
            "batch,query_len,hidden");
  const std::string image = "width = 4\nx = torch.zeros(2, 3, 6, 7)  # [batch, channel, row, column]\n";
  EXPECT_EQ(axes_of(image + "y = nn.Conv2d(3, width, 2)(x)", "y"), "batch,width,row,column");
  const std::string sequence =
      "hidden = 4\nx = torch.zeros(2, 5, 3)  # [batch, token, n_in]\nm = nn.LSTM(3, hidden, batch_first=True)\n"
      "o, (h, c) = m(x)\nh2, c2 = nn.LSTMCell(3, hidden)(x[:, 0])";
  EXPECT_EQ(axes_of(sequence, "o"), "batch,token,hidden");
  EXPECT_EQ(axes_of(sequence, "c"), ",batch,hidden");
  EXPECT_EQ(axes_of(sequence, "c2"), "batch,hidden");
}

TEST(Modules, AWrongCellMayChangeOnlyItsOwnLayers) {
  Interpreter interpreter;
  interpreter.run({"cell", std::string(kImports) + "l = nn.ModuleList([nn.ReLU()])\nb = nn.BatchNorm1d(2)\n", 1});
  const auto saved = interpreter.fork();
  for (const char* cell :
       {"l.append(nn.Tanh())", "l[0] = nn.Tanh()", "del l[0]", "l.x = 3", "l.register_buffer('x', None)", "l.train()",
        "l += [nn.Tanh()]", "b(torch.ones(2, 2))", "b.load_state_dict(b.state_dict())", "del b.weight", "l.double()"}) {
    EXPECT_THROW(interpreter.run({"cell", cell, 1}), CellError) << cell;
  }
  EXPECT_NO_THROW(interpreter.run({"cell", "own = nn.ModuleList([nn.ReLU()])\nown.append(nn.Tanh())\nown.eval()", 1}));
  interpreter.restore(saved);
}

std::string refusal(const std::string& cell) {
  Interpreter interpreter;
  try {
    interpreter.run({"cell", kImports + cell, 1});
  } catch (const CellError& error) {
    return error.diagnostic().code == Code::Unsupported ? error.diagnostic().message : error.type();
  }
  return "";
}

TEST(Modules, WhatIsRefused) {
  for (const char* cell :
       {"nn.LSTM(2, 3, proj_size=1)", "nn.Linear(1, 1).half()", "nn.Linear(1, 1).cuda()", "nn.Linear(1, 1).to('cuda')",
        "nn.Sequential()._forward_hooks[0] = print", "nn.Linear(1, 1, dtype=torch.float64)", "torch.optim.Rprop([])",
        "from torch.utils.data import ChainDataset\nChainDataset([])",
        "nn.Linear(1, 1)(torch.ones(1)).backward(create_graph=True)"}) {
    EXPECT_NE(refusal(cell), "") << cell;
    EXPECT_FALSE(refusal(cell).ends_with("Error")) << cell << ": " << refusal(cell);
  }
}

TEST(Modules, HintsNameTheNearestMember) {
  Interpreter interpreter;
  try {
    interpreter.run({"cell", std::string(kImports) + "net = nn.Sequential(nn.ReLU())\nnet.apend(nn.Tanh())", 1});
    FAIL();
  } catch (const CellError& error) {
    EXPECT_EQ(error.diagnostic().hint, "did you mean net.append?");
  }
}

// A program that catches the error asks again and again: of a large dictionary no key is compared.
TEST(Modules, HintsNameAKeyOfASmallDictionary) {
  const auto hint = [](const std::string& size) {
    Interpreter interpreter;
    try {
      interpreter.run({"cell", "d = {f'key{i}': i for i in range(" + size + ")}\nd['kye7']", 1});
    } catch (const CellError& error) {
      return error.diagnostic().hint;
    }
    return std::string("no error");
  };
  EXPECT_EQ(hint("10"), "did you mean 'key7'?");
  EXPECT_EQ(hint("1001"), "");
}

}  // namespace
}  // namespace attn
