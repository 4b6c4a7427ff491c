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
constexpr std::int64_t kMostBytes = 2'000'000;  // of numbers in a page: a third more as text
constexpr std::int64_t kShortestRow = 16;       // of shorter ones the numbers of the rows would take more than the rows
constexpr const char* kModes[] = {"whole", "fixed", "decimals", "exponent"};  // of TableNumbers::Mode

/// The numbers as bytes, the lowest first.
template <class To>
std::string little_endian(const Doubles& numbers) {
  std::string bytes(numbers.size() * sizeof(To), '\0');
  char* to = bytes.data();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    // The sign of nan is told by no digit, and a transcript in JSON does not keep it.
    const double number = std::isnan(numbers[i]) ? std::numeric_limits<double>::quiet_NaN() : numbers[i];
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
  const Doubles numbers(x);
  switch (carried_as(x.dtype())) {
    case Carried::Float: return little_endian<float>(numbers);
    case Carried::Double: return little_endian<double>(numbers);
    case Carried::Byte: break;
  }
  return little_endian<std::uint8_t>(numbers);
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

/// How many numbers are a row: those of the last axes.
std::int64_t row_width(const Tensor& x) {
  std::int64_t width = 1;
  for (std::size_t d = x.shape().size(); d-- > 0 && width < kShortestRow;) width *= x.shape()[d];
  return width;
}

bool is_carried(const RecordedValue& value) {
  if (!value.has_numbers() || (value.is_parameter && value.tensor.numel() > kLargestWeight)) return false;
  return is_exact(value.tensor);
}

}  // namespace

Json NumberCarrier::json(ValueId id, bool is_shown) const {
  const Tensor& x = trace_.value(id).tensor;
  Json json = {{"type", type_name(x)}};
  if (is_shown)
    json.update({{"mode", kModes[static_cast<std::size_t>(TableNumbers(x).mode())]}, {"scale", heat_scale(x)}});
  if (const auto rows = rows_.find(id); rows != rows_.end()) json.update({{"w", row_width(x)}, {"rows", rows->second}});
  return json;
}

std::string NumberCarrier::rows_json() const {
  std::string out;
  for (const auto& [name, pool] : pools_)
    out.append(out.empty() ? "{\"" : ",\"").append(name).append("\":\"").append(base64(pool.bytes)).append("\"");
  return out.empty() ? "{}" : out + "}";
}

bool NumberCarrier::add_rows(ValueId id) {
  const Tensor& x = trace_.value(id).tensor;
  const std::string bytes = number_bytes(x);
  const std::int64_t width = row_width(x);
  const std::size_t size = x.numel() == 0 ? 1 : bytes.size() / static_cast<std::size_t>(x.numel() / width);
  Pool& pool = pools_[type_name(x) + std::to_string(width)];
  const std::size_t full = pool.bytes.size();
  std::vector<int> rows;
  std::vector<const std::string*> added;
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    const auto [known, is_new] = pool.numbers.emplace(bytes.substr(at, size), static_cast<int>(pool.numbers.size()));
    rows.push_back(known->second);
    if (!is_new) continue;
    pool.bytes += known->first;
    added.push_back(&known->first);
  }
  const auto more = static_cast<std::int64_t>(pool.bytes.size() - full);
  if (bytes_ + more > kMostBytes) {
    for (const std::string* row : added) pool.numbers.erase(pool.numbers.find(*row));
    pool.bytes.resize(full);
    return false;
  }
  bytes_ += more;
  rows_[id] = std::move(rows);
  return true;
}

bool NumberCarrier::carry(ValueId id) {
  if (const auto known = carried_.find(id); known != carried_.end()) return known->second;
  const RecordedValue& value = trace_.value(id);
  if (!is_carried(value)) return carried_[id] = false;
  if (is_made_of_others(id)) {
    derived_.insert(id);
    return carried_[id] = true;
  }
  return carried_[id] = add_rows(id);
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
