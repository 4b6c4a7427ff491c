#pragma once
// Wrong answers that are foreseen, held against the answer of a run: with other sizes than the lesson's own a mistake
// may give what is right, and then it is none.
#include <string>

#include "engine/trace.h"

namespace attn {

/// Whether the answer of a trap is the answer of the question, by value: a shape, or a number but for rounding.
bool is_the_answer(const std::string& trap, const Question& question, const Trace& trace);

}  // namespace attn
