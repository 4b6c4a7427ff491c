// A folder of src/ may include only what stands below it. The order is the one of docs/architecture.md.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace {

namespace fs = std::filesystem;

// Each layer with the layers that it may include besides itself.
const std::map<std::string, std::set<std::string>> kAllowed = {
    {"base", {}},
    {"tensor", {"base"}},
    {"nn", {"tensor", "base"}},
    {"syntax", {"base"}},
    {"lang", {"nn", "tensor", "syntax", "base"}},
    {"lesson", {"syntax", "base"}},
    {"engine", {"lang", "nn", "tensor", "lesson", "syntax", "base"}},
    {"explain", {"engine", "lang", "nn", "tensor", "lesson", "syntax", "base"}},
    {"render", {"explain", "engine", "lang", "nn", "tensor", "lesson", "syntax", "base"}},
    {"stepper", {"render", "explain", "engine", "lang", "nn", "tensor", "lesson", "syntax", "base"}},
    {"cli", {"stepper", "render", "explain", "engine", "lang", "nn", "tensor", "lesson", "syntax", "base"}},
};

std::vector<std::string> included_layers(const fs::path& file) {
  static const std::string kInclude = "#include \"";
  std::vector<std::string> layers;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const std::size_t slash = line.find('/');
    if (!line.starts_with(kInclude) || slash == std::string::npos) continue;
    layers.push_back(line.substr(kInclude.size(), slash - kInclude.size()));
  }
  return layers;
}

TEST(Layers, EveryIncludePointsDown) {
  int includes = 0;
  const fs::path root = fs::path(ATTN_SOURCE_DIR) / "src";
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file() || entry.path().parent_path() == root) continue;
    const std::string layer = *entry.path().lexically_relative(root).begin();
    ASSERT_TRUE(kAllowed.contains(layer)) << "a folder of src/ without a place among the layers: " << layer;
    for (const std::string& included : included_layers(entry.path())) {
      ++includes;
      EXPECT_TRUE(included == layer || kAllowed.at(layer).contains(included))
          << entry.path() << " includes " << included;
    }
  }
  EXPECT_GT(includes, 100);
}

// The linker takes two types of one name for one: the members of either would be used for the other. That holds for
// types of tests, too, which are linked with all of src/.
TEST(Layers, ATypeOfAHeaderHasItsNameAlone) {
  static const std::regex kDefinition(R"(^(?:struct|class|enum class|enum) (\w+)[^;]*\{.*)");
  std::map<std::string, fs::path> defined;
  for (const char* folder : {"src", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(ATTN_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".h") continue;
      std::ifstream in(entry.path());
      std::smatch parts;
      for (std::string line; std::getline(in, line);) {
        if (!std::regex_match(line, parts, kDefinition)) continue;
        const auto [at, is_new] = defined.emplace(parts[1], entry.path());
        EXPECT_TRUE(is_new || at->second == entry.path())
            << parts[1] << " in " << entry.path() << " and in " << at->second;
      }
    }
  }
  EXPECT_GT(defined.size(), 100U);
}

TEST(Layers, EigenStaysInVersionedKernels) {
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(ATTN_SOURCE_DIR) / "src")) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      if (line.find("#include <Eigen") == std::string::npos) continue;
      EXPECT_EQ(entry.path().parent_path().filename(), "versioned") << "for every level: " << entry.path();
      EXPECT_EQ(entry.path().extension(), ".cpp") << entry.path();
    }
  }
}

}  // namespace
