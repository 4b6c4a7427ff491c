#pragma once
// A shape as a learner types it: what it means, and the mistakes that people make about shapes, in sentences.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace.h"

namespace attn {

/// One item of a typed shape.
struct ShapeItem {
  std::string name;  // of the axis; empty when only a size was typed
  std::int64_t size = 0;
};

/// What a typed shape means; nothing if it is not a shape, and then `problem` says why. Names mean the sizes that they
/// have in this run.
std::optional<std::vector<ShapeItem>> read_shape(std::string_view typed, const Trace& trace, const RecordedValue* like,
                                                 std::string& problem);

/// What is wrong with a shape that was typed for `question.value`: the first known mistake that it fits; always at
/// least one sentence. Empty when it is right.
std::vector<std::string> shape_mistakes(const Question& question, const Trace& trace,
                                        const std::vector<ShapeItem>& given);

}  // namespace attn
