#pragma once
// The lessons there are: those in the binary and of the user's own folder, or those of one folder. Listing reads titles
// only; a lesson is parsed when it is opened.
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lesson/load.h"

namespace attn {

struct CatalogueEntry {
  std::optional<int> number;  // none of "tour.md"
  std::string id;
  std::string language;
  std::string title;
  std::string path;  // "lessons/03-batch.md"
  enum class Origin { BuiltIn, Folder, Own } origin = Origin::BuiltIn;
};

class Catalogue {
 public:
  /// The lessons in the binary. `language` ("ko") chooses the files of that language where there are some.
  static Catalogue built_in(std::string_view language = {});
  /// The lesson files of a folder: NN-slug.md, and others that have the form of a lesson. Their data is in `data/`
  /// in it, or beside it when it is called `lessons`.
  ///   Errors: FileError when the folder cannot be listed.
  static Catalogue folder(const std::string& path, std::string_view language = {});

  /// Adds the lessons of the user's own folder after the others. A name that is taken stays with the lesson that has
  /// it.
  ///   Errors: FileError when the folder cannot be listed.
  void add_own(const std::string& path, std::string_view language = {});

  /// Sorted by number, then id; those without a number follow.
  const std::vector<CatalogueEntry>& entries() const { return entries_; }

  /// The lesson that `word` names: a number ("3", "03"), an id ("batch"), a file name ("03-batch.md"), the path of a
  /// file, or "-" for standard input.
  ///   Errors: UserError, which names the nearest one, when no lesson is called that; FileError when it is a path that
  ///   cannot be read. Format errors go to `findings`.
  /// A path to a file goes before an entry of that file name.
  Lesson open(const std::string& word, LoadFindings& findings) const;
  Lesson open(const CatalogueEntry& entry, LoadFindings& findings) const;

  /// The entry of that number, id or file name, or null.
  const CatalogueEntry* find(std::string_view word) const;
  /// The shortest word by which the entry is opened: its number, its id or its path.
  std::string word(const CatalogueEntry& entry) const;

 private:
  void add(const std::string& path, std::string_view text, std::string_view language, CatalogueEntry::Origin origin);
  void add_folder(const std::string& path, std::string_view language, CatalogueEntry::Origin origin);
  void finish();
  Lesson load(const std::string& path, std::string_view text, const std::optional<std::string>& folder,
              LoadFindings& findings) const;
  std::string unknown(std::string_view word) const;

  std::vector<CatalogueEntry> entries_;
};

}  // namespace attn
