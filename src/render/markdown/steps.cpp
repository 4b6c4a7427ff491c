// The steps of a cell as Markdown. The code stands in the fence of the cell, so a step is told by its number and line.
#include <fmt/format.h>

#include "base/sha256.h"
#include "base/text.h"
#include "explain/numbers.h"
#include "explain/wording.h"
#include "render/cell_parts.h"
#include "render/heat.h"
#include "render/markdown/markdown.h"
#include "render/markdown_prose.h"
#include "render/op_rows.h"
#include "render/source.h"
#include "render/step.h"
#include "render/summary.h"
#include "render/table.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::int64_t kMostColumns = 12;

std::string with_blank_line(const std::string& text) { return text + "\n\n"; }

/// "min 0.1   max 0.9" with a comma between.
std::string with_commas(std::string_view line) {
  std::string out(line);
  for (std::size_t at = 0; (at = out.find("   ", at)) != std::string::npos;) out.replace(at, 3, ", ");
  return out;
}

/// What is aligned by blanks stays as on a terminal.
template <class Put>
std::string page_text(const RenderOptions& options, const Put& put) {
  Page page(options);
  put(page);
  return page.text().empty() ? "" : markdown_fence(page.text(), "text") + "\n";
}

class MarkdownStepsWriter {
 public:
  MarkdownStepsWriter(const Trace& trace, ShownTables& tables, const RenderOptions& options)
      : trace_(trace), tables_(tables), options_(options) {
    options_.color = false;
  }

  /// `alone`: the only step of its cell, which needs no name.
  void put(const CellPart& part, bool alone) {
    switch (part.kind) {
      case CellPart::Kind::Step: return put_step(part, alone);
      case CellPart::Kind::Call:
      case CellPart::Kind::LeftOut:
      case CellPart::Kind::Again:
      case CellPart::Kind::Round: out_ += with_blank_line("*" + markdown_text(part.text + part.detail) + "*"); return;
      case CellPart::Kind::Error: return put_error(part.diagnostic);
    }
  }

  std::string take() { return std::move(out_); }

 private:
  void put_step(const CellPart& part, bool alone) {
    const Step& step = trace_.step(part.step);
    if (is_plain(trace_, step)) return;
    if (!alone) {
      const std::string number = part.number > 0 ? say("markdown.step", {{"step", std::to_string(part.number)}}) : "";
      out_ += with_blank_line((number.empty() ? "" : "**" + number + "** ") +
                              markdown_code(naming_line(trace_, step, options_)));
    }
    out_ += page_text(options_, [&](Page& page) { put_ops(page, trace_, step); });
    if (step.losses.size() > 1)
      out_ += with_blank_line(
          fmt::format("![{}](data:image/svg+xml;base64,{})", markdown_text(loss_curve_text(step.losses)),
                      base64(loss_curve_svg(step.losses, " xmlns=\"http://www.w3.org/2000/svg\""))));
    for (const ShownValue& shown : shown_values(trace_, step)) put_value(step, shown);
    if (!step.printed.empty())
      out_ += with_blank_line(say("label.prints")) + markdown_fence(step.printed, "text") + "\n";
    for (const int warning : step.warnings) put_error(warning);
    if (step.diagnostic >= 0) put_error(step.diagnostic);
  }

  void put_error(int diagnostic) { out_ += markdown_error(trace_, diagnostic, options_); }

  void put_value(const Step& step, const ShownValue& shown) {
    const RecordedValue& value = trace_.value(shown.value);
    const std::string name = shown.name.empty() ? say("label.gives") : "**" + markdown_code(shown.name) + "**";
    if (!value.is_tensor) return put_text(name, shown.name.empty(), value.text);
    if (value.has_numbers() && value.shape.empty()) return put_text(name, shown.name.empty(), number_text(value));
    std::string title = name + " " + markdown_text(axes_text(value));
    if (!shown.in_full) {
      out_ += with_blank_line(title + ", " + markdown_text(say("summary.untold")));
    } else if (!value.has_numbers() || value.tensor.numel() == 0) {
      out_ += with_blank_line(title) + with_blank_line(say(value.has_numbers() ? "summary.empty" : "summary.not_kept"));
    } else {
      const TableView view = tables_.next(step, shown.name, shown.value);
      const Grid grid(value, view.slice.index);
      if (const std::string text = view_text(grid, view); !text.empty()) title += ", " + markdown_text(text);
      out_ += with_blank_line(title);
      if (view.same.empty()) {
        put_table(grid);
        if (!view.row.empty()) out_ += with_blank_line(markdown_text(view.row));
      }
      if (view.same.empty() || !view.is_same_whole) put_numbers(grid);
    }
  }

