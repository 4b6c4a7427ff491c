// The values that weights sum up: those that nobody reads, those that are not summed at all, and those of another text
// than the keys.
#include <cctype>
#include <set>

#include "base/text.h"
#include "base/words.h"
#include "explain/lint/lint_rules.h"
#include "syntax/snippet.h"
#include "torch/op.h"

namespace attn {
namespace {

/// Whether an op that computes takes a value, moved about; `seen` are its moves.
bool is_read(const Flow& flow, ValueId id, std::set<ValueId>& seen) {
  if (!seen.insert(id).second) return false;
  for (const Op* user : flow.users(id)) {
    if (plain_name(*user) == "size") continue;
    if (!is_move(*user)) return true;
    for (const ValueId output : user->outputs)
      if (is_read(flow, output, seen)) return true;
  }
  return false;
}

bool goes_on(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)); }

/// Whether the rest of the function that a step is in has a name in its text.
bool is_named_after(const Trace& trace, const Step& step, std::string_view name) {
  const std::string& text = trace.sources[step.span.source].text;
  const std::size_t def = text.rfind("def ", step.span.begin);
  if (def == std::string::npos) return true;
  const std::size_t margin = def - (text.rfind('\n', def) == std::string::npos ? 0 : text.rfind('\n', def) + 1);
  std::size_t end = step.span.end;
  for (end = text.find('\n', end); end != std::string::npos; end = text.find('\n', end + 1)) {
    const std::size_t first = text.find_first_not_of(" \n", end);
    if (first == std::string::npos || first - (text.rfind('\n', first) + 1) <= margin) break;
  }
  const std::string_view rest = std::string_view(text).substr(0, std::min(end, text.size())).substr(step.span.end);
  for (std::size_t at = rest.find(name); at != std::string_view::npos; at = rest.find(name, at + 1)) {
    const std::size_t after = at + name.size();
    if ((at == 0 || !goes_on(rest[at - 1])) && (after >= rest.size() || !goes_on(rest[after]))) return true;
  }
  return false;
}

/// The product that sums up with weights what the scores were made from, in the call of a function.
struct SummedAgain {
  const Op* product;
  std::string written;
};

std::optional<SummedAgain> sum_of_keys(const Flow& flow, int activation) {
  for (const Op* op : flow.ops()) {
    const auto axis = softmax_axis(flow, *op);
    const auto scores = axis ? flow.scores_of(softmax_input(flow, *op)) : std::nullopt;
    if (!scores) continue;
    for (const Flow::Use& use : flow.products_with(op->outputs[0], *axis)) {
      if (use.op->step < 0 || flow.trace().step(use.op->step).activation != activation) continue;
      const OpOperand& summed = use.op->inputs[use.op->inputs[0].value == use.operand ? 1 : 0];
      const Op* layer = made_by_layer(flow, summed.value).op;
      if (layer && !summed.written.empty() &&
          (layer == made_by_layer(flow, scores->product.left).op ||
           layer == made_by_layer(flow, scores->product.right).op))
        return SummedAgain{use.op, summed.written};
    }
  }
  return std::nullopt;
}

/// What ends a cell is shown by it.
bool is_shown_at_end(const Trace& trace, const Op& op) {
  if (trace.form == LessonForm::Script) return false;
  return on_one_line(std::string_view(trace.sources[op.span.source].text).substr(op.span.end)).empty();
}

/// values = self.to_values(x), and then weights @ keys.
std::optional<Finding> values_nobody_reads(const Flow& flow, const Op& op) {
  const Trace& trace = flow.trace();
  const bool attends = plain_name(op) == "multi_head_attention";
  if ((!attends && !has_word("linear chunk split unbind", plain_name(op))) || op.step < 0 ||
      trace.outcome != RunOutcome::Fine || trace.step(op.step).activation == 0)
    return std::nullopt;
  const int activation = trace.step(op.step).activation;
  for (const ValueId output : op.outputs) {
    std::set<ValueId> moves;
    if (attends && output != op.outputs[0]) continue;  // the weights are there to be looked at
    if ((!attends && !made_by_layer(flow, output).op) || is_read(flow, output, moves)) continue;
    const Step* last = nullptr;
    std::string name;
    for (const Step& step : trace.steps) {
      if (step.activation != activation) continue;
      for (const Binding& binding : step.bindings) {
        if (!moves.contains(binding.value)) continue;
        last = &step;
        name = binding.target;
      }
    }
    if (!last || name.find_first_of("._[") == 0 || name.find('.') != std::string::npos ||
        is_named_after(trace, *last, name))
      continue;
    const auto summed = attends ? std::nullopt : sum_of_keys(flow, activation);
    if (!summed) return remarked(flow, "unread", op, {{"name", name}}, {});
    Finding finding = found(flow, "unread", *summed->product, {{"name", name}, {"summed", summed->written}},
                            {{"name", name}}, ".summed");
    const std::string_view code = code_of(flow, *summed->product);
    Span span = summed->product->span;
    span.begin += static_cast<std::uint32_t>(code.rfind(summed->written));
    span.end = span.begin + static_cast<std::uint32_t>(summed->written.size());
    finding.tries.push_back({{span, name}});
    return finding;
  }
  return std::nullopt;
}

