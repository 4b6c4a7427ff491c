#include "render/source.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "base/text.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::size_t kMostCodeLines = 12;
constexpr int kHang = 4;

const Source& source_of(const Trace& trace, Span span) { return trace.sources.at(span.source); }

bool begins_with_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return text.starts_with(word); });
}

bool is_definition(std::string_view text) { return begins_with_one_of(text, {"def ", "class ", "@"}); }

bool is_class(std::string_view definition) {
  const std::vector<std::string_view> lines = split_lines(definition);
  const auto first = std::find_if(lines.begin(), lines.end(), [](auto line) { return !trim(line).starts_with('@'); });
  return first != lines.end() && trim(*first).starts_with("class ");
}

std::size_t line_begin(std::string_view text, std::size_t at) {
  const std::size_t feed = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return feed == std::string_view::npos ? 0 : feed + 1;
}

/// Where the comment lines right above the line at `begin` start.
std::size_t comments_begin(std::string_view text, std::size_t begin) {
  while (begin > 0) {
    const std::size_t above = line_begin(text, begin - 1);
    if (!trim(text.substr(above, begin - 1 - above)).starts_with('#')) break;
    begin = above;
  }
  return begin;
}

/// The statement with what belongs to it: its indentation, a comment behind it, comments above it. Another statement
/// on its line stays away.
std::string_view with_comments(std::string_view text, std::size_t begin, std::size_t end) {
  const std::size_t start = line_begin(text, begin);
  if (trim(text.substr(start, begin - start)).empty()) begin = comments_begin(text, start);
  const std::string_view rest = text.substr(end, text.find('\n', end) - end);
  const std::string_view after = trim(rest);
  if (after.empty() || after.starts_with('#') || after.starts_with(":")) {
    const bool only_colon = after.starts_with(':') && !trim(after.substr(1)).starts_with('#') && after != ":";
    end += only_colon ? rest.find(':') + 1 : rest.size();
  }
  return text.substr(begin, end - begin);
}

std::size_t indentation(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

/// Where the comment behind the code begins; the end of the line without one.
std::size_t comment_begin(std::string_view line) {
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#') {
      return i;
    }
  }
  return line.size();
}

/// One line of code. Too long, its comment takes a line of its own, and what still is too long goes on further right.
void append_code(std::string_view line, int room, std::vector<Line>& out) {
  const std::size_t indent = indentation(line);
  std::size_t comment = comment_begin(line);
  if (display_width(line) <= room || comment <= indent) comment = line.size();
  const int inner = static_cast<int>(indent);
  const int hang = inner + kHang < room / 2 ? inner + kHang : 0;
  bool is_first = true;
  for (const std::string_view piece : {line.substr(0, comment), line.substr(comment)}) {
    if (piece.empty()) continue;
    for (const Line& part : wrap(Line(piece, Style::Code), is_first ? room : room - hang, room - hang)) {
      out.push_back(is_first ? part : blanks(hang).add(part));
      is_first = false;
    }
  }
}

}  // namespace

std::string_view statement_text(const Trace& trace, const Step& step) {
  const Source& source = source_of(trace, step.span);
  const std::string_view whole = source.slice(step.span);
  if (!is_definition(trim(whole))) return source_of(trace, step.header).slice(step.header);
  // The members of a class are steps of their own.
  return is_class(whole) ? source.slice({step.span.source, step.span.begin, step.header.end}) : whole;
}

std::string naming_line(const Trace& trace, const Step& step, const RenderOptions& options) {
  constexpr int kLongest = 100;
  const std::string_view statement = trim(statement_text(trace, step));
  return elide(statement.substr(0, statement.find('\n')), kLongest, options.ascii);
}

bool is_loop(const Trace& trace, const Step& step) {
  return begins_with_one_of(trim(statement_text(trace, step)), {"for ", "while "});
}

void put_source(Page& page, const Trace& trace, const Step& step) {
  const std::string_view statement = statement_text(trace, step);
  const std::string_view text = source_of(trace, step.span).text;
  const auto begin = static_cast<std::size_t>(statement.data() - text.data());
  const std::string_view code = with_comments(text, begin, begin + statement.size());
  std::vector<Line> lines;
  const std::size_t margin = indentation(code);
  for (std::string_view line : split_lines(code)) {
    line.remove_prefix(std::min(margin, indentation(line)));
    append_code(line, page.width(), lines);
  }
  const bool whole = lines.size() <= kMostCodeLines || is_definition(trim(statement));
  const std::size_t shown = whole ? lines.size() : kMostCodeLines - 2;
  for (std::size_t i = 0; i < shown; ++i) page.put(lines[i]);
  if (whole) return;
  const auto rest = static_cast<std::int64_t>(lines.size() - shown - 1);
  page.put(say_count("more.lines", rest, {{"gap", std::string(page.glyphs().gap)}}), Style::Dim);
  page.put(lines.back());
}

}  // namespace attn
