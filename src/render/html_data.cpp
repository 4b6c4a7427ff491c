#include "render/html_data.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "base/sha256.h"
#include "base/text.h"
#include "explain/element.h"
#include "explain/messages.h"
#include "explain/named_sizes.h"
#include "explain/numbers.h"
#include "render/html_arithmetic.h"
#include "tensor/read.h"

namespace attn {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kLargestWeight = 65536;  // elements
constexpr std::int64_t kMostBytes = 5'500'000;  // of numbers in a page: a third more as text

// The sentences of the script, without "page.".
constexpr const char* kWords[] = {
    "back",  "next",  "steps",   "place", "only",   "keys",        "check",         "reveal",
    "right", "wrong", "shape",   "value", "choice", "write",       "compare",       "empty",
    "yes",   "no",    "raises",  "axis",  "part",   "other_shape", "other_numbers", "no_difference",
    "first", "given", "made_by", "more",  "terms",  "missing",     "sums"};
// Those that a session says, too.
constexpr std::pair<const char*, const char*> kSessionWords[] = {{"unreadable", "judge.shape.how"},
                                                                 {"token", "judge.shape.token"},
                                                                 {"negative", "judge.shape.negative"},
                                                                 {"name", "judge.name"},
                                                                 {"number", "judge.value.how"}};
// What is filled into them there.
constexpr const char* kPlaces[] = {"step",  "steps", "op",   "line",  "count", "names",
                                   "first", "last",  "axis", "token", "other"};
constexpr int kMostLevels = 6;                                                // of arithmetic below one number
constexpr const char* kModes[] = {"whole", "fixed", "decimals", "exponent"};  // of TableNumbers::Mode

template <class To>
void put_little_endian(std::string& out, double number) {
  const To value = static_cast<To>(number);
  unsigned char bytes[sizeof(To)];
  std::memcpy(bytes, &value, sizeof(To));
  if constexpr (std::endian::native == std::endian::big) std::reverse(bytes, bytes + sizeof(To));
  out.append(reinterpret_cast<const char*>(bytes), sizeof(To));
}

/// One type for all that the script need not tell apart: float32, float64 (whole numbers too), bytes.
enum class Carried { Float, Double, Byte };

Carried carried_as(DType dtype) {
  if (dtype == DType::Float32) return Carried::Float;
  return dtype == DType::Bool ? Carried::Byte : Carried::Double;
}

std::string number_bytes(const Tensor& x) {
  std::string bytes;
  for (const double number : to_doubles(x)) {
    switch (carried_as(x.dtype())) {
      case Carried::Float: put_little_endian<float>(bytes, number); break;
      case Carried::Double: put_little_endian<double>(bytes, number); break;
      case Carried::Byte: bytes += static_cast<char>(number != 0); break;
    }
  }
  return bytes;
}

std::int64_t byte_count(const Tensor& x) {
  const Carried type = carried_as(x.dtype());
  return x.numel() * (type == Carried::Float ? 4 : type == Carried::Double ? 8 : 1);
}

/// Integers beyond 2^53 would be others as doubles.
bool is_exact(const Tensor& x) {
  if (is_floating(x.dtype()) || x.dtype() == DType::Bool) return true;
  const std::vector<double> numbers = to_doubles(x);
  return std::all_of(numbers.begin(), numbers.end(), [](double n) { return std::fabs(n) < 0x1p53; });
}

std::string type_name(const Tensor& x) {
  if (x.dtype() == DType::Bool) return "bool";
  return is_floating(x.dtype()) ? x.dtype() == DType::Float32 ? "float" : "double" : "int";
}

/// The words at the edges of tables: each list once, whatever number of tensors has it.
class WordLists {
 public:
  std::size_t number_of(const std::vector<std::string>& words) {
    Json shown = Json::array();
    for (const std::string& word : words) shown.push_back(visible(word));
    const auto known = std::find(lists_.begin(), lists_.end(), shown);
    if (known != lists_.end()) return static_cast<std::size_t>(known - lists_.begin());
    lists_.push_back(std::move(shown));
    return lists_.size() - 1;
  }
  const Json& json() const { return lists_; }

