#pragma once
// What a question asks, what this run answers, and how a common bug compares with the right version, in sentences.
#include <string>
#include <utility>
#include <vector>

#include "engine/trace.h"

namespace attn {

/// "What is the shape of Q?"
std::string question_text(const Question& question);

/// What this run answers: "[5, 6], that is [query_len 5, key_len 6]". Empty where a line is to be written: any line
/// that gives the same value is right.
std::string answer_text(const Trace& trace, const Question& question);

std::string effect_text(Effect effect);

/// What became of a common bug: one sentence, then the facts, one a line: the first differing element, NaN, which
/// slices along each axis are unharmed ("still right: batch_size 0; n_heads none").
std::vector<std::string> comparison_text(const Trace& trace, const Comparison& comparison);

/// One number by itself: 4 decimals, or the shortest text for integers and True. "1.0", not PyTorch's "1.".
std::string number_text(const RecordedValue& value);

/// The same for a number that is in no tensor.
std::string number_text(double value, DType dtype);

/// Two numbers with 4 decimals, or with as many as it takes to tell them apart.
std::pair<std::string, std::string> numbers_apart(double here, double there, DType dtype);

/// "energy[batch_size 0, key_len 3]".
std::string place_text(const std::string& name, const RecordedValue& value, const Shape& index);

/// The slices along each axis that agree: "batch_size 0; n_heads none"; empty when no slice does.
std::string unharmed_list(const RecordedValue& value, const Difference& difference);

/// "head_dim", or "axis 3" without a name.
std::string axis_name(const RecordedValue& value, std::size_t axis);

/// "0 to 2, 5"; "none" of an empty list.
std::string indices_text(const std::vector<std::int64_t>& indices);

}  // namespace attn
