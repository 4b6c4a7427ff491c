#include "render/html/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/number.h"
#include "base/text.h"
#include "lesson/formula.h"
#include "lesson/latex_scanner.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr int kNarrowPage = 36;  // letters of code that fit across a telephone

/// Where a link leads; empty when it is no address that a page may lead to. Lessons lie beside one another.
std::string target(std::string_view href) {
  for (const std::string_view scheme : {"http://", "https://", "mailto:"})
    if (href.starts_with(scheme)) return std::string(href);
  if (href.find(':') != std::string_view::npos || !href.ends_with(".md")) return {};
  return std::string(href.substr(0, href.size() - 3)) + ".html";
}

std::string wrapped(bool wanted, std::string_view tag, std::string inside) {
  return wanted ? fmt::format("<{0}>{1}</{0}>", tag, inside) : inside;
}

std::string with_breaks(std::string_view text) {
  std::string out;
  for (const char c : html_text(text)) out += c == '\n' ? std::string("<br>") : std::string(1, c);
  return out;
}

std::string run_text(const Run& run) {
  if (run.kind == Run::Kind::Formula) return formula_mathml(run.text);
  std::string text = run.code ? html_code(run.text) : with_breaks(run.text);
  text = wrapped(run.strike, "s", wrapped(run.emph, "em", wrapped(run.strong, "strong", std::move(text))));
  const std::string href = target(run.href);
  return href.empty() ? text : fmt::format("<a href=\"{}\" rel=\"noreferrer\">{}</a>", html_text(href), text);
}

std::string html_table(const Prose& prose) {
  std::string out = "<div class=\"wide\"><table class=\"prose\">";
  for (std::size_t r = 0; r < prose.rows.size(); ++r) {
    out += "<tr>";
    for (std::size_t c = 0; c < prose.rows[r].size(); ++c) {
      const Align align = c < prose.aligns.size() ? prose.aligns[c] : Align::Default;
      const std::string_view name = align == Align::Right    ? " class=\"right\""
                                    : align == Align::Center ? " class=\"center\""
                                                             : "";
      const std::string_view tag = r == 0 ? "th" : "td";
      out +=
          fmt::format("<{0}{1}{2}>{3}</{0}>", tag, r == 0 ? " scope=\"col\"" : "", name, html_runs(prose.rows[r][c]));
    }
    out += "</tr>";
  }
  return out + "</table></div>\n";
}

std::string html_prose_block(const Prose& prose) {
  switch (prose.kind) {
    case Prose::Kind::Heading:
      return fmt::format("<h{0} id=\"{1}\">{2}</h{0}>\n", std::clamp(prose.level, 2, 6), heading_id(prose),
                         html_runs(prose.runs));
    case Prose::Kind::Paragraph:
    case Prose::Kind::ListItem: return "<p>" + html_runs(prose.runs) + "</p>\n";
    case Prose::Kind::Table: return html_table(prose);
    case Prose::Kind::Formula: return formula_mathml(prose.text, true) + "\n";
    case Prose::Kind::Code: return html_block(prose.text, "code", true);
    case Prose::Kind::Rule: return "<hr>\n";
  }
  return {};
}

/// Quotes and lists around blocks.
class HtmlProseWriter {
 public:
  void add(const Prose& prose) {
    if (prose.quotes != quotes_) {
      close_lists(0);
      for (; quotes_ > prose.quotes; --quotes_) out_ += "</blockquote>\n";
      for (; quotes_ < prose.quotes; ++quotes_) out_ += "<blockquote>\n";
    }
    const auto depth = static_cast<std::size_t>(std::max(0, prose.depth));
    close_lists(depth);
    const bool is_item = prose.kind == Prose::Kind::ListItem && !prose.marker.empty();
    // A list of another kind is another list.
    if (is_item && lists_.size() == depth && depth > 0 && lists_.back() != list_tag(prose.marker))
      close_lists(depth - 1);
    else if (is_item && lists_.size() == depth && depth > 0) out_ += "</li><li>";
    while (lists_.size() < depth) open_list(prose.marker);
    out_ += html_prose_block(prose);
  }

  std::string take() {
    close_lists(0);
    for (; quotes_ > 0; --quotes_) out_ += "</blockquote>\n";
    return std::move(out_);
  }

 private:
  static std::string_view list_tag(const std::string& marker) {
    return !marker.empty() && std::isdigit(static_cast<unsigned char>(marker[0])) ? "ol" : "ul";
  }

  void open_list(const std::string& marker) {
    lists_.push_back(list_tag(marker));
    const bool numbered = lists_.back() == "ol";
    const int start =
        numbered ? static_cast<int>(parse_int(marker.substr(0, marker.find_first_not_of("0123456789"))).value_or(1))
                 : 1;
    out_ += start == 1 ? fmt::format("<{}><li>", lists_.back()) : fmt::format("<ol start=\"{}\"><li>", start);
  }

  void close_lists(std::size_t depth) {
    for (; lists_.size() > depth; lists_.pop_back()) out_ += fmt::format("</li></{}>\n", lists_.back());
  }

  std::string out_;
  std::vector<std::string_view> lists_;  // that are open, each with an item
  int quotes_ = 0;
};

// ---- formulas ----

constexpr std::size_t kMaxSize = 4000;  // of a formula

std::string element(std::string_view name, std::string_view inside) {
  return "<" + std::string(name) + ">" + std::string(inside) + "</" + std::string(name) + ">";
}

std::string row(std::string_view inside) { return element("mrow", inside); }

/// What an atom needs to be told apart by: bounds of a sum stand below and above it.
struct Atom {
  std::string xml;
  bool is_large = false;
};

