#include "stepper/stepper.h"

#include <algorithm>

#include "base/letters.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include "render/text.h"
#include "stepper/action.h"
#include "stepper/answer.h"
#include "stepper/change.h"
#include "stepper/key_table.h"
#include "stepper/moves.h"
#include "stepper/prompt.h"
#include "stepper/question.h"
#include "stepper/recall.h"
#include "stepper/show.h"
#include "stepper/steps.h"
#include "stepper/why.h"
#include "syntax/characters.h"

namespace attn {
namespace {

void run_command(State& state, const KeyCommand& row, std::string_view argument) {
  if (row.asks != Asked::Command && trim(argument).empty()) {
    state.asked = row.asks;
    return;
  }
  row.run(state, argument);
}

/// Whether a name is bound where the learner is.
bool is_bound(const State& state, std::string_view name) {
  const std::vector<NameInScope> names = state.replays->names(point_of(state));
  return std::any_of(names.begin(), names.end(), [&](const NameInScope& row) { return row.name == name; });
}

/// More than a word, or the name of something: "weights.sum()", "weights".
bool is_code(const State& state, std::string_view text) {
  return text.find_first_of(".[(=+-*/@\"'") != std::string_view::npos || is_bound(state, text);
}

/// "goto 5", ":v", "=x + 1".
void run_named(State& state, std::string_view typed) {
  std::string_view text = trim(typed);
  if (text.starts_with("=")) return run_command(state, *command_of_key("="), text.substr(1));
  if (text.starts_with(":") && text.size() > 1) text = trim(text.substr(1));
  if (text.empty()) return;
  std::size_t end = std::min(text.find(' '), text.size());
  const KeyCommand* row = command_of_name(text.substr(0, end));
  if (!row && parse_int(text)) return go_to_typed(state, text);
  if (!row && is_code(state, text)) return run_line(state, text);
  if (!row) return tell(state, "command.unknown", {{"word", visible(elide(text.substr(0, end), 30))}});
  run_command(state, *row, trim(text.substr(end)));
}

// ---- what a line means, by what was asked ----

void command_line(State& state, std::string_view typed) {
  const std::string_view text = trim(typed);
  if (text.empty()) return run_command(state, *command_of_key("enter"), "");
  // At a question what is no command is an answer.
  const bool is_command =
      text.starts_with(":") || text.starts_with("=") || command_of_name(text.substr(0, text.find(' ')));
  if (state.stage == Stage::Question && !is_command) return answer_line(state, text);
  run_named(state, text);
}

void code_line(State& state, std::string_view typed) {
  if (trim(typed).empty()) return;  // back to stepping
  const std::string_view text = trim(typed).starts_with("=") ? trim(typed).substr(1) : typed;
  const Asked again = state.free_play ? Asked::FreePlay : Asked::Code;
  run_line(state, text);
  state.asked = again;
}

void begin(State& state) { go_to(state, step_count(state) > 0 ? group_end(state, 0) : 0); }

void resume_typed(State& state, std::string_view typed) {
  const std::string word = lower_case(trim(typed));
  if (word.empty() || word == "c" || word == "continue") {
    for (const auto& [key, answer] : state.progress.answers) state.answered.insert(key);
    state.earlier_lines = 0;
    return go_to(state, place_of(state, state.progress.at).value_or(0));
  }
  if (word == "r" || word == "restart") return begin(state);
  if (word == "f" || word == "forget") {
    Progress fresh;
    fresh.lesson = state.progress.lesson;
    state.progress = fresh;
    state.mastered.clear();
    state.earlier_lines = 0;
    state.actions.emplace_back(ForgetProgress{});
    tell(state, "resume.forgotten");
    return begin(state);
  }
  tell(state, "resume.how");
  state.asked = Asked::Resume;
}

void recall_typed(State& state, std::string_view typed) {
  if (answer_recalled(state, typed)) next(state, "");
}

struct LineMeaning {
  Asked asked;
  const char* prompt;  // id of its sentence; empty: made elsewhere
  void (*take)(State& state, std::string_view typed);
};

constexpr LineMeaning kMeanings[] = {
    {Asked::Command, "", command_line},
    {Asked::Named, "prompt.command", run_named},
    {Asked::Code, "prompt.code", code_line},
    {Asked::FreePlay, "prompt.play", code_line},
    {Asked::Answer, "", answer_line},
    {Asked::Goto, "prompt.goto", go_to_typed},
    {Asked::Search, "prompt.search", search_typed},
    {Asked::Setting, "prompt.set", set_typed},
    {Asked::Touch, "prompt.touch", touch_typed},
    {Asked::Difference, "prompt.diff", show_difference},
    {Asked::Export, "prompt.export", export_typed},
    {Asked::Recall, "", recall_typed},
    {Asked::Replace, "prompt.replace", replace_typed},
    {Asked::Resume, "prompt.resume", resume_typed},
};

const LineMeaning& line_meaning(Asked asked) {
  return *std::find_if(std::begin(kMeanings), std::end(kMeanings),
                       [&](const LineMeaning& row) { return row.asked == asked; });
}

// ---- events ----

bool is_sign(std::string_view key) { return key.size() == 1 && key[0] > ' ' && key[0] <= '~'; }

/// Whether an answer to the question of this step begins with that key: "3" of "3 5 6". So may keys of commands, where
/// the answer is a list or yes or no.
bool begins_answer(const State& state, std::string_view key) {
  if (!is_sign(key) || !is_asked(state)) return false;
  const Predict kind = open_question(state, state.at)->question.kind;
  constexpr std::string_view kOfLists = "[(", kOfYesAndNo = "yn";
  return !command_of_key(key) || (kind == Predict::Shape && kOfLists.find(key) != std::string_view::npos) ||
         (kind == Predict::Raises && kOfYesAndNo.find(key) != std::string_view::npos);
}

/// Keys that edit a line, pressed where there is none.
bool edits_line(std::string_view key) {
  constexpr std::string_view kKeys[] = {"tab", "backtab", "escape", "backspace", "delete", "home", "end"};
  return std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys);
}

void take(State& state, const KeyPress& key) {
  if (state.asked != Asked::Command && key.name == "escape") {  // away from the line
    if (std::exchange(state.asked, Asked::Command) == Asked::Resume) resume_typed(state, "");
    return;
  }
  const KeyCommand* row = command_of_key(key.name);
  const bool answers = begins_answer(state, key.name);
  if (row && !answers) return run_command(state, *row, "");
  if (edits_line(key.name)) return;
  if (!is_sign(key.name)) return tell(state, "key.unknown", {{"key", visible(elide(key.name, 12))}});
  if (answers) ask_answer(state);
  else state.asked = Asked::Named;
  state.input.begun = key.name;
}

/// A colon makes a command of any line. One that leads nowhere else leads back to the prompt at which it was typed.
void command_within(State& state, Asked asked, std::string_view text) {
  const std::size_t at = state.at;
  const Stage stage = state.stage;
  const bool free_play = state.free_play;
  run_named(state, text);
  const bool is_here = state.at == at && state.stage == stage && state.free_play == free_play && !exit_wanted(state);
  const bool is_prompt =
      asked == Asked::Code || asked == Asked::FreePlay || asked == Asked::Answer || asked == Asked::Recall;
  if (is_here && is_prompt && state.asked == Asked::Command) state.asked = asked;
}

/// What leads out, or asks for help, at every prompt: "q", "help", "help permute". A name of the learner's is that
/// name.
bool is_word_to_leave(const State& state, Asked asked, std::string_view text) {
  constexpr std::string_view kHelpOn = "help ";
  if (text.starts_with(kHelpOn)) {
    const std::string_view word = trim(text.substr(kHelpOn.size()));
    return std::all_of(word.begin(), word.end(), [](char c) { return c == '.' || continues_name(c); });
  }
  const bool is_word = is_word_of(text, "quit") || text == "u" || is_word_of(text, "help");
  return is_word && !is_bound(state, text) && !(asked == Asked::Goto && place_of_name(state, text));
}

/// The line without the name that was there before anything was typed: of "scores = quit", "quit". A letter may be a
/// name.
std::string_view typed_part(const State& state, Asked asked, std::string_view text) {
  const auto posed = asked == Asked::Answer ? open_question(state, state.at) : std::nullopt;
  const std::string_view own = posed ? without_name(*posed, text) : text;
  return own.size() == 1 && own != "?" ? text : own;
}

void take(State& state, const TypedLine& line) {
  const Asked asked = std::exchange(state.asked, Asked::Command);
  const std::string_view text = typed_part(state, asked, trim(line.text));
  if (text.starts_with(":")) return command_within(state, asked, text);
  if (asked != Asked::Command && asked != Asked::Named && is_word_to_leave(state, asked, text)) {
    if (text == "u" && !state.free_play) return;  // back to the keys
    return command_within(state, asked, text);
  }
  if (text.starts_with("=") && asked == Asked::Answer) {
    run_line(state, trim(text.substr(1)));
    state.asked = asked;
    return;
  }
  line_meaning(asked).take(state, line.text);
}

void take(State& state, const Resize& size) { state.options.render.width = std::max(size.columns, 1); }

void leave(State& state, int code) {
  state.actions.emplace_back(SaveProgress{});
  state.actions.emplace_back(Quit{code});
}

void take(State& state, const Interrupt&) {
  // Of a line that is typed, of a question that is answered: back to the keys. Once more, and the session ends.
  if (state.asked != Asked::Command) {
    state.asked = Asked::Command;
    state.interrupts = 1;
    return;
  }
  if (++state.interrupts > 1) return leave(state, 130);
  tell(state, "quit.again");
}

void take(State& state, const EndOfInput&) { leave(state, 0); }

void take(State& state, const Written& written) {
  if (written.error.empty()) {
    state.unwritten.reset();
    return tell(state, "export.done", {{"path", visible(written.path)}});
  }
  tell(state, "export.failed", {{"reason", visible(written.error)}});
  if (state.unwritten && !state.unwritten->replace && written.exists) state.asked = Asked::Replace;
}

Input input_of(const State& state) {
  Input input;
  input.begun = state.input.begun;
  const bool lines = state.options.accessible || state.asked != Asked::Command;
  input.kind = lines ? Input::Kind::Line : Input::Kind::Key;
  input.is_code = state.asked == Asked::Code || state.asked == Asked::FreePlay;
  const std::optional<int> number = lesson_number(trace_of(state));
  const Words place{{"lesson", number ? " " + std::to_string(*number) : ""},
                    {"step", std::to_string(std::min(state.at + 1, step_count(state)))},
                    {"steps", std::to_string(step_count(state))},
                    {"name", state.options.export_name}};
  if (state.asked == Asked::Answer) {
    const auto posed = open_question(state, state.at);
    input.prompt = posed ? posed_prompt(*posed) : "";
    if (posed && is_written(*posed)) input.begun = posed->question.write + " = " + input.begun;
    input.is_code = posed && posed->question.kind == Predict::None;
  } else if (state.asked == Asked::Recall) {
    input.prompt = recall_prompt(state);
  } else if (state.asked == Asked::Command) {
    input.prompt = lines ? say("prompt.accessible", place) : legend(state);
  } else {
    input.prompt = say(line_meaning(state.asked).prompt, place);
  }
  if (lines && input.prompt.ends_with('>')) input.prompt += ' ';
  return input;
}

bool was_missed(const State& state, std::size_t at) {
  const auto posed = posed_at(state, at);
  if (!posed) return false;
  const auto answer = state.progress.answers.find(posed->key);
  return answer != state.progress.answers.end() && answer->second.is_missed();
}

/// What was saved of a lesson whose text has changed goes on by the steps that it has now. A run that failed lacks
/// steps for other reasons.
void carry_over(State& state) {
  if (state.progress.empty() || trace_of(state).outcome != RunOutcome::Fine) return;
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < step_count(state); ++i) ids.push_back(step_at(state, i).id);
  CarriedProgress carried = carried_over(state.progress, ids);
  if (!carried.is_older) return;
  state.progress = std::move(carried.progress);
  if (carried.lost_place && step_count(state) > 0)
    state.progress.at = step_at(state, chapter_of(state, place_of(state, state.progress.at).value_or(0)).begin).id;
  tell(state, carried.lost_place ? "resume.changed.place" : "resume.changed",
       {{"kept", std::to_string(carried.kept)}, {"count", std::to_string(carried.answers)}});
  // Saving merges with what is there: the old names would come back.
  state.actions.emplace_back(ForgetProgress{});
  state.actions.emplace_back(SaveProgress{});
}

}  // namespace

