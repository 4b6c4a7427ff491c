// Notebooks: read, run, linted, printed as `run --plain` prints, and drawn in one of the formats.
#include "engine/runner.h"
#include "explain/lint/notes.h"
#include "lesson/program.h"
#include "render/plain.h"
#include "tests/fuzz/fuzz.h"

namespace attn {

void fuzz_ipynb(std::string_view bytes) {
  const LimitScope limits(kFuzzLimits);
  LoadFindings findings;
  const Lesson program = load_program("fuzz.ipynb", std::string(bytes), findings);
  for (const Diagnostic& finding : findings.diagnostics) look_at(finding, program.source);
  if (findings.failed()) return;
  allowing<UserError, LimitReached>([&] {
    Trace trace = run_lesson(program);
    note_findings(trace, program);
    for (const TraceBlock& block : trace.blocks)
      if (const CellRecord* cell = std::get_if<CellRecord>(&block)) plain_output(trace, *cell);
    for (const Diagnostic& diagnostic : trace.diagnostics) {
      const bool has_source = diagnostic.span.source < trace.sources.size();
      look_at(diagnostic, has_source ? trace.sources[diagnostic.span.source] : Source{trace.path, ""});
    }
    look_at(trace, bytes.size());
  });
}

}  // namespace attn
