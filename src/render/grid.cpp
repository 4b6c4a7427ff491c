#include "render/grid.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text.h"
#include "engine/own_input.h"
#include "explain/numbers.h"
#include "render/heat.h"
#include "tensor/core/read.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr int kWidestLabel = 12;
constexpr int kNarrowGap = 1;      // between columns that get no more
constexpr int kFewColumns = 3;     // beside which there is no room to count the others
constexpr int kShortestLabel = 3;  // of a column

class GridWriter {
 public:
  GridWriter(Page& page, const Grid& grid)
      : page_(page),
        grid_(grid),
        format_(grid.value().tensor),
        is_heatmap_(grid.rows() > 1 && is_weights(grid.value())) {
    rows_ = cut_rows(grid);
    choose_labels();
    choose_columns();
  }

  void write() {
    if (!grid_.column_name().empty()) put_names();
    put_header();
    for (std::size_t i = 0; i < rows_.indices.size(); ++i) {
      if (i == rows_.head && rows_.left_out > 0) put_row_gap();
      put_row(i);
    }
    if (is_short_) page_.put(say("heatmap.short"), Style::Dim);
    if (columns_.left_out > 0 && !counts_in_header_)
      page_.put(say_count("more.columns", columns_.left_out, {{"gap", std::string(page_.glyphs().gap)}}), Style::Dim);
  }

 private:
  std::string short_label(const std::string& label) const {
    const int width = std::clamp(page_.width() / 4, 4, kWidestLabel);
    return shortened(label, width, page_.options());
  }

  void choose_labels() {
    label_width_ = display_width(short_label(grid_.row_name()));
    for (const std::int64_t row : rows_.indices) label_width_ = std::max(label_width_, display_width(edge_label(row)));
  }

  /// Which rows one stands for is said in full.
  std::string edge_label(std::int64_t row) const {
    return grid_.alike(row) > 1 ? grid_.shared_label(row) : short_label(grid_.row_label(row));
  }

  void write_columns() {
    column_width_ = 1;
    numbers_.clear();
    for (const std::int64_t column : columns_.indices) {
      column_width_ = std::max(column_width_, display_width(column_label(column)));
      for (const std::int64_t row : rows_.indices) {
        numbers_.push_back(number(row, column));
        column_width_ = std::max(column_width_, display_width(numbers_.back()));
      }
    }
  }

  /// How many columns there is room for beside `others` cells.
  int fitting(int others) const {
    return std::max(1, (page_.width() - label_width_ - label_gap() - others + gap_) / (column_width_ + gap_));
  }

  // As many columns as fit. Their width is that of the widest, which only those that may be shown can decide.
  void choose_columns() {
    columns_ = cut(grid_.columns(), std::max(1, (page_.width() - label_width_) / (1 + kNarrowGap)));
    write_columns();
    if (columns_.left_out == 0 && fitting(0) >= grid_.columns()) return;
    gap_ = kNarrowGap;  // rather close together than not at all
    if (columns_.left_out == 0 && fitting(0) >= grid_.columns()) return;
    if (is_heatmap_ && fits_in_short()) return;
    gap_ = kColumnGap;
    counts_in_header_ = true;
    gap_text_ = left_out_text(grid_.columns());
    if (fitting(kColumnGap + display_width(gap_text_)) < kFewColumns) {
      counts_in_header_ = false;
      gap_text_ = page_.glyphs().gap;
    }
    columns_ = cut(grid_.columns(), fitting(kColumnGap + display_width(gap_text_)));
    if (counts_in_header_) gap_text_ = left_out_text(columns_.left_out);
    write_columns();
  }

  /// The pattern of a heatmap wants all columns: with two places of every share, and if need be with less of the words.
  bool fits_in_short() {
    if (columns_.left_out > 0) return false;
    is_short_ = true;
    for (label_limit_ = kWidestLabel; label_limit_ >= kShortestLabel; --label_limit_) {
      write_columns();
      if (fitting(0) >= grid_.columns()) return true;
    }
    is_short_ = false;
    label_limit_ = kWidestLabel;
    write_columns();
    return false;
  }

  std::string left_out_text(std::int64_t count) const {
    return say_count("more", count, {{"gap", std::string(page_.glyphs().gap)}});
  }

  std::string number(std::int64_t row, std::int64_t column) const {
    const Tensor& x = grid_.value().tensor;
    const std::int64_t element = grid_.element(row, column);
    if (!is_heatmap_) return format_(x, element);
    const double share = to_double(element_at(x, element));
    return (is_short_ ? short_share(share) : format_(x, element)).append(shade(share, page_.glyphs()));
  }

  Style style_of(std::string_view number) const {
    if (number == "nan" || number.ends_with("inf")) return Style::Alarm;
    return is_heatmap_ && number.ends_with(page_.glyphs().shades.front()) ? Style::Dim : Style::Plain;
  }

  /// Over the digits.
  std::string column_label(std::int64_t column) const {
    const std::string label = shortened(short_label(grid_.column_label(column)), label_limit_, page_.options());
    return is_heatmap_ ? label + " " : label;
  }

  int label_gap() const { return label_width_ > 0 ? kColumnGap : 0; }

  void put_names() {
    page_.put(blanks(label_width_ + label_gap())
                  .add(shortened(grid_.column_name(), page_.width() - label_width_ - kColumnGap, page_.options()),
                       Style::Dim));
  }

