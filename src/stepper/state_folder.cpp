#include "stepper/state_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "base/text.h"
#include "text/say.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".json";
constexpr std::int64_t kMostBytes = 4 << 20;
constexpr std::size_t kMostLines = 1000, kMostHistoryBytes = 1 << 20;  // lines and bytes

/// Held while a file is read, merged and written, so that two sessions do so one after the other. Where a file system
/// has no locks, the last one wins.
class Lock {
 public:
  explicit Lock(const std::string& folder)
      : descriptor_(::open((folder + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    if (descriptor_ >= 0) flock(descriptor_, LOCK_EX);
  }
  ~Lock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int descriptor_;
};

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

// A lesson's id may be a path: everything else than letters and digits as %2F. A long one is cut, with a number that
// keeps it apart from others.
std::string file_name(std::string_view lesson) {
  std::string name;
  for (const char c : lesson)
    name += is_plain(c) ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  if (name.size() <= 120) return name;
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const char c : lesson) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return fmt::format("{}%{:016x}", name.substr(0, 100), hash);
}

// A line of the history file is a text with its line feeds and backslashes escaped.
std::string escaped(std::string_view text) {
  std::string line;
  for (const char c : text) line += c == '\n' ? "\\n" : c == '\\' ? "\\\\" : std::string(1, c);
  return line;
}

std::string unescaped(std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool is_escape = line[i] == '\\' && i + 1 < line.size();
    if (is_escape) ++i;
    text += is_escape && line[i] == 'n' ? '\n' : line[i];
  }
  return text;
}

// Sets a file aside under a name that is free.
std::string set_aside(const std::string& path) {
  std::string aside;
  for (int number = 1; number < 1000; ++number) {
    aside = fmt::format("{}.unreadable-{}", path, number);
    std::error_code error;
    if (fs::exists(aside, error)) continue;
    fs::rename(path, aside, error);
    return error ? "" : aside;
  }
  return "";
}

std::string reason_of(const FileError& error) { return error.what(); }

}  // namespace

StateFolder StateFolder::of_user() {
  if (const std::string state = absolute_variable("XDG_STATE_HOME"); !state.empty())
    return StateFolder(state + "/attn-tutor");
  if (const std::string home = absolute_variable("HOME"); !home.empty())
    return StateFolder(home + "/.local/state/attn-tutor");
  return StateFolder("");
}

std::string StateFolder::file_of(const std::string& lesson) const {
  return path_ + "/progress/" + file_name(lesson) + std::string(kSuffix);
}

// "" when the folder is there.
std::string StateFolder::make() const {
  std::error_code error;
  const fs::path folder = path_;
  fs::create_directories(folder.parent_path(), error);
  if (!error && fs::create_directory(folder, error)) fs::permissions(folder, fs::perms::owner_all, error);
  if (!error) fs::create_directory(folder / "progress", error);
  return error ? path_ + ": " + error.message() : "";
}

Progress StateFolder::load(const std::string& lesson, std::string& notice) const {
  Progress fresh;
  fresh.lesson = lesson;
  const std::string path = file_of(lesson);
  if (path_.empty() || !is_file(path)) return fresh;
  std::string reason = path;
  try {
    if (auto progress = read_progress(read_file(path, kMostBytes))) {
      progress->lesson = lesson;
      return *progress;
    }
  } catch (const FileError& error) {
    reason = reason_of(error);
  }
  const std::string aside = set_aside(path);
  notice = aside.empty() ? say("state.unreadable", {{"reason", reason}}) : say("state.aside", {{"path", aside}});
  return fresh;
}

std::string StateFolder::save(const Progress& progress) const {
  if (path_.empty()) return "";
  if (std::string error = make(); !error.empty()) return error;
  const Lock lock(path_);
  std::string ignored;
  try {
    write_whole_file(file_of(progress.lesson), progress_text(merged(load(progress.lesson, ignored), progress)),
                     Privacy::Private);
  } catch (const FileError& error) {
    return reason_of(error);
  }
  return "";
}

std::string StateFolder::forget(const std::string& lesson) const {
  if (path_.empty()) return "";
  std::error_code error;
  fs::remove(file_of(lesson), error);
  return error ? file_of(lesson) + ": " + error.message() : "";
}

std::string StateFolder::forget_all() const {
  std::error_code error;
  for (const std::string& file : files())
    if (fs::remove(file, error); error) return file + ": " + error.message();
  return "";
}

bool StateFolder::keeps(const std::string& lesson) const { return !path_.empty() && is_file(file_of(lesson)); }

std::vector<std::string> StateFolder::files() const {
  std::error_code error;
  const std::string folder = path_ + "/progress";
  if (path_.empty() || !fs::is_directory(folder, error)) return {};
  std::vector<std::string> paths;
  try {
    for (const std::string& name : list_folder(folder, std::string(kSuffix))) paths.push_back(folder + "/" + name);
  } catch (const FileError&) {
    // what cannot be read is not there
  }
  return paths;
}

std::vector<std::string> StateFolder::lessons() const {
  std::vector<std::pair<fs::file_time_type, std::string>> found;
  std::error_code error;
  for (const std::string& file : files()) {
    try {
      if (const auto progress = read_progress(read_file(file, kMostBytes)))
        found.emplace_back(fs::last_write_time(file, error), progress->lesson);
    } catch (const FileError&) {
      // what cannot be read is not there
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (auto& [time, name] : found) names.push_back(std::move(name));
  return names;
}

std::vector<std::string> StateFolder::history() const {
  std::vector<std::string> lines;
  if (path_.empty() || !is_file(path_ + "/history")) return lines;
  try {
    const std::string text = valid_utf8(read_file(path_ + "/history", kMostBytes));
    for (const std::string_view line : split_lines(text)) {
      if (!line.empty()) lines.push_back(unescaped(line));
    }
  } catch (const FileError&) {
    set_aside(path_ + "/history");
  }
  return lines;
}

std::string StateFolder::save_history(const std::vector<std::string>& lines) const {
  if (path_.empty() || lines.empty()) return "";
  if (std::string error = make(); !error.empty()) return error;
  const Lock lock(path_);
  std::vector<std::string> all;
  for (const std::string& line : history()) {
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) all.push_back(line);
  }
  all.insert(all.end(), lines.begin(), lines.end());
  std::size_t first = all.size(), bytes = 0;
  while (first > 0 && all.size() - first < kMostLines &&
         (bytes += escaped(all[first - 1]).size() + 1) <= kMostHistoryBytes)
    --first;
  std::string text;
  for (std::size_t i = first; i < all.size(); ++i) text += escaped(all[i]) + "\n";
  try {
    write_whole_file(path_ + "/history", text, Privacy::Private);
  } catch (const FileError& error) {
    return reason_of(error);
  }
  return "";
}

}  // namespace attn
