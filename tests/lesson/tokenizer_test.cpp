// Tokenizers of three kinds, made of a few tokens; ids were worked out by hand.
#include "lesson/tokenizer.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "base/diagnostic.h"
#include "base/files.h"
#include "base/text.h"
#include "lesson/vocabulary.h"

namespace attn {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using Ids = std::vector<std::int64_t>;

std::string letter_of(int byte) {
  const char c = static_cast<char>(byte);
  return byte_letters({&c, 1});
}

/// All bytes with their values as ids, and what the merges make, from 256 on.
json byte_level_model(const std::vector<std::string>& merges) {
  json vocab = json::object();
  for (int byte = 0; byte < 256; ++byte) vocab[letter_of(byte)] = byte;
  for (const std::string& merge : merges) vocab[replaced(merge, " ", "")] = vocab.size();
  return {{"type", "BPE"}, {"vocab", vocab}, {"merges", merges}};
}

Tokenizer tokenizer_of(const json& file) { return Tokenizer::from_json({"tokenizer.json", file.dump()}); }

Tokenizer byte_level(const std::vector<std::string>& merges) {
  return tokenizer_of(
      {{"model", byte_level_model(merges)}, {"pre_tokenizer", {{"type", "ByteLevel"}, {"add_prefix_space", false}}}});
}

std::string refusal(const json& file) {
  try {
    tokenizer_of(file);
  } catch (const UserError& error) {
    return error.what();
  }
  return "none";
}

TEST(Tokenizer, MergesTheLowestRankFirst) {
  // t h e: "h e" has the lower rank, so "t h" never comes to be.
  EXPECT_THAT(byte_level({"h e", "t h", "t he"}).encode("the"), ElementsAre(258));
  EXPECT_THAT(byte_level({"t h", "h e", "t he"}).encode("the"), ElementsAre(256, 'e'));
  // Of equal pairs the first is merged first.
  EXPECT_THAT(byte_level({"a a"}).encode("aaaaa"), ElementsAre(256, 256, 'a'));
  EXPECT_THAT(byte_level({"a a", "aa aa"}).encode("aaaaa"), ElementsAre(257, 'a'));
}

TEST(Tokenizer, ABlankBelongsToTheWordBehindIt) {
  const Tokenizer tokenizer = byte_level({"\u0120 a", "a b", "' s"});
  EXPECT_THAT(tokenizer.encode("a a"), ElementsAre('a', 256));
  EXPECT_THAT(tokenizer.encode("a  a"), ElementsAre('a', ' ', 256)) << "of two blanks the first is a piece";
  EXPECT_THAT(tokenizer.encode("a's ab"), ElementsAre('a', 258, 256, 'b')) << "a contraction is a piece";
}

TEST(Tokenizer, WhatIsEncodedAsBytesIsDecodedToTheSameText) {
  const Tokenizer tokenizer = byte_level({"h e", "\u0120 t", "\u0120t he", "i n", "e r"});
  for (const char* text : {"the inner", " leading", "trailing  ", "한국어 문장", "😀👍🏽",
                           "def f(x):\n\treturn x", "½ ² ١٢", "\r\n", "e\u0301", "\u00a0\u3000", "a'b''c", ""})
    EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), text);
  EXPECT_EQ(tokenizer.decode({0xED, 'a'}), "\uFFFDa") << "a byte that is no character by itself";
  EXPECT_EQ(tokenizer.decode({-1, 99'999, 'a'}), "a");
}

TEST(Tokenizer, PatternsOfTheFile) {
  // Llama 3's way: numbers by three digits, letters together whatever stands before them; whole pieces first.
  json model = byte_level_model({"1 2"});
  model["ignore_merges"] = true;
  model["vocab"]["345"] = 300;
  const json file = {{"model", model},
                     {"pre_tokenizer",
                      {{"type", "Sequence"},
                       {"pretokenizers",
                        {{{"type", "Split"},
                          {"pattern", {{"Regex", R"(\p{N}{1,3}|(?i:'s)|[^\r\n\p{L}\p{N}]?\p{L}+|\s+)"}}},
                          {"behavior", "Isolated"}},
                         {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}}}}}}};
  EXPECT_THAT(tokenizer_of(file).encode("12345"), ElementsAre(256, '3', '4', '5')) << "123 and 45";
  EXPECT_THAT(tokenizer_of(file).encode("999345"), ElementsAre('9', '9', '9', 300)) << "though no merge makes it";
}

TEST(Tokenizer, SentencePieceWithBytesForTheRest) {
  const json vocab = {{"<unk>", 0}, {"<s>", 1},      {"\u2581", 2}, {"a", 3},      {"b", 4},
                      {"ab", 5},    {"\u2581ab", 6}, {"<0xC3>", 7}, {"<0xA9>", 8}, {"<0x0A>", 9}};
  const json file = {{"added_tokens", {{{"id", 1}, {"content", "<s>"}}}},
                     {"normalizer",
                      {{"type", "Sequence"},
                       {"normalizers",
                        {{{"type", "Prepend"}, {"prepend", "\u2581"}},
                         {{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", "\u2581"}}}}}},
                     {"pre_tokenizer", nullptr},
                     {"post_processor",
                      {{"type", "TemplateProcessing"},
                       {"single", {{{"SpecialToken", {{"id", "<s>"}}}}, {{"Sequence", {{"id", "A"}}}}}},
                       {"special_tokens", {{"<s>", {{"ids", {1}}}}}}}},
                     {"model",
                      {{"type", "BPE"},
                       {"unk_token", "<unk>"},
                       {"byte_fallback", true},
                       {"vocab", vocab},
                       {"merges", {"a b", "\u2581 ab"}}}}};
  const Tokenizer tokenizer = tokenizer_of(file);
  EXPECT_THAT(tokenizer.encode("ab ab"), ElementsAre(1, 6, 6));
  EXPECT_THAT(tokenizer.encode("é\nz"), ElementsAre(1, 2, 7, 8, 9, 0)) << "z has neither a token nor bytes";
  EXPECT_THAT(tokenizer.encode("a<s>b"), ElementsAre(1, 2, 3, 1, 2, 4)) << "an added token is cut out first";
  EXPECT_EQ(tokenizer.decode({6, 6, 7, 8}), " ab abé");
}

TEST(Tokenizer, WordPiecesOfBert) {
  json vocab;
  for (const char* token : {"[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "!", "中", "cafe"})
    vocab[token] = vocab.size();
  const json file = {{"normalizer", {{"type", "BertNormalizer"}, {"lowercase", true}, {"strip_accents", nullptr}}},
                     {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
                     {"post_processor", {{"type", "BertProcessing"}, {"cls", {"[CLS]", 1}}, {"sep", {"[SEP]", 2}}}},
                     {"model", {{"type", "WordPiece"}, {"unk_token", "[UNK]"}, {"vocab", vocab}}}};
  const Tokenizer tokenizer = tokenizer_of(file);
  EXPECT_THAT(tokenizer.encode("Unaffable!!"), ElementsAre(1, 3, 4, 5, 6, 6, 2));
  EXPECT_THAT(tokenizer.encode("Un\u200baff\u00adable\x01!\u00a0!\ufeff"), ElementsAre(1, 3, 4, 5, 6, 6, 2))
      << "characters that control or format are left out";
  EXPECT_THAT(tokenizer.encode("Café unx 中中"), ElementsAre(1, 8, 0, 7, 7, 2))
      << "a word with one piece unknown is unknown";
  EXPECT_THAT(tokenizer.encode(std::string(500, 'u')), ElementsAre(1, 0, 2));
  EXPECT_EQ(tokenizer.decode({3, 4, 5, 6}), "unaffable !");
  EXPECT_EQ(tokenizer.bytes_of(4), "##aff");
  EXPECT_EQ(tokenizer.bytes_of(99), "");
}

TEST(Tokenizer, AHiddenWordIsOneTokenOfVocabTxtToo) {
  const Tokenizer tokenizer = Tokenizer::from_wordpieces({"vocab.txt", "[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nmask\n[\n]\n"});
  EXPECT_THAT(tokenizer.encode("a [MASK]a [mask]"), ElementsAre(1, 4, 3, 4, 6, 5, 7, 2));
}

TEST(Tokenizer, WordsOfTheSmallModel) {
  const Tokenizer tokenizer = Tokenizer::of_words({"the", "cat", "."});
  EXPECT_THAT(tokenizer.encode("the cat."), ElementsAre(0, 1, 2));
  EXPECT_THROW(tokenizer.encode("the dog"), UserError);
}

TEST(Tokenizer, LongTextsCostNoSquare) {
  const Tokenizer tokenizer = byte_level({"a a", "aa aa", "aaaa aaaa"});
  EXPECT_EQ(tokenizer.encode(std::string(200'000, 'a')).size(), 25'000u);
}

TEST(Tokenizer, RefusesWhatItDoesNotKnow) {
  const json model = byte_level_model({});
  const auto with = [&](const char* part, json kind) {
    return json{{"model", model}, {part, {{"type", std::move(kind)}}}};
  };
  EXPECT_EQ(refusal({{"model", {{"type", "Unigram"}, {"vocab", json::array()}}}}),
            "the model \"Unigram\" of this tokenizer is not known here");
  EXPECT_THAT(refusal(with("normalizer", "Precompiled")), HasSubstr("normalizer \"Precompiled\""));
  EXPECT_THAT(refusal(with("pre_tokenizer", "Punctuation")), HasSubstr("pre_tokenizer \"Punctuation\""));
  EXPECT_THAT(refusal(with("post_processor", "Odd")), HasSubstr("post_processor \"Odd\""));
  const std::string broken = "tokenizer.json is no tokenizer: it is not JSON, or a part of it is missing";
  EXPECT_EQ(refusal(json::object()), broken);
  EXPECT_EQ(refusal(with("normalizer", 3)), broken);
  for (const json& id : {json("x"), json(-1), json(1e300), json(10'000'001), json(UINT64_MAX)})
    EXPECT_EQ(refusal({{"model", {{"type", "BPE"}, {"vocab", {{"a", id}}}}}}),
              "the token \"a\" of this tokenizer has the id " + id.dump());
  EXPECT_THAT(
      refusal({{"model", model},
               {"pre_tokenizer", {{"type", "Split"}, {"pattern", {{"Regex", "("}}}, {"behavior", "Isolated"}}}}),
      HasSubstr("this pattern of the tokenizer cannot be read: ("));
}

}  // namespace
}  // namespace attn
