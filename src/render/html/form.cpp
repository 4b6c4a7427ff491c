#include "render/html/form.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/text.h"

namespace attn {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestList = 1024;  // of places that follow no rule

std::int64_t row_major(const Shape& index, const Shape& shape) {
  std::int64_t number = 0;
  for (std::size_t d = 0; d < index.size(); ++d) number = number * shape[d] + index[d];
  return number;
}

FormSlot slot_of(const Trace& trace, const OperandElement& operand) {
  const Shape& shape = trace.value(operand.value).shape;
  return {operand.value, {row_major(operand.index, shape)}};
}

/// Parentheses around a number are there because of its sign: the script sets its own.
bool is_sign_bracket(const std::vector<ExpressionPiece>& pieces, std::size_t i) {
  const auto is = [&](std::size_t at, char c) { return pieces[at].text.size() == 1 && pieces[at].text.front() == c; };
  const auto is_negative = [&](std::size_t at) { return pieces[at].operand >= 0 && pieces[at].text.starts_with('-'); };
  const bool opens = is(i, '(') && i + 2 < pieces.size() && is_negative(i + 1) && is(i + 2, ')');
  const bool closes = is(i, ')') && i > 1 && is_negative(i - 1) && is(i - 2, '(');
  return opens || closes;
}

/// The places of the slots of a form, each by the first rule that holds.
class PlaceFinder {
 public:
  PlaceFinder(const Trace& trace, const Form& form, const Shape& shape, bool is_sample)
      : trace_(trace), form_(form), shape_(shape), is_sample_(is_sample) {}

  /// Empty: one has none.
  std::vector<Place> find() {
    for (const FormSlot& slot : form_.slots) places_.push_back(summed_place(slot.value, sample(slot)));
    std::vector<Place> out;
    for (std::size_t k = 0; k < form_.slots.size(); ++k) {
      std::optional<Place> place = places_[k];
      if (!place) place = chosen(form_.slots[k]);
      if (!place) place = picked(form_.slots[k]);
      if (!place) place = listed(form_.slots[k]);
      if (!place) return {};
      out.push_back(std::move(*place));
    }
    return out;
  }

 private:
  PlaceSample sample(const FormSlot& slot) const { return {shape_, form_.numbers, slot.elements}; }

  std::optional<Place> chosen(const FormSlot& slot) const {
    for (const FormSlot& other : form_.choosers) {
      const std::optional<Place> chooser = summed_place(other.value, sample(other));
      if (!chooser) continue;
      if (auto place = chosen_place(trace_, slot.value, sample(slot), *chooser)) return place;
    }
    return std::nullopt;
  }

  /// Of the like terms of the expression, those that speak of the same operand.
  std::optional<Place> picked(const FormSlot& slot) const {
    std::vector<const Place*> lane;
    for (const FormPiece& piece : form_.pieces) {
      if (piece.term != static_cast<int>(lane.size()) || piece.slot < 0) continue;
      const std::optional<Place>& place = places_[static_cast<std::size_t>(piece.slot)];
      if (place && place->value == slot.value) lane.push_back(&*place);
    }
    if (lane.size() < 2) return std::nullopt;
    const std::int64_t step = lane[1]->base - lane[0]->base;
    for (std::size_t k = 0; k < lane.size(); ++k) {
      const bool is_next = lane[k]->base == lane[0]->base + step * static_cast<std::int64_t>(k);
      if (!is_next || lane[k]->steps != lane[0]->steps || !lane[k]->tables.empty()) return std::nullopt;
    }
    return picked_place(trace_, sample(slot), *lane[0], static_cast<std::int64_t>(lane.size()), step);
  }

  std::optional<Place> listed(const FormSlot& slot) const {
    if (is_sample_ || slot.elements.size() > kLongestList) return std::nullopt;
    return Place{.value = slot.value, .list = slot.elements};
  }

  const Trace& trace_;
  const Form& form_;
  const Shape& shape_;
  bool is_sample_;
  std::vector<std::optional<Place>> places_;  // of the slots, those that are sums
};

class FormWriter {
 public:
  FormWriter(const Form& form, const std::vector<Place>& places) : form_(form), places_(places) {}

