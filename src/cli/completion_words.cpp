// What can be typed where the command line wants a lesson, a format, an op: a row each, by the word in --help.
#include <algorithm>
#include <set>

#include "base/words.h"
#include "cli/completion.h"
#include "cli/help_topics.h"
#include "lesson/catalogue.h"
#include "render/formats.h"
#include "torch/nn/layer.h"
#include "torch/op.h"

namespace attn {
namespace {

using WordList = std::vector<std::string>;

// Those of the program: a script that stands in a system's folder serves every user.
WordList lesson_words() {
  WordList words;
  const Catalogue catalogue = Catalogue::built_in();
  for (const CatalogueEntry& entry : catalogue.entries()) {
    if (entry.number) words.push_back(std::to_string(*entry.number));
  }
  for (const CatalogueEntry& entry : catalogue.entries()) words.push_back(entry.id);
  return words;
}

WordList format_words() {
  WordList words;
  for (const Format& format : all_formats()) words.emplace_back(format.name);
  return words;
}

// As one says them: "matmul" for torch.matmul and Tensor.matmul alike, "nn.Linear".
WordList op_words() {
  std::set<std::string> words;
  for (const OpInfo* op : all_ops()) {
    const std::string_view first = first_word(op->spellings);
    if (!first.starts_with("op.")) words.emplace(first.substr(first.rfind('.') + 1));
  }
  for (const LayerInfo& layer : all_layers()) words.insert("nn." + std::string(layer.name));
  return {words.begin(), words.end()};
}

WordList color_words() { return {"auto", "always", "never"}; }

WordList no_words() { return {}; }

struct WordsRow {
  std::string_view name;
  WordList (*words)();
  bool files = false;
  bool folders = false;
};

constexpr WordsRow kRows[] = {
    {"LESSON", lesson_words, true}, {"FILE", no_words, true}, {"DIR", no_words, false, true}, {"FORMAT", format_words},
    {"WHEN", color_words},          {"SHELL", shell_names},   {"TOPIC", help_words},          {"OP", op_words},
};

}  // namespace

Candidates candidates_for(std::string_view name) {
  const auto* row =
      std::find_if(std::begin(kRows), std::end(kRows), [&](const WordsRow& each) { return each.name == name; });
  if (row == std::end(kRows)) return {};
  return {row->words(), row->files, row->folders};
}

std::vector<std::string> completed_names() {
  std::vector<std::string> names;
  for (const WordsRow& row : kRows) names.emplace_back(row.name);
  return names;
}

}  // namespace attn
