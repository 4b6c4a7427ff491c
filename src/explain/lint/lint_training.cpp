// Training: gradients that add up or are missing, targets and losses, what is measured.
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "base/number.h"
#include "base/text.h"
#include "explain/lint/lint_rules.h"
#include "syntax/snippet.h"
#include "tensor/core/read.h"

namespace attn {
namespace {

bool is_backward(const Op& op) { return op.name == "backward"; }
bool is_step(const Op& op) { return op.name == "optimizer_step"; }

bool program_names(const Trace& trace, std::initializer_list<std::string_view> words) {
  return std::any_of(trace.sources.begin(), trace.sources.end(), [&](const Source& source) {
    const std::string text = on_one_line(source.text);  // without comments
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return text.find(word) != std::string::npos; });
  });
}

/// "opt" of "opt.step()".
std::string owner_of(const Flow& flow, const Op& op) {
  const std::string_view code = code_of(flow, op);
  const std::size_t at = code.rfind('.');
  return std::string(code.substr(0, at == std::string_view::npos ? 0 : at));
}

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

enum class Sight { None, Past, Future };

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
  if (!axis || !flow.scores_of(input_named(op, "input")) || flow.products_with(op.outputs[0], *axis).empty())
    return Sight::None;
  const RecordedValue& weights = flow.value(op.outputs[0]);
  const std::size_t dims = weights.shape.size();
  if (weights.shape[dims - 1] != length || weights.shape[dims - 2] != length || !has_few_numbers(weights))
    return Sight::None;
  const std::vector<double> numbers = to_doubles(weights.tensor);
  const auto size = static_cast<std::size_t>(length);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (i % size > i / size % size && numbers[i] > 1e-6) return Sight::Future;
  return Sight::Past;
}

/// Whether each target is the id after the one that went in.
bool is_next(const std::vector<double>& ids, const std::vector<double>& targets, std::size_t length) {
  if (length < 3 || ids.size() != targets.size() || ids.size() % length != 0) return false;
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (i % length + 1 < length && targets[i] != ids[i + 1]) return false;
  return true;
}

/// What an op was computed from: the shape of each parameter that wants a gradient, by its storage.
std::map<std::int64_t, Shape> parameters_behind(const Flow& flow, const Op& op) {
  std::map<std::int64_t, Shape> out;
  std::set<const Op*> seen;
  std::vector<const Op*> to_see = {&op};
  while (!to_see.empty()) {
    const Op* next = to_see.back();
    to_see.pop_back();
    if (!next || !seen.insert(next).second) continue;
    for (const OpOperand& input : next->inputs) {
      const RecordedValue& value = flow.value(input.value);
      if (value.is_parameter && value.requires_grad) out.emplace(value.storage, value.shape);
      to_see.push_back(flow.maker(input.value));
    }
  }
  return out;
}

/// A layer without a gradient's way to it: whether an op before this value had a parameter that wants one.
bool has_parameter_behind(const Flow& flow, ValueId id, int depth = 16) {
  const Op* op = flow.maker(id);
  if (!op || depth == 0) return false;
  return std::any_of(op->inputs.begin(), op->inputs.end(), [&](const OpOperand& input) {
    const RecordedValue& value = flow.value(input.value);
    if (value.is_parameter) return value.requires_grad;
    return input.value != id && has_parameter_behind(flow, input.value, depth - 1);
  });
}

}  // namespace

std::optional<Finding> softmax_before_loss(const Flow& flow, const Op& op) {
  if (plain_name(op) != "cross_entropy" || op.inputs.empty()) return std::nullopt;
  const Op* softmax = flow.maker(unmoved(flow, op.inputs[0].value));
  if (!softmax || plain_name(*softmax) != "softmax" || softmax->inputs.empty()) return std::nullopt;
  Finding finding = found(flow, "twice", *softmax, {}, {});
  const std::vector<Span> arguments = arguments_of(flow, *softmax);
  std::string logits = softmax->inputs[0].written;
  if (logits.empty() && !arguments.empty())
    logits = std::string(flow.trace().sources[softmax->span.source].slice(arguments[0]));
  if (!logits.empty()) finding.tries.push_back({{softmax->span, logits}});
  for (std::uint32_t number = 0; number < flow.trace().sources.size(); ++number) {
    const std::string& text = flow.trace().sources[number].text;
    for (const std::string_view layer : {", nn.Softmax(dim=-1)", ", nn.Softmax(dim=1)", ", nn.Softmax(-1)"})
      if (const std::size_t at = text.find(layer); at != std::string::npos)
        finding.tries.push_back(
            {{{number, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + layer.size())}, ""}});
  }
  return finding;
}

