#include "render/run_note.h"

#include <fmt/format.h>

#include "base/text.h"
#include "explain/messages.h"

namespace attn {
namespace {

constexpr int kLongestValue = 200;  // cells
constexpr std::size_t kMostSentences = 8;

/// In quotes when it holds a blank.
std::string value_text(std::string_view value) {
  const std::string shown = elide(visible(value), kLongestValue);
  const bool is_plain = !shown.empty() && shown.find_first_of(" \t\n'\"") == std::string::npos;
  return is_plain ? shown : "\"" + shown + "\"";
}

Run run_of(Run::Kind kind, std::string text, bool code) {
  Run run;
  run.kind = kind;
  run.text = std::move(text);
  run.code = code;
  return run;
}

}  // namespace

std::string asked_text(const RunOptions& options) {
  std::vector<std::string> parts;
  const auto add = [&](std::string_view option, std::string_view value) {
    parts.push_back(fmt::format("{} {}", option, value_text(value)));
  };
  if (options.seed) add("--seed", std::to_string(*options.seed));
  for (const auto& [name, value] : options.set) add("--set", name + "=" + value);
  for (std::size_t i = 0; i < options.given.text.size() && i < kMostSentences; ++i)
    add("--text", options.given.text[i]);
  if (options.given.text.size() > kMostSentences)
    parts.push_back(
        say_count("more", static_cast<std::int64_t>(options.given.text.size() - kMostSentences), {{"gap", "..."}}));
  if (!options.given.data.empty()) add("--data", options.given.data);
  if (!options.given.vocab.empty()) add("--vocab", options.given.vocab);
  return join(parts, " ");
}

std::optional<Prose> run_note(const Trace& trace) {
  const std::string asked = asked_text(trace.options);
  if (asked.empty()) return std::nullopt;
  Prose note;
  note.runs = {run_of(Run::Kind::Text, say("run.asked") + " ", false), run_of(Run::Kind::Text, asked, true),
               run_of(Run::Kind::Text, ".", false)};
  const bool has_other_sizes = !trace.options.set.empty() || trace.options.input;
  if (trace.form == LessonForm::Lesson && has_other_sizes)
    note.runs.push_back(run_of(Run::Kind::Text, " " + say("run.other_sizes"), false));
  return note;
}

}  // namespace attn
