// attn-tutor model: the small model that is built in, and folders as people have them.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/text.h"
#include "tests/cli/program.h"

namespace attn {
namespace {

using ModelData = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A folder that scripts/make_model.py made for one test: a tiny model of 64 words and 12 positions.
class ModelFolder {
 public:
  explicit ModelFolder(const std::string& family, const Words& more = {})
      : config_("config.json"), path_(std::filesystem::path(config_.path()).parent_path()) {
    Words words = {ATTN_SOURCE_DIR "/scripts/make_model.py", family, path()};
    words.insert(words.end(), more.begin(), more.end());
    Conditions conditions;
    conditions.program = kPython;
    const Ended ended = run_program(words, conditions);
    EXPECT_EQ(ended.code, 0) << ended.err;
  }
  ~ModelFolder() {
    for (const auto& file : std::filesystem::directory_iterator(path_))
      if (file.path() != config_.path()) std::filesystem::remove(file.path());
  }
  ModelFolder(const ModelFolder&) = delete;
  ModelFolder& operator=(const ModelFolder&) = delete;

  std::string path() const { return path_.string(); }
  std::string read(const std::string& name) const { return text_of((path_ / name).string()); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  void remove(const std::string& name) const { std::filesystem::remove(path_ / name); }
  /// config.json with another value for a key.
  void configure(const std::string& key, const ModelData& value) const {
    ModelData config = ModelData::parse(read("config.json"));
    config[key] = value;
    write("config.json", config.dump());
  }

 private:
  TemporaryFile config_;
  std::filesystem::path path_;
};

/// The character that stands for a byte in the vocabulary of GPT-2: itself where it can be seen, else the next of those
/// from 256 on.
std::string byte_letter(int byte) {
  const auto is_seen = [](int b) { return (b > 32 && b < 127) || (b > 160 && b != 173); };
  int code = byte;
  if (!is_seen(byte)) {
    code = 256;
    for (int b = 0; b < byte; ++b) code += !is_seen(b);
  }
  if (code < 128) return {static_cast<char>(code)};
  return {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 63))};
}

/// They need Python to be made.
class ModelFolders : public testing::Test {
  void SetUp() override {
    Conditions conditions;
    conditions.program = kPython;
    if (run_program({"-c", ""}, conditions).code != 0) GTEST_SKIP() << "no Python here";
  }
};

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
  EXPECT_THAT(ended.out, AllOf(HasSubstr("the small model of lesson 18: 2 blocks with 2 heads each"),
                               HasSubstr("28,608"), HasSubstr("As float32 they take 0.1 MB of memory."),
                               HasSubstr("It reads 6 tokens: the · cat · drinks · milk · in · the")));
  EXPECT_THAT(best_words(ended), StartsWith("kitchen garden river"));
  std::smatch copies;
  ASSERT_TRUE(std::regex_search(ended.out, copies, std::regex(R"(copies +1\.\d \((0\.\d+)\))"))) << ended.out;
  EXPECT_GT(std::stod(copies[1]), 0.4);
  EXPECT_THAT(ended.out, Not(HasSubstr("Writing on"))) << "which was not asked for";
}

TEST(Model, ReadsAFile) {
  const TemporaryFile file("text.txt", "the dog\n");
  EXPECT_THAT(model({"--text", "@" + file.path(), "--width", "100"}).out, HasSubstr("It reads 2 tokens: the · dog\n"));
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
  EXPECT_THAT(model({"--generate", "90"}).out, HasSubstr("Only 10 of 90 words fit into the 16 positions"));
}

// The expected shares are those of code of its own, with modules of torch.nn, on these folders under PyTorch 1.13.
TEST_F(ModelFolders, OfThreeFamiliesGiveWhatPyTorchGives) {
  for (const char* shards : {"1", "3"}) {
    const ModelFolder gpt2("gpt2", {"--shards", shards}), llama("llama", {"--heads", "4", "--shards", shards}),
        bert("bert", {"--shards", shards});
    EXPECT_EQ(best_words(model({gpt2.path(), "--text", "ABCA", "--width", "120"})), "O 6 G = . ) _ 2 0.0220");
    EXPECT_EQ(best_words(model({llama.path(), "--text", "ABCA", "--width", "120"})), "^ W \\ N 7 & . - 0.0210");
    const Ended hidden = model({bert.path(), "--text", "ab[MASK]d", "--width", "120"});
    EXPECT_EQ(best_words(hidden), "word62 e ##t v [SEP] ##j u ##n 0.0221");
    EXPECT_THAT(hidden.out, HasSubstr("0.0276  -0.1174   0.3927  -0.1131  -0.0958  -0.2565  -0.3954  -0.1727"))
        << "pooled";
  }
}

