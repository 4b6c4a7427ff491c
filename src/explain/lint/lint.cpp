#include "explain/lint/lint.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "explain/lint/lint_rules.h"

namespace attn {
namespace {

struct RuleRow {
  Rule rule;
  bool needs_whole = false;  // it speaks of what is missing: a record that was cut misleads it
};
constexpr bool kNeedsWhole = true;

constexpr RuleRow kRules[] = {{crossing_view},
                              {softmax_over_another_axis},
                              {mask_of_queries},
                              {scale_of_another_axis},
                              {triangle_of_scores},
                              {masked_rows},
                              {mask_after_softmax},
                              {triangle_of_the_library},
                              {causal_from_the_start},
                              {triangle_from_the_start},
                              {causal_across_texts},
                              {no_scale},
                              {exchanged_labels},
                              {exchanged_roles},
                              {paired_lengths},
                              {dropped_scores},
                              {rows_of_other_sums},
                              {spoiled_weights},
                              {choice_of_one},
                              {sum_of_an_earlier_max},
                              {scores_as_weights},
                              {batch_as_sequence},
                              {layer_in_two_roles},
                              {layer_of_all_heads},
                              {positions_of_the_batch},
                              {positions_with_another_exponent},
                              {written_over},
                              {positions_of_the_ids},
                              {bias_that_grows},
                              {rotation_without_minus},
                              {rotation_of_equal_signs},
                              {rotation_by_other_angles},
                              {position_begins_again},
                              {heads_in_another_order},
                              {norm_across_words},
                              {norm_of_whole_texts},
                              {batch_meets_length},
                              {padding_that_is_seen},
                              {padding_of_one_text},
                              {padding_of_other_texts},
                              {padding_in_the_loss},
                              {padding_in_the_mean},
                              {padding_as_last_word},
                              {next_of_the_first_word},
                              {values_nobody_reads, kNeedsWhole},
                              {appended_twice},
                              {newest_alone_is_kept},
                              {read_before_written},
                              {result_thrown_away, kNeedsWhole},
                              {rounds_of_the_same, kNeedsWhole},
                              {weights_times_values},
                              {softmax_before_loss},
                              {softmax_without_log},
                              {rows_of_other_targets},
                              {classes_by_view},
                              {gradients_cleared_before_step},
                              {gradients_that_add_up},
                              {step_without_gradients},
                              {backward_without_step},
                              {layers_nobody_trains},
                              {tied_by_copy},
                              {targets_not_shifted},
                              {targets_shifted_twice},
                              {every_guess_with_every_target},
                              {sees_the_future},
                              {temperature_after_softmax},
                              {cut_at_the_best},
                              {sorted_mask_on_unsorted},
                              {smallest_are_kept},
                              {drawn_without_softmax},
                              {dropout_while_measuring},
                              {trained_in_eval},
                              {cut_by_detach, kNeedsWhole},
                              {clipped_after_step},
                              {growing_loss},
                              {kept_graphs},
                              {texts_without_keys},
                              {mask_that_hides_nothing},
                              {mask_that_is_added},
                              {heads_meet_heads}};

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
  for (const Op* op : flow.ops()) {
    for (const auto& [rule, needs_whole] : kRules) {
      if (was_cut && needs_whole) continue;
      std::optional<Finding> finding = rule(flow, *op);
      if (!finding) continue;
      const Span span = finding->op >= 0 ? trace.op(finding->op).span : trace.step(finding->step).span;
      if (told.emplace(finding->rule, span.source, span.begin).second) findings.push_back(std::move(*finding));
    }
  }
  uncalled_layers(flow, findings);
  one_layer_many_times(flow, findings);
  lists_of_graphs(flow, findings);
  rate_as_factor(flow, findings);
  rate_nobody_reads(flow, findings);
  first_nan(flow, findings);
  leave_out_explained(findings);
  return findings;
}

}  // namespace attn
