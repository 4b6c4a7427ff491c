// attn-tutor help: a topic, a command, a word of the glossary, or an op.
#include "base/text.h"
#include "cli/command.h"
#include "cli/description.h"
#include "cli/help_topics.h"
#include "cli/output.h"
#include "render/callables.h"
#include "render/glossary.h"
#include "text/say.h"

namespace attn {
namespace {

std::string overview(const RenderOptions& options) {
  std::vector<std::string> names;
  for (const HelpTopic& topic : help_topics()) names.push_back(topic.name);
  return usage_of("") + "\n" +
         drawn_markdown(say("help.topics", {{"list", join(names, ", ")}}) + "\n" + say("help.more"), options);
}

// Nothing when there is no such topic, command, word or op.
std::string text_on(const std::string& word, const RenderOptions& options) {
  for (const HelpTopic& topic : help_topics()) {
    if (topic.name == word) return drawn_markdown(topic.text, options);
  }
  if (std::string usage = word.empty() ? "" : usage_of(word); !usage.empty()) return usage;
  if (const GlossaryEntry* entry = glossary_entry(word)) return drawn_markdown(entry->text, options);
  return callable_details(word);
}

int run_help(const Request& request) {
  const RenderOptions options = render_options(request);
  const std::string text = request.word.empty() ? overview(options) : text_on(request.word, options);
  if (!text.empty()) {
    page_out(text, request);
    return kFine;
  }
  const std::string near = nearest(request.word, help_words());
  std::vector<std::string> names;
  for (const HelpTopic& topic : help_topics()) names.push_back(topic.name);
  throw UserError(say("help.unknown", {{"topic", elide(request.word, 40)}}),
                  near.empty() ? say("help.topics", {{"list", join(names, ", ")}}) : did_you_mean(near));
}

}  // namespace

const Command kHelpCommand = {
    "help", "Explains a topic (keys, lessons, ...), a command, or a word on the screen (softmax, C3, permute).",
    kTakesTopic | kTakesView, run_help, "attn-tutor help keys"};

}  // namespace attn
