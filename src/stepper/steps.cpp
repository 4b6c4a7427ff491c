#include "stepper/steps.h"

#include <algorithm>

#include "base/text.h"
#include "explain/lint/notes.h"
#include "render/op_parts.h"
#include "render/source.h"

namespace attn {
namespace {

/// The place of a step, or of the first one shown after it.
std::size_t index_of(const State& state, StepId id) {
  const std::vector<StepId>& order = state.run->order;
  return static_cast<std::size_t>(std::lower_bound(order.begin(), order.end(), id) - order.begin());
}

bool is_within(const Trace& trace, StepId id, StepId ancestor) {
  for (; id >= 0; id = trace.step(id).parent) {
    if (id == ancestor) return true;
  }
  return false;
}

/// The outermost call around `id` that is not around `here`; the step itself without one.
StepId collapsed(const Trace& trace, StepId id, StepId here) {
  StepId result = id;
  for (StepId child = id, up = trace.step(id).parent; up >= 0; child = up, up = trace.step(up).parent) {
    const bool is_call = trace.step(up).activation != trace.step(child).activation;
    if (is_call && !is_within(trace, here, up)) result = up;
  }
  return result;
}

std::size_t block_of(const Trace& trace, int cell) {
  for (std::size_t i = 0; i < trace.blocks.size(); ++i) {
    const CellRecord* record = std::get_if<CellRecord>(&trace.blocks[i]);
    if (record && record->ordinal == cell) return i;
  }
  return trace.blocks.size();
}

}  // namespace

const Step& step_at(const State& state, std::size_t at) { return trace_of(state).step(state.run->order.at(at)); }

const CellRecord& cell_of(const State& state, const Step& step) {
  return std::get<CellRecord>(trace_of(state).blocks.at(block_of(trace_of(state), step.cell)));
}

std::optional<std::size_t> next_at(const State& state) {
  if (at_end(state)) return std::nullopt;
  const Trace& trace = trace_of(state);
  const StepId here = state.run->order[state.at];
  for (std::size_t i = state.at + 1; i < step_count(state); ++i) {
    const StepId id = state.run->order[i];
    if (!is_within(trace, id, here) || trace.step(id).activation == trace.step(here).activation) return i;
  }
  return step_count(state);
}

std::optional<std::size_t> back_at(const State& state, std::size_t first) {
  if (first == 0) return std::nullopt;
  const StepId here = at_end(state) ? -1 : state.run->order[state.at];
  return index_of(state, collapsed(trace_of(state), state.run->order[first - 1], here));
}

std::optional<std::size_t> into_at(const State& state) {
  if (step_count(state) == 0) return std::nullopt;
  const Trace& trace = trace_of(state);
  const std::size_t at = at_end(state) ? *back_at(state, state.at) : state.at;
  const StepId here = state.run->order[at];
  for (std::size_t i = at + 1; i < step_count(state); ++i) {
    const Step& step = step_at(state, i);
    if (!is_within(trace, state.run->order[i], here)) break;
    if (step.parent == here && step.activation != trace.step(here).activation) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> out_at(const State& state) {
  if (at_end(state)) return std::nullopt;
  const Trace& trace = trace_of(state);
  const Step& here = step_at(state, state.at);
  StepId up = here.parent;
  if (up < 0) return std::nullopt;
  for (; up >= 0; up = trace.step(up).parent) {
    if (trace.step(up).activation != here.activation) return index_of(state, up);
  }
  // No call: out of the innermost loop or other block, behind all of it.
  for (std::size_t i = state.at + 1; i < step_count(state); ++i) {
    if (!is_within(trace, state.run->order[i], here.parent)) return i;
  }
  return step_count(state);
}

std::pair<std::size_t, std::size_t> blocks_before(const State& state, std::size_t at) {
  const Trace& trace = trace_of(state);
  const auto is_shown = [&](std::size_t block) {
    const CellRecord* cell = std::get_if<CellRecord>(&trace.blocks[block]);
    return cell && !cell->steps.empty() && !cell->options.hidden;
  };
  std::size_t end = trace.blocks.size();
  if (at < step_count(state)) {
    const Step& step = step_at(state, at);
    const CellRecord& cell = cell_of(state, step);
    if (cell.steps.empty() || &step != &trace.step(cell.steps.front())) return {0, 0};
    end = block_of(trace, step.cell);
  }
  std::size_t begin = end;
  while (begin > 0 && !is_shown(begin - 1)) --begin;
  return {begin, end};
}

bool has_prose(const State& state, std::size_t at) {
  const auto [begin, end] = blocks_before(state, at);
  for (std::size_t i = begin; i < end; ++i) {
    if (std::holds_alternative<Prose>(trace_of(state).blocks[i])) return true;
  }
  return false;
}

Chapter chapter_of(const State& state, std::size_t at) {
  for (at = std::min(at, step_count(state));; --at) {
    const auto [begin, end] = blocks_before(state, at);
    for (std::size_t block = end; block-- > begin;) {
      const Prose* prose = std::get_if<Prose>(&trace_of(state).blocks[block]);
      if (prose && is_chapter(*prose)) return {at, plain_text(prose->runs)};
    }
    if (at == 0) return {};
  }
}

int notes_inside(const State& state) {
  const Trace& trace = trace_of(state);
  const StepId here = state.run->order[state.at];
  int count = 0;
  for (StepId id = here + 1; id < static_cast<StepId>(trace.steps.size()) && is_within(trace, id, here); ++id)
    count += is_noted(trace, trace.step(id)) ? 1 : 0;
  return count;
}

std::optional<std::size_t> next_prose_at(const State& state) {
  for (std::size_t i = state.at + 1; i <= step_count(state); ++i) {
    if (has_prose(state, i)) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> previous_prose_at(const State& state) {
  for (std::size_t i = std::min(state.at, step_count(state)); i-- > 0;) {
    if (has_prose(state, i)) return i;
  }
  return std::nullopt;
}

bool ends_cell(const State& state, const Step& step) {
  const CellRecord& cell = cell_of(state, step);
  return !cell.steps.empty() && &step == &trace_of(state).step(cell.steps.back());
}

std::vector<ChangedName> changed_names(const State& state, std::size_t first, std::size_t last) {
  const Trace& trace = trace_of(state);
  std::vector<ChangedName> names;
  const auto add = [&](const std::string& target, ValueId value) {
    const std::string name = target.substr(0, target.find_first_of(".["));
    if (name.empty()) return;
    const bool is_whole = name == target;
    const auto known =
        std::find_if(names.begin(), names.end(), [&](const ChangedName& row) { return row.name == name; });
    if (known != names.end()) return void(known->value = is_whole ? value : known->value);
    const auto place = first_place_of(state, name, last);
    names.push_back({name, is_whole ? value : -1, place && *place >= first});
  };
  for (std::size_t at = first; at <= last && at < step_count(state); ++at) {
    const Step& step = step_at(state, at);
    for (const OpId id : step.ops) {
      const Op& op = trace.op(id);
      if (op.in_place && !op.inputs.empty() && !op.outputs.empty()) add(op.inputs[0].written, op.outputs[0]);
    }
    for (const Binding& binding : step.bindings) add(binding.target, binding.value);
  }
  return names;
}

std::optional<std::size_t> first_place_of(const State& state, std::string_view name, std::size_t last) {
  for (std::size_t at = 0; at <= last && at < step_count(state); ++at) {
    const Step& step = step_at(state, at);
    const std::vector<Binding>& bindings = step.bindings;
    if (std::any_of(bindings.begin(), bindings.end(), [&](const Binding& b) { return b.target == name; })) return at;
    std::string_view text = trim(statement_text(trace_of(state), step));
    for (const std::string_view word : {"def ", "class "}) {
      if (!text.starts_with(word) || !text.substr(word.size()).starts_with(name)) continue;
      const std::string_view rest = text.substr(word.size() + name.size());
      if (rest.empty() || rest[0] == '(' || rest[0] == ':') return at;
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> place_of(const State& state, std::string_view step_id) {
  for (std::size_t i = 0; i < step_count(state); ++i) {
    if (step_at(state, i).id == step_id) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> place_of_name(const State& state, std::string_view name) {
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < step_count(state); ++i) {
    const std::vector<Binding>& bindings = step_at(state, i).bindings;
    const bool binds =
        std::any_of(bindings.begin(), bindings.end(), [&](const Binding& b) { return b.target == name; });
    if (binds && i > state.at) return i;
    if (binds && !first) first = i;
  }
  return first;
}

std::optional<std::size_t> place_of_round(const State& state, std::int64_t number) {
  std::optional<std::size_t> nearest;
  const auto distance = [&](std::size_t at) { return std::abs(step_at(state, at).iteration + 1 - number); };
  for (std::size_t i = 0; i < step_count(state); ++i) {
    if (step_at(state, i).iteration < 0) continue;
    if (distance(i) == 0 && i > state.at) return i;
    if (!nearest || distance(i) < distance(*nearest)) nearest = i;
  }
  return nearest;
}

ValueId shown_value(const Trace& trace, const Step& step) {
  const auto is_tensor = [&](ValueId id) { return id >= 0 && trace.value(id).is_tensor; };
  if (is_tensor(step.value)) return step.value;
  for (auto binding = step.bindings.rbegin(); binding != step.bindings.rend(); ++binding) {
    if (is_tensor(binding->value)) return binding->value;
  }
  const Op* op = op_to_look_at(trace, step);
  return op ? op->outputs.back() : -1;
}

}  // namespace attn
