#pragma once
// A cell in the whole view: the question, the steps with their children, the comparison, the answer and why.
#include "engine/trace.h"
#include "render/calls.h"
#include "render/page.h"

namespace attn {

void put_cell(Page& page, const Trace& trace, const TraceIndex& index, ShownCalls& calls, const CellRecord& cell);

}  // namespace attn
