#pragma once
// What a learner's sessions leave: progress of each lesson and the lines typed, as files in one folder. Nothing
// of it is needed: where it cannot be read or written, the session goes on and says so once.
#include <string>
#include <string_view>
#include <vector>

#include "stepper/progress.h"

namespace attn {

class StateFolder {
 public:
  /// An empty path keeps nothing. The folder is made when something is first saved, for its owner alone.
  explicit StateFolder(std::string path) : path_(std::move(path)) {}
  /// $XDG_STATE_HOME/attn-tutor, else ~/.local/state/attn-tutor; nowhere when neither variable is an absolute path.
  static StateFolder of_user();

  const std::string& path() const { return path_; }

  /// What was saved of a lesson; else empty. A file that cannot be read or understood is renamed, never lost,
  /// and `notice` says so.
  Progress load(const std::string& lesson, std::string& notice) const;
  /// Merges with what the file holds by now (of another session), and writes it as a whole. Gives what went wrong, or
  /// "".
  std::string save(const Progress& progress) const;
  /// The progress of one lesson, or of all, whether it can be read or not. Gives what went wrong, or "".
  std::string forget(const std::string& lesson) const;
  std::string forget_all() const;
  bool keeps(const std::string& lesson) const;
  /// Where the progress of each lesson is kept.
  std::vector<std::string> files() const;
  /// The lessons that something was saved of, the one saved last at the end.
  std::vector<std::string> lessons() const;

  /// Lines of code typed in earlier sessions, oldest first. A file that cannot be read is set aside.
  std::vector<std::string> history() const;
  std::string save_history(const std::vector<std::string>& lines) const;

 private:
  std::string file_of(const std::string& lesson) const;
  std::string make() const;

  std::string path_;
};

}  // namespace attn
