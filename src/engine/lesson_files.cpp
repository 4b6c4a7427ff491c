#include "engine/lesson_files.h"

#include "base/files.h"
#include "base/sha256.h"
#include "text/say.h"

namespace attn {
namespace {

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
  if (lesson.files.empty()) return nullptr;
  return [files = lesson.files, folder = lesson.folder](const std::string& name) -> std::shared_ptr<const BytesAt> {
    const auto file = files.find(name);
    if (file != files.end()) return std::make_shared<HeldBytes>(name, file->second);
    if (folder) return folder(name);
    throw FileError(name, say("file.not_named", {{"name", files.begin()->first}}));
  };
}

std::vector<DataFile> recorded_files(const Lesson& lesson) {
  std::vector<DataFile> out;
  for (const auto& [name, bytes] : lesson.files) out.push_back({name, base64(*bytes)});
  return out;
}

}  // namespace attn
