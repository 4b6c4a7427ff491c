#include "render/html/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "explain/numbers.h"
#include "explain/wording.h"
#include "render/cell_parts.h"
#include "render/heat.h"
#include "render/html/question.h"
#include "render/html/text.h"
#include "render/op_rows.h"
#include "render/source.h"
#include "render/step.h"
#include "render/summary.h"
#include "render/table.h"
#include "tensor/core/read.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::int64_t kLargestTable = 16;  // rows, and columns
constexpr int kMostDepth = 4;               // that is indented
constexpr double kNever = 1e6;              // numbers as large as this stand for "never"
constexpr int kHeatSteps = 8;
constexpr std::size_t kFewestRepeated = 3;  // rows of a list of ops; a shorter one takes no more room than the fold

class HtmlStepsWriter {
 public:
  HtmlStepsWriter(HtmlPage& page, bool alone) : page_(page), trace_(page.trace), alone_(alone) {}

  void put(const CellPart& part) {
    switch (part.kind) {
      case CellPart::Kind::Step: return put_step(part);
      case CellPart::Kind::Call:
      case CellPart::Kind::LeftOut:
      case CellPart::Kind::Again:
      case CellPart::Kind::Round:
        out_ += fmt::format("<p class=\"inside{}\">{}</p>\n", depth_class(part), html_text(part.text + part.detail));
        return;
      case CellPart::Kind::Error: out_ += html_error(page_, part.diagnostic);
    }
  }

  std::string take() { return std::move(out_); }

 private:
  static std::string depth_class(const CellPart& part) {
    return part.depth > 0 ? fmt::format(" d{}", std::min(part.depth, kMostDepth)) : "";
  }

  void put_step(const CellPart& part) {
    const Step& step = trace_.step(part.step);
    const std::string id =
        part.number > 0 ? fmt::format(" id=\"step-{}\" data-step=\"{}\"", part.number, part.number) : "";
    if (is_plain(trace_, step)) return;  // the code of the cell says it all
    out_ += fmt::format("<section class=\"step{}\"{}>\n", depth_class(part), id);
    if (!alone_ || part.depth > 0) put_line(part, step);
    put_inside(step, part.number);
    out_ += "</section>\n";
  }

  void put_line(const CellPart& part, const Step& step) {
    const std::string number =
        part.number > 0
            ? "<span class=\"number\">" + say("markdown.step", {{"step", std::to_string(part.number)}}) + "</span> "
            : "";
    out_ += fmt::format("<h3>{}{}</h3>\n", number, html_code(naming_line(trace_, step, page_.options)));
  }

  void put_inside(const Step& step, int number) {
    put_operations(step, number);
    for (const ShownValue& shown : shown_values(trace_, step)) put_value(step, shown);
    if (!step.printed.empty()) {
      out_ += "<p class=\"label\">" + html_text(say("label.prints")) + "</p>\n";
      out_ += html_block(step.printed, "printed");
    }
    for (const int warning : step.warnings) out_ += html_error(page_, warning);
    if (step.diagnostic >= 0) out_ += html_error(page_, step.diagnostic);
  }

  // ---- axes and operations ----

  /// Every axis in the color of its name, so that one sees where it goes.
  std::string axes(const RecordedValue& value) {
    if (value.shape.empty()) return "<i>[]</i>";
    std::string out;
    for (std::size_t d = 0; d < value.shape.size(); ++d) {
      const std::string name = d < value.axes.size() ? value.axes[d].name : "";
      const std::string color = page_.colors.class_of(name);
      out += fmt::format("{}<i{}>{}{}<b>{}</b></i>", d > 0 ? " " : "", color.empty() ? "" : " class=\"" + color + "\"",
                         html_text(name), name.empty() ? "" : " ", value.shape[d]);
    }
    return out;
  }

