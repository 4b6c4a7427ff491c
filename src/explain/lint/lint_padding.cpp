// Padding: ids that stand for no word, in masks, losses and means.
#include <algorithm>

#include "base/text.h"
#include "base/words.h"
#include "explain/lint/lint_rules.h"
#include "syntax/snippet.h"
#include "tensor/core/read.h"

namespace attn {
namespace {

/// The comparison of ids that a mask was made by, and whether what is hidden are the ids that differ.
struct ComparedIds {
  const Op* op;
  bool hides_others;
};

std::optional<ComparedIds> compared_ids(const Flow& flow, ValueId mask, bool hides_true, int depth = 12) {
  const Op* op = flow.maker(mask);
  if (!op || depth == 0 || op->inputs.empty()) return std::nullopt;
  const std::string_view name = plain_name(*op);
  const ValueId input = op->inputs[0].value;
  const auto number = number_of(flow, *op, "other");
  if (number && (name == "eq" || name == "ne" || (name == "gt" && *number == 0))) {
    const std::vector<const Op*>& users = flow.users(input);
    const bool is_ids =
        std::any_of(users.begin(), users.end(), [](const Op* user) { return plain_name(*user) == "embedding"; });
    if (is_ids) return ComparedIds{op, (name != "eq") == hides_true};
    if (*number != 0 && *number != 1) return std::nullopt;
    const bool turns = (name == "eq") == (*number == 0);
    return compared_ids(flow, input, turns != hides_true, depth - 1);
  }
  if (name == "bitwise_not" || name == "logical_not") return compared_ids(flow, input, !hides_true, depth - 1);
  const bool joins = name == "bitwise_and" || name == "bitwise_or" || name == "logical_and" || name == "logical_or";
  if (!joins && !is_move(*op) && name != "index" && name != "to" && name != "bool" && name != "float" &&
      name != "long" && name != "int")
    return std::nullopt;
  for (const OpOperand& operand : op->inputs)
    if (const auto found = compared_ids(flow, operand.value, hides_true, depth - 1)) return found;
  return std::nullopt;
}

/// mask[0] of the masks of several texts, on the way to a mask.
const Op* one_of_several(const Flow& flow, ValueId mask, std::int64_t texts, int depth = 6) {
  const Op* op = flow.maker(mask);
  if (!op || op->inputs.empty() || depth == 0) return nullptr;
  const RecordedValue& all = flow.value(op->inputs[0].value);
  const auto items = attribute(*op, "items");
  if (plain_name(*op) == "index" && items && (*items == "0" || *items == "(0,)") && all.shape.size() == 2 &&
      all.shape[0] == texts)
    return op;
  return one_of_several(flow, op->inputs[0].value, texts, depth - 1);
}

bool is_counted(const Flow& flow, ValueId id) {
  const Op* op = flow.maker(id);
  while (op && !op->inputs.empty() && (is_move(*op) || plain_name(*op) == "index"))
    op = flow.maker(op->inputs[0].value);
  return op && plain_name(*op) == "arange";
}

/// For how many texts a mask says which words are there: made by comparing ids [texts, words] with a number, or
/// arange(words) with lengths [texts, 1]. 0: it is no such mask.
std::int64_t texts_of_mask(const Flow& flow, ValueId mask, int depth = 8) {
  if (const auto ids = compared_ids(flow, mask, true)) {
    const Shape& shape = flow.value(ids->op->inputs[0].value).shape;
    return shape.size() == 2 ? shape[0] : 0;
  }
  const Op* op = flow.maker(mask);
  if (!op || op->inputs.empty() || depth == 0) return 0;
  if (has_word("lt le gt ge", plain_name(*op)) && op->inputs.size() == 2) {
    const ValueId a = op->inputs[0].value, b = op->inputs[1].value;
    const Shape& lengths = flow.value(is_counted(flow, a) ? b : a).shape;
    const bool is_per_text = is_counted(flow, a) != is_counted(flow, b) && lengths.size() == 2 && lengths[1] == 1;
    return is_per_text ? lengths[0] : 0;
  }
  const bool goes_on = is_move(*op) || has_word("eq ne bitwise_not logical_not to bool index", plain_name(*op));
  return goes_on ? texts_of_mask(flow, op->inputs[0].value, depth - 1) : 0;
}

bool differs_by_row(const RecordedValue& mask) {
  const std::vector<NumberRow> rows =
      has_few_numbers(mask) ? rows_along(mask, mask.shape.size() - 1) : std::vector<NumberRow>();
  return std::any_of(rows.begin(), rows.end(), [&](const NumberRow& row) { return row.numbers != rows[0].numbers; });
}

}  // namespace

/// (ids != pad) where True is hidden: the words are, and the padding is what is seen.
std::optional<Finding> padding_that_is_seen(const Flow& flow, const Op& op) {
  const bool is_module = plain_name(op) == "multi_head_attention";
  const ValueId mask = is_module ? input_named(op, "key_padding_mask") : mask_of(flow, op);
  if (mask < 0) return std::nullopt;
  const auto fill = plain_name(op) == "masked_fill" ? number_of(flow, op, "value") : std::nullopt;
  if (!is_module && (!fill || *fill > kMasked || !flow.scores_of(input_named(op, "input")))) return std::nullopt;
  const auto ids = compared_ids(flow, mask, true);
  if (!ids || !ids->hides_others || !tells_apart(flow.value(mask))) return std::nullopt;
  const std::string pad = short_number(*number_of(flow, *ids->op, "other"));
  Finding finding = found(flow, "padding", op, {{"pad", pad}}, {{"pad", pad}});
  finding.explains_nan = true;
  const std::string code(code_of(flow, *ids->op));
  for (const auto& [from, to] : {std::pair{" != ", " == "}, {" == ", " != "}, {" > ", " == "}})
    if (code.find(from) != std::string::npos) finding.tries.push_back({{ids->op->span, replaced(code, from, to)}});
  return finding;
}

namespace {

/// Ids that went into an embedding, with the one that stands for no word: the padding_idx of the embedding, or what a
/// mask compares them with.
struct PaddedIds {
  const Op* embedding;
  double pad;
  std::int64_t count;  // of padding among them
};

std::int64_t times_in(const RecordedValue& ids, double pad) {
  if (!has_few_numbers(ids)) return 0;
  const std::vector<double> numbers = to_doubles(ids.tensor);
  return std::count(numbers.begin(), numbers.end(), pad);
}

std::optional<double> pad_of(const Flow& flow, const Op& embedding) {
  if (const auto index = number_of(flow, embedding, "padding_idx")) return index;
  for (const Op* user : flow.users(embedding.inputs[0].value)) {
    const std::string_view name = plain_name(*user);
    const auto number = name == "eq" || name == "ne" ? number_of(flow, *user, "other") : std::nullopt;
    if (number) return number;
  }
  return std::nullopt;
}

/// The last such ids before an op that `fits`.
template <class Fits>
std::optional<PaddedIds> padded_ids(const Flow& flow, const Op& before, Fits fits) {
  std::optional<PaddedIds> out;
  for (const Op* op : flow.ops()) {
    if (op >= &before) break;
    if (plain_name(*op) != "embedding" || op->inputs.size() < 2 || !fits(*op)) continue;
    if (const auto pad = pad_of(flow, *op)) out = PaddedIds{op, *pad, times_in(flow.value(op->inputs[0].value), *pad)};
  }
  return out;
}

/// cross_entropy of scores for a vocabulary, whose targets are padding too. Of other classes 0 is a class.
std::optional<Finding> padding_in_the_loss(const Flow& flow, const Op& op) {
  const std::string_view name = plain_name(op);
  const ValueId target = input_named(op, "target");
  if ((name != "cross_entropy" && name != "nll_loss") || target < 0 || op.inputs.empty()) return std::nullopt;
  if (attribute(op, "ignore_index") || attribute(op, "reduction")) return std::nullopt;
  const Shape& scores = flow.value(op.inputs[0].value).shape;
  const auto ids = padded_ids(flow, op, [&](const Op& embedding) {
    const Shape& words = flow.value(embedding.inputs[0].value).shape;
    return scores.size() > 1 && words.size() > 1 && flow.value(embedding.inputs[1].value).shape[0] == scores[1];
  });
  const std::int64_t count = ids ? times_in(flow.value(target), ids->pad) : 0;
  if (count == 0) return std::nullopt;
  const std::string pad = short_number(ids->pad);
  Finding finding = remarked(
      flow, "unwritten", op,
      {{"count", std::to_string(count)}, {"total", std::to_string(numel_of(flow.value(target).shape))}, {"pad", pad}},
      {{"pad", pad}});
  if (code_of(flow, op).find("cross_entropy(") != std::string_view::npos)
    if (const auto edit = with_argument(flow, op, {"ignore_index"}, pad)) finding.tries.push_back({*edit});
  try_instead(flow, finding, "CrossEntropyLoss()", "CrossEntropyLoss(ignore_index=" + pad + ")");
  return finding;
}

/// (h * mask).mean(dim=1): padding is out of the sum, and the mean divides by all places.
std::optional<Finding> padding_in_the_mean(const Flow& flow, const Op& op) {
  if (plain_name(op) != "mean" || op.inputs.empty() || !attribute(op, "dim")) return std::nullopt;
  const std::vector<std::int64_t> dims = ints_in(*attribute(op, "dim"));
  const RecordedValue& summed = flow.value(op.inputs[0].value);
  const Op* masking = flow.maker(op.inputs[0].value);
  const ValueId mask = masking && plain_name(*masking) == "mul" ? mask_of(flow, *masking) : -1;
  if (mask < 0 || flow.is_drawn(mask) || !is_of_0_and_1(flow.value(mask)) || dims.size() != 1 ||
      summed.shape.size() != 3 || wrapped_axis(dims[0], 3) != 1)
    return std::nullopt;
  const auto ids = padded_ids(flow, op, [&](const Op& embedding) {
    const Shape& words = flow.value(embedding.inputs[0].value).shape;
    return words.size() == 2 && words[0] == summed.shape[0] && words[1] == summed.shape[1];
  });
  if (!ids || ids->count == 0) return std::nullopt;
  Finding finding =
      found(flow, "averaged", op,
            {{"count", std::to_string(ids->count)}, {"total", std::to_string(summed.shape[0] * summed.shape[1])}}, {});
  const std::string& written = masking->inputs[masking->inputs[0].value == mask ? 0 : 1].written;
  const std::string code(code_of(flow, op));
  const std::size_t at = code.rfind(".mean(");
  if (at != std::string::npos && !written.empty() && flow.value(mask).shape.size() == 3) {
    const std::string arguments = code.substr(at + 6);
    finding.tries.push_back(
        {{op.span, code.substr(0, at) + ".sum(" + arguments + " / " + written + ".sum(" + arguments}});
  }
  return finding;
}

/// scores.masked_fill(ids == 0, ...): a mask with a row for each text, without axes of size 1, lines up with the
/// queries or the heads where there are as many of these.
std::optional<Finding> padding_of_other_texts(const Flow& flow, const Op& op) {
  const auto axis = softmax_axis(flow, op);
  const auto scores = axis ? flow.scores_of(softmax_input(flow, op)) : std::nullopt;
  if (!scores || flow.products_with(op.outputs[0], *axis).empty()) return std::nullopt;
  for (const Op* step : scores->way) {
    const ValueId id = mask_of(flow, *step);
    const std::int64_t texts = id < 0 ? 0 : texts_of_mask(flow, id);
    if (texts < 2) continue;
    const RecordedValue &mask = flow.value(id), &masked = flow.value(step->outputs[0]);
    const std::size_t dims = masked.shape.size(), rank = mask.shape.size();
    const bool lines_up = rank >= 2 && rank < dims && mask.shape[0] == texts && masked.shape[0] == texts;
    if (!lines_up || *axis + 1 != dims || !differs_by_row(mask)) continue;
    const bool are_queries = rank == 2;
    Finding finding = found(flow, "padding", *step,
                            {{"texts", std::to_string(texts)},
                             {"others", axis_at_place(masked, dims - rank)},
                             {"what", say(are_queries ? "lint.padding.queries" : "lint.padding.heads")}},
                            {}, ".others");
    const std::vector<Span> arguments = arguments_of(flow, *step);
    const std::string axes = !are_queries ? ".unsqueeze(1)" : dims == 3 ? "[:, None, :]" : "[:, None, None, :]";
    if (plain_name(*step) == "masked_fill" && !arguments.empty())
      finding.tries.push_back(
          {{arguments[0], as_operand(flow.trace().sources[step->span.source].slice(arguments[0])) + axes}});
    return finding;
  }
  return std::nullopt;
}

/// scores.masked_fill(mask[0] == 0, ...): the padding of the first text, in all texts.
std::optional<Finding> padding_of_one_text(const Flow& flow, const Op& op) {
  const auto axis = softmax_axis(flow, op);
  const auto scores = axis ? flow.scores_of(softmax_input(flow, op)) : std::nullopt;
  if (!scores || flow.products_with(op.outputs[0], *axis).empty()) return std::nullopt;
  for (const Op* step : scores->way) {
    const ValueId mask = mask_of(flow, *step);
    const Shape& shape = flow.value(step->outputs[0]).shape;
    const Op* one = mask < 0 || shape.size() < 3 || shape[0] < 2 ? nullptr : one_of_several(flow, mask, shape[0]);
    if (!one) continue;
    if (!differs_by_row(flow.value(one->inputs[0].value))) continue;
    Finding finding = found(flow, "padding", *step, {{"texts", std::to_string(shape[0])}}, {}, ".one");
    const std::string& name = one->inputs[0].written;
    if (!name.empty())
      finding.tries.push_back({{one->span, name + (shape.size() == 3 ? "[:, None, :]" : "[:, None, None, :]")}});
    return finding;
  }
  return std::nullopt;
}

/// Whether the next word is chosen among so many scores that were made from a value.
bool is_chosen_from(const Flow& flow, ValueId id, std::int64_t words, int depth = 8) {
  return depth > 0 && std::any_of(flow.users(id).begin(), flow.users(id).end(), [&](const Op* op) {
           const std::string_view name = plain_name(*op);
           if (has_word("argmax multinomial topk max", name))
             return !flow.value(id).shape.empty() && flow.value(id).shape.back() == words;
           const bool goes_on = is_move(*op) || has_word("linear div mul softmax index masked_fill layer_norm", name);
           return goes_on && !op->outputs.empty() && op->outputs[0] != id &&
                  is_chosen_from(flow, op->outputs[0], words, depth - 1);
         });
}

/// How many texts end with padding behind their words.
std::int64_t texts_with_padding_last(const RecordedValue& ids, double pad) {
  std::int64_t count = 0;
  for (const NumberRow& row : rows_along(ids, 1)) count += row.numbers.back() == pad && row.numbers.front() != pad;
  return count;
}

/// logits[:, 0] of texts that are gone on with: what follows the first word, and not the last.
std::optional<Finding> next_of_the_first_word(const Flow& flow, const Op& op) {
  const auto items = attribute(op, "items");
  if (plain_name(op) != "index" || !items || op.inputs.empty() || op.outputs.empty()) return std::nullopt;
  const Shape &all = flow.value(op.inputs[0].value).shape, &chosen = flow.value(op.outputs[0]).shape;
  const bool is_first =
      *items == "(slice(None, None, None), 0)" || *items == "(slice(None, None, None), 0, slice(None, None, None))";
  if (!is_first || all.size() != 3 || all[1] < 2 || chosen.size() != 2) return std::nullopt;
  const bool are_words = std::any_of(flow.ops().begin(), flow.ops().end(), [&](const Op* each) {
    return each < &op && plain_name(*each) == "embedding" && each->inputs.size() > 1 &&
           flow.value(each->inputs[0].value).shape == Shape{all[0], all[1]} &&
           flow.value(each->inputs[1].value).shape[0] == all[2];
  });
  if (!are_words || !is_chosen_from(flow, op.outputs[0], all[2])) return std::nullopt;
  Finding finding = found(flow, "last", op, {{"length", std::to_string(all[1])}}, {}, ".first");
  const std::string code(code_of(flow, op));
  if (const std::size_t at = code.rfind("[:, 0"); at != std::string::npos)
    finding.tries.push_back({{op.span, code.substr(0, at) + "[:, -1" + code.substr(at + 5)}});
  return finding;
}

/// logits[:, -1] of texts that were padded on the right: for the shorter ones, the next word after the padding.
std::optional<Finding> padding_as_last_word(const Flow& flow, const Op& op) {
  const auto items = attribute(op, "items");
  if (plain_name(op) != "index" || !items || op.inputs.empty() || op.outputs.empty()) return std::nullopt;
  const Shape& all = flow.value(op.inputs[0].value).shape;
  constexpr std::string_view kLast[] = {"(slice(None, None, None), -1",
                                        "(slice(None, None, None), slice(-1, None, None",
                                        "(slice(None, None, None), [-1]"};
  const bool is_last =
      std::any_of(std::begin(kLast), std::end(kLast), [&](auto last) { return items->starts_with(last); });
  if (!is_last || all.size() != 3) return std::nullopt;
  const auto ids = padded_ids(flow, op, [&](const Op& embedding) {
    return flow.value(embedding.inputs[0].value).shape == Shape{all[0], all[1]};
  });
  if (!ids || ids->count == 0) return std::nullopt;
  const ValueId words = ids->embedding->inputs[0].value;
  const Op* made = flow.maker(unmoved(flow, words));
  // A text that is at its end is padded while others go on, and what follows it is not read.
  const bool is_written = made && (plain_name(*made) == "cat" || plain_name(*made) == "index_put");
  const std::int64_t count = texts_with_padding_last(flow.value(words), ids->pad);
  if (is_written || count == 0 || count == all[0] ||
      !is_chosen_from(flow, op.outputs[0], flow.value(ids->embedding->inputs[1].value).shape[0]))
    return std::nullopt;
  const std::string pad = short_number(ids->pad);
  Finding finding =
      found(flow, "last", op, {{"count", std::to_string(count)}, {"total", std::to_string(all[0])}, {"pad", pad}},
            {{"pad", pad}});
  const int call = flow.trace().step(op.step).activation;
  std::string name;
  for (const Step& step : flow.trace().steps)
    for (const Binding& binding : step.bindings)
      if (binding.value == words && (step.activation == 0 || step.activation == call)) name = binding.target;
  const std::string& argument = ids->embedding->inputs[0].written;  // no step binds it
  if (flow.trace().step(ids->embedding->step).activation == call && !argument.empty()) name = argument;
  const auto times =
      std::count_if(flow.ops().begin(), flow.ops().end(), [&](const Op* each) { return each->span == op.span; });
  const std::string code(code_of(flow, op));
  for (const std::string last : {"[:, -1]", "[:, -1, :]"})
    if (times == 1 && !name.empty() && code.ends_with(last))  // in a loop, words come after the padding
      finding.tries.push_back({{op.span, code.substr(0, code.size() - last.size()) + "[torch.arange(" +
                                             std::to_string(all[0]) + "), (" + name + " != " + pad + ").sum(1) - 1]"}});
  return finding;
}

}  // namespace

Rules padding_rules() {
  static constexpr RuleRow kRows[] = {
      {.at_op = padding_that_is_seen},   {.at_op = padding_of_one_text}, {.at_op = padding_of_other_texts},
      {.at_op = padding_in_the_loss},    {.at_op = padding_in_the_mean}, {.at_op = padding_as_last_word},
      {.at_op = next_of_the_first_word},
  };
  return kRows;
}

}  // namespace attn
