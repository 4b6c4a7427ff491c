#include "explain/axis_flow.h"

#include <algorithm>
#include <numeric>

#include "base/text.h"
#include "tensor/core/read.h"
#include "text/say.h"
#include "torch/op.h"

namespace attn {
namespace {

/// The addresses that an axis walks over lie between its stride and this.
std::int64_t end_of(const Shape& shape, const Shape& strides, std::size_t axis) { return strides[axis] * shape[axis]; }

/// How many steps two axes have in common, as a fraction: {1, 1} where they have none.
std::pair<double, double> overlap(std::int64_t begin, std::int64_t end, std::int64_t other_begin,
                                  std::int64_t other_end) {
  const std::int64_t low = std::max(begin, other_begin), high = std::min(end, other_end);
  return low < high ? std::pair(static_cast<double>(high), static_cast<double>(low)) : std::pair(1.0, 1.0);
}

/// Strides in elements of the same row of numbers: of the storage, or where it was copied in order of the row-major
/// order. Nothing when neither says where the axes went.
std::optional<std::pair<Shape, Shape>> common_strides(const RecordedValue& from, const RecordedValue& to) {
  if (from.storage == to.storage) return std::pair(from.strides, to.strides);
  if (!from.tensor.defined() || !to.tensor.defined() || from.shape == to.shape) return std::nullopt;
  const Doubles before(from.tensor), after(to.tensor);
  bool is_same = before.size() == after.size();
  for (std::size_t i = 0; i < before.size() && is_same; ++i) is_same = before[i] == after[i];
  if (!is_same) return std::nullopt;
  return std::pair(contiguous_strides(from.shape), contiguous_strides(to.shape));
}

class FlowFinder {
 public:
  FlowFinder(const RecordedValue& from, const RecordedValue& to, Shape from_strides, Shape to_strides)
      : from_(from), to_(to), from_strides_(std::move(from_strides)), to_strides_(std::move(to_strides)) {}

  std::optional<std::vector<std::pair<std::size_t, std::size_t>>> find() {
    if (!link_long_axes()) return std::nullopt;
    link_short_axes();
    std::sort(links_.begin(), links_.end());
    return std::move(links_);
  }

 private:
  static std::string name(const RecordedValue& value, std::size_t axis) {
    return axis < value.axes.size() ? value.axes[axis].name : "";
  }

  // False when the steps do not make up the axes: elements were left out or repeated.
  bool link_long_axes() {
    std::vector<double> covered(from_.shape.size(), 1), divided(from_.shape.size(), 1);
    for (std::size_t i = 0; i < from_.shape.size(); ++i) {
      for (std::size_t j = 0; j < to_.shape.size(); ++j) {
        if (from_.shape[i] == 1 || to_.shape[j] == 1) continue;
        const auto [high, low] = overlap(from_strides_[i], end_of(from_.shape, from_strides_, i), to_strides_[j],
                                         end_of(to_.shape, to_strides_, j));
        if (high <= low) continue;
        covered[i] *= high;
        divided[i] *= low;
        links_.emplace_back(i, j);
      }
      if (covered[i] != divided[i] * static_cast<double>(from_.shape[i])) return false;
    }
    return true;
  }

  // Axes of size 1 are told by their names and their order.
  void link_short_axes() {
    std::vector<bool> taken(to_.shape.size(), false);
    for (std::size_t i = 0; i < from_.shape.size(); ++i) {
      for (std::size_t j = 0; j < to_.shape.size() && from_.shape[i] == 1; ++j) {
        if (to_.shape[j] != 1 || taken[j] || name(from_, i) != name(to_, j)) continue;
        taken[j] = true;
        links_.emplace_back(i, j);
        break;
      }
    }
  }

