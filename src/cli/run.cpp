// attn-tutor run: a learner's own notebook, script or lesson.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>

#include "base/files.h"
#include "base/limits.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/open_lesson.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/trace_result.h"
#include "explain/text_difference.h"
#include "render/page.h"
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
  if (trace.measured_time) write_error(say("note.clock", {{"file", visible(trace.path)}}) + "\n");
  if (!request.ignore_outputs) compare_outputs(trace);
  return exit_code(trace);
}

int run_once(const Request& request) { return run_shown(open_program(request), request, report_all); }

// ---- --watch ----

constexpr auto kPause = std::chrono::milliseconds(100);

/// Waits until the file is there, differs from `former` and is no longer written to. False: interrupted.
bool wait_for_change(const std::string& path, const std::optional<FileState>& former) {
  std::optional<FileState> last = former;
  while (!interrupt_requested()) {
    std::this_thread::sleep_for(kPause);
    const std::optional<FileState> now = file_state(path);
    if (now && now != former && now == last) return true;
    last = now;
  }
  return false;
}

void write_separator(const std::string& path, int run, const RenderOptions& options) {
  Page page(options);
  page.put(say("watch.again", {{"file", path}, {"run", std::to_string(run)}}), Style::Title);
  Line rule;
  for (int i = 0; i < page.width(); ++i) rule.add(page.glyphs().rule, Style::Dim);
  page.put(rule);
  write_out("\n" + page.text() + "\n");
}

/// Runs it now and after every change of the file, with fresh limits each time, until Ctrl-C. A file that is gone for a
/// while or cannot be read ends nothing.
int watch(const Request& request) {
  const std::string& path = request.word;
  if (!is_file(path)) throw UserError(say("option.watch", {{"file", elide(path, 200)}}), {}, UserError::Fault::Input);
  for (int run = 1;; ++run) {
    const std::optional<FileState> state = file_state(path);
    {
      const LimitScope scope(request.limits);
      if (guarded(request, [&] { return run_once(request); }) == kInterrupted) return kInterrupted;
    }
    if (!wait_for_change(path, state)) return kInterrupted;
    write_separator(path, run + 1, render_options(request));
  }
}

int run_program(const Request& request) { return request.watch ? watch(request) : run_once(request); }

}  // namespace

const Command kRunCommand = {
    "run", "Runs a notebook, a script or a lesson of your own and shows every step.",
    kTakesProgram | kTakesSteps | kTakesSeed | kTakesWeights | kTakesLimits | kTakesView | kTakesSession, run_program,
    "attn-tutor run attention.ipynb"};

}  // namespace attn