 private:
  Json lists_ = Json::array();
};

/// [["batch_size", 3], ["key_len", 2, 0]]: behind the size the number of the list of words. With the number of an axis
/// behind that, the list holds those for each place of that axis, one after another.
Json axes_json(const RecordedValue& value, WordLists& lists) {
  Json axes = Json::array();
  for (std::size_t d = 0; d < value.shape.size(); ++d) {
    const AxisRecord axis = d < value.axes.size() ? value.axes[d] : AxisRecord{};
    Json one = {visible(axis.name), value.shape[d]};
    if (axis.words) one.push_back(lists.number_of(*axis.words));
    for (std::size_t by = 0; by < value.axes.size() && axis.words && !axis.by.empty(); ++by)
      if (value.axes[by].name == axis.by) one.push_back(by);
    axes.push_back(std::move(one));
  }
  return axes;
}

Json numbers_json(const Tensor& x, bool derived) {
  Json json = {{"type", type_name(x)},
               {"mode", kModes[static_cast<std::size_t>(TableNumbers(x).mode())]},
               {"scale", heat_scale(x)}};
  if (!derived) json["numbers"] = base64(number_bytes(x));
  return json;
}

bool is_carried(const RecordedValue& value) {
  if (!value.kept || !value.tensor.defined() || (value.is_parameter && value.tensor.numel() > kLargestWeight))
    return false;
  return is_exact(value.tensor);
}

/// Decides which numbers are in the page. A tensor whose elements only moved is made from the other by the script.
class NumberCarrier {
 public:
  NumberCarrier(const Trace& trace, const std::map<ValueId, Arithmetic>& made) : trace_(trace), made_(made) {}

  bool has(ValueId id) const { return carried_.contains(id) && carried_.at(id); }
  bool is_derived(ValueId id) const { return derived_.contains(id); }

  bool carry(ValueId id) {
    if (const auto known = carried_.find(id); known != carried_.end()) return known->second;
    const RecordedValue& value = trace_.values.at(static_cast<std::size_t>(id));
    if (!is_carried(value)) return carried_[id] = false;
    if (is_made_of_others(id)) {
      derived_.insert(id);
      return carried_[id] = true;
    }
    if (bytes_ + byte_count(value.tensor) > kMostBytes) return carried_[id] = false;
    bytes_ += byte_count(value.tensor);
    return carried_[id] = true;
  }

  /// Whether the places of its arithmetic can be found.
  bool has_needed(const Arithmetic& arithmetic) {
    return std::all_of(arithmetic.needed.begin(), arithmetic.needed.end(), [&](ValueId id) { return carry(id); });
  }

 private:
  /// Of an older value all elements were taken from as they are, and all that says which is carried.
  bool is_made_of_others(ValueId id) {
    const auto arithmetic = made_.find(id);
    const ValueId from = arithmetic == made_.end() ? -1 : arithmetic->second.moved_from;
    const auto type = [&](ValueId of) { return trace_.values.at(static_cast<std::size_t>(of)).dtype; };
    if (from < 0 || type(from) != type(id)) return false;
    // No two values may be made of one another.
    const auto older = made_.find(from);
    if (from > id && older != made_.end() && older->second.moved_from >= 0) return false;
    return has_needed(arithmetic->second) && carry(from);
  }

