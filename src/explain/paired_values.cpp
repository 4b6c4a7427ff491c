#include "explain/paired_values.h"

#include <fmt/format.h>

#include <list>
#include <unordered_map>

namespace attn {
namespace {

/// The keys of the statements of parameters cells, by step.
std::unordered_map<StepId, std::string> parameter_keys(const Trace& trace) {
  std::unordered_map<StepId, std::string> keys;
  for (const TraceBlock& block : trace.blocks) {
    const CellRecord* cell = std::get_if<CellRecord>(&block);
    if (!cell || !cell->options.parameters) continue;
    for (std::size_t i = 0; i < cell->steps.size(); ++i)
      keys[cell->steps[i]] = fmt::format("parameters {}/{}", cell->ordinal, i);
  }
  return keys;
}

}  // namespace

std::vector<NamedValue> named_values(const Trace& trace) {
  std::vector<NamedValue> out;
  std::unordered_map<std::string, int> occurrences;
  const std::unordered_map<StepId, std::string> parameters = parameter_keys(trace);
  int number = 0;
  for (const StepId id : visible_steps(trace)) {
    ++number;
    const Step& step = trace.step(id);
    const auto parameter = parameters.find(id);
    const std::string& place = parameter == parameters.end() ? step.id : parameter->second;
    const auto add = [&](const std::string& kind, const std::string& name, ValueId value) {
      if (value < 0) return;
      const std::string key = fmt::format("{}|{}", place, kind);
      out.push_back({fmt::format("{}|{}", key, occurrences[key]++), name, id, number, value});
    };
    for (const Binding& binding : step.bindings) add(binding.target, binding.target, binding.value);
    // The value of an expression has no name; "" cannot be a target. What a function returns is named by its caller.
    const std::string code(trace.sources.at(step.header.source).slice(step.header));
    if (step.value >= 0 && !code.starts_with("return")) add("", code, step.value);
  }
  return out;
}

std::vector<std::vector<int>> pair_values(const std::vector<std::vector<NamedValue>>& runs) {
  using Rows = std::list<std::vector<int>>;
  Rows rows;
  std::unordered_map<std::string, Rows::iterator> row_of;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    Rows::iterator next = rows.begin();
    for (std::size_t i = 0; i < runs[run].size(); ++i) {
      const auto found = row_of.find(runs[run][i].key);
      const auto row = found != row_of.end() ? found->second : rows.insert(next, std::vector<int>(runs.size(), -1));
      if (found == row_of.end()) row_of[runs[run][i].key] = row;
      (*row)[run] = static_cast<int>(i);
      next = std::next(row);
    }
  }
  return {rows.begin(), rows.end()};
}

}  // namespace attn
