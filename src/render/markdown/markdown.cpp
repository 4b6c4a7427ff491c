// md: a lesson with its shapes and numbers, to be read on GitHub. What would give an answer away is folded.
#include "render/markdown/markdown.h"

#include <fmt/format.h>

#include "base/text.h"
#include "explain/wording.h"
#include "render/formats.h"
#include "render/lesson_map.h"
#include "render/markdown_prose.h"
#include "render/run_note.h"
#include "render/session.h"
#include "render/text.h"
#include "text/say.h"

namespace attn {
namespace {

/// Blank lines around, so that what is inside is read as Markdown.
std::string folded(const std::string& summary, std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return fmt::format("<details><summary>{}</summary>\n\n{}\n\n</details>\n\n", summary, text);
}

class MarkdownWriter {
 public:
  MarkdownWriter(const Trace& trace, const RenderOptions& options)
      : trace_(trace), options_(options), index_(trace), calls_(trace, index_, options.every_call), tables_(trace) {}

  std::string write() {
    if (!trace_.title.empty()) out_ = "# " + markdown_text(title_text(trace_)) + "\n\n";
    prose_ = run_notes(trace_);
    for (std::size_t i = starts_with_title(trace_) ? 1 : 0; i < trace_.blocks.size(); ++i) {
      if (const CellRecord* cell = std::get_if<CellRecord>(&trace_.blocks[i])) put(*cell);
      else prose_.push_back(with_map(trace_, std::get<Prose>(trace_.blocks[i]), options_));
    }
    put_prose();
    for (std::size_t i = 0; i < trace_.diagnostics.size(); ++i)
      if (!index_.told.contains(static_cast<int>(i))) out_ += markdown_error(trace_, static_cast<int>(i), options_);
    if (trace_.session) out_ += markdown_prose(session_prose(*trace_.session)) + "\n";
    return out_ + fmt::format("<!-- {} -->\n", kTranscriptMark);
  }

 private:
  void put_prose() {
    if (!prose_.empty()) out_ += markdown_prose(prose_) + "\n";
    prose_.clear();
  }

  void put(const CellRecord& cell) {
    put_prose();
    const std::string code = markdown_fence(trace_.sources.at(cell.source).text, "python") + "\n";
    if (cell.options.hidden && !cell.failed) {
      out_ += folded(say("markdown.hidden"), code);
      return;
    }
    // A line that the learner writes is the answer.
    const bool is_written = cell.question && cell.question->kind == Predict::None;
    out_ += markdown_question(cell) + (is_written ? "" : code);
    const std::string shown = (is_written ? code : "") +
                              markdown_steps(trace_, index_, calls_, tables_, cell, options_) +
                              markdown_comparison(trace_, cell);
    if (!cell.question) out_ += shown;
    else out_ += markdown_answers(trace_, cell, shown);
  }

  const Trace& trace_;
  const RenderOptions& options_;
  const TraceIndex index_;
  ShownCalls calls_;
  ShownTables tables_;
  std::vector<Prose> prose_;  // that is not written yet
  std::string out_;
};

}  // namespace

std::string markdown_question(const CellRecord& cell) {
  if (!cell.question) return {};
  const std::string text = markdown_text(question_text(*cell.question));
  if (cell.question->kind == Predict::None) return "**" + text + "**\n\n";
  return "**" + say("label.predict") + "** " + text + "\n\n";
}

std::string markdown_answers(const Trace& trace, const CellRecord& cell, const std::string& shown) {
  if (!cell.question) return {};
  std::string out;
  for (std::size_t i = 0; i < cell.hints.size(); ++i)
    out += folded(say("markdown.hint", {{"number", std::to_string(i + 1)}}), markdown_prose(cell.hints[i]));
  std::string inside;
  if (const std::string answer = answer_text(trace, *cell.question); !answer.empty())
    inside += "**" + say("label.answer") + "** " + markdown_text(answer) + "\n\n";
  inside += shown;
  for (const TrapRecord& trap : cell.traps) {
    inside += "**" + markdown_text(say("label.trap", {{"answer", trap.answer}})) + "**\n\n";
    inside += markdown_prose(trap.text) + "\n";
  }
  if (!cell.why.empty()) inside += "**" + say("label.why") + "**\n\n" + markdown_prose(cell.why) + "\n";
  return inside.empty() ? out : out + folded(say("markdown.answer"), std::move(inside));
}

std::string markdown_comparison(const Trace& trace, const CellRecord& cell) {
  if (!cell.comparison) return {};
  // The answer will say it.
  if (cell.comparison->effect == Effect::Raises && cell.question && cell.question->kind == Predict::Effect) return {};
  std::string out = "**" + say("label.compare") + "**\n\n";
  for (const std::string& line : comparison_text(trace, *cell.comparison)) out += "- " + markdown_text(line) + "\n";
  return out + "\n";
}

std::string render_markdown(const Trace& trace, const RenderOptions& options) {
  return MarkdownWriter(trace, options).write();
}

}  // namespace attn
