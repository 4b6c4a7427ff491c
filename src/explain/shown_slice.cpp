#include "explain/shown_slice.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include "engine/own_input.h"
#include "explain/numbers.h"
#include "syntax/axis_comment.h"
#include "tensor/core/read.h"
#include "text/say.h"

namespace attn {
namespace {

std::size_t leading_axes(const RecordedValue& value) { return value.shape.size() < 3 ? 0 : value.shape.size() - 2; }

Shape leading_part(const RecordedValue& value, Shape index) {
  index.resize(leading_axes(value));
  return index;
}

bool is_first(const Shape& index) {
  return std::all_of(index.begin(), index.end(), [](std::int64_t at) { return at == 0; });
}

/// The slice that a comment in the code of the step names.
std::optional<Shape> named_slice(const Trace& trace, const Step& step, const RecordedValue& value) {
  if (step.span.source >= trace.sources.size()) return std::nullopt;
  Shape index(leading_axes(value), 0);
  bool is_named = false;
  for (const SliceComment& comment : slice_comments(trace.sources[step.span.source].text)) {
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      if (value.axes[axis].name != comment.axis) continue;
      const std::int64_t size = value.shape[axis], from_front = comment.index + (comment.index < 0 ? size : 0);
      index[axis] = std::clamp<std::int64_t>(from_front, 0, size - 1);
      is_named = true;
    }
  }
  return is_named ? std::optional(index) : std::nullopt;
}

/// Where a wrong value first differs from the right one.
std::optional<ShownSlice> differing_slice(const Trace& trace, ValueId id) {
  for (const TraceBlock& block : trace.blocks) {
    const CellRecord* cell = std::get_if<CellRecord>(&block);
    if (!cell || !cell->comparison || cell->comparison->wrong != id || cell->comparison->difference.first.empty())
      continue;
    return ShownSlice{leading_part(trace.value(id), cell->comparison->difference.first),
                      say("slice.differs", {{"right", cell->comparison->right_name}})};
  }
  return std::nullopt;
}

/// The first slice with an element that `is_wanted`.
template <class IsWanted>
std::optional<Shape> slice_with(const RecordedValue& value, const Doubles& numbers, IsWanted is_wanted) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    look();
    if (is_wanted(numbers[i])) return leading_part(value, unravel(static_cast<std::int64_t>(i), value.shape));
  }
  return std::nullopt;
}

/// Of a slice whose numbers are all the same, such as a mask that keeps all of a sentence, there is nothing to see.
std::optional<ShownSlice> uneven_slice(const RecordedValue& value, const Doubles& numbers) {
  const std::size_t dims = value.shape.size();
  const std::int64_t size = value.shape[dims - 1] * value.shape[dims - 2];
  const auto is_other = [&](double number) { return number != numbers[0]; };
  const auto first = slice_with(value, numbers, is_other);
  if (size < 2 || !first || is_first(*first)) return std::nullopt;
  std::string all = TableNumbers(value.tensor)(value.tensor, 0);
  if (all.ends_with('.')) all += "0";
  return ShownSlice{*first, say("slice.uneven", {{"value", all}})};
}

/// Whether the row or the column of the element is labelled as padding.
bool is_padding_at(const RecordedValue& value, const Shape& index) {
  const Shape leading = leading_part(value, index);
  for (std::size_t axis = leading.size(); axis < index.size(); ++axis) {
    const auto words = words_on(value, axis, leading);
    const auto at = static_cast<std::size_t>(index[axis]);
    if (at < words.size() && words[at] == kPadding) return true;
  }
  return false;
}

bool is_fill(const Op& op) {
  constexpr std::string_view kFills[] = {"masked_fill", "masked_fill_", "where"};
  return std::find(std::begin(kFills), std::end(kFills), op.name) != std::end(kFills) && op.outputs.size() == 1;
}

/// The first element that a mask put there, rather one of padding: it is another one than in the operand.
std::optional<Shape> first_filled(const Trace& trace, const Op& op) {
  const RecordedValue& result = trace.value(op.outputs[0]);
  for (const OpOperand& input : op.inputs) {
    if (input.value < 0 || !result.has_numbers()) continue;
    const RecordedValue& operand = trace.value(input.value);
    if (!operand.has_numbers() || operand.shape != result.shape || operand.dtype != result.dtype) continue;
    const Doubles before(operand.tensor), after(result.tensor);
    std::optional<Shape> first;
    for (std::size_t i = 0; i < after.size(); ++i) {
      if (before[i] == after[i] || std::isnan(before[i])) continue;
      Shape index = unravel(static_cast<std::int64_t>(i), result.shape);
      if (is_padding_at(result, index)) return index;
      if (!first) first = std::move(index);
    }
    return first;
  }
  return std::nullopt;
}

}  // namespace

ShownSlices::ShownSlices(const Trace& trace) : trace_(trace) {
  for (const Op& op : trace.ops) follow(op);
}

void ShownSlices::follow(const Op& op) {
  const auto first = is_fill(op) ? first_filled(trace_, op) : std::nullopt;
  if (first && !is_first(leading_part(trace_.value(op.outputs[0]), *first))) {
    const RecordedValue& result = trace_.value(op.outputs[0]);
    filled_[op.outputs[0]] = {leading_part(result, *first), is_padding_at(result, *first)};
    return;
  }
  for (const OpOperand& input : op.inputs) {
    const auto filled = filled_.find(input.value);
    if (filled == filled_.end()) continue;
    const Filled from = filled->second;
    for (const ValueId output : op.outputs) inherit(from, input.value, output);
    return;
  }
}

/// The same sentence and head: axes of one name, or without names in the same place.
void ShownSlices::inherit(const Filled& filled, ValueId from, ValueId to) {
  const RecordedValue &before = trace_.value(from), &after = trace_.value(to);
  Shape index(leading_axes(after), 0);
  for (std::size_t axis = 0; axis < index.size(); ++axis) {
    for (std::size_t other = 0; other < filled.index.size(); ++other) {
      const std::string& name = after.axes[axis].name;
      const bool is_same = name.empty() ? axis == other && before.shape.size() == after.shape.size() : true;
      if (is_same && name == before.axes[other].name && before.shape[other] == after.shape[axis])
        index[axis] = filled.index[other];
    }
  }
  if (!is_first(index)) filled_[to] = {std::move(index), filled.is_padding};
}

ShownSlice ShownSlices::of(const Step& step, ValueId id) const {
  const RecordedValue& value = trace_.value(id);
  if (leading_axes(value) == 0 || !value.has_numbers() || value.tensor.numel() == 0) return {};
  if (value.tensor.numel() > kMostLookedAt) return {};
  if (auto index = named_slice(trace_, step, value)) return {std::move(*index), ""};
  const auto found = [&]() -> ShownSlice {
    if (auto slice = differing_slice(trace_, id)) return *slice;
    const Doubles numbers(value.tensor);
    if (auto index = slice_with(value, numbers, [](double x) { return std::isnan(x); }))
      return {*index, say("slice.nan")};
    if (const auto filled = filled_.find(id); filled != filled_.end())
      return {filled->second.index, say(filled->second.is_padding ? "slice.padding" : "slice.masked")};
    if (auto index = slice_with(value, numbers, [](double x) { return std::isinf(x); }))
      return {*index, say("slice.inf")};
    return uneven_slice(value, numbers).value_or(ShownSlice{Shape(leading_axes(value), 0), ""});
  }();
  return is_first(found.index) ? ShownSlice{found.index, ""} : found;
}

}  // namespace attn
