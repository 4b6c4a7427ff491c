#include "cli/transcript.h"

#include <cstdint>
#include <filesystem>

#include "base/files.h"
#include "render/formats.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostRead = std::int64_t{1} << 30;

}  // namespace

bool may_replace(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored) || fs::file_size(path, ignored) == 0) return true;
  try {
    return read_file(path, kMostRead).find(kTranscriptMark) != std::string::npos;
  } catch (const FileError&) {
    return false;
  }
}

}  // namespace attn