TEST_F(ModelFolders, ABertReadsTwoSentencesAndFillsInWords) {
  const ModelFolder folder("bert");
  const Ended ended = model({folder.path(), "--text", "a [MASK]", "--text", "c[MASK]", "--head", "1.1", "--without",
                             "0.1", "--lens", "--width", "120"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("a model of the BERT family: 2 blocks with 2 heads each"),
                               HasSubstr("It reads 7 tokens: [CLS] · a · [MASK] · [SEP] · c · [MASK] · [SEP]"),
                               HasSubstr("for token 2; for token 5, "), HasSubstr("looks at the token after"),
                               HasSubstr("Head 1.1\n"), HasSubstr("Without 0.1\n"), HasSubstr("After each block\n")));
  const Ended plain = model({folder.path(), "--text", "abc"});
  EXPECT_EQ(plain.code, 0) << "without a hidden word its heads are shown: " << plain.err;
  EXPECT_THAT(plain.out, AllOf(HasSubstr("What each head looks at"), Not(HasSubstr("Hidden words"))));
  EXPECT_THAT(model({folder.path(), "--text", "abc", "--lens"}).err,
              AllOf(HasSubstr("--lens shows how a prediction changes, and no word of this text is hidden"),
                    HasSubstr("[MASK]")));
  EXPECT_THAT(model({folder.path(), "--generate", "3"}).err, HasSubstr("this one fills in words that are hidden"));
  EXPECT_THAT(model({"--text", "the cat", "--text", "the dog"}).err, HasSubstr("this model reads one --text"));
}

TEST_F(ModelFolders, TakeEveryCommandThatALessonTakes) {
  const ModelFolder folder("gpt2");
  const Ended ended =
      run_program({"explain", folder.path(), "looks_at[2,1]", "--text", "ABCA", "--head", "1.0", "--depth", "2"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("looks_at[2, 1]"), HasSubstr("softmax"), HasSubstr("exp(")));
  EXPECT_THAT(run_program({"touch", "model", "ids[0, 1] = 3", "--text", "the dog"}).out,
              HasSubstr("shares [candidates 8]\n      all 8 numbers moved"));
  const TemporaryFile page("x.html");
  EXPECT_EQ(run_program({"export", folder.path(), "-o", page.path(), "--text", "ABC"}).err, "");
  EXPECT_THAT(text_of(page.path()), HasSubstr("What each head looks at"));
  EXPECT_THAT(run_program({"explain", "model", "logits[0]", "--data", "x.txt"}).err,
              HasSubstr("a model reads words by its own tokenizer"));
}

void verify_folder(const ModelFolder& folder, const Words& more) {
  if (!has_torch()) GTEST_SKIP() << "no PyTorch here";
  Words words = {"verify", folder.path(), "--head", "1.1", "--without", "0.1", "--lens", "--python", kPython};
  words.insert(words.end(), more.begin(), more.end());
  const Ended ended = run_program(words);
  EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("tensors agree with PyTorch"));
}

TEST_F(ModelFolders, VerifyRunsAGpt2UnderPyTorch) {
  verify_folder(ModelFolder("gpt2", {"--width", "16"}), {"--text", "ABCA", "--generate", "3"});
}
TEST_F(ModelFolders, VerifyRunsALlamaUnderPyTorch) {
  verify_folder(ModelFolder("llama", {"--heads", "4"}), {"--text", "ABCA", "--generate", "3"});
}
TEST_F(ModelFolders, VerifyRunsABertUnderPyTorch) { verify_folder(ModelFolder("bert"), {"--text", "a[MASK]b"}); }