  const RecordedValue &from_, &to_;
  Shape from_strides_, to_strides_;
  std::vector<std::pair<std::size_t, std::size_t>> links_;
};

bool is_unchanged(const AxisFlow& flow, const Shape& from, const Shape& to) {
  if (from != to) return false;
  return std::all_of(flow.links.begin(), flow.links.end(), [](const auto& link) { return link.first == link.second; });
}

std::string axis_text(const RecordedValue& value, std::size_t axis) {
  const std::string size = std::to_string(value.shape[axis]);
  const std::string name = axis < value.axes.size() ? value.axes[axis].name : "";
  return name.empty() ? size : name + " " + size;
}

std::string named_axes(const RecordedValue& value, const std::vector<std::size_t>& axes) {
  std::vector<std::string> out;
  for (const std::size_t axis : axes) out.push_back(axis_text(value, axis));
  return join(out, ", ");
}

/// Whether axes were exchanged; where others are only cut, merged or new, places count anew but nothing moves.
bool is_reordered(const std::vector<AxisGroup>& groups) {
  std::size_t last = 0;
  for (const AxisGroup& group : groups) {
    if (group.from.empty() || group.to.empty()) continue;
    if (group.to[0] < last) return true;
    last = group.to[0];
  }
  return false;
}

/// The sentence for a group; none for one that stays.
const char* sentence_of(const AxisGroup& group, bool reordered) {
  if (group.from.empty()) return "flow.new";
  if (group.to.empty()) return "flow.gone";
  if (group.from.size() == 1 && group.to.size() == 1) return !reordered || group.from == group.to ? "" : "flow.moved";
  if (group.from.size() == 1) return "flow.cut";
  return group.to.size() == 1 ? "flow.merged" : "flow.cut_anew";
}

}  // namespace

std::optional<AxisFlow> axis_flow(const Trace& trace, OpId id) {
  const Op& op = trace.op(id);
  const OpInfo* info = find_op(op.spelling);
  if (!info || info->element != ElementRule::IndexMap || op.inputs.empty() || op.outputs.size() != 1 || op.in_place)
    return std::nullopt;
  AxisFlow flow{id, op.inputs[0].value, op.outputs[0], {}};
  if (flow.from < 0 || flow.to < 0) return std::nullopt;
  const RecordedValue &from = trace.value(flow.from), &to = trace.value(flow.to);
  const std::int64_t count = numel_of(from.shape);
  if (!from.is_tensor || !to.is_tensor || count == 0 || count != numel_of(to.shape)) return std::nullopt;
  auto strides = common_strides(from, to);
  if (!strides) return std::nullopt;
  auto links = FlowFinder(from, to, std::move(strides->first), std::move(strides->second)).find();
  if (!links) return std::nullopt;
  flow.links = std::move(*links);
  return is_unchanged(flow, from.shape, to.shape) ? std::nullopt : std::optional(flow);
}

std::vector<AxisGroup> axis_groups(const Trace& trace, const AxisFlow& flow) {
  const std::size_t above = trace.value(flow.from).shape.size(), below = trace.value(flow.to).shape.size();
  // Axes of both, those of the result behind the others; each names one of its group.
  std::vector<std::size_t> group(above + below);
  std::iota(group.begin(), group.end(), 0);
  for (const auto& [i, j] : flow.links) {
    const std::size_t kept = group[i], other = group[above + j];
    std::replace(group.begin(), group.end(), other, kept);
  }
  std::vector<AxisGroup> out(above + below);
  for (std::size_t axis = 0; axis < group.size(); ++axis) {
    AxisGroup& own = out[group[axis]];
    if (axis < above) own.from.push_back(axis);
    else own.to.push_back(axis - above);
  }
  std::erase_if(out, [](const AxisGroup& one) { return one.from.empty() && one.to.empty(); });
  return out;
}

std::string axis_flow_text(const Trace& trace, const AxisFlow& flow) {
  const RecordedValue &from = trace.value(flow.from), &to = trace.value(flow.to);
  std::vector<std::string> said, stay;
  const std::vector<AxisGroup> groups = axis_groups(trace, flow);
  const bool reordered = is_reordered(groups);
  for (const AxisGroup& group : groups) {
    const std::string id = sentence_of(group, reordered);
    const auto place = [](const std::vector<std::size_t>& axes) { return axes.empty() ? "" : std::to_string(axes[0]); };
    if (id.empty()) stay.push_back(named_axes(to, group.to));
    else
      said.push_back(say(id, {{"from", named_axes(from, group.from)},
                              {"to", named_axes(to, group.to)},
                              {"before", place(group.from)},
                              {"after", place(group.to)}}));
  }
  if (!stay.empty()) said.push_back(say("flow.stay", {{"axes", join(stay, ", ")}}));
  return trace.op(flow.op).name + ": " + join(said, "; ") + ".";
}

}  // namespace attn
