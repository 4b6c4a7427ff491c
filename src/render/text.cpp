#include "render/text.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "lesson/load.h"
#include "render/cell.h"
#include "render/lesson_map.h"
#include "render/page.h"
#include "render/prose.h"
#include "render/run_note.h"
#include "render/step.h"
#include "text/say.h"

namespace attn {
namespace {

void put_map_block(Page& page, const Trace& trace) {
  page.gap();
  put_map(page, {trace, lesson_map(trace)});
  page.gap();
}

void put_trace_block(Page& page, const Trace& trace, const TraceIndex& index, ShownCalls& calls, ShownTables& tables,
                     std::size_t number) {
  const TraceBlock& block = trace.blocks.at(number);
  if (const CellRecord* cell = std::get_if<CellRecord>(&block))
    return put_cell(page, trace, index, calls, tables, *cell);
  if (is_drawn_map(trace, std::get<Prose>(block))) return put_map_block(page, trace);
  const Prose* before = number > 0 ? std::get_if<Prose>(&trace.blocks[number - 1]) : nullptr;
  put_prose(page, std::get<Prose>(block), before && before->kind == Prose::Kind::ListItem);
}

/// What went wrong outside of the steps: values in prose, limits, axis comments of files that are no lessons.
void put_rest(Page& page, const Trace& trace, const TraceIndex& index) {
  for (std::size_t i = 0; i < trace.diagnostics.size(); ++i) {
    if (index.told.contains(static_cast<int>(i))) continue;
    page.gap();
    put_diagnostic(page, trace, trace.diagnostics[i]);
  }
}

void put_step_header(Page& page, const Trace& trace, const TraceIndex& index, StepId step) {
  const auto number = index.numbers.find(step);
  const std::string title = title_text(trace);
  Line line(title, Style::Title);
  if (number == index.numbers.end()) return page.put(line);
  const std::string place =
      say("step.of", {{"step", std::to_string(number->second)}, {"steps", std::to_string(index.numbers.size())}});
  const int room = page.width() - display_width(place);
  if (line.width() + 3 > room) {
    page.put(line);
    return page.put(place, Style::Dim);
  }
  page.put(line.pad_right(room).add(place, Style::Dim));
}

std::string text_of(const Page& page) { return page.text().empty() ? "\n" : page.text(); }

}  // namespace

std::optional<int> lesson_number(const Trace& trace) {
  if (trace.form != LessonForm::Lesson) return std::nullopt;
  if (trace.number > 0) return trace.number;
  const std::optional<int> number = lesson_name(trace.path).number;
  return number == 0 ? number : std::nullopt;
}

std::string title_text(const Trace& trace) {
  const std::optional<int> number = lesson_number(trace);
  return number ? std::to_string(*number) + " " + trace.title : trace.title;
}

bool starts_with_title(const Trace& trace) {
  const Prose* prose = trace.blocks.empty() ? nullptr : std::get_if<Prose>(&trace.blocks.front());
  return prose && prose->kind == Prose::Kind::Heading && prose->level == 1 && plain_text(prose->runs) == trace.title;
}

std::string render_text(const Trace& trace, const RenderOptions& options) {
  Page page(options);
  const TraceIndex index(trace);
  ShownCalls calls(trace, index, options.every_call);
  ShownTables tables(trace);
  if (!trace.title.empty()) put_heading(page, Line(title_text(trace)), 1);
  for (const Prose& note : run_notes(trace)) put_prose(page, note);
  for (std::size_t i = starts_with_title(trace) ? 1 : 0; i < trace.blocks.size(); ++i)
    put_trace_block(page, trace, index, calls, tables, i);
  put_rest(page, trace, index);
  return text_of(page);
}

std::string render_block_text(const Trace& trace, std::size_t block, const RenderOptions& options) {
  Page page(options);
  const TraceIndex index(trace);
  ShownCalls calls(trace, index, options.every_call);
  ShownTables tables(trace);
  put_trace_block(page, trace, index, calls, tables, block);
  return text_of(page);
}

std::string render_step_text(const Trace& trace, StepId step, const RenderOptions& options) {
  Page page(options);
  const TraceIndex index(trace);
  put_step_header(page, trace, index, step);
  page.gap();
  const Step& shown = trace.step(step);
  if (shown.activation > 0) {
    page.put(say("call.inside", {{"function", shown.function}}), Style::Dim);
    page.gap();
  }
  ShownTables tables(trace);
  put_step(page, trace, shown, 0, tables);
  return text_of(page);
}

}  // namespace attn
