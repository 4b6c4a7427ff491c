#include "render/html/arithmetic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "base/source.h"
#include "render/explanation.h"
#include "render/html/form.h"
#include "tensor/core/read.h"
#include "text/say.h"

namespace attn {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostForms = 6;
constexpr std::int64_t kMostOperands = 30000;  // looked at for one tensor, all its numbers together
constexpr std::int64_t kFewOperands = 1000;    // of a tensor with more, a sample is tried first
constexpr std::int64_t kSampleStep = 9973;     // of a tensor with more of them: every so many numbers
constexpr std::int64_t kFewSamples = 3;        // of these, whatever its size is
constexpr std::size_t kKinds = 4;              // nan, infinite, 0, others: formulas have guards for no more than these

std::size_t kind_of(double number) { return std::isnan(number) ? 0 : std::isinf(number) ? 1 : number == 0 ? 2 : 3; }

/// Whether the rule of the op says that numbers of one kind have one form. Of elements that moved it does not: there
/// all are compared.
bool is_alike(const Trace& trace, const Explanation& first) {
  switch (first.rule) {
    case ElementRule::Contract:
    case ElementRule::Pointwise: return true;
    case ElementRule::Random: return first.fact == ElementFact::Kept || first.fact == ElementFact::Dropped;
    case ElementRule::Reduce:  // nan has no place in an order
      return std::none_of(first.operands.begin(), first.operands.end(), [&](const OperandElement& operand) {
        return operand.value >= 0 && Doubles(trace.value(operand.value).tensor).has_nan();
      });
    default: return false;
  }
}

bool is_moved(const Explanation& level) { return level.fact == ElementFact::Moved; }

/// Neighbors, from which steps follow, and others to check them; `whole_lines`: all that differ from the first number
/// along one axis.
std::set<std::int64_t> spread_numbers(const Shape& shape, std::int64_t count, bool whole_lines) {
  std::set<std::int64_t> out;
  const Shape strides = contiguous_strides(shape);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    for (std::int64_t i = 0; i < (whole_lines ? shape[d] : std::min<std::int64_t>(2, shape[d])); ++i)
      out.insert(i * strides[d]);
    out.insert((shape[d] - 1) * strides[d]);
  }
  for (std::int64_t number = 0; number < count; number += std::max(kSampleStep, count / kFewSamples))
    out.insert(number);
  return out;
}

/// Of each kind the first number, and along each axis the first two neighbors: the steps of its form follow from them.
std::set<std::int64_t> numbers_of_each_kind(const Tensor& x) {
  const Doubles doubles(x);
  std::vector<std::uint8_t> kinds(doubles.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] = static_cast<std::uint8_t>(kind_of(doubles[i]));
  std::set<std::int64_t> out;
  const Shape strides = contiguous_strides(x.shape());
  const auto count = static_cast<std::int64_t>(kinds.size());
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    const auto is_kind = [&](std::int64_t number) { return kinds[static_cast<std::size_t>(number)] == kind; };
    const auto first = std::find(kinds.begin(), kinds.end(), static_cast<std::uint8_t>(kind));
    if (first == kinds.end()) continue;
    out.insert(first - kinds.begin());
    for (std::size_t d = 0; d < strides.size(); ++d) {
      for (std::int64_t number = first - kinds.begin(); number + strides[d] < count; ++number) {
        if (!is_kind(number) || !is_kind(number + strides[d])) continue;
        const bool is_last = number / strides[d] % x.shape()[d] + 1 == x.shape()[d];
        if (is_last) continue;
        out.insert({number, number + strides[d]});
        break;
      }
    }
  }
  return out;
}

/// Whether all numbers of a value can be looked at.
bool are_few(const Explanation& first, const RecordedValue& value, std::int64_t most) {
  const auto operands = static_cast<std::int64_t>(std::max<std::size_t>(1, first.expression.size() / 2));
  return value.tensor.numel() <= most / operands;
}

/// The numbers that are looked at: all of them, or where the others are like them some. Empty: more than `most`.
std::vector<std::int64_t> looked_at(const Trace& trace, const Explanation& first, const RecordedValue& value,
                                    std::int64_t most) {
  const std::int64_t count = value.tensor.numel();
  if (are_few(first, value, most)) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  if (!is_moved(first) && !is_alike(trace, first)) return {};
  std::set<std::int64_t> sample = spread_numbers(value.shape, count, is_moved(first));
  const bool has_guards = !is_moved(first) && first.rule != ElementRule::Contract;  // a product is one for all kinds
  if (has_guards) sample.merge(numbers_of_each_kind(value.tensor));
  return {sample.begin(), sample.end()};
}

