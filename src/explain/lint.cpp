#include "explain/lint.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/text.h"
#include "explain/lint_rules.h"
#include "explain/mend.h"

namespace attn {
namespace {

constexpr Rule kRules[] = {
    crossing_view, softmax_over_another_axis, mask_of_queries, scale_of_another_axis, masked_rows, mask_after_softmax,
    triangle_of_the_library, causal_from_the_start, no_scale, exchanged_labels, paired_lengths, dropped_scores,
    rows_of_other_sums, batch_as_sequence, layer_in_two_roles, positions_of_the_batch, positions_with_another_exponent,
    heads_in_another_order, batch_meets_length, softmax_before_loss, gradients_that_add_up, step_without_gradients,
    layers_nobody_trains, targets_not_shifted, sees_the_future, dropout_while_measuring, growing_loss, kept_graphs};

Span place_of(const Trace& trace, const Finding& finding) {
  return finding.op >= 0 ? trace.op(finding.op).span : trace.step(finding.step).span;
}

/// The lines at which the same is said again: one note has them all.
std::string others_like(const Trace& trace, const std::vector<Finding>& findings, std::size_t first) {
  std::vector<std::string> lines;
  for (std::size_t i = first + 1; i < findings.size(); ++i) {
    if (findings[i].message != findings[first].message) continue;
    const Span span = place_of(trace, findings[i]);
    lines.push_back(std::to_string(position_of(trace.sources[span.source], span.begin).line));
  }
  return lines.empty() ? "" : " " + say("note.again", {{"lines", join(lines, ", ")}});
}

}  // namespace

std::vector<Finding> lint(const Trace& trace) {
  const Flow flow(trace);
  std::vector<Finding> findings;
  std::set<std::tuple<std::string_view, std::uint32_t, std::uint32_t>> told;  // a loop would tell it again and again
  for (const Op* op : flow.ops()) {
    for (const Rule rule : kRules) {
      std::optional<Finding> finding = rule(flow, *op);
      if (!finding) continue;
      const Span span = trace.op(finding->op).span;
      if (told.emplace(finding->rule, span.source, span.begin).second) findings.push_back(std::move(*finding));
    }
  }
  uncalled_layers(flow, findings);
  return findings;
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
    note.message = finding.message + others_like(trace, findings, i);
    trace.diagnostics.push_back(std::move(note));
    const StepId step = finding.op >= 0 ? trace.op(finding.op).step : finding.step;
    if (step >= 0) trace.step(step).warnings.push_back(static_cast<int>(trace.diagnostics.size() - 1));
  }
}

}  // namespace attn
