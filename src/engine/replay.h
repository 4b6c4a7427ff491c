#pragma once
// Code at a point of a lesson: the lesson is run again up to a step in a fresh interpreter, and goes on from there with
// what a learner types. The recorded Trace is never touched.
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "engine/evaluate.h"
#include "engine/trace.h"
#include "lesson/lesson.h"

namespace attn {

/// A name at a point of a run.
struct NameInScope {
  std::string name;
  std::string type;  // "Tensor", "int"
  std::string text;  // of a tensor its axes, else repr, shortened
};

/// Interpreters that stand after some step, the ones used last. Results do not depend on what is kept.
class Replays {
 public:
  Replays(const Lesson& lesson, const RunOptions& options);
  ~Replays();
  Replays(const Replays&) = delete;
  Replays& operator=(const Replays&) = delete;

  /// Runs `code` after the step and the lines typed before it (which are run without telling what they print). Names
  /// of the innermost call at that step are seen.
  ///   Errors: those of the code are in the result; ParameterError.
  Evaluation run(StepId step, const std::vector<std::string>& before, const std::string& code);

  /// The names that are bound there, in alphabetical order; those of the innermost call first.
  std::vector<NameInScope> names(StepId step, const std::vector<std::string>& before);
  /// What can stand behind the dot of a name that is bound there.
  std::vector<std::string> attributes(StepId step, const std::vector<std::string>& before, const std::string& name);

 private:
  struct Kept;
  Kept& at(StepId step, const std::vector<std::string>& before);

  std::shared_ptr<const Lesson> lesson_;
  RunOptions options_;
  std::vector<std::unique_ptr<Kept>> kept_;  // the one used last at the end
};

}  // namespace attn
