#include "cli/help_topics.h"

#include "base/embedded.h"
#include "cli/command.h"
#include "lesson/load.h"
#include "render/glossary.h"

namespace attn {
namespace {

constexpr std::string_view kFolder = "docs/help/";
constexpr std::string_view kPlace = "<!-- table -->";

std::string topic_title(std::string_view text) {
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
    topics.push_back({std::string(stem), topic_title(file.bytes), with_table(file.bytes, stem)});
  }
  return topics;
}

std::vector<std::string> help_words() {
  std::vector<std::string> words;
  for (const HelpTopic& topic : help_topics()) words.push_back(topic.name);
  for (const Command* command : all_commands()) words.emplace_back(command->name);
  for (const GlossaryEntry& entry : glossary()) {
    for (const std::string& name : entry.names) {
      if (name.find(' ') == std::string::npos) words.push_back(name);
    }
  }
  return words;
}

}  // namespace attn
