#pragma once
// What a view shows of the steps of a cell, in order: steps, the calls in them, the rounds of loops. Each call's body
// is there once; of many rounds there are the first few and the last.
#include <string>
#include <vector>

#include "render/calls.h"
#include "render/options.h"

namespace attn {

struct CellPart {
  enum class Kind {
    Step,     // step; number, 0 when the step is hidden
    Call,     // text: what the steps that follow are inside of
    Again,    // text: a call whose body was shown before
    Round,    // text: which round of a loop follows, detail: what it binds
    LeftOut,  // text: rounds that are not shown
    Error     // diagnostic: an error that belongs to no step that is shown
  };
  Kind kind = Kind::Step;
  int depth = 0;  // how many calls and compound statements it is in
  StepId step = -1;
  int number = 0;
  bool plain = false;  // nothing but code
  int diagnostic = -1;
  std::string text, detail;
};

std::vector<CellPart> cell_parts(const Trace& trace, const TraceIndex& index, ShownCalls& calls, const CellRecord& cell,
                                 const RenderOptions& options);

}  // namespace attn
