#include "render/prose.h"

#include <algorithm>

#include "base/text.h"
#include "lesson/formula.h"

namespace attn {
namespace {

constexpr int kCodeIndent = 4;
constexpr int kListIndent = 2;
constexpr int kTableGap = 3;  // between the columns of a table
constexpr int kLeastTableColumn = 6;

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// As Unicode; as it was written where signs beyond ASCII are not wanted.
std::string terminal_formula(std::string_view latex, const RenderOptions& options) {
  std::string text = formula_text(latex);
  return options.ascii && !is_ascii(text) ? std::string(trim(latex)) : text;
}

/// The signs that lessons use in their sentences; words in other letters stay as they are.
std::string plain_signs(std::string text, const RenderOptions& options) {
  if (!options.ascii || is_ascii(text)) return text;
  for (const auto& [sign, plain] :
       {std::pair{"→", "->"}, {"·", "*"}, {"…", "..."}, {"×", "x"}, {"–", "-"}, {"—", "-"}}) {
    for (std::size_t at = 0; (at = text.find(sign, at)) != std::string::npos;)
      text.replace(at, std::string_view(sign).size(), plain);
  }
  return text;
}

Style run_style(const Run& run) {
  if (run.code) return Style::Code;
  if (run.kind == Run::Kind::Formula) return Style::Emph;
  return run.strong ? Style::Strong : run.emph ? Style::Emph : Style::Plain;
}

/// What stands around the text of a run: `code`, *emphasis*, ~~struck~~.
std::string_view mark_of(const Run& run) {
  if (run.code) return "`";
  if (run.strike) return "~~";
  return run.emph && run.kind == Run::Kind::Text ? "*" : "";
}

bool ends_link(const Runs& runs, std::size_t i) {
  return !runs[i].href.empty() && (i + 1 == runs.size() || runs[i + 1].href != runs[i].href);
}

/// "one", "two" and "three" of one link are one text; an address that is the text itself is not said twice.
bool says_address(const Runs& runs, std::size_t i) {
  std::string text;
  for (std::size_t k = i + 1; k-- > 0 && runs[k].href == runs[i].href;) text.insert(0, runs[k].text);
  return text == runs[i].href;
}

/// Whether the neighbor belongs to the same `code` or *emphasis*.
bool same_mark(const Run& a, const Run& b) { return mark_of(a) == mark_of(b) && a.code == b.code && a.href == b.href; }

void put_code(Page& page, const Prose& prose) {
  const Page::Indent indent = page.indent(kCodeIndent);
  for (std::string_view line : split_lines(prose.text))
    page.put(Line(plain_signs(std::string(line), page.options()), Style::Code), kCodeIndent);
}

// ---- tables ----

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
      if (i > 0) line.add_blanks(kTableGap);
      line.add(aligned(k < cells[i].size() ? cells[i][k] : Line(), widths[i], align));
    }
    page.put(line);
  }
}

void put_rule(Page& page, const std::vector<int>& widths) {
  Line line;
  for (const int width : widths) {
    if (!line.empty()) line.add_blanks(kTableGap);
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

/// Columns as wide as they need, cells wrapped where that is too wide, one row after the other where there is no room
/// for columns at all.
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

// ---- blocks ----

void put_prose_block(Page& page, const Prose& prose) {
  const RenderOptions& options = page.options();
  switch (prose.kind) {
    case Prose::Kind::Heading: put_heading(page, styled(prose.runs, options), prose.level); break;
    case Prose::Kind::Paragraph:
    case Prose::Kind::ListItem: page.put(styled(prose.runs, options)); break;
    case Prose::Kind::Table: put_prose_table(page, prose); break;
    case Prose::Kind::Formula: {
      const Page::Indent indent = page.indent(kCodeIndent);
      page.put(Line(terminal_formula(prose.text, options), Style::Emph));
      break;
    }
    case Prose::Kind::Code: put_code(page, prose); break;
    case Prose::Kind::Rule: {
      std::string rule;
      for (int i = 0; i < std::min(page.width(), 20); ++i) rule += page.glyphs().rule;
      page.put(rule, Style::Dim);
      break;
    }
  }
}

void put_in_list(Page& page, const Prose& prose) {
  if (prose.depth == 0) return put_prose_block(page, prose);
  const std::string_view marker = prose.marker == "-" ? page.glyphs().bullet : std::string_view(prose.marker);
  const int width = prose.marker.empty() ? kListIndent : display_width(marker) + 1;
  const Page::Indent outer = page.indent(kListIndent * (prose.depth - 1));
  const Page::Indent item = page.indent(Line(marker).pad_right(width), blanks(width));
  put_prose_block(page, prose);
}

void put_in_quotes(Page& page, const Prose& prose, int quotes) {
  if (quotes <= 0) return put_in_list(page, prose);
  const Line bar(std::string(page.glyphs().bar) + " ", Style::Dim);
  const Page::Indent indent = page.indent(bar, bar);
  put_in_quotes(page, prose, quotes - 1);
}

}  // namespace

Line styled(const Runs& runs, const RenderOptions& options) {
  Line line;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Run& run = runs[i];
    const Style style = run_style(run);
    const std::string_view mark = mark_of(run);
    if (i == 0 || !same_mark(runs[i - 1], run)) line.add(mark, style);
    line.add(run.kind == Run::Kind::Formula ? terminal_formula(run.text, options) : plain_signs(run.text, options),
             style);
    if (i + 1 == runs.size() || !same_mark(run, runs[i + 1])) line.add(mark, style);
    if (ends_link(runs, i) && !says_address(runs, i)) line.add(" (" + run.href + ")", Style::Dim);
  }
  return line;
}

void put_heading(Page& page, const Line& text, int level) {
  const Style style = level == 1 ? Style::Title : Style::Heading;
  const Line line(text.text(), style);
  page.put(line);
  if (level > 2 || page.options().linear) return;
  std::string rule;
  const std::string_view sign = level == 1 ? page.glyphs().heavy_rule : page.glyphs().rule;
  for (int i = 0; i < std::min(line.width(), page.width()); ++i) rule += sign;
  page.put(rule, Style::Dim);
}

void put_prose(Page& page, const Prose& prose, bool follows_item) {
  const bool item = prose.kind == Prose::Kind::ListItem && !prose.marker.empty();
  if (!(item && follows_item)) page.gap(prose.kind == Prose::Kind::Heading && prose.level <= 2 ? 2 : 1);
  put_in_quotes(page, prose, prose.quotes);
}

void put_prose(Page& page, const std::vector<Prose>& blocks) {
  bool follows_item = false;
  for (const Prose& prose : blocks) {
    put_prose(page, prose, follows_item);
    follows_item = prose.kind == Prose::Kind::ListItem;
  }
}

}  // namespace attn
