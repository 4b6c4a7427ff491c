// attn-tutor lesson
#include "cli/command.h"
#include "cli/open_lesson.h"
#include "cli/trace_result.h"
#include "engine/runner.h"

namespace attn {
namespace {

// The error that ended the run is the last diagnostic; expected ones stand in the text.
void report_failure(const Trace& trace, const Request& request) {
  if (trace.outcome != RunOutcome::Fine && !trace.diagnostics.empty())
    report_trace(trace, trace.diagnostics.back(), request);
}

int run(const Request& request) {
  int code = kFine;
  const std::optional<Lesson> lesson = open_lesson(request, code);
  if (!lesson) return code;
  const Trace trace = run_lesson(*lesson, request.run);
  if (const int shown = show(trace, request)) return shown;
  report_failure(trace, request);
  return exit_code(trace);
}

}  // namespace

const Command kLessonCommand = {"lesson", "Runs a lesson and shows every step: its code, shapes and numbers.",
                                kTakesLesson | kTakesSeed | kTakesLimits | kTakesView | kTakesCatalogue | kTakesSteps,
                                run, "attn-tutor lesson 3"};

}  // namespace attn
