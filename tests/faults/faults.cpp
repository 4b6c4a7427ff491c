#include "tests/faults/faults.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace attn {

namespace fs = std::filesystem;

namespace {

constexpr const char* kMark = "mark-of-a-failed-call";

}  // namespace

Workshop::Workshop() {
  path_ = testing::TempDir() + "attn-faults-XXXXXX";
  if (!mkdtemp(path_.data())) throw std::runtime_error("mkdtemp");
}

Workshop::~Workshop() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string Workshop::text(const std::string& name) const {
  std::ifstream in(file(name), std::ios::binary);
  if (!in) return "(none)";
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

void Workshop::put(const std::string& name, const std::string& text) const {
  std::ofstream(file(name), std::ios::binary) << text;
}

std::vector<std::string> Workshop::names() const {
  std::vector<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(path_)) {
    const std::string name = fs::relative(entry.path(), path_).string();
    if (name != kMark && !entry.is_directory()) out.push_back(name);
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool Workshop::was_failed() const { return fs::exists(file(kMark)); }
void Workshop::clear_mark() const { fs::remove(file(kMark)); }

std::map<std::string, std::string> Workshop::environment(const std::map<std::string, std::string>& settings) const {
  std::map<std::string, std::string> all = {{"LANG", "C.UTF-8"},
                                            {"TERM", "xterm"},
                                            {"HOME", path_},
                                            {"LD_PRELOAD", kFailingCalls},
                                            {"ATTN_FAIL_MARK", file(kMark)}};
  all.insert(settings.begin(), settings.end());
  return all;
}

Ended run_failing(const Workshop& workshop, const std::vector<std::string>& arguments,
                  const std::map<std::string, std::string>& settings) {
  Conditions conditions;
  conditions.environment = workshop.environment(settings);
  return run_program(arguments, conditions);
}

}  // namespace attn
