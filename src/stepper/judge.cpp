#include "stepper/judge.h"

#include <algorithm>
#include <cmath>

#include "base/letters.h"
#include "base/number.h"
#include "base/text.h"
#include "explain/wording.h"
#include "stepper/shape_answer.h"
#include "tensor/core/print.h"
#include "tensor/ops/compare.h"
#include "text/say.h"

namespace attn {
namespace {

// Sums in another order differ by about this much.
constexpr double kRelative = 1e-4, kAbsolute = 1e-6;

Judgement unreadable(std::string_view id) {
  Judgement out;
  out.words = {say(id)};
  return out;
}

/// Lower case, single blanks, no full stop at the end: what may be compared with a word of a table.
std::string plain_words(std::string_view typed) {
  std::string out;
  for (const char c : lower_case(trim(typed))) {
    if (c == ' ' && out.ends_with(' ')) continue;
    out += c == ',' ? ' ' : c;
  }
  while (out.ends_with('.') || out.ends_with('!') || out.ends_with(' ')) out.pop_back();
  return out;
}

struct Word {
  std::string_view text;
  int meaning;
};

constexpr Word kYesNo[] = {{"yes", 1},     {"y", 1},        {"raises", 1}, {"error", 1}, {"it raises", 1}, {"true", 1},
                           {"fails", 1},   {"it fails", 1}, {"1", 1},      {"no", 0},    {"n", 0},         {"runs", 0},
                           {"it runs", 0}, {"false", 0},    {"works", 0},  {"0", 0},     {"fine", 0},      {"2", 0}};
constexpr Word kEffects[] = {{"1", 0},
                             {"error", 0},
                             {"an error", 0},
                             {"raises", 0},
                             {"raises an error", 0},
                             {"2", 1},
                             {"shape", 1},
                             {"another shape", 1},
                             {"other shape", 1},
                             {"3", 2},
                             {"numbers", 2},
                             {"other numbers", 2},
                             {"only other numbers", 2},
                             {"another value", 2},
                             {"same shape and other numbers", 2},
                             {"4", 3},
                             {"none", 3},
                             {"no", 3},
                             {"nothing", 3},
                             {"same", 3},
                             {"no difference", 3}};

template <std::size_t N>
std::optional<int> meaning_among(std::string_view typed, const Word (&words)[N]) {
  const std::string wanted = plain_words(typed);
  const auto* row = std::find_if(std::begin(words), std::end(words), [&](const Word& w) { return w.text == wanted; });
  return row == std::end(words) ? std::nullopt : std::optional(row->meaning);
}

Judgement decided(bool right, std::string given, std::string correct, std::string_view wrong_id) {
  Judgement out;
  out.verdict = right ? Verdict::Right : Verdict::Wrong;
  out.given = std::move(given);
  out.correct = std::move(correct);
  if (!right) out.words = {say(wrong_id)};
  return out;
}

Judgement judge_raises(const Question& question, const Trace& trace, std::string_view typed) {
  const auto meaning = meaning_among(typed, kYesNo);
  if (!meaning) return unreadable("judge.raises.how");
  const std::string given = say(*meaning ? "answer.raises.yes" : "answer.raises.no");
  return decided((*meaning == 1) == question.raises, given, answer_text(trace, question),
                 question.raises ? "judge.raises.yes" : "judge.raises.no");
}

Judgement judge_effect(const Question& question, const Trace& trace, std::string_view typed) {
  const auto meaning = meaning_among(typed, kEffects);
  if (!meaning) return unreadable("judge.effect.how");
  const Effect effect = static_cast<Effect>(*meaning);
  const bool silent = question.effect == Effect::OtherNumbers && effect != Effect::OtherNumbers;
  return decided(effect == question.effect, effect_text(effect), answer_text(trace, question),
                 silent ? "judge.effect.silent" : "judge.effect");
}

std::string items_text(const std::vector<ShapeItem>& items) {
  std::vector<std::string> parts;
  for (const ShapeItem& item : items)
    parts.push_back((item.name.empty() ? "" : item.name + " ") + std::to_string(item.size));
  return "[" + join(parts, ", ") + "]";
}

bool same_sizes(const std::vector<ShapeItem>& a, const std::vector<ShapeItem>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ShapeItem& x, const ShapeItem& y) { return x.size == y.size; });
}

Judgement judge_shape(const Question& question, const Trace& trace, std::string_view typed) {
  Judgement out;
  const RecordedValue& value = trace.value(question.value);
  std::string problem;
  const auto items = read_shape(typed, trace, &value, problem);
  if (!items) {
    out.words = {problem};
    return out;
  }
  out.given = items_text(*items);
  out.correct = answer_text(trace, question);
  out.words = shape_mistakes(question, trace, *items);
  out.verdict = out.words.empty() ? Verdict::Right : Verdict::Wrong;
  return out;
}

/// "1/3", "0.25", "1e-3", "True", "nan".
std::optional<double> number_in(std::string_view typed) {
  const std::string text = plain_words(typed);
  if (text == "true") return 1;
  if (text == "false") return 0;
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return parse_double(text);
  const auto above = parse_double(trim(std::string_view(text).substr(0, slash)));
  const auto below = parse_double(trim(std::string_view(text).substr(slash + 1)));
  return above && below && *below != 0 ? std::optional(*above / *below) : std::nullopt;
}

/// Half a unit of the last place typed, when there are at least two places.
double rounding(std::string_view typed) {
  const std::size_t point = typed.find('.');
  if (point == std::string_view::npos || typed.find('e') != std::string_view::npos) return 0;
  const auto places = static_cast<double>(trim(typed).size() - trim(typed).find('.') - 1);
  return places >= 2 ? 0.5001 * std::pow(10.0, -places) : 0;
}

