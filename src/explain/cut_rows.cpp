#include "explain/cut_rows.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "explain/element_source.h"
#include "explain/value_history.h"
#include "explain/wording.h"
#include "text/say.h"
#include "torch/axis_names.h"
#include "torch/op.h"

namespace attn {
namespace {

constexpr std::size_t kMostParts = 3;
constexpr std::int64_t kMostColumns = 4096;
constexpr std::int64_t kMostRows = 64;  // that are looked at for one that is another than its index says

/// Consecutive elements along the last axis of the tensor before the view.
struct RowPart {
  Shape first;
  std::int64_t count = 1;
};

class CutRows {
 public:
  CutRows(const Trace& trace, ValueId value, const Shape& leading)
      : history_(trace), sources_(history_), value_(value), leading_(leading) {
    leading_.resize(shape().size() - 2, 0);
    claimed_ = claimed_name(axes()[shape().size() - 2].name);
  }

  std::string text(std::int64_t row) {
    if (row >= 0) return sentence(row);
    // The first row may begin with what it is called by.
    for (row = std::min<std::int64_t>(1, rows() - 1); row < std::min(rows(), kMostRows); ++row)
      if (std::string found = sentence(row); !found.empty()) return found;
    return {};
  }

 private:
  const RecordedValue& recorded() const { return history_.value(value_); }
  const Shape& shape() const { return recorded().shape; }
  const std::vector<AxisRecord>& axes() const { return recorded().axes; }
  std::int64_t rows() const { return shape()[shape().size() - 2]; }

  static std::optional<std::size_t> axis_called(const RecordedValue& value, std::string_view name) {
    for (std::size_t axis = 0; axis < value.axes.size(); ++axis)
      if (value.axes[axis].name == name) return axis;
    return std::nullopt;
  }

  /// Back through ops that only moved the element, to the first tensor whose axis of that name is what it is called.
  std::optional<ElementPlace> origin_of(ElementPlace place) {
    // With equal sizes another axis of the value may be called so, and be it.
    while (place.value == value_ || !axis_called(history_.value(place.value), claimed_)) {
      const Producer made = history_.producer(place.value);
      if (made.op < 0) return std::nullopt;
      const Op& op = history_.op(made.op);
      const OpInfo* info = find_op(op.spelling);
      if (!info || info->element != ElementRule::IndexMap || op.failed || op.in_place) return std::nullopt;
      bool is_known = false;
      const auto taken = sources_.source_of(made.op, made.output, place.index, {}, is_known);
      if (!is_known || !taken) return std::nullopt;
      place = {op.inputs[taken->input].value, taken->index};
    }
    return place;
  }

  /// The row in parts of the tensor before the view (`before_`); none where that is not known.
  std::vector<RowPart> parts_of(std::int64_t row) {
    std::vector<RowPart> parts;
    Shape index = leading_;
    index.insert(index.end(), {row, 0});
    for (std::int64_t& column = index.back(); column < shape().back(); ++column) {
      const auto place = origin_of({value_, index});
      if (!place || (before_ >= 0 && place->value != before_)) return {};
      before_ = place->value;
      Shape next = parts.empty() ? Shape() : parts.back().first;
      if (!parts.empty()) next.back() += parts.back().count;
      if (next == place->index) ++parts.back().count;
      else parts.push_back({place->index, 1});
    }
    return parts;
  }

  /// Whether the row is the whole of what its index says, as it is after a view and its undoing.
  bool is_true(const std::vector<RowPart>& parts, std::int64_t row) const {
    const RecordedValue& before = history_.value(before_);
    const std::size_t axis = *axis_called(before, claimed_);
    return parts.size() == 1 && parts[0].first[axis] == row && parts[0].count == before.shape.back();
  }

  std::string sentence(std::int64_t row) {
    if (shape().back() > kMostColumns) return {};
    const std::vector<RowPart> parts = parts_of(row);
    if (parts.empty() || is_true(parts, row)) return {};
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < parts.size() && i < kMostParts; ++i) texts.push_back(part_text(parts[i]));
    const auto more = static_cast<std::int64_t>(parts.size() - texts.size());
    const std::string list = join(texts, ", ");
    return say("rows.are", {{"row", std::to_string(row)},
                            {"parts", more > 0 ? say_count("rows.more", more, {{"parts", list}}) : list}});
  }

  /// "the second half of "sie"", "n_heads 1 of "sie"".
  std::string part_text(const RowPart& part) const {
    const RecordedValue& before = history_.value(before_);
    std::string text = share_text(part);
    for (std::size_t axis = part.first.size() - 1; axis-- > 0;) {
      if (is_of_slice(before, axis, part.first[axis])) continue;
      const std::string place = place_text(before, axis, part.first);
      text = text.empty() ? place : say("rows.of", {{"part", text}, {"whole", place}});
    }
    return text;
  }

  /// The word at the index of that axis, else "query_len 1".
  static std::string place_text(const RecordedValue& value, std::size_t axis, const Shape& index) {
    const auto words = words_on(value, axis, index);
    const auto at = static_cast<std::size_t>(index[axis]);
    if (at < words.size()) return "\"" + visible(words[at]) + "\"";
    const std::string name = axis_name(value, axis);
    if (!value.axes[axis].name.empty()) return name + " " + std::to_string(at);
    return say("slice.unnamed", {{"axis", name}, {"index", std::to_string(at)}});
  }

  /// The slice that is shown is of the same index of that axis: no need to say it.
  bool is_of_slice(const RecordedValue& before, std::size_t axis, std::int64_t index) const {
    for (std::size_t d = 0; d < leading_.size() && before.axes[axis].name != claimed_; ++d)
      if (!before.axes[axis].name.empty() && axes()[d].name == before.axes[axis].name) return leading_[d] == index;
    return before.shape[axis] == 1;
  }

  /// Which share of the last axis before the view; empty for all of it.
  std::string share_text(const RowPart& part) const {
    const RecordedValue& before = history_.value(before_);
    const std::int64_t size = before.shape.back(), first = part.first.back();
    if (part.count == size) return {};
    if (2 * part.count == size && first % part.count == 0)
      return say(first == 0 ? "rows.half.first" : "rows.half.second");
    const std::string& name = before.axes.back().name;
    const std::string from = std::to_string(first), to = std::to_string(first + part.count - 1);
    return (name.empty() ? "" : name + " ") +
           (part.count == 1 ? from : say("list.range", {{"from", from}, {"to", to}}));
  }

  ValueHistory history_;
  ElementSources sources_;
  ValueId value_;
  Shape leading_;
  std::string claimed_;
  ValueId before_ = -1;
};

}  // namespace

std::string cut_row_text(const Trace& trace, ValueId id, const Shape& leading, std::int64_t row) {
  const RecordedValue& value = trace.value(id);
  const std::size_t dims = value.shape.size();
  if (!value.has_numbers() || value.tensor.numel() == 0 || dims < 2 || !is_doubtful(value.axes[dims - 2].name))
    return {};
  return CutRows(trace, id, leading).text(row);
}

}  // namespace attn