/// The forms of the numbers; empty when there are too many of them.
std::vector<Form> forms_of(const Trace& trace, LevelExplainer& explain, ValueId id, const Explanation& first,
                           const std::vector<std::int64_t>& numbers, std::vector<int>& which) {
  std::vector<Form> forms;
  for (const std::int64_t number : numbers) {
    const Explanation level = explain(id, unravel(number, trace.value(id).shape));
    if (level.op != first.op) return {};
    Form one = form_of(trace, level, number);
    const auto known = std::find_if(forms.begin(), forms.end(), [&](const Form& form) { return form.key == one.key; });
    which.push_back(static_cast<int>(known - forms.begin()));
    if (known != forms.end()) add_to(*known, one);
    else if (forms.size() == kMostForms) return {};
    else forms.push_back(std::move(one));
  }
  return forms;
}

/// The form of each kind of numbers; null when the kind does not decide it.
Json kinds_json(const Tensor& x, const std::vector<std::int64_t>& numbers, const std::vector<int>& which) {
  std::array<int, kKinds> forms;
  forms.fill(-1);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    int& form = forms[kind_of(to_double(element_at(x, numbers[k])))];
    if (form >= 0 && form != which[k]) return nullptr;
    form = which[k];
  }
  for (int& form : forms) form = std::max(form, 0);  // there are none of that kind
  return forms;
}

/// Whether along the last axis each element is as far behind the one before.
bool is_even_along_the_last(const Place& place) {
  const bool is_even = place.tables.empty() || place.tables.back().empty();
  const bool is_chosen_alike = !place.chooser || (place.chooser->is_sum() && is_even_along_the_last(*place.chooser) &&
                                                  place.chooser->steps.back() == 0);
  return is_even && is_chosen_alike && place.list.empty() && place.pick == Place::Pick::None;
}

/// Whether every number of a tensor is the one that the place leads to.
bool leads_everywhere(const Trace& trace, ValueId id, const Place& place) {
  const RecordedValue& value = trace.value(id);
  const Doubles here(value.tensor), there(trace.value(place.value).tensor);
  const bool in_rows = !value.shape.empty() && is_even_along_the_last(place);
  const std::size_t width = in_rows ? static_cast<std::size_t>(value.shape.back()) : 1;
  for (std::size_t begin = 0; begin < here.size(); begin += width) {
    const std::int64_t at = element_of(trace, place, unravel(static_cast<std::int64_t>(begin), value.shape));
    const std::int64_t step = in_rows ? place.steps.back() : 0, last = at + step * static_cast<std::int64_t>(width - 1);
    if (std::min(at, last) < 0 || static_cast<std::size_t>(std::max(at, last)) >= there.size()) return false;
    if (!here.is_same_run(begin, there, at, step, width)) return false;
  }
  return true;
}

bool is_one_place(const Json& form) { return form["pieces"] == Json::array({0}) && form["slots"].size() == 1; }

void note_operands(Arithmetic& out, const Place& place) {
  out.operands.insert(place.value);
  if (place.pick != Place::Pick::None) out.needed.insert(place.value);
  if (!place.chooser) return;
  out.operands.insert(place.chooser->value);
  out.needed.insert(place.chooser->value);
}

/// From as many numbers as `most` operands allow; without anything in it where they do not say what the others are.
Arithmetic arithmetic_from(const Trace& trace, LevelExplainer& explain, ValueId id, const Explanation& first,
                           std::int64_t most) {
  const RecordedValue& value = trace.value(id);
  const std::vector<std::int64_t> numbers = looked_at(trace, first, value, most);
  std::vector<int> which;
  const std::vector<Form> forms = forms_of(trace, explain, id, first, numbers, which);
  if (forms.empty()) return {};
  const bool is_sample = static_cast<std::int64_t>(numbers.size()) < value.tensor.numel();
  Arithmetic out;
  Json all = Json::array();
  for (const Form& form : forms) {
    std::vector<Place> places;
    Json json = form_json(trace, form, value.shape, is_sample, places);
    const bool is_place = !json.is_null() && is_one_place(json);
    if (json.is_null() ||
        (is_sample && is_moved(first) && !(forms.size() == 1 && is_place && leads_everywhere(trace, id, places[0]))))
      return {};
    if (forms.size() == 1 && is_place) out.moved_from = places[0].value;
    for (const Place& place : places) note_operands(out, place);
    all.push_back(std::move(json));
  }
  out.json = {{"op", op_text(trace, first)}, {"forms", all}};
  if (first.op >= 0 && first.span.source < trace.sources.size())
    out.json["line"] = position_of(trace.sources[first.span.source], first.span.begin).line;
  if (forms.size() == 1) return out;
  out.json[is_sample ? "kinds" : "which"] = is_sample ? kinds_json(value.tensor, numbers, which) : Json(which);
  return is_sample && out.json["kinds"].is_null() ? Arithmetic{} : out;
}

}  // namespace

Arithmetic arithmetic_of(const Trace& trace, LevelExplainer& explain, ValueId id) {
  const Explanation first = explain(id, Shape(trace.value(id).shape.size(), 0));
  Arithmetic few = arithmetic_from(trace, explain, id, first, kFewOperands);
  const bool can_have_more = few.json.is_null() && are_few(first, trace.value(id), kMostOperands);
  return can_have_more ? arithmetic_from(trace, explain, id, first, kMostOperands) : few;
}

}  // namespace attn
