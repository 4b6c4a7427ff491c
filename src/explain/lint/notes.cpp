#include "explain/lint/notes.h"

#include <algorithm>

#include "base/text.h"
#include "explain/lint/lint.h"
#include "explain/lint/mend.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::string_view kAlsoAtLine = "also at line";

Span place_of(const Trace& trace, const Finding& finding) {
  return finding.op >= 0 ? trace.op(finding.op).span : trace.step(finding.step).span;
}

/// The lines at which the same is said again: one note has them all.
void add_others_like(const Trace& trace, const std::vector<Finding>& findings, std::size_t first, Diagnostic& note) {
  std::vector<std::string> lines;
  for (std::size_t i = first + 1; i < findings.size(); ++i) {
    if (findings[i].message != findings[first].message) continue;
    const Span span = place_of(trace, findings[i]);
    const int line = position_of(trace.sources[span.source], span.begin).line;
    note.facts.emplace_back(kAlsoAtLine, line);
    lines.push_back(say("note.again.line", {{"line", std::to_string(line)}}));
  }
  if (!lines.empty()) note.message += " " + say("note.again", {{"lines", join(lines, ", ")}});
}

}  // namespace

std::vector<SuspectLine> suspect_lines(const Trace& trace) {
  std::vector<SuspectLine> lines;
  for (const Diagnostic& note : trace.diagnostics) {
    if (note.code != Code::Suspect) continue;
    lines.push_back({note.span.source, position_of(trace.sources[note.span.source], note.span.begin).line});
    for (const auto& [name, line] : note.facts)
      if (name == kAlsoAtLine) lines.push_back({note.span.source, static_cast<int>(line)});
  }
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

void note_findings(Trace& trace, const Lesson& lesson) {
  const bool is_cut = !trace.options.is_whole && std::max(trace.steps.size(), trace.ops.size()) >= kFollowed;
  if (trace.form == LessonForm::Lesson || is_cut) return;
  std::vector<Finding> findings = lint(trace);
  Mender mender(trace, lesson, findings);
  mender.mend_failure(trace);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    Finding& finding = findings[i];
    const auto first = std::find_if(findings.begin(), findings.begin() + static_cast<std::ptrdiff_t>(i),
                                    [&](const Finding& told) { return told.message == finding.message; });
    if (first != findings.begin() + static_cast<std::ptrdiff_t>(i)) continue;  // said there
    Diagnostic note;
    note.severity = Severity::Note;
    note.code = finding.is_remark ? Code::Remark : Code::Suspect;
    note.span = place_of(trace, finding);
    note.fix = mender.right_form(finding);
    note.message = finding.message;
    add_others_like(trace, findings, i, note);
    trace.diagnostics.push_back(std::move(note));
    const StepId step = finding.op >= 0 ? trace.op(finding.op).step : finding.step;
    if (step >= 0) trace.step(step).warnings.push_back(static_cast<int>(trace.diagnostics.size() - 1));
  }
}

}  // namespace attn
