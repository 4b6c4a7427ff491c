#include "render/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/number.h"
#include "base/text.h"
#include "explain/numbers.h"
#include "render/heat.h"
#include "tensor/core/read.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::int64_t kFewNumbers = 4;  // can be taken in at a glance
constexpr std::size_t kMostAttended = 3;
constexpr double kEvenWithin = 1e-4;

/// "1." of PyTorch stands at the end of nothing here: "1.0".
std::string plain(const std::string& number) { return number.ends_with('.') ? number + "0" : number; }

/// "12 True", "6 False" or "min -0.4121", "mean 0.0130", "max 0.3902".
std::vector<std::string> range_parts(const Tensor& x, const Statistics& numbers) {
  if (x.dtype() == DType::Bool) {
    const auto yes = std::llround(numbers.mean * static_cast<double>(numbers.count));
    return {say("summary.true", {{"count", std::to_string(yes)}}),
            say("summary.false", {{"count", std::to_string(numbers.count - yes)}})};
  }
  const TableNumbers format(x);
  const std::string min = format(numbers.min), max = format(numbers.max);
  if (numbers.min == numbers.max) return {say("summary.all", {{"value", plain(min)}})};
  const auto* const mean = numbers.nan + numbers.inf > 0 ? "summary.mean.rest" : "summary.mean";
  return {say("summary.min", {{"value", plain(min)}}), say(mean, {{"value", format.beside(numbers.mean)}}),
          say("summary.max", {{"value", plain(max)}})};
}

/// Whose row it is: its word, or "query_len 0". Empty for a vector.
std::string row_text(const Grid& grid) {
  if (grid.value().shape.size() < 2) return {};
  if (grid.row_has_words()) return grid.row_label(0);
  return grid.row_name().empty() ? say("weights.any", {{"row", grid.row_label(0)}})
                                 : grid.row_name() + " " + grid.row_label(0);
}

double entropy_bits(const std::vector<double>& shares) {
  double bits = 0;
  for (const double share : shares) bits -= share > 0 ? share * std::log2(share) : 0;
  return std::fabs(bits);
}

std::string looks_text(const Grid& grid, const std::vector<double>& row) {
  const std::string who = row_text(grid);
  const std::string kind = who.empty() ? ".vector" : "";
  const auto [least, largest] = std::minmax_element(row.begin(), row.end());
  if (*largest - *least < kEvenWithin) return say("weights.even" + kind, {{"row", who}});
  std::vector<std::size_t> order(row.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return row[a] > row[b]; });
  const TableNumbers format(grid.value().tensor);
  std::vector<std::string> most;
  for (std::size_t i = 0; i < order.size() && i < kMostAttended && row[order[i]] > 0; ++i) {
    const std::string label = grid.column_label(static_cast<std::int64_t>(order[i]));
    most.push_back(fmt::format("{} ({})", label, plain(format(row[order[i]]))));
  }
  return say(who.empty() ? "weights.vector" : "weights.row", {{"row", who}, {"list", join(most, ", ")}});
}

/// Where the first row shown looks, and how spread out that is.
void put_weights(Page& page, const Grid& grid) {
  std::vector<double> row;
  for (std::int64_t i = 0; i < grid.columns(); ++i)
    row.push_back(to_double(element_at(grid.value().tensor, grid.element(0, i))));
  const std::string entropy = say("weights.entropy", {{"bits", format_fixed(entropy_bits(row), 2)}});
  page.put_parts({Line(looks_text(grid, row), Style::Dim), Line(entropy, Style::Dim)});
}

}  // namespace

std::string range_text(const Tensor& x) {
  const Statistics numbers = statistics(x);
  return x.numel() > numbers.nan + numbers.inf ? join(range_parts(x, numbers), "   ") : "";
}

void put_summary(Page& page, const Grid& grid) {
  const Tensor& x = grid.value().tensor;
  const Statistics numbers = statistics(x);
  const std::int64_t odd = numbers.nan + numbers.inf;
  if (x.numel() <= kFewNumbers && odd == 0) return;
  std::vector<Line> parts;
  if (x.numel() > odd)
    for (const std::string& part : range_parts(x, numbers)) parts.emplace_back(part, Style::Dim);
  std::string count = say_count("numbers", x.numel());
  if (x.dtype() == DType::Float64)
    count = say("numbers.type", {{"numbers", count}, {"type", std::string(short_name(x.dtype()))}});
  parts.emplace_back(count, Style::Dim);
  if (numbers.nan > 0) parts.emplace_back(say("summary.nan", {{"count", std::to_string(numbers.nan)}}), Style::Alarm);
  if (numbers.inf > 0) parts.emplace_back(say("summary.inf", {{"count", std::to_string(numbers.inf)}}), Style::Alarm);
  if (!grid.slice().empty()) parts.front() = Line(say("summary.whole", {{"part", parts.front().text()}}), Style::Dim);
  page.put_parts(parts);
  if (odd == 0 && is_weights(grid.value())) put_weights(page, grid);
}

}  // namespace attn
