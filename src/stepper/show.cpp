#include "stepper/show.h"

#include "base/text.h"
#include "explain/lint/notes.h"
#include "explain/wording.h"
#include "render/lesson_map.h"
#include "render/prose.h"
#include "render/run_note.h"
#include "render/source.h"
#include "render/step.h"
#include "render/summary.h"
#include "render/text.h"
#include "stepper/question.h"
#include "stepper/steps.h"

namespace attn {
namespace {

constexpr int kLabelWidth = 10;

/// "3 A batch of sentences              step 9 of 71"
void put_header(Page& page, const State& state) {
  Line title(title_text(trace_of(state)), Style::Title);
  const std::string place =
      say("step.of", {{"step", std::to_string(state.at + 1)}, {"steps", std::to_string(step_count(state))}});
  const int room = page.width() - display_width(place);
  if (title.width() + 3 > room) return page.put(place, Style::Dim);
  page.put(title.pad_right(room).add(place, Style::Dim));
}

/// Whether `below` is the first line in a class that `above` begins.
bool begins_class(const State& state, const Step& above, const Step& below) {
  return below.parent >= 0 && &trace_of(state).step(below.parent) == &above &&
         trim(statement_text(trace_of(state), above)).starts_with("class ");
}

/// Whether two neighbors are read at one glance.
bool are_together(const State& state, std::size_t first) {
  if (first + 1 >= step_count(state)) return false;
  const Step &a = step_at(state, first), &b = step_at(state, first + 1);
  if (begins_class(state, a, b)) return true;
  if (a.cell != b.cell || a.parent != b.parent || a.activation != b.activation || a.iteration != b.iteration)
    return false;
  const auto is_short = [&](const Step& step, std::size_t at) {
    const std::string_view text = statement_text(trace_of(state), step);
    return is_plain(trace_of(state), step) && text.find('\n') == std::string_view::npos && !text.ends_with(':') &&
           !posed_at(state, at);
  };
  const bool is_in_class = a.parent >= 0 && begins_class(state, trace_of(state).step(a.parent), a);
  return is_in_class || (is_short(a, first) && is_short(b, first + 1));
}

MapView map_view(const State& state) {
  const Trace& trace = trace_of(state);
  MapView view{trace, lesson_map(trace)};
  if (at_end(state)) return view;
  view.here = map_place(view.map, trace, state.run->order[state.at]);
  for (std::size_t at = state.at; at < step_count(state) && view.ahead < 0; ++at) {
    const auto asked = open_question(state, at);
    if (asked && asked->question.kind == Predict::Shape) view.ahead = state.run->order[at];
  }
  return view;
}

void put_blocks(Page& page, const State& state) {
  const Trace& trace = trace_of(state);
  const auto [begin, end] = blocks_before(state, group_begin(state, state.at));
  bool follows_item = false;
  if (begin == 0)
    for (const Prose& prose : run_notes(trace)) put_prose(page, prose);
  for (std::size_t i = begin; i < end; ++i) {
    const Prose* prose = std::get_if<Prose>(&trace.blocks[i]);
    if (!prose) continue;
    // The title stands in the header.
    if (prose->kind == Prose::Kind::Heading && prose->level == 1 && i == 0) continue;
    if (is_drawn_map(trace, *prose)) {
      page.gap();  // it would push the beginning off the screen
      if (!lesson_map(trace).nodes.empty()) page.put(Line(say("map.key")), 2);
      continue;
    }
    put_prose(page, *prose, follows_item);
    follows_item = prose->kind == Prose::Kind::ListItem;
  }
}

/// "in attend(), called at step 8" and "round 2 of the loop at step 5".
void put_whereabouts(Page& page, const State& state, const Step& step) {
  std::vector<std::string> parts;
  const Trace& trace = trace_of(state);
  const auto number = [&](StepId id) {
    const auto at = place_of(state, trace.step(id).id);
    return std::to_string(at.value_or(0) + 1);
  };
  if (step.activation > 0) {
    StepId up = step.parent;
    while (up >= 0 && trace.step(up).activation == step.activation) up = trace.step(up).parent;
    parts.push_back(say("session.in_call", {{"function", step.function}, {"step", up < 0 ? "?" : number(up)}}));
  }
  if (step.iteration >= 0) parts.push_back(say("step.round", {{"number", std::to_string(step.iteration + 1)}}));
  if (!parts.empty()) page.put(join(parts, "   "), Style::Dim);
}

Page::Indent labelled(Page& page, const std::string& label) {
  const int width = page.width() >= 60 ? kLabelWidth : 2;
  return page.indent(Line(label, Style::Ask).add(" ").pad_right(width), blanks(width));
}

/// The code that a question is about, without the comments that give shapes away.
void put_asked_code(Page& page, const State& state, const Posed& posed) {
  const Trace& trace = trace_of(state);
  const Page::Indent indent = page.indent(2);
  if (posed.from == Posed::From::Fade) return page.put(Line(posed.before + "____" + posed.after, Style::Code), 4);
  if (posed.question.kind == Predict::None) return page.put(Line(posed.question.write + " = ____", Style::Code));
  if (posed.from == Posed::From::Quiz) {
    const Step& step = trace.step(posed.step);
    for (const std::string_view line : split_lines(statement_text(trace, step))) page.put(Line(line, Style::Code), 4);
    return;
  }
  for (const StepId id : posed.cell->steps) put_source(page, trace, trace.step(id));
}

void put_question(Page& page, const State& state, const Posed& posed) {
  page.gap();
  put_asked_code(page, state, posed);
  page.gap();
  const Page::Indent indent =
      labelled(page, say(posed.question.kind == Predict::None ? "label.write" : "label.predict"));
  for (const std::string& line : posed_text(posed)) page.put(Line(line), 2);
}

void put_comparison(Page& page, const State& state, const Step& step) {
  const CellRecord& cell = cell_of(state, step);
  if (!cell.comparison || !ends_cell(state, step)) return;
  page.gap();
  const Page::Indent indent = labelled(page, say("label.compare"));
  for (const std::string& line : comparison_text(trace_of(state), *cell.comparison)) page.put(Line(line), 2);
}

/// As below the steps before this one that the session has shown.
ShownTables tables_of(const State& state) {
  const Trace& trace = trace_of(state);
  ShownTables tables(trace, state.slice);
  const StepId here = state.run->order[state.at];
  for (auto id = state.seen.begin(); id != state.seen.end() && *id < here; ++id)
    for (const ShownValue& shown : shown_values(trace, trace.step(*id)))
      if (shown.in_full) tables.next(trace.step(*id), shown.name, shown.value);
  return tables;
}

/// "2 suspect lines: 20, 21; 1 remark: 15 (! goes to the next)"; where cells have sources of their own, with their
/// names.
void put_noted(Page& page, const State& state) {
  const Trace& trace = trace_of(state);
  const std::vector<NotedLine> lines = noted_lines(trace);
  std::string text;
  for (const auto& [kind, id] :
       {std::pair{NotedLine::Kind::Suspect, "noted.suspects"}, std::pair{NotedLine::Kind::Remark, "noted.remarks"},
        std::pair{NotedLine::Kind::Failure, "noted.failures"}}) {
    std::vector<std::string> places;
    for (const NotedLine& noted : lines) {
      const std::string line = std::to_string(noted.line);
      if (noted.kind == kind)
        places.push_back(trace.form == LessonForm::Script ? line : trace.sources[noted.source].name + ":" + line);
    }
    if (places.empty()) continue;
    const auto count = static_cast<std::int64_t>(places.size());
    text += (text.empty() ? "" : "; ") + say_count(id, count, {{"list", join(places, ", ")}});
  }
  if (text.empty()) return;
  page.gap();
  page.put(Line(say(lines.size() == 1 ? "noted.go.one" : "noted.go", {{"lines", text}}), Style::Strong), 2);
}

/// A line about each name that is watched, where this step changes it.
void put_watched(Page& page, const State& state) {
  const Trace& trace = trace_of(state);
  page.gap();
  for (const ChangedName& changed : changed_names(state, group_begin(state, state.at), state.at)) {
    const bool is_watched = std::find(state.watched.begin(), state.watched.end(), changed.name) != state.watched.end();
    if (!is_watched || changed.value < 0) continue;
    const RecordedValue& value = trace.value(changed.value);
    const std::string range = value.is_tensor && value.has_numbers() ? range_text(value.tensor) : elide(value.text, 60);
    page.put(Line(say("watch.line", {{"name", changed.name},
                                     {"axes", value.is_tensor ? axes_text(value) : value.type},
                                     {"range", range}})),
             2);
  }
}

/// What leads into the function that a step calls.
void put_call(Page& page, const State& state) {
  const auto inside = into_at(state);
  if (!inside) return;
  const int notes = notes_inside(state);
  page.gap();
  page.put(Line(say("step.calls", {{"function", step_at(state, *inside).function}}) +
                (notes > 0 ? " " + say_count("step.calls.notes", notes) : "")),
           2);
}

void put_place(Page& page, State& state) {
  const Step& step = step_at(state, state.at);
  put_whereabouts(page, state, step);
  if (state.stage == Stage::Question) {
    if (const auto posed = posed_at(state, state.at)) return put_question(page, state, *posed);
  }
  page.gap();
  ShownTables tables = tables_of(state);
  for (std::size_t i = group_begin(state, state.at); i < state.at; ++i)
    put_step(page, trace_of(state), step_at(state, i), 0, tables);
  if (state.options.accessible) put_linear_step(page, trace_of(state), step, tables);
  else put_step(page, trace_of(state), step, 0, tables);
  state.seen.insert(state.run->order[state.at]);
  put_comparison(page, state, step);
  put_watched(page, state);
  put_call(page, state);
}

void put_end(Page& page, const State& state) {
  page.gap();
  page.put(say("session.end"), Style::Strong);
  const Score score = score_of(state);
  if (score.right + score.wrong + score.skipped > 0)
    page.put(say("session.score", {{"right", std::to_string(score.right)},
                                   {"wrong", std::to_string(score.wrong)},
                                   {"skipped", std::to_string(score.skipped)}}));
  const auto& [next, title] = state.options.next_lesson;
  if (!next.empty()) page.put(Line(say("session.next", {{"lesson", next}, {"title", title}})), 2);
  put_noted(page, state);
  const Trace& trace = trace_of(state);
  if (trace.outcome == RunOutcome::Fine || trace.diagnostics.empty()) return;
  page.gap();
  put_diagnostic(page, trace, trace.diagnostics.back());
}

void append(State& state, const Page& page) {
  if (page.text().empty()) return;
  state.said += page.text();
}

}  // namespace

std::size_t group_begin(const State& state, std::size_t at) {
  while (at > 0 && are_together(state, at - 1)) --at;
  return at;
}

std::size_t group_end(const State& state, std::size_t at) {
  while (are_together(state, at)) ++at;
  return at;
}

void show_place(State& state, bool prose, bool header) {
  Page page(state.options.render);
  if (!state.said.empty()) state.said += "\n";
  if (header && !at_end(state)) put_header(page, state);
  page.gap();
  if (prose) put_blocks(page, state);
  if (prose && !at_end(state) && group_begin(state, state.at) == 0) put_noted(page, state);
  page.gap();
  if (at_end(state)) put_end(page, state);
  else put_place(page, state);
  append(state, page);
  state.said += "\n";
}

void show_step(State& state) {
  if (at_end(state)) return;
  Page page(state.options.render);
  put_place(page, state);
  append(state, page);
  state.said += "\n";
}

void show_map(State& state) {
  state.is_list = true;
  const MapView view = map_view(state);
  if (view.map.nodes.empty()) return tell(state, "map.none");
  Page page(state.options.render);
  if (state.options.accessible) put_linear_map(page, view);
  else put_map(page, view);
  append(state, page);
}

void show_tables(State& state) {
  const Trace& trace = trace_of(state);
  const Step& step = step_at(state, state.at);
  ShownTables tables = tables_of(state);
  Page page(state.options.render);
  for (const ShownValue& shown : shown_values(trace, step)) {
    if (!shown.in_full) continue;
    const auto put = state.options.accessible ? put_linear_value : put_value;
    put(page, shown.name, trace.value(shown.value), tables.next(step, shown.name, shown.value));
  }
  append(state, page);
  state.said += "\n";
}

void tell(State& state, std::string_view id, const Words& words) {
  Page page(state.options.render);
  page.put(Line(say(id, words)), 2);
  append(state, page);
}

void tell_labelled(State& state, std::string_view label, const std::vector<std::string>& lines) {
  Page page(state.options.render);
  {
    const Page::Indent indent = labelled(page, say(label));
    for (const std::string& line : lines) page.put(Line(line), 2);
  }
  append(state, page);
}

void tell_text(State& state, std::string_view text) {
  state.said += visible(text);
  if (!text.empty() && !text.ends_with('\n')) state.said += '\n';
}

Score score_of(const State& state) {
  Score score;
  for (const auto& [key, answer] : state.progress.answers) {
    if (!state.answered.contains(key)) continue;
    if (answer.mark == Mark::Right) ++score.right;
    if (answer.mark == Mark::Wrong) ++score.wrong;
    if (answer.mark == Mark::Skipped) ++score.skipped;
  }
  return score;
}

}  // namespace attn
