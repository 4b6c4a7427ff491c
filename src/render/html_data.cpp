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
#include "explain/numbers.h"
#include "render/html_arithmetic.h"
#include "tensor/read.h"

namespace attn {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kLargestWeight = 65536;              // elements
constexpr std::int64_t kMostBytes = std::int64_t{5} << 20;  // of numbers in a page

// The sentences of data/page.js, without "page.".
constexpr const char* kWords[] = {
    "back",   "next",        "steps",         "place",         "only",  "keys",    "check",      "reveal", "right",
    "wrong",  "shape",       "value",         "choice",        "write", "compare", "unreadable", "yes",    "no",
    "raises", "other_shape", "other_numbers", "no_difference", "first", "given",   "made_by",    "more"};
constexpr int kMostLevels = 4;                                                // of arithmetic below one number
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

Json axes_json(const RecordedValue& value) {
  Json axes = Json::array();
  for (std::size_t d = 0; d < value.shape.size(); ++d) {
    const AxisRecord axis = d < value.axes.size() ? value.axes[d] : AxisRecord{};
    Json one = {{"name", visible(axis.name)}, {"size", value.shape[d]}};
    if (axis.words) {
      Json list = Json::array();
      for (const std::string& word : *axis.words) list.push_back(visible(word));
      one[axis.by.empty() ? "words" : "rows"] = std::move(list);
    }
    for (std::size_t by = 0; by < value.axes.size() && !axis.by.empty(); ++by)
      if (value.axes[by].name == axis.by) one["by"] = by;
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
  NumberCarrier(const Trace& trace, const Json& made) : trace_(trace), made_(made) {}

  bool has(ValueId id) const { return carried_.contains(id) && carried_.at(id); }
  bool is_derived(ValueId id) const { return derived_.contains(id); }

  bool carry(ValueId id) {
    if (const auto known = carried_.find(id); known != carried_.end()) return known->second;
    const RecordedValue& value = trace_.values.at(static_cast<std::size_t>(id));
    if (!is_carried(value)) return carried_[id] = false;
    if (const ValueId from = moved_from(id); from >= 0 && carry(from)) {
      derived_.insert(id);
      return carried_[id] = true;
    }
    if (bytes_ + byte_count(value.tensor) > kMostBytes) return carried_[id] = false;
    bytes_ += byte_count(value.tensor);
    return carried_[id] = true;
  }

 private:
  /// The older value that all elements were taken from as they are; -1: there is none.
  ValueId moved_from(ValueId id) const {
    const auto arithmetic = made_.find(std::to_string(id));
    if (arithmetic == made_.end() || (*arithmetic)["forms"].size() != 1) return -1;
    const Json& form = (*arithmetic)["forms"][0];
    if (form["pieces"] != Json::array({0})) return -1;
    const ValueId from = form["slots"][0]["v"];
    const auto type = [&](ValueId of) { return trace_.values.at(static_cast<std::size_t>(of)).dtype; };
    return from < id && type(from) == type(id) ? from : -1;
  }

  const Trace& trace_;
  const Json& made_;
  std::map<ValueId, bool> carried_;
  std::set<ValueId> derived_;
  std::int64_t bytes_ = 0;
};

bool is_explained(const RecordedValue& value) { return value.tensor.defined() && value.tensor.numel() > 0; }

}  // namespace

std::string html_data(const HtmlPage& page) {
  const Trace& trace = page.trace;
  Json words = Json::object(), values = Json::object(), made = Json::object();
  for (const char* word : kWords)
    words[word] =
        say("page." + std::string(word),
            {{"step", "{step}"}, {"steps", "{steps}"}, {"op", "{op}"}, {"line", "{line}"}, {"count", "{count}"}});
  LevelExplainer explain(trace);
  std::set<ValueId> operands = page.shown;
  // Behind the numbers of the tables stand some that are in no table: for them the script goes on, a few levels deep.
  std::set<ValueId> known, next = page.shown;
  for (int level = 0; level < kMostLevels; ++level) {
    std::set<ValueId> found;
    for (const ValueId id : next) {
      if (!known.insert(id).second || !is_explained(trace.values.at(static_cast<std::size_t>(id)))) continue;
      if (Json arithmetic = arithmetic_json(trace, explain, id, found); !arithmetic.is_null())
        made[std::to_string(id)] = std::move(arithmetic);
    }
    operands.insert(found.begin(), found.end());
    next = std::move(found);
  }
  // What stands in a table comes first: an operand without its numbers still has its places.
  NumberCarrier carrier(trace, made);
  for (const ValueId id : page.shown) carrier.carry(id);
  for (const ValueId id : operands) carrier.carry(id);
  for (const ValueId id : operands) {
    const RecordedValue& value = trace.values.at(static_cast<std::size_t>(id));
    Json json = {{"name", visible(value_name(trace, id))}, {"axes", axes_json(value)}};
    if (carrier.has(id)) json.update(numbers_json(value.tensor, carrier.is_derived(id)));
    values[std::to_string(id)] = std::move(json);
  }
  const Json data = {{"words", words}, {"values", values}, {"made", made}};
  std::string text = data.dump(-1, ' ', true, Json::error_handler_t::replace);
  // "</script>" and "<!--" would end or change the element.
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  return text;
}

}  // namespace attn