  /// " → 6" of a layer.
  std::string becomes(const OpRow& row) {
    if (row.result < 0) return {};
    const std::string color = page_.colors.class_of(trace_.value(row.result).axes.back().name);
    return fmt::format(" {} <i{}><b>{}</b></i>", glyphs(page_.options).arrow,
                       color.empty() ? "" : " class=\"" + color + "\"", html_text(last_axis_text(trace_, row)));
  }

  static std::string losses(const Step& step) {
    return loss_curve_svg(step.losses, " role=\"img\" aria-label=\"" + html_text(loss_curve_text(step.losses)) + "\"");
  }

  void put_operations(const Step& step, int number) {
    const std::vector<OpRow> rows = op_rows(trace_, step, glyphs(page_.options));
    if (rows.empty()) return;
    std::string ops = "<div class=\"wide\"><table class=\"ops\">\n", key, names;
    for (const OpRow& row : rows) {
      const bool is_tensor = row.value >= 0 && trace_.value(row.value).is_tensor;
      const std::string what = row.draws_losses ? losses(step)
                               : is_tensor      ? axes(trace_.value(row.value)) + becomes(row)
                               : row.value >= 0 ? html_text(trace_.value(row.value).text)
                                                : html_text(row.text);
      const std::string note = row.note.empty() ? "" : " <span class=\"note\">" + html_text(row.note) + "</span>";
      const std::string op = row.op.empty() ? "<tr><td></td>" : "<tr><th>" + html_text(row.op) + "</th>";
      if (!row.sentence.empty()) {
        const std::string arrow = row.value < 0 ? "" : fmt::format(" {} {}", html_text(row.operand), what);
        ops += fmt::format("<tr><td colspan=\"3\"><span class=\"note\">{}</span>{}</td></tr>\n",
                           html_text(row.sentence), arrow);
        continue;
      }
      ops += fmt::format("{}<td>{}</td><td>{}{}</td></tr>\n", op, html_text(row.operand), what, note);
      key += op + what + note + '\n';
      if (!row.op.empty()) names += (names.empty() ? "" : ", ") + row.op;
    }
    ops += "</table></div>\n" + html_flow(trace_, step, page_.colors);
    out_ += rows.size() < kFewestRepeated ? ops : folded_where_repeated(key, names, ops, number);
  }

  /// The same ops on the same axes, whatever the tensors are called, are folded with the number of the step that shows
  /// them.
  std::string folded_where_repeated(const std::string& key, const std::string& names, const std::string& ops,
                                    int number) {
    if (number <= 0) return ops;
    const auto [known, is_new] = page_.steps_of_ops.emplace(key, number);
    if (is_new) return ops;
    return html_folded("again", say("page.repeated", {{"ops", names}, {"step", std::to_string(known->second)}}), ops);
  }

  // ---- values ----

  void put_value(const Step& step, const ShownValue& shown) {
    const RecordedValue& value = trace_.value(shown.value);
    const std::string name = shown.name.empty() ? say("label.gives") : shown.name;
    const std::string title = shown.name.empty() ? html_text(name) : "<strong>" + html_code(name) + "</strong>";
    if (!value.is_tensor) return put_text(title, shown.name.empty(), value.text);
    if (value.has_numbers() && value.shape.empty()) return put_text(title, shown.name.empty(), number_text(value));
    const std::string head = title + " " + axes(value);
    if (!shown.in_full) {
      out_ += "<p class=\"value\">" + head + " " + html_text(say("summary.untold")) + "</p>\n";
    } else if (!value.has_numbers() || value.tensor.numel() == 0) {
      out_ += "<p class=\"value\">" + head + " " +
              html_text(say(value.has_numbers() ? "summary.empty" : "summary.not_kept")) + "</p>\n";
    } else {
      put_tensor(step, shown, head);
    }
  }

  void put_text(const std::string& title, bool nameless, const std::string& text) {
    out_ += "<p class=\"value\">" + title;
    if (is_long_text(text)) out_ += "</p>\n" + html_block(text, "printed");
    else out_ += (nameless ? " " : " = ") + html_code(text) + "</p>\n";
  }

