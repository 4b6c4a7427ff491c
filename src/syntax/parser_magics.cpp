// Commands of the notebook, which are not Python: lines that begin with % or !, and cells that begin with %%.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "syntax/parser_rules.h"
#include "text/unsupported.h"

namespace attn {
namespace {

// They run the rest of the cell as Python; all others (%%html, %%bash, %%writefile ...) make something else of it.
constexpr std::array<std::string_view, 4> kRunningMagics = {"time", "timeit", "capture", "prun"};

}  // namespace

std::optional<Span> foreign_cell(const Source& source, std::uint32_t source_index) {
  const std::string_view text = source.text;
  std::string_view line;
  for (const std::string_view candidate : split_lines(text)) {
    line = trim(candidate);
    if (!line.empty() && line.front() != '#') break;
  }
  if (!line.starts_with("%%")) return std::nullopt;
  const std::string_view name = line.substr(2, std::min(line.find_first_of(" \t"), line.size()) - 2);
  if (std::find(kRunningMagics.begin(), kRunningMagics.end(), name) != kRunningMagics.end()) return std::nullopt;
  const auto begin = static_cast<std::uint32_t>(line.data() - text.data());
  const auto end = static_cast<std::uint32_t>(text.find_last_not_of(" \t\r\n") + 1);
  return Span{source_index, begin, end};
}

void Parser::skip_magic() {
  const Span place = current().span;
  if (!is_notebook_) {
    throw unsupported(place, "unsupported.magic");
  }
  skipped_.push_back(place);
  advance();
  advance();  // the end of its line
}

/// name = !command and name = %command keep what the command printed.
void Parser::refuse_magic_value() {
  if (!is_notebook_ || !(at("%") || (at(TokenKind::Error) && current().text == "!"))) return;
  const std::uint32_t start = begin();
  const auto line_end =
      static_cast<std::uint32_t>(std::min(source_.text.find_first_of("\r\n", start), source_.text.size()));
  throw unsupported({index_, start, line_end}, "unsupported.magic_value", {{"sign", std::string(current().text)}});
}

}  // namespace attn
