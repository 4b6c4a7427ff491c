// attn-tutor lesson
#include <fmt/format.h>

#include "base/text.h"
#include "cli/command.h"
#include "cli/open_lesson.h"
#include "cli/output.h"
#include "cli/trace_result.h"
#include "engine/runner.h"
#include "render/ledger.h"
#include "render/text.h"

namespace attn {
namespace {

int run(const Request& request) {
  int code = kFine;
  const std::optional<Lesson> lesson = open_lesson(request, code);
  if (!lesson) return code;
  const Trace trace = run_lesson(*lesson, request.run);
  const RenderOptions options = render_options(request);
  if (request.shapes) {
    write_out(render_ledger(trace, options));
  } else if (request.step) {
    const std::vector<StepId> steps = visible_steps(trace);
    if (*request.step < 1 || *request.step > static_cast<int>(steps.size())) {
      report(fmt::format("--step {}: this lesson has steps 1 to {}", *request.step, steps.size()));
      return kUsage;
    }
    write_out(render_step_text(trace, steps[static_cast<std::size_t>(*request.step - 1)], options));
  } else {
    write_out(render_text(trace, options));
  }
  report_failure(trace, request);
  return exit_code(trace);
}

}  // namespace

const Command kLessonCommand = {"lesson", "Runs a lesson and shows every step: its code, shapes and numbers.",
                                kTakesLesson | kTakesSeed | kTakesLimits | kTakesView | kTakesCatalogue | kTakesSteps,
                                run, "attn-tutor lesson 3"};

}  // namespace attn
