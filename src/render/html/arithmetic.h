#pragma once
// The arithmetic of every number of a tensor, as data for the script of a page: a few forms ("{0} * {1} + ...") whose
// places follow from the place of the number. All of it comes from explain/element.h: the elements are explained one
// by one, and what they have in common is written once. Of a large tensor some elements are, where the element rule of
// the op says that the others are like them. Where no few forms say it, nothing is said.
#include <nlohmann/json.hpp>
#include <set>

#include "engine/trace.h"
#include "explain/element.h"

namespace attn {

/// The arithmetic of a tensor, and the values that it speaks of.
struct Arithmetic {
  /// {"op": "matmul", "line": 12, "forms": [{"pieces": ["exp(", 0, ")"], "slots": [{"v": 7, "b": 0, "s": [8, 0, 1]}],
  /// "note": ""}], "which": [0, 1, ...]}
  ///   pieces: text, the number of a slot, or {"n": 6, "join": " + ", "of": [pieces], "step": {"0": 4}}: similar terms,
  ///   in
  ///           each of which slot 0 is 4 elements further on.
  ///   slots:  places (html_places.h).
  ///   which:  the form of each number, where there are several; or
  ///   kinds:  the form of numbers that are nan, infinite, 0, and others.
  /// Null where there is nothing to show.
  nlohmann::ordered_json json;
  std::set<ValueId> operands;
  std::set<ValueId> needed;  // of them, those without whose numbers no place is known
  /// All numbers are those at the places of the only slot: of this value; -1 without one.
  ValueId moved_from = -1;
};

Arithmetic arithmetic_of(const Trace& trace, LevelExplainer& explain, ValueId value);

}  // namespace attn
