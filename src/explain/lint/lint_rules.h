#pragma once
// What the rules of lint() share, and the files that they are in. A rule is silent where it is not sure.
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "explain/lint/finding.h"
#include "explain/lint_flow.h"
#include "text/say.h"

namespace attn {

/// One thing that lint() looks for: at an op, or, where no single op shows it, in the whole run.
struct RuleRow {
  std::optional<Finding> (*at_op)(const Flow& flow, const Op& op) = nullptr;
  void (*in_run)(const Flow& flow, std::vector<Finding>& findings) = nullptr;
  bool needs_whole = false;  // it speaks of what is missing: a record that was cut misleads it
};
using Rules = std::span<const RuleRow>;

// The rules of a file are a table at its end.
Rules view_rules();  // entries pushed across axes where the axes themselves should have changed places
Rules softmax_rules();
Rules mask_rules();
Rules triangle_rules();  // which half a causal mask hides
Rules score_rules();     // what weights are made from
Rules layer_rules();     // which layer gets what, along which axis
Rules head_rules();
Rules position_rules();
Rules rotary_rules();  // positions by rotation, and positions with a cache
Rules norm_rules();
Rules padding_rules();  // entries that are no words
Rules value_rules();    // the values that weights sum up
Rules cache_rules();    // keys and values that are kept from word to word
Rules loss_rules();
Rules optimizer_rules();
Rules rate_rules();  // learning rates
Rules training_rules();
Rules sampling_rules();  // how the next word is drawn

// Where one of these speaks, rules of other files are silent.
std::optional<Finding> triangle_of_scores(const Flow& flow, const Op& op);
std::optional<Finding> padding_that_is_seen(const Flow& flow, const Op& op);
std::optional<Finding> exchanged_labels(const Flow& flow, const Op& op);

enum class Predicted { Neither, Next, Previous };
/// Which word each target of the first loss is, of the ids that went in.
Predicted predicted_word(const Flow& flow);

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
/// Whether a value is another one, or was computed from it.
bool is_computed_from(const Flow& flow, ValueId id, ValueId other, int depth = 6);
/// The statement that called the function in which an op ran; null: none did.
const Step* calling_step(const Trace& trace, const Op& op);

}  // namespace attn
