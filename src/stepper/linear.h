#pragma once
// A step for a screen reader: no columns, a label before everything, matrices row by row.
#include "engine/trace.h"
#include "render/page.h"
#include "render/table.h"

namespace attn {

void put_linear_step(Page& page, const Trace& trace, const Step& step, ShownTables& tables);

/// "Output: energy [batch_size 3, key_len 6]", then its rows, each with its name.
void put_linear_value(Page& page, const std::string& name, const RecordedValue& value, const TableView& view);

}  // namespace attn
