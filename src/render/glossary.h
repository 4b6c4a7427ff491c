#pragma once
// The words that a screen uses and what they mean: docs/help/glossary.md, for `attn-tutor help WORD` and for `help
// WORD` in a session.
#include <string>
#include <string_view>
#include <vector>

#include "render/options.h"

namespace attn {

struct GlossaryEntry {
  std::vector<std::string> names;  // "score", "energy"; of a check its number and its name
  std::string text;                // Markdown, with its heading
};

const std::vector<GlossaryEntry>& glossary();

/// The entry of a word, in capitals or not, singular or plural ("strides"); else null.
const GlossaryEntry* glossary_entry(std::string_view word);

/// Markdown that is not part of a lesson, as a terminal shows it.
std::string drawn_markdown(const std::string& markdown, const RenderOptions& options);

}  // namespace attn
