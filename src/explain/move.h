#pragma once
// Where an element was before it was moved, where it went, and where it is in storage: for views, copies that
// rearrange, joins and lookups.
#include <optional>
#include <string>
#include <vector>

#include "engine/trace.h"

namespace attn {

/// One place of the element on its way.
struct MovedPlace {
  ValueId value = -1;
  std::string name;
  Shape index;
  std::int64_t number = 0;   // in row-major order of the tensor, from 0
  std::int64_t address = 0;  // in elements from the beginning of the storage
  std::string op;            // that put it there from the place before; empty at the first
  Span span;
  bool is_view = false;  // of the storage of the place before: nothing was copied
};

/// Two neighboring axes of a tensor, and whether a view can make one of them.
struct MergeCheck {
  std::size_t axis = 0;     // this and the next one
  bool can_merge = true;    // stride of this = size of the next * stride of the next
  std::int64_t wanted = 0;  // that product
};

struct MoveExplanation {
  std::vector<MovedPlace> way;     // oldest first; the last is the element that was asked for
  std::vector<MovedPlace> onward;  // of ops that took it from there, the first place in each result
  std::vector<MergeCheck> merges;  // of the tensor that was asked for
};

/// Errors: UserError as explain_element().
MoveExplanation explain_move(const Trace& trace, ValueId value, const Shape& index);

/// Why a view of that shape is impossible: the first two neighbors that it would have to merge and cannot. Nothing
/// when it is possible, or the sizes do not multiply to the same number. `wanted` has no -1.
std::optional<MergeCheck> view_obstacle(const Shape& shape, const Shape& strides, const Shape& wanted);

/// Which neighboring axes a view can merge. Axes of size 1 merge with anything.
std::vector<MergeCheck> merge_checks(const Shape& shape, const Shape& strides);

}  // namespace attn
