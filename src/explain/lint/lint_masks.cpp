// Masks: where they are put, which triangle they hide, what is left of a row. The rules share how a mask is read and
// found behind moves; hence its length.
#include <algorithm>
#include <cmath>
#include <functional>

#include "base/text.h"
#include "explain/lint/lint_rules.h"
#include "syntax/snippet.h"
#include "tensor/core/read.h"

namespace attn {
namespace {

// ---- triangles ----

enum class Triangle { Other, Inverted, WithoutSelf };

/// Which entries of the last two axes are hidden in every matrix. hidden[i * keys + j]: of query i, key j.
std::vector<bool> hidden_in_all(const RecordedValue& value, bool (*is_hidden)(double)) {
  const std::size_t dims = value.shape.size();
  std::vector<bool> hidden(static_cast<std::size_t>(value.shape[dims - 2] * value.shape[dims - 1]), true);
  const std::vector<double> numbers = to_doubles(value.tensor);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!is_hidden(numbers[i])) hidden[i % hidden.size()] = false;
  return hidden;
}

/// Every query has what comes after it hidden, counted from the first query and the first key, and nothing else.
bool hides_what_comes_after(const RecordedValue& value, bool (*is_hidden)(double)) {
  if (value.shape.size() < 2 || !has_few_numbers(value)) return false;
  const auto keys = static_cast<std::size_t>(value.shape.back());
  const std::vector<bool> hidden = hidden_in_all(value, is_hidden);
  for (std::size_t i = 0; i < hidden.size(); ++i)
    if (hidden[i] != (i % keys > i / keys)) return false;
  return keys > 1;
}

/// Inverted: every query has its past and itself hidden, and sees what comes after it. WithoutSelf: it sees its past,
/// and neither itself nor what comes after it.
Triangle triangle_of(const RecordedValue& value, bool (*is_hidden)(double)) {
  const std::size_t dims = value.shape.size();
  if (dims < 2 || value.shape[dims - 1] != value.shape[dims - 2] || value.shape[dims - 1] < 3) return Triangle::Other;
  if (!has_few_numbers(value)) return Triangle::Other;
  const auto size = static_cast<std::size_t>(value.shape.back());
  const std::vector<bool> hidden = hidden_in_all(value, is_hidden);
  bool is_inverted = true, is_without_self = true;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      is_inverted = is_inverted && hidden[i * size + j] == (j <= i);
      is_without_self = is_without_self && hidden[i * size + j] == (j >= i);
    }
  }
  return is_inverted ? Triangle::Inverted : is_without_self ? Triangle::WithoutSelf : Triangle::Other;
}

/// A mask that says the opposite.
std::string negated(std::string_view code) {
  if (code.ends_with("== 1")) return std::string(code.substr(0, code.size() - 1)) + "0";
  if (code.ends_with("== 0")) return std::string(code.substr(0, code.size() - 1)) + "1";
  return code.starts_with('~') ? std::string(code.substr(1)) : "~" + as_operand(code);
}

/// The argument that is the mask, as code: of x.masked_fill(mask, value), where(mask, a, b) or attention(...,
/// attn_mask=mask).
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

/// The triu() or tril() calls that a mask was made by.
void triangles_behind(const Flow& flow, ValueId mask, int depth, std::vector<const Op*>& out) {
  const Op* op = flow.maker(mask);
  if (!op || depth == 0) return;
  if (plain_name(*op) == "triu" || plain_name(*op) == "tril") out.push_back(op);
  for (const OpOperand& input : op->inputs) triangles_behind(flow, input.value, depth - 1, out);
}

std::vector<const Op*> triangles_behind(const Flow& flow, ValueId mask) {
  std::vector<const Op*> out;
  if (mask >= 0) triangles_behind(flow, mask, 6, out);
  return out;
}

std::int64_t diagonal_of(const Op& triangle) {
  const auto given = attribute(triangle, "diagonal");
  return given && !ints_in(*given).empty() ? ints_in(*given)[0] : 0;
}

