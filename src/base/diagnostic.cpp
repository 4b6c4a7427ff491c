#include "base/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.h"

namespace attn {
namespace {

struct CodeRow {
  std::string_view name;
  std::string_view python;
};

// One row per enumerator of Code, in its order.
constexpr CodeRow kCodes[] = {
    {"syntax", "SyntaxError"},
    {"name", "NameError"},
    {"attribute", "AttributeError"},
    {"type", "TypeError"},
    {"index", "IndexError"},
    {"key", "KeyError"},
    {"shape", "RuntimeError"},
    {"value", "ValueError"},
    {"zero-division", "ZeroDivisionError"},
    {"assertion", "AssertionError"},
    {"runtime", "RuntimeError"},
    {"axis", "RuntimeError"},
    {"format", "RuntimeError"},
    {"unsupported", "NotImplementedError"},
    {"suspect", "RuntimeError"},
    {"remark", "RuntimeError"},
    {"limit", "MemoryError"},
    {"interrupt", "KeyboardInterrupt"},
};
static_assert(std::size(kCodes) == static_cast<std::size_t>(Code::Interrupt) + 1);

constexpr std::string_view kIndent = "  ";
constexpr std::string_view kRed = "\x1b[1;31m", kYellow = "\x1b[1;33m", kCyan = "\x1b[36m", kPlain = "\x1b[0m";

std::string painted(std::string_view text, std::string_view paint, bool color) {
  if (!color || text.empty()) return std::string(text);
  return fmt::format("{}{}{}", paint, text, kPlain);
}

std::string blanks(int count) { return std::string(static_cast<std::size_t>(std::max(0, count)), ' '); }

/// A piece of a line as it is drawn: harmless, a tab as two blanks, a line feed as its picture.
std::string drawn(std::string_view text) {
  std::string out;
  for (char c : visible(text)) {
    if (c == '\t') {
      out += "  ";
    } else if (c == '\n') {
      out += "␊";
    } else {
      out += c;
    }
  }
  return out;
}

/// A source line on the screen: what is seen of it, and where a byte of the line stands in cells.
class DrawnLine {
 public:
  /// `focus` is the byte that must be seen when the line is longer than `width` cells.
  DrawnLine(std::string_view line, std::size_t focus, int width)
      : line_(near(line, focus)),
        first_byte_(static_cast<std::size_t>(line_.data() - line.data())),
        whole_(drawn(line_)),
        shown_(width) {
    if (display_width(whole_) <= width) {
      text_ = whole_;
      return;
    }
    const int caret = display_width(drawn(line_.substr(0, focus - first_byte_)));
    // As far to the left as the caret allows with a third of the line after it.
    skipped_ = std::max(0, caret - width * 2 / 3);
    cut(width);
  }

  const std::string& text() const { return text_; }
  /// The cell of a byte, kept within what is seen.
  int cell(std::size_t byte) const {
    const std::size_t size = std::clamp(byte, first_byte_, first_byte_ + line_.size()) - first_byte_;
    const int cells = display_width(drawn(line_.substr(0, size)));
    return std::clamp(cells - skipped_ + (skipped_ > 0 ? 1 : 0), 0, std::max(0, shown_ - 1));
  }

 private:
  /// The part of a very long line that can matter.
  static std::string_view near(std::string_view line, std::size_t focus) {
    constexpr std::size_t kReach = 4096;
    std::size_t begin = focus > kReach ? focus - kReach : 0;
    while (begin > 0 && (static_cast<unsigned char>(line[begin]) & 0xC0) == 0x80) --begin;
    return line.substr(begin, 2 * kReach);
  }

  void cut(int width) {
    if (skipped_ == 0) {
      text_ = elide(whole_, width);
      return;
    }
    int cells = 0;
    std::string rest;
    for (std::string_view grapheme : graphemes(whole_)) {
      const int before = cells;
      cells += display_width(grapheme);
      // A wide character that is cut in half leaves a blank, so that the columns stay.
      if (before >= skipped_) rest += grapheme;
      else if (cells > skipped_) rest += ' ';
    }
    text_ = "…" + elide(rest, width - 1);
  }

  std::string_view line_;
  std::size_t first_byte_;  // of line_ in the whole line
  std::string whole_;
  std::string text_;
  int skipped_ = 0;
  int shown_;
};

struct Mark {
  int cell;
  std::string text;
};

/// Carets under the operands; then, from the last to the first, each one's text under its caret.
std::string draw_legs(std::vector<Mark> marks, bool color, int width) {
  std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.cell < b.cell; });
  std::string carets;
  bool fits = true;
  for (const Mark& mark : marks) {
    if (display_width(carets) <= mark.cell) carets = pad_right(carets, mark.cell) + "^";
    fits = fits && mark.cell + display_width(mark.text) <= width;
  }
  std::string out = fmt::format("{}{}\n", kIndent, painted(carets, kCyan, color));
  if (!fits) {
    for (const Mark& mark : marks) out += fmt::format("{}{}{}\n", kIndent, kIndent, mark.text);
    return out;
  }
  for (std::size_t i = marks.size(); i-- > 0;) {
    std::string row;
    for (std::size_t j = 0; j < i; ++j) {
      const bool free = display_width(row) <= marks[j].cell && marks[j].cell < marks[i].cell;
      if (free) row = pad_right(row, marks[j].cell) + "|";
    }
    out += fmt::format("{}{}{}{}\n", kIndent, painted(row, kCyan, color), blanks(marks[i].cell - display_width(row)),
                       marks[i].text);
  }
  return out;
}

