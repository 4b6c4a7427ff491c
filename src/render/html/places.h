#pragma once
// Where the operands of the numbers of a tensor are, said once for all of them: the kinds of places that follow from
// the element rules of the ops. A place is found from some numbers, and checked against all that are known.
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "engine/trace.h"

namespace attn {

/// The element of `value` that belongs to the number at `index` of a result, as its row-major number:
///   base + the sum over the axes of the result of steps[axis] * index[axis], or tables[axis][index[axis]],
///   + step of the chooser * the number that the chooser's place leads to (a lookup),
///   or of `count` elements from there on, `step` apart, the first that is the largest or smallest (a reduction).
/// `list` follows no rule, and has the element for the k-th number.
struct Place {
  enum class Pick { None, Largest, Smallest };

  ValueId value = -1;
  std::int64_t base = 0;
  Shape steps = {};
  std::vector<Shape> tables = {};  // one per axis; empty: the step holds. None at all: so for every axis
  std::shared_ptr<Place> chooser = {};
  std::int64_t chooser_step = 0;
  Pick pick = Pick::None;
  std::int64_t count = 0, step = 0;
  std::vector<std::int64_t> list = {};

  bool is_sum() const { return list.empty() && !chooser && pick == Pick::None; }
  /// Whether the numbers of a tensor decide it.
  bool needs_numbers() const { return chooser || pick != Pick::None; }
};

/// Numbers of a result of that shape, each with the element of an operand that belongs to it.
struct PlaceSample {
  const Shape& shape;
  const std::vector<std::int64_t>& numbers;   // row-major
  const std::vector<std::int64_t>& elements;  // of the operand, one per number
};

/// A sum of steps or tables; nothing when the sample follows none.
std::optional<Place> summed_place(ValueId value, const PlaceSample& sample);

/// A lookup: the place of a row that the element at the chooser's place names.
std::optional<Place> chosen_place(const Trace& trace, ValueId value, const PlaceSample& sample, const Place& chooser);

/// The largest or the smallest of the elements that `first`, and steps from there, lead to.
std::optional<Place> picked_place(const Trace& trace, const PlaceSample& sample, const Place& first, std::int64_t count,
                                  std::int64_t step);

/// Row-major number of the element; -1 when it is outside. Not for lists.
std::int64_t element_of(const Trace& trace, const Place& place, const Shape& index);

/// {"v": value, "b": base, "s": [8, [0, 5, 9]], "at": {place}, "k": step of the chooser,
///  "pick": "largest", "n": count, "d": step} or {"v": value, "l": [...]}
nlohmann::ordered_json place_json(const Place& place);

}  // namespace attn
