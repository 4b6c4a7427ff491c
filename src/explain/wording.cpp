#include "explain/wording.h"

#include <fmt/format.h>

#include <cmath>

#include "base/number.h"
#include "base/text.h"
#include "explain/numbers.h"
#include "text/say.h"

namespace attn {
namespace {

// One row per enumerator of Effect, in its order.
constexpr const char* kEffects[] = {"effect.raises", "effect.shape", "effect.numbers", "effect.none"};

std::string float_text(double value, int digits) {
  const double size = std::fabs(value);
  const bool fixed = value == 0 || !std::isfinite(value) || (size >= 1e-3 && size < 1e5);
  return fixed ? format_fixed(value, digits) : format_exponent(value, digits);
}

std::string element_text(double value, DType dtype, int digits) {
  if (dtype == DType::Bool) return value != 0 ? "True" : "False";
  if (dtype == DType::Int64) return format_fixed(value, 0);
  return float_text(value, digits);
}

/// The name of the right value, for a value without a shape its kind or text.
std::string shape_or_text(const RecordedValue& value) {
  return value.is_tensor ? axes_text(value) : elide(fmt::format("{} {}", value.type, value.text), 60);
}

std::string unharmed_text(const RecordedValue& value, const Difference& difference) {
  const std::string list = unharmed_list(value, difference);
  return list.empty() ? say("compare.unharmed.none") : say("compare.unharmed", {{"list", list}});
}

std::vector<std::string> other_numbers(const Trace& trace, const Comparison& comparison) {
  const RecordedValue& wrong = trace.value(comparison.wrong);
  const RecordedValue& right = trace.value(comparison.right);
  if (!wrong.is_tensor) return {say("compare.value", {{"here", wrong.text}, {"there", right.text}})};
  const Difference& difference = comparison.difference;
  std::vector<std::string> lines{say("compare.numbers", {{"right", comparison.right_name},
                                                         {"differing", std::to_string(difference.differing)},
                                                         {"total", std::to_string(difference.total)}})};
  const auto [here, there] = numbers_apart(difference.first_a, difference.first_b, wrong.dtype);
  lines.push_back(
      say("compare.first",
          {{"place", place_text(comparison.right_name, right, difference.first)}, {"here", here}, {"there", there}}));
  if (difference.nan_a > 0 || difference.nan_b > 0)
    lines.push_back(
        say("compare.nan", {{"here", std::to_string(difference.nan_a)}, {"there", std::to_string(difference.nan_b)}}));
  if (!right.shape.empty()) lines.push_back(unharmed_text(right, difference));
  return lines;
}

std::string shape_answer(const RecordedValue& value) {
  const std::string sizes = shape_text(value.shape), axes = axes_text(value);
  if (axes == sizes) return say("answer.shape.plain", {{"sizes", sizes}});
  return say("answer.shape", {{"sizes", sizes}, {"axes", axes}});
}

}  // namespace

std::string number_text(const RecordedValue& value) {
  if (!value.is_tensor || !value.tensor.defined() || value.tensor.numel() != 1) return value.text;
  const std::string text = TableNumbers(value.tensor)(value.tensor, 0);
  return text.ends_with('.') ? text + "0" : text;
}

std::pair<std::string, std::string> numbers_apart(double here, double there, DType dtype) {
  for (int digits = 4; digits < 10; ++digits) {
    std::pair<std::string, std::string> texts{element_text(here, dtype, digits), element_text(there, dtype, digits)};
    if (texts.first != texts.second || digits == 9) return texts;
  }
  return {};
}

std::string place_text(const std::string& name, const RecordedValue& value, const Shape& index) {
  std::string out;
  for (std::size_t i = 0; i < index.size(); ++i) {
    const bool named = i < value.axes.size() && !value.axes[i].name.empty();
    out += fmt::format("{}{}{}{}", i ? ", " : "", named ? value.axes[i].name : "", named ? " " : "", index[i]);
  }
  return fmt::format("{}[{}]", name, out);
}

std::string unharmed_list(const RecordedValue& value, const Difference& difference) {
  std::vector<std::string> parts;
  bool any = false;
  for (std::size_t axis = 0; axis < difference.unharmed.size() && axis < value.shape.size(); ++axis) {
    if (value.shape[axis] < 2) continue;
    any = any || !difference.unharmed[axis].empty();
    const std::string name = axis_name(value, axis), indices = indices_text(difference.unharmed[axis]);
    const bool named = !value.axes[axis].name.empty();
    parts.push_back(named ? fmt::format("{} {}", name, indices)
                          : say("slice.unnamed", {{"axis", name}, {"index", indices}}));
  }
  return any ? join(parts, "; ") : std::string();
}

std::string number_text(double value, DType dtype) { return element_text(value, dtype, 4); }

std::string axis_name(const RecordedValue& value, std::size_t axis) {
  const bool named = axis < value.axes.size() && !value.axes[axis].name.empty();
  return named ? value.axes[axis].name : say("axis.unnamed", {{"axis", std::to_string(axis)}});
}

std::string indices_text(const std::vector<std::int64_t>& indices) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < indices.size();) {
    std::size_t end = i + 1;
    while (end < indices.size() && indices[end] == indices[end - 1] + 1) ++end;
    if (end - i > 2) {
      parts.push_back(
          say("list.range", {{"from", std::to_string(indices[i])}, {"to", std::to_string(indices[end - 1])}}));
    } else {
      for (std::size_t k = i; k < end; ++k) parts.push_back(std::to_string(indices[k]));
    }
    i = end;
  }
  return parts.empty() ? say("list.none") : join(parts, ", ");
}

