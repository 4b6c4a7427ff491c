#pragma once
// What the rules of lint() share, and the rules by the files that they are in. A rule looks at one op and is silent
// where it is not sure; lint.cpp is their table.
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explain/lint/finding.h"
#include "explain/lint_flow.h"
#include "text/say.h"

namespace attn {

using Rule = std::optional<Finding> (*)(const Flow& flow, const Op& op);

// lint_view.cpp: a view or reshape that pushes entries across axes where the axes themselves should have changed places
std::optional<Finding> crossing_view(const Flow& flow, const Op& op);
// lint_scores.cpp: what weights are made from
std::optional<Finding> scale_of_another_axis(const Flow& flow, const Op& op);
std::optional<Finding> no_scale(const Flow& flow, const Op& op);
std::optional<Finding> exchanged_labels(const Flow& flow, const Op& op);
std::optional<Finding> exchanged_roles(const Flow& flow, const Op& op);
std::optional<Finding> paired_lengths(const Flow& flow, const Op& op);
std::optional<Finding> dropped_scores(const Flow& flow, const Op& op);
std::optional<Finding> scores_as_weights(const Flow& flow, const Op& op);
// lint_softmax.cpp
std::optional<Finding> softmax_over_another_axis(const Flow& flow, const Op& op);
std::optional<Finding> rows_of_other_sums(const Flow& flow, const Op& op);
std::optional<Finding> spoiled_weights(const Flow& flow, const Op& op);
std::optional<Finding> choice_of_one(const Flow& flow, const Op& op);
std::optional<Finding> sum_of_an_earlier_max(const Flow& flow, const Op& op);
// lint_masks.cpp
std::optional<Finding> mask_of_queries(const Flow& flow, const Op& op);
std::optional<Finding> masked_rows(const Flow& flow, const Op& op);
std::optional<Finding> mask_after_softmax(const Flow& flow, const Op& op);
std::optional<Finding> texts_without_keys(const Flow& flow, const Op& op);
std::optional<Finding> mask_that_hides_nothing(const Flow& flow, const Op& op);
std::optional<Finding> mask_that_is_added(const Flow& flow, const Op& op);
// lint_triangles.cpp: which half a causal mask hides
std::optional<Finding> triangle_of_scores(const Flow& flow, const Op& op);
std::optional<Finding> triangle_of_the_library(const Flow& flow, const Op& op);
std::optional<Finding> causal_from_the_start(const Flow& flow, const Op& op);
std::optional<Finding> triangle_from_the_start(const Flow& flow, const Op& op);
std::optional<Finding> causal_across_texts(const Flow& flow, const Op& op);
// lint_padding.cpp: entries that are no words
std::optional<Finding> padding_that_is_seen(const Flow& flow, const Op& op);
std::optional<Finding> padding_of_one_text(const Flow& flow, const Op& op);
std::optional<Finding> padding_of_other_texts(const Flow& flow, const Op& op);
std::optional<Finding> padding_in_the_loss(const Flow& flow, const Op& op);
std::optional<Finding> padding_in_the_mean(const Flow& flow, const Op& op);
std::optional<Finding> padding_as_last_word(const Flow& flow, const Op& op);
std::optional<Finding> next_of_the_first_word(const Flow& flow, const Op& op);
// lint_layers.cpp: which layer gets what, along which axis
std::optional<Finding> batch_as_sequence(const Flow& flow, const Op& op);
std::optional<Finding> layer_in_two_roles(const Flow& flow, const Op& op);
void uncalled_layers(const Flow& flow, std::vector<Finding>& findings);  // of layers that no op belongs to
void one_layer_many_times(const Flow& flow, std::vector<Finding>& findings);
std::optional<Finding> batch_meets_length(const Flow& flow, const Op& op);
// lint_heads.cpp
std::optional<Finding> layer_of_all_heads(const Flow& flow, const Op& op);
std::optional<Finding> heads_in_another_order(const Flow& flow, const Op& op);
std::optional<Finding> heads_meet_heads(const Flow& flow, const Op& op);
// lint_norms.cpp
std::optional<Finding> norm_across_words(const Flow& flow, const Op& op);
std::optional<Finding> norm_of_whole_texts(const Flow& flow, const Op& op);
// lint_positions.cpp
std::optional<Finding> positions_of_the_batch(const Flow& flow, const Op& op);
std::optional<Finding> positions_with_another_exponent(const Flow& flow, const Op& op);
std::optional<Finding> written_over(const Flow& flow, const Op& op);
std::optional<Finding> positions_of_the_ids(const Flow& flow, const Op& op);
std::optional<Finding> bias_that_grows(const Flow& flow, const Op& op);
// lint_rotary.cpp: positions by rotation, and positions with a cache
std::optional<Finding> rotation_without_minus(const Flow& flow, const Op& op);
std::optional<Finding> rotation_of_equal_signs(const Flow& flow, const Op& op);
std::optional<Finding> rotation_by_other_angles(const Flow& flow, const Op& op);
std::optional<Finding> position_begins_again(const Flow& flow, const Op& op);
// lint_values.cpp: the values that weights sum up
std::optional<Finding> values_nobody_reads(const Flow& flow, const Op& op);
std::optional<Finding> rounds_of_the_same(const Flow& flow, const Op& op);
std::optional<Finding> result_thrown_away(const Flow& flow, const Op& op);
std::optional<Finding> weights_times_values(const Flow& flow, const Op& op);
// lint_caches.cpp: keys and values that are kept from word to word
std::optional<Finding> appended_twice(const Flow& flow, const Op& op);
std::optional<Finding> newest_alone_is_kept(const Flow& flow, const Op& op);
std::optional<Finding> read_before_written(const Flow& flow, const Op& op);
// lint_losses.cpp
std::optional<Finding> softmax_before_loss(const Flow& flow, const Op& op);
std::optional<Finding> softmax_without_log(const Flow& flow, const Op& op);
std::optional<Finding> rows_of_other_targets(const Flow& flow, const Op& op);
std::optional<Finding> classes_by_view(const Flow& flow, const Op& op);
std::optional<Finding> targets_not_shifted(const Flow& flow, const Op& op);
std::optional<Finding> targets_shifted_twice(const Flow& flow, const Op& op);
std::optional<Finding> every_guess_with_every_target(const Flow& flow, const Op& op);
std::optional<Finding> sees_the_future(const Flow& flow, const Op& op);
enum class Predicted { Neither, Next, Previous };
Predicted predicted_word(const Flow& flow);  // which word each target of the first loss is, of the ids that went in
// lint_sampling.cpp: how the next word is drawn
std::optional<Finding> temperature_after_softmax(const Flow& flow, const Op& op);
std::optional<Finding> cut_at_the_best(const Flow& flow, const Op& op);
std::optional<Finding> sorted_mask_on_unsorted(const Flow& flow, const Op& op);
std::optional<Finding> smallest_are_kept(const Flow& flow, const Op& op);
std::optional<Finding> drawn_without_softmax(const Flow& flow, const Op& op);
// lint_optimizers.cpp
std::optional<Finding> gradients_cleared_before_step(const Flow& flow, const Op& op);
std::optional<Finding> gradients_that_add_up(const Flow& flow, const Op& op);
std::optional<Finding> step_without_gradients(const Flow& flow, const Op& op);
std::optional<Finding> backward_without_step(const Flow& flow, const Op& op);
std::optional<Finding> layers_nobody_trains(const Flow& flow, const Op& op);
std::optional<Finding> clipped_after_step(const Flow& flow, const Op& op);
std::optional<Finding> tied_by_copy(const Flow& flow, const Op& op);
// lint_rates.cpp: learning rates
void rate_as_factor(const Flow& flow, std::vector<Finding>& findings);
void rate_nobody_reads(const Flow& flow, std::vector<Finding>& findings);
// lint_training.cpp
std::optional<Finding> dropout_while_measuring(const Flow& flow, const Op& op);
std::optional<Finding> trained_in_eval(const Flow& flow, const Op& op);
std::optional<Finding> cut_by_detach(const Flow& flow, const Op& op);
std::optional<Finding> growing_loss(const Flow& flow, const Op& op);
std::optional<Finding> kept_graphs(const Flow& flow, const Op& op);
void lists_of_graphs(const Flow& flow, std::vector<Finding>& findings);
void first_nan(const Flow& flow, std::vector<Finding>& findings);

/// A note with the sentences lint.RULE and lint.RULE.right; `form` is appended to both ids.
Finding found(const Flow& flow, std::string_view rule, const Op& op, const Words& message, const Words& right,
              const std::string& form = {});
/// The same of what can be meant.
Finding remarked(const Flow& flow, std::string_view rule, const Op& op, const Words& message, const Words& right,
                 const std::string& form = {});

/// Tries another word in place of the first occurrence of one, in each source.
void try_instead(const Flow& flow, Finding& finding, std::string_view word, const std::string& other);

/// Whether the recorder let go of a run of which only the output counts. What is missing in it may come later.
bool is_cut(const Trace& trace);
bool has_few_numbers(const RecordedValue& value);
/// A score that was masked: -1e4, -1e9, -1e10, -inf. No score of an untrained product is that low.
inline constexpr double kMasked = -1e3;
std::string short_number(double value);
bool is_near(double a, double b);
/// "axis 2 (query_len 5)".
std::string axis_at_place(const RecordedValue& value, std::size_t axis);
/// The rows along an axis, one after another, each with the index of its first number.
struct NumberRow {
  std::vector<double> numbers;
  std::int64_t first;
};
std::vector<NumberRow> rows_along(const RecordedValue& value, std::size_t axis);
/// "batch_size 0, n_heads 1, query_len 2": the row that begins with that number.
std::string row_text(const RecordedValue& value, std::size_t axis, std::int64_t first);

/// The op's code in the source.
std::string_view code_of(const Flow& flow, const Op& op);
/// The call of the op with an argument given, by one of its names, or by its place among the arguments when it is
/// written without a name; nothing when the op has no text of a call.
std::optional<LineEdit> with_argument(const Flow& flow, const Op& op, std::initializer_list<std::string_view> names,
                                      const std::string& value, int place = -1);
/// The place and text of the arguments of a call; empty for an operator.
std::vector<Span> arguments_of(const Flow& flow, const Op& op);
/// Where a cut begins: 0 of "(slice(None, None, None), slice(None, 1, None))", 3 of "slice(3, 4, None)"; nothing: it
/// takes no run of entries.
std::optional<std::int64_t> start_of_cut(std::string_view items);
/// Where a write into a buffer begins: 3 of ck[:, 3:4] = k and of ck[:, 3] = k.
std::optional<std::int64_t> start_of_write(const Op& op);
/// The last write into the storage of a value, in the call of a function, or the round of a loop, that an op is in.
const Op* write_in_call(const Flow& flow, ValueId buffer, const Op& op);
/// The layer that a value comes from, moved about: what it was called on, and its weight.
struct Made {
  const Op* op = nullptr;
  ValueId input = -1, weight = -1;
};
Made made_by_layer(const Flow& flow, ValueId id);
/// Whether an op only moves entries: its row says so.
bool is_move(const Op& op);
/// The mask of an op on scores: the operand that says where; -1: it has none.
ValueId mask_of(const Flow& flow, const Op& op);
/// The op that masks scores on their way to the softmax; null: none does.
const Op* masking_op(const Flow& flow, const Op& softmax);
/// The argument that is the mask, negated: by its name, or by its place in x.masked_fill(mask, value), where(mask, a,
/// b) or attention(..., attn_mask=mask).
std::vector<LineEdits> with_mask_negated(const Flow& flow, const Op& op, std::string_view name, std::size_t place);
/// Whether some entries of a mask differ from others.
bool tells_apart(const RecordedValue& mask);
/// Of 0 and 1 alone, and both of them.
bool is_of_0_and_1(const RecordedValue& mask);
/// Every query has what comes after it hidden, counted from the first query and the first key, and nothing else.
bool hides_what_comes_after(const RecordedValue& mask, bool (*is_hidden)(double));
/// The value that this one is a move of, or itself.
ValueId unmoved(const Flow& flow, ValueId id);

}  // namespace attn