std::optional<Finding> gradients_that_add_up(const Flow& flow, const Op& op) {
  if (!is_backward(op)) return std::nullopt;
  bool had_gradients = false;
  std::string optimizer;
  for (const Op* earlier : flow.ops()) {
    if (earlier == &op) break;
    if (is_backward(*earlier)) had_gradients = true;
    if (is_step(*earlier) && had_gradients) optimizer = owner_of(flow, *earlier);
  }
  if (optimizer.empty() ||
      program_names(flow.trace(), {"zero_grad", "grad.zero_", "grad = None", "grad=None", ".fill_(0"}))
    return std::nullopt;
  Finding finding = found(flow, "zero", op, {}, {{"optimizer", optimizer}});
  finding.tries.push_back({{op.span, optimizer + ".zero_grad(); " + std::string(code_of(flow, op))}});
  return finding;
}

std::optional<Finding> step_without_gradients(const Flow& flow, const Op& op) {
  if (!is_step(op) || !op.inputs.empty()) return std::nullopt;
  const auto backward =
      std::find_if(flow.ops().begin(), flow.ops().end(), [](const Op* each) { return is_backward(*each); });
  if (backward == flow.ops().end()) return found(flow, "step", op, {}, {}, ".never");
  if (*backward < &op) return std::nullopt;
  return found(flow, "step", op, {}, {});
}

