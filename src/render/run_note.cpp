#include "render/run_note.h"

#include <fmt/format.h>

#include "base/text.h"
#include "explain/weights_text.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr int kLongestValue = 200;     // cells
constexpr std::size_t kMostOfOne = 8;  // sentences, maps

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
  for (const auto& [name, value] : options.set) add("--set", fmt::format("{}={}", name, value));
  const auto add_all = [&](std::string_view option, const std::vector<std::string>& values) {
    for (std::size_t i = 0; i < values.size() && i < kMostOfOne; ++i) add(option, values[i]);
    if (values.size() > kMostOfOne)
      parts.push_back(say_count("more", static_cast<std::int64_t>(values.size() - kMostOfOne), {{"gap", "..."}}));
  };
  add_all("--text", options.given.text);
  if (!options.given.data.empty()) add("--data", options.given.data);
  if (!options.given.vocab.empty()) add("--vocab", options.given.vocab);
  if (!options.given_weights.file.empty()) add("--weights", options.given_weights.file);
  add_all("--map", options.given_weights.map);
  return join(parts, " ");
}

std::vector<Prose> run_notes(const Trace& trace) {
  const std::string asked = asked_text(trace.options);
  if (asked.empty()) return {};
  Prose note;
  note.runs = {run_of(Run::Kind::Text, say("run.asked") + " ", false), run_of(Run::Kind::Text, asked, true),
               run_of(Run::Kind::Text, ".", false)};
  const bool has_other_sizes = !trace.options.set.empty() || trace.options.input;
  if (trace.form == LessonForm::Lesson && has_other_sizes)
    note.runs.push_back(run_of(Run::Kind::Text, " " + say("run.other_sizes"), false));
  std::vector<Prose> notes = {std::move(note)};
  for (std::string& sentence : weights_text(trace))
    notes.emplace_back().runs.push_back(run_of(Run::Kind::Text, std::move(sentence), false));
  return notes;
}

}  // namespace attn
