#pragma once
// Predictions as HTML: the question above a cell, and what is folded below it until it is answered.
#include <string>

#include "engine/trace.h"

namespace attn {

std::string html_question(const Question& question);

/// Hints, and the answer folded away: the truth, `shown` (what the cell did), traps and why.
std::string html_answer(const Trace& trace, const CellRecord& cell, const std::string& shown);

/// <details> with a class; its summary is text, what is inside markup.
std::string html_folded(std::string_view name, const std::string& summary, const std::string& inside,
                        const std::string& attributes = {});

}  // namespace attn