TEST_F(ModelFolders, ThatAreWrong) {
  const ModelFolder folder("gpt2", {"--shards", "2"});
  const auto refusal = [&](const Words& more = {}) {
    Words arguments = {folder.path()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ended ended = model(arguments);
    EXPECT_NE(ended.code, 0) << ended.out;
    return replaced(ended.err, folder.path() + "/", "");
  };
  EXPECT_THAT(refusal({"--text", "ABCABCABCABCABC"}), HasSubstr("15 tokens, but this model has 12 positions"));
  EXPECT_THAT(refusal({"--text", "A B"}), HasSubstr("the model does not know \"\u0120\""));
  EXPECT_THAT(refusal({"--text", "A\xFFy"}), HasSubstr("this text is not valid UTF-8"));
  EXPECT_THAT(refusal({"--text", ""}), HasSubstr("there is no word in this text"));
  EXPECT_THAT(refusal({"--text", "AB", "--head", "2.0"}),
              HasSubstr("head 2.0: this model has blocks 0 to 1 with heads 0 to 1"));
  EXPECT_THAT(refusal({"--head", "x"}), HasSubstr("\"x\" is no head: 4.11 is head 11 of block 4"));
  EXPECT_THAT(refusal({"--generate", "many"}), HasSubstr("--generate"));
  EXPECT_THAT(refusal({"--generate", "2.5"}), HasSubstr("--generate")) << "no half words";
  EXPECT_THAT(refusal({"--top-k", "3"}),
              AllOf(HasSubstr("without --generate none are"), HasSubstr("attn-tutor model --generate 20 --top-k 3")));
  EXPECT_THAT(refusal({"--text", "AB", "--max-memory", "1K"}),
              AllOf(HasSubstr("this model needs 1M"), HasSubstr("--max-memory")));
  const std::string shard = "model-00002-of-00002.safetensors", whole = folder.read(shard);
  folder.write(shard, whole.substr(0, whole.size() - 4));
  EXPECT_THAT(refusal({"--text", "AB"}), HasSubstr(shard));
  folder.write(shard, "short");
  EXPECT_THAT(refusal(), HasSubstr(shard));
  folder.remove(shard);
  EXPECT_THAT(refusal(), HasSubstr(shard + " is missing, which model.safetensors.index.json names"));
  folder.remove("model.safetensors.index.json");
  EXPECT_THAT(refusal(), HasSubstr("there is no model.safetensors in this folder"));
  folder.write("pytorch_model.bin", "");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("pytorch_model.bin is a pickle, and reading a pickle may run code"),
                               HasSubstr("torch.load(\"pytorch_model.bin\")")));
  folder.remove("pytorch_model.bin");
  folder.write("model.safetensors", whole);
  folder.remove("vocab.json");
  EXPECT_THAT(refusal(), HasSubstr("there is no tokenizer.json in this folder"));
  folder.write("tokenizer.model", "");
  EXPECT_THAT(refusal(), HasSubstr("tokenizer.model is SentencePiece's own file"));
  folder.write("config.json", "[]");
  EXPECT_THAT(refusal(), HasSubstr("config.json is no JSON object"));
  folder.remove("config.json");
  EXPECT_THAT(refusal(), HasSubstr("there is no config.json in"));
}

// é is two tokens of one byte each: shown as bytes, put together again where the model writes.
TEST_F(ModelFolders, WithTokensThatArePartsOfCharacters) {
  const ModelFolder folder("gpt2", {"--words", "257"});
  ModelData vocab;
  for (int byte = 0; byte < 256; ++byte) vocab[byte_letter(byte)] = byte;
  vocab["<|endoftext|>"] = 256;
  folder.write("vocab.json", vocab.dump());
  folder.write("merges.txt", "#version: 0.2\n");
  const Ended ended = model({folder.path(), "--text", "h\u00e9<|endoftext|>", "--generate", "2", "--width", "100"});
  EXPECT_THAT(ended.out, HasSubstr("It reads 4 tokens: h \u00b7 <0xC3> \u00b7 <0xA9> \u00b7 <|endoftext|>"))
      << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("It goes on: "));
}