std::optional<double> number_of(const RecordedValue& value) {
  if (!value.is_tensor) return number_in(value.text);
  if (!value.tensor.defined() || value.tensor.numel() != 1) return std::nullopt;
  return number_in(item_text(value.tensor));
}

bool whole(const RecordedValue& value) {
  return value.is_tensor ? value.dtype == DType::Int64 || value.dtype == DType::Bool
                         : value.type == "int" || value.type == "bool";
}

bool same_number(double given, double correct, const RecordedValue& value, std::string_view typed) {
  if (std::isnan(correct)) return std::isnan(given);
  if (whole(value) || !std::isfinite(correct)) return given == correct;
  return std::fabs(given - correct) <= std::max({kAbsolute + 1e-3 * std::fabs(correct), rounding(typed)});
}

std::string comparable(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c != ' ' && c != '\n') out += c == '"' ? '\'' : c;
  }
  return out;
}

/// What a number is that is not the right one; the first that fits counts.
struct NumberMistake {
  double (*made_of)(double correct);
  const char* id;
};
constexpr NumberMistake kNumberMistakes[] = {{[](double x) { return -x; }, "judge.value.sign"},
                                             {[](double x) { return 1 / x; }, "judge.value.inverse"},
                                             {[](double x) { return x * x; }, "judge.value.square"},
                                             {[](double x) { return std::sqrt(x); }, "judge.value.root"},
                                             {[](double x) { return 100 * x; }, "judge.value.percent"},
                                             {[](double x) { return 1 - x; }, "judge.value.rest"},
                                             {[](double x) { return std::exp(x); }, "judge.value.exp"},
                                             {[](double x) { return std::log(x); }, "judge.value.log"}};

Judgement judge_number(const Question& question, const Trace& trace, std::string_view typed) {
  const RecordedValue& value = trace.value(question.value);
  const std::string correct = answer_text(trace, question);
  const auto expected = number_of(value);
  if (!expected)
    return decided(comparable(typed) == comparable(correct), std::string(trim(typed)), correct, "judge.value");
  const auto given = number_in(typed);
  if (!given) return unreadable("judge.value.how");
  const std::string text(trim(typed));
  if (same_number(*given, *expected, value, typed)) return decided(true, text, correct, "judge.value");
  const auto* mistake = std::find_if(std::begin(kNumberMistakes), std::end(kNumberMistakes), [&](const auto& row) {
    return *given != 0 && *expected != 0 && same_number(*given, row.made_of(*expected), value, typed);
  });
  return decided(false, text, correct, mistake == std::end(kNumberMistakes) ? "judge.value" : mistake->id);
}

bool is_trap(const TrapRecord& trap, const Question& question, const Trace& trace, std::string_view typed) {
  if (question.kind == Predict::Shape) {
    std::string ignored;
    const RecordedValue& value = trace.value(question.value);
    const auto foreseen = read_shape(trap.answer, trace, &value, ignored),
               given = read_shape(typed, trace, &value, ignored);
    return foreseen && given && same_sizes(*foreseen, *given);
  }
  const auto foreseen = number_in(trap.answer), given = number_in(typed);
  if (foreseen && given) return std::fabs(*foreseen - *given) <= kAbsolute + 1e-3 * std::fabs(*foreseen);
  return plain_words(trap.answer) == plain_words(typed);
}

}  // namespace

Judgement judge(const Question& question, const Trace& trace, std::string_view typed, const CellRecord* cell) {
  Judgement out;
  if (trim(typed).empty()) return unreadable("judge.empty");
  switch (question.kind) {
    case Predict::Raises: return judge_raises(question, trace, typed);
    case Predict::Effect: return judge_effect(question, trace, typed);
    case Predict::Shape: out = judge_shape(question, trace, typed); break;
    case Predict::Value: out = judge_number(question, trace, typed); break;
    case Predict::None: return unreadable("judge.empty");
  }
  if (out.verdict != Verdict::Wrong || !cell) return out;
  for (const TrapRecord& trap : cell->traps) {
    if (is_trap(trap, question, trace, typed)) out.trap = &trap;
  }
  return out;
}

Judgement judge_value(const Question& question, const RecordedValue& expected, const RecordedValue& given) {
  Judgement out;
  out.given = given.is_tensor ? axes_text(given) : elide(given.text, 60);
  out.correct = expected.is_tensor ? axes_text(expected) : elide(expected.text, 60);
  Trace both;
  both.values = {given, expected};
  Comparison comparison;
  comparison.wrong_name = comparison.right_name = question.write;
  comparison.wrong = 0;
  comparison.right = 1;
  const bool tensors = given.is_tensor && expected.is_tensor;
  if (tensors && given.shape == expected.shape && given.tensor.defined() && expected.tensor.defined()) {
    if (given.dtype != expected.dtype) {
      out.verdict = Verdict::Wrong;
      out.words = {say("judge.write.type", {{"given", std::string(short_name(given.dtype))},
                                            {"correct", std::string(short_name(expected.dtype))}})};
      return out;
    }
    comparison.difference = compare(given.tensor, expected.tensor, kRelative, kAbsolute);
    if (comparison.difference.differing > 0) comparison.effect = Effect::OtherNumbers;
  } else if (given.is_tensor || expected.is_tensor) {
    comparison.effect = Effect::OtherShape;
  } else {
    const auto a = number_of(given), b = number_of(expected);
    const bool alike = given.text == expected.text || (a && b && same_number(*a, *b, expected, ""));
    comparison.effect = alike ? Effect::NoDifference : Effect::OtherNumbers;
  }
  out.verdict = comparison.effect == Effect::NoDifference ? Verdict::Right : Verdict::Wrong;
  if (out.verdict == Verdict::Wrong) out.words = comparison_text(both, comparison);
  return out;
}

}  // namespace attn
