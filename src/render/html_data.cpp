#include "render/html_data.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/sha256.h"
#include "base/text.h"
#include "explain/messages.h"
#include "explain/numbers.h"
#include "tensor/read.h"

namespace attn {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kLargestWeight = 65536;              // elements
constexpr std::int64_t kMostBytes = std::int64_t{4} << 20;  // of numbers in a page

// The sentences of data/page.js, without "page.".
constexpr const char* kWords[] = {"back",   "next",        "steps",         "place",         "only",  "keys",
                                  "check",  "reveal",      "right",         "wrong",         "shape", "value",
                                  "choice", "write",       "compare",       "unreadable",    "yes",   "no",
                                  "raises", "other_shape", "other_numbers", "no_difference", "first"};
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

Json value_json(const RecordedValue& value) {
  return {{"axes", axes_json(value)},
          {"type", type_name(value.tensor)},
          {"mode", kModes[static_cast<std::size_t>(TableNumbers(value.tensor).mode())]},
          {"scale", heat_scale(value.tensor)},
          {"numbers", base64(number_bytes(value.tensor))}};
}

}  // namespace

std::string html_data(const HtmlPage& page) {
  Json words = Json::object(), values = Json::object();
  for (const char* word : kWords)
    words[word] = say("page." + std::string(word), {{"step", "{step}"}, {"steps", "{steps}"}});
  std::int64_t bytes = 0;
  for (const ValueId id : page.shown) {
    const RecordedValue& value = page.trace.values.at(static_cast<std::size_t>(id));
    if (value.is_parameter && value.tensor.numel() > kLargestWeight) continue;
    if (bytes + byte_count(value.tensor) > kMostBytes || !is_exact(value.tensor)) continue;
    bytes += byte_count(value.tensor);
    values[std::to_string(id)] = value_json(value);
  }
  const Json data = {{"words", words}, {"values", values}};
  std::string text = data.dump(-1, ' ', true, Json::error_handler_t::replace);
  // "</script>" and "<!--" would end or change the element.
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  return text;
}

}  // namespace attn
