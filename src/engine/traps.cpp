#include "engine/traps.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/number.h"
#include "tensor/core/read.h"

namespace attn {
namespace {

/// A number that is alone in its value.
std::optional<double> number_of(const RecordedValue& value) {
  if (!value.is_tensor) return parse_double(value.text);
  if (!value.tensor.defined() || value.tensor.numel() != 1) return std::nullopt;
  return to_doubles(value.tensor).front();
}

std::string without_blanks(std::string text) {
  std::erase(text, ' ');
  return text;
}

}  // namespace

bool is_the_answer(const std::string& trap, const Question& question, const Trace& trace) {
  if (question.value < 0) return false;
  const RecordedValue& value = trace.value(question.value);
  if (question.kind == Predict::Shape)
    return value.is_tensor && without_blanks(trap) == without_blanks(shape_text(value.shape));
  if (question.kind != Predict::Value) return false;
  const auto wrong = parse_double(trap), right = number_of(value);
  if (wrong && right && std::isinf(*right)) return *wrong == *right;
  return wrong && right && std::fabs(*wrong - *right) <= 1e-6 + 1e-3 * std::fabs(*right);
}

}  // namespace attn
