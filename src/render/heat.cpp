#include "render/heat.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/number.h"
#include "tensor/core/read.h"

namespace attn {
namespace {

constexpr double kRowTolerance = 1e-4;
constexpr double kShadesFrom[] = {0.05, 0.25, 0.5, 0.75};

}  // namespace

bool is_weights(const RecordedValue& value) {
  if (!is_floating(value.dtype) || value.shape.empty() || value.shape.back() < 2) return false;
  const Doubles numbers(value.tensor);
  const auto width = static_cast<std::size_t>(value.shape.back());
  for (std::size_t row = 0; row + width <= numbers.size(); row += width) {
    double total = 0;
    for (std::size_t i = row; i < row + width; ++i) {
      if (!(numbers[i] >= 0)) return false;
      total += numbers[i];
    }
    if (!(std::fabs(total - 1) <= kRowTolerance)) return false;
  }
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] != 0 && numbers[i] != 1) return true;
  return false;
}

std::string_view shade(double share, const Glyphs& glyphs) {
  const auto passed =
      std::count_if(std::begin(kShadesFrom), std::end(kShadesFrom), [&](double from) { return share >= from; });
  return glyphs.shades[static_cast<std::size_t>(passed)];
}

std::string short_share(double share) {
  if (share == 0) return "0";
  const std::string text = format_fixed(share, 2);
  return text.starts_with("0") ? text.substr(1) : text.substr(0, 3);
}

}  // namespace attn
