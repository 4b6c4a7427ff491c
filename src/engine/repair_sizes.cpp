#include "engine/repair_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "syntax/characters.h"
#include "syntax/snippet.h"

namespace attn {
namespace {

std::int64_t number(const Trial& trial, std::size_t place) { return trial.value(place).as_int()->value; }

Edit set_int(std::size_t place, std::int64_t value) { return {place, std::to_string(value), Value(value)}; }

/// A size with a name is meant: only a number that was written may have been counted wrongly.
bool has_name(const Trial& trial, std::size_t place) {
  const std::string_view code = trial.code(place);
  return !code.empty() && starts_name(code.front());
}

/// The tensor that the sizes and axes are about: the first.
const Tensor* subject(const Trial& trial) {
  const std::vector<std::size_t> tensors = trial.tensors();
  return tensors.empty() ? nullptr : &trial.tensor(tensors.front());
}

std::vector<std::size_t> ints_from_last(const Trial& trial) {
  std::vector<std::size_t> places = trial.ints();
  std::reverse(places.begin(), places.end());
  return places;
}

}  // namespace

namespace {

/// Where a -1 stands already: the size that the tensor has in that place, and -1 for another.
void move_free_size(Trial& trial) {
  const std::vector<std::size_t> places = trial.ints();
  const Tensor* tensor = subject(trial);
  for (std::size_t i = 0; tensor && i < places.size() && i < tensor->shape().size(); ++i) {
    if (number(trial, places[i]) != -1) continue;
    for (std::size_t j = places.size(); j-- > 0;)
      if (j != i && !has_name(trial, places[j]))
        trial.offer({set_int(places[i], tensor->shape()[i]), set_int(places[j], -1)});
  }
}

/// 10 // heads: a width that its heads do not divide has no right size.
bool is_divided(Trial& trial) {
  const std::vector<std::size_t> places = trial.ints();
  return std::any_of(places.begin(), places.end(),
                     [&](std::size_t place) { return trial.code(place).find("//") != std::string_view::npos; });
}

}  // namespace

void free_size(Trial& trial) {
  if (is_divided(trial)) return;
  for (const std::size_t place : ints_from_last(trial)) {
    trial.offer({set_int(place, -1)});
    if (!trial.best().code.empty()) return;
  }
  move_free_size(trial);
}

void free_sizes(Trial& trial) {
  const std::vector<std::size_t> places = trial.ints();
  if (places.size() > 6) return;
  for (std::size_t count = 1; count <= places.size(); ++count) {
    for (std::size_t chosen = 1; chosen < (std::size_t{1} << places.size()); ++chosen) {
      std::vector<Edit> edits;
      for (std::size_t i = 0; i < places.size(); ++i)
        if (chosen >> i & 1) edits.push_back(set_int(places[i], -1));
      if (edits.size() == count) trial.offer(edits);
    }
    if (!trial.best().code.empty()) return;
  }
}

void fitting_sizes(Trial& trial) {
  const Tensor* tensor = subject(trial);
  if (!tensor || is_divided(trial)) return;
  for (const std::size_t place : ints_from_last(trial)) {
    if (has_name(trial, place)) continue;
    for (const std::int64_t size : tensor->shape())
      if (size != number(trial, place)) trial.offer({set_int(place, size)});
    if (!trial.best().code.empty()) return;
  }
}

void fitting_axis(Trial& trial) {
  const std::vector<std::size_t> places = trial.ints();
  const Tensor* tensor = subject(trial);
  const std::optional<std::int64_t> dim = trial.fact("dim");
  if (!tensor || tensor->dim() == 0) return;
  const bool turns = trial.op_name() == "transpose" || trial.op_name() == "swapaxes";
  if (turns && places.size() == 2) trial.offer({set_int(places[0], -2), set_int(places[1], -1)});
  for (const std::size_t place : places) {
    const std::int64_t given = number(trial, place);
    if (dim ? given != *dim : given >= -tensor->dim() && given < tensor->dim()) continue;
    trial.offer({set_int(place, given < 0 ? 0 : -1)});
    if (!trial.best().code.empty()) return;
  }
}

void other_axis(Trial& trial) {
  const std::vector<std::size_t> tensors = trial.tensors();
  if (tensors.empty()) return;
  const std::vector<std::size_t> places = trial.ints();
  for (std::int64_t axis = 0; axis < trial.tensor(tensors.front()).dim(); ++axis) {
    if (places.empty()) trial.offer_keyword("dim", Value(axis), std::to_string(axis));
    for (const std::size_t place : places) trial.offer({set_int(place, axis)});
    if (!trial.best().code.empty()) return;
  }
}

void fitting_index(Trial& trial) {
  const std::optional<std::int64_t> index = trial.fact("index"), size = trial.fact("size");
  if (!index || !size || *size == 0) return;
  for (const std::size_t place : trial.ints())
    if (number(trial, place) == *index) trial.offer({set_int(place, *index < 0 ? -*size : *size - 1)});
}

namespace {

/// "i, j" for the first two of "i, j, k", "place[:2]" for those of a name. Empty where the code is neither.
std::string first_of(const std::string& code, std::size_t count, std::size_t size) {
  if (!code.empty() && std::all_of(code.begin(), code.end(), continues_name))
    return fmt::format("{}[:{}]", code, count);
  const Source source{"", code};
  std::vector<Span> pieces = pieces_of(source, span_of(0, 0, code.size()));
  if (pieces.size() != size) return "";
  pieces.resize(count);
  std::string first;
  for (const Span& piece : pieces) first.append(first.empty() ? "" : ", ").append(source.slice(piece));
  return first;
}

}  // namespace

void fewer_indices(Trial& trial) {
  for (std::size_t place = 0; place < trial.places().size(); ++place) {
    const Tuple* indices = trial.value(place).as<Tuple>();
    if (!indices || trial.places()[place].item != OperandPlace::kWhole) continue;
    for (std::size_t count = indices->items.size(); count-- > 1;) {
      const auto end = indices->items.begin() + static_cast<std::ptrdiff_t>(count);
      const std::string code = first_of(std::string(trial.code(place)), count, indices->items.size());
      if (!code.empty()) trial.offer({{place, code, make_tuple({indices->items.begin(), end})}});
    }
  }
}

void fitting_int(Trial& trial) {
  for (const std::size_t place : ints_from_last(trial)) {
    const std::int64_t given = number(trial, place);
    // A size of the lesson is at most as far away as its tensors are long; sixteen steps either way are plenty.
    for (std::int64_t step = 1; step <= 16; ++step) {
      if (given - step > 0) trial.offer({set_int(place, given - step)});
      trial.offer({set_int(place, given + step)});
      if (!trial.best().code.empty()) return;
    }
  }
}

void swapped_ints(Trial& trial) {
  const std::vector<std::size_t> places = trial.ints();
  for (std::size_t i = 0; i + 1 < places.size(); ++i)
    trial.offer({{places[i], std::string(trial.code(places[i + 1])), trial.value(places[i + 1])},
                 {places[i + 1], std::string(trial.code(places[i])), trial.value(places[i])}});
}

void whole_order(Trial& trial) {
  const std::vector<std::size_t> tensors = trial.tensors();
  const std::vector<std::size_t> places = trial.ints();
  if (tensors.empty() || places.empty()) return;
  const std::int64_t dims = trial.tensor(tensors.front()).dim();
  std::vector<Value> order;
  std::string code;
  std::vector<bool> taken(static_cast<std::size_t>(dims), false);
  const auto take = [&](std::int64_t axis) {
    const std::int64_t at = axis < 0 ? axis + dims : axis;
    if (at < 0 || at >= dims || taken[static_cast<std::size_t>(at)]) return;
    taken[static_cast<std::size_t>(at)] = true;
    order.push_back(Value(at));
    code += (code.empty() ? "" : ", ") + std::to_string(at);
  };
  // An order for fewer axes was right before others were put in front: of a batch, of heads.
  const auto given = static_cast<std::int64_t>(places.size());
  const bool is_of_fewer = given < dims && std::all_of(places.begin(), places.end(), [&](std::size_t place) {
                             return number(trial, place) >= 0 && number(trial, place) < given;
                           });
  const std::int64_t in_front = is_of_fewer ? dims - given : 0;
  for (std::int64_t axis = 0; axis < in_front; ++axis) take(axis);
  for (const std::size_t place : places) take(number(trial, place) + in_front);
  for (std::int64_t axis = 0; axis < dims; ++axis) take(axis);
  trial.offer_whole("torch.permute", {trial.value(tensors.front()), make_tuple(order)},
                    as_operand(trial.code(tensors.front())) + ".permute(" + code + ")");
}

void squeezes(Trial& trial) {
  for (const std::size_t place : trial.tensors()) {
    if (const auto edit = trial.with(place, "torch.squeeze", {}, ".squeeze()")) trial.offer({*edit});
  }
}

namespace {

/// The equation of an einsum in its quotes.
std::optional<std::size_t> equation_place(const Trial& trial) {
  for (std::size_t i = 0; i < trial.places().size(); ++i)
    if (trial.value(i).as<Str>() && trial.code(i).size() >= 2) return i;
  return std::nullopt;
}

void offer_equation(Trial& trial, std::size_t place, const std::string& equation) {
  const char quote = trial.code(place).back();
  trial.offer({{place, quote + equation + quote, make_str(equation)}});
}

/// Where each operand's letters begin and end, without blanks around them.
std::vector<std::pair<std::size_t, std::size_t>> terms_of(const std::string& equation) {
  std::vector<std::pair<std::size_t, std::size_t>> terms;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= equation.size(); ++i) {
    if (i < equation.size() && equation[i] != ',' && equation[i] != '-') continue;
    std::size_t end = i;
    while (begin < end && equation[begin] == ' ') ++begin;
    while (begin < end && equation[end - 1] == ' ') --end;
    terms.emplace_back(begin, end);
    begin = i + 1;
    if (i < equation.size() && equation[i] == '-') break;
  }
  return terms;
}

constexpr std::size_t kMostLetters = 12;  // of a term: longer ones are no mistake of two letters

void exchange_letters(Trial& trial, std::size_t place, const std::string& equation) {
  auto terms = terms_of(equation);
  std::reverse(terms.begin(), terms.end());
  for (const auto& [begin, end] : terms) {
    if (end - begin > kMostLetters) continue;
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t j = i + 1; j < end; ++j) {
        std::string changed = equation;
        std::swap(changed[i], changed[j]);
        offer_equation(trial, place, changed);
      }
    }
  }
}

