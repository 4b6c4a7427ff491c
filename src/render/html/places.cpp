#include "render/html/places.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "tensor/core/read.h"

namespace attn {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestTable = 1024;

std::vector<std::int64_t> row_major_strides(const Shape& shape) { return contiguous_strides(shape); }

/// The number at a place; nothing when the element lies outside or its numbers were not kept.
std::optional<double> number_at(const Trace& trace, ValueId id, std::int64_t element) {
  const Tensor& x = trace.value(id).tensor;
  if (!x.defined() || element < 0 || element >= x.numel()) return std::nullopt;
  return to_double(element_at(x, element));
}

std::int64_t sum_at(const Place& place, const Shape& index) {
  if (place.tables.empty()) return std::inner_product(index.begin(), index.end(), place.steps.begin(), place.base);
  std::int64_t sum = place.base;
  for (std::size_t d = 0; d < index.size(); ++d) {
    sum += !place.tables[d].empty() ? place.tables[d][static_cast<std::size_t>(index[d])] : place.steps[d] * index[d];
  }
  return sum;
}

bool holds(const Trace* trace, const Place& place, const PlaceSample& sample) {
  for (std::size_t k = 0; k < sample.numbers.size(); ++k) {
    const Shape index = unravel(sample.numbers[k], sample.shape);
    const std::int64_t element = trace ? element_of(*trace, place, index) : sum_at(place, index);
    if (element != sample.elements[k]) return false;
  }
  return true;
}

using Known = std::map<std::int64_t, std::int64_t>;  // number -> element

Known known_of(const PlaceSample& sample) {
  Known known;
  for (std::size_t k = 0; k < sample.numbers.size(); ++k) known[sample.numbers[k]] = sample.elements[k];
  return known;
}

/// Two numbers that differ by one in one place of their indices say the step along that axis.
Shape steps_of(const PlaceSample& sample, const Known& known) {
  Shape steps(sample.shape.size(), 0);
  const auto strides = row_major_strides(sample.shape);
  for (std::size_t d = 0; d < steps.size(); ++d) {
    for (const auto& [number, element] : known) {
      if (number / strides[d] % sample.shape[d] + 1 >= sample.shape[d]) continue;
      const auto next = known.find(number + strides[d]);
      if (next == known.end()) continue;
      steps[d] = next->second - element;
      break;
    }
  }
  return steps;
}

/// What each index along an axis adds to the element at index 0, where all of that line are known.
std::vector<Shape> tables_of(const PlaceSample& sample, const Known& known) {
  std::vector<Shape> tables(sample.shape.size());
  const auto strides = row_major_strides(sample.shape);
  const auto origin = known.find(0);
  if (origin == known.end()) return {};
  for (std::size_t d = 0; d < tables.size(); ++d) {
    for (std::int64_t i = 0; i < sample.shape[d]; ++i) {
      const auto there = known.find(i * strides[d]);
      if (there == known.end()) return {};
      tables[d].push_back(there->second - origin->second);
    }
  }
  return tables;
}

void drop_even_tables(Place& place) {
  for (std::size_t d = 0; d < place.tables.size(); ++d) {
    Shape& table = place.tables[d];
    const std::int64_t step = table.size() > 1 ? table[1] : 0;
    bool is_even = true;
    for (std::size_t i = 0; i < table.size(); ++i) is_even = is_even && table[i] == step * static_cast<std::int64_t>(i);
    if (!is_even) continue;
    place.steps[d] = step;
    table.clear();
  }
}

/// The step of a chooser, from two numbers whose elements are chosen by different numbers.
std::optional<std::int64_t> chooser_step(const Trace& trace, const PlaceSample& sample, const Place& place) {
  std::optional<double> first_choice;
  std::int64_t first_rest = 0;
  for (std::size_t k = 0; k < sample.numbers.size(); ++k) {
    const Shape index = unravel(sample.numbers[k], sample.shape);
    const auto choice = number_at(trace, place.chooser->value, element_of(trace, *place.chooser, index));
    if (!choice) return std::nullopt;
    const std::int64_t rest = sample.elements[k] - sum_at(place, index);
    if (!first_choice) {
      first_choice = choice;
      first_rest = rest;
    } else if (*choice != *first_choice) {
      return static_cast<std::int64_t>(static_cast<double>(rest - first_rest) / (*choice - *first_choice));
    }
  }
  return std::nullopt;
}

/// As explain/element_formula_text.cpp looks for it: nan is neither larger nor smaller.
std::int64_t picked_element(const Trace& trace, const Place& place, std::int64_t begin) {
  std::int64_t best = begin;
  auto most = number_at(trace, place.value, begin);
  for (std::int64_t k = 1; k < place.count && most; ++k) {
    const auto number = number_at(trace, place.value, begin + k * place.step);
    if (!number) return -1;
    if (place.pick == Place::Pick::Largest ? *number <= *most : *number >= *most) continue;
    if (std::isnan(*number) || std::isnan(*most)) continue;
    most = number;
    best = begin + k * place.step;
  }
  return most ? best : -1;
}

}  // namespace

