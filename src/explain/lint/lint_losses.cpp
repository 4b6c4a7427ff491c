// What the loss compares: scores with targets, each with its own, of the next word.
#include <cmath>
#include <iterator>
#include <set>

#include "base/text.h"
#include "base/words.h"
#include "explain/lint/lint_rules.h"
#include "explain/wording.h"
#include "syntax/snippet.h"
#include "tensor/core/read.h"

namespace attn {
namespace {

std::vector<double> numbers_of(const Flow& flow, ValueId id) {
  const RecordedValue& value = flow.value(id);
  return has_few_numbers(value) ? to_doubles(value.tensor) : std::vector<double>();
}

/// The ops before one, back to where the same code ran before: those of a round of the loop.
std::vector<const Op*> round_before(const Flow& flow, const Op& op) {
  const auto here = std::lower_bound(flow.ops().begin(), flow.ops().end(), &op);
  auto begin = here;
  while (begin != flow.ops().begin() && (*std::prev(begin))->span != op.span) --begin;
  return {begin, here};
}

/// The ids that went into embeddings before an op; those of positions, which count from 0, left out.
std::vector<ValueId> ids_before(const Flow& flow, const Op& op) {
  std::vector<ValueId> out;
  for (const Op* earlier : round_before(flow, op)) {
    if (plain_name(*earlier) != "embedding" || earlier->inputs.empty()) continue;
    const std::vector<double> ids = numbers_of(flow, earlier->inputs[0].value);
    bool counts = true;
    for (std::size_t i = 1; i < ids.size(); ++i) counts = counts && ids[i] == ids[i - 1] + 1;
    if (!counts && ids.size() >= 4) out.push_back(earlier->inputs[0].value);
  }
  return out;
}

ValueId target_of(const Op& op) {
  return plain_name(op) == "cross_entropy" || plain_name(op) == "nll_loss" ? input_named(op, "target") : -1;
}

enum class Sight { None, Past, Future, FutureAlone };

/// How far the attention of an op looks, along `length`.
Sight sight_of(const Flow& flow, const Op& op, std::int64_t length) {
  const std::string_view name = plain_name(op);
  if (name == "scaled_dot_product_attention" || name == "multi_head_attention") {
    const bool is_module = name == "multi_head_attention";
    const ValueId query = input_named(op, "query"), key = input_named(op, "key");
    if (query < 0 || key < 0) return Sight::None;
    const Shape &q = flow.value(query).shape, &k = flow.value(key).shape;
    const std::size_t place = is_module ? 0 : q.size() - 2;
    if (q[place] != length || k[is_module ? 0 : k.size() - 2] != length) return Sight::None;
    return input_named(op, "attn_mask") >= 0 || attribute(op, "is_causal") == "True" ? Sight::Past : Sight::Future;
  }
  const auto axis = softmax_axis(flow, op);
  if (!axis || !flow.scores_of(softmax_input(flow, op)) || flow.products_with(op.outputs[0], *axis).empty())
    return Sight::None;
  const RecordedValue& weights = flow.value(op.outputs[0]);
  const std::size_t dims = weights.shape.size();
  if (weights.shape[dims - 1] != length || weights.shape[dims - 2] != length || !has_few_numbers(weights))
    return Sight::None;
  const std::vector<double> numbers = to_doubles(weights.tensor);
  const auto size = static_cast<std::size_t>(length);
  bool sees_past = false, sees_future = false;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t key = i % size, query = i / size % size;
    sees_past = sees_past || (key < query && numbers[i] > 1e-6);
    sees_future = sees_future || (key > query && numbers[i] > 1e-6);
  }
  return !sees_future ? Sight::Past : sees_past ? Sight::Future : Sight::FutureAlone;
}

/// What an op of attention looks at: its keys.
ValueId keys_of(const Flow& flow, const Op& op) {
  if (const ValueId keys = input_named(op, "key"); keys >= 0) return keys;
  const auto scores = softmax_axis(flow, op) ? flow.scores_of(softmax_input(flow, op)) : std::nullopt;
  return scores ? scores->product.right : -1;
}

/// Whether a value is made of the embeddings of other ids alone: of the sentence that is translated.
bool is_made_of_others(const Flow& flow, ValueId value, ValueId ids) {
  constexpr std::size_t kMost = 2000;
  std::vector<ValueId> waiting{value};
  std::set<ValueId> seen;
  bool has_others = false;
  while (!waiting.empty() && seen.size() < kMost) {
    const ValueId id = waiting.back();
    waiting.pop_back();
    const Op* op = seen.insert(id).second ? flow.maker(id) : nullptr;
    if (!op) continue;
    if (plain_name(*op) == "embedding" && !op->inputs.empty()) {
      if (numbers_of(flow, op->inputs[0].value) == numbers_of(flow, ids)) return false;
      has_others = true;
    }
    for (const OpOperand& input : op->inputs) waiting.push_back(input.value);
  }
  return has_others && waiting.empty();
}

/// Whether each target is the id after the one that went in.
bool is_next(const std::vector<double>& ids, const std::vector<double>& targets, std::size_t length) {
  if (length < 3 || ids.size() != targets.size() || ids.size() % length != 0) return false;
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (i % length + 1 < length && targets[i] != ids[i + 1]) return false;
  return true;
}

/// Whether a loss predicts from ids that went in the word after each, or the one before.
Predicted predicted_by(const Flow& flow, const Op& loss) {
  const ValueId target = target_of(loss);
  const std::vector<ValueId> ids = target < 0 ? std::vector<ValueId>() : ids_before(flow, loss);
  if (ids.empty()) return Predicted::Neither;
  const std::vector<double> read = numbers_of(flow, ids.back()), targets = numbers_of(flow, target);
  const auto length = static_cast<std::size_t>(flow.value(ids.back()).shape.back());
  return is_next(read, targets, length)   ? Predicted::Next
         : is_next(targets, read, length) ? Predicted::Previous
                                          : Predicted::Neither;
}

/// The op that cut a value to fewer words, moved about since; null: none did.
const Op* cut_to_fewer_words(const Flow& flow, ValueId id) {
  const Op* op = flow.maker(id);
  for (int depth = 0; op && depth < 8 && !op->inputs.empty(); ++depth) {
    const Shape &before = flow.value(op->inputs[0].value).shape, &after = flow.value(op->outputs[0]).shape;
    if (plain_name(*op) == "index" && before.size() == after.size() && before != after) return op;
    if (!is_move(*op) && plain_name(*op) != "contiguous" && plain_name(*op) != "clone") return nullptr;
    op = flow.maker(op->inputs[0].value);
  }
  return nullptr;
}

/// Whether a slice begins where the whole does.
bool begins_with(const Flow& flow, const Op& slice) {
  const std::vector<double> all = numbers_of(flow, slice.inputs[0].value), some = numbers_of(flow, slice.outputs[0]);
  return !all.empty() && !some.empty() && all[0] == some[0];
}

/// Whether each of `some` targets of a text is `steps` words after the id at its place.
bool is_ahead(const std::vector<double>& ids, const std::vector<double>& targets, std::size_t length, std::size_t some,
              std::size_t steps) {
  std::size_t compared = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const std::size_t text = i / some, place = i % some + steps;
    if (place >= length) continue;
    if (targets[i] != ids[text * length + place]) return false;
    ++compared;
  }
  return compared >= 6;  // fewer may be alike at random
}