/// triu() or tril() with another diagonal.
void with_diagonal(const Flow& flow, const Op& triangle, const std::string& diagonal, std::vector<LineEdits>& out) {
  const auto edit = with_argument(flow, triangle, {"diagonal", "k"}, diagonal, 1);
  if (!edit) return;
  out.push_back({*edit});
  if (edit->code.find("diagonal=") != std::string::npos)  // numpy's name
    out.push_back({{edit->span, replaced(edit->code, "diagonal=", "k=")}});
}

Finding triangle_found(const Flow& flow, const Op& op, Triangle triangle, ValueId mask, std::string_view name,
                       std::size_t place) {
  Finding finding = found(flow, "triangle", op, {}, {}, triangle == Triangle::Inverted ? "" : ".self");
  if (triangle == Triangle::Inverted) finding.tries = with_mask_negated(flow, op, name, place);
  for (const Op* made : triangle == Triangle::Inverted ? std::vector<const Op*>() : triangles_behind(flow, mask))
    with_diagonal(flow, *made, std::to_string(diagonal_of(*made) + 1), finding.tries);
  return finding;
}

/// Whether a value is another one, or was computed from it.
bool comes_from(const Flow& flow, ValueId id, ValueId other, int depth = 6) {
  if (id == other) return true;
  const Op* op = flow.maker(id);
  if (!op || depth == 0) return false;
  return std::any_of(op->inputs.begin(), op->inputs.end(), [&](const OpOperand& input) {
    return !flow.value(input.value).is_parameter && input.value != id &&
           comes_from(flow, input.value, other, depth - 1);
  });
}

