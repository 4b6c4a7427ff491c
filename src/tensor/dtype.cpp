#include "tensor/dtype.h"

#include <algorithm>
#include <array>

namespace attn {
namespace {

struct DTypeRow {
  std::string_view name;
  std::int64_t size;
};

constexpr std::array<DTypeRow, 4> kRows = {
    {{"torch.bool", 1}, {"torch.int64", 8}, {"torch.float32", 4}, {"torch.float64", 8}}};

const DTypeRow& row_of(DType dtype) { return kRows[static_cast<std::size_t>(dtype)]; }

}  // namespace

std::string_view name_of(DType dtype) { return row_of(dtype).name; }

std::string_view short_name(DType dtype) { return row_of(dtype).name.substr(std::string_view("torch.").size()); }

std::int64_t size_of(DType dtype) { return row_of(dtype).size; }

double to_double(const Scalar& scalar) {
  return std::visit([](auto value) { return static_cast<double>(value); }, scalar);
}

std::int64_t to_int(const Scalar& scalar) {
  return std::visit([](auto value) { return convert<std::int64_t>(value); }, scalar);
}

DType default_dtype(const Scalar& scalar) {
  constexpr std::array<DType, 3> kDefaults = {DType::Bool, DType::Int64, DType::Float32};
  return kDefaults[scalar.index()];
}

bool is_float(const Scalar& scalar) { return std::holds_alternative<double>(scalar); }

DType promote(DType a, DType b) { return std::max(a, b); }

DType promote(DType a, const Scalar& b) { return is_floating(a) ? a : std::max(a, default_dtype(b)); }

}  // namespace attn
