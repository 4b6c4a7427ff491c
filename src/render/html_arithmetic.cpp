#include "render/html_arithmetic.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "base/source.h"
#include "base/text.h"
#include "explain/messages.h"
#include "tensor/read.h"

namespace attn {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostForms = 6;
constexpr std::int64_t kMostOperands = 30000;  // looked at for one tensor, all its numbers together
constexpr std::int64_t kSampleStep = 9973;     // of a product with more of them: every so many numbers
constexpr std::size_t kLongestList = 1024;     // of places that follow no rule

std::int64_t row_major(const Shape& index, const Shape& shape) {
  std::int64_t number = 0;
  for (std::size_t d = 0; d < index.size(); ++d) number = number * shape[d] + index[d];
  return number;
}

/// A piece of an expression without what differs from number to number: text, or the number of a slot.
struct Piece {
  std::string text;
  int slot = -1;
  int term = -1;
};

/// The expression of one number, its operands by the order in which they stand in it.
struct Written {
  std::vector<Piece> pieces;
  std::vector<ValueId> values;         // of the slots
  std::vector<std::int64_t> elements;  // of the slots
  std::string key;                     // equal for numbers of one form
};

struct Form {
  Written first;
  std::string note;
  std::vector<std::int64_t> numbers;                // of the tensor that have this form
  std::vector<std::vector<std::int64_t>> elements;  // of each slot, for each of the numbers
};

/// Parentheses around a number are there because of its sign: the script sets its own.
bool is_sign_bracket(const std::vector<ExpressionPiece>& pieces, std::size_t i) {
  const bool opens = pieces[i].text == "(" && i + 2 < pieces.size() && pieces[i + 1].operand >= 0 &&
                     pieces[i + 1].text.starts_with('-') && pieces[i + 2].text == ")";
  const bool closes = pieces[i].text == ")" && i > 1 && pieces[i - 1].operand >= 0 &&
                      pieces[i - 1].text.starts_with('-') && pieces[i - 2].text == "(";
  return opens || closes;
}

Written written(const Trace& trace, const Explanation& level) {
  Written out;
  const auto add_slot = [&](const OperandElement& operand) {
    out.values.push_back(operand.value);
    const Shape& shape = trace.values.at(static_cast<std::size_t>(operand.value)).shape;
    out.elements.push_back(row_major(operand.index, shape));
    out.key += "\x01" + std::to_string(operand.value) + "\x02";
    return static_cast<int>(out.values.size()) - 1;
  };
  for (std::size_t i = 0; i < level.expression.size(); ++i) {
    const ExpressionPiece& piece = level.expression[i];
    if (is_sign_bracket(level.expression, i)) continue;
    const bool is_place = piece.operand >= 0 && level.operands[static_cast<std::size_t>(piece.operand)].value >= 0;
    if (is_place) {
      out.pieces.push_back({"", add_slot(level.operands[static_cast<std::size_t>(piece.operand)]), piece.term});
    } else if (level.operands.empty() && level.expression.size() == 1) {
      break;  // the number itself: the note says where it is from
    } else {
      out.pieces.push_back({piece.text, -1, piece.term});
      out.key += piece.text;
    }
  }
  return out;
}

/// The place of a slot's element as a sum of steps along the axes of the result: base and steps, if that holds for all
/// numbers of the form.
std::optional<Json> steps_json(const std::vector<std::int64_t>& numbers, const std::vector<std::int64_t>& elements,
                               const Shape& shape) {
  // Two numbers that differ in one place of their indices say the step along that axis.
  std::map<std::int64_t, std::size_t> known;
  for (std::size_t k = 0; k < numbers.size(); ++k) known[numbers[k]] = k;
  Shape steps(shape.size(), 0);
  std::int64_t stride = 1;
  for (std::size_t d = shape.size(); d-- > 0; stride *= shape[d]) {
    for (std::size_t k = 0; k < numbers.size() && shape[d] > 1; ++k) {
      if (numbers[k] / stride % shape[d] + 1 >= shape[d]) continue;
      const auto next = known.find(numbers[k] + stride);
      if (next == known.end()) continue;
      steps[d] = elements[next->second] - elements[k];
      break;
    }
  }
  const auto offset = [&](std::int64_t number) {
    const Shape index = unravel(number, shape);
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < index.size(); ++d) sum += steps[d] * index[d];
    return sum;
  };
  const std::int64_t base = elements[0] - offset(numbers[0]);
  for (std::size_t k = 0; k < numbers.size(); ++k)
    if (base + offset(numbers[k]) != elements[k]) return std::nullopt;
  return Json{{"b", base}, {"s", steps}};
}

class FormWriter {
 public:
  FormWriter(const Form& form, const Shape& shape, bool is_sample)
      : form_(form), shape_(shape), is_sample_(is_sample) {}

