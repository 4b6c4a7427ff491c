// Masks: where they are put, and what is left of a row.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "explain/lint/lint_rules.h"
#include "syntax/snippet.h"
#include "tensor/core/read.h"

namespace attn {
namespace {

/// A mask that says the opposite.
std::string negated(std::string_view code) {
  if (code.ends_with("== 1")) return std::string(code.substr(0, code.size() - 1)) + "0";
  if (code.ends_with("== 0")) return std::string(code.substr(0, code.size() - 1)) + "1";
  return code.starts_with('~') ? std::string(code.substr(1)) : "~" + as_operand(code);
}

/// mask.unsqueeze(-1) and mask[:, :, None], where the axis of size 1 belongs in front of the keys.
void with_axis_before_keys(const Flow& flow, ValueId mask, std::vector<LineEdits>& out, int depth = 6) {
  const Op* op = flow.maker(mask);
  if (!op || op->inputs.empty() || depth == 0) return;
  if (plain_name(*op) == "unsqueeze") {
    if (const auto edit = with_argument(flow, *op, {"dim"}, "-2", 0)) out.push_back({*edit});
  }
  const std::string code(code_of(flow, *op));
  for (const auto& [last, before] : {std::pair{":, None]", "None, :]"}, std::pair{"..., None]", "..., None, :]"}})
    if (code.ends_with(last)) out.push_back({{op->span, replaced(code, last, before)}});
  if (op->inputs[0].value != mask) with_axis_before_keys(flow, op->inputs[0].value, out, depth - 1);
}

}  // namespace

std::vector<LineEdits> with_mask_negated(const Flow& flow, const Op& op, std::string_view name, std::size_t place) {
  const Source& source = flow.trace().sources[op.span.source];
  const std::vector<Span> arguments = arguments_of(flow, op);
  std::optional<Span> mask;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view code = source.slice(arguments[i]);
    const bool is_named = code.starts_with(name) && code.substr(name.size()).starts_with("=");
    if (is_named) {
      mask = arguments[i];
      mask->begin += static_cast<std::uint32_t>(name.size() + 1);
    } else if (i == place && code.find('=') == code.find("==")) {
      mask = arguments[i];
    }
  }
  if (!mask) return {};
  const std::string code = negated(source.slice(*mask));
  return {{{*mask, code}}};
}

const Op* masking_op(const Flow& flow, const Op& softmax) {
  const auto scores = flow.scores_of(softmax_input(flow, softmax));
  for (std::size_t i = 0; scores && i < scores->way.size(); ++i) {
    const ValueId mask = mask_of(flow, *scores->way[i]);
    if (mask >= 0 && tells_apart(flow.value(mask))) return scores->way[i];
    if (plain_name(*scores->way[i]) == "index_put") return scores->way[i];
  }
  return nullptr;
}

