#include "explain/lint.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "explain/lint_rules.h"

namespace attn {
namespace {

using Rule = std::optional<Finding> (*)(const Flow& flow, const Op& op);

constexpr Rule kRules[] = {crossing_view, softmax_over_another_axis, mask_of_queries, scale_of_another_axis,
                           masked_rows,   mask_after_softmax};

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
  return findings;
}

void note_findings(Trace& trace) {
  if (trace.form == LessonForm::Lesson) return;
  for (Finding& finding : lint(trace)) {
    const Op& op = trace.op(finding.op);
    Diagnostic diagnostic;
    diagnostic.severity = Severity::Note;
    diagnostic.code = Code::Suspect;
    diagnostic.span = op.span;
    diagnostic.message = std::move(finding.message);
    diagnostic.fix = std::move(finding.right);
    trace.diagnostics.push_back(std::move(diagnostic));
    if (op.step < 0) continue;
    trace.step(op.step).warnings.push_back(static_cast<int>(trace.diagnostics.size() - 1));
  }
}

}  // namespace attn