  void put_text(const std::string& name, bool nameless, const std::string& text) {
    const std::string between = nameless ? " " : " = ";
    if (is_long_text(text)) out_ += with_blank_line(name) + markdown_fence(text, "text") + "\n";
    else out_ += with_blank_line(name + between + markdown_code(text));
  }

  /// One row of a pipe table; `gap` where columns are left out.
  std::string row(const std::string& label, const std::vector<std::string>& cells, const Cut& columns,
                  const std::string& gap) const {
    std::string out = "| " + label + " |";
    for (std::size_t i = 0; i <= cells.size(); ++i) {
      if (i == columns.head && columns.left_out > 0) out += " " + gap + " |";
      if (i < cells.size()) out += " " + cells[i] + " |";
    }
    return out + "\n";
  }

  /// Names of the axes in the corner, words or indices at the edges.
  void put_table(const Grid& grid) {
    const Cut rows = cut_rows(grid), columns = cut(grid.columns(), kMostColumns);
    const TableNumbers format(grid.value().tensor);
    const std::string gap(glyphs(options_).gap);
    const auto cell = [](const std::string& text) { return markdown_text(text, MarkdownPlace::TableCell); };
    const std::string &down = grid.row_name(), &across = grid.column_name();
    const std::string corner = down.empty() || across.empty() ? down + across : down + " \\ " + across;
    std::vector<std::string> head, line;
    for (const std::int64_t column : columns.indices) head.push_back(cell(grid.column_label(column)));
    out_ += row(cell(corner), head, columns, say_count("more", columns.left_out, {{"gap", gap}}));
    const std::size_t count = head.size() + (columns.left_out > 0 ? 1 : 0);
    out_ += "|---|";
    for (std::size_t i = 0; i < count; ++i) out_ += "---:|";
    out_ += "\n";
    for (std::size_t r = 0; r <= rows.indices.size(); ++r) {
      if (r == rows.head && rows.left_out > 0)
        out_ +=
            row(say_count("more", rows.left_out, {{"gap", gap}}), std::vector<std::string>(head.size()), columns, "");
      if (r == rows.indices.size()) break;
      line.clear();
      for (const std::int64_t column : columns.indices)
        line.push_back(format(grid.value().tensor, grid.element(rows.indices[r], column)));
      out_ += row(cell(grid.shared_label(rows.indices[r])), line, columns, gap);
    }
    out_ += "\n";
  }

  void put_numbers(const Grid& grid) {
    Page page(options_);
    put_summary(page, grid);
    const std::string text = page.text();
    // Markdown would make one blank of the three between the parts of a line.
    for (const std::string_view line : split_lines(text))
      out_ += with_blank_line(markdown_text(with_commas(trim(line))));
  }

  const Trace& trace_;
  ShownTables& tables_;
  RenderOptions options_;
  std::string out_;
};

}  // namespace

std::string markdown_error(const Trace& trace, int diagnostic, const RenderOptions& options) {
  const Diagnostic& told = trace.diagnostics.at(static_cast<std::size_t>(diagnostic));
  return page_text(options, [&](Page& page) { put_diagnostic(page, trace, told); });
}

std::string markdown_steps(const Trace& trace, const TraceIndex& index, ShownCalls& calls, ShownTables& tables,
                           const CellRecord& cell, const RenderOptions& options) {
  const std::vector<CellPart> parts = cell_parts(trace, index, calls, cell, options);
  MarkdownStepsWriter writer(trace, tables, options);
  for (const int note : cell.notes) {
    CellPart part;
    part.kind = CellPart::Kind::Error;
    part.diagnostic = note;
    writer.put(part, false);
  }
  for (const CellPart& part : parts) writer.put(part, cell.steps.size() == 1 && part.depth == 0);
  return writer.take();
}

}  // namespace attn
