#pragma once
// The lessons there are: those in the binary, or those of a folder. Listing reads titles only; a lesson is parsed when
// it is opened.
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lesson/load.h"

namespace attn {

struct CatalogueEntry {
  int number = 0;
  std::string id;
  std::string language;
  std::string title;
  std::string path;  // "lessons/03-batch.md"
};

/// No lesson is called that. The message names the nearest one.
class UnknownLesson : public std::exception {
 public:
  explicit UnknownLesson(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

class Catalogue {
 public:
  /// The lessons in the binary. `language` ("ko") chooses the files of that language where there are some.
  static Catalogue built_in(std::string_view language = {});
  /// The files NN-slug.md of a folder. Their data stands in `data/` in it, or beside it when it is called `lessons`.
  ///   Errors: FileError when the folder cannot be listed.
  static Catalogue folder(const std::string& path, std::string_view language = {});

  /// Sorted by number, then id.
  const std::vector<CatalogueEntry>& entries() const { return entries_; }

  /// The lesson that `word` names: a number ("3", "03"), an id ("batch"), a file name ("03-batch.md"), the path of a
  /// file, or "-" for standard input.
  ///   Errors: UnknownLesson; FileError when it is a path that cannot be read. Format errors go to `findings`.
  /// A path to a file goes before an entry of that file name.
  Lesson open(const std::string& word, LoadFindings& findings) const;
  Lesson open(const CatalogueEntry& entry, LoadFindings& findings) const;

  /// The entry of that number, id or file name, or null.
  const CatalogueEntry* find(std::string_view word) const;

 private:
  void add(const std::string& path, std::string text, std::string_view language);
  void finish();
  Lesson load(const std::string& path, std::string text, const std::optional<std::string>& folder,
              LoadFindings& findings) const;
  std::string unknown(std::string_view word) const;

  bool embedded_ = true;
  std::vector<CatalogueEntry> entries_;
};

}  // namespace attn