/// The offset in the source at which the line that holds `offset` begins.
std::size_t start_of(const Source& source, std::string_view line) {
  return static_cast<std::size_t>(line.data() - source.text.data());
}

/// The line of the span with `^~~~` under it.
std::string draw_span(const Diagnostic& diagnostic, const Source& source, const DiagnosticStyle& style) {
  const std::string_view line = line_at(source, diagnostic.span.begin);
  if (trim(line).empty()) return {};
  const std::size_t start = start_of(source, line);
  const std::size_t begin = std::min<std::size_t>(diagnostic.span.begin - start, line.size());
  const std::size_t end = std::clamp<std::size_t>(diagnostic.span.end, start + begin, start + line.size()) - start;
  const DrawnLine shown(line, begin, style.width - static_cast<int>(kIndent.size()));
  const int first = shown.cell(begin);
  const int tail = end > begin ? shown.cell(end) - first - 1 : 0;
  const std::string carets = "^" + std::string(static_cast<std::size_t>(std::max(0, tail)), '~');
  return fmt::format("{}{}\n{}{}{}\n", kIndent, shown.text(), kIndent, blanks(first),
                     painted(carets, kCyan, style.color));
}

/// Every line that holds an operand, with the operands of it under their places.
std::string draw_operands(const Diagnostic& diagnostic, const Source& source, const DiagnosticStyle& style) {
  std::vector<OperandNote> operands = diagnostic.operands;
  std::stable_sort(operands.begin(), operands.end(),
                   [](const OperandNote& a, const OperandNote& b) { return a.span.begin < b.span.begin; });
  const int width = style.width - static_cast<int>(kIndent.size());
  const std::string_view head = line_at(source, diagnostic.span.begin);
  std::string out;
  if (head.data() != line_at(source, operands.front().span.begin).data()) {
    const DrawnLine shown(head, diagnostic.span.begin - start_of(source, head), width);
    out += fmt::format("{}{}\n", kIndent, shown.text());
  }
  for (std::size_t i = 0; i < operands.size();) {
    const std::string_view line = line_at(source, operands[i].span.begin);
    const std::size_t start = start_of(source, line);
    const DrawnLine shown(line, operands[i].span.begin - start, width);
    std::vector<Mark> marks;
    for (; i < operands.size() && line_at(source, operands[i].span.begin).data() == line.data(); ++i) {
      marks.push_back({shown.cell(operands[i].span.begin - start), drawn(operands[i].text)});
    }
    out += fmt::format("{}{}\n", kIndent, shown.text());
    out += draw_legs(std::move(marks), style.color, width);
  }
  return out;
}

/// A sentence, which goes on below with that indent.
std::string folded(std::string_view sentence, std::string_view indent, const DiagnosticStyle& style) {
  if (!style.wraps) return std::string(sentence);
  return join(wrap(sentence, style.width - static_cast<int>(indent.size())), "\n" + std::string(indent));
}

/// A text of several lines goes on under its first word.
std::string draw_labelled(std::string_view label, const std::string& text, const DiagnosticStyle& style) {
  std::string out;
  for (std::string_view line : split_lines(text)) {
    out += fmt::format("{}{}{}\n", kIndent, out.empty() ? label : "      ", folded(drawn(line), "        ", style));
  }
  return out;
}

}  // namespace

std::string_view code_name(Code code) { return kCodes[static_cast<std::size_t>(code)].name; }
std::string_view python_type(Code code) { return kCodes[static_cast<std::size_t>(code)].python; }

CellError::CellError(Diagnostic diagnostic, std::string type)
    : diagnostic_(std::move(diagnostic)), type_(std::move(type)) {}

CellError::CellError(Code code, Span span, std::string message, std::string hint) : type_(python_type(code)) {
  diagnostic_.code = code;
  diagnostic_.span = span;
  diagnostic_.message = std::move(message);
  diagnostic_.hint = std::move(hint);
}

std::string draw(const Diagnostic& diagnostic, const Source& source, const DiagnosticStyle& style) {
  const Position position = position_of(source, diagnostic.span.begin);
  const bool error = diagnostic.severity == Severity::Error;
  const bool is_note = diagnostic.severity == Severity::Note;
  const std::string label = fmt::format("{}{}",
                                        error     ? ""
                                        : is_note ? "note: "
                                                  : "warning: ",
                                        code_name(diagnostic.code));
  const std::string place =
      fmt::format("{}{}{}:{}: ", drawn(source.name), source.name.empty() ? "" : ":", position.line, position.column);
  std::string out = folded(fmt::format("{}{}: {}", place, label, visible(diagnostic.message)), "  ", style) + "\n";
  if (out.starts_with(place + label))
    out.replace(place.size(), label.size(), painted(label, error ? kRed : kYellow, style.color));
  out += diagnostic.operands.empty() ? draw_span(diagnostic, source, style) : draw_operands(diagnostic, source, style);
  return out + draw_labelled("fix:  ", diagnostic.fix, style) + draw_labelled("hint: ", diagnostic.hint, style);
}

}  // namespace attn
