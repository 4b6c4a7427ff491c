// The list of steps, names and shapes, all that is known of one tensor, help, parameters.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/letters.h"
#include "base/text.h"
#include "engine/parameters.h"
#include "render/callables.h"
#include "render/glossary.h"
#include "render/run_note.h"
#include "render/source.h"
#include "render/step.h"
#include "render/table.h"
#include "stepper/key_table.h"
#include "stepper/prompt.h"
#include "stepper/question.h"
#include "stepper/record.h"
#include "stepper/show.h"
#include "stepper/steps.h"
#include "stepper/why.h"
#include "syntax/names.h"
#include "syntax/parser.h"

namespace attn {
namespace {

constexpr int kWidestName = 20;

std::string first_line(std::string_view text) {
  text = trim(text);
  return std::string(text.substr(0, text.find('\n')));
}

/// A question's code stays unseen until it is answered where it is the answer.
std::string code_of(const State& state, std::size_t at) {
  const auto posed = open_question(state, at);
  if (posed && posed->question.kind == Predict::None) return posed->question.write + " = ____";
  return first_line(statement_text(trace_of(state), step_at(state, at)));
}

/// "*" seen, "+" right, "-" wrong or skipped, "?" asked and not answered.
std::string mark_of(const State& state, std::size_t at) {
  const auto posed = posed_at(state, at);
  const auto answer = posed ? state.progress.answers.find(posed->key) : state.progress.answers.end();
  if (answer != state.progress.answers.end()) return answer->second.mark == Mark::Right ? "+" : "-";
  if (posed) return "?";
  return state.progress.seen.contains(step_at(state, at).id) ? "*" : " ";
}

bool holds(const State& state, std::size_t at, const std::string& word) {
  if (lower_case(code_of(state, at)).find(word) != std::string::npos) return true;
  const std::vector<Binding>& bindings = step_at(state, at).bindings;
  return std::any_of(bindings.begin(), bindings.end(),
                     [&](const Binding& b) { return lower_case(b.target).find(word) != std::string::npos; });
}

int depth_of(const Trace& trace, const Step& step) {
  int depth = 0;
  for (StepId up = step.parent; up >= 0; up = trace.step(up).parent) ++depth;
  return depth;
}

std::string tuple_text(const Shape& shape) {
  std::vector<std::string> parts;
  for (const std::int64_t size : shape) parts.push_back(std::to_string(size));
  return "(" + join(parts, ", ") + ")";
}

/// What the hidden cells bind.
std::set<std::string> hidden_definitions(const State& state) {
  std::set<std::string> names;
  for (const Cell* cell : cells(*state.run->lesson)) {
    if (!cell->options.hidden || !cell->tree) continue;
    for (const Symbol name : bound_names(cell->tree->block)) names.emplace(name.text());
  }
  return names;
}

/// Another name that is bound to a view of the same storage.
std::string sharer(const State& state, const FoundValue& found, const RecordedValue& value) {
  const Trace& trace = trace_of(state);
  for (std::size_t i = found.at + 1; i-- > 0;) {
    for (const Binding& binding : step_at(state, i).bindings) {
      if (binding.value < 0 || binding.target == found.name) continue;
      const RecordedValue& other = trace.value(binding.value);
      if (other.is_tensor && other.storage == value.storage) return binding.target;
    }
  }
  return {};
}

/// As the steps up to `last` bind them. What only a hidden cell binds is left out.
void sort_by_appearance(const State& state, std::vector<NameInScope>& names, std::size_t last) {
  const std::set<std::string> helpers = hidden_definitions(state);
  std::map<std::string, std::size_t> places;
  for (const NameInScope& name : names) {
    const auto place = first_place_of(state, name.name, last);
    if (place) places[name.name] = *place;
  }
  std::erase_if(names,
                [&](const NameInScope& name) { return !places.contains(name.name) && helpers.contains(name.name); });
  std::stable_sort(names.begin(), names.end(), [&](const NameInScope& a, const NameInScope& b) {
    const auto place_in = [&](const NameInScope& name) {
      const auto place = places.find(name.name);  // parameters of the call, and what was typed, first
      return std::pair(!name.is_local, place == places.end() ? std::size_t{0} : place->second + 1);
    };
    return place_in(a) < place_in(b);
  });
}

// The name of no command and of no word in the glossary: it may be a function's.
void help_on_call(State& state, const std::string& name) {
  const std::string details = callable_details(name);
  if (details.empty()) return tell(state, "help.unknown", {{"topic", visible(elide(name, 30))}});
  state.said += details;
}

// Behind the steps of rounds that the list leaves out: all but the first, the last, and those numbered as the one where
// the learner is. `at` itself where it is to be listed.
std::size_t behind_folded(const State& state, std::size_t at) {
  const auto round = [&](std::size_t i) {
    return i < step_count(state) ? step_at(state, i).iteration : std::int64_t{-1};
  };
  const std::int64_t here = round(state.at);
  if (round(at) < static_cast<std::int64_t>(kFirstRounds) || round(at) == here) return at;
  std::size_t last = at;  // where the last round of the loop begins
  for (std::size_t i = at + 1; round(i) >= round(i - 1); ++i)
    if (round(i) != round(i - 1)) last = i;
  std::size_t behind = at;
  while (behind < last && round(behind) != here) ++behind;
  const bool are_several = behind > at && round(behind - 1) > round(at);
  return are_several ? behind : at;
}

}  // namespace

void show_steps(State& state, std::string_view word) {
  state.is_list = true;
  Page page(state.options.render);
  const std::string wanted = lower_case(trim(word));
  int found = 0;
  for (std::size_t i = 0; i < step_count(state); ++i) {
    if (!wanted.empty() && !holds(state, i, wanted)) continue;
    ++found;
    if (const std::size_t end = wanted.empty() ? behind_folded(state, i) : i; end > i) {
      const auto number = [&](std::size_t at) { return std::to_string(step_at(state, at).iteration + 1); };
      Line line("     ", Style::Dim);
      page.put(line.add_blanks(2 + 2 * depth_of(trace_of(state), step_at(state, i)))
                   .add(say("list.rounds",
                            {{"first", number(i)}, {"last", number(end - 1)}, {"count", std::to_string(end - i)}}),
                        Style::Dim));
      i = end - 1;
      continue;
    }
    Line line(i == state.at ? ">" : " ", Style::Strong);
    line.add(Line(std::to_string(i + 1), Style::Dim).pad_left(4)).add(" " + mark_of(state, i) + " ");
    line.add_blanks(2 * depth_of(trace_of(state), step_at(state, i)));
    const int room = page.width() - line.width();
    page.put(line.add(shortened(code_of(state, i), std::max(room, 8), page.options()), Style::Code));
  }
  if (found == 0) page.put(say("list.nothing", {{"word", visible(elide(word, 40))}}));
  else page.put(say("list.marks"), Style::Dim);
  state.said += page.text();
}

void show_names(State& state) {
  state.is_list = true;
  Page page(state.options.render);
  std::vector<NameInScope> names = state.replays->names(point_of(state));
  const std::size_t here = std::min(state.at, std::max<std::size_t>(step_count(state), 1) - 1);
  sort_by_appearance(state, names, here);
  std::vector<ChangedName> changed;
  if (state.stage == Stage::Shown && !at_end(state)) changed = changed_names(state, group_begin(state, here), here);
  int width = 4;
  for (const NameInScope& name : names) width = std::max(width, display_width(name.name));
  width = std::min(width, kWidestName);
  const auto put = [&](const NameInScope& name) {
    Line line = Line(shortened(name.name, width, page.options()), Style::Name).pad_right(width + 2);
    const std::string text = name.value.is_tensor ? axes_text(name.value) : first_line(name.value.text);
    line.add(name.value.is_tensor ? text : shortened(text, std::max(8, page.width() - width - 2), page.options()));
    if (name.value.is_tensor && name.value.dtype != DType::Float32)
      line.add("  " + std::string(short_name(name.value.dtype)), Style::Dim);
    const auto mark =
        std::find_if(changed.begin(), changed.end(), [&](const ChangedName& row) { return row.name == name.name; });
    if (mark != changed.end()) line.add("  " + say(mark->is_new ? "names.new" : "names.changed"), Style::Strong);
    page.put(line, width + 2);
  };
  // Tensors first: they are what one asks for.
  for (const bool tensors : {true, false}) {
    for (const NameInScope& name : names) {
      if (name.value.is_tensor == tensors) put(name);
    }
    if (tensors) page.gap();
  }
  if (names.empty()) page.put(say("names.none"));
  state.said += page.text();
}

void show_help(State& state, std::string_view word) {
  state.is_list = true;
  Page page(state.options.render);
  const KeyCommand* wanted = word.empty() ? nullptr : command_of_name(word);
  // "view" is a word of the lesson, not the beginning of a command.
  if (const GlossaryEntry* entry = wanted && wanted->name == word ? nullptr : glossary_entry(word)) {
    state.said += drawn_markdown(entry->text, state.options.render);
    return;
  }
  if (!word.empty() && !wanted) return help_on_call(state, std::string(word));
  for (const KeyCommand& row : session_commands()) {
    if (wanted && &row != wanted) continue;
    Line line = Line("  ").add(row.key, Style::Strong).pad_right(17);
    line.add(row.name, Style::Name).pad_right(28);
    if (page.width() < 60) {
      page.put(Line(row.key, Style::Strong).add(" ").add(row.name, Style::Name));
      page.put(Line("  ").add(say(row.help)), 2);
    } else {
      page.put(line.add(say(row.help)), 28);
    }
  }
  if (!wanted) {
    page.gap();
    page.put(Line(say("help.prompt")), 2);
  }
  state.said += page.text();
}

void show_parameters(State& state) {
  if (parameters_of(*state.run->lesson).empty()) return tell(state, "set.none");
  std::vector<std::string> parts;
  for (const auto& [name, value] : parameter_values(state)) parts.push_back(fmt::format("{}={}", name, value));
  tell(state, "set.parameters", {{"list", join(parts, "  ")}});
}

std::optional<FoundValue> find_value(const State& state, std::string_view name) {
  if (step_count(state) == 0) return std::nullopt;
  const std::size_t last = std::min(state.at, step_count(state) - 1);
  const std::size_t end = state.stage == Stage::Question && !at_end(state) ? last : last + 1;
  for (std::size_t i = end; i-- > 0;) {
    const Step& step = step_at(state, i);
    for (auto binding = step.bindings.rbegin(); binding != step.bindings.rend(); ++binding) {
      const bool fits = name.empty() ? binding->value >= 0 && binding->value == shown_value(trace_of(state), step)
                                     : binding->target == name && binding->value >= 0;
      if (fits) return FoundValue{binding->target, binding->value, i};
    }
    const ValueId value = shown_value(trace_of(state), step);
    if (name.empty() && value >= 0) return FoundValue{"", value, i};
  }
  return std::nullopt;
}

void show_inspection(State& state, std::string_view name) {
  const auto found = find_value(state, trim(name));
  if (!found) return tell(state, name.empty() ? "inspect.nothing" : "goto.name", {{"name", visible(elide(name, 40))}});
  const RecordedValue& value = trace_of(state).value(found->value);
  Page page(state.options.render);
  const TableView view =
      ShownTables(trace_of(state), state.slice).next(step_at(state, found->at), found->name, found->value);
  if (state.options.accessible) put_linear_value(page, found->name, value, view);
  else put_value(page, found->name, value, view);
  page.gap();
  page.put(say("inspect.made", {{"step", std::to_string(found->at + 1)}}));
  if (value.is_tensor) {
    page.put(Line(say("inspect.layout", {{"type", std::string(short_name(value.dtype))},
                                         {"shape", tuple_text(value.shape)},
                                         {"strides", tuple_text(value.strides)}})),
             2);
    page.put(say(value.contiguous ? "inspect.contiguous" : "inspect.not_contiguous"));
    if (const std::string other = sharer(state, *found, value); !other.empty())
      page.put(say("inspect.shares", {{"name", other}}));
    if (!value.grad_fn.empty()) page.put(say("inspect.grad_fn", {{"name", value.grad_fn}}));
  }
  state.said += page.text();
  if (value.is_tensor) tell_sizes(state, *found);
}

}  // namespace attn
