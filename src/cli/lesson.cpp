// attn-tutor lesson
#include <fmt/format.h>

#include "base/text.h"
#include "cli/command.h"
#include "cli/open_lesson.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/trace_result.h"
#include "engine/runner.h"
#include "render/run_difference.h"
#include "text/say.h"

namespace attn {
namespace {

// A run for each value of --sweep; the exit code is the gravest.
int sweep(const Lesson& lesson, const Request& request) {
  std::vector<Trace> traces;
  std::vector<LabelledRun> runs;
  int code = kFine;
  for (const std::string& value : request.sweep->values) {
    RunOptions options = request.run;
    options.set[request.sweep->name] = value;
    traces.push_back(run_lesson(lesson, options));
    code = graver(code, exit_code(traces.back()));
    if (code == kInterrupted) return code;
  }
  for (std::size_t i = 0; i < traces.size(); ++i)
    runs.push_back({fmt::format("{}={}", request.sweep->name, visible(request.sweep->values[i])), &traces[i]});
  write_out(render_side_by_side(runs, render_options(request)));
  for (const Trace& trace : traces) report_failure(trace, request);
  return code;
}

int run_lesson_command(const Request& request) {
  int code = kFine;
  const std::optional<Lesson> lesson = open_lesson(request, code);
  if (!lesson) return code;
  if (request.sweep && !request.transcript.empty()) {
    report(say("option.transcript.sweep"));
    return kUsage;
  }
  if (request.sweep) return sweep(*lesson, request);
  const std::optional<Transcript> transcript = Transcript::of(request, code);
  if (code != kFine) return code;
  if (const auto done = run_without_text(*lesson, request, transcript)) return *done;
  const Trace trace = run_lesson(*lesson, request.run);
  if (const int shown = show(trace, request)) return shown;
  report_weights(trace, request);
  if (transcript) transcript->write(trace);
  report_failure(trace, request);
  return exit_code(trace);
}

}  // namespace

const Command kLessonCommand = {"lesson", "Runs a lesson and shows every step: its code, shapes and numbers.",
                                kTakesLesson | kTakesSeed | kTakesWeights | kTakesLimits | kTakesView |
                                    kTakesCatalogue | kTakesSteps | kTakesSweep | kTakesSession,
                                run_lesson_command, "attn-tutor lesson 3"};

}  // namespace attn
