#pragma once
// A Trace as Markdown, for what has it as a whole and for notebooks.
#include <string>

#include "engine/trace.h"
#include "render/calls.h"
#include "render/cell.h"
#include "render/table.h"

namespace attn {

/// What the learner is asked before a cell; empty when nothing is.
std::string markdown_question(const CellRecord& cell);

/// Hints, answer and reasons of a cell, each folded; `shown` follows the answer in its fold.
std::string markdown_answers(const Trace& trace, const CellRecord& cell, const std::string& shown = {});

/// How a common bug compares with the right version; empty for other cells.
std::string markdown_comparison(const Trace& trace, const CellRecord& cell);

/// The steps of a cell: shape rows, tables of values, what was printed, errors.
std::string markdown_steps(const Trace& trace, const TraceIndex& index, ShownCalls& calls, ShownTables& tables,
                           const CellRecord& cell, const RenderOptions& options);

/// An error, a warning or a note as it looks on a terminal.
std::string markdown_error(const Trace& trace, int diagnostic, const RenderOptions& options);

}  // namespace attn