  /// Null: a place follows no rule and the list would be long.
  Json write() {
    for (std::size_t slot = 0; slot < form_.elements.size(); ++slot) {
      std::optional<Json> place = steps_json(form_.numbers, form_.elements[slot], shape_);
      if (!place && (is_sample_ || form_.numbers.size() > kLongestList)) return nullptr;
      Json json = {{"v", form_.first.values[slot]}};
      if (place) json.update(*place);
      else json["l"] = form_.elements[slot];
      places_.push_back(std::move(json));
    }
    Json pieces = Json::array();
    const std::vector<Piece>& all = form_.first.pieces;
    for (std::size_t i = 0; i < all.size();) {
      const std::size_t end = std::max(terms_end(i), i + 1);
      Json terms = all[i].term >= 0 ? terms_json(i, end) : Json();
      if (!terms.is_null()) pieces.push_back(std::move(terms));
      else
        for (std::size_t k = i; k < end; ++k) put(pieces, all[k]);
      i = end;
    }
    Json out = {{"pieces", pieces}, {"slots", slots_}};
    if (!form_.note.empty()) out["note"] = visible(form_.note);
    return out;
  }

 private:
  /// Where the run of like terms that begins at `i` ends.
  std::size_t terms_end(std::size_t i) const {
    const std::vector<Piece>& all = form_.first.pieces;
    std::size_t end = i;
    while (end < all.size() && all[end].term >= 0) ++end;
    return end;
  }

  int slot_of(const Json& place) {
    const auto known = std::find(slots_.begin(), slots_.end(), place);
    if (known != slots_.end()) return static_cast<int>(known - slots_.begin());
    slots_.push_back(place);
    return static_cast<int>(slots_.size()) - 1;
  }

  void put(Json& pieces, const Piece& piece) {
    if (piece.slot >= 0) pieces.push_back(slot_of(places_[static_cast<std::size_t>(piece.slot)]));
    else if (!pieces.empty() && pieces.back().is_string())
      pieces.back() = pieces.back().get<std::string>() + piece.text;
    else pieces.push_back(piece.text);
  }

  /// How far one place is from another that has the same steps.
  static std::optional<std::int64_t> distance(const Json& from, const Json& to) {
    if (from == to) return 0;
    if (from["v"] != to["v"] || !from.contains("s") || !to.contains("s") || from["s"] != to["s"]) return std::nullopt;
    return to["b"].get<std::int64_t>() - from["b"].get<std::int64_t>();
  }

  /// Terms that are alike but for steps of the same width; null when they are not.
  Json terms_json(std::size_t begin, std::size_t end) {
    const std::vector<Piece>& all = form_.first.pieces;
    std::vector<std::vector<Piece>> terms;
    for (std::size_t i = begin; i < end; ++i) {
      const auto term = static_cast<std::size_t>(all[i].term);
      if (term > terms.size()) return nullptr;
      if (term == terms.size()) terms.emplace_back();
      terms[term].push_back(all[i]);
    }
    if (terms.size() < 3 || terms[1].size() != terms[0].size() + 1 || terms[1][0].slot >= 0) return nullptr;
    const std::string join = terms[1][0].text;
    std::map<std::size_t, std::int64_t> steps;
    for (std::size_t t = 1; t < terms.size(); ++t) {
      if (terms[t].size() != terms[0].size() + 1 || terms[t][0].slot >= 0 || terms[t][0].text != join) return nullptr;
      for (std::size_t i = 0; i < terms[0].size(); ++i) {
        const Piece &here = terms[0][i], &there = terms[t][i + 1];
        if ((here.slot < 0) != (there.slot < 0) || here.text != there.text) return nullptr;
        if (here.slot < 0) continue;
        const auto apart =
            distance(places_[static_cast<std::size_t>(here.slot)], places_[static_cast<std::size_t>(there.slot)]);
        if (!apart) return nullptr;
        if (t == 1) steps[i] = *apart;
        else if (*apart != steps[i] * static_cast<std::int64_t>(t)) return nullptr;
      }
    }
    Json of = Json::array(), step = Json::object();
    for (std::size_t i = 0; i < terms[0].size(); ++i) {
      put(of, terms[0][i]);
      if (terms[0][i].slot >= 0 && steps[i] != 0) step[of.back().dump()] = steps[i];
    }
    return {{"n", terms.size()}, {"join", join}, {"of", of}, {"step", step}};
  }

  const Form& form_;
  const Shape& shape_;
  bool is_sample_;
  std::vector<Json> places_;  // of the slots of the form
  Json slots_ = Json::array();
};

/// "add in linear"
std::string op_text(const Trace& trace, const Explanation& level) {
  if (level.op < 0) return {};
  OpId top = level.op;
  while (trace.ops.at(static_cast<std::size_t>(top)).parent >= 0) top = trace.ops[static_cast<std::size_t>(top)].parent;
  if (top == level.op) return level.op_name;
  return say("explanation.inside",
             {{"op", level.op_name}, {"composite", trace.ops[static_cast<std::size_t>(top)].name}});
}

bool is_moved(const Explanation& level) {
  return level.fact == ElementFact::Moved && level.rule == ElementRule::IndexMap;
}

