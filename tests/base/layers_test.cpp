// What may include what: folders of src/ by the order of docs/architecture.md, units (a .cpp with its .h) without a
// circle.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

using Arrows = std::map<std::string, std::set<std::string>>;

// Each folder with those right below it; it may include whatever these may, too.
const Arrows kBelow = {
    {"base", {}},
    {"text", {"base"}},
    {"tensor/kernels", {}},
    {"tensor/core", {"tensor/kernels", "text"}},
    {"tensor/ops", {"tensor/core"}},
    {"tensor/kernels/versioned", {"tensor/ops"}},
    {"tensor/io", {"tensor/ops"}},
    {"nn", {"tensor/ops"}},
    {"syntax", {"text"}},
    {"python", {"tensor/ops", "syntax"}},
    {"python/types", {"python"}},
    {"python/modules", {"python/types"}},
    {"torch", {"python/modules", "tensor/io", "nn"}},
    {"torch/ops", {"torch"}},
    {"torch/numpy", {"torch"}},
    {"torch/nn", {"torch"}},
    {"lesson", {"syntax"}},
    {"engine", {"torch/ops", "torch/numpy", "torch/nn", "lesson"}},
    {"explain", {"engine"}},
    {"explain/lint", {"explain"}},
    {"render", {"explain"}},
    {"render/html", {"render"}},
    {"render/markdown", {"render"}},
    {"render/data", {"render"}},
    {"render/code", {"render/markdown"}},
    {"stepper", {"explain/lint", "render/html", "render/code", "render/data"}},
    {"cli", {"stepper"}},
};

// Folders of one room, whose units include one another without a circle.
const std::set<std::string> kRooms[] = {{"python", "python/types", "python/modules"},
                                        {"torch", "torch/ops", "torch/nn", "torch/numpy"}};

bool may_include(const std::string& folder, const std::string& other) {
  if (folder == other) return true;
  for (const std::set<std::string>& room : kRooms)
    if (room.contains(folder) && room.contains(other)) return true;
  const auto below = kBelow.find(folder);
  return below != kBelow.end() && std::any_of(below->second.begin(), below->second.end(),
                                              [&](const std::string& next) { return may_include(next, other); });
}

fs::path source_root() { return fs::path(ATTN_SOURCE_DIR) / "src"; }

/// The files of src/ by their paths from there, each with those that it includes.
Arrows all_includes() {
  static const std::regex kInclude("#include \"([^\"]+)\".*");
  Arrows includes;
  for (const auto& entry : fs::recursive_directory_iterator(source_root())) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
    std::set<std::string>& list = includes[entry.path().lexically_relative(source_root())];
    std::ifstream in(entry.path());
    std::smatch parts;
    for (std::string line; std::getline(in, line);)
      if (std::regex_match(line, parts, kInclude)) list.insert(parts[1]);
  }
  return includes;
}

std::string folder_of(const std::string& file) { return fs::path(file).parent_path(); }

/// From each unit to those that it includes.
Arrows unit_arrows(const Arrows& includes) {
  const auto unit_of = [](const std::string& file) { return fs::path(file).replace_extension().string(); };
  Arrows arrows;
  for (const auto& [file, list] : includes) {
    for (const std::string& included : list) {
      if (unit_of(file) != unit_of(included)) arrows[unit_of(file)].insert(unit_of(included));
    }
  }
  return arrows;
}

/// Follows the arrows from the last unit of `way` until one stands on the way twice; `done` holds units from which none
/// does.
bool comes_back(const Arrows& arrows, std::vector<std::string>& way, std::set<std::string>& done) {
  const auto from = arrows.find(way.back());
  if (from == arrows.end() || done.contains(way.back())) return false;
  for (const std::string& next : from->second) {
    const bool is_back = std::find(way.begin(), way.end(), next) != way.end();
    way.push_back(next);
    if (is_back || comes_back(arrows, way, done)) return true;
    way.pop_back();
  }
  done.insert(way.back());
  return false;
}

/// "a -> b -> a", or "" when there is no circle.
std::string circle_in(const Arrows& arrows) {
  std::set<std::string> done;
  for (const auto& [unit, list] : arrows) {
    std::vector<std::string> way = {unit};
    if (!comes_back(arrows, way, done)) continue;
    way.erase(way.begin(), std::find(way.begin(), way.end(), way.back()));
    std::string circle = way.front();
    for (std::size_t i = 1; i < way.size(); ++i) circle += " -> " + way[i];
    return circle;
  }
  return {};
}

TEST(Layers, EveryIncludePointsDown) {
  int count = 0;
  for (const auto& [file, list] : all_includes()) {
    const std::string folder = folder_of(file);
    if (folder.empty()) continue;  // main.cpp
    ASSERT_TRUE(kBelow.contains(folder)) << "a folder of src/ without a place among the layers: " << folder;
    for (const std::string& included : list) {
      ++count;
      EXPECT_TRUE(may_include(folder, folder_of(included))) << file << " includes " << included;
    }
  }
  EXPECT_GT(count, 1000);
}

TEST(Layers, UnitsFormNoCircle) { EXPECT_EQ(circle_in(unit_arrows(all_includes())), ""); }

TEST(Layers, ACircleOfUnitsIsSeen) {
  EXPECT_EQ(circle_in({{"a", {"b"}}, {"b", {"c"}}, {"c", {"b"}}}), "b -> c -> b");
  EXPECT_EQ(circle_in({{"a", {"b", "c"}}, {"b", {"c"}}}), "");
}

TEST(Layers, NoFolderIsAHeap) {
  std::map<std::string, int> files;
  for (const auto& [file, list] : all_includes()) ++files[folder_of(file)];
  for (const auto& [folder, count] : files) EXPECT_LE(count, 60) << folder;
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
