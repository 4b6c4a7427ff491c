// Triangles: which half a causal mask hides, from which word it is counted, and whose words it is put on.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/words.h"
#include "explain/lint/lint_rules.h"
#include "syntax/snippet.h"
#include "tensor/core/read.h"

namespace attn {
namespace {

/// Inverted: every query has its past and itself hidden, and sees what comes after it. WithoutSelf: it sees its past,
/// and neither itself nor what comes after it. Open: it sees all that comes after it, and of its past only the nearest.
enum class Triangle { Other, Inverted, WithoutSelf, Open };

/// Which entries of the last two axes are hidden in every matrix. hidden[i * keys + j]: of query i, key j.
std::vector<bool> hidden_in_all(const RecordedValue& value, bool (*is_hidden)(double)) {
  const std::size_t dims = value.shape.size();
  std::vector<bool> hidden(static_cast<std::size_t>(value.shape[dims - 2] * value.shape[dims - 1]), true);
  const std::vector<double> numbers = to_doubles(value.tensor);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!is_hidden(numbers[i])) hidden[i % hidden.size()] = false;
  return hidden;
}

}  // namespace

bool hides_what_comes_after(const RecordedValue& value, bool (*is_hidden)(double)) {
  if (value.shape.size() < 2 || !has_few_numbers(value)) return false;
  const auto keys = static_cast<std::size_t>(value.shape.back());
  const std::vector<bool> hidden = hidden_in_all(value, is_hidden);
  for (std::size_t i = 0; i < hidden.size(); ++i)
    if (hidden[i] != (i % keys > i / keys)) return false;
  return keys > 1;
}

namespace {

struct Shown {
  Triangle triangle = Triangle::Other;
  std::size_t count = 0;  // of Open: how many words a query sees, itself and the nearest before it
};

Shown shown_by(const RecordedValue& value, bool (*is_hidden)(double)) {
  const std::size_t dims = value.shape.size();
  if (dims < 2 || value.shape[dims - 1] != value.shape[dims - 2] || value.shape[dims - 1] < 3) return {};
  if (!has_few_numbers(value)) return {};
  const auto size = static_cast<std::size_t>(value.shape.back());
  const std::vector<bool> hidden = hidden_in_all(value, is_hidden);
  std::size_t seen = 0;  // by how many queries, from the first on, key 0 is seen
  while (seen < size && !hidden[seen * size]) ++seen;
  bool is_open = seen < size, is_without_self = true;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      is_open = is_open && hidden[i * size + j] == (j + seen <= i);
      is_without_self = is_without_self && hidden[i * size + j] == (j >= i);
    }
  }
  if (is_open && seen == 0) return {Triangle::Inverted};
  if (is_open && seen + 2 <= size) return {Triangle::Open, seen};  // one entry alone is no window
  return {is_without_self ? Triangle::WithoutSelf : Triangle::Other};
}

/// The ops of these names that a mask was made by.
void ops_behind(const Flow& flow, ValueId mask, std::string_view names, int depth, std::vector<const Op*>& out) {
  const Op* op = flow.maker(mask);
  if (!op || depth == 0) return;
  if (has_word(names, plain_name(*op))) out.push_back(op);
  for (const OpOperand& input : op->inputs) ops_behind(flow, input.value, names, depth - 1, out);
}

std::vector<const Op*> ops_behind(const Flow& flow, ValueId mask, std::string_view names) {
  std::vector<const Op*> out;
  if (mask >= 0) ops_behind(flow, mask, names, 6, out);
  return out;
}

std::vector<const Op*> triangles_behind(const Flow& flow, ValueId mask) { return ops_behind(flow, mask, "triu tril"); }

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

/// i - j < w as (i - j < w) & (i - j >= 0), and triu(-w) cut off above the diagonal too.
void closed_on_the_right(const Flow& flow, ValueId mask, std::vector<LineEdits>& out) {
  for (const Op* compared : ops_behind(flow, mask, "lt le gt ge")) {
    const std::string code(code_of(flow, *compared));
    const std::size_t sign = code.find_first_of("<>");
    if (sign == std::string::npos) continue;
    const std::string distance(trim(std::string_view(code).substr(0, sign)));
    const std::string both =
        "(" + code + ") " + (code[sign] == '<' ? "& (" + distance + " >= 0)" : "| (" + distance + " < 0)");
    const std::string_view text = flow.trace().sources[compared->span.source].text;
    const bool is_apart = compared->span.begin > 0 && text[compared->span.begin - 1] == '(' &&
                          text.substr(compared->span.end).starts_with(')');
    out.push_back({{compared->span, is_apart ? both : "(" + both + ")"}});
  }
  for (const Op* made : triangles_behind(flow, mask))
    out.push_back({{made->span, std::string(code_of(flow, *made)) + ".tril()"}});
}

