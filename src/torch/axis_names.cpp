#include "torch/axis_names.h"

#include <algorithm>
#include <numeric>

#include "tensor/core/tensor.h"

namespace attn {
namespace {

// Places in [first, last) whose size is not 1: the others hold no element order.
std::vector<std::size_t> wide_places(const Shape& shape, std::size_t first, std::size_t last) {
  std::vector<std::size_t> places;
  for (std::size_t i = first; i < last; ++i)
    if (shape[i] != 1) places.push_back(i);
  return places;
}

std::string merged_name(const Axes& axes, const std::vector<std::size_t>& places) {
  std::string name;
  for (const std::size_t place : places) {
    if (axes[place].name.empty()) return {};
    name += (name.empty() ? "" : "*") + axes[place].name;
  }
  return name;
}

// One run of axes with equal products on both sides.
struct Group {
  std::size_t from_first, from_last, to_first, to_last;
};

void name_group(const Group& group, const Shape& from, const Axes& axes, const Shape& to, Axes& out) {
  const bool is_one_to_one = group.from_last - group.from_first == 1 && group.to_last - group.to_first == 1;
  if (is_one_to_one) {
    out[group.to_first] = axes[group.from_first];
    return;
  }
  const auto wide_from = wide_places(from, group.from_first, group.from_last);
  const auto wide_to = wide_places(to, group.to_first, group.to_last);
  if (wide_to.size() != 1) return;
  if (wide_from.size() == 1) {
    out[wide_to[0]] = axes[wide_from[0]];
  } else {
    out[wide_to[0]].name = merged_name(axes, wide_from);
  }
}

/// Whether both axes go through the elements in one way. Of one element there is but one way.
bool walk_alike(const Shape& from, std::size_t i, const Shape& to, std::size_t j) {
  return from[i] == to[j] && (from[i] == 1 || contiguous_strides(from)[i] == contiguous_strides(to)[j]);
}

}  // namespace

std::string doubtful(std::string_view name) { return std::string(claimed_name(name)) + "?"; }

std::string_view claimed_name(std::string_view name) {
  if (name.ends_with('?')) name.remove_suffix(1);
  return name;
}

std::string name_of(const OriginPtr& origin) {
  return origin && origin->source != Origin::Source::Arithmetic ? std::string(claimed_name(origin->name))
                                                                : std::string();
}

Axis axis_from(const Value& value, std::int64_t size) {
  const Int* number = value.as_int();
  if (!number || !number->origin || number->value != size) return {};
  return {name_of(OriginPtr(number->origin)), nullptr, OriginPtr(number->origin)};
}

Axis without_words(const Axis& axis) { return {axis.name, nullptr, nullptr}; }

bool words_fit(const Axes& axes, std::size_t place, const Shape& shape) {
  const Axis& axis = axes[place];
  std::int64_t rows = axis.by.empty() ? 1 : 0;
  for (std::size_t i = 0; i < axes.size() && !axis.by.empty(); ++i)
    if (axes[i].name == axis.by) rows = shape[i];
  return static_cast<std::int64_t>(axis.words->size()) == rows * shape[place];
}

void drop_rows_by(Axes& axes, const std::string& name) {
  for (Axis& axis : axes)
    if (!axis.by.empty() && axis.by == name) axis.words = nullptr;
}

Axes fitted(Axes axes, const Tensor& output) {
  if (axes.size() != as_size(output.dim())) return Axes(as_size(output.dim()));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    Axis& axis = axes[i];
    if (axis.words && !words_fit(axes, i, output.shape())) axis.words = nullptr;
    if (axis.origin && axis.origin->value != output.shape()[i]) axis.origin = nullptr;
  }
  return axes;
}

Axes regrouped(const Shape& from, const Axes& axes, const Shape& to) {
  if (from == to) return axes;
  Axes out(to.size());
  if (std::find(from.begin(), from.end(), 0) != from.end()) return out;  // no elements, so no order to follow
  std::size_t i = 0, j = 0;
  while (i < from.size() && j < to.size()) {
    Group group{i, i + 1, j, j + 1};
    std::int64_t left = from[i++], right = to[j++];
    while (left != right) {
      if (left < right) {
        if (i == from.size()) return out;
        left *= from[i++];
      } else {
        if (j == to.size()) return out;
        right *= to[j++];
      }
    }
    group.from_last = i;
    group.to_last = j;
    name_group(group, from, axes, to, out);
  }
  return out;
}

Axis renamed(const Shape& from, const Axes& axes, const Shape& to, std::size_t place, const Axis& wanted) {
  bool was_there = false;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (claimed_name(axes[i].name) != claimed_name(wanted.name)) continue;
    if (walk_alike(from, i, to, place)) return {axes[i].name, axes[i].words, wanted.origin, axes[i].by};
    was_there = true;
  }
  return {was_there ? doubtful(wanted.name) : wanted.name, nullptr, wanted.origin};
}

std::string lost_name(const Shape& from, const Axes& axes, const Shape& to, std::size_t place) {
  const std::int64_t size = to[place];
  if (size == 1 || std::count(from.begin(), from.end(), size) != 1 || std::count(to.begin(), to.end(), size) != 1)
    return {};
  const auto old = static_cast<std::size_t>(std::find(from.begin(), from.end(), size) - from.begin());
  const bool is_last = old + 1 == from.size();  // the numbers of a word are cut up on purpose
  return is_last || walk_alike(from, old, to, place) || axes[old].name.empty() ? "" : doubtful(axes[old].name);
}

}  // namespace attn