TEST_F(ModelFolders, WhoseConfigContradictsTheWeights) {
  const auto refusal = [](const std::string& family, const std::string& key, const ModelData& value) {
    const ModelFolder folder(family);
    folder.configure(key, value);
    const Ended ended = model({folder.path(), "--text", family == "bert" ? "ab" : "AB"});
    EXPECT_EQ(ended.code, 3) << family << " " << key;
    EXPECT_THAT(ended.err, StartsWith("attn-tutor: ")) << "and no assertion of our code";
    return ended.err;
  };
  EXPECT_THAT(refusal("gpt2", "n_embd", 16), HasSubstr("wte.weight is [64, 8], but config.json says [64, 16]"));
  EXPECT_THAT(refusal("gpt2", "n_layer", 3), HasSubstr("h.2.attn.c_attn.weight is not in the files of this model"));
  EXPECT_THAT(refusal("gpt2", "n_layer", 1), HasSubstr("the files have h.1."));
  EXPECT_THAT(refusal("bert", "num_hidden_layers", 1), HasSubstr("but config.json says 1 for the number of blocks"));
  EXPECT_THAT(refusal("gpt2", "n_head", 3), HasSubstr("config.json has 3 heads, which do not divide 8"));
  EXPECT_THAT(refusal("llama", "num_key_value_heads", 3), HasSubstr("config.json has 3 heads, which do not divide 2"));
  for (const ModelData& size : {ModelData(0), ModelData(-2), ModelData("two"), ModelData(2.5)})
    EXPECT_THAT(refusal("gpt2", "n_layer", size), HasSubstr(", which is no size")) << size;
  EXPECT_THAT(refusal("bert", "vocab_size", nullptr), HasSubstr("config.json has no vocab_size"));
  EXPECT_THAT(refusal("gpt2", "activation_function", "relu"),
              HasSubstr("config.json has activation_function 'relu'; this code is for 'gelu_new'"));
  EXPECT_THAT(refusal("llama", "num_key_value_heads", 2),
              HasSubstr("layers.0.self_attn.k_proj.weight is [4, 8], but config.json says [8, 8]"));
  EXPECT_THAT(refusal("bert", "intermediate_size", 8),
              HasSubstr("encoder.layer.0.intermediate.dense.weight is [32, 8], but config.json says [8, 8]"));
}

TEST_F(ModelFolders, OfAnUnknownFamilyAreMapped) {
  const ModelFolder folder("gpt2");
  // The same model as others would write it: other names of the same lengths.
  folder.configure("model_type", "odd");
  std::string bytes = folder.read("model.safetensors");
  for (const auto& [from, to] : {std::pair("\"wte.weight\"", "\"tok.weight\""), std::pair(".c_attn.", ".joined."),
                                 std::pair("\"h.0.", "\"l.0."), std::pair("\"h.1.", "\"l.1.")})
    bytes = replaced(bytes, from, to);
  folder.write("model.safetensors", bytes);
  const Words text = {"--text", "ABCA", "--width", "120"};
  const auto with = [&](Words words) {
    words.insert(words.begin(), folder.path());
    words.insert(words.end(), text.begin(), text.end());
    return model(words);
  };
  EXPECT_THAT(
      with({}).err,
      AllOf(HasSubstr("models of the type \"odd\" are not known here; known are gpt2, llama, mistral, qwen2, bert"),
            HasSubstr("tok.weight"), HasSubstr("l.*.attn.joined.weight"), HasSubstr("--family gpt2")));
  const Words mapped = {"--family", "gpt2", "--map", "tok=wte", "--map", "l.*=h.*", "--map"};
  const auto with_map = [&](const std::string& last) {
    Words words = mapped;
    words.push_back(last);
    return with(words);
  };
  EXPECT_THAT(with_map("n_head=n_head").err, HasSubstr("h.0.attn.c_attn.weight is not in the files of this model"));
  EXPECT_THAT(with_map("l.*.attn.jointed=h.*.attn.c_attn").err,
              AllOf(HasSubstr("neither a tensor of this model nor a key of its config.json is called l.*.attn.jointed"),
                    HasSubstr("did you mean l.*.attn.joined")));
  EXPECT_THAT(with_map("tok=wte").err, HasSubstr("two tensors are called wte.weight"));
  EXPECT_EQ(best_words(with_map("l.*.attn.joined=h.*.attn.c_attn")), "O 6 G = . ) _ 2 0.0220");
  EXPECT_EQ(best_words(with({"--family", "gpt2", "--map", "tok=wte", "--map", "l.*=h.*", "--map",
                             "l.*.attn.joined.weight[:, :24].T.T=h.*.attn.c_attn.weight", "--map",
                             "l.*.attn.joined.bias=h.*.attn.c_attn.bias", "--map", "2=n_head"})),
            "O 6 G = . ) _ 2 0.0220");
  EXPECT_THAT(with({"--family", "gtp2"}).err, HasSubstr("did you mean gpt2?"));
  EXPECT_THAT(run_program({"verify", "3", "--map", "a=b"}).err, HasSubstr("give --weights FILE too"));
}

TEST_F(ModelFolders, WithNumbersThatAreNone) {
  const ModelFolder folder("gpt2");
  std::string bytes = folder.read("model.safetensors");
  bytes.replace(bytes.size() - 4, 4, std::string("\0\0\xC0\x7F", 4));  // the last number of ln_f.bias
  folder.write("model.safetensors", bytes);
  const Ended ended = model({folder.path(), "--text", "AB"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_THAT(ended.err, HasSubstr("ln_f.bias has numbers that are NaN or infinite"));
}

}  // namespace
}  // namespace attn
