#pragma once
// A Markdown transcript as GitHub reads it.
#include <gtest/gtest.h>
#include <md4c.h>

#include <string>
#include <vector>

#include "base/text.h"
#include "engine/trace.h"

namespace attn::test {

/// What md4c reads out of a file as GitHub reads it, HTML included.
struct Read {
  std::vector<std::string> cells;  // fences marked `python`
  std::string html, text;
  int tables = 0;
};

inline Read read(const std::string& markdown) {
  struct State {
    Read read;
    bool in_cell = false, in_html = false;
  } state;
  MD_PARSER parser{};
  parser.flags = MD_DIALECT_GITHUB | MD_FLAG_LATEXMATHSPANS;
  parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* user) {
    auto& now = *static_cast<State*>(user);
    now.read.tables += type == MD_BLOCK_TABLE;
    now.in_html = type == MD_BLOCK_HTML;
    if (type != MD_BLOCK_CODE) return 0;
    const auto& lang = static_cast<const MD_BLOCK_CODE_DETAIL*>(detail)->lang;
    now.in_cell = std::string_view(lang.text ? lang.text : "", lang.size) == "python";
    if (now.in_cell) now.read.cells.emplace_back();
    return 0;
  };
  parser.leave_block = [](MD_BLOCKTYPE, void*, void* user) {
    auto& now = *static_cast<State*>(user);
    now.in_cell = now.in_html = false;
    return 0;
  };
  parser.enter_span = [](MD_SPANTYPE, void*, void*) { return 0; };
  parser.leave_span = [](MD_SPANTYPE, void*, void*) { return 0; };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* user) {
    auto& now = *static_cast<State*>(user);
    const std::string piece(text, size);
    if (now.in_cell) now.read.cells.back() += piece;
    else if (type == MD_TEXT_HTML) now.read.html += piece;
    else now.read.text += piece;
    return 0;
  };
  EXPECT_EQ(md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &state), 0);
  return state.read;
}

inline std::vector<std::string> cell_texts(const Trace& trace) {
  std::vector<std::string> cells;
  for (const TraceBlock& block : trace.blocks)
    if (const CellRecord* cell = std::get_if<CellRecord>(&block))
      cells.push_back(visible(trace.sources[cell->source].text));
  return cells;
}

/// Takes out the tags that the program writes itself; what is left came from elsewhere.
inline std::string foreign_html(std::string html) {
  for (const std::string own : {"<details>", "</details>", "<summary>", "</summary>", "<!-- attn-tutor transcript -->",
                                "Answer", "Code that runs first", "Hint 1", "Hint 2", "Hint 3", "Hint 4", "\n"})
    for (std::size_t at = 0; (at = html.find(own)) != std::string::npos;) html.erase(at, own.size());
  return html;
}

}  // namespace attn::test