std::string question_text(const Question& question) {
  switch (question.kind) {
    case Predict::Shape: return say("question.shape", {{"subject", question.subject}});
    case Predict::Value:  // a call is not read out: the answer is not to be found in its name
      if (question.subject.find('(') != std::string::npos) return say("question.number");
      return say("question.value", {{"subject", question.subject}});
    case Predict::Raises: return say("question.raises");
    case Predict::Effect:
      if (question.subject.empty()) return say("question.effect.plain");
      return say("question.effect", {{"subject", question.subject}});
    case Predict::None: break;
  }
  return say("question.write", {{"name", question.write}});
}

std::string effect_text(Effect effect) { return say(kEffects[static_cast<std::size_t>(effect)]); }

std::string answer_text(const Trace& trace, const Question& question) {
  switch (question.kind) {
    case Predict::Raises: return say(question.raises ? "answer.raises.yes" : "answer.raises.no");
    case Predict::Effect: return effect_text(question.effect);
    case Predict::None: return {};
    default: break;
  }
  if (question.value < 0) return {};
  const RecordedValue& value = trace.value(question.value);
  return question.kind == Predict::Shape ? shape_answer(value) : number_text(value);
}

std::vector<std::string> comparison_text(const Trace& trace, const Comparison& comparison) {
  const Words right{{"right", comparison.right_name}};
  if (comparison.effect == Effect::Raises || comparison.wrong < 0 || comparison.right < 0)
    return {say("compare.raises", right)};
  const RecordedValue& wrong = trace.value(comparison.wrong);
  const RecordedValue& expected = trace.value(comparison.right);
  switch (comparison.effect) {
    case Effect::OtherNumbers: return other_numbers(trace, comparison);
    case Effect::NoDifference:
      if (!wrong.is_tensor) return {say("compare.none.value", right)};
      return {say("compare.none",
                  {{"right", comparison.right_name}, {"total", std::to_string(comparison.difference.total)}})};
    default: break;
  }
  const bool shapes = wrong.is_tensor && expected.is_tensor;
  return {say(shapes ? "compare.shape" : "compare.type",
              {{"here", shape_or_text(wrong)}, {"right", comparison.right_name}, {"there", shape_or_text(expected)}})};
}

}  // namespace attn
