#include "explain/without_answers.h"

#include <algorithm>
#include <optional>

#include "explain/wording.h"
#include "text/say.h"

namespace attn {
namespace {

Prose question_prose(const Question& question, int number) {
  Run title, text;
  title.text = say("exercise.question", {{"number", std::to_string(number)}});
  title.strong = true;
  text.text = " " + question_text(question);
  Prose prose;
  prose.runs = {title, text};
  return prose;
}

/// The step of the cell that binds the name which the learner's line is to bind.
const Step* written_step(const Trace& trace, const CellRecord& cell) {
  for (const StepId id : cell.steps)
    for (const Binding& binding : trace.step(id).bindings)
      if (binding.target == cell.question->write) return &trace.step(id);
  return nullptr;
}

/// The code of the cell with `name = ...` in the place of that statement and of the comment after it.
void leave_line_open(Trace& trace, CellRecord& cell) {
  const Step* step = written_step(trace, cell);
  if (!step) return;
  Source source = trace.sources.at(cell.source);
  const std::size_t end = std::min(source.text.find('\n', step->span.end), source.text.size());
  source.text.replace(step->span.begin, end - step->span.begin,
                      cell.question->write + " = ...  # " + say("exercise.line"));
  cell.source = static_cast<std::uint32_t>(trace.sources.size());
  trace.sources.push_back(std::move(source));
}

Prose code_prose(const Trace& trace, const CellRecord& cell) {
  Prose prose;
  prose.kind = Prose::Kind::Code;
  prose.text = trace.sources.at(cell.source).text;
  return prose;
}

void leave_out_answers(CellRecord& cell) {
  cell.question.reset();
  cell.comparison.reset();
  cell.hints.clear();
  cell.traps.clear();
  cell.why.clear();
  cell.raised.clear();
}

}  // namespace

Trace without_answers(Trace trace, bool keeps_cells) {
  std::vector<TraceBlock> blocks;
  int number = 0;
  for (TraceBlock& block : trace.blocks) {
    CellRecord* cell = std::get_if<CellRecord>(&block);
    const bool is_asked = cell && cell->question;
    if (is_asked) {
      blocks.emplace_back(question_prose(*cell->question, ++number));
      if (!cell->question->write.empty()) leave_line_open(trace, *cell);
      leave_out_answers(*cell);
    }
    if (is_asked && !keeps_cells) blocks.emplace_back(code_prose(trace, *cell));
    else blocks.push_back(std::move(block));
  }
  trace.blocks = std::move(blocks);
  return trace;
}

}  // namespace attn
