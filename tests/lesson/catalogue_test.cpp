#include "lesson/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/files.h"

namespace attn {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class CatalogueTest : public testing::Test {
 protected:
  CatalogueTest() : root_(testing::TempDir() + "attn_catalogue_" + std::to_string(getpid())) {
    std::filesystem::create_directories(root_ + "/lessons");
    std::filesystem::create_directories(root_ + "/data");
    write("lessons/02-b.md", "# Two\n\n```python\nx = 1\n```\n[a](01-a.md) [c](03-c.md)\n");
    write("lessons/01-a.md", "# One\n\n```python data=d.json\nx = ...\n```\n");
    write("lessons/01-a.ko.md", "# 하나\n\n```python data=d.json\nx = ...\n```\n");
    write("lessons/README.md", "# no lesson\n");
    write("data/d.json", "[7]\n");
  }
  ~CatalogueTest() override { std::filesystem::remove_all(root_); }

  void write(const std::string& name, const std::string& text) { std::ofstream(root_ + "/" + name) << text; }

  static std::string unknown(const Catalogue& catalogue, const std::string& word) {
    LoadFindings findings;
    try {
      catalogue.open(word, findings);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }

  std::string root_;
};

TEST_F(CatalogueTest, ListsAFolder) {
  const Catalogue catalogue = Catalogue::folder(root_ + "/lessons/");
  ASSERT_EQ(catalogue.entries().size(), 2u);
  EXPECT_EQ(catalogue.entries()[0].title, "One");
  EXPECT_EQ(catalogue.entries()[1].id, "b");
  EXPECT_EQ(catalogue.entries()[1].path, root_ + "/lessons/02-b.md");
  const Catalogue korean = Catalogue::folder(root_ + "/lessons", "ko");
  ASSERT_EQ(korean.entries().size(), 2u);
  EXPECT_EQ(korean.entries()[0].title, "하나");
  EXPECT_EQ(korean.entries()[1].title, "Two");
  EXPECT_THROW(Catalogue::folder(root_ + "/none"), FileError);
}

TEST_F(CatalogueTest, FindsByNumberIdNameAndPath) {
  const Catalogue catalogue = Catalogue::folder(root_ + "/lessons");
  for (const std::string& word : {std::string("1"), std::string("01"), std::string("a"), std::string("01-a"),
                                  std::string("01-a.md"), root_ + "/lessons/01-a.md"}) {
    LoadFindings findings;
    const Lesson lesson = catalogue.open(word, findings);
    EXPECT_EQ(lesson.title, "One") << word;
    EXPECT_THAT(findings.diagnostics, IsEmpty()) << word;
    EXPECT_EQ(cells(lesson).at(0)->source.text, "x = [7]\n") << word;
  }
  EXPECT_EQ(catalogue.find("3"), nullptr);
  EXPECT_EQ(catalogue.find(""), nullptr);
}

TEST_F(CatalogueTest, UnknownWordsGetTheNearestMatch) {
  write("lessons/03-masks.md", "# M\n");
  const Catalogue catalogue = Catalogue::folder(root_ + "/lessons");
  EXPECT_EQ(unknown(catalogue, "maks"), "there is no lesson \"maks\"; did you mean \"masks\"?");
  EXPECT_EQ(unknown(catalogue, "9"), "there is no lesson \"9\"; there are 1, 2, 3");
  LoadFindings findings;
  EXPECT_THROW(catalogue.open("none/01-a.md", findings), FileError);
  EXPECT_THROW(catalogue.open("none.md", findings), FileError);
}

TEST_F(CatalogueTest, LinksLeadToLessonsThatExist) {
  const Catalogue catalogue = Catalogue::folder(root_ + "/lessons");
  LoadFindings findings;
  catalogue.open("b", findings);
  ASSERT_EQ(findings.diagnostics.size(), 1u);
  EXPECT_EQ(findings.diagnostics[0].message, "there is no lesson \"03-c.md\"");
}

TEST_F(CatalogueTest, DataBesideALessonFromElsewhereIsNotRead) {
  std::filesystem::create_directories(root_ + "/downloads/data");
  write("downloads/x.md", "# X\n\n```python data=d.json\nx = ...\n```\n");
  LoadFindings findings;
  const Catalogue catalogue = Catalogue::folder(root_ + "/lessons");
  catalogue.open(root_ + "/downloads/x.md", findings);
  ASSERT_EQ(findings.diagnostics.size(), 1u);
  EXPECT_EQ(findings.diagnostics[0].message, "there is no data file \"d.json\"");
  write("downloads/data/d.json", "[8]");
  LoadFindings none;
  EXPECT_EQ(cells(catalogue.open(root_ + "/downloads/x.md", none)).size(), 1u);
  EXPECT_THAT(none.diagnostics, IsEmpty());
}

TEST(BuiltIn, EveryLessonLoadsWithoutFindings) {
  const Catalogue catalogue = Catalogue::built_in();
  ASSERT_FALSE(catalogue.entries().empty());
  for (const CatalogueEntry& entry : catalogue.entries()) {
    LoadFindings findings;
    const Lesson lesson = catalogue.open(entry, findings);
    EXPECT_EQ(lesson.title, entry.title);
    EXPECT_FALSE(lesson.summary.empty()) << entry.path;
    EXPECT_GT(cells(lesson).size(), 0u) << entry.path;
    for (const Diagnostic& d : findings.diagnostics) ADD_FAILURE() << draw(d, lesson.source);
  }
}

TEST(BuiltIn, TheFolderGivesTheSameLessons) {
  const Catalogue built_in = Catalogue::built_in(), folder = Catalogue::folder(ATTN_SOURCE_DIR "/lessons");
  ASSERT_EQ(built_in.entries().size(), folder.entries().size());
  for (std::size_t i = 0; i < folder.entries().size(); ++i) {
    LoadFindings findings;
    EXPECT_EQ(built_in.open(built_in.entries()[i], findings).source.text,
              folder.open(folder.entries()[i], findings).source.text);
  }
}

}  // namespace
}  // namespace attn