/// for layer in layers: out = layer(x). Each round begins with the same x, and all results but the last are gone.
std::optional<Finding> rounds_of_the_same(const Flow& flow, const Op& op) {
  const Trace& trace = flow.trace();
  if (op.step < 0 || op.inputs.empty() || op.outputs.empty() || trace.step(op.step).iteration < 1) return std::nullopt;
  const Step& step = trace.step(op.step);
  if (step.bindings.size() != 1 || step.bindings[0].value < 0 || !flow.value(step.bindings[0].value).requires_grad)
    return std::nullopt;
  const auto here = std::lower_bound(flow.ops().begin(), flow.ops().end(), &op);
  const auto before = std::find_if(std::make_reverse_iterator(here), flow.ops().rend(), [&](const Op* each) {
    return each->span == op.span && each->name == op.name && each->step >= 0 && each->step != op.step &&
           trace.step(each->step).parent == step.parent;
  });
  if (before == flow.ops().rend()) return std::nullopt;
  const Op& last = **before;
  const Step& round = trace.step(last.step);
  const auto parameter = [&](const Op& each) {
    const auto found = std::find_if(each.inputs.begin(), each.inputs.end(),
                                    [&](const OpOperand& input) { return flow.value(input.value).is_parameter; });
    return found == each.inputs.end() ? -1 : flow.value(found->value).storage;
  };
  const bool are_rounds = round.iteration + 1 == step.iteration && round.bindings.size() == 1 &&
                          round.bindings[0].target == step.bindings[0].target && round.bindings[0].value >= 0;
  if (!are_rounds || unmoved(flow, last.inputs[0].value) != unmoved(flow, op.inputs[0].value) ||
      parameter(op) == parameter(last) || parameter(op) < 0 || !flow.users(round.bindings[0].value).empty())
    return std::nullopt;
  const std::string name = step.bindings[0].target;
  const std::string_view code = trace.sources[step.span.source].slice(step.span);
  const std::size_t equals = code.find(" = "), open = code.find('(', equals);
  if (equals == std::string_view::npos || open == std::string_view::npos || !code.ends_with(')')) return std::nullopt;
  const std::string given(code.substr(open + 1, code.size() - open - 2));
  return found(flow, "rounds", op, {{"given", given}, {"name", name}}, {{"given", given}, {"name", name}});
}

/// scores.masked_fill(mask, -1e9) as a statement of its own: the result is gone, and scores are used as they were.
std::optional<Finding> result_thrown_away(const Flow& flow, const Op& op) {
  if (op.in_place || op.inputs.empty() || op.outputs.empty() || op.step < 0) return std::nullopt;
  const Trace& trace = flow.trace();
  const Step& step = trace.step(op.step);
  const OpOperand& kept = op.inputs[0];
  const bool has_twin = find_op("Tensor." + op.name + "_") != nullptr;
  // What cannot be done in place is called for its time, or to be looked at.
  if (step.span != op.span || !has_twin || kept.written.empty() || !code_of(flow, op).starts_with(kept.written + ".") ||
      !flow.users(op.outputs[0]).empty())
    return std::nullopt;
  const std::vector<const Op*>& users = flow.users(kept.value);
  const bool is_used_later = std::any_of(
      users.begin(), users.end(), [&](const Op* user) { return user->step > op.step && plain_name(*user) != "size"; });
  if (!is_used_later || is_shown_at_end(trace, op)) return std::nullopt;
  Finding finding = found(flow, "thrown", op, {{"op", op.name}, {"name", kept.written}}, {});
  finding.tries.push_back({{op.span, kept.written + " = " + std::string(code_of(flow, op))}});
  return finding;
}

/// weights * v, where the length happens to be the width: no word gets anything from another.
std::optional<Finding> weights_times_values(const Flow& flow, const Op& op) {
  if (plain_name(op) != "mul" || op.inputs.size() != 2) return std::nullopt;
  for (std::size_t i = 0; i < 2; ++i) {
    const OpOperand &weights = op.inputs[i], &values = op.inputs[1 - i];
    const Op* softmax = flow.maker(weights.value);
    if (softmax && plain_name(*softmax) == "dropout" && !softmax->inputs.empty())
      softmax = flow.maker(softmax->inputs[0].value);
    const auto axis = softmax ? softmax_axis(flow, *softmax) : std::nullopt;
    if (!axis || !flow.scores_of(softmax_input(flow, *softmax)) || !made_by_layer(flow, values.value).op ||
        flow.value(weights.value).shape != flow.value(values.value).shape ||
        !flow.products_with(weights.value, *axis).empty())
      continue;
    Finding finding = found(flow, "product", op, {}, {});
    if (!weights.written.empty() && !values.written.empty())
      finding.tries.push_back({{op.span, weights.written + " @ " + values.written}});
    return finding;
  }
  return std::nullopt;
}