std::optional<Finding> layers_nobody_trains(const Flow& flow, const Op& op) {
  if (!is_step(op) || op.inputs.empty()) return std::nullopt;
  std::set<std::int64_t> moved;
  const Op* backward = nullptr;
  for (const Op* each : flow.ops()) {
    if (is_backward(*each) && each < &op) backward = each;
    if (!is_step(*each)) continue;
    for (const OpOperand& input : each->inputs) moved.insert(flow.value(input.value).storage);
  }
  std::map<std::int64_t, Shape> used;
  if (backward) used = parameters_behind(flow, *backward);
  std::int64_t numbers = 0;
  for (const auto& [storage, shape] : used) {
    std::int64_t count = 1;
    for (const std::int64_t size : shape) count *= size;
    if (!moved.contains(storage)) numbers += count;
  }
  if (numbers == 0) return std::nullopt;
  for (const Step& step : flow.trace().steps) {
    for (const Binding& binding : step.bindings) {
      if (binding.value < 0 || !binding.target.starts_with("self.")) continue;
      const RecordedValue& value = flow.value(binding.value);
      if (value.type != "list" || value.text.find('(') == std::string::npos) continue;
      const std::string_view code = flow.trace().sources[step.span.source].slice(step.span);
      const std::size_t equals = code.find('=');
      if (equals == std::string_view::npos || value.text.find("_features=") == std::string::npos) continue;
      Finding finding = found(flow, "untrained", op, {{"count", std::to_string(numbers)}, {"list", binding.target}},
                              {{"list", binding.target}}, ".list");
      Span right = step.span;
      right.begin += static_cast<std::uint32_t>(equals + 1);
      finding.tries.push_back({{right, " nn.ModuleList(" + std::string(trim(code.substr(equals + 1))) + ")"}});
      return finding;
    }
  }
  return remarked(flow, "untrained", op, {{"count", std::to_string(numbers)}}, {});
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

std::optional<Finding> sees_the_future(const Flow& flow, const Op& op) {
  const ValueId target = target_of(op);
  const std::vector<ValueId> ids = target < 0 ? std::vector<ValueId>() : ids_before(flow, op);
  if (ids.empty()) return std::nullopt;
  const std::int64_t length = flow.value(ids.back()).shape.back();
  if (!is_next(numbers_of(flow, ids.back()), numbers_of(flow, target), static_cast<std::size_t>(length)))
    return std::nullopt;
  const Op* seeing = nullptr;
  for (const Op* each : round_before(flow, op)) {
    const Sight sight = sight_of(flow, *each, length);
    if (sight == Sight::Past) return std::nullopt;
    if (sight == Sight::Future) seeing = each;
  }
  if (!seeing) return std::nullopt;
  Finding finding = found(flow, "future", *seeing, {}, {{"length", std::to_string(length)}});
  if (plain_name(*seeing) == "scaled_dot_product_attention") {
    if (const auto edit = with_argument(flow, *seeing, {"is_causal"}, "True", 5)) finding.tries.push_back({*edit});
  } else if (const auto arguments = arguments_of(flow, *seeing); arguments.size() == 2) {
    const std::string scores(flow.trace().sources[seeing->span.source].slice(arguments[0]));
    const std::string size = seeing->inputs[0].written.empty() ? std::to_string(length) : scores + ".size(-1)";
    const std::string operand = seeing->inputs[0].written.empty() ? "(" + scores + ")" : scores;
    finding.tries.push_back({{arguments[0], operand + ".masked_fill(torch.ones(" + size + ", " + size +
                                                ").triu(1) == 1, float(\"-inf\"))"}});
  }
  return finding;
}

std::optional<Finding> dropout_while_measuring(const Flow& flow, const Op& op) {
  if (plain_name(op) != "dropout" || op.inputs.empty() || op.outputs.empty()) return std::nullopt;
  const RecordedValue &before = flow.value(op.inputs[0].value), &after = flow.value(op.outputs[0]);
  if (before.storage == after.storage || after.requires_grad || !has_parameter_behind(flow, op.inputs[0].value))
    return std::nullopt;
  const bool was_trained = std::any_of(flow.ops().begin(), flow.ops().end(),
                                       [&](const Op* each) { return each < &op && is_backward(*each); });
  if (!was_trained) return std::nullopt;
  return found(flow, "measured", op, {}, {});
}

/// Beyond noise: twice the first loss at the last step, or no number at all.
std::optional<Finding> growing_loss(const Flow& flow, const Op& op) {
  if (!is_backward(op) || op.inputs.empty()) return std::nullopt;
  std::vector<double> losses;
  const Op* last = nullptr;
  for (const Op* each : flow.ops()) {
    if (!is_backward(*each) || each->span != op.span || each->inputs.empty()) continue;
    last = each;
    const auto loss = number_of(flow, *each, each->inputs[0].parameter);
    if (!loss) return std::nullopt;
    losses.push_back(*loss);
  }
  if (last != &op || losses.size() < 3 || !std::isfinite(losses.front()) || losses.front() <= 0) return std::nullopt;
  if (std::isfinite(losses.back()) && losses.back() < 2 * losses.front()) return std::nullopt;
  if (!std::any_of(flow.ops().begin(), flow.ops().end(), [](const Op* each) { return is_step(*each); }))
    return std::nullopt;
  Finding finding =
      found(flow, "grows", op, {{"first", short_number(losses.front())}, {"last", short_number(losses.back())}}, {});
  for (std::uint32_t number = 0; number < flow.trace().sources.size(); ++number) {
    const std::string& text = flow.trace().sources[number].text;
    const std::size_t at = text.find("lr=");
    if (at == std::string::npos) continue;
    const std::size_t end = text.find_first_of(",)", at);
    const auto rate = parse_double(text.substr(at + 3, end - at - 3));
    const Span span = {number, static_cast<std::uint32_t>(at + 3), static_cast<std::uint32_t>(end)};
    for (const double smaller : {0.01, 0.001, 0.0001})
      if (rate) finding.tries.push_back({{span, short_number(*rate * smaller)}});
  }
  return finding;
}

/// total += loss: every step's graph stays in memory as long as the total does.
std::optional<Finding> kept_graphs(const Flow& flow, const Op& op) {
  if (plain_name(op) != "add" || op.inputs.size() != 2 || op.outputs.empty()) return std::nullopt;
  const OpOperand &total = op.inputs[0], &loss = op.inputs[1];
  const Op* before = flow.maker(total.value);
  if (!before || before->span != op.span || !flow.value(loss.value).requires_grad) return std::nullopt;
  const auto is_loss = [&](const Op* each) {
    return is_backward(*each) && !each->inputs.empty() && each->inputs[0].value == loss.value;
  };
  if (std::none_of(flow.ops().begin(), flow.ops().end(), is_loss)) return std::nullopt;
  Finding finding = remarked(flow, "graph", op, {}, {{"loss", loss.written.empty() ? "loss" : loss.written}});
  const std::string code(code_of(flow, op));
  if (const std::size_t at = code.rfind(loss.written); !loss.written.empty() && at != std::string::npos) {
    Span span = op.span;
    span.begin += static_cast<std::uint32_t>(at);
    span.end = span.begin + static_cast<std::uint32_t>(loss.written.size());
    finding.tries.push_back({{span, loss.written + ".item()"}});
  }
  return finding;
}

/// losses.append(loss) of a loss that backward() has been through.
void lists_of_graphs(const Flow& flow, std::vector<Finding>& findings) {
  const Trace& trace = flow.trace();
  std::set<ValueId> losses;
  for (const Op* op : flow.ops())
    if (is_backward(*op) && !op->inputs.empty()) losses.insert(op->inputs[0].value);
  std::map<std::string, ValueId> bound;
  std::set<std::uint32_t> told;
  for (std::size_t i = 0; i < trace.steps.size() && !losses.empty(); ++i) {
    const Step& step = trace.steps[i];
    for (const Binding& binding : step.bindings) bound[binding.target] = binding.value;
    const std::string_view code = trace.sources[step.span.source].slice(step.span);
    const std::size_t at = code.find(".append(");
    if (at == std::string_view::npos || !code.ends_with(')')) continue;
    const std::string_view appended = code.substr(at + 8, code.size() - at - 9);
    const auto value = bound.find(std::string(appended));
    if (value == bound.end() || !losses.contains(value->second) || !told.insert(step.span.begin).second) continue;
    Finding finding{"graph", -1, say("lint.graph.list"),
                    say("lint.graph.list.right", {{"loss", std::string(appended)}})};
    finding.step = static_cast<StepId>(i);
    finding.is_remark = true;
    Span place = step.span;
    place.begin += static_cast<std::uint32_t>(at + 8);
    place.end -= 1;
    finding.tries.push_back({{place, std::string(appended) + ".item()"}});
    findings.push_back(std::move(finding));
  }
}

/// Where NaN first comes from numbers: 0 * inf, inf - inf, 0 / 0. Rows of a softmax without anything to look at have
/// their own note.
void first_nan(const Flow& flow, std::vector<Finding>& findings) {
  std::int64_t left = std::int64_t{1} << 24;  // numbers to look at, in all
  const auto has_nan = [&](ValueId id) {
    const RecordedValue& value = flow.value(id);
    if (!is_floating(value.dtype) || !has_few_numbers(value) || left < value.tensor.numel()) return false;
    left -= value.tensor.numel();
    const std::vector<double> numbers = to_doubles(value.tensor);
    return std::any_of(numbers.begin(), numbers.end(), [](double x) { return std::isnan(x); });
  };
  for (const Op* op : flow.ops()) {
    if (op->outputs.empty() || !has_nan(op->outputs[0])) continue;
    const bool comes_in =
        std::any_of(op->inputs.begin(), op->inputs.end(), [&](const OpOperand& input) { return has_nan(input.value); });
    const std::string_view name = plain_name(*op);
    if (!comes_in && (name == "mul" || name == "sub" || name == "add" || name == "div"))
      findings.push_back(found(flow, "nan", *op, {}, {}));
    return;
  }
}

}  // namespace attn
