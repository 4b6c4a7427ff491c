// attn-tutor model: the small model that is built in, and folders as people have them.
#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/text.h"
#include "lesson/vocabulary.h"
#include "tensor/io/safetensors.h"
#include "tests/cli/program.h"

namespace attn {
namespace {

using ModelData = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A folder with a model of 64 words for one test. Number k of tensor t is sin(0.37 k + t) / 20, and around 1 for the
/// weights of norms: nothing is drawn, so that PyTorch was given the same numbers.
class ModelFolder {
 public:
  ModelFolder() : config_("config.json"), path_(std::filesystem::path(config_.path()).parent_path()) {}

  const std::string path() const { return path_.string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  void remove(const std::string& name) const { std::filesystem::remove(path_ / name); }
  void add(const std::string& name, const Shape& shape) {
    std::vector<float> numbers(static_cast<std::size_t>(numel_of(shape)));
    const auto t = static_cast<double>(tensors_.size());
    const double shift = name.find("ln_") != std::string::npos && name.ends_with("weight") ? 1
                         : name.find("norm") != std::string::npos                          ? 1
                                                                                           : 0;
    for (std::size_t k = 0; k < numbers.size(); ++k)
      numbers[k] = static_cast<float>(shift + std::sin(0.37 * static_cast<double>(k) + t) / 20);
    tensors_.emplace_back(name, Tensor::from<float>(numbers, shape));
  }
  /// In as many files, with an index if there are several.
  void save(std::size_t shards) const {
    if (shards == 1) return write("model.safetensors", safetensors_bytes(tensors_));
    ModelData map;
    for (std::size_t s = 0; s < shards; ++s) {
      TensorsByName part;
      for (std::size_t t = s; t < tensors_.size(); t += shards) part.push_back(tensors_[t]);
      const std::string file = "model-" + std::to_string(s) + ".safetensors";
      for (const auto& [name, tensor] : part) map[name] = file;
      write(file, safetensors_bytes(part));
    }
    write("model.safetensors.index.json", ModelData{{"weight_map", map}}.dump());
  }
  /// Each character from ! on is a token.
  void save_tokenizer() const {
    ModelData vocab;
    for (int byte = 0; byte < 64; ++byte) vocab[std::string(1, static_cast<char>('!' + byte))] = byte;
    write("vocab.json", vocab.dump());
    write("merges.txt", "#version: 0.2\n");
  }

 private:
  TemporaryFile config_;
  std::filesystem::path path_;
  TensorsByName tensors_;
};

constexpr std::int64_t kWords = 64, kWidth = 8;

void make_gpt2(ModelFolder& folder, std::size_t shards = 1, std::int64_t heads = 2) {
  folder.write("config.json", ModelData{{"model_type", "gpt2"},
                                        {"n_layer", 2},
                                        {"n_head", heads},
                                        {"n_embd", kWidth},
                                        {"vocab_size", kWords},
                                        {"n_positions", 12}}
                                  .dump());
  folder.add("wte.weight", {kWords, kWidth});
  folder.add("wpe.weight", {12, kWidth});
  for (const std::string block : {"h.0.", "h.1."}) {
    folder.add(block + "ln_1.weight", {kWidth});
    folder.add(block + "ln_1.bias", {kWidth});
    folder.add(block + "attn.c_attn.weight", {kWidth, 3 * kWidth});
    folder.add(block + "attn.c_attn.bias", {3 * kWidth});
    folder.add(block + "attn.c_proj.weight", {kWidth, kWidth});
    folder.add(block + "attn.c_proj.bias", {kWidth});
    folder.add(block + "ln_2.weight", {kWidth});
    folder.add(block + "ln_2.bias", {kWidth});
    folder.add(block + "mlp.c_fc.weight", {kWidth, 4 * kWidth});
    folder.add(block + "mlp.c_fc.bias", {4 * kWidth});
    folder.add(block + "mlp.c_proj.weight", {4 * kWidth, kWidth});
    folder.add(block + "mlp.c_proj.bias", {kWidth});
  }
  folder.add("ln_f.weight", {kWidth});
  folder.add("ln_f.bias", {kWidth});
  folder.save(shards);
  folder.save_tokenizer();
}

void make_llama(ModelFolder& folder, std::size_t shards = 1) {
  folder.write("config.json", ModelData{{"model_type", "llama"},
                                        {"num_hidden_layers", 2},
                                        {"num_attention_heads", 4},
                                        {"num_key_value_heads", 2},
                                        {"hidden_size", kWidth},
                                        {"vocab_size", kWords},
                                        {"max_position_embeddings", 12},
                                        {"intermediate_size", 12},
                                        {"rms_norm_eps", 1e-5}}
                                  .dump());
  folder.add("model.embed_tokens.weight", {kWords, kWidth});
  for (const std::string block : {"model.layers.0.", "model.layers.1."}) {
    folder.add(block + "input_layernorm.weight", {kWidth});
    folder.add(block + "self_attn.q_proj.weight", {kWidth, kWidth});
    folder.add(block + "self_attn.k_proj.weight", {kWidth / 2, kWidth});
    folder.add(block + "self_attn.v_proj.weight", {kWidth / 2, kWidth});
    folder.add(block + "self_attn.o_proj.weight", {kWidth, kWidth});
    folder.add(block + "post_attention_layernorm.weight", {kWidth});
    folder.add(block + "mlp.gate_proj.weight", {12, kWidth});
    folder.add(block + "mlp.up_proj.weight", {12, kWidth});
    folder.add(block + "mlp.down_proj.weight", {kWidth, 12});
  }
  folder.add("model.norm.weight", {kWidth});
  folder.add("lm_head.weight", {kWords, kWidth});
  folder.save(shards);
  folder.save_tokenizer();
}

Ended model(Words arguments) {
  arguments.insert(arguments.begin(), "model");
  return run_program(arguments);
}

/// The best words in their order, and the share of the first: "B C 0.0164".
std::string best_words(const Ended& ended) {
  std::smatch found;
  if (!std::regex_search(ended.out, found, std::regex(R"(shares \[candidates 8\]\n *candidates\n *([^\n]+)\n *(\S+))")))
    return ended.err + ended.out;
  return std::regex_replace(found.str(1), std::regex(" +"), " ") + " " + found.str(2);
}

TEST(Model, TheOneThatIsBuiltInCopiesByTwoHeads) {
  const Ended ended = model({"--width", "100"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out,
              AllOf(HasSubstr("the small model of lesson 18: 2 blocks with 2 heads each"), HasSubstr("28,608"),
                    HasSubstr("It reads 6 tokens: the · cat · drinks · milk · in · the")));
  EXPECT_THAT(best_words(ended), StartsWith("kitchen garden river"));
  std::smatch copies;
  ASSERT_TRUE(std::regex_search(ended.out, copies, std::regex(R"(copies +1\.\d \((0\.\d+)\))"))) << ended.out;
  EXPECT_GT(std::stod(copies[1]), 0.4);
  EXPECT_THAT(ended.out, Not(HasSubstr("Writing on"))) << "which was not asked for";
}

TEST(Model, WhatIsAskedForIsShown) {
  const Ended ended = model(
      {"--text", "the dog", "--head", "0.1", "--without", "0.1", "--without", "1.0", "--lens", "--generate", "5"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("Head 0.1\n"), HasSubstr("Without 0.1 and 1.0\n"),
                               HasSubstr("After each block\n"), HasSubstr("It goes on: sleeps under the old table")));
  const Words drawn = {"--text", "the dog", "--generate", "5",       "--temperature",
                       "1.5",    "--top-k", "9",          "--top-p", "0.9"};
  const auto with_seed = [&](const char* seed) {
    Words arguments = drawn;
    arguments.insert(arguments.end(), {"--seed", seed});
    return model(arguments).out;
  };
  EXPECT_EQ(with_seed("1"), with_seed("1"));
  EXPECT_NE(with_seed("1"), with_seed("2"));
}

// The expected shares are those of code of its own, with these numbers, under PyTorch 1.13.
TEST(Model, FoldersOfTwoFamiliesGiveWhatPyTorchGives) {
  for (const std::size_t shards : {1u, 3u}) {
    ModelFolder gpt2, llama;
    make_gpt2(gpt2, shards);
    make_llama(llama, shards);
    EXPECT_EQ(best_words(model({gpt2.path(), "--text", "ABCA", "--width", "120"})), "R A 0 . ? T P C 0.0175");
    EXPECT_EQ(best_words(model({llama.path(), "--text", "ABCA", "--width", "120"})), "6 % G X Z I # 8 0.0204");
  }
}

TEST(Model, FoldersThatAreWrong) {
  ModelFolder folder;
  make_gpt2(folder, 2);
  const auto refusal = [&](const Words& more = {}) {
    Words arguments = {folder.path()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ended ended = model(arguments);
    EXPECT_NE(ended.code, 0) << ended.out;
    return replaced(ended.err, folder.path() + "/", "");
  };
  EXPECT_THAT(refusal({"--text", "ABCABCABCABCABC"}), HasSubstr("15 tokens, but this model has 12 positions"));
  EXPECT_THAT(refusal({"--text", "A B"}), HasSubstr("the model does not know \"\u0120\""));
  EXPECT_THAT(refusal({"--text", ""}), Not(testing::IsEmpty()));
  EXPECT_THAT(refusal({"--text", "AB", "--head", "2.0"}),
              HasSubstr("head 2.0: this model has blocks 0 to 1 with heads 0 to 1"));
  EXPECT_THAT(refusal({"--head", "x"}), HasSubstr("\"x\" is no head: 4.11 is head 11 of block 4"));
  EXPECT_THAT(refusal({"--generate", "many"}), HasSubstr("--generate"));
  EXPECT_THAT(refusal({"--generate", "2.5"}), HasSubstr("--generate")) << "no half words";
  EXPECT_THAT(refusal({"--text", "AB", "--max-memory", "1K"}),
              AllOf(HasSubstr("this model needs 1M"), HasSubstr("--max-memory")));
  folder.remove("model-1.safetensors");
  EXPECT_THAT(refusal(), HasSubstr("model-1.safetensors is missing, which model.safetensors.index.json names"));
  folder.write("model-1.safetensors", "short");
  EXPECT_THAT(refusal(), HasSubstr("model-1.safetensors"));
  folder.remove("model.safetensors.index.json");
  EXPECT_THAT(refusal(), HasSubstr("there is no model.safetensors in this folder"));
  folder.write("pytorch_model.bin", "");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("pytorch_model.bin is a pickle, and reading a pickle may run code"),
                               HasSubstr("torch.load(\"pytorch_model.bin\")")));
  folder.write("config.json", R"({"model_type": "gpt"})");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("models of the type \"gpt\" are not known here; known are gpt2, llama"),
                               HasSubstr("did you mean gpt2?")));
  folder.write("config.json", "[]");
  EXPECT_THAT(refusal(), HasSubstr("config.json is no JSON object"));
  folder.remove("config.json");
  EXPECT_THAT(refusal(), HasSubstr("there is no config.json in"));
}

TEST(Model, AConfigThatContradictsTheWeights) {
  ModelFolder folder;
  make_gpt2(folder);
  folder.write("config.json", ModelData{{"model_type", "gpt2"},
                                        {"n_layer", 2},
                                        {"n_head", 2},
                                        {"n_embd", 16},
                                        {"vocab_size", kWords},
                                        {"n_positions", 12}}
                                  .dump());
  const Ended ended = model({folder.path(), "--text", "AB"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("wte.weight is [64, 8], but config.json says [64, 16]"));
}

}  // namespace
}  // namespace attn