void add_letter(Trial& trial, std::size_t place, const std::string& equation) {
  const std::size_t arrow = equation.find("->");
  char letter = 'h';
  while (equation.find(letter) != std::string::npos && letter != 'z') ++letter;
  const std::vector<std::size_t> tensors = trial.tensors();
  const auto terms = terms_of(equation);
  if (arrow == std::string::npos || terms.size() != tensors.size()) return;
  const std::size_t result = std::min(equation.size(), equation.find_first_not_of(' ', arrow + 2));
  for (const std::size_t at : {std::size_t{1}, std::size_t{0}}) {
    std::string changed = equation;
    changed.insert(std::min(changed.size(), result + at), 1, letter);
    for (std::size_t i = terms.size(); i-- > 0;) {
      const auto [begin, end] = terms[i];
      if (trial.tensor(tensors[i]).dim() == static_cast<std::int64_t>(end - begin) + 1)
        changed.insert(std::min(begin + at, end), 1, letter);
    }
    offer_equation(trial, place, changed);
  }
}

}  // namespace

void other_letters(Trial& trial) {
  const std::optional<std::size_t> place = equation_place(trial);
  if (!place) return;
  const std::string equation = trial.value(*place).as<Str>()->text;
  exchange_letters(trial, *place, equation);
  add_letter(trial, *place, equation);
}

}  // namespace attn
