#pragma once
// Two runs of one lesson, step by step: what kept every bit, what moved, and along which slices of each axis. For runs
// with another seed or parameter, or with a value touched.
#include <cstdint>
#include <string>
#include <vector>

#include "engine/trace.h"

namespace attn {

/// What became of a value from one run to the other.
enum class Change {
  Same,     // every bit; of what is no tensor, the same text
  Numbers,  // same shape and type, other numbers
  Shape,    // another shape or type of numbers
  Value,    // no tensor (in both), another text
  Missing,  // only in the run before
  New,      // only in the run after
  Unknown   // the numbers of one were not kept
};

/// One axis of a tensor whose numbers moved: every index stands in one of the two lists.
struct AxisChange {
  std::string name;  // "axis 1" without one
  std::vector<std::int64_t> moved;
  std::vector<std::int64_t> kept;  // indices whose whole slice kept every bit
};

/// A value that a step binds, or that is the value of an expression statement, in both runs.
struct ValueChange {
  std::string name;    // "query", "x[0]"; of an expression its code
  int step = 0;        // number among the steps that views show, from 1 (of the run before, unless it is New)
  StepId before = -1;  // index into the steps of the run before; -1: New
  StepId after = -1;   // index into the steps of the run after; -1: Missing
  ValueId before_value = -1, after_value = -1;
  Change change = Change::Same;
  bool is_tensor = false;        // in at least one of the runs
  Difference difference;         // of Numbers: compared bit by bit, a is the value before
  std::vector<AxisChange> axes;  // of Numbers
};

struct RunDifference {
  std::vector<ValueChange> values;  // in the order of the run before; what is New stands where it came about
  int first_numbers = -1;           // index of the first tensor whose numbers moved (Numbers); -1: none
  int first_shape = -1;             // index of the first with another shape

  /// How many tensors changed in that way.
  int count(Change change) const;
};

/// Pairs steps by their id (statements of a parameters cell by their place), bindings by name and occurrence. Hidden
/// steps are left out.
RunDifference run_difference(const Trace& before, const Trace& after);

/// "moved 0; 1, 2 kept every bit", "moved all 8": the slices along one axis, words of `value` (the tensor it is an axis
/// of) behind their indices.
std::string axis_change_text(const AxisChange& axis, const AxisRecord& record);

/// "8 of 120 numbers moved", "kept every bit", "another shape: [3, 2, 5] before, [3, 4, 5] now".
std::string change_text(const Trace& before, const Trace& after, const ValueChange& value);

/// The sentence under a difference: the first step whose numbers moved, or that nothing did.
std::string first_moved_text(const RunDifference& difference);

}  // namespace attn
