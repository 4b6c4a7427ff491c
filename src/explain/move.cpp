#include "explain/move.h"

#include <algorithm>
#include <set>

#include "explain/element.h"
#include "explain/element_source.h"
#include "explain/value_history.h"
#include "tensor/core/read.h"

namespace attn {
namespace {

constexpr std::size_t kMostOnward = 6;
constexpr std::int64_t kMostSearched = 100'000;  // elements of a result that are looked through

MovedPlace place_of(const ValueHistory& history, ValueId id, const Shape& index) {
  const RecordedValue& value = history.value(id);
  MovedPlace place;
  place.value = id;
  place.name = history.name(id);
  place.index = index;
  place.address = value.tensor.defined() ? value.tensor.offset() : 0;
  const Shape in_order = contiguous_strides(value.shape);
  for (std::size_t d = 0; d < index.size(); ++d) {
    place.number += index[d] * in_order[d];
    place.address += index[d] * value.strides[d];
  }
  return place;
}

void describe(const ValueHistory& history, const Explanation& level, MovedPlace& place, const MovedPlace& before) {
  place.op = level.op_name;
  place.span = level.span;
  place.is_view = history.value(place.value).storage == history.value(before.value).storage;
}

bool moves(ElementRule rule) {
  return rule == ElementRule::IndexMap || rule == ElementRule::Gather || rule == ElementRule::Concat;
}

/// The first place of the element among the outputs of an op that moves elements.
std::optional<MovedPlace> place_after(const ValueHistory& history, ElementSources& sources, OpId id,
                                      const MovedPlace& element) {
  const Op& op = history.op(id);
  for (std::size_t output = 0; output < op.outputs.size(); ++output) {
    const RecordedValue& result = history.value(op.outputs[output]);
    if (!result.tensor.defined() || result.tensor.numel() > kMostSearched) continue;
    for (std::int64_t k = 0; k < result.tensor.numel(); ++k) {
      bool is_known = false;
      const Shape index = unravel(k, result.shape);
      const auto taken = sources.source_of(id, output, index, {}, is_known);
      if (!is_known) return std::nullopt;
      if (!taken || op.inputs[taken->input].value != element.value || taken->index != element.index) continue;
      MovedPlace place = place_of(history, op.outputs[output], index);
      place.op = op.name;
      place.span = op.span;
      place.is_view = result.storage == history.value(element.value).storage;
      return place;
    }
  }
  return std::nullopt;
}

std::vector<MovedPlace> places_after(const ValueHistory& history, const MovedPlace& element) {
  ElementSources sources(history);
  std::vector<MovedPlace> out;
  for (OpId id = 0; id < static_cast<OpId>(history.trace().ops.size()) && out.size() < kMostOnward; ++id) {
    const Op& op = history.op(id);
    const OpInfo* info = find_op(op.spelling);
    const bool takes = std::any_of(op.inputs.begin(), op.inputs.end(),
                                   [&](const OpOperand& input) { return input.value == element.value; });
    if (!takes || op.parent >= 0 || op.failed || op.in_place || !info || !moves(info->element)) continue;
    if (std::optional<MovedPlace> place = place_after(history, sources, id, element)) out.push_back(std::move(*place));
  }
  return out;
}

}  // namespace

std::vector<MergeCheck> merge_checks(const Shape& shape, const Shape& strides) {
  std::vector<MergeCheck> out;
  for (std::size_t d = 0; d + 1 < shape.size(); ++d) {
    const std::int64_t wanted = shape[d + 1] * strides[d + 1];
    out.push_back({d, shape[d] == 1 || shape[d + 1] == 1 || strides[d] == wanted, wanted});
  }
  return out;
}

// Both shapes are cut where the products from the front agree: within such a group the axes have to be merged.
std::optional<MergeCheck> view_obstacle(const Shape& shape, const Shape& strides, const Shape& wanted) {
  if (numel_of(shape) != numel_of(wanted) || numel_of(shape) == 0) return std::nullopt;
  const std::vector<MergeCheck> checks = merge_checks(shape, strides);
  std::set<std::int64_t> cuts;
  std::int64_t product = 1;
  for (const std::int64_t size : wanted) cuts.insert(product *= size);
  product = 1;
  for (std::size_t d = 0; d + 1 < shape.size(); ++d) {
    product *= shape[d];
    if (!cuts.contains(product) && !checks[d].can_merge) return checks[d];
  }
  return std::nullopt;
}

MoveExplanation explain_move(const Trace& trace, ValueId value, const Shape& index) {
  ExplainOptions options;
  options.depth = 0;  // moves cost no depth
  const Explanation top = explain_element(trace, value, index, options);
  const ValueHistory history(trace);
  MoveExplanation out;
  std::vector<const Explanation*> levels{&top};
  while (levels.back()->fact == ElementFact::Moved && !levels.back()->inner.empty())
    levels.push_back(&levels.back()->inner.front());
  for (std::size_t k = levels.size(); k-- > 0;) {
    MovedPlace place = place_of(history, levels[k]->value, levels[k]->index);
    if (!out.way.empty()) describe(history, *levels[k], place, out.way.back());
    out.way.push_back(std::move(place));
  }
  out.onward = places_after(history, out.way.back());
  const RecordedValue& asked = history.value(value);
  out.merges = merge_checks(asked.shape, asked.strides);
  return out;
}

}  // namespace attn
