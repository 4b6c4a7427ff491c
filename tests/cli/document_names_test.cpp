// What the documents name is there: tests as `Suite.Name` or `Suite.Part*`, files by their path, targets of links.
#include <gmock/gmock.h>

#include <algorithm>
#include <regex>
#include <set>

#include "tests/cli/documents.h"
#include "tests/cli/program.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

/// Every match of a pattern with one group.
std::vector<std::string> all_of(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> out;
  for (std::sregex_iterator at(text.begin(), text.end(), pattern); at != std::sregex_iterator(); ++at)
    out.push_back((*at)[1]);
  return out;
}

/// "Suite.Name" of each test in tests/.
std::set<std::string> all_tests() {
  const std::regex test(R"(\bTEST(?:_F|_P)?\(\s*(\w+\s*,\s*\w+)\s*\))"), comma(R"(\s*,\s*)");
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "tests")) {
    if (entry.path().extension() != ".cpp") continue;
    for (const std::string& name : all_of(text_of(entry.path()), test))
      names.insert(std::regex_replace(name, comma, "."));
  }
  return names;
}

/// Whether a test has that name, in which * stands for any letters.
bool is_there(const std::set<std::string>& names, const std::string& name) {
  const std::regex dot("\\."), star("\\*");
  const std::regex wanted(std::regex_replace(std::regex_replace(name, dot, "\\."), star, "\\w*"));
  return std::any_of(names.begin(), names.end(), [&](const std::string& each) { return regex_match(each, wanted); });
}

TEST(DocumentNames, OfTestsAreThoseOfTests) {
  const std::set<std::string> tests = all_tests();
  EXPECT_FALSE(is_there(tests, "DocumentNames.Missing"));
  EXPECT_FALSE(is_there(tests, "DocumentNames.Missing*"));
  const std::regex named(R"(`([A-Z]\w+\.[A-Z*][\w*]*)`)");
  std::size_t count = 0;
  for (const std::string& name : all_of(text_of(kRoot / "docs/testing.md"), named)) {
    EXPECT_TRUE(is_there(tests, name)) << name;
    ++count;
  }
  EXPECT_GE(count, 50u);
}

TEST(DocumentNames, OfFilesAreThoseOfTheRepository) {
  // Capitals stand for a part to choose, as in `src/cli/NAME.cpp`.
  const std::regex named(R"(`((?:bench|cmake|data|docs|lessons|packaging|scripts|src|tests)/[a-z0-9_./-]*)[ `])");
  std::size_t count = 0;
  for (const fs::path& path : documents()) {
    for (const std::string& name : all_of(text_of(path), named)) {
      EXPECT_TRUE(fs::exists(kRoot / name)) << path << ": " << name;
      ++count;
    }
  }
  EXPECT_GE(count, 50u);
}

TEST(DocumentNames, OfLinksAreFiles) {
  const std::regex link(R"(\]\(([^:)#]+)(?:#[^)]*)?\))");
  std::size_t count = 0;
  for (const fs::path& path : documents()) {
    for (const std::string& target : all_of(text_of(path), link)) {
      EXPECT_TRUE(fs::exists(path.parent_path() / target)) << path << ": " << target;
      ++count;
    }
  }
  EXPECT_GE(count, 10u);
}

}  // namespace
}  // namespace attn
