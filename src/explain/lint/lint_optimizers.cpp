// Optimizers: gradients that add up, are missing or come too late, and parameters that nothing moves.
#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "base/words.h"
#include "explain/lint/lint_rules.h"
#include "explain/lint/training_flow.h"
#include "syntax/snippet.h"

namespace attn {

bool program_names(const Trace& trace, std::initializer_list<std::string_view> words) {
  return std::any_of(trace.sources.begin(), trace.sources.end(), [&](const Source& source) {
    const std::string text = on_one_line(source.text);  // without comments
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return text.find(word) != std::string::npos; });
  });
}

bool has_text(const Trace& trace, std::string_view word) {
  return std::any_of(trace.sources.begin(), trace.sources.end(),
                     [&](const Source& source) { return source.text.find(word) != std::string::npos; });
}

std::string owner_of(const Flow& flow, const Op& op) {
  const std::string_view code = code_of(flow, op);
  const std::size_t at = code.rfind('.');
  return std::string(code.substr(0, at == std::string_view::npos ? 0 : at));
}

Behind behind(const Flow& flow, const Op& op, bool through_cuts) {
  Behind out;
  std::vector<const Op*> to_see = {&op};
  while (!to_see.empty()) {
    const Op* next = to_see.back();
    to_see.pop_back();
    if (!next || !out.ops.insert(next).second) continue;
    for (const OpOperand& input : next->inputs) {
      const RecordedValue& value = flow.value(input.value);
      if (value.is_parameter && value.requires_grad) out.parameters.emplace(value.storage, value.shape);
      if (value.requires_grad || through_cuts) to_see.push_back(flow.maker(input.value));
    }
  }
  return out;
}

std::int64_t numbers_outside(const std::map<std::int64_t, Shape>& parameters, const std::set<std::int64_t>& others) {
  std::int64_t numbers = 0;
  for (const auto& [storage, shape] : parameters)
    if (!others.contains(storage)) numbers += numel_of(shape);
  return numbers;
}

