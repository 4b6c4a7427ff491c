#include "engine/trace.h"

#include <algorithm>
#include <string_view>

namespace attn {
namespace {

/// The first binding of the name to a tensor, as the record has it.
void find_binding(const Trace& trace, MapName& wanted) {
  std::vector<bool> is_bug;  // by ordinal
  for (const TraceBlock& block : trace.blocks) {
    const CellRecord* cell = std::get_if<CellRecord>(&block);
    if (!cell || cell->ordinal < 0) continue;
    is_bug.resize(std::max(is_bug.size(), static_cast<std::size_t>(cell->ordinal) + 1), false);
    is_bug[static_cast<std::size_t>(cell->ordinal)] = !cell->options.wrong.empty();
  }
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const auto cell = static_cast<std::size_t>(trace.steps[i].cell);
    if (cell < is_bug.size() && is_bug[cell]) continue;
    for (const Binding& binding : trace.steps[i].bindings) {
      if (binding.target != wanted.name || binding.value < 0 || !trace.value(binding.value).is_tensor) continue;
      wanted.value = binding.value;
      wanted.step = static_cast<StepId>(i);
      return;
    }
  }
}

}  // namespace

std::string axes_text(const RecordedValue& value) {
  std::string out = "[";
  for (std::size_t i = 0; i < value.shape.size(); ++i) {
    const std::string& name = value.axes[i].name;
    if (i > 0) out += ", ";
    out += name;
    if (!name.empty()) out += ' ';
    out += std::to_string(value.shape[i]);
  }
  return out + ']';
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

const Prose* map_block(const Trace& trace) {
  for (const TraceBlock& block : trace.blocks) {
    const Prose* prose = std::get_if<Prose>(&block);
    const bool is_one = prose && prose->kind == Prose::Kind::Code && prose->language == "map" && prose->quotes == 0;
    if (is_one && trace.form == LessonForm::Lesson) return prose;
  }
  return nullptr;
}

std::vector<MapName> map_names(const Trace& trace) {
  std::vector<MapName> names;
  const Prose* block = map_block(trace);
  if (!block) return names;
  const std::string_view text = block->text;
  constexpr std::string_view kBetween = ", \t\n";
  for (std::size_t at = text.find_first_not_of(kBetween); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBetween, at), text.size());
    MapName& name = names.emplace_back(MapName{std::string(text.substr(at, end - at)), at});
    if (names.size() <= kMostMapNames) find_binding(trace, name);
    at = text.find_first_not_of(kBetween, end);
  }
  return names;
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
