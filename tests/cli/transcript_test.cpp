// lesson --transcript where there is no terminal; tests/session/ has the sessions on one.
#include <gmock/gmock.h>

#include <filesystem>

#include "base/files.h"
#include "cli/child.h"
#include "tests/cli/golden_row.h"
#include "tests/cli/program.h"
#include "tests/cli/same_text.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::int64_t kMostBytes = 1 << 26;

class TranscriptTo : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return folder_.file(name); }
  std::string read(const std::string& name) const { return read_file(file(name), kMostBytes); }

  TemporaryFolder folder_;
};

const char* const kAnswers = "yes\n1/2\n3 5 2\nno\n\n\n1\nskip\nx = 3\\ny = '</script>'\n";

// Right, wrong, skipped, code of several lines.
TEST_F(TranscriptTo, OfASessionInEveryFormat) {
  write(file("answers"), kAnswers);
  std::string table;
  for (const std::string& format : kFormats) {
    const std::string name = "x." + format;
    const std::vector<std::string> words = {"lesson", "3", "--answers", file("answers"), "--transcript", file(name)};
    EXPECT_EQ(run_program(words).code, 1) << "not all is right";
    const std::string bytes = read(name);
    EXPECT_EQ(run_program(words).code, 1) << "it may be replaced";
    EXPECT_TRUE(read(name) == bytes) << format;
    table += golden_row("3", format, bytes);
  }
  const std::string text = read("x.md"), part = text.substr(text.find("## Your session"));
  if (updates()) {
    write(kGolden + "sessions.txt", table);
    write(kGolden + "session-3.md", part);
  }
  EXPECT_TRUE(same_text(read_file(kGolden + "sessions.txt", kMostBytes), table));
  EXPECT_TRUE(same_text(read_file(kGolden + "session-3.md", kMostBytes), part));
}

TEST_F(TranscriptTo, OfARunThatNobodySteppedThrough) {
  for (const std::string& format : kFormats) {
    const Ended ended = run_program({"lesson", "0", "--transcript", file("x." + format)});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(ended.out, run_program({"lesson", "0"}).out);
    EXPECT_TRUE(read("x." + format) == run_program({"export", "0", "-o", "-", "--format", format}).out) << format;
  }
}

TEST_F(TranscriptTo, OfAProgramOfOnesOwn) {
  write(file("mine.py"), "import torch\nx = torch.ones(2)\nprint(x)\n");
  EXPECT_EQ(run_program({"run", file("mine.py"), "--transcript", file("mine.md")}).code, 0);
  EXPECT_THAT(read("mine.md"), AllOf(HasSubstr("torch.ones(2)"), Not(HasSubstr("Your session"))));
}

TEST_F(TranscriptTo, SaysTheTimeOnlyWhenAsked) {
  write(file("answers"), "yes\n");
  run_program({"lesson", "3", "--answers", file("answers"), "--transcript", file("x.md"), "--times"});
  EXPECT_THAT(read("x.md"), testing::ContainsRegex("From 20[0-9-]+ [0-9:]+ UTC to 20[0-9-]+ [0-9:]+ UTC[.]"));
}

TEST_F(TranscriptTo, RefusesBeforeAnythingRuns) {
  struct Case {
    std::vector<std::string> words;
    int code;
    const char* message;
  };
  const Case cases[] = {
      {{"--transcript", "x.doc"}, 2, "x.doc does not"},
      {{"--transcript", "-"}, 2, "- does not"},
      {{"--transcript", ""}, 2, "--transcript needs a file"},
      {{"--times"}, 2, "--times says when a session was"},
      {{"--transcript", "x.md", "--sweep", "n_heads=1,2"}, 2, "takes one run"},
      {{"--transcript", "notes.md"}, 4, "exists and is not a transcript"},
  };
  write(file("notes.md"), "mine\n");
  for (const Case& each : cases) {
    Conditions conditions;
    conditions.folder = folder_.file("");
    std::vector<std::string> words = {"lesson", "3"};
    words.insert(words.end(), each.words.begin(), each.words.end());
    const Ended ended = run_program(words, conditions);
    EXPECT_EQ(ended.code, each.code) << each.message;
    EXPECT_THAT(ended.err, HasSubstr(each.message));
    EXPECT_EQ(ended.out, "") << each.message;
  }
  EXPECT_EQ(read("notes.md"), "mine\n");
  EXPECT_FALSE(fs::exists(file("x.md")));
  EXPECT_EQ(run_program({"lesson", "3", "--transcript", file("notes.md"), "--force"}).code, 0);
  EXPECT_THAT(read("notes.md"), HasSubstr("# 3 A batch of sentences"));
}

TEST_F(TranscriptTo, ThatCannotBeWrittenIsAnError) {
  fs::create_symlink("/dev/full", file("full.md"));
  for (const std::string& path : {file("full.md"), file("none/x.md")}) {
    const Ended ended = run_program({"lesson", "0", "--transcript", path});
    EXPECT_EQ(ended.code, 4) << path;
    EXPECT_EQ(ended.out, run_program({"lesson", "0"}).out) << "the text is there all the same";
    EXPECT_THAT(ended.err, HasSubstr(path));
  }
}

}  // namespace
}  // namespace attn
