#pragma once
// Wrong answers that are foreseen, compared with the answer of a run: with other sizes than the lesson's own a mistake
// may give the right answer, and then it does not count.
#include <string>

#include "engine/trace.h"

namespace attn {

/// Whether the answer of a trap is the answer of the question, by value: a shape, or a number but for rounding.
bool is_the_answer(const std::string& trap, const Question& question, const Trace& trace);

}  // namespace attn
