#pragma once
// What a session wants done in the world. update() only asks for it; the code that drives the session does it, in
// order.
#include <string>
#include <variant>

#include "stepper/progress.h"

namespace attn {

/// Save State::progress now (it is merged with what the file holds).
struct SaveProgress {};

/// Save progress in another lesson, whose question was asked once more.
struct SaveRecalled {
  Progress progress;
};

/// Forget what was saved of this lesson.
struct ForgetProgress {};

/// Write a file. One that exists and is not an earlier export is replaced only when `replace`; the outcome comes back
/// as a Written event.
struct WriteFile {
  std::string path;
  std::string text;
  bool replace = false;
};

/// Leave, with that exit code; where progress could be saved, say that it is, and how to come back.
struct Quit {
  int code = 0;
  bool tells_what_is_saved = false;
};

/// After Quit: open that lesson.
struct OpenLesson {
  std::string word;
};

using Action = std::variant<SaveProgress, SaveRecalled, ForgetProgress, WriteFile, Quit, OpenLesson>;

}  // namespace attn
