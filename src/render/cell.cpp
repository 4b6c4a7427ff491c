#include "render/cell.h"

#include "base/limits.h"
#include "explain/wording.h"
#include "render/axes.h"
#include "render/cell_parts.h"
#include "render/prose.h"
#include "render/step.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr int kLabelWidth = 10;
constexpr int kChildIndent = 2;

/// "Answer:   " in front of what follows.
Page::Indent indent_labelled(Page& page, const std::string& label) {
  const int width = page.width() >= 60 ? kLabelWidth : 2;
  Line first(label, Style::Ask);
  return page.indent(first.add(" ").pad_right(width), blanks(width));
}

class CellWriter {
 public:
  CellWriter(Page& page, const Trace& trace, const TraceIndex& index, ShownCalls& calls, ShownTables& tables,
             const CellRecord& cell)
      : page_(page), trace_(trace), index_(index), calls_(calls), tables_(tables), cell_(cell) {}

  void write() {
    if (cell_.question) put_question(*cell_.question);
    for (const int note : cell_.notes) put_told(note);
    put_parts();
    if (cell_.comparison) put_comparison(*cell_.comparison);
    if (cell_.question) put_answer(*cell_.question);
  }

 private:
  void put_told(int diagnostic) {
    page_.gap();
    put_diagnostic(page_, trace_, trace_.diagnostics.at(static_cast<std::size_t>(diagnostic)));
  }

  void put_question(const Question& question) {
    page_.gap();
    if (question.kind == Predict::None) return page_.put(question_text(question), Style::Ask);
    const Page::Indent indent = indent_labelled(page_, say("label.predict"));
    page_.put(question_text(question));
  }

  void put_comparison(const Comparison& comparison) {
    // The answer will say it.
    if (comparison.effect == Effect::Raises && cell_.question && cell_.question->kind == Predict::Effect) return;
    page_.gap();
    const Page::Indent indent = indent_labelled(page_, say("label.compare"));
    for (const std::string& line : comparison_text(trace_, comparison)) put_sentence(page_, line, kChildIndent);
  }

  void put_labelled(const std::string& label, const std::vector<Prose>& text) {
    page_.gap();
    const Page::Indent indent = indent_labelled(page_, label);
    put_prose(page_, text);
  }

  void put_answer(const Question& question) {
    if (const std::string answer = answer_text(trace_, question); !answer.empty()) {
      page_.gap();
      const Page::Indent indent = indent_labelled(page_, say("label.answer"));
      put_sentence(page_, answer);
    }
    for (const TrapRecord& trap : cell_.traps) put_labelled(say("label.trap", {{"answer", trap.answer}}), trap.text);
    if (!cell_.why.empty()) put_labelled(say("label.why"), cell_.why);
  }

  void put_parts() {
    const std::vector<CellPart> parts = cell_parts(trace_, index_, calls_, cell_, page_.options());
    const CellPart* before = nullptr;
    for (const CellPart& part : parts) {
      look();
      if (!before || !stands_close(*before, part)) page_.gap();
      put_part(part, part.depth);
      before = &part;
    }
  }

  /// Steps that are nothing but their code stand close together.
  bool stands_close(const CellPart& before, const CellPart& part) const {
    if (!before.plain || !part.plain || before.depth != part.depth) return false;
    const Step &a = trace_.step(before.step), &b = trace_.step(part.step);
    return a.parent == b.parent && a.activation == b.activation;
  }

  void put_part(const CellPart& part, int depth) {
    if (depth > 0) {
      const Page::Indent indent = page_.indent(kChildIndent);
      return put_part(part, depth - 1);
    }
    switch (part.kind) {
      case CellPart::Kind::Step: return put_step(page_, trace_, trace_.step(part.step), part.number, tables_);
      case CellPart::Kind::Call:
      case CellPart::Kind::LeftOut: return page_.put(part.text, Style::Dim);
      case CellPart::Kind::Again: return put_sentence(page_, part.text, kChildIndent);
      case CellPart::Kind::Round: return page_.put(Line(part.text, Style::Dim).add(part.detail));
      case CellPart::Kind::Error:
        return put_diagnostic(page_, trace_, trace_.diagnostics.at(static_cast<std::size_t>(part.diagnostic)));
    }
  }

  Page& page_;
  const Trace& trace_;
  const TraceIndex& index_;
  ShownCalls& calls_;
  ShownTables& tables_;
  const CellRecord& cell_;
};

}  // namespace

void put_cell(Page& page, const Trace& trace, const TraceIndex& index, ShownCalls& calls, ShownTables& tables,
              const CellRecord& cell) {
  if (cell.options.hidden && !cell.failed) return;
  CellWriter(page, trace, index, calls, tables, cell).write();
}

}  // namespace attn
