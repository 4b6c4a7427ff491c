#include "render/html/numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/sha256.h"
#include "explain/numbers.h"
#include "render/html/steps.h"
#include "tensor/core/read.h"

namespace attn {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kLargestWeight = 65536;  // elements
constexpr std::int64_t kMostBytes = 5'500'000;  // of numbers in a page: a third more as text
constexpr const char* kModes[] = {"whole", "fixed", "decimals", "exponent"};  // of TableNumbers::Mode

/// The numbers as bytes, the lowest first.
template <class To>
std::string little_endian(const std::vector<double>& numbers) {
  std::string bytes(numbers.size() * sizeof(To), '\0');
  char* to = bytes.data();
  for (const double number : numbers) {
    const To value = static_cast<To>(number);
    std::memcpy(to, &value, sizeof(To));
    if constexpr (std::endian::native == std::endian::big) std::reverse(to, to + sizeof(To));
    to += sizeof(To);
  }
  return bytes;
}

/// One type for all that the script need not tell apart: float32, float64 (whole numbers too), bytes.
enum class Carried { Float, Double, Byte };

Carried carried_as(DType dtype) {
  if (dtype == DType::Float32) return Carried::Float;
  return dtype == DType::Bool ? Carried::Byte : Carried::Double;
}

std::string number_bytes(const Tensor& x) {
  std::vector<double> numbers = to_doubles(x);
  // The sign of nan is told by no digit, and a transcript in JSON does not keep it.
  for (double& number : numbers)
    if (std::isnan(number)) number = std::numeric_limits<double>::quiet_NaN();
  switch (carried_as(x.dtype())) {
    case Carried::Float: return little_endian<float>(numbers);
    case Carried::Double: return little_endian<double>(numbers);
    case Carried::Byte: break;
  }
  return little_endian<std::uint8_t>(numbers);
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

bool is_carried(const RecordedValue& value) {
  if (!value.has_numbers() || (value.is_parameter && value.tensor.numel() > kLargestWeight)) return false;
  return is_exact(value.tensor);
}

}  // namespace

Json numbers_json(const Tensor& x, bool is_derived) {
  Json json = {{"type", type_name(x)},
               {"mode", kModes[static_cast<std::size_t>(TableNumbers(x).mode())]},
               {"scale", heat_scale(x)}};
  if (!is_derived) json["numbers"] = base64(number_bytes(x));
  return json;
}

bool NumberCarrier::carry(ValueId id) {
  if (const auto known = carried_.find(id); known != carried_.end()) return known->second;
  const RecordedValue& value = trace_.value(id);
  if (!is_carried(value)) return carried_[id] = false;
  if (is_made_of_others(id)) {
    derived_.insert(id);
    return carried_[id] = true;
  }
  if (bytes_ + byte_count(value.tensor) > kMostBytes) return carried_[id] = false;
  bytes_ += byte_count(value.tensor);
  return carried_[id] = true;
}

bool NumberCarrier::has_needed(const Arithmetic& arithmetic) {
  return std::all_of(arithmetic.needed.begin(), arithmetic.needed.end(), [&](ValueId id) { return carry(id); });
}

bool NumberCarrier::is_made_of_others(ValueId id) {
  const auto arithmetic = made_.find(id);
  const ValueId from = arithmetic == made_.end() ? -1 : arithmetic->second.moved_from;
  const auto type = [&](ValueId of) { return trace_.value(of).dtype; };
  if (from < 0 || type(from) != type(id)) return false;
  // No two values may be made of one another.
  const auto older = made_.find(from);
  if (from > id && older != made_.end() && older->second.moved_from >= 0) return false;
  return has_needed(arithmetic->second) && carry(from);
}

}  // namespace attn
