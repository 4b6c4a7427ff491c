// --text, --data and --vocab on the command line: every command that runs a lesson takes them, every transcript shows
// what was given, and every mistake gets its message.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "tests/cli/program.h"

namespace attn {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

struct OwnInputRow {
  Words words;
  int code;
  std::string error;  // what standard error begins with
};

TEST(OwnInput, EveryMistakeHasItsMessage) {
  const TemporaryFile ids("ids.txt", "1 2\n3 x\n-1\n"), bad("bad.txt", "ca\xfft\n"), empty("empty.txt");
  const TemporaryFile dup("v.txt", "a\nb\na\n"), json("v.json", "{\"model\": {"), tokens("t.txt", "the\ncat\n");
  const TemporaryFile npy("x.npy", "no array");
  const OwnInputRow rows[] = {
      {{"lesson", "1", "--text", ""}, 3, "--text:1:1: format: there is no word in this text\n"},
      {{"lesson", "1", "--text", "a", "--text", " "}, 3, "--text:1:1: format: there is no word in this text\n"},
      {{"lesson", "1", "--text", "@/none"}, 3, "attn-tutor: /none: No such file or directory\n"},
      {{"lesson", "1", "--text", "@/"}, 3, "attn-tutor: /: is a folder\n"},
      {{"lesson", "1", "--text", "@" + bad.path()}, 3, bad.path() + ":1:3: format: this is not UTF-8\n"},
      {{"lesson", "1", "--text", "@" + empty.path()}, 3, empty.path() + ":1:1: format: there is no word"},
      {{"lesson", "1", "--data", "/none"}, 3, "attn-tutor: /none: No such file or directory\n"},
      {{"lesson", "1", "--data", "/"}, 3, "attn-tutor: /: is a folder\n"},
      {{"lesson", "1", "--data", npy.path()}, 3, "attn-tutor: " + npy.path() + ": this is not an .npy file"},
      {{"lesson", "1", "--text", "a", "--vocab", "/none"}, 3, "attn-tutor: /none: No such file"},
      {{"lesson", "1", "--text", "a", "--vocab", dup.path()}, 3, dup.path() + ":3:1: format: this token is on line 1"},
      {{"lesson", "1", "--text", "a", "--vocab", json.path()}, 3, json.path() + ":1:12: format: here the file stops"},
      {{"lesson", "1", "--text", "the dog", "--vocab", tokens.path()},
       3,
       "--text:1:5: format: 'dog' is not in the vocabulary\n"},
      {{"lesson", "1", "--text", "a", "--data", ids.path()}, 2, "attn-tutor: --text and --data both say"},
      {{"lesson", "1", "--vocab", tokens.path()}, 2, "attn-tutor: --vocab splits the words of --text"},
      {{"lesson", "1", "--data", ""}, 2, "attn-tutor: --data needs a file"},
      {{"lesson", "1", "--text"}, 2, "attn-tutor: --text needs a value"},
      {{"lesson", "1", "--text", "a b", "--set", "key_len=3"}, 2, "attn-tutor: key_len follows from --text here"},
      {{"lesson", "1", "--text", "a b", "--sweep", "key_len=3,4"}, 2, "attn-tutor: key_len follows from --text here"},
      {{"lesson", "3", "--text", "a b", "--text", "c"}, 1, "lessons/03-batch.md"},
      {{"list", "--text", "a"}, 2, "attn-tutor: unknown option --text"},
  };
  for (const OwnInputRow& row : rows) {
    const Ended ended = run_program(row.words);
    EXPECT_EQ(ended.code, row.code) << testing::PrintToString(row.words);
    EXPECT_THAT(ended.err, StartsWith(row.error)) << testing::PrintToString(row.words);
    EXPECT_EQ(ended.out.empty(), row.code != 1) << testing::PrintToString(row.words);
  }
  const Ended lines = run_program({"lesson", "5", "--data", ids.path()});
  EXPECT_EQ(lines.code, 3);
  EXPECT_THAT(lines.err, AllOf(HasSubstr(ids.path() + ":2:3: "), HasSubstr(ids.path() + ":3:1: ")));
}

TEST(OwnInput, TooManyWordsMeetALimit) {
  std::string text;
  for (int i = 0; i < 100'001; ++i) text += "a ";
  const TemporaryFile words("words.txt", text), fewer("fewer.txt", text.substr(0, 20'000));
  const Ended ended = run_program({"lesson", "1", "--text", "@" + words.path()});
  EXPECT_EQ(ended.code, 5);
  EXPECT_EQ(ended.err, "attn-tutor: a run takes up to 100000 words or ids\n");
  const Ended memory = run_program({"lesson", "1", "--text", "@" + fewer.path(), "--max-memory", "200M", "--shapes"});
  EXPECT_EQ(memory.code, 5);
  EXPECT_THAT(memory.err, HasSubstr("limit: this tensor needs 381.5 MiB"));
}

TEST(OwnInput, EveryCommandThatRunsALessonTakesIt) {
  const TemporaryFile poem("poem.txt", "the cat sat\n"), program("x.py", "sentences = [['old']]\nprint(sentences)\n");
  const std::string given = "@" + poem.path();
  const std::pair<Words, std::string> rows[] = {
      {{"lesson", "1", "--text", given}, "query_len      the      cat      sat"},
      {{"lesson", "1", "--text", given, "--shapes"}, "[3, 3]"},
      {{"lesson", "3", "--text", given, "--sweep", "n_heads=1,2"}, "[1, 1, 3, 3]"},
      {{"touch", "1", "query[1] += 1", "--text", given}, "query_len 1 (cat)"},
      {{"explain", "1", "energy[2,0]", "--text", given}, "energy[2, 0]"},
      {{"eval", "sentences", "--text", given}, "[['the', 'cat', 'sat']]"},
      {{"run", program.path(), "--plain", "--text", given}, "[['the', 'cat', 'sat']]"},
      {{"run", program.path(), "--plain", "--text", "@@cat"}, "[['@cat']]"},
  };
  for (const auto& [words, part] : rows) {
    const Ended ended = run_program(words);
    EXPECT_EQ(ended.code, 0) << testing::PrintToString(words) << ended.err;
    EXPECT_THAT(ended.out, HasSubstr(part)) << testing::PrintToString(words);
  }
}

TEST(OwnInput, TranscriptsSayWhatWasGivenAndHoldIt) {
  for (const char* format : {"txt", "md", "html", "json", "ipynb", "py"}) {
    const Ended ended = run_program({"export", "4", "-o", "-", "--format", format, "--text", "고양이가 \u202eזוז wide",
                                     "--text", "a dog", "--set", "n_heads=4"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    const bool is_json = format == std::string("json");
    const char* const sizes = is_json ? R"("n_heads":"4")" : "n_heads=4";
    const char* const word = is_json ? R"(\uace0\uc591\uc774\uac00)" : "고양이가";
    EXPECT_THAT(ended.out, AllOf(HasSubstr(sizes), HasSubstr(word), HasSubstr("a dog"))) << format;
    EXPECT_EQ(ended.out.find("\u202e"), std::string::npos) << format;
  }
}

TEST(OwnInput, ALessonAsItIsWrittenSaysNothing) {
  EXPECT_EQ(run_program({"lesson", "1"}).out.find("This run has"), std::string::npos);
  EXPECT_THAT(run_program({"lesson", "1", "--seed", "3"}).out, HasSubstr("This run has `--seed 3`."));
}

// Wide words keep their columns: every number of a column ends in the same cell.
TEST(OwnInput, ColumnsStandUnderWideWords) {
  const Ended ended = run_program({"lesson", "1", "--text", "안녕하세요 a 👩‍👩‍👧"});
  EXPECT_THAT(ended.out, HasSubstr("     안녕하세요      "));
  EXPECT_THAT(ended.out, HasSubstr("      query_len  안녕하세요"));
}

}  // namespace
}  // namespace attn
