#include "engine/lesson_files.h"

#include <algorithm>
#include <span>

#include "base/files.h"
#include "base/sha256.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::uint64_t kMostCarried = std::uint64_t{1} << 20, kReadAtOnce = std::uint64_t{1} << 20;  // bytes

using Bytes = std::shared_ptr<const std::string>;

/// A text that lives as long as somebody reads it.
class HeldBytes : public TextBytes {
 public:
  HeldBytes(const std::string& name, Bytes bytes) : TextBytes(name, *bytes), bytes_(std::move(bytes)) {}

 private:
  Bytes bytes_;
};

}  // namespace

FileOpener files_of_lesson(const Lesson& lesson) {
  if (lesson.files.empty() && !lesson.folder) return nullptr;
  return [files = lesson.files, folder = lesson.folder](const std::string& name) -> std::shared_ptr<const BytesAt> {
    const auto file = files.find(name);
    if (file != files.end()) return std::make_shared<HeldBytes>(name, file->second);
    if (folder) return folder(name);
    throw FileError(name, say("file.not_named", {{"name", files.begin()->first}}));
  };
}

std::vector<DataFile> recorded_files(const Lesson& lesson, const std::set<std::string>& opened) {
  std::vector<DataFile> out;
  for (const auto& [name, bytes] : lesson.files) out.push_back({name, true, base64(*bytes), ""});
  for (const std::string& name : opened) {
    if (lesson.files.contains(name)) continue;
    try {
      const auto bytes = lesson.folder(name);
      const bool is_carried = bytes->size() <= kMostCarried;
      out.push_back({name, is_carried, is_carried ? base64(first_bytes(*bytes, kMostCarried)) : "", ""});
    } catch (const FileError&) {  // gone since
      out.push_back({name, false, "", ""});
    }
  }
  return out;
}

void add_sums(std::vector<DataFile>& files, const Lesson& lesson) {
  std::string part;
  for (DataFile& file : files) {
    if (file.is_carried) continue;
    const auto bytes = lesson.folder(file.name);
    Sha256 sum;
    for (std::uint64_t at = 0; at < bytes->size(); at += part.size()) {
      part.resize(static_cast<std::size_t>(std::min(kReadAtOnce, bytes->size() - at)));
      bytes->read_at(at, std::as_writable_bytes(std::span(part)));
      sum.add(part);
    }
    file.sha256 = hex_digits(sum.digest());
  }
}

}  // namespace attn
