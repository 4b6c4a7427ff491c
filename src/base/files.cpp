#include "base/files.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

namespace attn {
namespace {

namespace fs = std::filesystem;

struct CloseFile {
  void operator()(std::FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};

std::string system_reason(int error) { return std::generic_category().message(error); }

}  // namespace

std::string read_file(const std::string& path, std::int64_t limit) {
  std::error_code ignored;
  if (path != "-" && fs::is_directory(path, ignored)) throw FileError(path, "is a folder");
  const std::string name = path == "-" ? "standard input" : path;
  const std::unique_ptr<std::FILE, CloseFile> file(path == "-" ? stdin : std::fopen(path.c_str(), "rb"));
  if (!file) throw FileError(name, system_reason(errno));

  std::string bytes;
  char block[1 << 16];
  errno = 0;
  while (const std::size_t count = std::fread(block, 1, sizeof block, file.get())) {
    bytes.append(block, count);
    if (bytes.size() > static_cast<std::size_t>(limit)) {
      throw FileError(name, "is larger than the allowed " + std::to_string(limit) + " bytes");
    }
  }
  if (std::ferror(file.get())) throw FileError(name, system_reason(errno));
  return bytes;
}

bool is_file(const std::string& path) {
  // Not only regular files: a shell's <(command) is a pipe.
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return !error && fs::exists(status) && !fs::is_directory(status);
}

std::vector<std::string> list_folder(const std::string& path, const std::string& suffix) {
  std::error_code error;
  std::vector<std::string> names;
  fs::directory_iterator entry(path, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.ends_with(suffix)) names.push_back(name);
  }
  if (error) throw FileError(path, error.message());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace attn
