// Vocabularies of every kind, and the pieces that words fall into.
#include "lesson/vocabulary.h"

#include <gmock/gmock.h>

#include "base/text.h"

namespace attn {
namespace {

std::string split(const Vocabulary& vocabulary, const std::string& word, bool is_first = false) {
  const auto ids = vocabulary.split(word, is_first);
  if (!ids) return "nothing";
  std::vector<std::string> pieces;
  for (const std::int64_t id : *ids) pieces.push_back(vocabulary.tokens().at(static_cast<std::size_t>(id)));
  return join(pieces, " ");
}

struct Case {
  std::vector<std::string> tokens;
  std::string word, pieces;
};

TEST(Vocabulary, TakesTheLongestTokenThatFits) {
  const Case cases[] = {
      {{"un", "a", "able", "una", "ff"}, "unable", "nothing"},  // una|b...: greedy does not go back
      {{"un", "able"}, "unable", "un able"},
      {{"a", "b", "ab"}, "abba", "ab b a"},
      {{"책", "을", "책을"}, "책을", "책을"},
      {{"책", "을"}, "책을", "책 을"},
      {{"cat"}, "Cat", "cat"},  // in lower case where there is no other way
      {{"Cat", "cat"}, "Cat", "Cat"},
      {{"cat"}, "dog", "nothing"},
      {{"cat", "<unk>"}, "dog", "<unk>"},
      // WordPiece
      {{"[UNK]", "un", "##aff", "##able", "##a"}, "unaffable", "un ##aff ##able"},
      {{"[UNK]", "un", "##aff"}, "unaffable", "[UNK]"},
      {{"[UNK]", "able", "##able"}, "able", "able"},
      {{"#", "##", "a"}, "##", "##"},   // a mark alone is a token like others
      {{"##", "a", "b"}, "ab", "a b"},  // and says nothing of them
      {{"</w>", "a", "b"}, "ab", "a b"},
      // "</w>" ends a word
      {{"l", "ow", "low</w>", "er</w>"}, "low", "low</w>"},
      {{"l", "ow", "low</w>", "er</w>"}, "lower", "l ow er</w>"},
      // "▁" begins it
      {{"▁the", "▁", "cat", "s"}, "the", "▁the"},
      {{"▁the", "▁", "cat", "s"}, "cats", "▁ cat s"},
      // bytes as letters; é is C3 A9, written Ã©
      {{"Ġcaf", "Ã", "©", "Ġcat"}, "café", "Ġcaf Ã ©"},
      {{"Ġ", "ì", "±", "ħ", "Ġa"}, "책", "Ġ ì ± ħ"},  // EC B1 85
  };
  for (const Case& c : cases) EXPECT_EQ(split(Vocabulary::of(c.tokens), c.word), c.pieces) << c.word;
}

TEST(Vocabulary, OfBytesTheFirstWordHasNoBlankBeforeIt) {
  const Vocabulary vocabulary = Vocabulary::of({"the", "Ġthe"});
  EXPECT_EQ(split(vocabulary, "the", true), "the");
  EXPECT_EQ(split(vocabulary, "the", false), "Ġthe");
}

TEST(Vocabulary, KnowsNearWords) {
  const Vocabulary vocabulary = Vocabulary::of({"garden", "harden", "river", "gardens"});
  EXPECT_THAT(vocabulary.near("gardn"), testing::ElementsAre("garden", "harden", "gardens"));
  EXPECT_TRUE(vocabulary.near("xyz").empty());
  EXPECT_EQ(vocabulary.whole("River"), 2);
  EXPECT_FALSE(vocabulary.whole("gard"));
}

struct File {
  std::string text, expected;  // the tokens, or what is wrong
};

std::string read(Vocabulary (*reader)(const Source&, LoadFindings&), const std::string& text) {
  LoadFindings findings;
  const Source source{"file", text};
  const Vocabulary vocabulary = reader(source, findings);
  if (!findings.failed()) return join(vocabulary.tokens(), " ");
  const Position place = position_of(source, findings.diagnostics.front().span.begin);
  return std::to_string(place.line) + ": " + findings.diagnostics.front().message;
}

TEST(Vocabulary, ReadsATokenALine) {
  const File files[] = {{"a\nb\r\n##c\n", "a b ##c"},
                        {"", "1: there is no token in this file"},
                        {"a\n\nb\n", "2: an empty line is not a token"},
                        {"a\nb\na\n", "3: this token is on line 1 already"},
                        {"a\n\xff\n", "2: this token is not UTF-8"}};
  for (const File& file : files) EXPECT_EQ(read(Vocabulary::from_lines, file.text), file.expected) << file.text;
}

TEST(Vocabulary, MayHaveAMillionTokens) {
  std::string lines, list = R"({"vocab": [)";
  for (std::size_t i = 0; i < Vocabulary::kLargest; ++i) {
    lines += std::to_string(i) + "\n";
    list += "[\"" + std::to_string(i) + "\", 0], ";
  }
  LoadFindings findings;
  EXPECT_EQ(Vocabulary::from_lines({"file", lines}, findings).tokens().size(), Vocabulary::kLargest);
  EXPECT_FALSE(findings.failed());
  EXPECT_EQ(read(Vocabulary::from_lines, lines + "a\nb\n"), "1000001: a vocabulary may have 1000000 tokens");
  EXPECT_EQ(read(Vocabulary::from_json, list + "[\"a\", 0]]}"), "1: a vocabulary may have 1000000 tokens");
}

TEST(Vocabulary, ReadsTokenizersOfJson) {
  const std::string deep(200, '[');
  const File files[] = {
      {R"({"model": {"type": "BPE", "vocab": {"b": 1, "a": 0}, "merges": []}})", "a b"},
      {R"({"model": {"vocab": {"a": 0}}, "added_tokens": [{"id": 1, "content": "<end>", "special": true}]})",
       "a <end>"},
      {R"({"added_tokens": [{"content": "a", "id": 0}], "model": {"vocab": {"a": 0}}})", "a"},
      {R"({"model": {"type": "Unigram", "vocab": [["<unk>", 0.0], ["a", -1.5]]}})", "<unk> a"},
      {R"({"b": 1, "a": 0})", "a b"},
      {R"({"vocab": {"a": 0}})", "a"},
      {R"({"model": {"vocab": {"a": 0, "a": 1}}})", "1: the token \"a\" has two ids, 0 and 1"},
      {R"({"model": {"vocab": {"a": 0, "b": 0}}})", "1: the id 0 stands for \"a\" and \"b\""},
      {R"({"a": 0, "b": 0})", "1: the id 0 stands for \"a\" and \"b\""},
      {R"({"model": {"vocab": {"a": 0, "b": 2}}})", "1: no token has the id 1, but one has the id 2"},
      {R"({"model": {"vocab": {"a": "x"}}})", "1: the id of \"a\" is a string"},
      {R"({"model": {"vocab": {"a": -1}}})", "1: the id of \"a\" is -1, not a whole number from 0 to 999999"},
      {R"({"model": {"vocab": {"a": 1.5}}})", "1: the id of \"a\" is 1.5, not a whole number from 0 to 999999"},
      {R"({"model": {"vocab": {"a": 99999999999}}})",
       "1: the id of \"a\" is 99999999999, not a whole number from 0 to 999999"},
      {R"({"model": {}})", "1: there is no vocabulary in this JSON"},
      {"[]", "1: there is no vocabulary in this JSON"},
      {"{\n\"model\": {\"vocab\": {\"a\": 0,", "2: here the file stops being JSON"},
      {std::string("{\"a\": 0}\0{", 10), "1: here the file stops being JSON"},
      {"", "1: here the file stops being JSON"},
      {deep, "1: this JSON is nested over 100 deep"},
  };
  for (const File& file : files) EXPECT_EQ(read(Vocabulary::from_json, file.text), file.expected) << file.text;
}

}  // namespace
}  // namespace attn
