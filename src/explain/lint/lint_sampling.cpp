// How the next word is drawn: a temperature that comes too late, and cuts that leave other words than they should.
#include <algorithm>
#include <vector>

#include "base/text.h"
#include "base/words.h"
#include "explain/lint/lint_rules.h"
#include "syntax/snippet.h"
#include "tensor/core/read.h"

namespace attn {
namespace {

/// Moves what follows the softmax to the scores in front of it.
void temperature_moved(const Flow& flow, const Op& scale, const Op& softmax, std::vector<LineEdits>& out) {
  const std::string &probabilities = scale.inputs[0].written, &logits = softmax.inputs[0].written;
  const std::string code(code_of(flow, scale)), call(code_of(flow, softmax));
  const bool is_within = softmax.span.source == scale.span.source && softmax.span.begin == scale.span.begin;
  const std::size_t cut = is_within ? softmax.span.end - scale.span.begin : probabilities.size();
  if (logits.empty() || cut >= code.size() || (!is_within && !code.starts_with(probabilities))) return;
  const std::string temperature = code.substr(cut), scaled = logits + temperature;  // "logits", " / temperature"
  std::string right;
  if (const auto arguments = arguments_of(flow, softmax); call.starts_with(logits + ".")) {
    right = "(" + scaled + ")" + call.substr(logits.size());
  } else if (!arguments.empty() && flow.trace().sources[softmax.span.source].slice(arguments[0]) == logits) {
    right = std::string(call).replace(arguments[0].begin - softmax.span.begin, logits.size(), scaled);
  } else {
    return;
  }
  if (is_within) out.push_back({{scale.span, right}});
  else if (!probabilities.empty()) out.push_back({{softmax.span, right}, {scale.span, probabilities}});
}

/// The op that fills a tensor where a mask is True, or where it is False; null: the op does something else.
struct Filled {
  ValueId input = -1, mask = -1, output = -1;
};

Filled filled_by(const Flow& flow, const Op& op) {
  const std::string_view name = plain_name(op);
  if (op.inputs.empty() || op.outputs.empty()) return {};
  Filled out = {op.inputs[0].value, mask_of(flow, op), op.outputs[0]};
  if (name == "index_put") out.mask = input_named(op, "items");
  if (name == "where") {
    const ValueId input = input_named(op, "input"), other = input_named(op, "other");
    out.input = input >= 0 && flow.value(input).shape == flow.value(out.output).shape ? input : other;
  }
  const bool fills = name == "masked_fill" || name == "index_put" || name == "where";
  return fills && out.mask >= 0 && out.input >= 0 ? out : Filled{};
}

/// The op, of these names, that an operand was moved from, through moves and not().
const Op* moved_from(const Flow& flow, ValueId id, std::initializer_list<std::string_view> names) {
  const Op* op = flow.maker(id);
  for (int depth = 0; op && depth < 8 && !op->inputs.empty(); ++depth) {
    if (std::find(names.begin(), names.end(), plain_name(*op)) != names.end()) return op;
    const std::string_view name = plain_name(*op);
    if (!is_move(*op) && name != "index" && name != "logical_not" && name != "bitwise_not") return nullptr;
    op = flow.maker(op->inputs[0].value);
  }
  return nullptr;
}

/// In how many rows along the last axis more than one score is left; -1: the numbers are not known.
int rows_with_a_choice(const RecordedValue& scores) {
  if (!has_few_numbers(scores) || scores.shape.empty()) return -1;
  int count = 0;
  for (const NumberRow& row : rows_along(scores, scores.shape.size() - 1))
    if (std::count_if(row.numbers.begin(), row.numbers.end(), [](double x) { return x > kMasked; }) != 1) ++count;
  return count;
}

/// Whether a mask is in the order of sorted scores: by a running sum over them that nothing has put back.
bool is_in_sorted_order(const Flow& flow, ValueId mask, int depth = 10) {
  constexpr std::string_view kKeepOrder =
      " gt ge lt le index index_put clone sub logical_not bitwise_not cat roll cumsum softmax to bool pad ";
  const Op* op = flow.maker(mask);
  if (!op || depth == 0 || op->inputs.empty()) return false;
  if (plain_name(*op) == "sort") return true;
  if (kKeepOrder.find(" " + std::string(plain_name(*op)) + " ") == std::string_view::npos) return false;
  return std::any_of(op->inputs.begin(), op->inputs.end(), [&](const OpOperand& input) {
    return input.parameter != "items" && is_in_sorted_order(flow, input.value, depth - 1);
  });
}

/// The op of that name among those that a value was made by, each from its first operand.
const Op* first_behind(const Flow& flow, ValueId id, std::string_view name) {
  const Op* op = flow.maker(id);
  for (int depth = 0; op && depth < 12; ++depth) {
    if (plain_name(*op) == name) return op;
    op = op->inputs.empty() ? nullptr : flow.maker(op->inputs[0].value);
  }
  return nullptr;
}

std::string name_of(const Trace& trace, ValueId id) {
  for (const Step& step : trace.steps)
    for (const Binding& binding : step.bindings)
      if (binding.value == id) return binding.target;
  return {};
}

/// multinomial(softmax(logits) / temperature): it divides by the sum of the row, whatever that is.
std::optional<Finding> temperature_after_softmax(const Flow& flow, const Op& op) {
  if (plain_name(op) != "multinomial" || op.inputs.empty()) return std::nullopt;
  const Op* scale = flow.maker(unmoved(flow, op.inputs[0].value));
  if (!scale || (plain_name(*scale) != "div" && plain_name(*scale) != "mul") || scale->inputs.empty())
    return std::nullopt;
  const Op* softmax = flow.maker(unmoved(flow, scale->inputs[0].value));
  const ValueId other = input_named(*scale, "other");
  const auto number = number_of(flow, *scale, "other");
  if (!softmax || plain_name(*softmax) != "softmax" || softmax->inputs.empty() || !number || *number == 1 ||
      (other >= 0 && flow.maker(other)))  // a sum of the row
    return std::nullopt;
  Finding finding = found(flow, "temperature", *scale, {}, {});
  temperature_moved(flow, *scale, *softmax, finding.tries);
  return finding;
}

/// topk(), and then logits < v[:, [0]]: the best of the k is the cut, and all others are below it.
std::optional<Finding> cut_at_the_best(const Flow& flow, const Op& op) {
  const Filled filled = filled_by(flow, op);
  const Op* compared = filled.mask < 0 ? nullptr : moved_from(flow, filled.mask, {"lt", "le", "gt", "ge"});
  if (!compared || compared->inputs.size() != 2) return std::nullopt;
  const bool is_turned = unmoved(flow, compared->inputs[0].value) != unmoved(flow, filled.input);
  const ValueId cut = compared->inputs[is_turned ? 0 : 1].value;
  const Op* best = moved_from(flow, cut, {"topk"});
  const Op* taken = flow.maker(cut);
  if (!best || !taken || best->outputs[0] == cut || best->inputs[0].value != filled.input ||
      flow.value(best->outputs[0]).shape.back() < 2 || rows_with_a_choice(flow.value(filled.output)) != 0)
    return std::nullopt;
  while (taken && plain_name(*taken) != "index") taken = taken == best ? nullptr : flow.maker(taken->inputs[0].value);
  if (!taken) return std::nullopt;
  Finding finding = found(flow, "best", *taken, {}, {});
  const std::string code(code_of(flow, *taken));
  constexpr std::pair<std::string_view, std::string_view> kLast[] = {
      {"[0]]", "[-1]]"}, {" 0:1]", " -1:]"}, {" :1]", " -1:]"}, {" 0]", " -1]"}, {" 0, None]", " -1, None]"}};
  for (const auto& [first, last] : kLast)
    if (code.ends_with(first))
      finding.tries.push_back({{taken->span, code.substr(0, code.size() - first.size()) + std::string(last)}});
  return finding;
}

/// What top-p removes, by the places of the sorted scores, from the scores in their own order.
std::optional<Finding> sorted_mask_on_unsorted(const Flow& flow, const Op& op) {
  const Filled filled = filled_by(flow, op);
  const Op* sums = filled.mask < 0 ? nullptr : first_behind(flow, filled.mask, "cumsum");
  const Op* sorted = sums ? first_behind(flow, sums->inputs[0].value, "sort") : nullptr;
  if (!sorted || sorted->outputs.size() != 2 || !is_in_sorted_order(flow, filled.mask) ||
      unmoved(flow, filled.input) != unmoved(flow, sorted->inputs[0].value) ||
      flow.value(filled.mask).shape != flow.value(filled.input).shape)
    return std::nullopt;
  const std::string order = name_of(flow.trace(), sorted->outputs[1]);
  std::string mask;
  for (const OpOperand& input : op.inputs)
    if (input.value == filled.mask) mask = input.written;
  Finding finding = found(flow, "sorted", op, {}, {});
  const std::string back = mask + ".scatter(-1, " + order + ", " + mask + ")";
  if (mask.empty() || order.empty() || order == "_") return finding;
  if (const auto arguments = arguments_of(flow, op); plain_name(op) == "masked_fill" && !arguments.empty()) {
    const std::size_t place = code_of(flow, op).starts_with("torch.") ? 1 : 0;
    if (place < arguments.size()) finding.tries.push_back({{arguments[place], back}});
  }
  const std::string code(code_of(flow, op));
  if (plain_name(op) == "index_put" && code.ends_with("[" + mask + "]"))
    finding.tries.push_back({{op.span, code.substr(0, code.size() - mask.size() - 1) + back + "]"}});
  return finding;
}

/// What some scores are, of which the rest was cut off or masked: all of them, and by which op they were put in order.
struct Ordered {
  const Op* order = nullptr;
  ValueId all = -1, kept = -1;  // `kept`: values of their own, the others are not there; -1: they are masked,
  const Op* masking = nullptr;  // by this op
};

/// Ops that leave a score in its place, or change all alike.
constexpr std::string_view kScoring = "div mul add masked_fill where index_put scatter clone index";

const Op* order_behind(const Flow& flow, ValueId id, int depth = 8) {
  const Op* op = flow.maker(id);
  if (!op || depth == 0) return nullptr;
  if (has_word("sort argsort topk kthvalue", plain_name(*op))) return op;
  for (const OpOperand& input : op->inputs)
    if (const Op* order = order_behind(flow, input.value, depth - 1)) return order;
  return nullptr;
}

std::optional<Ordered> ordered(const Flow& flow, ValueId scores) {
  Ordered out{order_behind(flow, scores)};
  if (!out.order || out.order->inputs.empty()) return std::nullopt;
  out.all = out.order->inputs[0].value;
  for (ValueId id = scores; id != out.all;) {
    const Op* op = flow.maker(id);
    if (!op || op->inputs.empty() || (out.order->outputs[0] == id && plain_name(*op) == "argsort")) return std::nullopt;
    const bool is_piece =
        op == out.order || (out.order->outputs[0] == op->inputs[0].value && plain_name(*op) == "index");
    if (is_piece) {
      out.kept = id;
      const Shape &piece = flow.value(id).shape, &whole = flow.value(out.all).shape;
      return !piece.empty() && !whole.empty() && piece.back() < whole.back() ? std::optional(out) : std::nullopt;
    }
    if (!is_move(*op) && !has_word(kScoring, plain_name(*op))) return std::nullopt;
    const Filled filled = filled_by(flow, *op);
    if (filled.input >= 0) out.masking = op;
    id = filled.input >= 0 ? filled.input : op->inputs[0].value;
  }
  return out;
}

/// How many scores of a row are left, when these are its smallest; 0: others are left, or all.
std::size_t smallest_left(const std::vector<double>& all, const std::vector<double>& scores, bool is_apart) {
  std::vector<double> kept, others;
  if (is_apart) {
    kept = scores;
    others = all;
    std::sort(others.begin(), others.end());
    others.erase(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(std::min(kept.size(), others.size())));
  } else {
    for (std::size_t i = 0; i < all.size(); ++i) (scores[i] > kMasked ? kept : others).push_back(all[i]);
  }
  if (kept.empty() || others.empty()) return 0;
  return *std::max_element(kept.begin(), kept.end()) < *std::min_element(others.begin(), others.end()) ? kept.size()
                                                                                                       : 0;
}

/// sort() without descending=True, and the first k of it; or a mask that hides the best: the worst are left to draw.
std::optional<Finding> smallest_are_kept(const Flow& flow, const Op& op) {
  if (plain_name(op) != "multinomial" || op.inputs.empty()) return std::nullopt;
  const Op* softmax = flow.maker(unmoved(flow, op.inputs[0].value));
  if (!softmax || plain_name(*softmax) != "softmax" || softmax->inputs.empty()) return std::nullopt;
  const ValueId scores = softmax->inputs[0].value;
  const auto cut = ordered(flow, scores);
  if (!cut) return std::nullopt;
  const RecordedValue &all = flow.value(cut->all), &left = flow.value(cut->kept >= 0 ? cut->kept : scores);
  if (all.shape.empty() || all.shape.size() != left.shape.size() || !has_few_numbers(all) || !has_few_numbers(left))
    return std::nullopt;
  const std::vector<NumberRow> rows = rows_along(all, all.shape.size() - 1),
                               pieces = rows_along(left, all.shape.size() - 1);
  std::size_t count = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows.size() != pieces.size() || (cut->kept < 0 && rows[i].numbers.size() != pieces[i].numbers.size()))
      return std::nullopt;
    count = smallest_left(rows[i].numbers, pieces[i].numbers, cut->kept >= 0);
    if (count == 0) return std::nullopt;
  }
  if (count == 0) return std::nullopt;
  const Words words = {{"count", std::to_string(count)}, {"total", std::to_string(all.shape.back())}};
  const bool is_sorted = has_word("sort argsort", plain_name(*cut->order));
  if (cut->masking && !is_sorted && attribute(*cut->order, "largest") != "False") {
    Finding finding = found(flow, "smallest", *cut->masking, words, {}, ".masked");
    const std::string code(code_of(flow, *cut->masking));
    for (const std::string_view sign : {" >= ", " > "})
      finding.tries.push_back({{cut->masking->span, replaced(code, sign, " < ")}});
    return finding;
  }
  Finding finding = found(flow, "smallest", *cut->order, words, {}, is_sorted ? "" : ".topk");
  if (const auto edit = with_argument(flow, *cut->order, {is_sorted ? "descending" : "largest"}, "True"))
    finding.tries.push_back({*edit});
  return finding;
}

