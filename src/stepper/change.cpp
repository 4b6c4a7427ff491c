#include "stepper/change.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "base/text.h"
#include "engine/own_input.h"
#include "engine/parameters.h"
#include "engine/runner.h"
#include "engine/touch.h"
#include "explain/lint/notes.h"
#include "explain/messages.h"
#include "render/run_difference.h"
#include "stepper/question.h"
#include "stepper/show.h"
#include "stepper/steps.h"

namespace attn {
namespace {

/// A run with one thing changed, and what that is before and after, as one types it.
struct Changed {
  RunOptions options;
  std::string before, after;
};

/// "n_heads=4", from the settings or else from the lesson.
std::string label_of(const std::string& name, const std::map<std::string, std::string>& settings,
                     const Lesson& lesson) {
  if (const auto set = settings.find(name); set != settings.end()) return name + "=" + set->second;
  for (const LessonParameter& parameter : parameters_of(lesson))
    if (parameter.name == name) return name + "=" + parameter.literal;
  return name;
}

Changed with_setting(const State& state, const std::string& name, const std::string& value) {
  Changed out{trace_of(state).options, "", ""};
  if (out.options.seed) out.options.set["seed"] = std::to_string(*out.options.seed);
  out.options.seed.reset();
  out.before = label_of(name, out.options.set, *state.run->lesson);
  out.options.set[name] = value;
  out.after = label_of(name, out.options.set, *state.run->lesson);
  return out;
}

std::string text_label(const GivenInput& given) {
  return visible(given.data.empty() ? "text=" + join(given.text, " | ") : "--data " + given.data);
}

/// What stands between two bars, without blanks and quotes around it.
std::string sentence_of(std::string_view typed) {
  typed = trim(typed);
  if (typed.size() > 1 && typed.front() == '"' && typed.back() == '"') typed = typed.substr(1, typed.size() - 2);
  return std::string(typed);
}

/// Sentences with | between them; without a word: the lesson's own again.
Changed with_text(const State& state, std::string_view value) {
  Changed out{trace_of(state).options, text_label(trace_of(state).options.given), ""};
  const std::shared_ptr<const OwnInput> before = std::exchange(out.options.input, nullptr);
  const std::string vocab = std::exchange(out.options.given, {}).vocab;
  std::vector<Source> texts;
  while (!trim(value).empty()) {
    const std::size_t bar = std::min(value.find('|'), value.size());
    out.options.given.text.push_back(sentence_of(value.substr(0, bar)));
    texts.push_back({"text", out.options.given.text.back()});
    value.remove_prefix(std::min(bar + 1, value.size()));
  }
  if (!texts.empty()) {
    OwnInput input = own_text(std::move(texts));
    if (before) input.vocabulary = before->vocabulary;
    if (before) out.options.given.vocab = vocab;
    out.options.input = std::make_shared<const OwnInput>(std::move(input));
  }
  out.after = text_label(out.options.given);
  return out;
}

/// Takes the place of the run; the learner stays at the same step.
void take_run(State& state, Trace trace) {
  const std::string id = at_end(state) ? "" : step_at(state, state.at).id;
  state.run = lesson_run(state.run->lesson, std::move(trace));
  state.seen.clear();
  state.replays = std::make_shared<Replays>(state.run->lesson, state.run->trace);
  state.at = std::min(place_of(state, id).value_or(id.empty() ? step_count(state) : state.at), step_count(state));
  state.progress.given = given_to_keep(state);
  state.typed.clear();
  state.slice.clear();
  state.stage = open_question(state, state.at) ? Stage::Question : Stage::Shown;
}

const char* key_of_done(const Changed& changed) {
  if (changed.before.starts_with("--")) return "set.done.data";  // no line can be typed that goes back
  return changed.after == text_label({}) ? "set.done.own" : "set.done";
}

void tell_refused(State& state, const Trace& trace, const std::string& label) {
  const std::string error = explained(trace.diagnostics.back()).message;
  tell(state, "runs.failed.nowhere", {{"label", label}, {"error", visible(error)}});
}

void tell_user_error(State& state, const UserError& error) {
  const RenderOptions& render = state.options.render;
  if (const Source* source = error.source())
    state.said += draw(error.diagnostic(), *source, {render.color, render.width});
  else tell_text(state, error.what());
  for (const std::string& item : error.items()) tell_text(state, item);
}

}  // namespace

std::shared_ptr<const LessonRun> lesson_run(std::shared_ptr<const Lesson> lesson, Trace trace) {
  auto run = std::make_shared<LessonRun>();
  run->lesson = std::move(lesson);
  run->order = visible_steps(trace);
  run->trace = std::make_shared<const Trace>(std::move(trace));
  return run;
}

void set_typed(State& state, std::string_view typed) {
  const std::string_view text = trim(typed);
  if (text.empty()) return;
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) return tell(state, "set.how");
  const std::string name(trim(text.substr(0, equals))), value(trim(text.substr(equals + 1)));
  try {
    const Changed changed = name == "text" ? with_text(state, value) : with_setting(state, name, value);
    Trace trace = run_lesson(*state.run->lesson, changed.options);
    note_findings(trace, *state.run->lesson);
    if (trace.outcome == RunOutcome::Interrupted) return tell(state, "prompt.interrupted");
    // How far the lesson comes with a parameter that it cannot have is worth a look; with words that it refuses it is
    // not.
    if (trace.outcome != RunOutcome::Fine && name == "text") return tell_refused(state, trace, changed.after);
    state.said +=
        render_side_by_side({{changed.before, &trace_of(state)}, {changed.after, &trace}}, state.options.render);
    if (trace.outcome != RunOutcome::Fine && trace_of(state).outcome == RunOutcome::Fine)
      return tell(state, "set.refused", {{"after", changed.after}});
    take_run(state, std::move(trace));
    tell(state, key_of_done(changed), {{"after", changed.after}, {"before", changed.before}});
  } catch (const UserError& error) {
    tell_user_error(state, error);
  } catch (const LimitReached& limit) {
    tell_text(state, limit.what());
  }
}

void touch_typed(State& state, std::string_view typed) {
  if (trim(typed).empty()) return;
  try {
    const Trace touched = run_touched(*state.run->lesson, trace_of(state), trim(typed));
    state.said += render_touched(trace_of(state), touched, state.options.render);
  } catch (const UserError& error) {
    tell_user_error(state, error);
  } catch (const LimitReached& limit) {
    tell_text(state, limit.what());
  }
}

void free_play(State& state, std::string_view code) {
  if (!state.free_play) tell(state, "free.begin");
  state.free_play = true;
  state.asked = Asked::FreePlay;
  (void)code;
}

void leave_free_play(State& state, std::string_view) {
  if (!state.free_play) return tell(state, "free.not");
  state.free_play = false;
  state.typed.clear();
  tell(state, "free.end");
  show_place(state, false);
}

}  // namespace attn