std::optional<Finding> softmax_before_loss(const Flow& flow, const Op& op) {
  const bool is_binary = plain_name(op) == "binary_cross_entropy_with_logits";
  if ((plain_name(op) != "cross_entropy" && !is_binary) || op.inputs.empty()) return std::nullopt;
  const Op* softmax = flow.maker(unmoved(flow, op.inputs[0].value));
  if (!softmax || plain_name(*softmax) != (is_binary ? "sigmoid" : "softmax") || softmax->inputs.empty())
    return std::nullopt;
  Finding finding = found(flow, "twice", *softmax, {}, {}, is_binary ? ".sigmoid" : "");
  const std::vector<Span> arguments = arguments_of(flow, *softmax);
  std::string logits = softmax->inputs[0].written;
  if (logits.empty() && !arguments.empty())
    logits = std::string(flow.trace().sources[softmax->span.source].slice(arguments[0]));
  if (!logits.empty()) finding.tries.push_back({{softmax->span, logits}});
  for (std::uint32_t number = 0; number < flow.trace().sources.size(); ++number) {
    const std::string& text = flow.trace().sources[number].text;
    for (const std::string_view layer :
         {", nn.Softmax(dim=-1)", ", nn.Softmax(dim=1)", ", nn.Softmax(-1)", ", nn.Sigmoid()"})
      if (const std::size_t at = text.find(layer); at != std::string::npos)
        finding.tries.push_back(
            {{{number, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + layer.size())}, ""}});
  }
  return finding;
}

}  // namespace