/// What queries, keys and values are made from.
struct Sources {
  OpOperand queries, keys, values;
};

/// The code that a call passes for a parameter, by name or by position.
std::string given_as(const Flow& flow, const Op& op, std::string_view name, int place) {
  const auto argument = with_argument(flow, op, {name}, "", place);
  std::string_view code = argument ? flow.trace().sources[op.span.source].slice(argument->span) : "";
  if (code.starts_with(name)) code.remove_prefix(std::min(code.find('=') + 1, code.size()));
  return std::string(trim(code));
}

std::optional<Sources> sources_of_attention(const Flow& flow, const Op& op) {
  if (plain_name(op) == "multi_head_attention" && op.inputs.size() > 2) {
    Sources sources{op.inputs[0], op.inputs[1], op.inputs[2]};
    sources.keys.written = given_as(flow, op, "key", 1);
    sources.values.written = given_as(flow, op, "value", 2);
    return sources;
  }
  const auto axis = softmax_axis(flow, op);
  const auto scores = axis ? flow.scores_of(softmax_input(flow, op)) : std::nullopt;
  if (!scores || plain_name(*scores->product.op) != "matmul") return std::nullopt;
  const auto uses = flow.products_with(op.outputs[0], *axis);
  if (uses.size() != 1) return std::nullopt;
  const Op& sum = *uses[0].op;
  const ValueId summed = sum.inputs[sum.inputs[0].value == uses[0].operand ? 1 : 0].value;
  const Op *query = made_by_layer(flow, scores->product.left).op, *key = made_by_layer(flow, scores->product.right).op,
           *value = made_by_layer(flow, summed).op;
  if (!query || !key || !value) return std::nullopt;
  return Sources{query->inputs[0], key->inputs[0], value->inputs[0]};
}

/// The arguments of the call in a line that passes its first argument again as its third: cross(y, memory, y). Empty:
/// no call does.
std::vector<Span> call_with_first_again(const Source& source, Span line) {
  const std::string_view code = source.slice(line);
  for (std::size_t open = code.find('('); open != std::string_view::npos; open = code.find('(', open + 1)) {
    std::size_t end = open;
    for (int depth = 0; end < code.size(); ++end)
      if (depth += (code[end] == '(') - (code[end] == ')'); depth == 0) break;
    if (end == code.size()) break;
    const auto begin = static_cast<std::uint32_t>(line.begin + open);
    std::vector<Span> pieces =
        pieces_of(source, {line.source, begin, static_cast<std::uint32_t>(line.begin + end + 1)});
    const auto text = [&](std::size_t i) { return trim(source.slice(pieces[i])); };
    if (pieces.size() > 2 && text(0) == text(2) && text(0) != text(1)) return pieces;
  }
  return {};
}

/// cross(y, memory, y): memory is looked at, and nothing of it is taken.
std::optional<Finding> values_of_the_queries(const Flow& flow, const Op& op) {
  const auto sources = sources_of_attention(flow, op);
  if (!sources) return std::nullopt;
  const auto& [queries, keys, values] = *sources;
  const ValueId query = unmoved(flow, queries.value), key = unmoved(flow, keys.value);
  if (unmoved(flow, values.value) != query || is_computed_from(flow, key, query) ||
      is_computed_from(flow, query, key) || keys.written.empty() || values.written.empty())
    return std::nullopt;
  const Trace& trace = flow.trace();
  const Step* const caller = calling_step(trace, op);
  const bool is_module = plain_name(op) == "multi_head_attention";
  if (const auto call = caller && !is_module ? call_with_first_again(trace.sources[caller->span.source], caller->span)
                                             : std::vector<Span>();
      !call.empty()) {
    const auto text = [&](std::size_t i) { return std::string(trim(trace.sources[call[i].source].slice(call[i]))); };
    Finding finding = found(flow, "crossed", op, {{"keys", text(1)}, {"values", text(0)}}, {});
    finding.op = -1;
    finding.step = static_cast<StepId>(caller - trace.steps.data());
    finding.tries.push_back({{call[2], text(1)}});
    return finding;
  }
  Finding finding = found(flow, "crossed", op, {{"keys", keys.written}, {"values", values.written}}, {});
  if (const auto mended = with_argument(flow, op, {"value"}, keys.written, 2); mended && is_module)
    finding.tries.push_back({*mended});
  return finding;
}

}  // namespace

Rules value_rules() {
  static constexpr RuleRow kRows[] = {
      {.at_op = values_nobody_reads, .needs_whole = true},
      {.at_op = result_thrown_away, .needs_whole = true},
      {.at_op = rounds_of_the_same, .needs_whole = true},
      {.at_op = weights_times_values},
      {.at_op = values_of_the_queries},
  };
  return kRows;
}

}  // namespace attn
