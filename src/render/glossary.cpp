#include "render/glossary.h"

#include <algorithm>

#include "base/embedded.h"
#include "base/letters.h"
#include "base/text.h"
#include "lesson/load.h"
#include "render/page.h"
#include "render/prose.h"

namespace attn {
namespace {

constexpr std::string_view kHeading = "## ";

// "score, energy" -> both. The name of a check has no comma, so it is one too.
std::vector<std::string> names_of(std::string_view heading) {
  std::vector<std::string> names;
  while (true) {
    const std::size_t comma = heading.find(", ");
    names.emplace_back(heading.substr(0, comma));
    if (comma == std::string_view::npos) return names;
    heading.remove_prefix(comma + 2);
  }
}

std::vector<GlossaryEntry> read_glossary() {
  std::vector<GlossaryEntry> entries;
  for (const std::string_view line : split_lines(embedded_file("docs/help/glossary.md"))) {
    if (line.starts_with(kHeading)) entries.push_back({names_of(line.substr(kHeading.size())), ""});
    if (!entries.empty()) entries.back().text += std::string(line) + "\n";
  }
  return entries;
}

bool means(const std::string& name, const std::string& word) {
  const std::string known = lower_case(name);
  return known == word || known + "s" == word;
}

}  // namespace

const std::vector<GlossaryEntry>& glossary() {
  static const std::vector<GlossaryEntry> entries = read_glossary();
  return entries;
}

const GlossaryEntry* glossary_entry(std::string_view word) {
  std::string wanted = lower_case(trim(word));
  if (wanted.ends_with('?')) wanted = "?";  // of any axis
  if (wanted.find('*') != std::string::npos) wanted = "*";
  for (const GlossaryEntry& entry : glossary()) {
    if (std::any_of(entry.names.begin(), entry.names.end(),
                    [&](const std::string& name) { return means(name, wanted); }))
      return &entry;
  }
  return nullptr;
}

std::string drawn_markdown(const std::string& markdown, const RenderOptions& options) {
  LoadFindings ignored;
  std::vector<Prose> blocks;
  for (LessonBlock& block : read_markdown(clean_source("", markdown, ignored), {}, ignored)) {
    if (Prose* prose = std::get_if<Prose>(&block)) blocks.push_back(std::move(*prose));
  }
  Page page(options);
  put_prose(page, blocks);
  return page.text();
}

}  // namespace attn
