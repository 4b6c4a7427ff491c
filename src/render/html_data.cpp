#include "render/html_data.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
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
constexpr std::int64_t kMostBytes = std::int64_t{4} << 20;  // of numbers in a page

// The sentences of data/page.js, without "page.".
constexpr const char* kWords[] = {
    "back",   "next",        "steps",         "place",         "only",  "keys",    "check",      "reveal", "right",
    "wrong",  "shape",       "value",         "choice",        "write", "compare", "unreadable", "yes",    "no",
    "raises", "other_shape", "other_numbers", "no_difference", "first", "given",   "made_by"};
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
      one["words"] = Json::array();
      for (const std::string& word : *axis.words) one["words"].push_back(visible(word));
    }
    axes.push_back(std::move(one));
  }
  return axes;
}

Json numbers_json(const Tensor& x) {
  return {{"type", type_name(x)},
          {"mode", kModes[static_cast<std::size_t>(TableNumbers(x).mode())]},
          {"scale", heat_scale(x)},
          {"numbers", base64(number_bytes(x))}};
}

bool is_carried(const RecordedValue& value) {
  if (!value.kept || !value.tensor.defined() || (value.is_parameter && value.tensor.numel() > kLargestWeight))
    return false;
  return is_exact(value.tensor);
}

}  // namespace

std::string html_data(const HtmlPage& page) {
  const Trace& trace = page.trace;
  Json words = Json::object(), values = Json::object(), made = Json::object();
  for (const char* word : kWords)
    words[word] = say("page." + std::string(word),
                      {{"step", "{step}"}, {"steps", "{steps}"}, {"op", "{op}"}, {"line", "{line}"}});
  LevelExplainer explain(trace);
  std::set<ValueId> operands = page.shown;
  for (const ValueId id : page.shown)
    if (Json arithmetic = arithmetic_json(trace, explain, id, operands); !arithmetic.is_null())
      made[std::to_string(id)] = std::move(arithmetic);
  // What stands in a table comes first: an operand without its numbers still has its places.
  std::vector<ValueId> order(page.shown.begin(), page.shown.end());
  std::copy_if(operands.begin(), operands.end(), std::back_inserter(order),
               [&](ValueId id) { return !page.shown.contains(id); });
  std::int64_t bytes = 0;
  for (const ValueId id : order) {
    const RecordedValue& value = trace.values.at(static_cast<std::size_t>(id));
    Json json = {{"name", visible(value_name(trace, id))}, {"axes", axes_json(value)}};
    if (is_carried(value) && bytes + byte_count(value.tensor) <= kMostBytes) {
      bytes += byte_count(value.tensor);
      json.update(numbers_json(value.tensor));
    }
    values[std::to_string(id)] = std::move(json);
  }
  const Json data = {{"words", words}, {"values", values}, {"made", made}};
  std::string text = data.dump(-1, ' ', true, Json::error_handler_t::replace);
  // "</script>" and "<!--" would end or change the element.
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  return text;
}

}  // namespace attn
