#include "render/markdown_prose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>

#include "base/text.h"

namespace attn {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80; }

/// Harmless, and on one line.
std::string one_line(std::string_view text) {
  std::string out = visible(text);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return out;
}

/// Whether the sign means something in the middle of a line.
bool is_markup(std::string_view text, std::size_t at, MarkdownPlace place) {
  const char next = at + 1 < text.size() ? text[at + 1] : ' ';
  switch (text[at]) {
    case '\\':
    case '`':
    case '*':
    case '[':
    case ']':
    case '<':
    case '>':
    case '$':
    case '~': return true;
    case '_': return at == 0 || !is_word(text[at - 1]) || !is_word(next);  // not in batch_size
    case '&': return next == '#' || is_word(next);
    case '|': return place == MarkdownPlace::TableCell;
    default: return false;
  }
}

/// "1." or "1)", "#", "-", "+", "=": what begins a list, a heading or a rule. The place of the sign, or npos.
std::size_t block_mark(std::string_view line) {
  if (line.empty()) return std::string_view::npos;
  if (std::string_view("#-+=").find(line[0]) != std::string_view::npos) return 0;
  std::size_t digits = 0;
  while (digits < line.size() && std::isdigit(static_cast<unsigned char>(line[digits]))) ++digits;
  const bool marks = digits > 0 && digits < line.size() && (line[digits] == '.' || line[digits] == ')');
  return marks ? digits : std::string_view::npos;
}

/// What a line of a paragraph must not begin with gets a backslash.
std::string guarded(std::string line) {
  const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
  line.erase(0, blanks);  // four of them would make code
  const std::size_t mark = block_mark(line);
  if (mark != std::string::npos) line.insert(mark, 1, '\\');
  return line;
}

std::size_t longest_run(std::string_view text, char sign) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == sign ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

/// $latex$. What would end it early is shown as code.
std::string markdown_formula(std::string_view latex, MarkdownPlace place) {
  std::string text = one_line(trim(latex));
  if (text.empty()) return {};
  if (text.find('$') != std::string::npos || text.ends_with('\\')) return markdown_code(text, place);
  if (place == MarkdownPlace::TableCell) text = replaced(replaced(std::move(text), "\\|", "\\Vert "), "|", "\\vert ");
  return "$" + text + "$";
}

