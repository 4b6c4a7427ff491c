#pragma once
// Calls of functions that cells define, in the whole view: a body is shown where it runs a line that was not shown
// before, and summed up in one sentence elsewhere. Steps keep their numbers, whether they are shown or not.
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/trace.h"

namespace attn {

/// What the views of one Trace look up again and again.
struct TraceIndex {
  explicit TraceIndex(const Trace& trace);

  std::map<StepId, int> numbers;  // of the visible steps, from 1
  std::map<StepId, std::vector<StepId>> children;
  std::vector<StepId> last;  // of each step the last one inside it, or itself
  std::set<int> told;        // diagnostics that belong to a step or a cell
};

/// A call made by a statement: the steps of the body at its top level.
struct CallSteps {
  int activation = 0;
  std::vector<StepId> steps;
};

/// The children of a step: those of the calls that it makes, and those of its own body (a loop, a branch).
struct Children {
  std::vector<CallSteps> calls;
  std::vector<StepId> body;
};
Children children_of(const Trace& trace, const TraceIndex& index, StepId parent);

class ShownCalls {
 public:
  /// `every`: each call is shown whole.
  ShownCalls(const Trace& trace, const TraceIndex& index, bool every) : trace_(trace), index_(index), every_(every) {}

  /// Whether the body is to be shown. A call that fails is, and of a function that calls itself the first levels.
  bool is_new(const CallSteps& call) const;
  /// The body is shown from here on, until leave().
  void enter(const CallSteps& call);
  void leave(const CallSteps& call) { --open_[line_of(call.steps.front())]; }
  /// Rounds of a loop are left out: their lines count as shown.
  void leave_out(StepId from, StepId to);

  /// "inside attention: as at step 12, here steps 30 to 42, with query_len 5 (there 6)". Of several calls in a row of
  /// the same function one sentence.
  std::string again(const std::vector<CallSteps>& calls) const;
  /// The last step inside.
  StepId last_of(const CallSteps& call) const;

 private:
  using LineOfCode = std::pair<std::uint32_t, std::uint32_t>;  // source, place

  LineOfCode line_of(StepId step) const;
  std::string differences(const CallSteps& call) const;

  const Trace& trace_;
  const TraceIndex& index_;
  bool every_;
  std::set<LineOfCode> known_;
  std::map<LineOfCode, int> shown_at_;                           // first line of a body -> number of the step
  std::map<LineOfCode, int> open_;                               // the same -> bodies that are being shown, nested
  std::map<std::pair<LineOfCode, std::string>, ValueId> first_;  // what a line bound to a name when it was shown
};

/// "step 12", "steps 12 to 20".
std::string steps_text(int from, int to);

}  // namespace attn
