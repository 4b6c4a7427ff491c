// Lessons of one's own: attn-tutor new, and the folder of lessons that stand in the list beside those of the program.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/program.h"

namespace attn {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kMine = "# Mine\n\nA summary.\n\n```python\nx = 1\n```\n";

class OwnLessons : public testing::Test {
 protected:
  OwnLessons() {
    home_ = testing::TempDir() + "attn-own-XXXXXX";
    if (!mkdtemp(home_.data())) throw std::runtime_error("mkdtemp");
  }
  ~OwnLessons() override { std::filesystem::remove_all(home_); }

  Ended run(const std::vector<std::string>& words) const {
    Conditions conditions;
    conditions.environment["HOME"] = home_;
    conditions.environment["XDG_DATA_HOME"] = home_ + "/data";
    conditions.folder = home_;
    return run_program(words, conditions);
  }
  /// A file in the folder of lessons.
  std::string put(const std::string& name, const std::string& text) const {
    const std::string folder = home_ + "/data/attn-tutor/lessons";
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/" + name) << text;
    return folder + "/" + name;
  }
  nlohmann::json row(const std::string& id) const {
    for (const nlohmann::json& each : nlohmann::json::parse(run({"list", "--json"}).out)) {
      if (each["id"] == id && each["own"] == true) return each;
    }
    return nullptr;
  }

  std::string home_;
};

TEST_F(OwnLessons, StandBehindThoseOfTheProgram) {
  EXPECT_THAT(run({"list"}).out, Not(HasSubstr("Yours"))) << "the folder need not be there";
  put("70-mine.md", kMine);
  put("README.md", "# Not a lesson\n");
  const Ended list = run({"list"});
  EXPECT_EQ(list.code, 0) << list.err;
  EXPECT_THAT(list.out, HasSubstr("\n\nYours, in " + home_ + "/data/attn-tutor/lessons:\n"));
  EXPECT_THAT(list.out, AllOf(HasSubstr("\n  70  Mine "), Not(HasSubstr("Not a lesson"))));
  for (const char* word : {"70", "mine", "70-mine.md"}) EXPECT_EQ(run({"lesson", word}).code, 0) << word;
  EXPECT_EQ(run({"lesson", "3"}).code, 0);
}

TEST_F(OwnLessons, GiveWayToNumbersAndNamesOfTheProgram) {
  put("03-mine.md", kMine);
  const std::string path = put("04-masks.md", kMine);
  EXPECT_EQ(row("mine")["word"], "mine");
  EXPECT_EQ(row("masks")["word"], path);
  EXPECT_THAT(run({"lesson", "3"}).out, HasSubstr("A batch of sentences"));
}

TEST_F(OwnLessons, HomeHasThemWithoutTheVariable) {
  std::filesystem::create_directories(home_ + "/.local/share/attn-tutor/lessons");
  std::ofstream(home_ + "/.local/share/attn-tutor/lessons/70-mine.md") << kMine;
  Conditions conditions;
  conditions.environment["HOME"] = home_;
  EXPECT_THAT(run_program({"list"}, conditions).out, HasSubstr("  70  Mine"));
}

TEST_F(OwnLessons, ABrokenOneIsListedWithWhatIsWrong) {
  put("70-mine.md", kMine);
  put("71-format.md", "# Format\n\n```python predikt=shape\nx = 1\n```\n");
  put("72-code.md", "# Code\n\n```python\nx = = 1\n```\n");
  put("73-empty.md", "");
  const Ended list = run({"list"});
  EXPECT_EQ(list.code, 0);
  EXPECT_EQ(list.err, "");
  EXPECT_THAT(list.out, HasSubstr("Mine "));
  EXPECT_THAT(list.out,
              AllOf(HasSubstr("71  Format"), HasSubstr("cannot be opened\n"), HasSubstr("71-format.md:3:11: ")));
  EXPECT_THAT(row("code")["problem"].get<std::string>(), AllOf(HasSubstr("72-code.md:4:"), HasSubstr("syntax")));
  EXPECT_FALSE(row("empty")["problem"].is_null());
  EXPECT_TRUE(row("mine")["problem"].is_null());
  EXPECT_EQ(run({"lesson", "mine"}).code, 0) << "the others still work";
  EXPECT_EQ(run({"lesson", "format"}).code, 3);
}

TEST_F(OwnLessons, AFileThatCannotBeReadIsListedToo) {
  const std::string path = put("70-mine.md", kMine);
  std::filesystem::create_directory(path.substr(0, path.rfind('/')) + "/71-folder.md");
  EXPECT_EQ(row("folder")["problem"], path.substr(0, path.rfind('/')) + "/71-folder.md: is a folder");
  EXPECT_EQ(run({"list"}).code, 0);
}

TEST_F(OwnLessons, AFolderThatIsNoneIsReportedOnce) {
  std::filesystem::create_directories(home_ + "/data/attn-tutor");
  std::ofstream(home_ + "/data/attn-tutor/lessons") << "a file";
  const Ended list = run({"list"});
  EXPECT_EQ(list.code, 0);
  EXPECT_THAT(list.out, HasSubstr("Three words"));
  EXPECT_EQ(list.err, "attn-tutor: " + home_ + "/data/attn-tutor/lessons: Not a directory\n");
}

TEST_F(OwnLessons, ProgressIsKeptApartFromThatOfTheProgram) {
  const std::string path = put("70-batch.md", kMine);
  std::filesystem::create_directories(home_ + "/.local/state/attn-tutor/progress");
  EXPECT_EQ(row("batch")["seen"], 0);
  EXPECT_EQ(run({"reset", "70", "--yes"}).out, "There is no progress to delete.\n");
}

// ---- attn-tutor new ----

TEST_F(OwnLessons, NewMakesOneOfEachFeatureThatPassesCheck) {
  const Ended made = run({"new", "rotary-positions"});
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("Written: rotary-positions.md\n"));
  std::ifstream file(home_ + "/rotary-positions.md");
  std::stringstream text;
  text << file.rdbuf();
  for (const char* feature : {"# Rotary positions", "python parameters", "python hidden", "data=", "predict=shape",
                              "predict=value", "predict=effect", "write=", "wrong=", "raises=", "**Hint**", "**Trap**",
                              "**Why**", "{{ ", "# [query_len, key_len]", "# axis key_len:", "# = len(", "$Q K"})
    EXPECT_THAT(text.str(), HasSubstr(feature));
  EXPECT_THAT(text.str(), Not(testing::AnyOf(HasSubstr("TITLE"), HasSubstr("FILE"))));
  const Ended checked = run({"check", "rotary-positions.md"});
  EXPECT_EQ(checked.code, 0);
  EXPECT_EQ(checked.out + checked.err, "rotary-positions.md: fine\n");
  EXPECT_THAT(run({"lesson", "rotary-positions.md", "--text", "nine or ten"}).out,
              HasSubstr("the first key is the word 'nine'"));
}

