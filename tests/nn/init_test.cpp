#include "nn/init.h"

#include <gtest/gtest.h>

#include <functional>

#include "tensor/core/error.h"
#include "tests/tensor/hash.h"

namespace attn {
namespace {

template <class Parameters>  // of Linear or LayerNorm
Tensors all_of(const Parameters& p) {
  return p.bias.defined() ? Tensors{p.weight, p.bias} : Tensors{p.weight};
}

Tensors all_of(const std::vector<RecurrentCellParameters>& cells) {
  Tensors all;
  for (const RecurrentCellParameters& cell : cells)
    for (const Tensor& x : {cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh})
      if (x.defined()) all.push_back(x);
  return all;
}

std::vector<RecurrentCellParameters> recurrent_cells(std::int64_t gates, std::int64_t input, std::int64_t hidden,
                                                     const RecurrentOptions& options, Generator& generator) {
  std::vector<RecurrentCellParameters> cells;
  init_recurrent(gates, input, hidden, options, generator,
                 [&](const RecurrentCellParameters& cell) { cells.push_back(cell); });
  return cells;
}

Tensors filled(const Shape& shape, const std::function<void(Tensor& x)>& fill) {
  Tensor x = Tensor::empty(shape, DType::Float32);
  fill(x);
  return {x};
}

// One stream per seed, every layer after the other; the hashes are of the parameters that PyTorch 1.13.1 made.
TEST(Init, layers_start_with_pytorchs_parameters) {
  struct Layer {
    const char* name;
    Tensors (*make)(Generator& g);
    std::uint64_t hashes[2];
  };
  const Layer layers[] = {
      {"Linear(8, 4)",
       [](Generator& g) -> Tensors { return all_of(init_linear(8, 4, true, g)); },
       {0xe53402090c7fe599, 0xdd97912f21d51b97}},
      {"Linear(5, 3, bias=False)",
       [](Generator& g) -> Tensors { return all_of(init_linear(5, 3, false, g)); },
       {0x3162f9aed10ba871, 0x0f854b1f2de4b4a8}},
      {"Linear(300, 7)",
       [](Generator& g) -> Tensors { return all_of(init_linear(300, 7, true, g)); },
       {0x3a6b5debed4f47a2, 0xa243210eadf720c7}},
      {"Linear(0, 2)",
       [](Generator& g) -> Tensors { return all_of(init_linear(0, 2, true, g)); },
       {0xa8c7f832281a39c5, 0xa8c7f832281a39c5}},
      {"Linear(2, 0)",
       [](Generator& g) -> Tensors { return all_of(init_linear(2, 0, true, g)); },
       {0xcbf29ce484222325, 0xcbf29ce484222325}},
      {"Embedding(3, 5), the short way",
       [](Generator& g) -> Tensors { return {init_embedding(3, 5, {}, g).weight}; },
       {0xac72a8087c497db4, 0x0bac04a29f9736a8}},
      {"Embedding(10, 6)",
       [](Generator& g) -> Tensors { return {init_embedding(10, 6, {}, g).weight}; },
       {0x62d01f5cae9d9b10, 0x64046d19b932eeb9}},
      {"Embedding(10, 6, padding_idx=1)",
       [](Generator& g) -> Tensors { return {init_embedding(10, 6, 1, g).weight}; },
       {0xf6fbc802f1fafd3c, 0x1c6b311229bafd7b}},
      {"Embedding(4, 3, padding_idx=-1)",
       [](Generator& g) -> Tensors { return {init_embedding(4, 3, -1, g).weight}; },
       {0xadd5906e460f294a, 0x9e9b8f01f823a9d4}},
      {"LayerNorm((2, 3)) draws nothing",
       [](Generator&) -> Tensors {
         return all_of(init_layer_norm({2, 3}));
       },
       {0x711fd5ded8e06df5, 0x711fd5ded8e06df5}},
      {"GRU(3, 4)",
       [](Generator& g) -> Tensors { return all_of(recurrent_cells(3, 3, 4, {}, g)); },
       {0x2f112c87b7c1f218, 0x61e1b733ef3fa919}},
      {"GRU(3, 2, num_layers=2, bidirectional=True)",
       [](Generator& g) -> Tensors {
         return all_of(recurrent_cells(3, 3, 2, {2, true, true}, g));
       },
       {0x0b9cc84a0bf7e17b, 0x665a7260ecf9c354}},
      {"GRU(5, 3, num_layers=3, bias=False)",
       [](Generator& g) -> Tensors {
         return all_of(recurrent_cells(3, 5, 3, {3, false, false}, g));
       },
       {0x513d51ea7cad0d68, 0xd43b8638f471147b}},
      {"GRU(0, 2)",
       [](Generator& g) -> Tensors { return all_of(recurrent_cells(3, 0, 2, {}, g)); },
       {0x9dd2d9057c585505, 0x668ff4f330fda84a}},
      {"Conv1d(4, 6, 3, groups=2)",
       [](Generator& g) -> Tensors {
         const ConvParameters p = init_conv({6, 2, 3}, true, g);
         return {p.weight, p.bias};
       },
       {0xc48aba75b0aa97cc, 0x54477064d0170dbf}},
      {"Conv2d(2, 3, (2, 1), bias=False)",
       [](Generator& g) -> Tensors {
         return {init_conv({3, 2, 2, 1}, false, g).weight};
       },
       {0x94ebdb2886fb0e4d, 0xe74ab7981186abf8}},
      {"LSTM(3, 4)",
       [](Generator& g) -> Tensors { return all_of(recurrent_cells(4, 3, 4, {}, g)); },
       {0xcf7d8f23545b8806, 0xd8fa195d8022aa57}},
      {"nn.init.xavier_uniform_ of (5, 7)",
       [](Generator& g) -> Tensors {
         return filled({5, 7}, [&](Tensor& x) { xavier_uniform_(x, g); });
       },
       {0x4d7850bcb2b5ae22, 0x74e3132ea5a9de11}},
      {"nn.init.xavier_uniform_ of (2, 3, 2), gain=2",
       [](Generator& g) -> Tensors {
         return filled({2, 3, 2}, [&](Tensor& x) { xavier_uniform_(x, g, 2); });
       },
       {0xe65860d8c391d5d5, 0x8cbdf0cbd967e99a}},
      {"nn.init.xavier_normal_ of (20, 3), gain=0.5",
       [](Generator& g) -> Tensors {
         return filled({20, 3}, [&](Tensor& x) { xavier_normal_(x, g, 0.5); });
       },
       {0x1185cea8b00e84bc, 0x6146271f81ffcfd4}},
      {"rand(3) afterwards",
       [](Generator& g) -> Tensors { return {rand({3}, g)}; },
       {0x29bd8146ac477279, 0x7098abc2cae2c426}},
  };
  const std::uint64_t seeds[] = {0, 1234};
  for (int i = 0; i < 2; ++i) {
    Generator g(seeds[i]);
    for (const Layer& row : layers)
      ASSERT_EQ(hash_of(row.make(g)), row.hashes[i]) << row.name << " after manual_seed(" << seeds[i] << ")";
  }
}

TEST(Init, gains_and_fans) {
  struct Row {
    const char* nonlinearity;
    double gain, gain_of_slope_half;  // torch.nn.init.calculate_gain(nonlinearity), (nonlinearity, 0.5)
  };
  for (const auto& [nonlinearity, gain, gain_of_slope_half] :
       {Row{"linear", 1, 1}, Row{"conv1d", 1, 1}, Row{"sigmoid", 1, 1},
        Row{"tanh", 1.6666666666666667, 1.6666666666666667}, Row{"relu", 1.4142135623730951, 1.4142135623730951},
        Row{"leaky_relu", 1.4141428569978354, 1.2649110640673518}, Row{"selu", 0.75, 0.75}}) {
    EXPECT_EQ(gain_of(nonlinearity), gain) << nonlinearity;
    EXPECT_EQ(gain_of(nonlinearity, 0.5), gain_of_slope_half) << nonlinearity;
  }
  const auto fans = [](const Shape& shape) {
    const Fans made = fans_of(Tensor::empty(shape, DType::Float32));
    return std::pair(made.in, made.out);
  };
  EXPECT_EQ(fans({2, 3}), std::pair(3.0, 2.0));
  EXPECT_EQ(fans({4, 3, 5}), std::pair(15.0, 20.0));
  EXPECT_EQ(fans({6, 2, 3, 4}), std::pair(24.0, 72.0));
}

TEST(Init, numbers_of_a_normal_distribution_between_two_ends) {
  struct Row {
    std::uint64_t seed;
    float numbers[5];  // nn.init.trunc_normal_(torch.empty(5), 1.0, 2.0, 0.0, 1.5)
  };
  for (const auto& [seed, numbers] :
       {Row{0,
            {0.76148521900177F, 1.1578383445739746F, 0.14337021112442017F, 0.21231502294540405F, 0.48160821199417114F}},
        Row{1234,
            {0.04749035835266113F, 0.6225590705871582F, 0.409682035446167F, 0.5702142715454102F,
             0.09500104188919067F}}}) {
    Generator g(seed);
    Tensor x = Tensor::empty({5}, DType::Float32);
    trunc_normal_(x, 1.0, 2.0, 0.0, 1.5, g);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(x.data<float>()[i], numbers[i], 2e-7) << seed;
  }
}

TEST(Init, gru_shapes_and_names) {
  Generator g;
  const std::vector<RecurrentCellParameters> cells = recurrent_cells(3, 3, 2, {2, true, true}, g);
  ASSERT_EQ(cells.size(), 4U);
  EXPECT_EQ(cells[0].suffix, "l0");
  EXPECT_EQ(cells[1].suffix, "l0_reverse");
  EXPECT_EQ(cells[3].suffix, "l1_reverse");
  EXPECT_EQ(cells[0].weight_ih.shape(), (Shape{6, 3}));
  EXPECT_EQ(cells[2].weight_ih.shape(), (Shape{6, 4}));
  EXPECT_EQ(cells[2].weight_hh.shape(), (Shape{6, 2}));
  EXPECT_EQ(cells[2].bias_hh.shape(), (Shape{6}));
}

TEST(Init, errors) {
  Generator g;
  const auto text = [](const std::function<void()>& make) -> std::string {
    try {
      make();
    } catch (const TensorError& error) {
      return error.type() + ": " + error.what();
    }
    return "no error";
  };
  EXPECT_EQ(text([&] { init_embedding(3, 2, 3, g); }), "AssertionError: Padding_idx must be within num_embeddings");
  EXPECT_EQ(text([&] { init_embedding(3, 2, -4, g); }), "AssertionError: Padding_idx must be within num_embeddings");
  EXPECT_EQ(text([&] { recurrent_cells(3, 3, 0, {}, g); }), "ValueError: proj_size has to be smaller than hidden_size");
  EXPECT_EQ(text([&] { recurrent_cells(3, 3, 2, {0, true, false}, g); }), "IndexError: list index out of range");
  EXPECT_EQ(text([] { gain_of("foo"); }), "ValueError: Unsupported nonlinearity foo");
  EXPECT_EQ(text([] { fans_of(Tensor::empty({3}, DType::Float32)); }),
            "ValueError: Fan in and fan out can not be computed for tensor with fewer than 2 dimensions");
  EXPECT_EQ(text([&] { init_linear(-1, 2, true, g); }),
            "RuntimeError: Trying to create tensor with negative dimension -1: [2, -1]");
}

}  // namespace
}  // namespace attn