namespace {

/// A mask of scores that lines up with queries.
std::optional<Finding> mask_of_queries(const Flow& flow, const Op& op) {
  const auto axis = softmax_axis(flow, op);
  const auto scores = axis ? flow.scores_of(softmax_input(flow, op)) : std::nullopt;
  if (!scores) return std::nullopt;
  for (const Op* step : scores->way) {
    const ValueId id = mask_of(flow, *step);
    if (id < 0) continue;
    const RecordedValue &mask = flow.value(id), &masked = flow.value(step->outputs[0]);
    const std::size_t dims = masked.shape.size(), shift = dims - std::min(dims, mask.shape.size());
    if (dims < 2 || *axis + 1 != dims || *axis < shift + 1 || masked.shape[*axis] < 2) continue;
    const bool is_query_mask = mask.shape[*axis - shift] == 1 && mask.shape[*axis - shift - 1] > 1;
    if (!is_query_mask || !tells_apart(mask)) continue;
    const Words words = {{"queries", axis_at_place(masked, *axis - 1)}, {"keys", axis_at_place(masked, *axis)}};
    const std::string axes = dims == 2 ? "[None, :]" : dims == 3 ? "[:, None, :]" : "[:, None, None, :]";
    Finding finding = found(flow, "mask", *step, words, {{"axes", axes}});
    with_axis_before_keys(flow, id, finding.tries);
    finding.explains_nan = true;
    return finding;
  }
  return std::nullopt;
}

/// Whether a row of scores, of as many queries as keys, is that of a padded query: nobody sees the key of the same
/// word, although other keys are seen. What comes out of such a row is not read.
bool is_row_of_padding(const std::vector<double>& scores, std::size_t size, std::size_t row) {
  const std::size_t matrix = row / size * size * size, self = row % size;
  bool sees_something = false;
  for (std::size_t query = 0; query < size; ++query) {
    if (scores[matrix + query * size + self] > kMasked) return false;
    for (std::size_t key = 0; key < size; ++key)
      sees_something = sees_something || scores[matrix + query * size + key] > kMasked;
  }
  return sees_something;
}

/// Rows of a softmax in which nothing is left to look at.
std::optional<Finding> masked_rows(const Flow& flow, const Op& op) {
  const auto axis = softmax_axis(flow, op);
  if (!axis) return std::nullopt;
  if (flow.products_with(op.outputs[0], *axis).empty()) return std::nullopt;  // looked at, not used
  const RecordedValue &scores = flow.value(softmax_input(flow, op)), &weights = flow.value(op.outputs[0]);
  if (!has_few_numbers(scores) || !has_few_numbers(weights) || weights.shape[*axis] < 2) return std::nullopt;
  std::int64_t total = 0, count = 0, first = -1;
  bool is_nan = false;
  const std::size_t dims = scores.shape.size();
  const bool is_square = dims >= 2 && *axis + 1 == dims && scores.shape[dims - 2] == scores.shape[dims - 1];
  const std::vector<double> numbers = to_doubles(scores.tensor);
  for (const auto& [row, at] : rows_along(scores, *axis)) {
    ++total;
    const auto [low, high] = std::minmax_element(row.begin(), row.end());
    const double lowest = *low, highest = *high;
    if (std::any_of(row.begin(), row.end(), [](double x) { return std::isnan(x); }) || highest > kMasked) continue;
    if (highest > lowest / 2) continue;  // masked entries are alike: this one is a score that grew
    // NaN would spread from such a row to the others in the next layer, even weights do not.
    if (is_square && std::isfinite(highest) &&
        is_row_of_padding(numbers, row.size(), static_cast<std::size_t>(total - 1)))
      continue;
    ++count;
    if (first < 0) first = at;
    is_nan = std::isinf(highest);
  }
  if (count == 0 || mask_of_queries(flow, op) || triangle_of_scores(flow, op)) return std::nullopt;  // which say why
  Finding finding = found(flow, "row", op,
                          {{"count", std::to_string(count)},
                           {"total", std::to_string(total)},
                           {"place", row_text(weights, *axis, first)},
                           {"what", say(is_nan ? "lint.row.nan" : "lint.row.even")}},
                          {});
  finding.explains_nan = is_nan;
  return finding;
}

/// A mask put on weights, whose rows then do not add up to 1.
std::optional<Finding> mask_after_softmax(const Flow& flow, const Op& op) {
  const std::string_view name = plain_name(op);
  if ((name != "masked_fill" && name != "mul" && name != "where") || op.outputs.empty()) return std::nullopt;
  const ValueId mask = mask_of(flow, op), input = input_named(op, "input"), other = input_named(op, "other");
  const ValueId weights = mask == input ? other : input;
  const Op* softmax = weights < 0 ? nullptr : flow.maker(weights);
  const auto axis = softmax ? softmax_axis(flow, *softmax) : std::nullopt;
  if (!axis || mask < 0 || flow.is_drawn(mask) || !tells_apart(flow.value(mask))) return std::nullopt;
  const RecordedValue& result = flow.value(op.outputs[0]);
  if (result.shape != flow.value(weights).shape || !has_few_numbers(result)) return std::nullopt;
  // Whoever divides by the sums of the rows knows.
  for (const Op* user : flow.users(op.outputs[0]))
    if (plain_name(*user) == "sum" || plain_name(*user) == "div") return std::nullopt;
  if (flow.products_with(op.outputs[0], *axis).empty()) return std::nullopt;
  std::int64_t total = 0, count = 0, first = -1;
  double sum = 0;
  for (const auto& [row, at] : rows_along(result, *axis)) {
    ++total;
    double here = 0;
    for (const double x : row) here += x;
    if (std::isnan(here) || std::fabs(here - 1) <= 1e-3) continue;
    ++count;
    if (first < 0) {
      first = at;
      sum = here;
    }
  }
  if (count == 0) return std::nullopt;
  Finding finding = found(flow, "after", op,
                          {{"count", std::to_string(count)},
                           {"total", std::to_string(total)},
                           {"place", row_text(result, *axis, first)},
                           {"sum", short_number(sum)}},
                          {});
  // The mask moves to the scores, and the weights stay as they are.
  const std::vector<Span> scores = arguments_of(flow, *softmax), masks = arguments_of(flow, op);
  const std::string &written = op.inputs[mask == input ? 1 : 0].written,
                    &mask_name = op.inputs[mask == input ? 0 : 1].written;
  const Source& source = flow.trace().sources[op.span.source];
  std::string hidden;
  if (name == "masked_fill" && !masks.empty()) hidden = std::string(source.slice(masks[0]));
  if (name == "mul" && !mask_name.empty()) hidden = mask_name + " == 0";
  if (scores.size() == 2 && !written.empty() && !hidden.empty()) {
    const std::string operand = as_operand(flow.trace().sources[softmax->span.source].slice(scores[0]));
    finding.tries.push_back(
        {{scores[0], operand + ".masked_fill(" + hidden + ", float(\"-inf\"))"}, {op.span, written}});
  }
  return finding;
}

/// Texts of which nn.MultiheadAttention sees no key at all: the mask may say the opposite.
std::optional<Finding> texts_without_keys(const Flow& flow, const Op& op) {
  const ValueId mask = input_named(op, "key_padding_mask");
  if (plain_name(op) != "multi_head_attention" || mask < 0) return std::nullopt;
  if (padding_that_is_seen(flow, op)) return std::nullopt;  // which says why
  const RecordedValue& value = flow.value(mask);
  if (value.dtype != DType::Bool || value.shape.size() != 2 || !has_few_numbers(value)) return std::nullopt;
  std::int64_t total = 0, count = 0;
  for (const auto& [row, at] : rows_along(value, 1)) {
    ++total;
    count += std::all_of(row.begin(), row.end(), [](double hidden) { return hidden != 0; }) ? 1 : 0;
  }
  if (count == 0) return std::nullopt;
  Finding finding =
      found(flow, "row", op, {{"count", std::to_string(count)}, {"total", std::to_string(total)}}, {}, ".module");
  finding.tries = with_mask_negated(flow, op, "key_padding_mask", 3);
  finding.explains_nan = true;
  return finding;
}

/// A mask that hides nothing: scores times 0, plus 0 or 1, or filled with a number that a score may have.
std::optional<Finding> mask_that_hides_nothing(const Flow& flow, const Op& op) {
  const auto axis = softmax_axis(flow, op);
  const auto scores = axis ? flow.scores_of(softmax_input(flow, op)) : std::nullopt;
  if (!scores || flow.products_with(op.outputs[0], *axis).empty()) return std::nullopt;
  const RecordedValue& input = flow.value(softmax_input(flow, op));
  if (!has_few_numbers(input)) return std::nullopt;
  const std::vector<double> numbers = to_doubles(input.tensor);
  if (std::any_of(numbers.begin(), numbers.end(), [](double x) { return !(x > kMasked); })) return std::nullopt;
  for (const Op* step : scores->way) {
    const std::string_view name = plain_name(*step);
    const ValueId mask = mask_of(flow, *step);
    if (mask < 0 || flow.is_drawn(mask) || flow.value(mask).is_parameter) continue;
    const auto value = name == "masked_fill" ? number_of(flow, *step, "value") : std::nullopt;
    const bool is_filled = value && std::fabs(*value) <= 10 && tells_apart(flow.value(mask));
    const bool is_computed = (name == "mul" || name == "add") && is_of_0_and_1(flow.value(mask));
    if (!is_filled && !is_computed) continue;
    // 1 is what may be seen, but for a triangle of what comes after.
    const bool hides = hides_what_comes_after(flow.value(mask), [](double x) { return x != 0; });
    const std::string hidden = hides ? "1" : "0";
    Finding finding = found(flow, "hides", *step, {}, {{"hidden", hidden}},
                            is_filled       ? ""
                            : name == "mul" ? ".times"
                                            : ".plus");
    const Source& source = flow.trace().sources[step->span.source];
    if (const auto arguments = arguments_of(flow, *step);
        is_filled && !arguments.empty() && source.slice(arguments.back()).find('=') == std::string::npos)
      finding.tries.push_back({{arguments.back(), "float(\"-inf\")"}});
    const OpOperand &left = step->inputs[0], &right = step->inputs.back();
    if (is_computed && !left.written.empty() && !right.written.empty()) {
      const bool is_left = left.value == mask;
      finding.tries.push_back(
          {{step->span, (is_left ? right : left).written + ".masked_fill(" + (is_left ? left : right).written +
                            " == " + hidden + ", float(\"-inf\"))"}});
    }
    return finding;
  }
  return std::nullopt;
}

/// A float mask of 0 and 1 given to the library, which adds it.
std::optional<Finding> mask_that_is_added(const Flow& flow, const Op& op) {
  const std::string_view name = plain_name(op);
  const ValueId mask = input_named(op, "attn_mask");
  if ((name != "multi_head_attention" && name != "scaled_dot_product_attention") || mask < 0) return std::nullopt;
  if (!is_floating(flow.value(mask).dtype) || !is_of_0_and_1(flow.value(mask))) return std::nullopt;
  Finding finding = found(flow, "hides", op, {}, {}, name == "multi_head_attention" ? ".module" : ".function");
  const Source& source = flow.trace().sources[op.span.source];
  for (Span argument : arguments_of(flow, op)) {
    const std::string code(source.slice(argument));
    // A triangle that takes the past is not among the notes that the other reading would bring.
    for (const char* shown : {" == 1", " == 0"})
      if (code.starts_with("attn_mask=")) finding.tries.push_back({{argument, code + shown}});
  }
  return finding;
}

}  // namespace

Rules mask_rules() {
  static constexpr RuleRow kRows[] = {
      {.at_op = mask_of_queries},         {.at_op = masked_rows},
      {.at_op = mask_after_softmax},      {.at_op = texts_without_keys},
      {.at_op = mask_that_hides_nothing}, {.at_op = mask_that_is_added},
  };
  return kRows;
}

}  // namespace attn
