// Every file that fuzzing began with or found is run again, with whatever compiler the tests are built with.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

void fuzz_cell(std::string_view bytes);
void fuzz_ipynb(std::string_view bytes);
void fuzz_lesson(std::string_view bytes);
void fuzz_npy(std::string_view bytes);
void fuzz_safetensors(std::string_view bytes);
void fuzz_session(std::string_view bytes);
void fuzz_tokens(std::string_view bytes);
void fuzz_trace(std::string_view bytes);

namespace {

namespace fs = std::filesystem;

const fs::path kFolder = ATTN_SOURCE_DIR "/tests/fuzz";

struct FuzzTarget {
  std::string name;
  void (*run)(std::string_view bytes);
};

const FuzzTarget kTargets[] = {{"cell", fuzz_cell},
                               {"ipynb", fuzz_ipynb},
                               {"lesson", fuzz_lesson},
                               {"npy", fuzz_npy},
                               {"safetensors", fuzz_safetensors},
                               {"session", fuzz_session},
                               {"tokens", fuzz_tokens},
                               {"trace", fuzz_trace}};

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

/// Gives how many files there were.
int replay(const FuzzTarget& target, const std::string& kind) {
  int count = 0;
  if (!fs::exists(kFolder / kind / target.name)) return 0;
  for (const auto& entry : fs::directory_iterator(kFolder / kind / target.name)) {
    SCOPED_TRACE(entry.path().string());
    EXPECT_NO_THROW(target.run(bytes_of(entry.path())));
    ++count;
  }
  return count;
}

class Fuzz : public testing::TestWithParam<FuzzTarget> {};

TEST_P(Fuzz, Corpus) { EXPECT_GE(replay(GetParam(), "corpus"), 3); }

TEST_P(Fuzz, Regressions) { replay(GetParam(), "regressions"); }

INSTANTIATE_TEST_SUITE_P(Targets, Fuzz, testing::ValuesIn(kTargets), [](const auto& row) { return row.param.name; });

TEST(FuzzTargets, NoneIsForgotten) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() == ".cpp" && name != "libfuzzer" && name != "replay_test") files.push_back(name);
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> names;
  for (const FuzzTarget& target : kTargets) names.push_back(target.name);
  EXPECT_EQ(names, files);
}

}  // namespace
}  // namespace attn
