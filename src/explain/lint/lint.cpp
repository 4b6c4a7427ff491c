#include "explain/lint/lint.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/limits.h"
#include "explain/lint/lint_rules.h"

namespace attn {
namespace {

constexpr Rules (*kFiles[])() = {view_rules,    softmax_rules,  mask_rules,     triangle_rules, score_rules,
                                 layer_rules,   head_rules,     position_rules, rotary_rules,   norm_rules,
                                 padding_rules, value_rules,    cache_rules,    loss_rules,     optimizer_rules,
                                 rate_rules,    training_rules, sampling_rules};

// A loss that is no number has no note where another says what made it.
void leave_out_explained(std::vector<Finding>& findings) {
  if (std::any_of(findings.begin(), findings.end(), [](const Finding& each) { return each.explains_nan; }))
    std::erase_if(findings, [](const Finding& each) { return each.rule == "lost"; });
}

}  // namespace

std::vector<Finding> lint(const Trace& trace) {
  const Flow flow(trace);
  const bool was_cut = is_cut(trace);
  std::vector<Finding> findings;
  std::set<std::tuple<std::string_view, std::uint32_t, std::uint32_t>> told;  // a loop would tell it again and again
  std::vector<RuleRow> rules;
  for (const auto rules_of_file : kFiles) {
    for (const RuleRow& row : rules_of_file())
      if (!was_cut || !row.needs_whole) rules.push_back(row);
  }
  for (const Op* op : flow.ops()) {
    look();
    for (const RuleRow& rule : rules) {
      if (!rule.at_op) continue;
      std::optional<Finding> finding = rule.at_op(flow, *op);
      if (!finding) continue;
      const Span span = finding->op >= 0 ? trace.op(finding->op).span : trace.step(finding->step).span;
      if (told.emplace(finding->rule, span.source, span.begin).second) findings.push_back(std::move(*finding));
    }
  }
  for (const RuleRow& rule : rules) {
    look();
    if (rule.in_run) rule.in_run(flow, findings);
  }
  leave_out_explained(findings);
  return findings;
}

}  // namespace attn