namespace {

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

/// Whether that call of step() never moved anything, though what cleared its gradients is not in the program. Of a run
/// that was cut three calls have to show it.
bool never_moves(const Flow& flow, const Op& step) {
  if (program_names(flow.trace(), {"set_to_none", "grad = None", "grad=None"})) return false;
  int times = 0;
  for (const Op* each : flow.ops()) {
    if (!is_step(*each) || each->span != step.span) continue;
    if (!each->inputs.empty()) return false;
    ++times;
  }
  return times >= (is_cut(flow.trace()) ? 3 : 1);
}

/// Whether an op made it of something that wants a gradient.
bool has_history(const Flow& flow, ValueId loss) {
  const Op* op = flow.maker(loss);
  return op && std::any_of(op->inputs.begin(), op->inputs.end(),
                           [&](const OpOperand& input) { return flow.value(input.value).requires_grad; });
}

/// loss = torch.tensor(loss.item(), requires_grad=True): what is in the parentheses.
std::optional<LineEdit> without_new_tensor(const Flow& flow, const Op& backward) {
  const Op* made = flow.maker(backward.inputs[0].value);
  const std::vector<Span> arguments = made ? arguments_of(flow, *made) : std::vector<Span>();
  if (arguments.empty()) return std::nullopt;
  const std::string_view number = flow.trace().sources[arguments[0].source].slice(arguments[0]);
  if (!number.ends_with(".item()")) return std::nullopt;
  return LineEdit{made->span, std::string(number.substr(0, number.size() - 7))};
}

/// Whether anything was computed that backward() could be called on. Who only looks at learning rates steps without.
bool has_losses(const Flow& flow) {
  return std::any_of(flow.ops().begin(), flow.ops().end(), [&](const Op* op) {
    return !op->in_place && std::any_of(op->outputs.begin(), op->outputs.end(),
                                        [&](ValueId output) { return has_history(flow, output); });
  });
}

/// A step of parameters that never have a gradient: backward() never ran or comes later, or it leads elsewhere.
std::optional<Finding> step_without_gradients(const Flow& flow, const Op& op) {
  if (!is_step(op) || !op.inputs.empty()) return std::nullopt;
  const auto backward =
      std::find_if(flow.ops().begin(), flow.ops().end(), [](const Op* each) { return is_backward(*each); });
  if (backward == flow.ops().end()) {
    const bool is_forgotten = has_losses(flow) && (!is_cut(flow.trace()) || never_moves(flow, op));
    return is_forgotten ? std::optional(found(flow, "step", op, {}, {}, ".never")) : std::nullopt;
  }
  if (*backward > &op) return found(flow, "step", op, {}, {});
  if ((*backward)->inputs.empty() || !never_moves(flow, op)) return std::nullopt;
  if (has_history(flow, (*backward)->inputs[0].value))
    return found(flow, "step", op, {{"optimizer", owner_of(flow, op)}}, {}, ".others");
  Finding finding = found(flow, "step", **backward, {}, {}, ".nothing");
  if (const auto edit = without_new_tensor(flow, **backward)) finding.tries.push_back({*edit});
  return finding;
}

/// A loop with backward() in a program that makes an optimizer and never lets it move anything.
std::optional<Finding> backward_without_step(const Flow& flow, const Op& op) {
  const Trace& trace = flow.trace();
  if (!is_backward(op) || trace.outcome != RunOutcome::Fine) return std::nullopt;
  const auto times = std::count_if(flow.ops().begin(), flow.ops().end(),
                                   [&](const Op* each) { return is_backward(*each) && each->span == op.span; });
  if (times < 2 || program_names(trace, {".step(", ".grad"})) return std::nullopt;
  for (const Step& step : trace.steps) {
    const std::string_view code = trace.sources[step.span.source].slice(step.span);
    for (const Binding& binding : step.bindings) {
      if (binding.value < 0 || code.find("optim.") == std::string_view::npos ||
          !has_word("SGD Adam AdamW RMSprop Adagrad", flow.value(binding.value).type))
        continue;
      const std::string step_text = binding.target + ".step()";
      Finding finding =
          found(flow, "step", op, {{"optimizer", binding.target}}, {{"optimizer", binding.target}}, ".left_out");
      finding.tries.push_back({{op.span, std::string(code_of(flow, op)) + "; " + step_text}});
      return finding;
    }
  }
  return std::nullopt;
}

/// backward(), zero_grad(), step(): what the step was to follow is gone.
std::optional<Finding> gradients_cleared_before_step(const Flow& flow, const Op& op) {
  if (!is_step(op) || op.step < 0) return std::nullopt;
  const auto here = std::lower_bound(flow.ops().begin(), flow.ops().end(), &op);
  const auto last = std::find_if(std::make_reverse_iterator(here), flow.ops().rend(),
                                 [](const Op* each) { return is_backward(*each) || is_step(*each); });
  if (last == flow.ops().rend() || !is_backward(**last) || (*last)->step < 0) return std::nullopt;
  const Op* backward = *last;
  const Trace& trace = flow.trace();
  for (StepId i = backward->step + 1; i < op.step; ++i) {
    const Step &step = trace.step(i), &before = trace.step(backward->step);
    const Span span = step.span;
    const std::string_view code = trace.sources[span.source].slice(span);
    if (!code.starts_with(owner_of(flow, op) + ".zero_grad(") || step.iteration != before.iteration ||
        step.activation != before.activation)
      continue;
    Finding finding{"cleared", -1, say("lint.cleared"), say("lint.cleared.right")};
    finding.step = i;
    finding.tries.push_back({{backward->span, std::string(code)}, {span, std::string(code_of(flow, *backward))}});
    return finding;
  }
  return std::nullopt;
}

/// net.head = nn.Linear(...) after the step that made an optimizer.
struct Replaced {
  const Step* optimizer;
  const Step* layer;
};

std::optional<Replaced> replaced_layer(const Flow& flow) {
  const Step* optimizer = nullptr;
  for (const Step& step : flow.trace().steps) {
    if (step.activation != 0 || step.bindings.empty() || step.iteration >= 0) continue;
    const std::string_view code = flow.trace().sources[step.span.source].slice(step.span);
    if (code.find("optim.") != std::string_view::npos) optimizer = &step;
    const Binding& bound = step.bindings[0];
    if (!optimizer || optimizer == &step || bound.value < 0 || bound.target.find('.') == std::string::npos) continue;
    const RecordedValue& layer = flow.value(bound.value);
    const bool has_parameters =
        layer.text.find("_features=") != std::string::npos || layer.text.find("Embedding(") != std::string::npos;
    if (layer.type == "Module" && has_parameters) return Replaced{optimizer, &step};
  }
  return std::nullopt;
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
  const std::int64_t numbers = backward ? numbers_outside(behind(flow, *backward).parameters, moved) : 0;
  if (numbers == 0) return std::nullopt;
  // Of a run that was cut, an optimizer of other layers may step later: a list is known to hide them all the same.
  const bool was_cut = is_cut(flow.trace());
  if (was_cut && std::count_if(flow.ops().begin(), flow.ops().end(), [](const Op* each) { return is_step(*each); }) < 3)
    return std::nullopt;
  for (const Step& step : flow.trace().steps) {
    for (const Binding& binding : step.bindings) {
      if (binding.value < 0 || !binding.target.starts_with("self.")) continue;
      const RecordedValue& value = flow.value(binding.value);
      if (value.type != "list" || value.text.find('(') == std::string::npos) continue;
      const std::string_view code = flow.trace().sources[step.span.source].slice(step.span);
      const std::size_t equals = code.find('=');
      if (equals == std::string_view::npos || value.text.find("_features=") == std::string::npos) continue;
      if (has_text(flow.trace(), "ModuleList(" + binding.target) || has_text(flow.trace(), "*" + binding.target))
        continue;  // a layer holds the same
      Finding finding = found(flow, "untrained", op, {{"count", std::to_string(numbers)}, {"list", binding.target}},
                              {{"list", binding.target}}, ".list");
      Span right = step.span;
      right.begin += static_cast<std::uint32_t>(equals + 1);
      finding.tries.push_back({{right, " nn.ModuleList(" + std::string(trim(code.substr(equals + 1))) + ")"}});
      return finding;
    }
  }
  if (was_cut) return std::nullopt;
  if (const auto replaced = replaced_layer(flow)) {
    const std::string& layer = replaced->layer->bindings[0].target;
    Finding finding = found(flow, "untrained", op, {{"count", std::to_string(numbers)}, {"layer", layer}},
                            {{"layer", layer}}, ".replaced");
    const auto code = [&](const Step& step) {
      return std::string(flow.trace().sources[step.span.source].slice(step.span));
    };
    finding.tries.push_back(
        {{replaced->optimizer->span, code(*replaced->layer)}, {replaced->layer->span, code(*replaced->optimizer)}});
    return finding;
  }
  return remarked(flow, "untrained", op, {{"count", std::to_string(numbers)}}, {});
}

/// lm_head.weight = nn.Parameter(tok_emb.weight.clone()): two tables that are equal at first.
std::optional<Finding> tied_by_copy(const Flow& flow, const Op& op) {
  if (plain_name(op) != "clone" || op.inputs.empty() || op.step < 0) return std::nullopt;
  const Trace& trace = flow.trace();
  const Step& step = trace.step(op.step);
  const std::string_view code = trace.sources[step.span.source].slice(step.span);
  const std::size_t equals = code.find(" = "), made = code.find("Parameter(");
  if (equals == std::string_view::npos || made == std::string_view::npos || step.bindings.size() != 1 ||
      step.bindings[0].value < 0)
    return std::nullopt;
  const std::string& left = step.bindings[0].target;
  const std::string_view right = code.substr(made + 10);
  const std::size_t end = right.find(".weight.");
  if (!left.ends_with(".weight") || code.substr(0, equals) != left || end == std::string_view::npos ||
      right.find_first_of("([") < end)
    return std::nullopt;
  const auto is_weight_of = [&](std::int64_t storage, std::string_view layer) {
    return std::any_of(flow.ops().begin(), flow.ops().end(), [&](const Op* each) {
      const ValueId weight = plain_name(*each) == layer ? input_named(*each, "weight") : -1;
      return weight >= 0 && flow.value(weight).storage == storage;
    });
  };
  const std::int64_t copy = flow.value(step.bindings[0].value).storage, table = flow.value(op.inputs[0].value).storage;
  const bool ties = (is_weight_of(copy, "linear") && is_weight_of(table, "embedding")) ||
                    (is_weight_of(copy, "embedding") && is_weight_of(table, "linear"));
  if (!ties) return std::nullopt;
  const std::string original(right.substr(0, end + 7));
  Finding finding =
      remarked(flow, "tied", op, {{"copy", left}, {"table", original}}, {{"copy", left}, {"table", original}});
  finding.tries.push_back({{step.span, left + " = " + original}});
  return finding;
}

/// step(), and then clip_grad_norm_(): the step took the gradients as they were.
std::optional<Finding> clipped_after_step(const Flow& flow, const Op& op) {
  if (!is_step(op) || op.step < 0) return std::nullopt;
  const Trace& trace = flow.trace();
  const Step& stepped = trace.step(op.step);
  for (StepId i = op.step + 1; i < static_cast<StepId>(trace.steps.size()); ++i) {
    const Step& step = trace.step(i);
    const std::string_view code = trace.sources[step.span.source].slice(step.span);
    if (step.iteration != stepped.iteration || step.activation != stepped.activation ||
        code.find("backward(") != std::string_view::npos)
      return std::nullopt;
    if (code.find("clip_grad_") == std::string_view::npos || code.find('\n') != std::string_view::npos) continue;
    Finding finding{"clipped", -1, say("lint.clipped"), say("lint.clipped.right")};
    finding.step = i;
    finding.tries.push_back({{op.span, std::string(code)}, {step.span, std::string(code_of(flow, op))}});
    return finding;
  }
  return std::nullopt;
}

}  // namespace

Rules optimizer_rules() {
  static constexpr RuleRow kRows[] = {
      {.at_op = gradients_cleared_before_step},
      {.at_op = gradients_that_add_up},
      {.at_op = step_without_gradients},
      {.at_op = backward_without_step},
      {.at_op = layers_nobody_trains},
      {.at_op = tied_by_copy},
      {.at_op = clipped_after_step},
  };
  return kRows;
}

}  // namespace attn
