#include "stepper/state_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "base/files.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

class StateFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "attn-state-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    root_ = name;
  }
  void TearDown() override {
    fs::permissions(root_, fs::perms::owner_all);
    fs::remove_all(root_);
  }
  StateFolder folder() const { return StateFolder(root_ + "/state/attn-tutor"); }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(root_)) {
      if (entry.is_regular_file()) names.push_back(entry.path().filename());
    }
    return names;
  }
  std::string root_;
};

Progress progress_of(const std::string& lesson, const std::string& at, std::set<std::string> seen) {
  Progress progress;
  progress.lesson = lesson;
  progress.at = at;
  progress.seen = std::move(seen);
  return progress;
}

TEST_F(StateFolderTest, KeepsProgressForItsOwnerAlone) {
  std::string notice;
  EXPECT_TRUE(folder().load("batch", notice).empty());
  EXPECT_EQ(folder().save(progress_of("batch", "b", {"a", "b"})), "");
  const Progress loaded = folder().load("batch", notice);
  EXPECT_EQ(loaded.at, "b");
  EXPECT_EQ(loaded.seen, (std::set<std::string>{"a", "b"}));
  EXPECT_EQ(notice, "");
  EXPECT_THAT(folder().lessons(), testing::ElementsAre("batch"));
  for (const auto& entry : fs::recursive_directory_iterator(folder().path())) {
    if (entry.is_regular_file()) {
      EXPECT_EQ(entry.status().permissions(), fs::perms::owner_read | fs::perms::owner_write) << entry.path();
    }
  }
  EXPECT_EQ(fs::status(folder().path()).permissions(), fs::perms::owner_all);
}

TEST_F(StateFolderTest, TwoSessionsAtOnceLoseNothing) {
  EXPECT_EQ(folder().save(progress_of("batch", "a", {"a"})), "");
  EXPECT_EQ(folder().save(progress_of("batch", "z", {"y", "z"})), "");  // began before the other saved
  std::string notice;
  EXPECT_EQ(folder().load("batch", notice).seen, (std::set<std::string>{"a", "y", "z"}));
}

TEST_F(StateFolderTest, LessonsThatArePathsStayApart) {
  const std::string long_path = "/" + std::string(300, 'x');
  for (const std::string& name : {std::string("batch"), std::string("/a/b.md"), std::string("/a%2Fb.md"),
                                  std::string("../../etc"), long_path + "1", long_path + "2", std::string("한글")}) {
    EXPECT_EQ(folder().save(progress_of(name, name, {name})), "") << name;
  }
  EXPECT_EQ(folder().lessons().size(), 7u);
  std::string notice;
  EXPECT_EQ(folder().load(long_path + "1", notice).at, long_path + "1");
  EXPECT_EQ(folder().forget("/a/b.md"), "");
  EXPECT_EQ(folder().lessons().size(), 6u);
  EXPECT_EQ(folder().forget_all(), "");
  EXPECT_TRUE(folder().lessons().empty());
}

TEST_F(StateFolderTest, WhatCannotBeReadIsSetAside) {
  EXPECT_EQ(folder().save(progress_of("batch", "a", {"a"})), "");
  const std::string path = folder().path() + "/progress/batch.json";
  std::ofstream(path) << "{ broken";
  std::string notice;
  EXPECT_TRUE(folder().load("batch", notice).empty());
  EXPECT_NE(notice.find(path + ".unreadable-1"), std::string::npos) << notice;
  EXPECT_EQ(read_file(path + ".unreadable-1", 100), "{ broken");
  EXPECT_EQ(folder().save(progress_of("batch", "b", {"b"})), "");
  std::ofstream(path) << "";
  folder().load("batch", notice);
  EXPECT_TRUE(is_file(path + ".unreadable-2"));
}

