#include "cli/help_topics.h"

#include <algorithm>

#include "base/embedded.h"
#include "base/text.h"
#include "cli/command.h"
#include "lesson/load.h"

namespace attn {
namespace {

constexpr std::string_view kFolder = "docs/help/";
constexpr std::string_view kPlace = "<!-- table -->";
constexpr std::string_view kHeading = "## ";

std::string title_of(std::string_view text) {
  LoadFindings ignored;
  return read_title(clean_source("", text, ignored));
}

std::string with_table(std::string_view text, std::string_view topic) {
  const std::size_t place = text.find(kPlace);
  if (place == std::string_view::npos) return std::string(text);
  return std::string(text.substr(0, place)) + help_table(topic) + std::string(text.substr(place + kPlace.size()));
}

}  // namespace

std::vector<HelpTopic> help_topics() {
  std::vector<HelpTopic> topics;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with(kFolder)) continue;
    const std::string_view stem = file.path.substr(kFolder.size(), file.path.rfind('.') - kFolder.size());
    topics.push_back({std::string(stem), title_of(file.bytes), with_table(file.bytes, stem)});
  }
  return topics;
}

std::vector<HelpTopic> glossary() {
  const std::vector<HelpTopic> topics = help_topics();
  const auto file =
      std::find_if(topics.begin(), topics.end(), [](const HelpTopic& topic) { return topic.name == "glossary"; });
  std::vector<HelpTopic> words;
  if (file == topics.end()) return words;
  for (const std::string_view line : split_lines(file->text)) {
    if (line.starts_with(kHeading)) {
      const std::string word(line.substr(kHeading.size()));
      words.push_back({word, word, ""});
    }
    if (!words.empty()) words.back().text += std::string(line) + "\n";
  }
  return words;
}

std::vector<std::string> help_words() {
  std::vector<std::string> words;
  for (const HelpTopic& topic : help_topics()) words.push_back(topic.name);
  for (const Command* command : all_commands()) words.emplace_back(command->name);
  for (const HelpTopic& word : glossary()) words.push_back(word.name);
  return words;
}

}  // namespace attn
