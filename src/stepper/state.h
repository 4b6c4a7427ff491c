#pragma once
// A session as plain data: a run of a lesson, where the learner stands in it, and what is said and wanted next. The
// terminal shows view() of it, reads what `input` asks for, performs `actions`, and hands the event to update().
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/replay.h"
#include "engine/trace.h"
#include "lesson/lesson.h"
#include "render/options.h"
#include "stepper/action.h"
#include "stepper/progress.h"

namespace attn {

/// A lesson and what happened when it ran. Never changed once it is made, so States share it.
struct LessonRun {
  Lesson lesson;
  Trace trace;
  std::vector<StepId> order;  // of the steps that are shown
};

struct SessionOptions {
  RenderOptions render;
  bool accessible = false;  // whole lines instead of keys, no tables drawn with blanks alone
  bool quiz = false;        // asks for every shape that changes
  bool fade = false;        // leaves out parts of steps that were mastered
  bool no_skip = false;     // an answer must be right, or all hints used up
  std::string export_name;  // file name that `export` proposes: "03-batch"
};

/// What the terminal is to read next.
struct Input {
  enum class Kind { Key, Line };
  Kind kind = Kind::Key;
  std::string prompt;    // of a line: "attn 3/9> "; of keys: the legend, one line that is erased before the next output
  bool is_code = false;  // a line of Python: goes on while brackets or blocks are open; has history and completion
};

/// What a line that is typed means.
enum class Asked {
  Command,   // a key or a command
  Code,      // the prompt: one line at this step
  FreePlay,  // the same, again and again
  Answer,    // to the question of this step
  Goto,
  Search,  // in the list of steps
  Setting,
  Touch,
  Inspect,
  Why,
  Export,
  Resume  // continue, restart or forget
};

/// Where the learner stands at a step.
enum class Stage { Question, Shown };

struct State {
  std::shared_ptr<const LessonRun> run;
  SessionOptions options;
  Progress progress;
  std::string fresh_from;  // with --fade: steps seen before this session are mastered

  std::size_t at = 0;  // index into run->order; its size: after the last step
  Stage stage = Stage::Shown;
  Asked asked = Asked::Command;
  int hints = 0;                     // given at this question
  Shape slice;                       // of leading axes, of the tensor shown last
  std::vector<std::string> typed;    // code typed at this step; each line sees what those before it bound
  std::shared_ptr<Replays> replays;  // interpreters at the steps looked at last; a cache, no more
  int interrupts = 0;                // Ctrl-C one after another

  Input input;
  std::string said;             // since the last event
  std::vector<Action> actions;  // wanted since the last event
};

}  // namespace attn