void try_instead(const Flow& flow, Finding& finding, std::string_view word, const std::string& other) {
  for (std::uint32_t number = 0; number < flow.trace().sources.size(); ++number) {
    const std::size_t at = flow.trace().sources[number].text.find(word);
    if (at == std::string::npos) continue;
    const auto begin = static_cast<std::uint32_t>(at), end = static_cast<std::uint32_t>(at + word.size());
    finding.tries.push_back({{{number, begin, end}, other}});
  }
}

namespace {

// A logarithm of a probability is never above 0.
std::optional<Finding> scores_without_log(const Flow& flow, const Op& op) {
  const std::vector<double> numbers = numbers_of(flow, op.inputs[0].value);
  if (std::none_of(numbers.begin(), numbers.end(), [](double number) { return number > 1e-3; })) return std::nullopt;
  Finding finding = found(flow, "log", op, {}, {}, ".scores");
  try_instead(flow, finding, "nll_loss(", "cross_entropy(");
  try_instead(flow, finding, "NLLLoss(", "CrossEntropyLoss(");
  return finding;
}

/// nll_loss takes log-probabilities: of probabilities, it is the mean of those of the targets, negative.
std::optional<Finding> softmax_without_log(const Flow& flow, const Op& op) {
  if (plain_name(op) != "nll_loss" || op.inputs.empty()) return std::nullopt;
  const Op* softmax = flow.maker(unmoved(flow, op.inputs[0].value));
  if (!softmax || plain_name(*softmax) != "softmax") return scores_without_log(flow, op);
  Finding finding = found(flow, "log", *softmax, {}, {});
  const std::string code(code_of(flow, *softmax));
  if (const std::size_t at = code.rfind("softmax("); at != std::string::npos)
    finding.tries.push_back({{softmax->span, code.substr(0, at) + "log_" + code.substr(at)}});
  try_instead(flow, finding, "nn.Softmax(", "nn.LogSoftmax(");
  return finding;
}

/// transpose(0, 1) or permute(1, 0, 2) of three axes.
bool exchanges_first_axes(const Flow& flow, const Op& op) {
  if (op.inputs.empty() || flow.value(op.inputs[0].value).shape.size() != 3) return false;
  if (const auto dims = attribute(op, "dims")) return ints_in(*dims) == std::vector<std::int64_t>{1, 0, 2};
  const auto first = attribute(op, "dim0"), second = attribute(op, "dim1");
  return first && second && ints_in(*first)[0] + ints_in(*second)[0] == 1;
}

/// As many texts as words: whether the ids went in with the words in front and the targets have the texts in front,
/// and nothing between them turned the scores back.
bool is_turned_square(const Flow& flow, const Op& loss, std::size_t size) {
  const std::vector<ValueId> ids = ids_before(flow, loss);
  if (ids.empty()) return false;
  const std::vector<double> read = numbers_of(flow, ids.back()), targets = numbers_of(flow, target_of(loss));
  if (read.size() != size * size) return false;
  std::vector<double> by_text(read.size());
  for (std::size_t i = 0; i < read.size(); ++i) by_text[i % size * size + i / size] = read[i];
  if (!is_next(by_text, targets, size) || is_next(read, targets, size)) return false;
  const std::vector<const Op*> round = round_before(flow, loss);
  return std::count_if(round.begin(), round.end(), [&](const Op* op) { return exchanges_first_axes(flow, *op); }) % 2 ==
         0;
}

/// Scores of [length, batch, classes] and targets of [batch, length], both flattened: each row meets the target of
/// another word.
std::optional<Finding> rows_of_other_targets(const Flow& flow, const Op& op) {
  const ValueId target = target_of(op);
  const Op* scores = target < 0 || op.inputs.empty() ? nullptr : flow.maker(op.inputs[0].value);
  const Op* targets = flow.maker(target);
  const auto flattens = [](const Op* each) {
    return each && !each->inputs.empty() &&
           (plain_name(*each) == "view" || plain_name(*each) == "reshape" || plain_name(*each) == "flatten");
  };
  if (!flattens(scores) || !flattens(targets)) return std::nullopt;
  const RecordedValue &rows = flow.value(scores->inputs[0].value), &ids = flow.value(targets->inputs[0].value);
  const bool may_be_turned = rows.shape.size() == 3 && ids.shape.size() == 2 && rows.shape[0] == ids.shape[1] &&
                             rows.shape[1] == ids.shape[0] &&
                             flow.value(op.inputs[0].value).shape == Shape{ids.shape[0] * ids.shape[1], rows.shape[2]};
  if (!may_be_turned) return std::nullopt;
  if (rows.shape[0] == rows.shape[1] && !is_turned_square(flow, op, static_cast<std::size_t>(rows.shape[0])))
    return std::nullopt;
  Finding finding = found(flow, "order", *scores, {{"scores", axes_text(rows)}, {"targets", axes_text(ids)}}, {});
  const std::string code(code_of(flow, *scores));
  for (const std::string name : {".reshape(", ".view(", ".flatten("})
    if (const std::size_t at = code.rfind(name); at != std::string::npos)
      finding.tries.push_back(
          {{scores->span, code.substr(0, at) + ".transpose(0, 1)" + (name == ".view(" ? ".reshape(" : name) +
                              code.substr(at + name.size())}});
  return finding;
}

/// logits.view(B, V, T): cross_entropy wants the classes second, and a view does not turn them there.
std::optional<Finding> classes_by_view(const Flow& flow, const Op& op) {
  const Op* view = target_of(op) < 0 || op.inputs.empty() ? nullptr : flow.maker(op.inputs[0].value);
  if (!view || view->inputs.empty() || (plain_name(*view) != "view" && plain_name(*view) != "reshape"))
    return std::nullopt;
  const RecordedValue &before = flow.value(view->inputs[0].value), &after = flow.value(op.inputs[0].value);
  if (before.shape.size() != 3 || before.shape[1] == before.shape[2] ||
      after.shape != Shape{before.shape[0], before.shape[2], before.shape[1]})
    return std::nullopt;
  Finding finding = found(flow, "classes", *view, {{"before", axes_text(before)}, {"after", axes_text(after)}}, {});
  const std::string code(code_of(flow, *view));
  if (const std::size_t at = std::max(code.rfind(".view(") + 1, code.rfind(".reshape(") + 1); at > 0)
    finding.tries.push_back({{view->span, code.substr(0, at - 1) + ".transpose(1, 2)"}});
  return finding;
}

std::optional<Finding> targets_not_shifted(const Flow& flow, const Op& op) {
  const ValueId target = target_of(op);
  const std::vector<ValueId> ids = target < 0 ? std::vector<ValueId>() : ids_before(flow, op);
  if (ids.empty()) return std::nullopt;
  const std::vector<double> targets = numbers_of(flow, target);
  for (const ValueId id : ids)
    if (numbers_of(flow, id) != targets) return std::nullopt;
  const std::int64_t length = flow.value(ids.back()).shape.back();
  const std::vector<const Op*> round = round_before(flow, op);
  const bool is_causal = std::any_of(round.begin(), round.end(),
                                     [&](const Op* each) { return sight_of(flow, *each, length) == Sight::Past; });
  Finding finding = found(flow, "shift", op, {}, {}, is_causal ? "" : ".copy");
  finding.is_remark = !is_causal;
  return finding;
}

/// y = text[1:], and then logits[:, :-1] against y[:, 1:]: each word is to predict the one after the next.
std::optional<Finding> targets_shifted_twice(const Flow& flow, const Op& op) {
  const ValueId target = target_of(op);
  const std::vector<ValueId> all_ids = target < 0 ? std::vector<ValueId>() : ids_before(flow, op);
  const Op* scores = op.inputs.empty() ? nullptr : cut_to_fewer_words(flow, op.inputs[0].value);
  const Op* labels = target < 0 ? nullptr : cut_to_fewer_words(flow, target);
  if (all_ids.empty() || !scores || !labels || !begins_with(flow, *scores)) return std::nullopt;
  const std::vector<double> ids = numbers_of(flow, all_ids.back()), targets = numbers_of(flow, target);
  const auto length = static_cast<std::size_t>(flow.value(all_ids.back()).shape.back());
  const std::size_t texts = length == 0 ? 0 : ids.size() / length;
  // Where another loss has the next word as its target, this one is for the word after that.
  const bool has_loss_of_next = std::any_of(flow.ops().begin(), flow.ops().end(), [&](const Op* each) {
    const std::vector<double> others =
        target_of(*each) < 0 ? std::vector<double>() : numbers_of(flow, target_of(*each));
    return texts > 0 && (others.size() == ids.size() || others.size() == texts * (length - 1)) &&
           is_ahead(ids, others, length, others.size() / texts, 1);
  });
  if (has_loss_of_next || length < 4 || targets.size() != texts * (length - 1) ||
      !is_ahead(ids, targets, length, length - 1, 2))
    return std::nullopt;
  Finding finding = found(flow, "shift", op, {}, {}, ".twice");
  if (const std::string& logits = scores->inputs[0].written, &words = labels->inputs[0].written;
      !logits.empty() && !words.empty())
    finding.tries.push_back({{scores->span, logits}, {labels->span, words}});
  return finding;
}

/// Guesses [n, 1] with targets [n]: together they are [n, n].
std::optional<Finding> every_guess_with_every_target(const Flow& flow, const Op& op) {
  const std::string_view name = plain_name(op);
  const bool is_loss = has_word("mse_loss l1_loss smooth_l1_loss huber_loss", name);
  if ((!is_loss && name != "sub") || op.inputs.size() < 2) return std::nullopt;
  const OpOperand &a = op.inputs[0], &b = op.inputs[1];
  const bool is_first = flow.value(a.value).shape.size() > flow.value(b.value).shape.size();
  const OpOperand &with_one = is_first ? a : b, &other = is_first ? b : a;
  Shape shape = flow.value(with_one.value).shape;
  if (shape.empty() || shape.back() != 1) return std::nullopt;
  shape.pop_back();
  if (shape != flow.value(other.value).shape || shape.empty() || shape.back() < 2) return std::nullopt;
  // A difference of columns and rows may well be meant, but not of what a layer guesses.
  const Op* const guess = flow.maker(unmoved(flow, with_one.value));
  if (!is_loss && (!guess || plain_name(*guess) != "linear")) return std::nullopt;
  Shape both = shape;
  both.push_back(shape.back());
  Finding finding = found(flow, "guesses", op,
                          {{"one", shape_text(flow.value(a.value).shape)},
                           {"other", shape_text(flow.value(b.value).shape)},
                           {"both", shape_text(both)}},
                          {});
  const Source& source = flow.trace().sources[op.span.source];
  if (const auto arguments = arguments_of(flow, op); is_loss && arguments.size() >= 2) {
    const Span place = arguments[is_first ? 0 : 1];
    finding.tries.push_back({{place, as_operand(source.slice(place)) + ".squeeze(-1)"}});
  } else if (!is_loss && !a.written.empty() && !b.written.empty()) {
    finding.tries.push_back(
        {{op.span, a.written + (is_first ? ".squeeze(-1) - " : " - ") + b.written + (is_first ? "" : ".squeeze(-1)")}});
  }
  return finding;
}

}  // namespace

