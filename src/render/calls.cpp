#include "render/calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "explain/wording.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr int kMostNested = 3;  // of a function that calls itself
constexpr std::size_t kMostDifferences = 4;

/// "query_len 5 (there 6)": each axis that is another one than in `there`.
void add_differences(const std::string& target, const RecordedValue& here, const RecordedValue& there,
                     std::vector<std::string>& out) {
  const auto add = [&](const std::string& now, const std::string& then) {
    const std::string text = say("call.other", {{"here", now}, {"there", then}});
    if (std::find(out.begin(), out.end(), text) == out.end()) out.push_back(text);
  };
  if (here.shape.size() != there.shape.size()) {
    return add(target + " " + axes_text(here), axes_text(there));
  }
  for (std::size_t i = 0; i < here.shape.size(); ++i) {
    const std::string &name = here.axes[i].name, &other = there.axes[i].name;
    const std::string size = std::to_string(here.shape[i]), other_size = std::to_string(there.shape[i]);
    if (here.shape[i] == there.shape[i]) continue;
    if (name.empty()) {
      add(say("call.axis", {{"size", size}, {"axis", axis_name(here, i)}, {"target", target}}), other_size);
    } else {
      const bool is_named_alike = other.empty() || other == name;
      add(fmt::format("{} {}", name, size), is_named_alike ? other_size : fmt::format("{} {}", other, other_size));
    }
  }
}

/// What a step bound, and what it returned.
std::vector<Binding> results_of(const Step& step) {
  std::vector<Binding> out = step.bindings;
  if (step.value >= 0) out.push_back({say("call.result"), step.value, {}});
  return out;
}

}  // namespace

TraceIndex::TraceIndex(const Trace& trace) {
  last.resize(trace.steps.size());
  for (std::size_t i = trace.steps.size(); i-- > 0;) {
    last[i] = std::max(last[i], static_cast<StepId>(i));
    if (const StepId parent = trace.steps[i].parent; parent >= 0) {
      StepId& end = last[static_cast<std::size_t>(parent)];
      end = std::max(end, last[i]);
    }
  }
  int number = 0;
  for (const StepId id : visible_steps(trace)) numbers[id] = ++number;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const Step& step = trace.steps[i];
    if (step.parent >= 0) children[step.parent].push_back(static_cast<StepId>(i));
    if (step.diagnostic >= 0) told.insert(step.diagnostic);
    told.insert(step.warnings.begin(), step.warnings.end());
  }
  for (const TraceBlock& block : trace.blocks) {
    const CellRecord* cell = std::get_if<CellRecord>(&block);
    if (cell && cell->diagnostic >= 0) told.insert(cell->diagnostic);
    if (cell) told.insert(cell->notes.begin(), cell->notes.end());
  }
}

Children children_of(const Trace& trace, const TraceIndex& index, StepId parent) {
  Children out;
  const auto found = index.children.find(parent);
  if (found == index.children.end()) return out;
  for (const StepId id : found->second) {
    const int activation = trace.step(id).activation;
    if (activation == trace.step(parent).activation) {
      out.body.push_back(id);
      continue;
    }
    if (out.calls.empty() || out.calls.back().activation != activation) out.calls.push_back({activation, {}});
    out.calls.back().steps.push_back(id);
  }
  return out;
}

std::string steps_text(int from, int to) {
  return from == to ? say("steps.one", {{"from", std::to_string(from)}})
                    : say("steps", {{"from", std::to_string(from)}, {"to", std::to_string(to)}});
}

ShownCalls::LineOfCode ShownCalls::line_of(StepId step) const {
  const Span span = trace_.step(step).header;
  return {span.source, span.begin};
}

StepId ShownCalls::last_of(const CallSteps& call) const {
  return index_.last.at(static_cast<std::size_t>(call.steps.back()));
}

bool ShownCalls::is_new(const CallSteps& call) const {
  const LineOfCode first = line_of(call.steps.front());
  if (every_ || !shown_at_.contains(first) || !index_.numbers.contains(call.steps.front())) return true;
  if (const auto open = open_.find(first); open != open_.end() && open->second >= kMostNested) return false;
  for (StepId id = call.steps.front(); id <= last_of(call); ++id) {
    if (trace_.step(id).outcome == Outcome::Raised || !known_.contains(line_of(id))) return true;
  }
  return false;
}

void ShownCalls::enter(const CallSteps& call) {
  const LineOfCode first = line_of(call.steps.front());
  ++open_[first];
  const auto number = index_.numbers.find(call.steps.front());
  if (number != index_.numbers.end()) shown_at_.try_emplace(first, number->second);
  for (StepId id = call.steps.front(); id <= last_of(call); ++id) {
    const Step& step = trace_.step(id);
    if (step.activation != call.activation) continue;
    known_.insert(line_of(id));
    for (const Binding& binding : results_of(step)) first_.try_emplace({line_of(id), binding.target}, binding.value);
  }
}

void ShownCalls::leave_out(StepId from, StepId to) {
  for (StepId id = from; id <= index_.last.at(static_cast<std::size_t>(to)); ++id) known_.insert(line_of(id));
}

std::string ShownCalls::differences(const CallSteps& call) const {
  std::vector<std::string> out;
  for (StepId id = call.steps.front(); id <= last_of(call); ++id) {
    const Step& step = trace_.step(id);
    if (step.activation != call.activation) continue;
    for (const Binding& binding : results_of(step)) {
      const auto there = first_.find({line_of(id), binding.target});
      if (there == first_.end() || there->second < 0 || binding.value < 0) continue;
      const RecordedValue& now = trace_.value(binding.value);
      const RecordedValue& then = trace_.value(there->second);
      if (now.is_tensor && then.is_tensor) add_differences(binding.target, now, then, out);
    }
  }
  if (out.size() > kMostDifferences) {
    out.resize(kMostDifferences);
    out.push_back("...");
  }
  return join(out, ", ");
}

std::string ShownCalls::again(const std::vector<CallSteps>& calls) const {
  const StepId first = calls.front().steps.front();
  const Words words = {{"function", trace_.step(first).function},
                       {"count", std::to_string(calls.size())},
                       {"shown", std::to_string(shown_at_.at(line_of(first)))},
                       {"here", steps_text(index_.numbers.at(first), index_.numbers.at(last_of(calls.back())))}};
  if (calls.size() > 1) return say("call.times", words);
  const std::string with = differences(calls.front());
  const std::string text = say("call.again", words);
  return with.empty() ? text : say("call.with", {{"call", text}, {"list", with}});
}

}  // namespace attn