/// An address between < and >; visible() has shown what is no part of one.
std::string address(std::string_view href) {
  std::string out;
  for (const char c : one_line(href)) {
    const bool harmless = std::string_view("<>\\ |`\"'").find(c) == std::string_view::npos;
    out += harmless ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return "<" + out + ">";
}

/// The styles of a run from the outermost to the innermost, as what opens each.
std::vector<std::string_view> marks_of(const Run& run) {
  std::vector<std::string_view> marks;
  if (!run.href.empty()) marks.push_back("[");
  if (run.strong) marks.push_back("**");
  if (run.emph) marks.push_back("*");
  if (run.strike) marks.push_back("~~");
  return marks;
}

bool is_one_style(const Run& a, const Run& b) {
  return a.kind == Run::Kind::Text && b.kind == Run::Kind::Text && a.code == b.code && a.strong == b.strong &&
         a.emph == b.emph && a.strike == b.strike && a.href == b.href;
}

class RunsWriter {
 public:
  explicit RunsWriter(MarkdownPlace place) : place_(place) {}

  void add(const Run& run) {
    const bool other_link = !href_.empty() && run.href != href_;
    const std::vector<std::string_view> marks = marks_of(run);
    std::size_t common = 0;
    while (!other_link && common < open_.size() && common < marks.size() && open_[common] == marks[common]) ++common;
    close_to(common);
    const std::string text = text_of(run);
    // Marks do not open before a blank and do not close behind one.
    const std::size_t begin = marks.empty() ? 0 : std::min(text.find_first_not_of(' '), text.size());
    out_.append(text, 0, begin);
    if (begin == text.size()) return;
    for (; common < marks.size(); ++common) {
      out_ += marks[common];
      open_.push_back(marks[common]);
    }
    href_ = run.href;
    out_.append(text, begin);
  }

  std::string take() {
    close_to(0);
    return std::move(out_);
  }

 private:
  std::string text_of(const Run& run) const {
    if (run.kind == Run::Kind::Formula) return markdown_formula(run.text, place_);
    if (run.code) return markdown_code(run.text, place_);
    std::string_view rest = run.text;
    std::string out;
    for (std::size_t feed = 0; (feed = rest.find('\n')) != std::string_view::npos; rest.remove_prefix(feed + 1)) {
      out += line_text(rest.substr(0, feed), out.ends_with('\n'));
      out += place_ == MarkdownPlace::Line ? "\\\n" : " ";
    }
    return out + line_text(rest, out.ends_with('\n'));
  }

  std::string line_text(std::string_view line, bool begins) const {
    const std::string text = markdown_text(line, place_);
    return begins ? guarded(text) : text;
  }

  void close_to(std::size_t count) {
    std::size_t end = out_.size();
    if (open_.size() > count)
      while (end > 0 && out_[end - 1] == ' ' && !out_.substr(0, end - 1).ends_with('\\')) --end;
    const std::string blanks = out_.substr(end);
    out_.resize(end);
    for (; open_.size() > count; open_.pop_back()) {
      if (open_.back() == "[") out_ += "](" + address(href_) + ")";
      else out_ += open_.back();
    }
    if (count == 0) href_.clear();
    out_ += blanks;
  }

  MarkdownPlace place_;
  std::string out_, href_;
  std::vector<std::string_view> open_;
};

std::string markdown_table(const Prose& prose) {
  std::string out;
  for (std::size_t r = 0; r < prose.rows.size(); ++r) {
    out += "|";
    for (const Runs& cell : prose.rows[r]) out += " " + markdown_runs(cell, MarkdownPlace::TableCell) + " |";
    out += "\n";
    if (r > 0) continue;
    out += "|";
    for (std::size_t c = 0; c < prose.rows[0].size(); ++c) {
      const Align align = c < prose.aligns.size() ? prose.aligns[c] : Align::Default;
      const bool left = align == Align::Left || align == Align::Center;
      const bool right = align == Align::Right || align == Align::Center;
      out += fmt::format(" {}---{} |", left ? ":" : "", right ? ":" : "");
    }
    out += "\n";
  }
  return out;
}

std::string markdown_paragraph(const Runs& runs) { return guarded(markdown_runs(runs)) + "\n"; }

std::string markdown_block(const Prose& prose) {
  switch (prose.kind) {
    case Prose::Kind::Heading: {
      const std::string text = markdown_runs(prose.runs, MarkdownPlace::Line);
      // A heading is one line; signs at its end would be taken for its closing ones.
      const std::string line = replaced(text, "\\\n", " ");
      return std::string(static_cast<std::size_t>(std::clamp(prose.level, 1, 6)), '#') + " " +
             (line.ends_with('#') ? line.substr(0, line.size() - 1) + "\\#" : line) + "\n";
    }
    case Prose::Kind::Paragraph:
    case Prose::Kind::ListItem: return markdown_paragraph(prose.runs);
    case Prose::Kind::Table: return markdown_table(prose);
    case Prose::Kind::Formula: {
      const std::string text = markdown_formula(prose.text, MarkdownPlace::Line);
      return (text.starts_with('$') ? "$" + text + "$" : text) + "\n";
    }
    case Prose::Kind::Code: return markdown_fence(prose.text, prose.language == "python" ? "py" : prose.language);
    case Prose::Kind::Rule: return "---\n";
  }
  return {};
}

/// Quotes and lists around blocks: what stands before the first line of a block and before the others.
class MarkdownProseWriter {
 public:
  void add(const Prose& prose) {
    const bool item = prose.kind == Prose::Kind::ListItem && !prose.marker.empty();
    const std::string quotes = quote_prefix(prose.quotes);
    if (!out_.empty() && !(item && after_item_)) out_ += trim_end(quote_prefix(std::min(prose.quotes, quotes_))) + "\n";
    const std::string outer = quotes + std::string(indentation(prose.depth - 1), ' ');
    std::string first = outer, rest = outer;
    if (prose.depth > 0) {
      const std::string marker = prose.marker.empty() ? "" : prose.marker + " ";
      if (!marker.empty()) set_width(prose.depth, marker.size());
      const std::size_t own = indentation(prose.depth) - indentation(prose.depth - 1);
      first += marker.empty() ? std::string(own, ' ') : marker;
      rest += std::string(own, ' ');
    } else {
      widths_.clear();
    }
    bool is_first = true;
    const std::string text = markdown_block(prose);
    for (const std::string_view line : split_lines(text)) {
      const std::string& prefix = is_first ? first : rest;
      out_ += line.empty() ? trim_end(prefix) + "\n" : prefix + std::string(line) + "\n";
      is_first = false;
    }
    after_item_ = prose.kind == Prose::Kind::ListItem;
    quotes_ = prose.quotes;
  }

  std::string take() { return std::move(out_); }

 private:
  static std::string trim_end(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
  }
  static std::string quote_prefix(int quotes) {
    std::string out;
    for (int i = 0; i < quotes; ++i) out += "> ";
    return out;
  }
  std::size_t indentation(int depth) const {
    std::size_t cells = 0;
    for (int i = 0; i < depth; ++i)
      cells += static_cast<std::size_t>(i) < widths_.size() ? widths_[static_cast<std::size_t>(i)] : 2;
    return cells;
  }
  void set_width(int depth, std::size_t width) {
    widths_.resize(static_cast<std::size_t>(depth), 2);
    widths_.back() = width;
  }

  std::string out_;
  std::vector<std::size_t> widths_;  // of the markers of the lists that are open
  bool after_item_ = false;
  int quotes_ = 0;
};

}  // namespace

