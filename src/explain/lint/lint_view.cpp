// View for transpose: the classic bug of splitting and merging heads.
//
// A view keeps the order of the numbers in storage. Its axes fall into groups: the shortest runs of axes before and
// after whose sizes have one product. A group that only splits one axis, or only merges several, keeps every entry at
// its place along the others: [B, T, C] to [B, T, H, D] is (B)(T)(C -> H, D). In [B, T, C] to [B, H, T, D] it is
// (B)(T, C -> H, T, D): T is there before and after, and its entries are others.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/text.h"
#include "explain/lint/lint_rules.h"
#include "explain/lint_flow.h"
#include "syntax/snippet.h"
#include "text/say.h"
#include "torch/axis_names.h"

namespace attn {
namespace {

struct Group {
  std::size_t from, from_end;  // axes before
  std::size_t to, to_end;      // and after
};

std::vector<Group> groups_of(const Shape& before, const Shape& after) {
  std::vector<Group> groups;
  std::size_t i = 0, j = 0;
  while (i < before.size() && j < after.size()) {
    Group group{i, i, j, j};
    std::int64_t left = before[i++], right = after[j++];
    while (left != right && (left < right ? i < before.size() : j < after.size())) {
      if (left < right) left *= before[i++];
      else right *= after[j++];
    }
    group.from_end = i;
    group.to_end = j;
    groups.push_back(group);
  }
  return groups;
}

/// An axis that stands in both, by its place before and after.
struct Moved {
  std::size_t from, to;
};

std::size_t wide_axes(const Shape& shape, std::size_t begin, std::size_t end) {
  return static_cast<std::size_t>(std::count_if(shape.begin() + static_cast<std::ptrdiff_t>(begin),
                                                shape.begin() + static_cast<std::ptrdiff_t>(end),
                                                [](std::int64_t size) { return size > 1; }));
}

/// Of a group with several axes on either side: one of a size that was there before.
std::optional<Moved> moved_in(const Group& group, const Shape& before, const Shape& after) {
  if (wide_axes(before, group.from, group.from_end) < 2 || wide_axes(after, group.to, group.to_end) < 2)
    return std::nullopt;
  for (std::size_t i = group.from; i < group.from_end; ++i)
    for (std::size_t j = group.to; j < group.to_end; ++j)
      if (before[i] > 1 && before[i] == after[j]) return Moved{i, j};
  return std::nullopt;
}

/// Sizes may be equal, and hide it: the size of an axis was asked for by its name in another place, too.
std::optional<Moved> moved_by_name(const RecordedValue& before, const RecordedValue& after) {
  for (const Group& group : groups_of(before.shape, after.shape)) {
    if (group.from_end - group.from != 1 || group.to_end - group.to != 1) continue;
    const std::string& name = before.axes[group.from].name;
    const auto has_name = [&](const AxisRecord& axis) { return axis.name == name; };
    if (std::count_if(before.axes.begin(), before.axes.end(), has_name) > 1) continue;
    for (std::size_t j = 0; !name.empty() && j < after.axes.size(); ++j)
      if (j != group.to && claimed_name(after.axes[j].name) == name && after.shape[j] == before.shape[group.from])
        return Moved{group.from, j};
  }
  return std::nullopt;
}

std::optional<Moved> crossing(const RecordedValue& before, const RecordedValue& after) {
  if (before.axes.size() != before.shape.size() || after.axes.size() != after.shape.size()) return std::nullopt;
  for (const Group& group : groups_of(before.shape, after.shape))
    if (const auto moved = moved_in(group, before.shape, after.shape)) return moved;
  return moved_by_name(before, after);
}

/// The shift of relative positions in Transformer-XL: a column is put before the first, and the rows are cut anew, so
/// that each moves on by one more than the row before it. Exactly what a view does, and meant so.
bool is_relative_shift(const Flow& flow, const Op& op, Moved moved) {
  const Op* maker = flow.maker(op.inputs[0].value);
  if (!maker || (plain_name(*maker) != "pad" && plain_name(*maker) != "cat")) return false;
  const Shape &before = flow.value(op.inputs[0].value).shape, &after = flow.value(op.outputs[0]).shape;
  if (before.size() != after.size() || moved.from == moved.to) return false;
  return before[moved.to] == after[moved.from] && std::abs(before[moved.from] - before[moved.to]) == 1;
}

/// Whether something is made of the entries: they go into a product, or come from one and are kept. A view that is only
/// looked at shows what a view is.
bool is_used(const Flow& flow, const Op& op) {
  return flow.goes_into_product(op.outputs[0]) ||
         (flow.is_kept(op.outputs[0]) && flow.comes_from_product(op.inputs[0].value));
}

/// The source of the tensor and of the sizes, where the op is called as a method: x.view(a, b, c).
struct ViewCall {
  std::string owner;
  std::vector<std::string> sizes;
};

ViewCall call_of(const Flow& flow, const Op& op, const Shape& after) {
  const Source& source = flow.trace().sources[op.span.source];
  const std::string_view code = source.slice(op.span);
  const std::string name = "." + op.name + "(";
  const std::size_t at = code.rfind(name);
  ViewCall call;
  if (at != std::string_view::npos && code.find('\n') == std::string_view::npos) {
    call.owner = code.substr(0, at);
    Span inside = op.span;
    inside.begin += static_cast<std::uint32_t>(at + name.size());
    inside.end -= 1;
    for (const Span piece : pieces_of(source, inside)) call.sizes.emplace_back(source.slice(piece));
  }
  if (call.sizes.size() == after.size()) return call;
  call.sizes.clear();
  for (const std::int64_t size : after) call.sizes.push_back(std::to_string(size));
  return call;
}

/// x.view(B, T, H, D).transpose(1, 2) for a split, x.transpose(1, 2).reshape(B, T, C) for a merge.
std::string right_form(const Flow& flow, const Op& op, const Shape& after, Moved moved) {
  ViewCall call = call_of(flow, op, after);
  const std::string owner = call.owner.empty() ? "x" : call.owner;
  const auto apart = moved.from > moved.to ? moved.from - moved.to : moved.to - moved.from;
  const auto turn = [&](std::size_t a, std::size_t b) {
    return fmt::format(".{}({}, {})", apart == 1 ? "transpose" : "movedim", a, b);
  };
  if (moved.to > moved.from) {
    const std::string size = call.sizes[moved.to];
    call.sizes.erase(call.sizes.begin() + static_cast<std::ptrdiff_t>(moved.to));
    call.sizes.insert(call.sizes.begin() + static_cast<std::ptrdiff_t>(moved.from), size);
    return fmt::format("{}.view({}){}", owner, join(call.sizes, ", "), turn(moved.from, moved.to));
  }
  return fmt::format("{}{}.reshape({})", owner, apart == 1 ? turn(moved.to, moved.from) : turn(moved.from, moved.to),
                     join(call.sizes, ", "));
}

std::optional<Finding> crossing_view(const Flow& flow, const Op& op) {
  const std::string_view name = plain_name(op);
  if ((name != "view" && name != "reshape") || op.inputs.empty() || op.outputs.empty()) return std::nullopt;
  const RecordedValue &before = flow.value(op.inputs[0].value), &after = flow.value(op.outputs[0]);
  const auto moved = crossing(before, after);
  if (!moved || moved->from == moved->to || is_relative_shift(flow, op, *moved) || !is_used(flow, op))
    return std::nullopt;
  return Finding{"view", flow.id_of(op),
                 say("lint.view", {{"op", std::string(name)},
                                   {"axes", axes_text(before)},
                                   {"sizes", axes_text(after)},
                                   {"from", std::to_string(moved->from)},
                                   {"to", std::to_string(moved->to)},
                                   {"size", std::to_string(before.shape[moved->from])}}),
                 right_form(flow, op, after.shape, *moved)};
}

}  // namespace

Rules view_rules() {
  static constexpr RuleRow kRows[] = {
      {.at_op = crossing_view},
  };
  return kRows;
}

}  // namespace attn