  /// A line of the table: its label, its cells, and `gap` where columns are left out.
  void put_cells(const std::string& label, const std::vector<Line>& cells, const std::string& gap) {
    Line line = Line(label, Style::Dim).pad_left(label_width_);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const int before = i > 0 ? gap_ : label_gap();
      if (i == columns_.head && columns_.left_out > 0)
        line.add_blanks(before).add(Line(gap, Style::Dim).pad_right(display_width(gap_text_)));
      line.add_blanks(i == columns_.head && columns_.left_out > 0 ? kColumnGap : before);
      line.add_blanks(column_width_ - cells[i].width()).add(cells[i]);
    }
    if (columns_.head == cells.size() && columns_.left_out > 0) line.add_blanks(kColumnGap).add(gap, Style::Dim);
    page_.put(line);
  }

  void put_header() {
    std::vector<Line> cells;
    for (const std::int64_t column : columns_.indices) cells.emplace_back(column_label(column), Style::Dim);
    put_cells(short_label(grid_.row_name()), cells, gap_text_);
  }

  void put_row(std::size_t at) {
    std::vector<Line> cells;
    for (std::size_t column = 0; column < columns_.indices.size(); ++column) {
      const std::string& text = numbers_[column * rows_.indices.size() + at];
      cells.emplace_back(text, style_of(text));
    }
    put_cells(edge_label(rows_.indices[at]), cells, std::string(page_.glyphs().gap));
  }

  void put_row_gap() {
    const std::string text = say_count("more", rows_.left_out, {{"gap", std::string(page_.glyphs().gap)}});
    page_.put(Line(text, Style::Dim).pad_left(label_width_));
  }

  Page& page_;
  const Grid& grid_;
  TableNumbers format_;
  Cut rows_, columns_;
  bool is_heatmap_;
  bool is_short_ = false;
  int label_limit_ = kWidestLabel;  // of a column
  int label_width_ = 0;
  int column_width_ = 1;
  std::vector<std::string> numbers_;  // of the columns shown, column by column
  int gap_ = kColumnGap;
  std::string gap_text_;
  bool counts_in_header_ = false;
};

}  // namespace

Cut cut(std::int64_t size, std::int64_t shown) {
  Cut result;
  shown = std::min(size, shown);
  result.left_out = size - shown;
  result.head = static_cast<std::size_t>((shown + 1) / 2);
  for (std::int64_t i = 0; i < shown; ++i) {
    const bool is_head = static_cast<std::size_t>(i) < result.head;
    result.indices.push_back(is_head ? i : size - shown + i);
  }
  return result;
}

Cut cut_rows(const Grid& grid) {
  constexpr std::int64_t kMostRows = 12;
  const auto shown_of = [](std::int64_t size) { return cut(size, size > kMostRows ? kMostRows - 1 : kMostRows); };
  if (!grid.row_has_words()) return shown_of(grid.rows());
  std::vector<std::int64_t> firsts;
  for (std::int64_t row = 0; row < grid.rows(); row += grid.alike(row)) firsts.push_back(row);
  Cut result = shown_of(static_cast<std::int64_t>(firsts.size()));
  result.left_out = grid.rows();
  for (std::int64_t& index : result.indices) {
    index = firsts[static_cast<std::size_t>(index)];
    result.left_out -= grid.alike(index);
  }
  return result;
}

Grid::Grid(const RecordedValue& value, const Shape& slice) : value_(value) {
  const int dims = static_cast<int>(value.shape.size());
  if (dims > 0) column_axis_ = dims - 1;
  if (dims > 1) row_axis_ = dims - 2;
  if (dims > 0) columns_ = value.shape[static_cast<std::size_t>(column_axis_)];
  if (dims > 1) rows_ = value.shape[static_cast<std::size_t>(row_axis_)];
  for (std::size_t axis = 0; axis + 2 < value.shape.size(); ++axis) {
    const std::int64_t wanted = axis < slice.size() ? slice[axis] : 0;
    slice_.push_back(std::clamp<std::int64_t>(wanted, 0, std::max<std::int64_t>(0, value.shape[axis] - 1)));
    base_ = base_ * value.shape[axis] + slice_.back();
  }
  base_ *= rows_ * columns_;
}

std::int64_t Grid::alike(std::int64_t row) const {
  if (!row_has_words() || row_label(row) != kPadding) return 1;
  const Tensor& x = value_.tensor;
  const auto numbers_of = [&](std::int64_t at) {
    const Shape first = unravel(element(at, 0), x.shape());
    const std::int64_t offset = std::inner_product(first.begin(), first.end(), x.strides().begin(), x.offset());
    return Doubles(x.as_strided({columns_}, {x.strides().back()}, offset));
  };
  const Doubles numbers = numbers_of(row);
  const auto is_alike = [&](std::int64_t other) {
    return row_label(other) == kPadding && numbers.is_same_run(0, numbers_of(other), 0, 1, numbers.size());
  };
  std::int64_t end = row + 1;
  while (end < rows_ && is_alike(end)) ++end;
  return end - row;
}

std::string Grid::shared_label(std::int64_t row) const {
  const std::int64_t count = alike(row);
  if (count == 1) return row_label(row);
  return say("rows.alike",
             {{"word", row_label(row)}, {"from", std::to_string(row)}, {"to", std::to_string(row + count - 1)}});
}

std::span<const std::string> Grid::words(int axis) const {
  if (axis < 0) return {};
  return words_on(value_, static_cast<std::size_t>(axis), slice_);
}

std::string Grid::label(int axis, std::int64_t index) const {
  if (axis < 0) return {};
  const std::span<const std::string> list = words(axis);
  const auto at = static_cast<std::size_t>(index);
  return at < list.size() ? list[at] : std::to_string(index);
}

std::string Grid::name(int axis) const {
  const auto at = static_cast<std::size_t>(axis);
  return axis >= 0 && at < value_.axes.size() ? value_.axes[at].name : std::string();
}

void put_grid(Page& page, const Grid& grid) { GridWriter(page, grid).write(); }

}  // namespace attn
