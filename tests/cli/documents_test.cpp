// Documents stay true. In README.md, CONTRIBUTING.md and docs/ a block whose line begins with `$ attn-tutor` is run,
// and must print what stands below it, up to the next such line or the end of the block; a line `...` stands for any
// lines. Every other `attn-tutor ...` between backticks must be understood.
#include "tests/cli/documents.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/text.h"
#include "cli/description.h"
#include "cli/language_page.h"
#include "render/callables.h"
#include "tests/cli/program.h"
#include "tests/cli/same_text.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCommand = "$ attn-tutor";

struct Shown {
  std::string command;  // "attn-tutor ops matmul"
  std::vector<std::string> output;
  int line = 0;
};

/// The commands of a document with their output. Blocks are indented by 4 blanks or stand between ``` fences.
std::vector<Shown> shown_in(const std::string& text) {
  std::vector<Shown> out;
  bool in_fence = false, in_command = false;
  int number = 0;
  for (const std::string_view line : split_lines(text)) {
    ++number;
    if (line.starts_with("```")) {
      in_fence = !in_fence;
      in_command = false;
      continue;
    }
    const bool in_block = in_fence || line.starts_with("    ") || (line.empty() && in_command);
    const std::string inner(in_fence || line.empty() ? line : in_block ? line.substr(4) : line);
    if (in_block && inner.starts_with(kCommand)) {
      out.push_back({inner.substr(2), {}, number});
      in_command = true;
    } else if (in_block && in_command) {
      out.back().output.push_back(inner);
    } else {
      in_command = false;
    }
  }
  for (Shown& each : out) {
    while (!each.output.empty() && each.output.back().empty()) each.output.pop_back();
  }
  return out;
}

/// Whether the lines are those expected, where "..." stands for any number of them.
bool matches(const std::vector<std::string>& expected, std::size_t i, const std::vector<std::string>& lines,
             std::size_t k) {
  for (; i < expected.size(); ++i, ++k) {
    if (trim(expected[i]) == "...") {
      for (std::size_t end = k; end <= lines.size(); ++end) {
        if (matches(expected, i + 1, lines, end)) return true;
      }
      return false;
    }
    if (k >= lines.size() || lines[k] != expected[i]) return false;
  }
  return k == lines.size();
}

/// The folder that the commands of the documents are run in: with the lessons, a notebook, and room to write.
class Workplace {
 public:
  Workplace() {
    path_ = testing::TempDir() + "attn-documents-XXXXXX";
    if (!mkdtemp(path_.data())) throw std::runtime_error("mkdtemp");
    fs::copy(kRoot / "lessons", path_ / fs::path("lessons"));
    fs::copy(kRoot / "data", path_ / fs::path("data"));
    fs::copy_file(kRoot / "tests/notebooks/by-hand.ipynb", path_ / fs::path("attention.ipynb"));
    for (const char* folder : {"home", "docs"}) fs::create_directory(path_ / fs::path(folder));
  }
  ~Workplace() { fs::remove_all(path_); }

  /// As in a terminal: both streams in one, after another.
  Ended run(const std::string& command) const {
    Conditions conditions;
    conditions.program = "/bin/sh";
    conditions.folder = path_;
    conditions.environment = {{"HOME", path_ + "/home"},
                              {"LANG", "C.UTF-8"},
                              {"TERM", "xterm"},
                              {"PATH", fs::path(ATTN_BINARY).parent_path().string() + ":/usr/bin:/bin"}};
    return run_program({"-c", "exec 2>&1\n" + command}, conditions);
  }

 private:
  std::string path_;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (const std::string_view line : split_lines(text)) lines.emplace_back(line);
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

TEST(Documents, ShowWhatTheCommandsPrint) {
  int count = 0;
  for (const fs::path& path : documents()) {
    const Workplace place;  // later commands of a document see what earlier ones made
    for (const Shown& shown : shown_in(text_of(path))) {
      const Ended ended = place.run(shown.command);
      EXPECT_TRUE(matches(shown.output, 0, lines_of(ended.out), 0))
          << path.filename() << ":" << shown.line << ": " << shown.command << "\nprints\n"
          << ended.out;
      ++count;
    }
  }
  EXPECT_GE(count, 8);
}

TEST(Documents, OnlyNameCommandsThatAreUnderstood) {
  const Workplace place;
  const std::regex named("`(attn-tutor [^`]*)`"), placeholder("[^A-Z_$]([A-Z]{3,})(?![A-Za-z_0-9])|\\[|\\.\\.\\.");
  int count = 0;
  for (const fs::path& path : documents()) {
    const std::string text = text_of(path);
    for (std::sregex_iterator at(text.begin(), text.end(), named); at != std::sregex_iterator(); ++at) {
      const std::string command = (*at)[1];
      const std::string unquoted = std::regex_replace(command, std::regex("'[^']*'"), "x");
      const bool endless = command.find("--watch") != std::string::npos || command.starts_with("attn-tutor verify");
      if (endless || std::regex_search(unquoted, placeholder)) continue;
      EXPECT_NE(place.run(command + " >/dev/null </dev/null").code, 2) << path.filename() << ": " << command;
      ++count;
    }
  }
  EXPECT_GE(count, 15);
}

TEST(Documents, TheReaderOfBlocksFindsThem) {
  const std::vector<Shown> shown = shown_in(
      "text\n\n    $ attn-tutor a\n    one\n\n    two\n\ntext\n\n```\n$ attn-tutor b\n"
      "$ attn-tutor c\n...\n```\n    no command\n");
  ASSERT_EQ(shown.size(), 3u);
  EXPECT_EQ(shown[0].output, (std::vector<std::string>{"one", "", "two"}));
  EXPECT_EQ(shown[2].output, (std::vector<std::string>{"..."}));
  EXPECT_TRUE(matches({"a", "...", "c"}, 0, {"a", "b", "b", "c"}, 0));
  EXPECT_FALSE(matches({"a", "...", "c"}, 0, {"a", "c", "d"}, 0));
}

TEST(Documents, NameTestsThatExist) {
  std::string tests;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "tests"))
    if (entry.path().extension() == ".cpp") tests += text_of(entry.path());
  const std::string text = text_of(kRoot / "docs/testing.md");
  const std::regex name("`([A-Z][A-Za-z]+)\\.([A-Z][A-Za-z]+)`");
  int count = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), name), end; it != end; ++it, ++count)
    EXPECT_NE(tests.find("(" + (*it)[1].str() + ", " + (*it)[2].str() + ")"), std::string::npos) << it->str();
  EXPECT_GE(count, 26);
}

