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
  page_out(render_side_by_side(runs, render_options(request)), request);
  for (const Trace& trace : traces) report_failure(trace, request);
  return code;
}

int run_lesson_command(const Request& typed) {
  const Lesson lesson = open_lesson(typed);
  const Request request = with_student(typed, lesson);
  if (request.sheet) return print_sheet(lesson, request);
  if (request.sweep && !request.transcript.empty()) throw UserError(say("option.transcript.sweep"));
  return request.sweep ? sweep(lesson, request) : run_shown(lesson, request, report_failure);
}

}  // namespace

const Command kLessonCommand = {"lesson", "Runs a lesson and shows every step: its code, shapes and numbers.",
                                kTakesLesson | kTakesSeed | kTakesWeights | kTakesLimits | kTakesView |
                                    kTakesCatalogue | kTakesSteps | kTakesSweep | kTakesSession | kTakesStudent,
                                run_lesson_command, "attn-tutor lesson 3"};

}  // namespace attn
