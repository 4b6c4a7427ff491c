#include "nn/init.h"

#include <gtest/gtest.h>

#include <functional>

#include "tensor/error.h"
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
       [](Generator& g) -> Tensors { return all_of(init_recurrent(3, 3, 4, {}, g)); },
       {0x2f112c87b7c1f218, 0x61e1b733ef3fa919}},
      {"GRU(3, 2, num_layers=2, bidirectional=True)",
       [](Generator& g) -> Tensors {
         return all_of(init_recurrent(3, 3, 2, {2, true, true}, g));
       },
       {0x0b9cc84a0bf7e17b, 0x665a7260ecf9c354}},
      {"GRU(5, 3, num_layers=3, bias=False)",
       [](Generator& g) -> Tensors {
         return all_of(init_recurrent(3, 5, 3, {3, false, false}, g));
       },
       {0x513d51ea7cad0d68, 0xd43b8638f471147b}},
      {"GRU(0, 2)",
       [](Generator& g) -> Tensors { return all_of(init_recurrent(3, 0, 2, {}, g)); },
       {0x9dd2d9057c585505, 0x668ff4f330fda84a}},
      {"rand(3) afterwards",
       [](Generator& g) -> Tensors { return {rand({3}, g)}; },
       {0xc9ae0771977bff2e, 0x87097354a7b649e7}},
  };
  const std::uint64_t seeds[] = {0, 1234};
  for (int i = 0; i < 2; ++i) {
    Generator g(seeds[i]);
    for (const Layer& row : layers)
      ASSERT_EQ(hash_of(row.make(g)), row.hashes[i]) << row.name << " after manual_seed(" << seeds[i] << ")";
  }
}

TEST(Init, gru_shapes_and_names) {
  Generator g;
  const std::vector<RecurrentCellParameters> cells = init_recurrent(3, 3, 2, {2, true, true}, g);
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
  EXPECT_EQ(text([&] { init_recurrent(3, 3, 0, {}, g); }), "ValueError: proj_size has to be smaller than hidden_size");
  EXPECT_EQ(text([&] { init_recurrent(3, 3, 2, {0, true, false}, g); }), "IndexError: list index out of range");
  EXPECT_EQ(text([&] { init_linear(-1, 2, true, g); }),
            "RuntimeError: Trying to create tensor with negative dimension -1: [2, -1]");
}

}  // namespace
}  // namespace attn
