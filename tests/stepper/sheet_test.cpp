// What is read of a sheet that somebody has filled in with any editor.
#include "stepper/sheet.h"

#include <gmock/gmock.h>

namespace attn {
namespace {

using testing::ElementsAre;

const std::string kHeader =
    "# attn-tutor sheet: 3 A batch\nlesson: batch 0123456789ab\nname: Mina Kim\nrun: --seed 7\n";

TEST(ReadSheet, HeaderAndAnswers) {
  const Sheet sheet = read_sheet(kHeader + "# Question 1\n1. yes\n\n# Question 2\n2. 0.5\n3.\n");
  EXPECT_EQ(sheet.lesson, "batch");
  EXPECT_EQ(sheet.hash, "0123456789ab");
  EXPECT_EQ(sheet.name, "Mina Kim");
  EXPECT_EQ(sheet.run, "--seed 7");
  EXPECT_THAT(sheet.answers, ElementsAre("yes", "0.5", ""));
  EXPECT_EQ(read_sheet("lesson: batch\n1. yes\n").lesson, "batch");
  EXPECT_EQ(read_sheet("lesson: batch\n1. yes\n").hash, "");
}

struct Filled {
  std::string text;
  std::vector<std::string> answers;
};

TEST(ReadSheet, WhatEditorsMakeOfIt) {
  const Filled rows[] = {
      {"1. yes\r\n2. no\r\n", {"yes", "no"}},
      {"\xEF\xBB\xBF"
       "1. yes\n2. no\n",
       {"yes", "no"}},
      {"1.\xC2\xA0yes\n  2) no\n", {"yes", "no"}},
      {"1.yes\n2.[3, 4]\n", {"yes", "[3, 4]"}},
      {"1.\nyes\n\n2.\n\n  no\n", {"yes", "no"}},
      {"1. `3 4`\n2. no\n", {"3 4", "no"}},
      {"1. yes\n4. no\n", {"yes", "", "", "no"}},
      {"2. no\n1. yes\n", {"yes", "no"}},
      {"1. yes\n2.3 4\n3. no\n", {"yes", "3 4", "no"}},  // the blank after the number is gone
      {"1.\n2.5\n2. no\n", {"2.5", "no"}},
      {"1. a = 1\n   b = a\n\n   c = b\n2. no\n", {"a = 1\nb = a\nc = b", "no"}},
      {"1.\n```python\na = 1\nb = a\n```\n2. no\n", {"a = 1\nb = a", "no"}},
      {"1. for i in x:\n       y = i\n2. no\n", {"for i in x:\n    y = i", "no"}},
  };
  for (const Filled& row : rows) {
    EXPECT_EQ(read_sheet(kHeader + row.text).answers, row.answers) << row.text;
    EXPECT_EQ(read_sheet(row.text).answers.size() > 1, true) << row.text;
  }
}

TEST(ReadSheet, AFileOfAnAnswerALine) {
  for (const std::string text : {"# two\n3 4\nz = 1\\nw = 2\n", "3 4\r\nz = 1\\nw = 2\r\n\r\n"}) {
    const Sheet sheet = read_sheet(text);
    EXPECT_FALSE(sheet.is_numbered);
    EXPECT_THAT(sheet.answers, ElementsAre("3 4", "z = 1\nw = 2"));
  }
  EXPECT_THAT(read_sheet("0.5\n1.5\n2. 3\n").answers, ElementsAre("0.5", "1.5", "2. 3"));
  EXPECT_THAT(read_sheet("yes\n\n3 4\n").answers, ElementsAre("yes", "", "3 4")) << "an empty line is no answer";
  EXPECT_TRUE(read_sheet("").answers.empty());
}

}  // namespace
}  // namespace attn
