#pragma once
// The same places in several runs of one lesson: what is bound at one of them in one run, beside what is bound
// there in the others.
#include <string>
#include <vector>

#include "engine/trace.h"

namespace attn {

/// A value that a step binds, or that is the value of an expression statement.
struct NamedValue {
  std::string key;   // of the place; equal in two runs where it is the same place
  std::string name;  // "query", "x[0]"; of an expression its code
  StepId step = -1;
  int number = 0;  // of the step among those that views show, from 1
  ValueId value = -1;
};

/// Those of the steps that views show, in order. The place of a step is its id (of a statement in a parameters cell,
/// whose code --set changes, its place in the cell), that of a binding its name and which one of that name it is.
std::vector<NamedValue> named_values(const Trace& trace);

/// One row for each place: for each run the index of its value there, -1 where it has none. In the order of the first
/// run; places of the others come after the one that they follow.
std::vector<std::vector<int>> pair_values(const std::vector<std::vector<NamedValue>>& runs);

}  // namespace attn
