#include "explain/lint/notes.h"

#include <algorithm>

#include "base/text.h"
#include "explain/lint/lint.h"
#include "explain/lint/lint_rules.h"
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

/// Errors of lessons are there to be shown.
std::optional<NotedLine::Kind> kind_of(const Trace& trace, const Diagnostic& note) {
  if (note.code == Code::Suspect) return NotedLine::Kind::Suspect;
  if (note.code == Code::Remark) return NotedLine::Kind::Remark;
  if (note.severity != Severity::Error || trace.form == LessonForm::Lesson) return std::nullopt;
  return NotedLine::Kind::Failure;
}

}  // namespace

std::vector<NotedLine> noted_lines(const Trace& trace) {
  std::vector<NotedLine> lines;
  for (const Diagnostic& note : trace.diagnostics) {
    const auto kind = kind_of(trace, note);
    if (!kind) continue;
    lines.push_back({*kind, note.span.source, position_of(trace.sources[note.span.source], note.span.begin).line});
    for (const auto& [name, line] : note.facts)
      if (name == kAlsoAtLine) lines.push_back({*kind, note.span.source, static_cast<int>(line)});
  }
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

bool is_noted(const Trace& trace, const Step& step) {
  const auto note = [&](int number) -> const Diagnostic& {
    return trace.diagnostics.at(static_cast<std::size_t>(number));
  };
  // An error passes through the calls around it, too.
  const auto is_in_it = [&](const Span& span) {
    return span.source == step.span.source && span.begin >= step.span.begin && span.end <= step.span.end;
  };
  if (step.diagnostic >= 0 && kind_of(trace, note(step.diagnostic)) && is_in_it(note(step.diagnostic).span))
    return true;
  return std::any_of(step.warnings.begin(), step.warnings.end(),
                     [&](int number) { return kind_of(trace, note(number)).has_value(); });
}

void note_findings(Trace& trace, const Lesson& lesson) {
  if (trace.form == LessonForm::Lesson) return;
  std::vector<Finding> findings = lint(trace);
  Mender mender(trace, lesson, findings);
  if (!is_cut(trace)) mender.mend_failure(trace);
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