TEST_F(OwnLessons, NewTakesAPathAndAFolder) {
  std::filesystem::create_directory(home_ + "/sub");
  EXPECT_EQ(run({"new", "sub/12-a.md"}).code, 0);
  EXPECT_EQ(run({"new", "b", "--lessons", "sub"}).code, 0);
  for (const char* name : {"/sub/12-a.md", "/sub/b.md"}) EXPECT_TRUE(std::filesystem::exists(home_ + name)) << name;
  EXPECT_EQ(run({"list", "--lessons", "sub"}).code, 0);
}

TEST_F(OwnLessons, NewWritesOverNothing) {
  std::ofstream(home_ + "/mine.md") << "precious";
  const Ended ended = run({"new", "mine"});
  EXPECT_EQ(ended.code, 4);
  EXPECT_EQ(ended.err, "attn-tutor: mine.md already exists\n  hint: choose another name; nothing was written\n");
  std::filesystem::create_symlink("nowhere", home_ + "/link.md");
  EXPECT_EQ(run({"new", "link"}).code, 4);
  EXPECT_EQ(run({"new", "none/a"}).code, 4) << "a folder that is not there";
  std::string text;
  std::ifstream(home_ + "/mine.md") >> text;
  EXPECT_EQ(text, "precious");
}

TEST_F(OwnLessons, NewRefusesNamesThatAreNone) {
  for (const char* name : {"", "sub/", ".md", "-x.md", "a*b", "a\nb", "`a`", "a\x1b[31m"})
    EXPECT_EQ(run({"new", "--", name}).code, 2) << name;
}

}  // namespace
}  // namespace attn
