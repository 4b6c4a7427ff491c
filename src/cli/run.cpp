// attn-tutor run: a learner's own notebook, script or lesson.
#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "cli/command.h"
#include "cli/open_lesson.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/trace_result.h"
#include "cli/watch.h"
#include "explain/text_difference.h"
#include "render/plain.h"
#include "text/say.h"

namespace attn {
namespace {

std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// Jupyter breaks long lists into lines, Python's repr does not.
std::optional<TextDifference> difference_of(const std::string& recorded, const std::string& now) {
  if (!first_difference(on_one_line(recorded), on_one_line(now))) return std::nullopt;
  return first_difference(recorded, now);
}

// What the file says a cell printed, against what it printed now.
void compare_outputs(const Trace& trace) {
  for (const TraceBlock& block : trace.blocks) {
    const CellRecord* cell = std::get_if<CellRecord>(&block);
    if (!cell || cell->recorded.empty() || cell->failed) continue;
    const auto difference = difference_of(cell->recorded, plain_output(trace, *cell));
    if (!difference) continue;
    write_error(say("note.output", {{"file", visible(trace.sources[cell->source].name)},
                                    {"line", std::to_string(difference->line)},
                                    {"saved", visible(elide(difference->expected, 100))},
                                    {"now", visible(elide(difference->got, 100))}}) +
                "\n");
  }
}

// Every cell that failed, as its diagnostic; warnings and notes too.
int report_all(const Trace& trace, const Request& request) {
  for (const Diagnostic& diagnostic : trace.diagnostics)
    if (diagnostic.severity == Severity::Error || !request.quiet) report_trace(trace, diagnostic, request);
  if (request.quiet) return exit_code(trace);
  if (trace.drew_unseeded && !trace.options.seed)
    write_error(say("note.unseeded", {{"file", visible(trace.path)}}) + "\n");
  if (!request.ignore_outputs) compare_outputs(trace);
  return exit_code(trace);
}

int run_once(const Request& request) { return run_shown(open_program(request), request, report_all); }

// A program of one's own may read weights that lie beside it, as it would in Python.
Request with_files(Request request) {
  request.run.open_file = files_of_folder(std::filesystem::path(request.word).parent_path().string());
  return request;
}

int run_program(const Request& typed) {
  const Request request = with_files(typed);
  if (!request.watch) return run_once(request);
  return watch(request.word, request, [&] { return run_once(request); });
}

}  // namespace

const Command kRunCommand = {
    "run", "Runs a notebook, a script or a lesson of your own and shows every step.",
    kTakesProgram | kTakesSteps | kTakesSeed | kTakesWeights | kTakesLimits | kTakesView | kTakesSession, run_program,
    "attn-tutor run attention.ipynb"};

}  // namespace attn
