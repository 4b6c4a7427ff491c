#include "render/prose_table.h"

#include <algorithm>

#include "render/prose.h"

namespace attn {
namespace {

constexpr int kTableGap = 3;
constexpr int kLeastTableColumn = 6;

using TableRow = std::vector<Line>;

std::vector<TableRow> styled_rows(const Prose& table, const RenderOptions& options) {
  std::vector<TableRow> rows;
  std::size_t columns = 0;
  for (const auto& cells : table.rows) columns = std::max(columns, cells.size());
  for (const auto& cells : table.rows) {
    TableRow& row = rows.emplace_back(columns);
    for (std::size_t i = 0; i < cells.size(); ++i) row[i] = styled(cells[i], options);
  }
  if (rows.empty()) return rows;
  for (Line& head : rows.front()) head = Line(head.text(), Style::Strong);
  return rows;
}

/// The natural widths; the widest columns give way until all fit. Empty when even narrow columns do not.
std::vector<int> table_widths(const std::vector<TableRow>& rows, int room) {
  const std::size_t columns = rows.front().size();
  std::vector<int> widths(columns, 1);
  for (const TableRow& row : rows)
    for (std::size_t i = 0; i < columns; ++i) widths[i] = std::max(widths[i], row[i].width());
  int total = kTableGap * (static_cast<int>(columns) - 1);
  for (const int width : widths) total += width;
  for (; total > room; --total) {
    const auto widest = std::max_element(widths.begin(), widths.end());
    if (*widest <= kLeastTableColumn) return {};
    --*widest;
  }
  return widths;
}

Line aligned(Line cell, int width, Align align) {
  const int free = width - cell.width();
  if (align == Align::Right) return cell.pad_left(width);
  if (align == Align::Center) return blanks(free / 2).add(cell).pad_right(width);
  return cell.pad_right(width);
}

void put_table_row(Page& page, const TableRow& row, const std::vector<int>& widths, const std::vector<Align>& aligns) {
  std::vector<std::vector<Line>> cells;
  std::size_t height = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    cells.push_back(wrap(row[i], widths[i]));
    height = std::max(height, cells.back().size());
  }
  for (std::size_t k = 0; k < height; ++k) {
    Line line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Align align = i < aligns.size() ? aligns[i] : Align::Default;
      if (i > 0) line.add(blanks(kTableGap));
      line.add(aligned(k < cells[i].size() ? cells[i][k] : Line(), widths[i], align));
    }
    page.put(line);
  }
}

void put_rule(Page& page, const std::vector<int>& widths) {
  Line line;
  for (const int width : widths) {
    if (!line.empty()) line.add(blanks(kTableGap));
    for (int i = 0; i < width; ++i) line.add(page.glyphs().rule, Style::Dim);
  }
  page.put(line);
}

/// "head: cell", a row of the table after the other.
void put_stacked_table(Page& page, const std::vector<TableRow>& rows) {
  for (std::size_t r = 1; r < rows.size(); ++r) {
    if (r > 1) page.gap();
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      Line line = rows.front()[i];
      page.put(line.add(line.empty() ? "" : ": ").add(rows[r][i]), 2);
    }
  }
}

}  // namespace

void put_prose_table(Page& page, const Prose& table) {
  const std::vector<TableRow> rows = styled_rows(table, page.options());
  if (rows.empty() || rows.front().empty()) return;
  const std::vector<int> widths = table_widths(rows, page.width());
  if (widths.empty()) return put_stacked_table(page, rows);
  // Rows of several lines need air between them.
  const auto wraps = [&](const TableRow& row) {
    for (std::size_t i = 0; i < row.size(); ++i)
      if (row[i].width() > widths[i]) return true;
    return false;
  };
  const bool airy = std::any_of(rows.begin() + 1, rows.end(), wraps);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (airy && r > 1) page.gap();
    put_table_row(page, rows[r], widths, table.aligns);
    if (r == 0) put_rule(page, widths);
  }
}

}  // namespace attn
