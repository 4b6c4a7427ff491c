#pragma once
// The mistakes that people make about shapes, in sentences.
#include <string>
#include <vector>

#include "engine/trace.h"
#include "stepper/judge.h"

namespace attn {

/// What is wrong with a shape that was typed for `question.value`: the first known mistake that it fits; always at
/// least one sentence. Empty when it is right.
std::vector<std::string> shape_mistakes(const Question& question, const Trace& trace,
                                        const std::vector<ShapeItem>& given);

}  // namespace attn
