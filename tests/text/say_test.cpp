#include "text/say.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "text/sentences.h"
#include "text/unsupported.h"

namespace attn {
namespace {

TEST(Say, PutsWordsIn) {
  EXPECT_EQ(say("question.shape", {{"subject", "Q"}}), "What is the shape of Q?");
  EXPECT_EQ(say("question.shape", {{"subject", "{gap}"}}), "What is the shape of {gap}?");
  EXPECT_EQ(say_count("more", 1, {{"gap", "..."}}), "... 1 more");
  EXPECT_EQ(say_count("more", 14, {{"gap", "..."}}), "... 14 more");
  EXPECT_THROW(say("question.shape"), std::logic_error);
  EXPECT_THROW(say("no.such.sentence"), std::logic_error);
}

TEST(Unsupported, HasTheHintOfItsSentence) {
  const Diagnostic with = unsupported({0, 3, 5}, "unsupported.import_star", {{"module", "math"}}).diagnostic();
  EXPECT_EQ(with.code, Code::Unsupported);
  EXPECT_EQ(with.span.begin, 3u);
  EXPECT_EQ(with.message, "'import *' of math is not supported");
  EXPECT_EQ(with.hint, "list the names: from math import a, b");
  EXPECT_EQ(unsupported({}, "unsupported.type").diagnostic().hint, "");
}

TEST(Sentences, AreReadInTheOrderOfTheirIds) {
  const std::vector<Sentence> rows = parse_sentences(
      "# what follows\n\nb.two = first\na = {x} = 1\nb.two = second,\n    longer\nc = table\\n\n      1  2\\n\n    "
      "end\\n\n");
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].id, "a");
  EXPECT_EQ(rows[0].text(), "{x} = 1");
  EXPECT_EQ(rows[1].text(), "first");
  EXPECT_EQ(rows[2].text(), "second, longer");
  EXPECT_EQ(rows[3].text(), "table\n  1  2\nend\n");
}

TEST(Sentences, ALineThatIsNoneIsABug) {
  for (const char* file : {"a =\n", "a=b\n", "  a = b\n", "    text of nothing\n", "text\n"})
    EXPECT_THROW(parse_sentences(file), std::logic_error) << file;
}

TEST(Sentences, OfOneIdStandTogether) {
  EXPECT_EQ(sentences_of("rule.matmul.inner").size(), 4u);
  EXPECT_EQ(sentences_of("question.shape").size(), 1u);
  EXPECT_TRUE(sentences_of("question").empty());
}

}  // namespace
}  // namespace attn
