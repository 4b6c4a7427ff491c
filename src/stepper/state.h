#pragma once
// A session as plain data: a run of a lesson, where the learner is in it, and what is said and asked for next. The
// terminal shows view() of it, reads what `input` asks for, performs `actions`, and hands the event to update().
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/replay.h"
#include "engine/trace.h"
#include "lesson/lesson.h"
#include "render/formats.h"
#include "render/options.h"
#include "stepper/action.h"
#include "stepper/progress.h"

namespace attn {

/// A lesson and what happened when it ran. Never changed once it is made, so States share it.
struct LessonRun {
  std::shared_ptr<const Lesson> lesson;
  std::shared_ptr<const Trace> trace;
  std::vector<StepId> order;  // of the steps that are shown
};

struct SessionOptions {
  RenderOptions render;
  bool accessible = false;   // whole lines instead of keys, no tables drawn with blanks alone
  bool quiz = false;         // asks for every shape that changes
  bool fade = false;         // leaves out parts of steps that were mastered
  std::string student = {};  // of --student; empty: none
  bool no_skip = false;      // an answer must be right, or all hints used up
  std::pair<std::string, std::string> next_lesson = {};  // what opens it, and its title; empty: none
  RenderOptions transcript{kTranscriptWidth, false, false};
  std::string export_name;  // file name that `export` proposes, without an extension: "03-batch"
};

/// What a line that is typed means.
enum class Asked {
  Command,   // a key, or where lines are read a command
  Named,     // a command by its name, after ":"
  Code,      // the prompt: lines at this step, until an empty one
  FreePlay,  // the same, and what they bind stays until `back to the lesson`
  Answer,    // to the question of this step
  Goto,
  Search,  // in the list of steps
  Setting,
  Touch,
  Difference,  // two names
  Export,
  Recall,   // to the question of an earlier lesson
  Replace,  // whether a file that exists may be replaced
  Resume    // continue, restart or forget
};

/// What the terminal is to read next.
struct Input {
  enum class Kind { Key, Line };
  Kind kind = Kind::Key;
  std::string prompt;    // of a line: "attn 3/9> "; of keys: the legend, one line that is erased before the next output
  bool is_code = false;  // a line of Python: goes on while brackets or blocks are open; has history and completion
  std::string begun;     // of a line: in it already
};

/// Where the learner is at a step: before its question, or after it.
enum class Stage { Question, Shown };

struct State {
  std::shared_ptr<const LessonRun> run;
  SessionOptions options;
  Progress progress;
  std::set<std::string> mastered;  // steps that were seen in sessions before this one
  std::set<std::string> answered;  // questions that are not asked again
  std::size_t earlier_lines = 0;   // of progress.typed: those of sessions that this one does not go on with

  std::size_t at = 0;  // index into run->order; its size: after the last step
  Stage stage = Stage::Shown;
  Asked asked = Asked::Command;
  int hints = 0;                        // given at this question
  int tries = 0;                        // wrong answers to it
  Shape slice;                          // of leading axes, where the learner went to one
  std::set<StepId> seen;                // steps of this run that were shown: a table equal to one of theirs is folded
  std::vector<std::string> typed;       // code typed at this step; each line sees what those before it bound
  std::vector<std::string> watched;     // names
  bool free_play = false;               // what was typed stays until the learner goes back to the lesson
  std::shared_ptr<Replays> replays;     // interpreters at the steps looked at last: a cache, no more
  int interrupts = 0;                   // Ctrl-C one after another
  bool is_new = false;                  // the progress was forgotten, or there was none
  std::shared_ptr<const State> recall;  // at a question of an earlier lesson, to be asked once more; null: none
  std::optional<WriteFile> unwritten;   // refused because the file exists

  Input input;
  std::string said;             // since the last event
  bool is_list = false;         // that is a list, to be read from its first line on
  std::vector<Action> actions;  // wanted since the last event
};

}  // namespace attn