  void put_tensor(const Step& step, const ShownValue& shown, const std::string& head) {
    const ValueId id = shown.value;
    const RecordedValue& value = trace_.value(id);
    const TableView view = page_.tables.next(step, shown.name, id);
    const Grid grid(value, view.slice.index);
    const std::string text = view_text(grid, view);
    // Where only a slice is the same, the script has the others.
    if (!view.same.empty() && view.is_same_whole) {
      out_ += fmt::format("<p class=\"value\">{} <a class=\"slice\" href=\"#step-{}\">{}</a></p>\n", head, view.step,
                          html_text(text));
      return;
    }
    page_.shown.insert(id);
    out_ += fmt::format("<figure class=\"tensor\" data-value=\"{}\"{}>\n<figcaption>{}", id, start(grid), head);
    if (!text.empty()) out_ += " <span class=\"slice\">" + html_text(text) + "</span>";
    const std::string label = label_of(shown);
    out_ +=
        fmt::format("</figcaption>\n<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">\n", label);
    put_table(grid);
    out_ += "</div>\n";
    if (!view.row.empty()) out_ += "<p class=\"summary rows\">" + html_text(view.row) + "</p>\n";
    put_numbers(grid);
    out_ += "</figure>\n";
  }

  /// Whoever goes from table to table hears what each is; of equal names, which.
  std::string label_of(const ShownValue& shown) {
    const std::string name = shown.name.empty() ? say("label.gives") : shown.name;
    const std::string axes = axes_text(trace_.value(shown.value));
    std::string label = say("page.table", {{"name", name}, {"axes", axes}});
    for (int count = 2; !page_.labels.insert(label).second; ++count)
      label = say("page.table.again", {{"name", name}, {"axes", axes}, {"count", std::to_string(count)}});
    return html_text(label);
  }

  /// The slice for the script, where it is not the first.
  static std::string start(const Grid& grid) {
    const Shape& slice = grid.slice();
    if (std::all_of(slice.begin(), slice.end(), [](std::int64_t at) { return at == 0; })) return {};
    return fmt::format(" data-slice=\"{}\"", fmt::join(slice, ","));
  }

  static std::string gap_text(std::int64_t count, const Glyphs& signs) {
    return html_text(say_count("more", count, {{"gap", std::string(signs.gap)}}));
  }

  /// The only row of a tensor with one axis has none.
  static bool has_labels(const Grid& grid) { return grid.value().shape.size() > 1; }
  static std::string_view corner(const Grid& grid) { return has_labels(grid) ? "<td></td>" : ""; }

  /// Names of the axes in the corner, words or indices at the edges.
  void put_table(const Grid& grid) {
    const Cut rows = cut(grid.rows(), kLargestTable), columns = cut(grid.columns(), kLargestTable);
    const Glyphs& signs = glyphs(page_.options);
    const std::size_t across = columns.indices.size() + (columns.left_out > 0 ? 1 : 0);
    out_ += "<table class=\"heat\"><thead>";
    if (!grid.column_name().empty())
      out_ += fmt::format("<tr>{}<th class=\"name\" scope=\"colgroup\" colspan=\"{}\">{}</th></tr>", corner(grid),
                          across, html_text(grid.column_name()));
    out_ += grid.row_name().empty() ? "<tr>" + std::string(corner(grid))
                                    : "<tr><th class=\"name\" scope=\"col\">" + html_text(grid.row_name()) + "</th>";
    for (std::size_t i = 0; i <= columns.indices.size(); ++i) {
      if (i == columns.head && columns.left_out > 0)
        out_ += "<th class=\"gap\">" + gap_text(columns.left_out, signs) + "</th>";
      if (i < columns.indices.size())
        out_ += fmt::format("<th scope=\"col\">{}</th>", html_text(grid.column_label(columns.indices[i])));
    }
    out_ += "</tr></thead>\n<tbody>";
    const TableNumbers format(grid.value().tensor);
    const double scale = heat_scale(grid.value().tensor);
    for (std::size_t r = 0; r <= rows.indices.size(); ++r) {
      if (r == rows.head && rows.left_out > 0)
        out_ += fmt::format("<tr class=\"gap\"><th>{}</th><td class=\"gap\" colspan=\"{}\"></td></tr>\n",
                            gap_text(rows.left_out, signs), across);
      if (r == rows.indices.size()) break;
      std::size_t end = r + 1;  // of those that are shown and alike
      while (end < rows.indices.size() && rows.indices[end] == rows.indices[end - 1] + 1 &&
             rows.indices[end] < rows.indices[r] + grid.alike(rows.indices[r]))
        ++end;
      put_row(grid, rows.indices[r], end - r, columns, format, scale);
      r = end - 1;
    }
    out_ += "</tbody></table>\n";
  }

  /// `count`: how many rows alike it stands for; the script, which shows other slices, makes as many of it.
  void put_row(const Grid& grid, std::int64_t row, std::size_t count, const Cut& columns, const TableNumbers& format,
               double scale) {
    out_ += count > 1 ? fmt::format("<tr data-rows=\"{}\">", count) : "<tr>";
    if (has_labels(grid)) out_ += "<th scope=\"row\">" + html_text(grid.shared_label(row)) + "</th>";
    const Tensor& x = grid.value().tensor;
    for (std::size_t i = 0; i <= columns.indices.size(); ++i) {
      if (i == columns.head && columns.left_out > 0)
        out_ += "<td class=\"gap\">" + std::string(glyphs(page_.options).gap) + "</td>";
      if (i == columns.indices.size()) break;
      const std::int64_t element = grid.element(row, columns.indices[i]);
      const std::string heat = heat_class(to_double(element_at(x, element)), scale);
      out_ += fmt::format("<td{}>{}</td>", heat.empty() ? "" : " class=\"" + heat + "\"", format(x, element));
    }
    out_ += "</tr>\n";
  }

  void put_numbers(const Grid& grid) {
    Page page(page_.options);
    put_summary(page, grid);
    const std::string text = page.text();
    for (const std::string_view line : split_lines(text))
      out_ += "<p class=\"summary\">" + html_text(trim(line)) + "</p>\n";
  }

  HtmlPage& page_;
  const Trace& trace_;
  bool alone_;
  std::string out_;
};

}  // namespace

