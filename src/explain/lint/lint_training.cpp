// Training: a way back that is cut, what is measured, losses that grow, graphs that are kept.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/number.h"
#include "base/text.h"
#include "explain/lint/lint_rules.h"
#include "explain/lint/training_flow.h"
#include "syntax/snippet.h"
#include "tensor/core/read.h"

namespace attn {
namespace {

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

/// detach() on the way from a loss to parameters that no gradient reaches in the whole program.
std::optional<Finding> cut_by_detach(const Flow& flow, const Op& op) {
  if (!is_backward(op) || !has_text(flow.trace(), "detach(")) return std::nullopt;
  const Behind all = behind(flow, op, true);
  // Or it goes through numpy and comes back: torch.tensor(weights.detach().numpy()).
  const auto comes_back = [&](const Op& cut) {
    const std::string_view before =
        std::string_view(flow.trace().sources[cut.span.source].text).substr(0, cut.span.begin);
    return before.ends_with("torch.tensor(") || before.ends_with("from_numpy(") || before.ends_with("as_tensor(");
  };
  std::vector<const Op*> cuts;
  std::map<std::int64_t, Shape> parameters;
  std::set<std::uint32_t> places;  // a loop comes to the same one again and again
  for (const Op* each : flow.ops()) {
    if (each == &op) break;
    if (plain_name(*each) != "detach" || !flow.value(each->inputs[0].value).requires_grad) continue;
    if (!all.ops.contains(each) && !comes_back(*each)) continue;
    if (!places.insert(each->span.begin).second) continue;
    cuts.push_back(each);
    parameters.merge(behind(flow, *each, true).parameters);
  }
  if (cuts.empty()) return std::nullopt;
  std::set<std::int64_t> reached;
  for (const Op* each : flow.ops())
    if (is_backward(*each))
      for (const auto& [storage, shape] : behind(flow, *each).parameters) reached.insert(storage);
  const std::int64_t numbers = numbers_outside(parameters, reached);
  if (numbers == 0) return std::nullopt;
  std::erase_if(cuts,
                [&](const Op* cut) { return numbers_outside(behind(flow, *cut, true).parameters, reached) == 0; });
  Finding finding = remarked(flow, "cut", *cuts[0], {{"count", std::to_string(numbers)}}, {});
  LineEdits edits;
  for (const Op* cut : cuts) {
    const std::string code(code_of(flow, *cut));
    const bool is_new =
        std::none_of(edits.begin(), edits.end(), [&](const LineEdit& edit) { return edit.span == cut->span; });
    if (code.ends_with(".detach()") && is_new) edits.push_back({cut->span, code.substr(0, code.size() - 9)});
  }
  if (!edits.empty()) finding.tries.push_back(std::move(edits));
  return finding;
}

/// The step of the last eval() before a step, if no train() came after it; else -1.
StepId last_eval(const Flow& flow, StepId step) {
  const Trace& trace = flow.trace();
  if (!has_text(trace, ".eval()")) return -1;
  for (StepId i = step - 1; i >= 0; --i) {
    const std::string_view code = trace.sources[trace.step(i).span.source].slice(trace.step(i).span);
    if (code.ends_with(".eval()")) return i;
    if (code.ends_with(".train()")) return -1;
  }
  return -1;
}

/// Whether eval() may have been called on what an optimizer moves: a name of the program has to be that of its
/// parameters, what a function was given may be anything.
bool is_of_what_is_trained(const Flow& flow, StepId eval) {
  const Trace& trace = flow.trace();
  const Step& step = trace.step(eval);
  const std::string_view code = trace.sources[step.span.source].slice(step.span);
  const std::size_t equals = code.find(" = ");
  const std::string owner(code.substr(0, equals != std::string_view::npos ? equals : code.rfind(".eval()")));
  const std::string parameters = owner + ".parameters(";
  return step.activation != 0 || std::any_of(trace.sources.begin(), trace.sources.end(), [&](const Source& source) {
           const std::string text = on_one_line(source.text);  // without comments
           for (std::size_t at = text.find(parameters); at != std::string::npos; at = text.find(parameters, at + 1))
             if (!std::string_view(text).substr(0, at).ends_with(" in ")) return true;  // gone through to freeze them
           return false;
         });
}

/// Whether what comes after an op is a word that is joined to the words before it.
bool is_writing(const Flow& flow, const Op& op) {
  const auto begin = std::lower_bound(flow.ops().begin(), flow.ops().end(), &op);
  return std::any_of(begin, flow.ops().end(), [&](const Op* each) {
    const bool is_joined = plain_name(*each) == "cat" && each->inputs.size() == 2;
    const Op* drawn = is_joined ? flow.maker(unmoved(flow, each->inputs[1].value)) : nullptr;
    return drawn && (plain_name(*drawn) == "multinomial" || plain_name(*drawn) == "argmax" ||
                     plain_name(*drawn) == "topk" || plain_name(*drawn) == "max");
  });
}

std::optional<Finding> dropout_while_measuring(const Flow& flow, const Op& op) {
  if (plain_name(op) != "dropout" || op.inputs.empty() || op.outputs.empty()) return std::nullopt;
  const RecordedValue &before = flow.value(op.inputs[0].value), &after = flow.value(op.outputs[0]);
  if (before.storage == after.storage || !has_parameter_behind(flow, op.inputs[0].value)) return std::nullopt;
  const std::string_view code = code_of(flow, op);
  if (code.find("dropout(") != std::string_view::npos && code.find("self.dropout(") == std::string_view::npos &&
      arguments_of(flow, op).size() < 3 && code.find("training") == std::string_view::npos &&
      last_eval(flow, op.step) >= 0) {
    Finding finding = found(flow, "measured", op, {}, {}, ".function");
    if (const auto edit = with_argument(flow, op, {"training"}, "self.training")) finding.tries.push_back({*edit});
    return finding;
  }
  if (after.requires_grad) return std::nullopt;
  const bool was_trained = std::any_of(flow.ops().begin(), flow.ops().end(),
                                       [&](const Op* each) { return each < &op && is_backward(*each); });
  if (!was_trained) return std::nullopt;
  return found(flow, "measured", op, {}, {}, is_writing(flow, op) ? ".writing" : "");
}

/// backward() while the last of eval() and train() was eval(), in a program that never calls train().
std::optional<Finding> trained_in_eval(const Flow& flow, const Op& op) {
  const StepId eval = is_backward(op) && op.step >= 0 ? last_eval(flow, op.step) : -1;
  if (eval < 0 || !is_of_what_is_trained(flow, eval) || program_names(flow.trace(), {".train("}) ||
      !program_names(flow.trace(), {"ropout", "nn.Transformer"}))
    return std::nullopt;
  return remarked(flow, "eval", op, {}, {});
}

/// The losses of one call of backward() in the source, if this is the last time that it ran: those of rounds that the
/// record leaves out too, where no other call is in the loop. Empty: it runs again, or a number was not kept.
std::vector<double> losses_until(const Flow& flow, const Op& backward) {
  std::vector<double> losses;
  const Op* last = nullptr;
  bool has_others = false;
  for (const Op* each : flow.ops()) {
    if (!is_backward(*each) || each->inputs.empty()) continue;
    has_others = has_others || each->span != backward.span;
    if (each->span != backward.span) continue;
    last = each;
    const auto loss = number_of(flow, *each, each->inputs[0].parameter);
    if (!loss) return {};
    losses.push_back(*loss);
  }
  if (last != &backward) return {};
  const Trace& trace = flow.trace();
  for (StepId loop = backward.step; loop >= 0 && !has_others; loop = trace.step(loop).parent)
    if (!trace.step(loop).losses.empty()) return trace.step(loop).losses;
  return losses;
}

/// Changes of each learning rate that the program writes.
std::vector<LineEdits> smaller_rates(const Trace& trace) {
  std::vector<LineEdits> out;
  for (std::uint32_t number = 0; number < trace.sources.size(); ++number) {
    const std::string& text = trace.sources[number].text;
    const std::size_t at = text.find("lr=");
    if (at == std::string::npos) continue;
    const std::size_t end = text.find_first_of(",)", at);
    const auto rate = parse_double(text.substr(at + 3, end - at - 3));
    const Span span = {number, static_cast<std::uint32_t>(at + 3), static_cast<std::uint32_t>(end)};
    for (const double smaller : {0.01, 0.001, 0.0001})
      if (rate) out.push_back({{span, short_number(*rate * smaller)}});
  }
  return out;
}

/// Beyond noise: twice the first loss at the last step (ten times where a run was cut), or no number at all. That has
/// other reasons than a large rate where the loss had not grown before.
std::optional<Finding> growing_loss(const Flow& flow, const Op& op) {
  if (!is_backward(op)) return std::nullopt;
  const std::vector<double> losses = losses_until(flow, op);
  if (losses.size() < 3 || !std::isfinite(losses.front()) || losses.front() <= 0) return std::nullopt;
  const double first = losses.front(), last = losses.back(), much = (is_cut(flow.trace()) ? 10 : 2) * first;
  if (std::isfinite(last) && last < much) return std::nullopt;
  if (std::none_of(flow.ops().begin(), flow.ops().end(), [](const Op* each) { return is_step(*each); }))
    return std::nullopt;
  const auto lost = std::find_if(losses.begin(), losses.end(), [](double loss) { return !std::isfinite(loss); });
  const bool has_grown = std::any_of(losses.begin(), lost, [&](double loss) { return loss >= 2 * first; });
  Finding finding =
      has_grown ? found(flow, "grows", op, {{"first", short_number(first)}, {"last", short_number(last)}}, {})
                : found(flow, "lost", op,
                        {{"last", short_number(last)}, {"round", std::to_string(lost - losses.begin() + 1)}}, {});
  finding.tries = smaller_rates(flow.trace());
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
    return Doubles(value.tensor).has_nan();
  };
  for (const Op* op : flow.ops()) {
    if (op->outputs.empty() || !has_nan(op->outputs[0])) continue;
    const bool comes_in =
        std::any_of(op->inputs.begin(), op->inputs.end(), [&](const OpOperand& input) { return has_nan(input.value); });
    const std::string_view name = plain_name(*op);
    if (!comes_in && (name == "mul" || name == "sub" || name == "add" || name == "div")) {
      findings.push_back(found(flow, "nan", *op, {}, {}));
      findings.back().explains_nan = true;
    }
    return;
  }
}

}  // namespace

Rules training_rules() {
  static constexpr RuleRow kRows[] = {
      {.at_op = dropout_while_measuring},
      {.at_op = trained_in_eval},
      {.at_op = cut_by_detach, .needs_whole = true},
      {.at_op = growing_loss},
      {.at_op = kept_graphs},
      {.in_run = lists_of_graphs},
      {.in_run = first_nan},
  };
  return kRows;
}

}  // namespace attn
