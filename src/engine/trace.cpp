#include "engine/trace.h"

#include <fmt/format.h>

namespace attn {

std::string axes_text(const RecordedValue& value) {
  std::string out;
  for (std::size_t i = 0; i < value.shape.size(); ++i) {
    const std::string& name = value.axes[i].name;
    out += fmt::format("{}{}{}{}", i ? ", " : "", name, name.empty() ? "" : " ", value.shape[i]);
  }
  return "[" + out + "]";
}

std::span<const std::string> words_on(const RecordedValue& value, std::size_t axis, const Shape& leading) {
  if (axis >= value.axes.size() || !value.axes[axis].words) return {};
  const std::span<const std::string> words = *value.axes[axis].words;
  if (value.axes[axis].by.empty()) return words;
  const auto width = static_cast<std::size_t>(value.shape[axis]);
  for (std::size_t i = 0; i < leading.size() && i < value.axes.size(); ++i) {
    if (value.axes[i].name != value.axes[axis].by) continue;
    const std::size_t begin = static_cast<std::size_t>(leading[i]) * width;
    if (begin + width <= words.size()) return words.subspan(begin, width);
  }
  return {};
}

std::vector<StepId> visible_steps(const Trace& trace) {
  std::vector<StepId> out;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    if (!trace.steps[i].hidden) out.push_back(static_cast<StepId>(i));
  }
  return out;
}

Cost cost_of(const Trace& trace, const Step& step) {
  Cost cost;
  for (const OpId id : step.ops) {
    const Op& op = trace.op(id);
    cost.multiply_adds += op.multiply_adds;
    if (op.parent < 0) cost.bytes += op.bytes;
  }
  return cost;
}

}  // namespace attn