std::optional<Place> summed_place(ValueId value, const PlaceSample& sample) {
  const Known known = known_of(sample);
  Place place{.value = value, .steps = steps_of(sample, known)};
  place.base = sample.elements.front() - sum_at(place, unravel(sample.numbers.front(), sample.shape));
  if (holds(nullptr, place, sample)) return place;
  place.tables = tables_of(sample, known);
  std::size_t length = 0;
  for (const Shape& table : place.tables) length += table.size();
  if (place.tables.empty() || length > kLongestTable) return std::nullopt;
  place.base = known.at(0);
  if (!holds(nullptr, place, sample)) return std::nullopt;
  drop_even_tables(place);
  return place;
}

std::optional<Place> chosen_place(const Trace& trace, ValueId value, const PlaceSample& sample, const Place& chooser) {
  if (!chooser.is_sum() || !chooser.tables.empty()) return std::nullopt;
  Place place{.value = value, .steps = steps_of(sample, known_of(sample))};
  place.chooser = std::make_shared<Place>(chooser);
  // Along its own axes the chooser alone decides.
  for (std::size_t d = 0; d < place.steps.size(); ++d)
    if (chooser.steps[d] != 0) place.steps[d] = 0;
  const auto step = chooser_step(trace, sample, place);
  if (!step) return std::nullopt;
  place.chooser_step = *step;
  const Shape first = unravel(sample.numbers.front(), sample.shape);
  place.base = sample.elements.front() - element_of(trace, place, first);
  return holds(&trace, place, sample) ? std::optional(place) : std::nullopt;
}

std::optional<Place> picked_place(const Trace& trace, const PlaceSample& sample, const Place& first, std::int64_t count,
                                  std::int64_t step) {
  Place place = first;
  place.count = count;
  place.step = step;
  for (const Place::Pick pick : {Place::Pick::Largest, Place::Pick::Smallest}) {
    place.pick = pick;
    if (holds(&trace, place, sample)) return place;
  }
  return std::nullopt;
}

std::int64_t element_of(const Trace& trace, const Place& place, const Shape& index) {
  std::int64_t element = sum_at(place, index);
  if (place.chooser) {
    const auto choice = number_at(trace, place.chooser->value, element_of(trace, *place.chooser, index));
    if (!choice) return -1;
    element += place.chooser_step * static_cast<std::int64_t>(*choice);
  }
  return place.pick == Place::Pick::None ? element : picked_element(trace, place, element);
}

Json place_json(const Place& place) {
  if (!place.list.empty()) return {{"v", place.value}, {"l", place.list}};
  Json steps = Json::array();
  for (std::size_t d = 0; d < place.steps.size(); ++d) {
    const bool has_table = d < place.tables.size() && !place.tables[d].empty();
    steps.push_back(has_table ? Json(place.tables[d]) : Json(place.steps[d]));
  }
  Json json = {{"v", place.value}, {"b", place.base}, {"s", steps}};
  if (place.chooser) json.update({{"at", place_json(*place.chooser)}, {"k", place.chooser_step}});
  if (place.pick != Place::Pick::None)
    json.update(
        {{"pick", place.pick == Place::Pick::Largest ? "largest" : "smallest"}, {"n", place.count}, {"d", place.step}});
  return json;
}

}  // namespace attn
