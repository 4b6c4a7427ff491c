#include "render/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/number.h"
#include "base/text.h"
#include "explain/messages.h"
#include "explain/wording.h"
#include "tensor/print.h"
#include "tensor/read.h"

namespace attn {
namespace {

constexpr std::int64_t kFewNumbers = 4;  // can be taken in at a glance
constexpr std::size_t kMostAttended = 3;
constexpr double kRowTolerance = 1e-4;

/// "1." of PyTorch stands at the end of nothing here: "1.0".
std::string plain(std::string number) { return number.ends_with('.') ? number + "0" : number; }

std::string mean_text(double mean, const std::string& like) {
  return like.find('e') == std::string::npos ? format_fixed(mean, 4) : format_exponent(mean, 4);
}

std::string range_text(const Tensor& x, const Statistics& numbers) {
  if (x.dtype() == DType::Bool) {
    const auto yes = std::llround(numbers.mean * static_cast<double>(numbers.count));
    return say("summary.true", {{"count", std::to_string(yes)}}) + "   " +
           say("summary.false", {{"count", std::to_string(numbers.count - yes)}});
  }
  const NumberFormat format(x);
  const std::string min = format(numbers.min), max = format(numbers.max);
  return say("summary.range", {{"min", plain(min)}, {"mean", mean_text(numbers.mean, min + max)}, {"max", plain(max)}});
}

/// Whether the entries are shares: none below 0, every row along the last axis adds to 1.
bool is_weights(const RecordedValue& value) {
  if (!is_floating(value.dtype) || value.shape.empty() || value.shape.back() < 2) return false;
  const std::vector<double> numbers = to_doubles(value.tensor);
  const auto width = static_cast<std::size_t>(value.shape.back());
  for (std::size_t row = 0; row + width <= numbers.size(); row += width) {
    double total = 0;
    for (std::size_t i = row; i < row + width; ++i) {
      if (!(numbers[i] >= 0)) return false;
      total += numbers[i];
    }
    if (!(std::fabs(total - 1) <= kRowTolerance)) return false;
  }
  return !numbers.empty();
}

/// "0.2214 at 3, ..." of the first row shown, and its entropy.
void put_weights(Page& page, const Grid& grid) {
  const Tensor& x = grid.value().tensor;
  const NumberFormat format(x);
  std::vector<double> row;
  for (std::int64_t i = 0; i < grid.columns(); ++i) row.push_back(to_double(element_at(x, grid.element(0, i))));
  std::vector<std::size_t> order(row.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return row[a] > row[b]; });
  std::vector<std::string> most;
  for (std::size_t i = 0; i < order.size() && i < kMostAttended && row[order[i]] > 0; ++i) {
    const std::string label = grid.column_label(static_cast<std::int64_t>(order[i]));
    most.push_back(fmt::format("{} ({})", label, plain(format(row[order[i]]))));
  }
  double bits = 0;
  for (const double share : row) bits -= share > 0 ? share * std::log2(share) : 0;
  const std::string name = grid.row_name();
  const std::string who = (name.empty() ? "row" : name) + " " + grid.row_label(0);
  const std::string looks = grid.value().shape.size() < 2
                                ? say("weights.vector", {{"list", join(most, ", ")}})
                                : say("weights.row", {{"row", who}, {"list", join(most, ", ")}});
  page.put(looks + "   " + say("weights.entropy", {{"bits", format_fixed(std::fabs(bits), 2)}}), Style::Dim);
}

}  // namespace

void put_summary(Page& page, const Grid& grid) {
  const Tensor& x = grid.value().tensor;
  const Statistics numbers = statistics(x);
  const std::int64_t odd = numbers.nan + numbers.inf;
  Line line;
  const auto add = [&](const std::string& text, Style style) {
    if (!line.empty()) line.add("   ");
    line.add(text, style);
  };
  if (x.numel() <= kFewNumbers && odd == 0) return;
  if (numbers.count > odd) add(range_text(x, numbers), Style::Dim);
  const std::string count = say_count("numbers", x.numel());
  const bool wide = x.dtype() == DType::Float64;
  add(wide ? say("numbers.type", {{"numbers", count}, {"type", std::string(short_name(x.dtype()))}}) : count,
      Style::Dim);
  if (numbers.nan > 0) add(say("summary.nan", {{"count", std::to_string(numbers.nan)}}), Style::Alarm);
  if (numbers.inf > 0) add(say("summary.inf", {{"count", std::to_string(numbers.inf)}}), Style::Alarm);
  page.put(line);
  if (odd == 0 && is_weights(grid.value())) put_weights(page, grid);
}

}  // namespace attn
