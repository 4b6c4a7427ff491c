#pragma once
// A cell in the whole view: the question, the steps with their children, the comparison, the answer and why.
#include "engine/trace.h"
#include "render/calls.h"
#include "render/page.h"
#include "render/table.h"

namespace attn {

void put_cell(Page& page, const Trace& trace, const TraceIndex& index, ShownCalls& calls, ShownTables& tables,
              const CellRecord& cell);

}  // namespace attn
