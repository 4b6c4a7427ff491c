#pragma once
// Which elements of its operands an op took that moves, picks or adds elements: found by running it once more on the
// numbers of the elements. Elements are numbered from kFirstNumber on, through all operands that move, so whatever
// else comes out is a number that the op puts in by itself, such as the zeros of a padding.
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/rerun.h"
#include "explain/value_history.h"

namespace attn {

/// An element of an operand of the op: op.inputs[input] at `index`.
struct TakenElement {
  std::size_t input = 0;
  Shape index;
};

class ElementSources {
 public:
  explicit ElementSources(const ValueHistory& history) : history_(history) {}

  /// What is at `index` of that output; nothing when the op put a number of its own there. `is_known` is false when
  /// the op cannot be run so.
  ///   `only`: the one parameter whose elements move; empty: all but those that choose (index, mask).
  std::optional<TakenElement> source_of(OpId op, std::size_t output, const Shape& index, std::string_view only,
                                        bool& is_known);

  /// The elements of the operand `parameter` that have a part in the element, for an op that adds or multiplies them:
  /// those for which 1 (2) instead of 0 (1) everywhere changes it. `base` is the operand that is added to, or empty.
  std::vector<TakenElement> parts_of(OpId op, std::size_t output, const Shape& index, std::string_view parameter,
                                     std::string_view base, bool multiplies);

  /// Whether the parameter chooses, instead of giving elements.
  static bool is_chooser(std::string_view parameter);

 private:
  Rerun& rerun();
  const std::vector<Tensor>& numbered(OpId op, std::string_view only);

  const ValueHistory& history_;
  std::unique_ptr<Rerun> rerun_;                 // made when the first op is asked
  std::map<OpId, std::vector<Tensor>> results_;  // many elements of one result are asked for
};

}  // namespace attn