/// The op that masks scores on their way to the softmax.
const Op* masking_op(const Flow& flow, const Op& softmax) {
  const auto scores = flow.scores_of(softmax_input(flow, softmax));
  for (std::size_t i = 0; scores && i < scores->way.size(); ++i) {
    const ValueId mask = mask_of(flow, *scores->way[i]);
    if (mask >= 0 && tells_apart(flow.value(mask))) return scores->way[i];
    if (plain_name(*scores->way[i]) == "index_put") return scores->way[i];
  }
  return nullptr;
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

/// Rows of a softmax in which nothing is left to look at.
std::optional<Finding> masked_rows(const Flow& flow, const Op& op) {
  const auto axis = softmax_axis(flow, op);
  if (!axis) return std::nullopt;
  if (flow.products_with(op.outputs[0], *axis).empty()) return std::nullopt;  // looked at, not used
  const RecordedValue &scores = flow.value(softmax_input(flow, op)), &weights = flow.value(op.outputs[0]);
  if (!has_few_numbers(scores) || !has_few_numbers(weights) || weights.shape[*axis] < 2) return std::nullopt;
  const Triangle triangle = triangle_of(scores, [](double score) { return score <= kMasked; });
  const Op* masking = masking_op(flow, op);
  if (triangle != Triangle::Other && masking) {
    const bool is_where = plain_name(*masking) == "where" || code_of(flow, *masking).starts_with("torch.masked_fill");
    const std::size_t place = plain_name(*masking) == "masked_fill" && is_where ? 1 : 0;
    return triangle_found(flow, *masking, triangle, mask_of(flow, *masking),
                          plain_name(*masking) == "where" ? "condition" : "mask", place);
  }
  std::int64_t total = 0, count = 0, first = -1;
  bool is_nan = false;
  for (const auto& [row, at] : rows_along(scores, *axis)) {
    ++total;
    const auto [low, high] = std::minmax_element(row.begin(), row.end());
    const double lowest = *low, highest = *high;
    if (std::any_of(row.begin(), row.end(), [](double x) { return std::isnan(x); }) || highest > kMasked) continue;
    if (highest > lowest / 2) continue;  // masked entries are alike: this one is a score that grew
    ++count;
    if (first < 0) first = at;
    is_nan = std::isinf(highest);
  }
  if (count == 0 || mask_of_queries(flow, op)) return std::nullopt;  // which says why
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

/// A triangle given to F.scaled_dot_product_attention, where True is seen, or to nn.MultiheadAttention, where it is
/// hidden.
std::optional<Finding> triangle_of_the_library(const Flow& flow, const Op& op) {
  const std::string_view name = plain_name(op);
  const bool is_module = name == "multi_head_attention";
  const ValueId mask = input_named(op, "attn_mask");
  if ((!is_module && name != "scaled_dot_product_attention") || mask < 0) return std::nullopt;
  const RecordedValue& value = flow.value(mask);
  const bool is_bool = value.dtype == DType::Bool;
  const auto is_hidden = !is_bool    ? [](double entry) { return entry <= kMasked; }
                         : is_module ? [](double entry) { return entry != 0; }
                                     : [](double entry) { return entry == 0; };
  const Triangle triangle = triangle_of(value, is_hidden);
  if (triangle == Triangle::Other) return std::nullopt;
  if (triangle == Triangle::WithoutSelf) return triangle_found(flow, op, triangle, mask, "attn_mask", 99);
  Finding finding = found(flow, "triangle", op, {}, {}, !is_bool ? "" : is_module ? ".module" : ".function");
  if (is_bool) finding.tries = with_mask_negated(flow, op, "attn_mask", is_module ? 99 : 3);
  return finding;
}

/// is_causal lines queries and keys up at their first: with fewer queries than keys, the last queries miss keys.
std::optional<Finding> causal_from_the_start(const Flow& flow, const Op& op) {
  const auto is_causal = attribute(op, "is_causal");
  const ValueId query = input_named(op, "query"), key = input_named(op, "key");
  if (plain_name(op) != "scaled_dot_product_attention" || is_causal != "True" || query < 0 || key < 0)
    return std::nullopt;
  const Shape &q = flow.value(query).shape, &k = flow.value(key).shape;
  if (q.size() < 2 || k.size() < 2 || q[q.size() - 2] >= k[k.size() - 2]) return std::nullopt;
  const std::string queries = std::to_string(q[q.size() - 2]), keys = std::to_string(k[k.size() - 2]);
  Finding finding = found(flow, "causal", op, {{"queries", queries}, {"keys", keys}}, {});
  if (q[q.size() - 2] == 1) {
    if (const auto edit = with_argument(flow, op, {"is_causal"}, "False", 5)) finding.tries.push_back({*edit});
  }
  return finding;
}

namespace {

/// tril[:T, :S], between the triangle and the scores; null: there is none.
const Op* cut_from_the_start(const Flow& flow, ValueId mask) {
  const Op* op = flow.maker(mask);
  for (int depth = 0; op && depth < 6 && !op->inputs.empty(); ++depth) {
    if (plain_name(*op) == "index" && code_of(flow, *op).find("[:") != std::string_view::npos) return op;
    op = flow.maker(op->inputs[0].value);
  }
  return nullptr;
}

/// tril[S - T:S, :S].
void rows_of_the_last_keys(const Flow& flow, const Op& cut, std::vector<LineEdits>& out) {
  const std::string_view code = code_of(flow, cut);
  const std::size_t open = code.rfind("[:"), comma = code.rfind(", :");
  if (open == std::string_view::npos || comma == std::string_view::npos || comma < open || !code.ends_with(']')) return;
  const std::string queries(code.substr(open + 2, comma - open - 2)),
      keys(code.substr(comma + 3, code.size() - comma - 4));
  const std::string rows = as_operand(keys) + " - " + as_operand(queries) + ":" + keys;
  out.push_back({{cut.span, std::string(code.substr(0, open + 1)) + rows + ", :" + keys + "]"}});
}

}  // namespace

/// tril(ones(queries, keys)) where keys joined those of a cache: the first query sees the first key alone.
std::optional<Finding> triangle_from_the_start(const Flow& flow, const Op& op) {
  const auto axis = softmax_axis(flow, op);
  const Op* masking = axis ? masking_op(flow, op) : nullptr;
  if (!masking || flow.products_with(op.outputs[0], *axis).empty()) return std::nullopt;
  const RecordedValue& scores = flow.value(softmax_input(flow, op));
  const std::size_t dims = scores.shape.size();
  const std::vector<const Op*> made = triangles_behind(flow, mask_of(flow, *masking));
  const Op* joined = flow.maker(unmoved(flow, flow.scores_of(softmax_input(flow, op))->product.right));
  if (made.empty() || !joined || plain_name(*joined) != "cat" || dims < 2 || *axis + 1 != dims ||
      scores.shape[dims - 2] >= scores.shape[dims - 1] ||
      !hides_what_comes_after(scores, [](double score) { return score <= kMasked; }))
    return std::nullopt;
  const std::string keys = std::to_string(scores.shape.back());
  if (const Op* cut = cut_from_the_start(flow, mask_of(flow, *masking))) {
    Finding finding = found(flow, "causal", *cut, {{"keys", keys}}, {}, ".cut");
    rows_of_the_last_keys(flow, *cut, finding.tries);
    return finding;
  }
  Finding finding = found(flow, "causal", *made[0], {{"keys", keys}}, {}, ".mask");
  const std::int64_t diagonal = diagonal_of(*made[0]);
  const std::string& written = masking->inputs[0].written;
  const std::string first = diagonal == 0 ? "" : std::to_string(diagonal) + " + ";
  if (!written.empty())
    with_diagonal(flow, *made[0], first + written + ".size(-1) - " + written + ".size(-2)", finding.tries);
  return finding;
}

/// The keys of another text, and a mask that hides them as if they were written one after another with the queries.
std::optional<Finding> causal_across_texts(const Flow& flow, const Op& op) {
  const bool is_module = plain_name(op) == "multi_head_attention";
  ValueId queries = -1, keys = -1;
  bool is_causal = false;
  if (is_module) {
    const ValueId mask = input_named(op, "attn_mask");
    queries = input_named(op, "query");
    keys = input_named(op, "key");
    is_causal = mask >= 0 && hides_what_comes_after(
                                 flow.value(mask), flow.value(mask).dtype == DType::Bool
                                                       ? [](double entry) { return entry != 0; }
                                                       : [](double entry) { return entry <= kMasked; });
  } else if (const auto axis = softmax_axis(flow, op); axis && masking_op(flow, op)) {
    const auto scores = flow.scores_of(softmax_input(flow, op));
    queries = made_by_layer(flow, scores->product.left).input;
    keys = made_by_layer(flow, scores->product.right).input;
    is_causal =
        !flow.products_with(op.outputs[0], *axis).empty() &&
        hides_what_comes_after(flow.value(softmax_input(flow, op)), [](double score) { return score <= kMasked; });
  }
  if (!is_causal || queries < 0 || keys < 0 || comes_from(flow, queries, unmoved(flow, keys)) ||
      comes_from(flow, keys, unmoved(flow, queries)))
    return std::nullopt;
  return remarked(flow, "across", op, {}, {});
}

/// Texts of which nn.MultiheadAttention sees no key at all: the mask may say the opposite.
std::optional<Finding> texts_without_keys(const Flow& flow, const Op& op) {
  const ValueId mask = input_named(op, "key_padding_mask");
  if (plain_name(op) != "multi_head_attention" || mask < 0) return std::nullopt;
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
    Finding finding = found(flow, "hides", *step, {}, {}, is_filled ? "" : name == "mul" ? ".times" : ".plus");
    const Source& source = flow.trace().sources[step->span.source];
    if (const auto arguments = arguments_of(flow, *step);
        is_filled && !arguments.empty() && source.slice(arguments.back()).find('=') == std::string::npos)
      finding.tries.push_back({{arguments.back(), "float(\"-inf\")"}});
    const OpOperand &left = step->inputs[0], &right = step->inputs.back();
    if (is_computed && !left.written.empty() && !right.written.empty()) {
      const bool is_left = left.value == mask;
      finding.tries.push_back({{step->span, (is_left ? right : left).written + ".masked_fill(" +
                                                (is_left ? left : right).written + " == 0, float(\"-inf\"))"}});
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

}  // namespace attn
