#include "render/heat.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/limits.h"
#include "base/number.h"
#include "explain/training.h"
#include "tensor/core/read.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr double kRowTolerance = 1e-4;
constexpr double kShadesFrom[] = {0.05, 0.25, 0.5, 0.75};

// Of the picture, in pixels.
constexpr int kCurveLeft = 72, kCurveRight = 420, kCurveTop = 8, kCurveBottom = 88, kCurveBelow = 104,
              kCurveHeight = 112;
constexpr std::size_t kCurvePoints = 120;

constexpr std::int64_t kMostStretched = 1 << 20;  // where one weight stands for a row

std::string loss_text(double value) { return format_general(value, 4); }

std::string curve_label(int x, int y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>", x, y, anchor, text);
}

}  // namespace

bool is_weights(const RecordedValue& value) {
  if (!is_floating(value.dtype) || value.shape.empty() || value.shape.back() < 2) return false;
  const bool is_stretched = value.tensor.strides().back() == 0;
  if (is_stretched && value.tensor.numel() > kMostStretched) return false;
  const Doubles numbers(is_stretched ? value.tensor : unstretched(value.tensor));
  const auto width = static_cast<std::size_t>(value.shape.back());
  for (std::size_t row = 0; row + width <= numbers.size(); row += width) {
    look();
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

std::string loss_curve_text(const std::vector<double>& losses) {
  const NumberRange range = finite_range(losses);
  return say("losses.picture", {{"count", std::to_string(losses.size())},
                                {"first", loss_text(losses.front())},
                                {"last", loss_text(losses.back())},
                                {"least", loss_text(range.least)},
                                {"largest", loss_text(range.largest)}});
}

std::string loss_curve_svg(const std::vector<double>& losses, const std::string& attributes) {
  const NumberRange range = finite_range(losses);
  const std::vector<double> means = means_of(losses, kCurvePoints);
  std::string path;
  bool is_down = false;  // the pen
  for (std::size_t i = 0; i < means.size(); ++i) {
    const double share = range.share(means[i]);
    if (!std::isfinite(share)) {
      is_down = false;
      continue;
    }
    const double along = means.size() > 1 ? static_cast<double>(i) / static_cast<double>(means.size() - 1) : 0;
    path += fmt::format("{}{:.0f} {:.0f}", is_down ? "L" : "M", kCurveLeft + along * (kCurveRight - kCurveLeft),
                        kCurveBottom - share * (kCurveBottom - kCurveTop));
    is_down = true;
  }
  return fmt::format(
             "<svg width=\"{}\" height=\"{}\"{}>"
             "<path d=\"M{} {}V{}H{}\" fill=\"none\" stroke=\"#888\"/>"
             "<path d=\"{}\" fill=\"none\" stroke=\"#4a7fc1\" stroke-width=\"2\"/>"
             "<g font-family=\"sans-serif\" font-size=\"12\" fill=\"#888\">",
             kCurveRight + kCurveTop, kCurveHeight, attributes, kCurveLeft, kCurveTop, kCurveBottom, kCurveRight,
             path) +
         curve_label(kCurveLeft - 6, kCurveTop + 8, "end", loss_text(range.largest)) +
         curve_label(kCurveLeft - 6, kCurveBottom, "end", loss_text(range.least)) +
         curve_label(kCurveLeft, kCurveBelow, "start", "1") +
         curve_label(kCurveRight, kCurveBelow, "end", std::to_string(losses.size())) + "</g></svg>";
}

}  // namespace attn
