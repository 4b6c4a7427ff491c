#pragma once
// A cell in the whole view: the question, the steps with their children, the comparison, the answer and why.
#include <map>
#include <set>
#include <vector>

#include "engine/trace.h"
#include "render/calls.h"
#include "render/page.h"

namespace attn {

/// What the views of one Trace look up again and again.
struct TraceIndex {
  explicit TraceIndex(const Trace& trace);

  std::map<StepId, int> numbers;  // of the visible steps, from 1
  std::map<StepId, std::vector<StepId>> children;
  std::vector<StepId> last;  // of each step the last one inside it, or itself
  std::set<int> told;        // diagnostics that belong to a step or a cell
};

void put_cell(Page& page, const Trace& trace, const TraceIndex& index, ShownCalls& calls, const CellRecord& cell);

}  // namespace attn