/// Whether every number of a tensor is the one that the only slot of its form leads to.
bool leads_everywhere(const Trace& trace, ValueId id, const Json& form) {
  if (form["pieces"] != Json::array({0}) || form["slots"].size() != 1 || !form["slots"][0].contains("s")) return false;
  const Json& slot = form["slots"][0];
  const RecordedValue& value = trace.values.at(static_cast<std::size_t>(id));
  const std::vector<double> here = to_doubles(value.tensor);
  const std::vector<double> there = to_doubles(trace.values.at(slot["v"].get<std::size_t>()).tensor);
  const Shape steps = slot["s"];
  const std::int64_t base = slot["b"];
  for (std::size_t number = 0; number < here.size(); ++number) {
    const Shape index = unravel(static_cast<std::int64_t>(number), value.shape);
    const std::int64_t at = std::inner_product(index.begin(), index.end(), steps.begin(), base);
    if (at < 0 || static_cast<std::size_t>(at) >= there.size()) return false;
    const double moved = there[static_cast<std::size_t>(at)];
    if (here[number] != moved && !(std::isnan(here[number]) && std::isnan(moved))) return false;
  }
  return true;
}

/// The numbers that are looked at: all of them; of a large product some, for there the rule of the op says that all
/// are alike, and of a large tensor that only moved, where all are compared later. Empty: too many.
std::vector<std::int64_t> looked_at(const Explanation& first, const Shape& shape, std::int64_t count) {
  std::vector<std::int64_t> numbers;
  const auto operands = static_cast<std::int64_t>(std::max<std::size_t>(1, first.expression.size() / 2));
  if (count <= kMostOperands / operands) {
    for (std::int64_t number = 0; number < count; ++number) numbers.push_back(number);
  } else if (first.rule == ElementRule::Contract || is_moved(first)) {
    std::set<std::int64_t> sample;  // neighbours, from which the steps follow, and others to check them
    std::int64_t stride = 1;
    for (std::size_t d = shape.size(); d-- > 0; stride *= shape[d])
      for (const std::int64_t i : {std::int64_t{0}, std::min<std::int64_t>(1, shape[d] - 1), shape[d] - 1})
        sample.insert(i * stride);
    for (std::int64_t number = 0; number < count; number += kSampleStep) sample.insert(number);
    numbers.assign(sample.begin(), sample.end());
  }
  return numbers;
}

/// The forms of all numbers; empty when there are too many, or more than one in a sample.
std::vector<Form> forms_of(const Trace& trace, LevelExplainer& explain, ValueId id, const Explanation& first,
                           std::vector<int>& which) {
  const RecordedValue& value = trace.values.at(static_cast<std::size_t>(id));
  const std::int64_t count = value.tensor.numel();
  const std::vector<std::int64_t> numbers = looked_at(first, value.shape, count);
  std::vector<Form> forms;
  std::map<std::string, std::size_t> known;
  for (const std::int64_t number : numbers) {
    const Explanation level = explain(id, unravel(number, value.shape));
    Written here = written(trace, level);
    if (level.op != first.op) return {};
    const auto [form, is_new] = known.emplace(here.key, forms.size());
    if (is_new && forms.size() == kMostForms) return {};
    if (is_new) forms.push_back({here, level.note, {}, std::vector<std::vector<std::int64_t>>(here.values.size())});
    Form& own = forms[form->second];
    if (own.note != level.note) own.note.clear();
    own.numbers.push_back(number);
    for (std::size_t slot = 0; slot < here.elements.size(); ++slot) own.elements[slot].push_back(here.elements[slot]);
    which.push_back(static_cast<int>(form->second));
  }
  const bool is_sample = static_cast<std::int64_t>(numbers.size()) < count;
  return is_sample && forms.size() > 1 ? std::vector<Form>{} : forms;
}

}  // namespace

Json arithmetic_json(const Trace& trace, LevelExplainer& explain, ValueId value, std::set<ValueId>& operands) {
  const Shape& shape = trace.values.at(static_cast<std::size_t>(value)).shape;
  const Explanation first = explain(value, Shape(shape.size(), 0));
  std::vector<int> which;
  const std::vector<Form> forms = forms_of(trace, explain, value, first, which);
  if (forms.empty()) return nullptr;
  const bool is_sample = static_cast<std::int64_t>(which.size()) < numel_of(shape);
  Json all = Json::array();
  for (const Form& form : forms) {
    Json json = FormWriter(form, shape, is_sample).write();
    if (json.is_null() || (is_sample && is_moved(first) && !leads_everywhere(trace, value, json))) return nullptr;
    all.push_back(std::move(json));
  }
  for (const Form& form : forms) operands.insert(form.first.values.begin(), form.first.values.end());
  Json out = {{"op", op_text(trace, first)}, {"forms", all}};
  if (first.op >= 0 && first.span.source < trace.sources.size())
    out["line"] = position_of(trace.sources[first.span.source], first.span.begin).line;
  if (forms.size() > 1) out["which"] = which;
  return out;
}

}  // namespace attn
