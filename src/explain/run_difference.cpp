#include "explain/run_difference.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "explain/numbers.h"
#include "explain/paired_values.h"
#include "explain/wording.h"
#include "tensor/core/read.h"
#include "text/say.h"

namespace attn {
namespace {

// One row per enumerator of Change, in its order.
constexpr const char* kWords[] = {"same", "numbers", "shape", "value", "missing", "new", "unknown"};

std::vector<AxisChange> axis_changes(const RecordedValue& value, const Difference& difference) {
  std::vector<AxisChange> axes;
  for (std::size_t axis = 0; axis < value.shape.size(); ++axis) {
    AxisChange change{axis_name(value, axis), {}, difference.unharmed[axis]};
    for (std::int64_t i = 0; i < value.shape[axis]; ++i)
      if (!std::binary_search(change.kept.begin(), change.kept.end(), i)) change.moved.push_back(i);
    axes.push_back(std::move(change));
  }
  return axes;
}

void compare_values(const RecordedValue& before, const RecordedValue& after, ValueChange& change) {
  change.is_tensor = before.is_tensor || after.is_tensor;
  if (!before.is_tensor || !after.is_tensor) {
    const bool same = before.is_tensor == after.is_tensor && before.type == after.type && before.text == after.text;
    change.change = same ? Change::Same : Change::OtherValue;
  } else if (before.shape != after.shape || before.dtype != after.dtype) {
    change.change = Change::OtherShape;
  } else if (!before.has_numbers() || !after.has_numbers()) {
    change.change = Change::Unknown;
  } else {
    change.difference = compare_bits(before.tensor, after.tensor);
    if (change.difference.differing == 0) return;
    change.change = Change::OtherNumbers;
    change.axes = axis_changes(after, change.difference);
  }
}

ValueChange change_of(const Trace& before, const Trace& after, const NamedValue* was, const NamedValue* is) {
  const NamedValue& place = was ? *was : *is;
  ValueChange change;
  change.name = place.name;
  change.step = place.number;
  if (was) change.before = was->step, change.before_value = was->value;
  if (is) change.after = is->step, change.after_value = is->value;
  if (was && is) {
    compare_values(before.value(was->value), after.value(is->value), change);
  } else {
    change.change = was ? Change::Missing : Change::New;
    change.is_tensor = (was ? before : after).value(place.value).is_tensor;
  }
  return change;
}

// ---- words ----

constexpr std::size_t kMostWords = 4;  // indices with words behind them

/// "0 to 2, 5"; of few indices on an axis with words "1 (cat), 2 (sat)".
std::string places_text(const std::vector<std::int64_t>& indices, const AxisRecord& axis) {
  if (!axis.words || !axis.by.empty() || indices.empty() || indices.size() > kMostWords) return indices_text(indices);
  std::vector<std::string> parts;
  for (const std::int64_t index : indices) {
    const auto at = static_cast<std::size_t>(index);
    if (at >= axis.words->size()) return indices_text(indices);
    parts.push_back(fmt::format("{} ({})", index, visible((*axis.words)[at])));
  }
  return join(parts, ", ");
}

/// "batch_size 0; query_len 1": only axes of which a part moved.
std::string slices_text(const RecordedValue& value, const std::vector<AxisChange>& axes,
                        std::vector<std::int64_t> AxisChange::*list) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].kept.empty()) continue;
    const std::string text = places_text(axes[i].*list, value.axes[i]);
    const bool named = !value.axes[i].name.empty();
    parts.push_back(named ? axes[i].name + " " + text
                          : say("slice.unnamed", {{"axis", axes[i].name}, {"index", text}}));
  }
  return join(parts, "; ");
}

std::vector<std::string> numbers_text(const RecordedValue& was, const RecordedValue& value, const ValueChange& change) {
  if (value.tensor.numel() == 1) {
    const auto text = [](const Tensor& x) { return TableNumbers(x).beside(to_double(element_at(x, 0))); };
    const std::string before = text(was.tensor), after = text(value.tensor);
    if (before != after) return {say("moved.value", {{"before", before}, {"after", after}})};
  }
  const Difference& difference = change.difference;
  Words words{{"moved", std::to_string(difference.differing)},
              {"where", slices_text(value, change.axes, &AxisChange::moved)}};
  if (difference.differing == difference.total) return {say_count("moved.all", difference.total)};
  if (words[1].second.empty()) return {say_count("moved.everywhere", difference.total, words)};
  return {say_count("moved", difference.total, words),
          say("moved.kept", {{"where", slices_text(value, change.axes, &AxisChange::kept)}})};
}

std::string short_text(const RecordedValue& value) {
  if (value.is_tensor) return fmt::format("{} {}", axes_text(value), short_name(value.dtype));
  return elide(visible(value.text), 60);
}

std::string place_text(const char* id, const ValueChange& value) {
  return say(id, {{"name", visible(value.name)}, {"step", std::to_string(value.step)}});
}

}  // namespace

int RunDifference::count(Change change) const {
  return static_cast<int>(std::count_if(values.begin(), values.end(), [&](const ValueChange& value) {
    return value.is_tensor && value.change == change;
  }));
}

RunDifference run_difference(const Trace& before, const Trace& after) {
  const std::vector<std::vector<NamedValue>> runs{named_values(before), named_values(after)};
  RunDifference difference;
  for (const std::vector<int>& row : pair_values(runs)) {
    const NamedValue* was = row[0] < 0 ? nullptr : &runs[0][static_cast<std::size_t>(row[0])];
    const NamedValue* is = row[1] < 0 ? nullptr : &runs[1][static_cast<std::size_t>(row[1])];
    const auto index = static_cast<int>(difference.values.size());
    const ValueChange& change = difference.values.emplace_back(change_of(before, after, was, is));
    if (!change.is_tensor) continue;
    if (change.change == Change::OtherNumbers && difference.first_numbers < 0) difference.first_numbers = index;
    if (change.change == Change::OtherShape && difference.first_shape < 0) difference.first_shape = index;
  }
  return difference;
}

std::string change_word(Change change) { return kWords[static_cast<std::size_t>(change)]; }

std::vector<std::string> change_text(const Trace& before, const Trace& after, const ValueChange& value) {
  switch (value.change) {
    case Change::Same: return {say("moved.same")};
    case Change::OtherNumbers:
      return numbers_text(before.value(value.before_value), after.value(value.after_value), value);
    case Change::Missing: return {say("moved.missing")};
    case Change::New: return {say("moved.new")};
    case Change::Unknown: return {say("moved.unknown")};
    case Change::OtherShape:
    case Change::OtherValue: break;
  }
  return {say(value.change == Change::OtherShape ? "moved.shape" : "moved.value",
              {{"before", short_text(before.value(value.before_value))},
               {"after", short_text(after.value(value.after_value))}})};
}

std::vector<std::string> first_moved_text(const RunDifference& difference) {
  std::vector<std::string> lines;
  const auto at = [&](int index) -> const ValueChange& { return difference.values[static_cast<std::size_t>(index)]; };
  if (difference.first_shape >= 0) lines.push_back(place_text("moved.first.shape", at(difference.first_shape)));
  if (difference.first_numbers >= 0) lines.push_back(place_text("moved.first.numbers", at(difference.first_numbers)));
  const bool differ = difference.count(Change::Missing) + difference.count(Change::New) > 0;
  if (lines.empty()) lines.push_back(say(differ ? "moved.nothing.both" : "moved.nothing"));
  return lines;
}

}  // namespace attn