/// multinomial(relu(logits)): it takes any numbers from 0 on, and these are no probabilities.
std::optional<Finding> drawn_without_softmax(const Flow& flow, const Op& op) {
  if (plain_name(op) != "multinomial" || op.inputs.empty()) return std::nullopt;
  const Op* made = flow.maker(unmoved(flow, op.inputs[0].value));
  if (!made || !has_word("relu abs clamp", plain_name(*made)) || made->inputs.empty()) return std::nullopt;
  ValueId scores = unmoved(flow, made->inputs[0].value);
  for (const Op* scale = flow.maker(scores); scale && has_word("div mul index", plain_name(*scale));
       scale = flow.maker(scores))
    scores = unmoved(flow, scale->inputs[0].value);
  if (!made_by_layer(flow, scores).op) return std::nullopt;
  Finding finding = found(flow, "drawn", *made, {{"op", made->name}}, {});
  std::string code(code_of(flow, *made));
  const std::size_t call = code.rfind(made->name + "(");
  if (call == std::string::npos || plain_name(*made) == "clamp") return finding;
  code.replace(call, made->name.size(), "softmax");
  finding.tries.push_back(
      {{made->span, code.substr(0, code.size() - 1) + (code.ends_with("()") ? "dim=-1)" : ", dim=-1)")}});
  return finding;
}

}  // namespace

Rules sampling_rules() {
  static constexpr RuleRow kRows[] = {
      {.at_op = temperature_after_softmax}, {.at_op = cut_at_the_best},       {.at_op = sorted_mask_on_unsorted},
      {.at_op = smallest_are_kept},         {.at_op = drawn_without_softmax},
  };
  return kRows;
}

}  // namespace attn
