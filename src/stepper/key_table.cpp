#include "stepper/key_table.h"

#include <algorithm>

#include "base/text.h"
#include "explain/lint/notes.h"
#include "stepper/answer.h"
#include "stepper/change.h"
#include "stepper/moves.h"
#include "stepper/prompt.h"
#include "stepper/question.h"
#include "stepper/show.h"
#include "stepper/steps.h"
#include "stepper/why.h"
#include "text/say.h"

namespace attn {
namespace {

void list(State& state, std::string_view word) {
  show_steps(state, word);
  if (trim(word).empty()) state.asked = Asked::Search;
}
void names(State& state, std::string_view) { show_names(state); }
void map(State& state, std::string_view) { show_map(state); }
void inspect(State& state, std::string_view name) { show_inspection(state, trim(name)); }
void why(State& state, std::string_view name) { show_reasons(state, name); }
void help(State& state, std::string_view word) { show_help(state, trim(word)); }
void show_again(State& state, std::string_view) { show_place(state); }
void watch(State& state, std::string_view typed) {
  const std::string name(trim(typed));
  if (name.empty() && state.watched.empty()) return tell(state, "watch.how");
  if (name.empty()) return tell(state, "watch.list", {{"list", join(state.watched, ", ")}});
  if (std::erase(state.watched, name) > 0) return tell(state, "watch.end", {{"name", visible(elide(name, 40))}});
  if (!place_of_name(state, name)) return tell(state, "goto.nowhere", {{"name", visible(elide(name, 40))}});
  state.watched.push_back(name);
  tell(state, "watch.begin", {{"name", name}});
}
void set(State& state, std::string_view typed) {
  if (!trim(typed).empty()) return set_typed(state, typed);
  show_parameters(state);
  state.asked = Asked::Setting;
}
void code(State& state, std::string_view typed) {
  if (!trim(typed).empty()) run_line(state, trim(typed));
  state.asked = state.free_play ? Asked::FreePlay : Asked::Code;
}
void predict(State& state, std::string_view answer) {
  if (trim(answer).empty() || state.stage != Stage::Question) return ask_answer(state);
  answer_line(state, answer);
}
void command(State& state, std::string_view) { state.asked = Asked::Named; }
void quit(State& state, std::string_view) {
  state.actions.emplace_back(SaveProgress{});
  state.actions.emplace_back(Quit{.tells_what_is_saved = true});
}

constexpr Asked kNothing = Asked::Command;
constexpr std::string_view kExit = "exit";  // what leaves other programs

constexpr KeyCommand kRows[] = {
    {"n enter space right down pagedown", "next", "[n]ext", "key.next", kNothing, next},
    {"b left up pageup", "back", "[b]ack", "key.back", kNothing, back},
    {"f", "into", "", "key.into", kNothing, into},
    {"F", "out", "", "key.out", kNothing, out_of},
    {"c", "chapter", "", "key.chapter", kNothing, next_prose},
    {"C", "rechapter", "", "key.rechapter", kNothing, previous_prose},
    {"g", "goto", "[g]oto", "key.goto", Asked::Goto, go_to_typed},
    {"!", "suspect", "", "key.suspect", kNothing, next_suspect},
    {"l", "list", "[l]ist", "key.list", kNothing, list},
    {"/", "search", "", "key.search", Asked::Search, search_typed},
    {"]", "slice", "[ ] slices", "key.slice", kNothing, slice_next},
    {"[", "unslice", "", "key.unslice", kNothing, slice_back},
    {"p", "predict", "[p]redict", "key.predict", kNothing, predict},
    {"h", "hint", "[h]int", "key.hint", kNothing, hint},
    {"", "skip", "", "key.skip", kNothing, skip},
    {"v", "names", "[v]names", "key.names", kNothing, names},
    {"m", "map", "", "key.map", kNothing, map},
    {"i", "inspect", "[i]nspect", "key.inspect", kNothing, inspect},
    {"w", "why", "[w]hy", "key.why", kNothing, why},
    {"", "watch", "", "key.watch", kNothing, watch},
    {"", "diff", "", "key.diff", Asked::Difference, show_difference},
    {"s", "set", "[s]et", "key.set", kNothing, set},
    {"t", "touch", "[t]ouch", "key.touch", Asked::Touch, touch_typed},
    {"x", "play", "", "key.play", kNothing, free_play},
    {"u", "return", "", "key.return", kNothing, leave_free_play},
    {"e", "export", "", "key.export", Asked::Export, export_typed},
    {"=", "code", "[=]code", "key.code", kNothing, code},
    {":", "command", "", "key.command", kNothing, command},
    {". ctrl-l", "show", "", "key.show", kNothing, show_again},
    {"?", "help", "[?]", "key.help", kNothing, help},
    {"q exit", "quit", "[q]uit", "key.quit", kNothing, quit},
};

/// Which commands the legend names: at a question others than at a step.
constexpr std::string_view kAtQuestion[] = {"predict", "hint", "back", "names", "code", "help", "quit"};
constexpr std::string_view kAtStep[] = {"next",  "back",    "slice", "suspect", "goto", "list", "why",
                                        "names", "inspect", "set",   "touch",   "code", "help", "quit"};
constexpr std::string_view kInFreePlay[] = {"code", "names", "return", "help", "quit"};

bool has_key(const KeyCommand& row, std::string_view key) {
  std::string_view keys = row.key;
  while (!keys.empty()) {
    const std::size_t end = std::min(keys.find(' '), keys.size());
    if (keys.substr(0, end) == key) return true;
    keys.remove_prefix(std::min(end + 1, keys.size()));
  }
  return false;
}

// Of one's own file; what a lesson shows on purpose is no suspect.
bool has_notes(const State& state) {
  return trace_of(state).form != LessonForm::Lesson && !noted_lines(trace_of(state)).empty();
}

std::span<const std::string_view> legend_rows(const State& state) {
  if (state.free_play) return kInFreePlay;
  if (state.stage == Stage::Question) return kAtQuestion;
  return kAtStep;
}

std::string legend_word(std::string_view name) {
  const KeyCommand* row = command_of_name(name);
  return std::string(row->legend.empty() ? "[" + std::string(row->key) + "]" + std::string(row->name) : row->legend);
}

}  // namespace

std::span<const KeyCommand> session_commands() { return kRows; }

const KeyCommand* command_of_key(std::string_view key) {
  for (const KeyCommand& row : kRows) {
    if (has_key(row, key)) return &row;
  }
  return nullptr;
}

bool begins_command(std::string_view letters) {
  return !letters.empty() && std::any_of(std::begin(kRows), std::end(kRows), [&](const KeyCommand& row) {
    return row.name.starts_with(letters) || kExit.starts_with(letters);
  });
}

bool is_command(std::string_view word) {
  return word == kExit ||
         std::any_of(std::begin(kRows), std::end(kRows), [&](const KeyCommand& row) { return row.name == word; });
}

bool is_word_of(std::string_view word, std::string_view command) {
  const KeyCommand* row = command_of_name(command);
  return row && (row->name == word || has_key(*row, word));
}

const KeyCommand* command_of_name(std::string_view name) {
  const KeyCommand* begun = nullptr;
  int count = 0;
  for (const KeyCommand& row : kRows) {
    if (row.name == name) return &row;
    if (!name.empty() && row.name.starts_with(name)) {
      begun = &row;
      ++count;
    }
  }
  if (const KeyCommand* row = command_of_key(name)) return row;
  return count == 1 ? begun : nullptr;
}

void answer_line(State& state, std::string_view typed) {
  const std::string_view text = trim(typed);
  answer_typed(state, text, command_of_key(text) || command_of_name(text));
}

std::string legend(const State& state) {
  std::string text = say("step.short", {{"step", std::to_string(std::min(state.at + 1, step_count(state)))},
                                        {"steps", std::to_string(step_count(state))}});
  if (state.free_play) text += " " + say("free.mark");
  // The last two, help and quit, always; of the others as many as fit.
  const std::span<const std::string_view> rows = legend_rows(state);
  const std::string end = " " + legend_word(rows[rows.size() - 2]) + " " + legend_word(rows.back());
  for (const std::string_view name : rows.first(rows.size() - 2)) {
    if (name == "slice" && !has_slices(state)) continue;
    if (name == "suspect" && !has_notes(state)) continue;
    const std::string word = " " + legend_word(name);
    if (display_width(text) + display_width(word) + display_width(end) >= state.options.render.width) break;
    text += word;
  }
  if (display_width(text) + display_width(end) < state.options.render.width) text += end;
  return text;
}

}  // namespace attn