std::string heat_class(double number, double scale) {
  if (std::isnan(number)) return "x";
  const double share = std::isinf(number) ? 1 : scale > 0 ? std::min(1.0, std::fabs(number) / scale) : 0;
  const int strength = static_cast<int>(std::floor(share * kHeatSteps + 0.5));
  return strength == 0 ? "" : fmt::format("{}{}", number > 0 ? 'p' : 'n', strength);
}

double heat_scale(const Tensor& x) {
  double usual = 0, largest = 0;
  const Doubles numbers(x);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double size = std::fabs(numbers[i]);
    if (!std::isfinite(size)) continue;
    largest = std::max(largest, size);
    if (size < kNever) usual = std::max(usual, size);
  }
  return usual > 0 ? usual : largest;
}

std::string html_error(const HtmlPage& page, int diagnostic) {
  const Diagnostic& told = page.trace.diagnostics.at(static_cast<std::size_t>(diagnostic));
  Page lines(page.options);
  put_diagnostic(lines, page.trace, told);
  return html_block(lines.text(), "error");
}

std::string html_steps(HtmlPage& page, ShownCalls& calls, const CellRecord& cell) {
  const std::vector<CellPart> parts = cell_parts(page.trace, page.index, calls, cell, page.options);
  std::string out;
  for (const int note : cell.notes) out += html_error(page, note);
  HtmlStepsWriter writer(page, cell.steps.size() == 1);
  for (const CellPart& part : parts) writer.put(part);
  return out + writer.take();
}

}  // namespace attn
