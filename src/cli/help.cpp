// attn-tutor help: a topic, a command, or a word of the glossary.
#include <algorithm>

#include "base/text.h"
#include "cli/command.h"
#include "cli/description.h"
#include "cli/help_topics.h"
#include "cli/output.h"
#include "lesson/load.h"
#include "render/prose.h"
#include "text/say.h"

namespace attn {
namespace {

std::string drawn(const std::string& markdown, const RenderOptions& options) {
  LoadFindings ignored;
  std::vector<Prose> blocks;
  for (LessonBlock& block : read_markdown(clean_source("", markdown, ignored), {}, ignored)) {
    if (Prose* prose = std::get_if<Prose>(&block)) blocks.push_back(std::move(*prose));
  }
  Page page(options);
  put_prose(page, blocks);
  return page.text();
}

std::string overview(const RenderOptions& options) {
  std::vector<std::string> names;
  for (const HelpTopic& topic : help_topics()) names.push_back(topic.name);
  return usage_of("") + "\n" +
         drawn(say("help.topics", {{"list", join(names, ", ")}}) + "\n" + say("help.more"), options);
}

const HelpTopic* find(const std::vector<HelpTopic>& topics, std::string_view word) {
  const auto row =
      std::find_if(topics.begin(), topics.end(), [&](const HelpTopic& topic) { return topic.name == word; });
  return row == topics.end() ? nullptr : &*row;
}

// Nothing when there is no such topic, command or word.
std::string text_on(const std::string& word, const RenderOptions& options) {
  const std::vector<HelpTopic> topics = help_topics(), words = glossary();
  if (const HelpTopic* topic = find(topics, word)) return drawn(topic->text, options);
  if (std::string usage = word.empty() ? "" : usage_of(word); !usage.empty()) return usage;
  if (const HelpTopic* entry = find(words, word)) return drawn(entry->text, options);
  return "";
}

int run_help(const Request& request) {
  const RenderOptions options = render_options(request);
  const std::string text = request.word.empty() ? overview(options) : text_on(request.word, options);
  if (!text.empty()) {
    write_out(text);
    return kFine;
  }
  const std::string near = nearest(request.word, help_words());
  std::vector<std::string> names;
  for (const HelpTopic& topic : help_topics()) names.push_back(topic.name);
  throw UserError(say("help.unknown", {{"topic", elide(request.word, 40)}}),
                  near.empty() ? say("help.topics", {{"list", join(names, ", ")}}) : did_you_mean(near));
}

}  // namespace

const Command kHelpCommand = {"help", "A topic (keys, lessons, language, ...), a command, or a word of the glossary.",
                              kTakesTopic | kTakesView, run_help, "attn-tutor help keys"};

}  // namespace attn