Predicted predicted_word(const Flow& flow) {
  const auto loss =
      std::find_if(flow.ops().begin(), flow.ops().end(), [](const Op* each) { return target_of(*each) >= 0; });
  return loss == flow.ops().end() ? Predicted::Neither : predicted_by(flow, **loss);
}

namespace {

std::optional<Finding> sees_the_future(const Flow& flow, const Op& op) {
  if (predicted_by(flow, op) != Predicted::Next) return std::nullopt;
  const std::vector<ValueId> ids = ids_before(flow, op);
  const std::int64_t length = flow.value(ids.back()).shape.back();
  const Op* seeing = nullptr;
  for (const Op* each : round_before(flow, op)) {
    const Sight sight = sight_of(flow, *each, length);
    if (sight == Sight::Past || sight == Sight::FutureAlone) return std::nullopt;  // a triangle has a note of its own
    if (sight == Sight::Future && !is_made_of_others(flow, keys_of(flow, *each), ids.back())) seeing = each;
  }
  if (!seeing) return std::nullopt;
  const bool is_module = plain_name(*seeing) == "multi_head_attention";
  Finding finding =
      found(flow, "future", *seeing, {}, {{"length", std::to_string(length)}}, is_module ? ".module" : "");
  if (plain_name(*seeing) == "scaled_dot_product_attention") {
    if (const auto edit = with_argument(flow, *seeing, {"is_causal"}, "True", 5)) finding.tries.push_back({*edit});
  } else if (const auto arguments = arguments_of(flow, *seeing); is_module && !arguments.empty()) {
    const std::string_view x = flow.trace().sources[seeing->span.source].slice(arguments[0]);
    const std::string axis = attribute(*seeing, "batch_first") == "True" ? "1" : "0";
    const std::string mask = "nn.Transformer.generate_square_subsequent_mask(" + as_operand(x) + ".size(" + axis + "))";
    for (const std::string_view name : {"attn_mask", "src_mask", "mask"})
      if (const auto edit = with_argument(flow, *seeing, {name}, mask)) finding.tries.push_back({*edit});
  } else if (arguments.size() == 2) {
    const std::string scores(flow.trace().sources[seeing->span.source].slice(arguments[0]));
    const std::string size = seeing->inputs[0].written.empty() ? std::to_string(length) : scores + ".size(-1)";
    const std::string operand = seeing->inputs[0].written.empty() ? "(" + scores + ")" : scores;
    finding.tries.push_back({{arguments[0], operand + ".masked_fill(torch.ones(" + size + ", " + size +
                                                ").triu(1) == 1, float(\"-inf\"))"}});
  }
  return finding;
}

}  // namespace

Rules loss_rules() {
  static constexpr RuleRow kRows[] = {
      {.at_op = softmax_before_loss},           {.at_op = softmax_without_log},
      {.at_op = rows_of_other_targets},         {.at_op = classes_by_view},
      {.at_op = targets_not_shifted},           {.at_op = targets_shifted_twice},
      {.at_op = every_guess_with_every_target}, {.at_op = sees_the_future},
  };
  return kRows;
}

}  // namespace attn
