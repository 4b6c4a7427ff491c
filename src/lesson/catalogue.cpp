#include "lesson/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/embedded.h"
#include "base/files.h"
#include "base/number.h"
#include "base/text.h"
#include "lesson/program.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::int64_t kMaxDataSize = std::int64_t{4} << 20;  // bytes

std::optional<std::string> embedded_text(std::string_view path) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path == path) return std::string(file.bytes);
  }
  return std::nullopt;
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? "." : std::string(path.substr(0, slash));
}

/// Where the data of the lessons in a folder stands. The folder beside it counts only when this one is called
/// `lessons`: a lesson from somewhere must not read from whatever stands beside it.
std::vector<std::string> data_folders(const std::string& folder) {
  std::vector<std::string> folders = {folder + "/data"};
  if (file_name(folder) == "lessons") folders.push_back(folder + "/../data");
  return folders;
}

std::optional<std::string> readable_text(const std::string& path, std::int64_t limit) {
  try {
    return read_file(path, limit);
  } catch (const FileError&) {
    return std::nullopt;
  }
}

/// Data for lessons read from `folder`; what is not there is looked for in the binary.
ReadData data_reader(std::optional<std::string> folder) {
  return [folder = std::move(folder)](std::string_view file) -> std::optional<std::string> {
    if (folder) {
      for (const std::string& data : data_folders(*folder)) {
        const std::string path = fmt::format("{}/{}", data, file);
        if (is_file(path)) return readable_text(path, kMaxDataSize);
      }
    }
    return embedded_text(fmt::format("data/{}", file));
  };
}

// A name of its own is enough; any other file is looked into, so that a README does not become a lesson.
bool is_lesson_file(const std::string& path, std::string_view text) {
  const std::string_view name = file_name(path);
  if (!name.ends_with(".md")) return false;
  return (name.front() >= '0' && name.front() <= '9') || has_lesson_form(path, text);
}

// The title is the first heading, which is nearly always the first line: the rest of the file need not be read for it.
std::string title_of(const std::string& path, std::string_view text) {
  LoadFindings ignored;  // opening the lesson reports them
  if (const std::size_t line_end = text.find('\n'); line_end != std::string::npos) {
    std::string title = read_title(clean_source(path, text.substr(0, line_end + 1), ignored));
    if (!title.empty()) return title;
  }
  return read_title(clean_source(path, text, ignored));
}

}  // namespace

Catalogue Catalogue::built_in(std::string_view language) {
  Catalogue catalogue;
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path.starts_with("lessons/") && folder_of(file.path) == "lessons")
      catalogue.add(std::string(file.path), file.bytes, language, CatalogueEntry::Origin::BuiltIn);
  }
  catalogue.finish();
  return catalogue;
}

Catalogue Catalogue::folder(const std::string& path, std::string_view language) {
  Catalogue catalogue;
  catalogue.add_folder(path, language, CatalogueEntry::Origin::Folder);
  catalogue.finish();
  return catalogue;
}

void Catalogue::add_own(const std::string& path, std::string_view language) {
  add_folder(path, language, CatalogueEntry::Origin::Own);
  finish();
}

void Catalogue::add_folder(const std::string& path, std::string_view language, CatalogueEntry::Origin origin) {
  std::string_view stem = path;
  while (stem.size() > 1 && stem.ends_with('/')) stem.remove_suffix(1);
  for (const std::string& name : list_folder(path, ".md")) {
    const std::string file = fmt::format("{}/{}", stem, name);
    // One that cannot be read is listed without a title; opening it says why.
    add(file, readable_text(file, kMaxLessonSize).value_or(""), language, origin);
  }
}

/// Of the languages of one lesson the wanted one stands for it, else English.
void Catalogue::add(const std::string& path, std::string_view text, std::string_view language,
                    CatalogueEntry::Origin origin) {
  if (origin != CatalogueEntry::Origin::BuiltIn && !is_lesson_file(path, text)) return;
  LessonName name = lesson_name(path);
  if (!name.language.empty() && name.language != language) return;
  const auto same = std::find_if(entries_.begin(), entries_.end(), [&](const CatalogueEntry& entry) {
    return entry.origin == origin && entry.number == name.number && entry.id == name.id;
  });
  if (same != entries_.end() && name.language.empty()) return;
  CatalogueEntry entry{name.number, std::move(name.id), std::move(name.language), title_of(path, text), path, origin};
  if (same != entries_.end()) *same = std::move(entry);
  else entries_.push_back(std::move(entry));
}

void Catalogue::finish() {
  std::sort(entries_.begin(), entries_.end(), [](const CatalogueEntry& a, const CatalogueEntry& b) {
    return std::tuple(a.origin, !a.number, a.number, a.id) < std::tuple(b.origin, !b.number, b.number, b.id);
  });
}

const CatalogueEntry* Catalogue::find(std::string_view word) const {
  const auto number = parse_int(word);
  for (const CatalogueEntry& entry : entries_) {
    std::string_view stem = file_name(entry.path);
    const bool named = word == entry.id || word == stem || (stem.remove_suffix(3), word == stem);
    if (named || (number && entry.number == *number)) return &entry;
  }
  return nullptr;
}

std::string Catalogue::word(const CatalogueEntry& entry) const {
  const std::string number = entry.number ? std::to_string(*entry.number) : "";
  for (const std::string& word : {number, entry.id}) {
    if (!word.empty() && find(word) == &entry) return word;
  }
  return entry.path;
}

/// `folder` is where the file stands; none for lessons from the binary and from standard input.
Lesson Catalogue::load(const std::string& path, std::string_view text, const std::optional<std::string>& folder,
                       LoadFindings& findings) const {
  LoadOptions options;
  options.read_data = data_reader(folder);
  options.lesson_exists = [this, folder](std::string_view file) {
    const LessonName name = lesson_name(file);
    const CatalogueEntry* entry = find(name.id);
    return (entry && entry->number == name.number) || (folder && is_file(fmt::format("{}/{}", *folder, file)));
  };
  return load_lesson(path, text, findings, options);
}

Lesson Catalogue::open(const CatalogueEntry& entry, LoadFindings& findings) const {
  if (entry.origin == CatalogueEntry::Origin::BuiltIn)
    return load(entry.path, embedded_text(entry.path).value_or(""), std::nullopt, findings);
  return load(entry.path, read_file(entry.path, kMaxLessonSize), folder_of(entry.path), findings);
}

Lesson Catalogue::open(const std::string& word, LoadFindings& findings) const {
  if (word == "-") return load("<stdin>", read_file(word, kMaxLessonSize), std::nullopt, findings);
  const bool path = word.find('/') != std::string::npos || word.ends_with(".md");
  const CatalogueEntry* entry = path && is_file(word) ? nullptr : find(word);
  if (entry) return open(*entry, findings);
  if (!path && !is_file(word)) throw UserError(unknown(word));
  return load(word, read_file(word, kMaxLessonSize), folder_of(word), findings);
}

std::string Catalogue::unknown(std::string_view typed) const {
  std::vector<std::string> ids, words;
  for (const CatalogueEntry& entry : entries_) {
    ids.push_back(entry.id);
    words.push_back(word(entry));
  }
  const std::string near = nearest(typed, ids);
  return say("lessons.unknown", {{"name", std::string(typed)}}) + "; " +
         (near.empty() ? say("lessons.list", {{"list", join(words, ", ")}}) : did_you_mean("\"" + near + "\""));
}

}  // namespace attn