// What can be typed into a session is more than a file may hold.
TEST_F(StateFolderTest, WhatIsWrittenCanBeRead) {
  Progress much = progress_of("batch", "a", {"a"});
  for (int i = 0; i < 300; ++i) much.typed.push_back({"a", std::string(30'000, '\x01') + std::to_string(i), ""});
  EXPECT_EQ(folder().save(much), "");
  std::string notice;
  const Progress loaded = folder().load("batch", notice);
  EXPECT_EQ(notice, "");
  ASSERT_GT(loaded.typed.size(), 1u);
  EXPECT_TRUE(loaded.typed.back() == much.typed.back()) << "the last lines, in their order";
  EXPECT_TRUE(loaded.typed.front() == much.typed[300 - loaded.typed.size()]);

  std::vector<std::string> lines;
  for (int i = 0; i < 300; ++i) lines.push_back(std::string(30'000, '\n') + std::to_string(i));
  EXPECT_EQ(folder().save_history(lines), "");
  ASSERT_GT(folder().history().size(), 1u);
  EXPECT_EQ(folder().history().back(), lines.back());
}

TEST_F(StateFolderTest, WhatIsTooLargeIsSetAsideAndCanBeDeleted) {
  EXPECT_EQ(folder().save(progress_of("batch", "a", {"a"})), "");
  EXPECT_EQ(folder().save(progress_of("tour", "a", {"a"})), "");
  const std::string path = folder().path() + "/progress/batch.json", large(5 << 20, 'x');
  std::ofstream(path) << large;
  EXPECT_THAT(folder().lessons(), testing::ElementsAre("tour")) << "of the others it is known";
  EXPECT_TRUE(folder().keeps("batch"));
  EXPECT_EQ(folder().files().size(), 2u);
  EXPECT_EQ(folder().save(progress_of("batch", "b", {"b"})), "");
  EXPECT_TRUE(read_file(path + ".unreadable-1", 1 << 24) == large);
  std::ofstream(folder().path() + "/history") << large;
  EXPECT_EQ(folder().save_history({"x"}), "");
  EXPECT_TRUE(read_file(folder().path() + "/history.unreadable-1", 1 << 24) == large);
  std::ofstream(path) << large;
  EXPECT_EQ(folder().forget_all(), "");
  EXPECT_TRUE(folder().files().empty());
}

TEST_F(StateFolderTest, WhatCannotBeWrittenIsSaid) {
  std::ofstream(root_ + "/state") << "a file where a folder should be";
  EXPECT_NE(folder().save(progress_of("batch", "a", {"a"})), "");
  EXPECT_NE(folder().save_history({"x"}), "");
  std::string notice;
  EXPECT_TRUE(folder().load("batch", notice).empty());
  EXPECT_TRUE(folder().history().empty());
  EXPECT_THAT(files(), testing::ElementsAre("state")) << "nothing is left behind";
}

TEST_F(StateFolderTest, NowhereKeepsNothing) {
  const StateFolder nowhere("");
  std::string notice;
  EXPECT_EQ(nowhere.save(progress_of("batch", "a", {"a"})), "");
  EXPECT_TRUE(nowhere.load("batch", notice).empty());
  EXPECT_EQ(nowhere.save_history({"x"}), "");
  EXPECT_TRUE(nowhere.lessons().empty());
}

TEST_F(StateFolderTest, HistoryKeepsLinesOfSeveralLines) {
  const std::vector<std::string> lines = {"x = 1", "for i in x:\n    print(i)", R"(print("a\nb\\"))"};
  EXPECT_EQ(folder().save_history(lines), "");
  EXPECT_EQ(folder().history(), lines);
  EXPECT_EQ(folder().save_history({"y", "x = 1"}), "");  // of another session: again at the end
  EXPECT_THAT(folder().history(), testing::ElementsAre(lines[1], lines[2], "y", "x = 1"));
  std::vector<std::string> many;
  for (int i = 0; i < 3000; ++i) many.push_back("line " + std::to_string(i));
  EXPECT_EQ(folder().save_history(many), "");
  EXPECT_EQ(folder().history().size(), 1000u);
  EXPECT_EQ(folder().history().back(), "line 2999");
}

TEST_F(StateFolderTest, WhereItIs) {
  setenv("XDG_STATE_HOME", "/x", 1);
  setenv("HOME", "/h", 1);
  EXPECT_EQ(StateFolder::of_user().path(), "/x/attn-tutor");
  setenv("XDG_STATE_HOME", "not/absolute", 1);
  EXPECT_EQ(StateFolder::of_user().path(), "/h/.local/state/attn-tutor");
  unsetenv("XDG_STATE_HOME");
  unsetenv("HOME");
  EXPECT_EQ(StateFolder::of_user().path(), "");
}

TEST_F(StateFolderTest, AWholeFileOrTheOldOne) {
  const std::string path = root_ + "/out.md";
  write_whole_file(path, "one");
  fs::permissions(path, fs::perms::owner_all);
  write_whole_file(path, "two");
  EXPECT_EQ(read_file(path, 10), "two");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all) << "as it was";
  fs::create_symlink(path, root_ + "/link");
  write_whole_file(root_ + "/link", "three");
  EXPECT_TRUE(fs::is_symlink(root_ + "/link"));
  EXPECT_EQ(read_file(path, 10), "three");
  fs::create_symlink(root_ + "/nothing", root_ + "/dangling");
  EXPECT_THROW(write_whole_file(root_ + "/dangling", "x"), FileError);
  EXPECT_THROW(write_whole_file(root_, "x"), FileError);
  EXPECT_THROW(write_whole_file(root_ + "/no/such/folder", "x"), FileError);
  EXPECT_THROW(write_whole_file("/dev/full", "x"), FileError);
  EXPECT_THAT(files(), testing::UnorderedElementsAre("out.md", "link")) << "nothing is left behind";
}

}  // namespace
}  // namespace attn
