#include "render/html_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/number.h"
#include "base/text.h"
#include "explain/messages.h"
#include "render/mathml.h"

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
  const bool may_scroll =
      std::any_of(lines.begin(), lines.end(), [](std::string_view line) { return display_width(line) > kNarrowPage; });
  // What scrolls is a stop of the tab key, and says what it is.
  const std::string stop = may_scroll ? fmt::format(" tabindex=\"0\" role=\"group\" aria-label=\"{}\"",
                                                    html_text(say("page.block." + std::string(name))))
                                      : "";
  // A line feed right behind <pre> would be lost.
  return fmt::format("<pre class=\"{}\"{}>\n{}</pre>\n", name, stop, wrapped(code, "code", html_text(text)));
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
