#pragma once
// Two runs of one lesson, value by value: what kept every bit, what moved, and along which slices of each axis. For
// runs with another seed or parameter, or with a value touched.
#include <cstdint>
#include <string>
#include <vector>

#include "engine/trace.h"

namespace attn {

/// What became of a value from one run to the other.
enum class Change {
  Same,          // every bit; of values that are not tensors, the same text
  OtherNumbers,  // same shape and type
  OtherShape,    // another shape or type of numbers
  OtherValue,    // not a tensor in one of them, another text
  Missing,       // only in the run before
  New,           // only in the run after
  Unknown        // the numbers of one were not kept
};

/// One axis of a tensor whose numbers moved: every index is in one of the two lists.
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
  Difference difference;         // of OtherNumbers: compared bit by bit, a is the value before
  std::vector<AxisChange> axes;  // of OtherNumbers
};

struct RunDifference {
  std::vector<ValueChange> values;  // in the order of the run before; what is New is where it was made
  int first_numbers = -1;           // index of the first tensor of the same shape whose numbers moved; -1: none
  int first_shape = -1;             // index of the first tensor with another shape or type

  /// How many tensors changed in that way.
  int count(Change change) const;
};

/// Pairs steps by their id (statements of a parameters cell by their place), bindings by name and occurrence. Hidden
/// steps are left out.
RunDifference run_difference(const Trace& before, const Trace& after);

/// "numbers", "shape", "same", ...: the word for machines.
std::string change_word(Change change);

/// What became of one value, without its name, a sentence a line: "8 of 120 numbers moved: batch_size 0; query_len 1",
/// "kept every bit: batch_size 1, 2; query_len 0, 2 to 4". An axis that is not named moved in all of its slices.
std::vector<std::string> change_text(const Trace& before, const Trace& after, const ValueChange& value);

/// The first tensor of another shape and the first with other numbers, with their steps, a sentence each; or that every
/// tensor kept every bit.
std::vector<std::string> first_moved_text(const RunDifference& difference);

}  // namespace attn
