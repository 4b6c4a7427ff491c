// What a softmax shares out, and an argmax chooses among: the axis, and whether the rows add up to 1, also where it is
// computed in pieces.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text.h"
#include "explain/lint/lint_rules.h"
#include "syntax/snippet.h"
#include "tensor/core/read.h"

namespace attn {
namespace {

/// Whether two values hold the same: exp(x), written twice.
bool is_same(const Flow& flow, ValueId a, ValueId b) {
  if (a == b) return true;
  const RecordedValue &left = flow.value(a), &right = flow.value(b);
  return left.shape == right.shape && has_few_numbers(left) && has_few_numbers(right) &&
         to_doubles(left.tensor) == to_doubles(right.tensor);
}

/// The op that turned a value on its way to this operand; null: none did.
const Op* turned_by(const Flow& flow, ValueId operand, ValueId value) {
  for (ValueId id = operand; id != value;) {
    const Op* op = flow.maker(id);
    if (!op || op->inputs.empty() || op->inputs[0].value == id) return nullptr;
    for (const std::string_view turn : {"transpose", "T", "mT", "t", "permute", "swapaxes"})
      if (plain_name(*op) == turn) return op;
    id = op->inputs[0].value;
  }
  return nullptr;
}

/// Moves the division by the root from the weights to the scores.
void scale_moved(const Flow& flow, const Op& scale, const Op& softmax, std::vector<LineEdits>& out) {
  const std::vector<Span> arguments = arguments_of(flow, softmax);
  const std::string code(code_of(flow, scale)), &written = scale.inputs[0].written;
  if (arguments.empty() || code_of(flow, softmax).find(".softmax(") == std::string_view::npos) return;
  const std::string_view scores = flow.trace().sources[softmax.span.source].slice(arguments[0]);
  const bool is_within = softmax.span.source == scale.span.source && softmax.span.begin == scale.span.begin;
  if (is_within) {
    const std::string root = code.substr(softmax.span.end - scale.span.begin);
    std::string call(code_of(flow, softmax));
    out.push_back({{scale.span,
                    call.replace(arguments[0].begin - softmax.span.begin, scores.size(), as_operand(scores) + root)}});
  } else if (!written.empty() && code.starts_with(written)) {
    out.push_back({{arguments[0], as_operand(scores) + code.substr(written.size())}, {scale.span, written}});
  }
}

/// A softmax over another axis than the one that is added up over next.
std::optional<Finding> softmax_over_another_axis(const Flow& flow, const Op& op) {
  const auto axis = softmax_axis(flow, op);
  if (!axis || !flow.scores_of(softmax_input(flow, op)) || exchanged_labels(flow, op)) return std::nullopt;
  const RecordedValue& weights = flow.value(op.outputs[0]);
  for (const Flow::Use& use : flow.products_with(op.outputs[0], *axis)) {
    if (use.axis == use.contracted) return std::nullopt;  // one that fits is enough
  }
  const auto uses = flow.products_with(op.outputs[0], *axis);
  if (uses.empty()) return std::nullopt;
  // The axis that is added up over, as the softmax saw it: where the weights were not turned on the way, the same one.
  const RecordedValue& operand = flow.value(uses[0].operand);
  if (operand.shape != weights.shape) return std::nullopt;
  const std::string contracted = axis_at_place(operand, uses[0].contracted);
  if (const Op* turn = turned_by(flow, uses[0].operand, op.outputs[0])) {
    Finding finding = found(flow, "softmax", *turn, {{"axis", axis_at_place(weights, *axis)}}, {}, ".turned");
    if (!turn->inputs[0].written.empty()) finding.tries.push_back({{turn->span, turn->inputs[0].written}});
    return finding;
  }
  const auto dim = static_cast<std::int64_t>(uses[0].contracted) - static_cast<std::int64_t>(weights.shape.size());
  Finding finding = found(flow, "softmax", op, {{"axis", axis_at_place(weights, *axis)}, {"contracted", contracted}},
                          {{"dim", std::to_string(dim)}});
  const int place = !attribute(op, "dim") ? -1 : arguments_of(flow, op).size() == 1 ? 0 : 1;  // x.softmax(1): the first
  if (const auto edit = with_argument(flow, op, {"dim", "axis"}, std::to_string(dim), place))
    finding.tries.push_back({*edit});
  return finding;
}

std::vector<double> totals_along(const RecordedValue& weights, std::size_t axis) {
  std::vector<double> totals;
  for (const auto& [row, at] : rows_along(weights, axis))
    totals.push_back(std::accumulate(row.begin(), row.end(), 0.0));
  return totals;
}

bool are_ones(const std::vector<double>& totals) {
  return std::all_of(totals.begin(), totals.end(), [](double total) { return std::fabs(total - 1) <= 1e-3; });
}

/// exp(x) / sum(exp(x)) whose rows do not add up to 1: the sums went to other places when they were broadcast.
std::optional<Finding> rows_of_other_sums(const Flow& flow, const Op& op) {
  if (plain_name(op) != "div" || op.outputs.empty() || op.inputs.size() != 2 || softmax_axis(flow, op))
    return std::nullopt;
  const Op *exp = flow.maker(op.inputs[0].value), *sum = flow.maker(op.inputs[1].value);
  const auto is_sum = [](const Op* maker) { return maker && maker->name == "sum"; };
  if (!exp || plain_name(*exp) != "exp" || !is_sum(sum) || sum->inputs.empty() ||
      !is_same(flow, sum->inputs[0].value, op.inputs[0].value))
    return std::nullopt;
  const RecordedValue& weights = flow.value(op.outputs[0]);
  if (weights.shape.size() < 2 || !has_few_numbers(weights)) return std::nullopt;
  const std::size_t last = weights.shape.size() - 1;
  const auto uses = flow.products_with(op.outputs[0], last);
  if (uses.empty()) return std::nullopt;
  const std::vector<double> totals =
      totals_along(weights, uses[0].axis == uses[0].contracted ? last : uses[0].contracted);
  if (std::any_of(totals.begin(), totals.end(), [](double total) { return std::isnan(total); }) || are_ones(totals))
    return std::nullopt;
  std::string sums;
  for (std::size_t i = 0; i < std::min<std::size_t>(totals.size(), 3); ++i)
    sums += (sums.empty() ? "" : ", ") + short_number(totals[i]);
  const bool is_numpy = sum->spelling.starts_with("op.");
  if (weights.shape.size() == 2 && are_ones(totals_along(weights, 0))) {
    Finding finding = found(flow, "sums", op, {{"sums", sums}}, {}, ".columns");
    const std::string along_keys = is_numpy ? "-1, keepdims=True" : "-1, keepdim=True";
    if (auto edit = with_argument(flow, *sum, {"dim", "axis"}, along_keys, 0)) finding.tries.push_back({*edit});
    return finding;
  }
  const bool is_total = flow.value(sum->outputs[0]).shape.empty();
  Finding finding = found(flow, "sums", op, {{"sums", sums}}, {}, is_total ? ".total" : "");
  if (auto edit = with_argument(flow, *sum, {is_numpy ? "keepdims" : "keepdim"}, "True")) {
    const std::string axis = is_numpy ? "axis=-1" : "dim=-1";
    if (is_total) edit->code = edit->code.starts_with(", ") ? ", " + axis + edit->code : axis + ", " + edit->code;
    finding.tries.push_back({*edit});
  }
  return finding;
}

/// Weights that meet the values as something else: log_softmax made them, a second softmax evened them out, or the
/// division by sqrt(d), which belongs to the scores, came after the softmax.
std::optional<Finding> spoiled_weights(const Flow& flow, const Op& op) {
  const std::string_view name = plain_name(op);
  const bool scales = name == "div" || name == "mul";
  if (op.inputs.empty() || op.outputs.empty() || (!scales && name != "softmax" && name != "log_softmax"))
    return std::nullopt;
  const Op* before = flow.maker(op.inputs[0].value);
  const Op* softmax = name == "log_softmax" ? &op : before && plain_name(*before) == "softmax" ? before : nullptr;
  const auto dim = softmax ? attribute(*softmax, "dim") : std::nullopt;
  const RecordedValue& weights = flow.value(op.outputs[0]);
  if (!dim || ints_in(*dim).size() != 1 || weights.shape.empty()) return std::nullopt;
  const std::size_t axis = wrapped_axis(ints_in(*dim)[0], weights.shape.size());
  const auto scores = flow.scores_of(softmax->inputs[0].value);
  if (!scores || flow.products_with(op.outputs[0], axis).empty()) return std::nullopt;
  if (name == "log_softmax") {
    Finding finding = found(flow, "weights", op, {}, {}, ".logs");
    finding.tries.push_back({{op.span, replaced(std::string(code_of(flow, op)), "log_softmax", "softmax")}});
    return finding;
  }
  const auto given = scales ? number_of(flow, op, "other") : std::nullopt;
  const double root = std::sqrt(static_cast<double>(flow.value(scores->product.left).shape[scores->product.left_axis]));
  if (scales && (!given || !is_near(name == "div" ? *given : 1 / *given, root) || root < 1.01)) return std::nullopt;
  Finding finding = found(flow, "weights", op, {{"root", short_number(root)}}, {}, scales ? ".scaled" : ".again");
  const std::string& written = op.inputs[0].written;
  if (!scales && !written.empty()) finding.tries.push_back({{op.span, written}});
  if (scales) scale_moved(flow, op, *softmax, finding.tries);
  return finding;
}

/// softmax(Linear(d, 1)(x), dim=-1): of one score each, all weights are 1. And argmax along another axis than that of
/// the classes.
std::optional<Finding> choice_of_one(const Flow& flow, const Op& op) {
  const bool is_argmax = plain_name(op) == "argmax";
  std::optional<std::size_t> axis = softmax_axis(flow, op);
  ValueId input = axis ? softmax_input(flow, op) : is_argmax ? input_named(op, "input") : -1;
  if (input < 0) return std::nullopt;
  const RecordedValue& value = flow.value(input);
  if (const auto dim = attribute(op, "dim"); is_argmax && dim && ints_in(*dim).size() == 1)
    axis = wrapped_axis(ints_in(*dim)[0], value.shape.size());
  if (!axis || *axis >= value.shape.size() || numel_of(value.shape) < 2) return std::nullopt;
  const bool is_last = *axis + 1 == value.shape.size();
  if (is_argmax ? is_last : value.shape[*axis] != 1) return std::nullopt;
  for (const Op* before = flow.maker(input);
       before && plain_name(*before) == (is_argmax ? "index" : "masked_fill") && before->inputs[0].value != input;
       before = flow.maker(input))
    input = before->inputs[0].value;
  const Made layer = made_by_layer(flow, input);
  // Of a cache the first key may be alone: here it is the width of the layer that is 1.
  if (!layer.op || (!is_argmax && (!is_last || flow.value(layer.weight).shape[0] != 1))) return std::nullopt;
  const std::string dim = is_argmax ? "-1" : "-2";
  Finding finding =
      found(flow, "single", op,
            {{"axis", axis_at_place(value, *axis)}, {"last", axis_at_place(value, value.shape.size() - 1)}},
            {{"dim", dim}}, is_argmax ? ".argmax" : "");
  const bool is_method = arguments_of(flow, op).size() == 1;
  if (const auto edit = with_argument(flow, op, {"dim", "axis"}, dim, is_method ? 0 : 1))
    finding.tries.push_back({*edit});
  return finding;
}

/// The exp() in what is added to a sum: exp(s - m) @ v, exp(s - m).sum(), exp(s - m) * v.
const Op* exp_in(const Flow& flow, ValueId added) {
  const Op* op = flow.maker(added);
  for (int depth = 0; op && depth < 4 && !op->inputs.empty(); ++depth) {
    const std::string_view name = plain_name(*op);
    if (name == "exp") return op;
    if (name != "sum" && name != "mul" && !is_move(*op) && !flow.contraction(*op)) return nullptr;
    op = flow.maker(op->inputs[0].value);
  }
  return nullptr;
}

/// o + exp(s - m_new) @ v, where the o of the blocks before belongs to an earlier maximum m.
std::optional<Finding> sum_of_an_earlier_max(const Flow& flow, const Op& op) {
  if (plain_name(op) != "add" || op.inputs.size() != 2) return std::nullopt;
  const Op *before = flow.maker(op.inputs[0].value), *exp = exp_in(flow, op.inputs[1].value);
  const Op* less = exp ? flow.maker(exp->inputs[0].value) : nullptr;
  if (!before || before->span != op.span || !less || plain_name(*less) != "sub" || less->inputs.size() != 2)
    return std::nullopt;
  const Op* largest = flow.maker(unmoved(flow, less->inputs[1].value));
  if (!largest || plain_name(*largest) != "maximum" || largest->inputs.size() != 2) return std::nullopt;
  const RecordedValue& now = flow.value(largest->outputs[0]);
  for (const OpOperand& earlier : largest->inputs) {
    const Op* maker = flow.maker(unmoved(flow, earlier.value));
    if (!maker || plain_name(*maker) != "maximum" || is_same(flow, earlier.value, largest->outputs[0]) ||
        flow.value(earlier.value).shape != now.shape)
      continue;
    Finding finding = found(flow, "earlier", op, {}, {});
    const std::string code(code_of(flow, op)), &sum = op.inputs[0].written, &name = less->inputs[1].written;
    const bool adds_to = code.starts_with(sum + " += ");
    const std::string rest =
        adds_to ? "+" + code.substr(sum.size() + 3) : code.substr(std::min(sum.size() + 1, code.size()));
    const std::string start = adds_to ? sum + " = " : "";
    if (!sum.empty() && code.starts_with(sum + " ") && !earlier.written.empty() && !name.empty() &&
        name != earlier.written)
      finding.tries.push_back(
          {{op.span, start + sum + " * torch.exp(" + earlier.written + " - " + name + ") " + rest}});
    return finding;
  }
  return std::nullopt;
}

}  // namespace

Rules softmax_rules() {
  static constexpr RuleRow kRows[] = {
      {.at_op = softmax_over_another_axis}, {.at_op = rows_of_other_sums},
      {.at_op = spoiled_weights},           {.at_op = choice_of_one},
      {.at_op = sum_of_an_earlier_max},
  };
  return kRows;
}

}  // namespace attn
