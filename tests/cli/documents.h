#pragma once
// The documents of the repository, for the tests that hold them: README.md, CONTRIBUTING.md, docs/ and docs/help/.
#include <filesystem>
#include <vector>

namespace attn {

inline const std::filesystem::path kRoot = ATTN_SOURCE_DIR;

inline std::vector<std::filesystem::path> documents() {
  std::vector<std::filesystem::path> out = {kRoot / "README.md", kRoot / "CONTRIBUTING.md"};
  for (const char* folder : {"docs", "docs/help"}) {
    for (const auto& entry : std::filesystem::directory_iterator(kRoot / folder)) {
      if (entry.path().extension() == ".md") out.push_back(entry.path());
    }
  }
  return out;
}

}  // namespace attn