TEST(Documents, TheirCodeStandsInTheSource) {
  std::string source;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "src"))
    if (entry.is_regular_file()) source += text_of(entry.path());
  int count = 0;
  for (const fs::path& path : documents()) {
    bool in_code = false;
    const std::string text = text_of(path);
    for (const std::string_view line : split_lines(text)) {
      const bool is_fence = line.starts_with("```");
      if (is_fence) in_code = line == "```cpp";
      if (is_fence || !in_code) continue;
      EXPECT_THAT(source, testing::HasSubstr(std::string(line))) << path;
      ++count;
    }
  }
  EXPECT_GE(count, 5);
}

std::vector<std::string> names_of_tests() {
  std::vector<std::string> names;
  const std::regex test(R"(\bTEST(?:_F|_P)?\((\w+), (\w+)\))");
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "tests")) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string text = text_of(entry.path());
    for (std::sregex_iterator at(text.begin(), text.end(), test); at != std::sregex_iterator(); ++at)
      names.push_back((*at)[1].str() + "." + (*at)[2].str());
  }
  return names;
}

// docs/testing.md says which test holds which fault.
TEST(Documents, TheTestsThatTheyNameAreThere) {
  const std::vector<std::string> tests = names_of_tests();
  const std::string text = text_of(kRoot / "docs/testing.md");
  const std::regex named("`([A-Z]\\w*\\.[A-Z][\\w*]*|[A-Z]\\w*\\.\\*)`");
  int count = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), named); at != std::sregex_iterator(); ++at, ++count) {
    const std::regex pattern(std::regex_replace((*at)[1].str(), std::regex("\\*"), "\\w*"));
    const auto fits = [&](const std::string& name) { return std::regex_match(name, pattern); };
    EXPECT_TRUE(std::any_of(tests.begin(), tests.end(), fits)) << (*at)[1];
  }
  EXPECT_GT(count, 60);
}

// The picture of the README is a drawing on the page of lesson 3.
TEST(Documents, ThePictureIsDrawnByThePage) {
  const std::string svg = text_of(kRoot / "docs/axes.svg");
  const std::size_t begin = svg.find("<path"), end = svg.find("\n</svg>");
  ASSERT_TRUE(begin < end && end != std::string::npos);
  const std::string page = run_program({"export", "3", "--format", "html", "-o", "-"}).out;
  EXPECT_NE(page.find(svg.substr(begin, end - begin)), std::string::npos) << "scripts/picture > docs/axes.svg";
}

TEST(Documents, TheReadmeSaysHowLongALessonTakes) {
  int least = 1000, most = 0;
  for (const nlohmann::json& row : nlohmann::json::parse(run_program({"list", "--json"}).out)) {
    if (row["number"].is_null()) continue;
    least = std::min(least, row["minutes"].get<int>());
    most = std::max(most, row["minutes"].get<int>());
  }
  EXPECT_THAT(text_of(kRoot / "README.md"),
              testing::HasSubstr("lessons of " + std::to_string(least) + " to " + std::to_string(most) + " minutes"));
}

// The version stands in CMakeLists.txt; what packages repeat must be the same.
TEST(Documents, PackagesHaveTheVersionOfTheProgram) {
  const std::string version(version_number());
  EXPECT_THAT(text_of(kRoot / "packaging/PKGBUILD"), testing::HasSubstr("\npkgver=" + version + "\n"));
  EXPECT_THAT(text_of(kRoot / "packaging/attn-tutor.rb"), testing::HasSubstr("attn-tutor-" + version + ".tar.gz"));
  EXPECT_THAT(run_program({"--version"}).out,
              testing::MatchesRegex("attn-tutor " + version + " \\([A-Za-z]+, [a-z0-9]+\\)\n"));
}

TEST(Documents, TheLanguagePageIsThatOfTheProgram) {
  const std::string page = kRoot / "docs/language.md";
  if (std::getenv("ATTN_UPDATE_GOLDEN")) std::ofstream(page, std::ios::binary) << language_page();
  EXPECT_TRUE(same_text(text_of(page), language_page())) << "attn-tutor ops --markdown > docs/language.md";
  EXPECT_EQ(run_program({"ops", "--markdown"}).out, language_page());
}

}  // namespace
}  // namespace attn
