#pragma once
// The topics of `attn-tutor help`: a Markdown file of docs/help each, which stands in the binary. Where a table of the
// program knows better, the file holds the line <!-- table --> and help_tables.cpp fills it.
#include <string>
#include <string_view>
#include <vector>

namespace attn {

struct HelpTopic {
  std::string name;   // "exit-codes", of docs/help/exit-codes.md
  std::string title;  // its first heading
  std::string text;   // Markdown, its table filled in
};

/// Sorted by name.
std::vector<HelpTopic> help_topics();

/// All that `attn-tutor help` takes: topics, commands, words of the glossary.
std::vector<std::string> help_words();

/// The Markdown table of a topic; empty for topics without one.
std::string help_table(std::string_view topic);

}  // namespace attn
