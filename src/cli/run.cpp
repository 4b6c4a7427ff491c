// attn-tutor run: a learner's own notebook, script or lesson.
#include <fmt/format.h>

#include "base/text.h"
#include "cli/command.h"
#include "cli/open_lesson.h"
#include "cli/output.h"
#include "cli/trace_result.h"
#include "engine/runner.h"
#include "explain/text_difference.h"
#include "render/ledger.h"
#include "render/plain.h"
#include "render/text.h"

namespace attn {
namespace {

// Every cell that failed, as its diagnostic; warnings too.
void report_all(const Trace& trace, const Request& request) {
  for (const Diagnostic& diagnostic : trace.diagnostics) {
    if (diagnostic.severity == Severity::Error || !request.quiet) report_trace(trace, diagnostic, request);
  }
}

// What the file says a cell printed, against what it printed now.
void compare_outputs(const Trace& trace) {
  for (const TraceBlock& block : trace.blocks) {
    const CellRecord* cell = std::get_if<CellRecord>(&block);
    if (!cell || cell->recorded.empty() || cell->failed) continue;
    const auto difference = first_difference(cell->recorded, plain_output(trace, *cell));
    if (!difference) continue;
    write_error(fmt::format("{}: note: the output saved in the file differs at its line {}\n  saved  {}\n  now    {}\n",
                            visible(trace.sources[cell->source].name), difference->line,
                            visible(elide(difference->expected, 100)), visible(elide(difference->got, 100))));
  }
}

int run(const Request& request) {
  int code = kFine;
  const std::optional<Lesson> program = open_lesson(request, code);
  if (!program) return code;
  const Trace trace = run_lesson(*program, request.run);
  if (request.plain) {
    write_out(render_plain(trace));
  } else if (request.shapes) {
    write_out(render_ledger(trace, render_options(request)));
  } else {
    write_out(render_text(trace, render_options(request)));
  }
  report_all(trace, request);
  if (!request.ignore_outputs && !request.quiet) compare_outputs(trace);
  return exit_code(trace);
}

}  // namespace

const Command kRunCommand = {"run", "Runs a notebook, a script or a lesson of your own and shows every step.",
                             kTakesProgram | kTakesLimits | kTakesView, run, "attn-tutor run attention.ipynb"};

}  // namespace attn
