#pragma once
// Code at a point of a lesson: the lesson is run again up to there in a fresh interpreter, and goes on with what a
// learner types. The recorded Trace is never touched.
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/evaluate.h"
#include "engine/trace.h"
#include "lesson/lesson.h"

namespace attn {

/// A point of a run: before a step, or after it (after the header of a compound statement, before its first child; a
/// statement that calls a function is passed as a whole). Then the lines that were typed there, in order.
struct Point {
  StepId step = -1;  // -1: at the very beginning
  bool before = false;
  std::vector<std::string> typed;

  friend bool operator==(const Point&, const Point&) = default;
};

/// A name at a point of a run.
struct NameInScope {
  std::string name;
  bool is_local = false;  // of the function that is running
  RecordedValue value;    // of a tensor without its numbers
};

/// Interpreters that have run up to some point, the ones used last. Results do not depend on what is kept.
class Replays {
 public:
  /// `trace` is the record of that lesson: its options are used, and it says which steps have children.
  Replays(std::shared_ptr<const Lesson> lesson, std::shared_ptr<const Trace> trace);
  ~Replays();
  Replays(const Replays&) = delete;
  Replays& operator=(const Replays&) = delete;

  /// Runs `code` at that point. Names of the innermost call are seen. Errors are in the result.
  Evaluation run(const Point& point, const std::string& code);

  /// The same, and what `name` holds then; nothing when the code failed or did not bind it.
  struct Attempt {
    Evaluation evaluation;
    std::optional<RecordedValue> value;
  };
  Attempt run_for(const Point& point, const std::string& code, const std::string& name);

  /// The names that are bound there but for modules: those of the innermost call, then the others, each alphabetically.
  std::vector<NameInScope> names(const Point& point);
  /// What can follow the dot of an expression made of names and dots ("fc_q", "torch.nn"). Sorted.
  std::vector<std::string> members(const Point& point, const std::string& expression);

 private:
  struct Kept;
  Kept& at(const Point& point);
  std::unique_ptr<Kept> replayed(const Point& point);

  std::shared_ptr<const Lesson> lesson_;
  std::shared_ptr<const Trace> trace_;
  std::vector<std::unique_ptr<Kept>> kept_;  // the one used last at the end
};

}  // namespace attn
