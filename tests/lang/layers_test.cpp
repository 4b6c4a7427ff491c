// nn.Linear and the others. Expectations are what PyTorch 1.13 prints for the same cell.
#include <gtest/gtest.h>

#include "op_names.h"
#include "printed.h"
#include "run_cell.h"
#include "torch/nn/layer.h"

namespace attn {
namespace {

void check_seeded(std::initializer_list<PrintedCase> cases) { check_cells(cases, "torch.manual_seed(0)\n"); }
TEST(Layers, Print) {
  check_expressions(
      {{"nn.Linear(8, 8)", "Linear(in_features=8, out_features=8, bias=True)"},
       {"nn.Linear(8, 4, bias=False)", "Linear(in_features=8, out_features=4, bias=False)"},
       {"nn.Embedding(100, 512, padding_idx=0)", "Embedding(100, 512, padding_idx=0)"},
       {"nn.Embedding(4, 2, padding_idx=-1)", "Embedding(4, 2, padding_idx=3)"},
       {"nn.Embedding(4, 2, scale_grad_by_freq=True, sparse=True)",
        "Embedding(4, 2, scale_grad_by_freq=True, sparse=True)"},
       {"nn.LayerNorm(8)", "LayerNorm((8,), eps=1e-05, elementwise_affine=True)"},
       {"nn.LayerNorm([2, 8], eps=1e-3, elementwise_affine=False)",
        "LayerNorm((2, 8), eps=0.001, elementwise_affine=False)"},
       {"nn.Dropout()", "Dropout(p=0.5, inplace=False)"},
       {"nn.Dropout(1)", "Dropout(p=1, inplace=False)"},
       {"nn.Softmax(-1), nn.Softmax()", "(Softmax(dim=-1), Softmax(dim=None))"},
       {"nn.ReLU(), nn.Tanh(), nn.Sigmoid(), nn.Identity(), nn.LogSoftmax(1)",
        "(ReLU(), Tanh(), Sigmoid(), Identity(), LogSoftmax(dim=1))"},
       {"nn.GRU(7, 8, batch_first=True)", "GRU(7, 8, batch_first=True)"},
       {"nn.GRU(7, 4, num_layers=2, dropout=0.25, bias=False, bidirectional=True)",
        "GRU(7, 4, num_layers=2, bias=False, dropout=0.25, bidirectional=True)"},
       {"nn.Sequential()", "Sequential()"},
       {"nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Sequential(nn.Tanh()))",
        "Sequential(\n  (0): Linear(in_features=2, out_features=3, bias=True)\n  (1): ReLU()\n  (2): Sequential(\n"
        "    (0): Tanh()\n  )\n)"},
       {"nn.ModuleList([nn.Tanh()])", "ModuleList(\n  (0): Tanh()\n)"},
       {"type(nn.ReLU())", "<class 'torch.nn.modules.activation.ReLU'>"}});
}

TEST(Layers, Forward) {
  check_seeded({{"l = nn.Linear(3, 2)\nprint(l.weight, l.bias)\nprint(l(torch.ones(2, 3)))",
                 "Parameter containing:\ntensor([[-0.0043,  0.3097, -0.4752],\n        [-0.4249, -0.2224,  0.1548]], "
                 "requires_grad=True) Parameter containing:\ntensor([-0.0114,  0.4578], requires_grad=True)\n"
                 "tensor([[-0.1812, -0.0347],\n        [-0.1812, -0.0347]], grad_fn=<AddmmBackward0>)"},
                {"print(nn.Embedding(3, 2, padding_idx=0)(torch.tensor([[1, 0]])))",
                 "tensor([[[-2.1788,  0.5684],\n         [ 0.0000,  0.0000]]], grad_fn=<EmbeddingBackward0>)"},
                {"print(nn.LayerNorm(4)(torch.arange(8.).view(2, 4)))",
                 "tensor([[-1.3416, -0.4472,  0.4472,  1.3416],\n        [-1.3416, -0.4472,  0.4472,  1.3416]],\n"
                 "       grad_fn=<NativeLayerNormBackward0>)"},
                {"d = nn.Dropout(0.5)\nprint(d(torch.ones(6)), d.eval()(torch.ones(2)), d.training)",
                 "tensor([0., 0., 2., 0., 0., 0.]) tensor([1., 1.]) False"},
                {"print(nn.Softmax(dim=-1)(torch.tensor([1., 2., 3.])), nn.Softmax()(torch.ones(2)), "
                 "nn.Tanh()(torch.tensor([1.])))",
                 "tensor([0.0900, 0.2447, 0.6652]) tensor([0.5000, 0.5000]) tensor([0.7616])"},
                {"print(nn.Sigmoid()(torch.tensor([0.])), nn.ReLU()(torch.tensor([-1.])), nn.Identity()(3))",
                 "tensor([0.5000]) tensor([0.]) 3"},
                {"f = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))\nprint(f(torch.ones(2, 2)))\n"
                 "print(len(f), f[-1], len([m for m in f]))",
                 "tensor([[-0.4966],\n        [-0.4966]], grad_fn=<AddmmBackward0>)\n"
                 "3 Linear(in_features=3, out_features=1, bias=True) 3"}});
}

TEST(Layers, Gru) {
  check_seeded(
      {{"rnn = nn.GRU(3, 2, batch_first=True)\no, h = rnn(torch.ones(2, 4, 3))\nprint(o)\nprint(h)",
        "tensor([[[-0.3980, -0.0892],\n         [-0.6312, -0.0612],\n         [-0.7660, -0.0162],\n"
        "         [-0.8458,  0.0213]],\n\n        [[-0.3980, -0.0892],\n         [-0.6312, -0.0612],\n"
        "         [-0.7660, -0.0162],\n         [-0.8458,  0.0213]]], grad_fn=<TransposeBackward1>)\n"
        "tensor([[[-0.8458,  0.0213],\n         [-0.8458,  0.0213]]], grad_fn=<StackBackward0>)"},
       {"rnn = nn.GRU(3, 2, num_layers=2, bidirectional=True)\no, h = rnn(torch.randn(3, 1, 3))\nprint(o)\n"
        "print(h)",
        "tensor([[[-0.3998, -0.0915,  0.6563, -0.0694]],\n\n        [[-0.6503, -0.2783,  0.5343, -0.1072]],\n\n"
        "        [[-0.7772, -0.2512,  0.3774, -0.0822]]], grad_fn=<CatBackward0>)\n"
        "tensor([[[-0.2301, -0.6691]],\n\n        [[-0.0270, -0.4146]],\n\n        [[-0.7772, -0.2512]],\n\n"
        "        [[ 0.6563, -0.0694]]], grad_fn=<StackBackward0>)"},
       {"rnn = nn.GRU(3, 2, bias=False)\no, h = rnn(torch.ones(2, 3), torch.ones(1, 2))\nprint(o)\nprint(h)",
        "tensor([[0.4399, 0.6491],\n        [0.0131, 0.5816]], grad_fn=<SqueezeBackward1>)\n"
        "tensor([[0.0131, 0.5816]], grad_fn=<SqueezeBackward1>)"},
       {"rnn = nn.GRU(2, 2, num_layers=2, dropout=0.5)\no, h = rnn(torch.ones(2, 1, 2))\nprint(o)",
        "tensor([[[ 0.1705, -0.0991]],\n\n        [[ 0.3152, -0.1747]]], grad_fn=<StackBackward0>)"}});
}

TEST(Layers, AttributesAndMethods) {
  check_seeded(
      {{"l = nn.Linear(2, 1)\nprint(sum(p.numel() for p in l.parameters()), [n for n, p in "
        "l.named_parameters()], sorted(l.state_dict()))",
        "3 ['weight', 'bias'] ['bias', 'weight']"},
       {"l = nn.Linear(2, 1).double()\nprint(l.weight.dtype, l.to(torch.float32).bias.dtype)",
        "torch.float64 torch.float32"},
       {"print(list(dict(nn.GRU(2, 3, 2, bidirectional=True).named_parameters()))[:6])",
        "['weight_ih_l0', 'weight_hh_l0', 'bias_ih_l0', 'bias_hh_l0', 'weight_ih_l0_reverse', "
        "'weight_hh_l0_reverse']"},
       {"l = nn.Linear(2, 3, bias=False)\nprint(l.bias, l.in_features, l.training, l.train(False).training)",
        "None 2 True False"},
       {"l = nn.Linear(2, 3).requires_grad_(False)\nprint(l.weight.requires_grad, l(torch.ones(2)).grad_fn)",
        "False None"},
       {"f = nn.Sequential(nn.Linear(2, 3), nn.Dropout())\nf.eval()\nprint(f[1].training, "
        "[n for n, _ in f.named_parameters()])",
        "False ['0.weight', '0.bias']"},
       {"l = nn.Linear(2, 1)\nl.weight = None\nprint(len(list(l.parameters())))", "1"},
       {"l = nn.Linear(2, 1)\nprint(isinstance(l, nn.Linear), isinstance(l, nn.ReLU), l.forward(torch.zeros(1, "
        "2)).shape)",
        "True False torch.Size([1, 1])"}});
}

TEST(Layers, Errors) {
  check_expressions(
      {{"nn.Linear(8)", "TypeError: Linear.__init__() missing 1 required positional argument: 'out_features'"},
       {"nn.Linear()",
        "TypeError: Linear.__init__() missing 2 required positional arguments: 'in_features' and 'out_features'"},
       {"nn.Linear(8, 8, foo=1)", "TypeError: Linear.__init__() got an unexpected keyword argument 'foo'"},
       {"nn.Linear(1, 2, True, None, None, 3)",
        "TypeError: Linear.__init__() takes from 3 to 6 positional arguments but 7 were given"},
       {"nn.Linear(2, 2, in_features=3)",
        "TypeError: Linear.__init__() got multiple values for argument 'in_features'"},
       {"nn.Linear(-1, 8)", "RuntimeError: Trying to create tensor with negative dimension -1: [8, -1]"},
       {"nn.Tanh(3)", "TypeError: Module.__init__() takes 1 positional argument but 2 were given"},
       {"nn.Embedding(4, 2, padding_idx=4)", "AssertionError: Padding_idx must be within num_embeddings"},
       {"nn.Dropout(1.5)", "ValueError: dropout probability has to be between 0 and 1, but got 1.5"},
       {"nn.Dropout(-1)", "ValueError: dropout probability has to be between 0 and 1, but got -1"},
       {"nn.GRU(7)", "TypeError: RNNBase.__init__() missing 1 required positional argument: 'hidden_size'"},
       {"nn.GRU(7, 0)", "ValueError: proj_size has to be smaller than hidden_size"},
       {"nn.GRU(7, 4, dropout=True)",
        "ValueError: dropout should be a number in range [0, 1] representing the probability of an element being "
        "zeroed"},
       {"nn.Sequential(3)", "TypeError: int is not a Module subclass"},
       {"nn.Sequential(nn.Tanh())[5]", "IndexError: index 5 is out of range"},
       {"nn.Linear(2, 2).foo", "AttributeError: 'Linear' object has no attribute 'foo'"},
       {"nn.Linear(2, 2)()", "TypeError: Linear.forward() missing 1 required positional argument: 'input'"},
       {"nn.Linear(2, 2)(1, 2)", "TypeError: Linear.forward() takes 2 positional arguments but 3 were given"},
       {"nn.Linear(2, 2)(inp=1)", "TypeError: Linear.forward() got an unexpected keyword argument 'inp'"},
       {"nn.Linear(2, 2)(3)", "TypeError: linear(): argument 'input' (position 1) must be Tensor, not int"},
       {"nn.LayerNorm(2)(torch.ones(3))",
        "RuntimeError: Given normalized_shape=[2], expected input with shape [*, 2], but got input of size[3]"},
       {"nn.Linear(2, 2).train('x')", "ValueError: training mode is expected to be boolean"},
       {"nn.Linear(2, 2).eval(1)", "TypeError: Module.eval() takes 1 positional argument but 2 were given"},
       {"nn.Linear(2, 2).to(torch.int64)",
        "TypeError: nn.Module.to only accepts floating point or complex dtypes, but got desired dtype=torch.int64"},
       {"len(nn.Tanh())", "TypeError: object of type 'Tanh' has no len()"},
       {"nn.GRU(7, 4)(torch.zeros(2, 3, 6))",
        "RuntimeError: input.size(-1) must be equal to input_size. Expected 7, got 6"},
       {"nn.GRU(7, 4)(torch.zeros(2))", "RuntimeError: input must have 3 dimensions, got 2"},
       {"nn.GRU(7, 4)(torch.zeros(2, 3, 7), torch.zeros(1, 2, 4))",
        "RuntimeError: Expected hidden size (1, 3, 4), got [1, 2, 4]"},
       {"nn.GRU(7, 4)(torch.zeros(2, 3, 7), torch.zeros(3, 4))",
        "RuntimeError: For batched 3-D input, hx should also be 3-D but got 2-D tensor"}});
  check_seeded({{"l = nn.Linear(2, 2)\nl.weight = torch.zeros(2, 2)",
                 "TypeError: cannot assign 'torch.FloatTensor' as parameter 'weight' (torch.nn.Parameter or None "
                 "expected)"}});
}

TEST(Layers, AxesAreNamedBySizes) {
  const std::string linear = "hidden_dim = 4\nvocab = 7\nl = nn.Linear(hidden_dim, vocab)\n";
  EXPECT_EQ(axes_of(linear + "w = l.weight", "w"), "vocab,hidden_dim");
  EXPECT_EQ(axes_of(linear + "b = l.bias", "b"), "vocab");
  EXPECT_EQ(axes_of(linear + "x = torch.zeros(2, 3, 4)  # [batch, token, hidden_dim]\ny = l(x)", "y"),
            "batch,token,vocab");
  const std::string gru =
      "batch = 2\nn_in = 3\nhidden = 4\nrnn = nn.GRU(n_in, hidden, batch_first=True)\n"
      "x = torch.zeros(2, 5, 3)  # [batch, token, n_in]\no, h = rnn(x)";
  EXPECT_EQ(axes_of(gru, "o"), "batch,token,hidden");
  EXPECT_EQ(axes_of(gru, "h"), ",batch,hidden");
  EXPECT_EQ(axes_of("words = 9\nwidth = 2\ne = nn.Embedding(words, width).weight", "e"), "words,width");
}

TEST(Layers, AWrongCellMayNotDraw) {
  Interpreter interpreter;
  interpreter.run({"cell", "from torch import nn\nl = nn.Dropout()", 1});
  const auto saved = interpreter.fork();
  for (const char* cell : {"nn.Linear(2, 2)", "nn.Embedding(2, 2)", "nn.GRU(2, 2)", "l.eval()", "l.p = 0.1"}) {
    EXPECT_THROW(interpreter.run({"cell", cell, 1}), CellError) << cell;
  }
  EXPECT_NO_THROW(interpreter.run({"cell", "nn.LayerNorm(2)", 1}));
  interpreter.restore(saved);
}

TEST(Layers, AGruIsOneOpWithItsStepsBelow) {
  const std::string ops = ops_of("rnn = nn.GRU(2, 2)\nx = torch.ones(1, 1, 2)", "rnn(x)");
  EXPECT_TRUE(ops.starts_with("zeros\ngru\n  unbind\n  linear\n")) << ops;
  EXPECT_TRUE(ops.ends_with("  sub\n  mul\n  add\n  stack\n  stack\n")) << ops;
}

TEST(LayerTable, EveryRowHasAnExampleThatRuns) {
  for (const LayerInfo& layer : all_layers()) {
    EXPECT_FALSE(layer.doc.empty()) << layer.name;
    const std::string text = printed(std::string(layer.example));
    EXPECT_EQ(text, "") << layer.name;  // an error would be shown
    EXPECT_EQ(find_layer(layer.name), &layer);
  }
}

}  // namespace
}  // namespace attn