  Json write() {
    Json pieces = Json::array();
    const std::vector<FormPiece>& all = form_.pieces;
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
  using Term = std::vector<FormPiece>;

  const Place& place(const FormPiece& piece) const { return places_[static_cast<std::size_t>(piece.slot)]; }

  /// Where the run of like terms that begins at `i` ends.
  std::size_t terms_end(std::size_t i) const {
    std::size_t end = i;
    while (end < form_.pieces.size() && form_.pieces[end].term >= 0) ++end;
    return end;
  }

  int slot_number(const Json& place) {
    const auto known = std::find(slots_.begin(), slots_.end(), place);
    if (known != slots_.end()) return static_cast<int>(known - slots_.begin());
    slots_.push_back(place);
    return static_cast<int>(slots_.size()) - 1;
  }

  void put(Json& pieces, const FormPiece& piece) {
    if (piece.slot >= 0) pieces.push_back(slot_number(place_json(place(piece))));
    else if (!pieces.empty() && pieces.back().is_string())
      pieces.back() = pieces.back().get<std::string>() + piece.text;
    else pieces.push_back(piece.text);
  }

  /// How far one place is from another that has the same steps.
  static std::optional<std::int64_t> distance(const Place& from, const Place& to) {
    const bool same_steps = from.value == to.value && from.steps == to.steps && from.tables == to.tables;
    if (from.is_sum() && to.is_sum()) return same_steps ? std::optional(to.base - from.base) : std::nullopt;
    return place_json(from) == place_json(to) ? std::optional<std::int64_t>(0) : std::nullopt;
  }

  /// Each term; those behind the first begin with what joins them. Empty when they are no such list.
  std::vector<Term> split_terms(std::size_t begin, std::size_t end) const {
    std::vector<Term> terms;
    for (std::size_t i = begin; i < end; ++i) {
      const auto term = static_cast<std::size_t>(form_.pieces[i].term);
      if (term > terms.size()) return {};
      if (term == terms.size()) terms.emplace_back();
      terms[term].push_back(form_.pieces[i]);
    }
    const bool is_list = terms.size() >= 3 && terms[1].size() == terms[0].size() + 1 && terms[1][0].slot < 0;
    return is_list ? terms : std::vector<Term>{};
  }

  /// How far each slot of a later term is from that of the first; nothing when the terms are not alike.
  std::optional<Shape> distances(const Term& first, const Term& later, const std::string& join) const {
    if (later.size() != first.size() + 1 || later[0].slot >= 0 || later[0].text != join) return std::nullopt;
    Shape out;
    for (std::size_t i = 0; i < first.size(); ++i) {
      const FormPiece &here = first[i], &there = later[i + 1];
      if ((here.slot < 0) != (there.slot < 0) || here.text != there.text) return std::nullopt;
      const auto apart = here.slot < 0 ? 0 : distance(place(here), place(there));
      if (!apart) return std::nullopt;
      out.push_back(*apart);
    }
    return out;
  }

  /// Terms that are alike but for steps of the same width; null when they are not.
  Json terms_json(std::size_t begin, std::size_t end) {
    const std::vector<Term> terms = split_terms(begin, end);
    if (terms.empty()) return nullptr;
    const std::string join = terms[1][0].text;
    const std::optional<Shape> steps = distances(terms[0], terms[1], join);
    for (std::size_t t = 1; t < terms.size(); ++t) {
      const std::optional<Shape> apart = distances(terms[0], terms[t], join);
      if (!steps || !apart) return nullptr;
      for (std::size_t i = 0; i < apart->size(); ++i)
        if ((*apart)[i] != (*steps)[i] * static_cast<std::int64_t>(t)) return nullptr;
    }
    Json of = Json::array(), step = Json::object();
    for (std::size_t i = 0; i < terms[0].size(); ++i) {
      put(of, terms[0][i]);
      if (terms[0][i].slot >= 0 && (*steps)[i] != 0) step[of.back().dump()] = (*steps)[i];
    }
    return {{"n", terms.size()}, {"join", join}, {"of", of}, {"step", step}};
  }

  const Form& form_;
  const std::vector<Place>& places_;
  Json slots_ = Json::array();
};

}  // namespace

Form form_of(const Trace& trace, const Explanation& level, std::int64_t number) {
  Form form{.numbers = {number}, .note = level.note};
  form.pieces.reserve(level.expression.size());
  form.slots.reserve(level.operands.size());
  std::vector<bool> is_written(level.operands.size(), false);
  for (std::size_t i = 0; i < level.expression.size(); ++i) {
    const ExpressionPiece& piece = level.expression[i];
    if (is_sign_bracket(level.expression, i)) continue;
    const auto operand = static_cast<std::size_t>(std::max(piece.operand, 0));
    if (piece.operand >= 0 && level.operands[operand].value >= 0) {
      is_written[operand] = true;
      form.pieces.push_back({"", static_cast<int>(form.slots.size()), piece.term});
      form.slots.push_back(slot_of(trace, level.operands[operand]));
      form.key += "\x01" + std::to_string(form.slots.back().value) + "\x02";
    } else if (level.operands.empty() && level.expression.size() == 1) {
      break;  // the number itself: the note says where it is from
    } else {
      form.pieces.push_back({piece.text, -1, piece.term});
      form.key += piece.text;
    }
  }
  for (std::size_t k = 0; k < is_written.size(); ++k)
    if (!is_written[k] && level.operands[k].value >= 0) form.choosers.push_back(slot_of(trace, level.operands[k]));
  return form;
}

void add_to(Form& form, const Form& one) {
  form.numbers.push_back(one.numbers.front());
  for (std::size_t k = 0; k < form.slots.size(); ++k) form.slots[k].elements.push_back(one.slots[k].elements.front());
  const bool same = form.choosers.size() == one.choosers.size();
  if (!same) form.choosers.clear();
  for (std::size_t k = 0; k < form.choosers.size(); ++k)
    form.choosers[k].elements.push_back(one.choosers[k].elements.front());
  if (form.note != one.note) form.note.clear();
}

Json form_json(const Trace& trace, const Form& form, const Shape& shape, bool is_sample, std::vector<Place>& places) {
  places = PlaceFinder(trace, form, shape, is_sample).find();
  if (places.size() != form.slots.size()) return nullptr;
  return FormWriter(form, places).write();
}

}  // namespace attn