std::string markdown_text(std::string_view text, MarkdownPlace place) {
  const std::string line = one_line(text);
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (is_markup(line, i, place)) out += '\\';
    out += line[i];
  }
  return out;
}

std::string markdown_code(std::string_view text, MarkdownPlace place) {
  std::string code = one_line(text);
  if (trim(code).empty()) return {};
  const std::string ticks(longest_run(code, '`') + 1, '`');
  const bool pad = code.front() == '`' || code.back() == '`' || (code.front() == ' ' && code.back() == ' ');
  if (place == MarkdownPlace::TableCell) code = replaced(std::move(code), "|", "\\|");
  return pad ? ticks + " " + code + " " + ticks : ticks + code + ticks;
}

std::string markdown_fence(std::string_view text, std::string_view language) {
  std::string code = visible(text);
  if (!code.empty() && !code.ends_with('\n')) code += '\n';
  const std::string ticks(std::max<std::size_t>(3, longest_run(code, '`') + 1), '`');
  std::string word;
  for (const char c : language)
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '+' || c == '_') word += c;
  return ticks + word + "\n" + code + ticks + "\n";
}

std::string markdown_runs(const Runs& runs, MarkdownPlace place) {
  RunsWriter writer(place);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    // The value of an expression is a run of its own; two codes beside one another would not be read as two.
    Run run = runs[i];
    for (; i + 1 < runs.size() && is_one_style(run, runs[i + 1]); ++i) run.text += runs[i + 1].text;
    writer.add(run);
  }
  return writer.take();
}

std::string markdown_prose(const std::vector<Prose>& blocks) {
  MarkdownProseWriter writer;
  for (const Prose& prose : blocks) writer.add(prose);
  return writer.take();
}

}  // namespace attn
