#include "text/say.h"

#include <algorithm>
#include <stdexcept>

#include "text/sentences.h"

namespace attn {

std::optional<std::string> filled(std::string_view text,
                                  const std::function<std::optional<std::string>(std::string_view name)>& resolve) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    const std::optional<std::string> word = resolve(text.substr(open + 1, close - open - 1));
    if (!word) return std::nullopt;
    out += *word;
    text.remove_prefix(close + 1);
  }
  return out;
}

std::string say(std::string_view id, const Words& words) {
  const auto resolve = [&](std::string_view name) -> std::optional<std::string> {
    const auto found = std::find_if(words.begin(), words.end(), [&](const auto& word) { return word.first == name; });
    return found == words.end() ? std::nullopt : std::optional(found->second);
  };
  for (const Sentence& sentence : sentences_of(id))
    if (std::optional<std::string> text = filled(sentence.text(), resolve)) return *text;
  throw std::logic_error("no sentence '" + std::string(id) + "' with these words");
}

std::string say_count(std::string_view id, std::int64_t count, Words words) {
  if (count == 1) return say(std::string(id) + ".one", words);
  words.emplace_back("count", std::to_string(count));
  return say(id, words);
}

std::string did_you_mean(std::string_view near) {
  return near.empty() ? "" : say("did_you_mean", {{"name", std::string(near)}});
}

}  // namespace attn