/// triu(d) as tril(-d), and the other way round.
void turned_over(const Flow& flow, const Op& triangle, std::vector<LineEdits>& out) {
  const bool is_upper = plain_name(triangle) == "triu";
  const std::size_t at = code_of(flow, triangle).rfind(is_upper ? "triu" : "tril");
  if (at == std::string_view::npos) return;
  const Span span = triangle.span;
  LineEdits edits = {{span_of(span.source, span.begin + at, span.begin + at + 4), is_upper ? "tril" : "triu"}};
  if (const std::int64_t diagonal = diagonal_of(triangle); diagonal != 0) {
    const auto edit = with_argument(flow, triangle, {"diagonal", "k"}, std::to_string(-diagonal), 1);
    if (!edit) return;
    edits.push_back(*edit);
  }
  out.push_back(std::move(edits));
}

std::optional<Finding> triangle_found(const Flow& flow, const Op& op, Shown shown, ValueId mask, std::string_view name,
                                      std::size_t place) {
  if (shown.triangle == Triangle::Open && shown.count > 1) {
    Finding finding = found(flow, "triangle", op, {{"count", std::to_string(shown.count)}}, {}, ".open");
    closed_on_the_right(flow, mask, finding.tries);
    return finding;
  }
  if (shown.triangle == Triangle::Open) {
    const Predicted predicted = predicted_word(flow);
    if (predicted == Predicted::Previous) return std::nullopt;
    Finding finding = found(flow, "triangle", op, {}, {}, ".backward");
    finding.is_remark = predicted != Predicted::Next;
    for (const Op* made : triangles_behind(flow, mask)) turned_over(flow, *made, finding.tries);
    return finding;
  }
  const bool is_inverted = shown.triangle == Triangle::Inverted;
  Finding finding = found(flow, "triangle", op, {}, {}, is_inverted ? "" : ".self");
  if (is_inverted) finding.tries = with_mask_negated(flow, op, name, place);
  for (const Op* made : is_inverted ? std::vector<const Op*>() : triangles_behind(flow, mask))
    with_diagonal(flow, *made, std::to_string(diagonal_of(*made) + 1), finding.tries);
  return finding;
}

}  // namespace

/// The half of the scores that a mask leaves to the softmax.
std::optional<Finding> triangle_of_scores(const Flow& flow, const Op& op) {
  const auto axis = softmax_axis(flow, op);
  if (!axis || flow.products_with(op.outputs[0], *axis).empty()) return std::nullopt;  // looked at, not used
  if (*axis + 1 != flow.value(op.outputs[0]).shape.size()) return std::nullopt;        // the rows are keys
  const Shown shown = shown_by(flow.value(softmax_input(flow, op)), [](double score) { return score <= kMasked; });
  const Op* masking = shown.triangle == Triangle::Other ? nullptr : masking_op(flow, op);
  if (!masking) return std::nullopt;
  const bool is_where = plain_name(*masking) == "where" || code_of(flow, *masking).starts_with("torch.masked_fill");
  const std::size_t place = plain_name(*masking) == "masked_fill" && is_where ? 1 : 0;
  return triangle_found(flow, *masking, shown, mask_of(flow, *masking),
                        plain_name(*masking) == "where" ? "condition" : "mask", place);
}

namespace {

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
  const Shown shown = shown_by(value, is_hidden);
  if (shown.triangle == Triangle::Other) return std::nullopt;
  if (shown.triangle != Triangle::Inverted) return triangle_found(flow, op, shown, mask, "attn_mask", 99);
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
  if (!is_causal || queries < 0 || keys < 0 || is_computed_from(flow, queries, unmoved(flow, keys)) ||
      is_computed_from(flow, keys, unmoved(flow, queries)))
    return std::nullopt;
  return remarked(flow, "across", op, {}, {});
}

}  // namespace

Rules triangle_rules() {
  static constexpr RuleRow kRows[] = {
      {.at_op = triangle_of_scores},      {.at_op = triangle_of_the_library}, {.at_op = causal_from_the_start},
      {.at_op = triangle_from_the_start}, {.at_op = causal_across_texts},
  };
  return kRows;
}

}  // namespace attn