State start_session(Lesson lesson, Trace trace, SessionOptions options, Progress progress, int step) {
  State state;
  const std::string id = trace.lesson_id;
  state.run = lesson_run(std::make_shared<const Lesson>(std::move(lesson)), std::move(trace));
  state.replays = std::make_shared<Replays>(state.run->lesson, state.run->trace);
  state.options = std::move(options);
  if (state.options.export_name.empty()) state.options.export_name = id;
  state.progress = std::move(progress);
  if (state.progress.lesson.empty()) state.progress.lesson = id;
  carry_over(state);
  state.progress.given = given_to_keep(state);
  state.mastered = state.progress.seen;
  state.earlier_lines = state.progress.typed.size();
  const auto place = place_of(state, state.progress.at);
  if (state.options.accessible) tell(state, "accessible.how");
  if (step > 0) {
    go_to(state, static_cast<std::size_t>(step - 1));
  } else if (place && (group_begin(state, *place) > 0 || state.progress.finished)) {
    tell(state, "resume.found", {{"step", std::to_string(*place + 1)}, {"steps", std::to_string(step_count(state))}});
    state.asked = Asked::Resume;
  } else {
    begin(state);
  }
  state.input = input_of(state);
  return state;
}

std::shared_ptr<const State> question_to_recall(Lesson lesson, Trace trace, SessionOptions options, Progress progress) {
  options.quiz = options.fade = options.no_skip = false;
  State state = start_session(std::move(lesson), std::move(trace), std::move(options), std::move(progress), 1);
  for (std::size_t at = 0; at < step_count(state); ++at) {
    if (!was_missed(state, at)) continue;
    go_to(state, at);
    return std::make_shared<const State>(std::move(state));
  }
  return nullptr;
}

State update(State state, const Event& event) {
  state.said.clear();
  state.is_list = false;
  state.actions.clear();
  state.input.begun.clear();
  if (!std::holds_alternative<Interrupt>(event)) state.interrupts = 0;
  const Asked asked = state.asked;
  try {
    std::visit([&](const auto& happened) { take(state, happened); }, event);
  } catch (const LimitReached& limit) {  // while the lesson was run again
    state.asked = asked;
    if (limit.kind() == LimitReached::Kind::Interrupt) tell(state, "prompt.interrupted");
    else tell_text(state, limit.what());
  }
  state.input = input_of(state);
  return state;
}

std::string_view view(const State& state) { return state.said; }

std::optional<int> exit_wanted(const State& state) {
  for (const Action& action : state.actions) {
    if (const Quit* quit = std::get_if<Quit>(&action)) return quit->code;
  }
  return std::nullopt;
}

}  // namespace attn
