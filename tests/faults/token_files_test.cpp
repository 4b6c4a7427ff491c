// Files of token ids, row by row of the list in docs/testing.md: the exit code, the place and the message.
#include <gmock/gmock.h>

#include "tests/faults/faults.h"

namespace attn {
namespace {

using testing::HasSubstr;

std::string many_ids() {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "1 ";
  return text;
}

std::vector<Row> rows() {
  const std::string more = "is not an id: ids are whole numbers from 0";
  return {
      {"D1 empty", "", 3, ":1:1: format: there is no id in this file"},
      {"D1 blanks alone", " \n \t\n", 3, ":1:1: format: there is no id in this file"},
      {"D1 no end of the line", "1 2", 0, "[2]"},
      {"D1 CRLF", "1 2\r\n3 4\r\n", 0, "[2]"},
      {"D1 a mark of bytes",
       "\xef\xbb\xbf"
       "1 2\n",
       0, "[2]"},
      {"D1 tabs and commas", "1\t2,3\n", 0, "[3]"},
      {"D2 negative", "1 -1\n", 3, ":1:3: format: ids begin at 0, and this is -1"},
      {"D2 a fraction", "1\n1.5\n", 3, ":2:1: format: '1.5' " + more},
      {"D2 an exponent", "1e3\n", 3, ":1:1: format: '1e3' " + more},
      {"D2 hexadecimal", "0x10\n", 3, ":1:1: format: '0x10' " + more},
      {"D2 NaN", "NaN\n", 3, ":1:1: format: 'NaN' " + more},
      {"D2 Arabic digits", "\u0661\n", 3, ":1:1: format: '\u0661' " + more},
      {"D2 2^63", "9223372036854775808\n", 3, ":1:1: format: '9223372036854775808' " + more},
      {"D2 a million digits", std::string(1'000'000, '9'), 3, more},
      {"D3 NUL", std::string("1\0 2\n", 5), 3, ":1:1: format: '1\u2400' " + more},
      {"D3 UTF-16", std::string("\xff\xfe\x31\0\n\0", 6), 3, ":1:1: format: this is not UTF-8"},
      {"D3 an array under another name", "\x93NUMPY\x01", 3, "before the version (bytes 6 and 7)"},
      {"D3 escapes", "\x1b[31m\n", 3, ":1:1: format: '\u241b"},
      {"D4 many", many_ids(), 5, "a run takes up to 100000 words or ids"},
      {"D4 one long line", std::string(4'000'000, ' '), 3, "there is no id in this file"},
      {"D4 too large", std::string(6'000'000, ' '), 3, "is larger than the allowed 4194304 bytes"},
  };
}

TEST(TokenFiles, FromStrangers) {
  const Workshop workshop;
  for (const Row& row : rows()) {
    workshop.put("ids.txt", row.text);
    const Ended ended = run_program({"lesson", "1", "--shapes", "--data", workshop.file("ids.txt")});
    EXPECT_EQ(ended.code, row.code) << row.row << ended.err.substr(0, 500);
    EXPECT_THAT(row.code == 0 ? ended.out : ended.err, HasSubstr(row.message)) << row.row;
    EXPECT_LT(ended.err.size(), 1000u) << row.row;
  }
}

// D4: files without an end are read up to the limit.
TEST(TokenFiles, WithoutAnEnd) {
  for (const char* file : {"/dev/zero", "/dev/urandom"}) {
    const Ended ended = run_program({"lesson", "1", "--data", file});
    EXPECT_EQ(ended.code, 3) << file << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("is larger than the allowed")) << file;
  }
}

// D4: a pipe whose writer leaves early holds what was written.
TEST(TokenFiles, OfAPipe) {
  Conditions conditions;
  conditions.in = Stream::Pipe;
  conditions.input = "5 6 7";
  const Ended ended = run_program({"lesson", "1", "--shapes", "--data", "-"}, conditions);
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("[3]"));
}

// D5: each read() fails in turn.
TEST(TokenFiles, ThatCannotBeReadToTheEnd) {
  if (!kCanFail) GTEST_SKIP() << "calls cannot be made to fail under sanitizers";
  const Workshop workshop;
  workshop.put("ids.txt", "1 2 3\n");
  int failed = 0;
  for (int n = 1;; ++n, ++failed) {
    const Ended ended = run_failing(workshop, {"lesson", "1", "--shapes", "--data", workshop.file("ids.txt")},
                                    {{"ATTN_FAIL_READ", std::to_string(n)}});
    if (!workshop.was_failed()) break;
    EXPECT_EQ(ended.code, 3) << n;
    EXPECT_EQ(ended.err, "attn-tutor: " + workshop.file("ids.txt") + ": Input/output error\n") << n;
    workshop.clear_mark();
  }
  EXPECT_GT(failed, 1) << "the text, and its end";
}

}  // namespace
}  // namespace attn
