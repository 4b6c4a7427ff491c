// What learners bring: sentences and ids from text, and the place of every mistake.
#include "lesson/own_words.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/limits.h"
#include "base/text.h"

namespace attn {
namespace {

using Read = std::vector<OwnSentence> (*)(const Source&, std::uint32_t, LoadFindings&);

/// "the cat|a dog", "1 2|3"; of mistakes "2:5 message" for each.
std::string read(Read reader, const std::string& text) {
  const Source source{"file", text};
  LoadFindings findings;
  std::string out;
  for (const OwnSentence& sentence : reader(source, 0, findings)) {
    out += out.empty() ? "" : "|";
    for (const OwnToken& token : sentence) {
      const std::string shown = token.id < 0 ? token.word : std::to_string(token.id);
      out += (&token == &sentence.front() ? "" : " ") + shown;
      if (token.id < 0) {
        EXPECT_EQ(source.slice(token.span), token.word);
      }
    }
  }
  if (!findings.failed()) return out;
  out.clear();
  for (const Diagnostic& finding : findings.diagnostics) {
    const Position place = position_of(source, finding.span.begin);
    out += fmt::format("{}:{} {}\n", place.line, place.column, finding.message);
  }
  return out;
}

struct Row {
  std::string text, expected;
};

TEST(OwnWords, SentencesAreLinesAndBlanksPartWords) {
  const Row rows[] = {{"the cat sat", "the cat sat"},
                      {"  the\tcat \n\n a dog\r\n", "the cat|a dog"},
                      {"안녕하세요 세상", "안녕하세요 세상"},
                      {"日本\u3000語", "日本 語"},  // the wide blank
                      {"👩‍👩‍👧 a\u0301\n", "👩‍👩‍👧 a\u0301"},
                      {"", "1:1 there is no word in this text\n"},
                      {" \n\t\n", "1:1 there is no word in this text\n"},
                      {"the\nca\xfft", "2:3 this is not UTF-8\n"}};
  for (const Row& row : rows) EXPECT_EQ(read(read_sentences, row.text), row.expected) << row.text;
}

TEST(OwnWords, IdsStandInLinesOrLists) {
  const Row rows[] = {{"5 12 7", "5 12 7"},       {"5, 12,7\n0\n", "5 12 7|0"},
                      {"[5, 12]\n[7]", "5 12|7"}, {"[[5, 12],\n [7]]\n", "5 12|7"},
                      {"[\n5,\n12\n]", "5 12"},   {"[1], [2],\n[3]", "1|2|3"},
                      {"\r\n1 2\r\n", "1 2"}};
  for (const Row& row : rows) EXPECT_EQ(read(read_ids, row.text), row.expected) << row.text;
}

TEST(OwnWords, EveryMalformedLineHasItsPlace) {
  const Row rows[] = {
      {"", "1:1 there is no id in this file\n"},
      {"1 2\n3 x 4\n5", "2:3 'x' is not an id: ids are whole numbers from 0\n"},
      {"1.5", "1:1 '1.5' is not an id: ids are whole numbers from 0\n"},
      {"99999999999999999999", "1:1 '99999999999999999999' is not an id: ids are whole numbers from 0\n"},
      {"1 -2\n-3", "1:3 ids begin at 0, and this is -2\n2:1 ids begin at 0, and this is -3\n"},
      {"1,,2\n,1\n1,\n1 ,\n2",
       "1:3 an id is missing before this comma\n2:1 an id is missing before this comma\n"
       "3:2 an id is missing after the comma\n4:3 an id is missing after the comma\n"},
      {"[1, 2,]", "1:7 an id is missing before this bracket\n"},
      {"[]", "1:2 this list is empty: a sequence has at least one id\n"},
      {"[1\n2", "2:2 a bracket is open at the end of the file\n"},
      {"1]", "1:2 this bracket was not opened\n"},
      {"[[[1]]]", "1:3 a list cannot begin here\n"},
      {"1 [2]", "1:3 a list cannot begin here\n"},
      {"[1] 2", "1:5 an id comes after a list, not in it\n"},
      {"1\n\xc3(", "2:1 this is not UTF-8\n"},
  };
  for (const Row& row : rows) EXPECT_EQ(read(read_ids, row.text), row.expected) << row.text;
}

TEST(OwnWords, ARunTakesSoManyAndNoMore) {
  std::string text;
  for (std::size_t i = 0; i < kMostTokens; ++i) text += "1 ";
  LoadFindings findings;
  EXPECT_EQ(read_ids({"file", text}, 0, findings).front().size(), kMostTokens);
  EXPECT_THROW(read_ids({"file", text + "1"}, 0, findings), LimitReached);
  EXPECT_THROW(read_sentences({"file", text + "1"}, 0, findings), LimitReached);
}

}  // namespace
}  // namespace attn
