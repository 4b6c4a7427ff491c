#pragma once
// Rows and columns of a tensor: which of them fit, and the lines that show them.
#include <span>
#include <string>
#include <vector>

#include "engine/trace.h"
#include "render/page.h"

namespace attn {

/// The last two axes (of a tensor with one axis: one row) at one place of the leading ones.
class Grid {
 public:
  Grid(const RecordedValue& value, const Shape& slice);

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  /// The number of an element in row-major order of the whole tensor.
  std::int64_t element(std::int64_t row, std::int64_t column) const { return base_ + row * columns_ + column; }
  std::string row_label(std::int64_t row) const { return label(row_axis_, row); }
  /// How many rows from this one on are padding and have the same numbers: one of them says it all. Else 1.
  std::int64_t alike(std::int64_t row) const;
  /// The label of a row shown for all that are alike: "<pad> 3 to 5".
  std::string shared_label(std::int64_t row) const;
  std::string column_label(std::int64_t column) const { return label(column_axis_, column); }
  bool row_has_words() const { return !words(row_axis_).empty(); }
  std::string row_name() const { return name(row_axis_); }
  std::string column_name() const { return name(column_axis_); }
  /// The index of each leading axis that is shown.
  const Shape& slice() const { return slice_; }
  const RecordedValue& value() const { return value_; }

 private:
  std::span<const std::string> words(int axis) const;
  std::string label(int axis, std::int64_t index) const;
  std::string name(int axis) const;

  const RecordedValue& value_;
  Shape slice_;
  std::int64_t rows_ = 1, columns_ = 1, base_ = 0;
  int row_axis_ = -1, column_axis_ = -1;
};

/// The indices of an axis that are shown: the first `head`, then `left_out` are not, then the rest.
struct Cut {
  std::vector<std::int64_t> indices;
  std::size_t head = 0;
  std::int64_t left_out = 0;
};
/// `shown` of them, from both ends.
Cut cut(std::int64_t size, std::int64_t shown);
/// As many rows as a table has, of rows alike the first; one of those is the line that counts the others.
Cut cut_rows(const Grid& grid);

/// Draws it within the page; what does not fit is left out in the middle, and counted.
void put_grid(Page& page, const Grid& grid);

}  // namespace attn