  const Trace& trace_;
  const std::map<ValueId, Arithmetic>& made_;
  std::map<ValueId, bool> carried_;
  std::set<ValueId> derived_;
  std::int64_t bytes_ = 0;
};

bool is_explained(const RecordedValue& value) { return value.tensor.defined() && value.tensor.numel() > 0; }

/// The arithmetic of the tables, and of what stands behind their numbers in no table, a few levels deep; `values`: all
/// that it speaks of.
std::map<ValueId, Arithmetic> all_arithmetic(const HtmlPage& page, std::set<ValueId>& values) {
  LevelExplainer explain(page.trace);
  std::map<ValueId, Arithmetic> made;
  std::set<ValueId> known, next = page.shown;
  for (int level = 0; level < kMostLevels; ++level) {
    std::set<ValueId> found;
    for (const ValueId id : next) {
      if (!known.insert(id).second || !is_explained(page.trace.values.at(static_cast<std::size_t>(id)))) continue;
      Arithmetic arithmetic = arithmetic_of(page.trace, explain, id);
      found.insert(arithmetic.operands.begin(), arithmetic.operands.end());
      if (!arithmetic.json.is_null()) made.emplace(id, std::move(arithmetic));
    }
    values.insert(found.begin(), found.end());
    next = std::move(found);
  }
  return made;
}

/// The sentences as the script fills them in.
Json words_json() {
  Words places;
  for (const char* place : kPlaces) places.emplace_back(place, "{" + std::string(place) + "}");
  Json words = Json::object();
  for (const char* word : kWords) words[word] = say("page." + std::string(word), places);
  for (const auto& [word, id] : kSessionWords) words[word] = say(id, places);
  return words;
}

/// The size that a name in an answer stands for, where a shape is asked for.
Json sizes_json(const Trace& trace) {
  const bool asks = std::any_of(trace.blocks.begin(), trace.blocks.end(), [](const TraceBlock& block) {
    const CellRecord* cell = std::get_if<CellRecord>(&block);
    return cell && cell->question && cell->question->kind == Predict::Shape;
  });
  Json sizes = Json::object();
  if (!asks) return sizes;
  for (const auto& [name, size] : named_sizes(trace)) sizes[visible(name)] = size;
  return sizes;
}

/// What stands in a table comes first, then what says where operands stand, then the smaller ones: an operand without
/// its numbers still has its places.
void carry_all(NumberCarrier& carrier, const HtmlPage& page, const std::map<ValueId, Arithmetic>& made,
               const std::set<ValueId>& operands) {
  for (const ValueId id : page.shown) carrier.carry(id);
  for (const ValueId id : page.shown)
    if (const auto arithmetic = made.find(id); arithmetic != made.end()) carrier.has_needed(arithmetic->second);
  std::vector<ValueId> rest(operands.begin(), operands.end());
  std::stable_sort(rest.begin(), rest.end(), [&](ValueId a, ValueId b) {
    const auto size = [&](ValueId id) { return numel_of(page.trace.values.at(static_cast<std::size_t>(id)).shape); };
    return size(a) < size(b);
  });
  for (const ValueId id : rest) carrier.carry(id);
}

}  // namespace

std::string html_data(const HtmlPage& page) {
  const Trace& trace = page.trace;
  std::set<ValueId> operands = page.shown;
  const std::map<ValueId, Arithmetic> arithmetic = all_arithmetic(page, operands);
  NumberCarrier carrier(trace, arithmetic);
  carry_all(carrier, page, arithmetic, operands);
  Json values = Json::object(), made = Json::object();
  WordLists lists;
  for (const auto& [id, one] : arithmetic)
    if (carrier.has_needed(one) && (carrier.has(id) || !one.json.contains("kinds")))
      made[std::to_string(id)] = one.json;
  for (const ValueId id : operands) {
    const RecordedValue& value = trace.values.at(static_cast<std::size_t>(id));
    Json json = {{"name", visible(value_name(trace, id))}, {"axes", axes_json(value, lists)}};
    if (carrier.has(id)) json.update(numbers_json(value.tensor, carrier.is_derived(id)));
    values[std::to_string(id)] = std::move(json);
  }
  const Json data = {{"words", words_json()},
                     {"sizes", sizes_json(trace)},
                     {"lists", lists.json()},
                     {"values", values},
                     {"made", made}};
  std::string text = data.dump(-1, ' ', true, Json::error_handler_t::replace);
  // "</script>" and "<!--" would end or change the element.
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  return text;
}

}  // namespace attn
