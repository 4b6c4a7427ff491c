#pragma once
// Two values side by side, in words: for `:diff A B`.
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace.h"

namespace attn {

/// What `name` ("Q", "layer.weight" as it is written where it is bound) holds after that step; -1: it is not bound
/// until then. Names inside functions do not count.
ValueId value_named(const Trace& trace, std::string_view name, StepId after);

/// One sentence, then the facts, one a line: the shapes; how many numbers differ, the first of them with its index by
/// axis name, the largest difference, which slices along each axis are equal. Numbers agree within the tolerance of
/// compare().
std::vector<std::string> tensor_difference_text(std::string_view name_a, const RecordedValue& a,
                                                std::string_view name_b, const RecordedValue& b);

}  // namespace attn