/// A recursive descent over the grammar of lesson/formula.cpp:
///   list = { atom { "^" atom | "_" atom } }
///   atom = "{" list "}" | command [arguments] | run of digits | character
class MathReader : private LatexScanner {
 public:
  explicit MathReader(std::string_view latex) : LatexScanner(latex) {}

  std::string all() {
    std::string out;
    while (at_ < latex_.size()) {
      out += list();
      if (at_ < latex_.size()) ++at_;  // a } that closes nothing
    }
    return row(out);
  }

 private:
  std::string list() {
    std::string out;
    for (skip_blanks(); at_ < latex_.size() && !at('}'); skip_blanks()) out += scripts(atom());
    return out;
  }

  std::string scripts(Atom base) {
    std::string below, above;
    for (skip_blanks(); at('^') || at('_'); skip_blanks()) {
      std::string& script = at('^') ? above : below;
      ++at_;
      script += argument();
    }
    if (below.empty() && above.empty()) return base.xml;
    if (base.xml.empty()) base.xml = row("");
    const std::string_view sub = base.is_large ? "munder" : "msub", sup = base.is_large ? "mover" : "msup";
    if (below.empty()) return element(sup, base.xml + row(above));
    if (above.empty()) return element(sub, base.xml + row(below));
    return element(base.is_large ? "munderover" : "msubsup", base.xml + row(below) + row(above));
  }

  Atom atom() {
    if (at_ >= latex_.size()) return {};
    const char c = latex_[at_];
    if (c == '{') return {row(group())};
    if (c == '\\') return command();
    if (at_digit()) return {element("mn", number_text())};
    if (c == '^' || c == '_') return {};  // a script of nothing
    const bool ascii = (c & 0x80) == 0;
    const std::string_view sign = ascii ? latex_.substr(at_, 1) : graphemes(latex_.substr(at_, 32)).front();
    at_ += sign.size();
    // As high as what is inside of them they would tear the line apart.
    if (ascii && std::string_view("()[]|").find(c) != std::string_view::npos)
      return {"<mo stretchy=\"false\">" + std::string(sign) + "</mo>"};
    const bool letter = !ascii || std::isalpha(static_cast<unsigned char>(c));
    return {element(letter ? "mi" : "mo", c == '-' ? "−" : html_text(sign))};
  }

  std::string group() {
    if (++depth_ > kMaxDepth) {  // nobody means this; the rest stays as written
      std::string rest = element("mtext", html_text(latex_.substr(at_)));
      at_ = latex_.size();
      return rest;
    }
    ++at_;
    std::string inner = list();
    if (at('}')) ++at_;
    --depth_;
    return inner;
  }

  /// Without braces one character: \frac12 is a half.
  std::string argument() {
    skip_blanks();
    if (at_digit()) return element("mn", latex_.substr(at_++, 1));
    return row(atom().xml);
  }

  Atom command() {
    if (++depth_ > kMaxDepth) return {group()};
    Atom result = known_command(command_name());
    --depth_;
    return result;
  }

  Atom known_command(std::string_view name) {
    if (name == "\\frac") {
      const std::string over = argument(), under = argument();
      return {element("mfrac", over + under)};
    }
    if (name == "\\sqrt") return {root()};
    if (takes_text(name)) {
      const auto text = braced_text();
      return {element("mtext", html_text(text ? *text : latex_.substr(at_ < latex_.size() ? at_++ : at_, 1)))};
    }
    const auto symbol = formula_symbol(name);
    if (!symbol) return {element("mtext", html_text(name))};
    const std::string text = html_text(symbol->text);
    switch (symbol->kind) {
      case FormulaSymbol::Kind::Letter: return {element("mi", text)};
      case FormulaSymbol::Kind::Function: return {element("mi", text) + "<mspace width=\"0.17em\"></mspace>"};
      case FormulaSymbol::Kind::Relation: return {element("mo", text)};
      case FormulaSymbol::Kind::Large: return {element("mo", text), true};
      case FormulaSymbol::Kind::Space: return {text.empty() ? "" : "<mspace width=\"0.3em\"></mspace>"};
    }
    return {};
  }

  std::string root() {
    const auto degree = bracketed_text();
    if (!degree) return element("msqrt", argument());
    return element("mroot", argument() + element("mtext", html_text(*degree)));
  }
};

}  // namespace

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : visible(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string html_code(std::string_view text) { return "<code>" + html_text(text) + "</code>"; }

std::string html_block(std::string_view text, std::string_view name, bool code) {
  const std::vector<std::string_view> lines = split_lines(text);
  const bool may_scroll =  // code wraps
      name != "code" &&
      std::any_of(lines.begin(), lines.end(), [](std::string_view line) { return display_width(line) > kNarrowPage; });
  // What scrolls is a stop of the tab key, and says what it is.
  const std::string stop = may_scroll ? fmt::format(" tabindex=\"0\" role=\"group\" aria-label=\"{}\"",
                                                    html_text(say("page.block." + std::string(name))))
                                      : "";
  // A line feed right behind <pre> would be lost.
  return fmt::format("<pre class=\"{}\"{}>\n{}</pre>\n", name, stop, wrapped(code, "code", html_text(text)));
}

std::string formula_mathml(std::string_view latex, bool block) {
  if (latex.size() > kMaxSize) return element("code", html_text(latex));
  return std::string(block ? "<math display=\"block\">" : "<math>") + MathReader(latex).all() + "</math>";
}

std::string html_runs(const Runs& runs) {
  std::string out;
  for (const Run& run : runs) out += run_text(run);
  return out;
}

std::string html_prose(const std::vector<Prose>& blocks) {
  HtmlProseWriter writer;
  for (const Prose& prose : blocks) writer.add(prose);
  return writer.take();
}

std::string heading_id(const Prose& heading) { return fmt::format("part-{}", heading.line); }

}  // namespace attn
