#include "engine/weights_map.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "base/number.h"
#include "base/text.h"
#include "text/say.h"

namespace attn {
namespace {

[[noreturn]] void fail(const std::string& typed, const std::string& reason) {
  throw UserError(fmt::format("--map {}: {}", visible(typed), reason));
}

/// Reads what stands behind the name of the file's tensor.
class PartParser {
 public:
  PartParser(const std::string& typed, std::string_view text) : typed_(typed), rest_(text) {}

  std::vector<MapStep> parse() {
    std::vector<MapStep> steps;
    while (!rest_.empty()) steps.push_back(accept(".T") ? MapStep{} : MapStep{items()});
    return steps;
  }

 private:
  bool accept(std::string_view word) {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    if (!rest_.starts_with(word)) return false;
    return rest_.remove_prefix(word.size()), true;
  }
  std::optional<std::int64_t> number() {
    accept("");
    const std::size_t size = std::min(rest_.find_first_not_of("-0123456789"), rest_.size());
    if (size == 0) return std::nullopt;
    const auto number = parse_int(rest_.substr(0, size));
    if (!number) fail(typed_, say("weights.map.number", {{"text", elide(rest_.substr(0, size), 20)}}));
    return rest_.remove_prefix(size), number;
  }
  MapIndex item() {
    if (accept("...")) return {MapIndex::Kind::Rest, {}, {}};
    const auto begin = number();
    if (accept(":")) return {MapIndex::Kind::Range, begin, number()};
    if (!begin) fail(typed_, say("weights.map.item"));
    return {MapIndex::Kind::At, begin, {}};
  }
  std::vector<MapIndex> items() {
    if (!accept("[")) fail(typed_, say("weights.map.part"));
    std::vector<MapIndex> out = {item()};
    while (accept(",")) out.push_back(item());
    if (!accept("]")) fail(typed_, say("weights.map.open"));
    const auto rests =
        std::count_if(out.begin(), out.end(), [](const MapIndex& index) { return index.kind == MapIndex::Kind::Rest; });
    if (rests > 1) fail(typed_, say("weights.map.rest"));
    return out;
  }

  const std::string& typed_;
  std::string_view rest_;
};

Tensor turned(const Tensor& x) {
  Shape shape = x.shape(), strides = x.strides();
  std::reverse(shape.begin(), shape.end());
  std::reverse(strides.begin(), strides.end());
  return x.as_strided(std::move(shape), std::move(strides), x.offset());
}

/// Takes one item after the other; `axis` is the one that the next item is about.
class Picker {
 public:
  Picker(const WeightsMap& map, const Tensor& x)
      : map_(map), whole_(x), shape_(x.shape()), strides_(x.strides()), offset_(x.offset()) {}

  Tensor pick(const std::vector<MapIndex>& items) {
    const bool has_rest = std::any_of(items.begin(), items.end(),
                                      [](const MapIndex& index) { return index.kind == MapIndex::Kind::Rest; });
    const std::size_t named = items.size() - has_rest;
    if (named > shape_.size()) {
      const std::string what = say(
          "weights.map.items", {{"count", std::to_string(named)}, {"name", map_.from}, {"shape", shape_text(shape_)}});
      fail(map_.typed, has_rest ? what : what + "; " + say("weights.map.items.how"));
    }
    const std::size_t rest = shape_.size() - named;
    for (const MapIndex& index : items) {
      if (index.kind == MapIndex::Kind::Rest) axis_ += rest;
      else take(index);
    }
    return whole_.as_strided(shape_, strides_, offset_);
  }

 private:
  void take(const MapIndex& index) {
    const std::int64_t size = shape_[axis_];
    const auto from_front = [&](std::int64_t place) { return place < 0 ? place + size : place; };
    const std::int64_t begin = from_front(index.begin.value_or(0));
    const std::int64_t end = index.kind == MapIndex::Kind::At ? begin + 1 : from_front(index.end.value_or(size));
    if (begin < 0 || begin > end || end > size)
      fail(map_.typed, say("weights.map.size",
                           {{"axis", std::to_string(axis_)}, {"name", map_.from}, {"size", std::to_string(size)}}));
    offset_ += begin * strides_[axis_];
    shape_[axis_] = end - begin;
    const auto place = static_cast<std::ptrdiff_t>(axis_);
    if (index.kind != MapIndex::Kind::At) {
      ++axis_;
    } else {
      shape_.erase(shape_.begin() + place);
      strides_.erase(strides_.begin() + place);
    }
  }

  const WeightsMap& map_;
  const Tensor& whole_;
  Shape shape_, strides_;
  std::int64_t offset_;
  std::size_t axis_ = 0;
};

}  // namespace

WeightsMap parse_map(const std::string& typed) {
  const std::size_t equals = typed.rfind('=');
  if (equals == std::string::npos) fail(typed, say("weights.map.form"));
  const std::string_view left = trim(std::string_view(typed).substr(0, equals));
  std::size_t end = std::min(left.find('['), left.size());
  while (left.substr(0, end).ends_with(".T")) end -= 2;
  WeightsMap map{typed, std::string(trim(left.substr(0, end))), std::string(left.substr(end)), {}, ""};
  map.steps = PartParser(typed, left.substr(end)).parse();
  map.to = trim(std::string_view(typed).substr(equals + 1));
  if (map.from.empty() && map.to.empty()) fail(typed, say("weights.map.empty"));
  return map;
}

Tensor mapped_part(const Tensor& whole, const WeightsMap& map) {
  Tensor x = whole;
  for (const MapStep& step : map.steps) x = step.items.empty() ? turned(x) : Picker(map, x).pick(step.items);
  return x;
}

}  // namespace attn
