#include "render/cell.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "explain/messages.h"
#include "explain/wording.h"
#include "render/axes.h"
#include "render/prose.h"
#include "render/source.h"
#include "render/step.h"

namespace attn {
namespace {

constexpr int kLabelWidth = 10;
constexpr int kFirstRounds = 3;  // of a loop; then the last one
constexpr int kChildIndent = 2;

const Step& step_at(const Trace& trace, StepId id) { return trace.steps.at(static_cast<std::size_t>(id)); }

/// "Answer:   " in front of what follows.
Page::Indent labelled(Page& page, const std::string& label) {
  const int width = page.width() >= 60 ? kLabelWidth : 2;
  Line first(label, Style::Ask);
  return page.indent(first.add(" ").pad_right(width), blanks(width));
}

class CellWriter {
 public:
  CellWriter(Page& page, const Trace& trace, const TraceIndex& index, ShownCalls& calls, const CellRecord& cell)
      : page_(page), trace_(trace), index_(index), calls_(calls), cell_(cell) {}

  void write() {
    if (cell_.question) put_question(*cell_.question);
    for (const int note : cell_.notes) put_told(note);
    put_steps(cell_.steps);
    // An error that belongs to no step: the cell could not be read.
    if (cell_.diagnostic >= 0 && !drawn_.contains(cell_.diagnostic)) put_told(cell_.diagnostic);
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
    const Page::Indent indent = labelled(page_, say("label.predict"));
    page_.put(question_text(question));
  }

  void put_comparison(const Comparison& comparison) {
    // The answer will say it.
    if (comparison.effect == Effect::Raises && cell_.question && cell_.question->kind == Predict::Effect) return;
    page_.gap();
    const Page::Indent indent = labelled(page_, say("label.compare"));
    for (const std::string& line : comparison_text(trace_, comparison)) put_sentence(page_, line, kChildIndent);
  }

  void put_labelled(const std::string& label, const std::vector<Prose>& text) {
    page_.gap();
    const Page::Indent indent = labelled(page_, label);
    put_prose(page_, text);
  }

  void put_answer(const Question& question) {
    if (const std::string answer = answer_text(trace_, question); !answer.empty()) {
      page_.gap();
      const Page::Indent indent = labelled(page_, say("label.answer"));
      put_sentence(page_, answer);
    }
    for (const TrapRecord& trap : cell_.traps) put_labelled(say("label.trap", {{"answer", trap.answer}}), trap.text);
    if (!cell_.why.empty()) put_labelled(say("label.why"), cell_.why);
  }

  /// Steps of one level. Those that are nothing but their code stand close together.
  void put_steps(const std::vector<StepId>& steps) {
    bool was_plain = false, is_first = true;
    for (const StepId id : steps) {
      const Step& step = step_at(trace_, id);
      const auto children = index_.children.find(id);
      const bool plain = is_plain(trace_, step) && children == index_.children.end();
      if (is_first || !plain || !was_plain) page_.gap();
      is_first = false;
      was_plain = plain;
      const auto number = index_.numbers.find(id);
      put_step(page_, trace_, step, number == index_.numbers.end() ? 0 : number->second);
      if (step.diagnostic >= 0) drawn_.insert(step.diagnostic);
      if (children != index_.children.end()) put_children(id);
    }
  }

  void put_children(StepId parent) {
    const Children children = children_of(trace_, index_, parent);
    const Page::Indent indent = page_.indent(kChildIndent);
    put_calls(children.calls);
    if (children.body.empty()) return;
    if (is_loop(trace_, step_at(trace_, parent))) put_rounds(step_at(trace_, parent), children.body);
    else put_steps(children.body);
  }

  /// What happens inside of the functions that a statement calls; those that are known already in one sentence.
  void put_calls(const std::vector<CallSteps>& calls) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
      page_.gap();
      if (calls_.is_new(calls[i])) {
        page_.put(say("call.inside", {{"function", step_at(trace_, calls[i].steps.front()).function}}), Style::Dim);
        calls_.enter(calls[i]);
        put_steps(calls[i].steps);
        calls_.leave(calls[i]);
        continue;
      }
      std::vector<CallSteps> same = {calls[i]};
      while (i + 1 < calls.size() && !calls_.is_new(calls[i + 1]) && is_same_function(same[0], calls[i + 1]))
        same.push_back(calls[++i]);
      put_sentence(page_, calls_.again(same), kChildIndent);
      put_failures(same);
    }
  }

  bool is_same_function(const CallSteps& a, const CallSteps& b) const {
    return step_at(trace_, a.steps.front()).header == step_at(trace_, b.steps.front()).header;
  }

  /// Errors in steps that are not shown: those of a function that calls itself too often.
  void put_failures(const std::vector<CallSteps>& calls) {
    for (StepId id = calls.front().steps.front(); id <= calls_.last_of(calls.back()); ++id) {
      if (const int error = step_at(trace_, id).diagnostic; error >= 0 && drawn_.insert(error).second) put_told(error);
    }
  }

  /// Of many rounds the first few and the last.
  void put_rounds(const Step& parent, const std::vector<StepId>& children) {
    std::vector<std::vector<StepId>> rounds;
    int round = -1;
    for (const StepId id : children) {
      if (rounds.empty() || step_at(trace_, id).iteration != round) rounds.emplace_back();
      round = step_at(trace_, id).iteration;
      rounds.back().push_back(id);
    }
    const std::size_t per_round =
        parent.bindings.size() % rounds.size() == 0 ? parent.bindings.size() / rounds.size() : 0;
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      page_.gap();
      if (i == kFirstRounds && rounds.size() > kFirstRounds + 1) {
        put_left_out(rounds);
        i = rounds.size() - 1;
      }
      put_round(parent, i, per_round);
      put_steps(rounds[i]);
    }
  }

  /// "… 5 more rounds, steps 9 to 18".
  void put_left_out(const std::vector<std::vector<StepId>>& rounds) {
    const StepId from = rounds[kFirstRounds].front(), to = rounds[rounds.size() - 2].back();
    const auto count = static_cast<std::int64_t>(rounds.size() - kFirstRounds - 1);
    calls_.leave_out(from, to);
    const auto first = index_.numbers.find(from),
               last = index_.numbers.find(index_.last.at(static_cast<std::size_t>(to)));
    const bool numbered = first != index_.numbers.end() && last != index_.numbers.end();
    page_.put(say_count("more.rounds", count,
                        {{"gap", std::string(page_.glyphs().gap)},
                         {"steps", numbered ? steps_text(first->second, last->second) : ""}}),
              Style::Dim);
    page_.gap();
  }

  /// "round 2   i = 1".
  void put_round(const Step& loop, std::size_t round, std::size_t per_round) {
    Line line(say("step.round", {{"number", std::to_string(round + 1)}}), Style::Dim);
    for (std::size_t k = round * per_round; k < (round + 1) * per_round; ++k) {
      const Binding& binding = loop.bindings[k];
      if (binding.value < 0) continue;
      const RecordedValue& value = trace_.values.at(static_cast<std::size_t>(binding.value));
      const std::string text =
          value.is_tensor ? " " + axes_text(value) : " = " + shortened(value.text, 40, page_.options());
      line.add("   " + binding.target + text);
    }
    page_.put(line);
  }

  Page& page_;
  const Trace& trace_;
  const TraceIndex& index_;
  ShownCalls& calls_;
  const CellRecord& cell_;
  std::set<int> drawn_;
};

}  // namespace

TraceIndex::TraceIndex(const Trace& trace) {
  last.resize(trace.steps.size());
  for (std::size_t i = trace.steps.size(); i-- > 0;) {
    last[i] = std::max(last[i], static_cast<StepId>(i));
    if (const StepId parent = trace.steps[i].parent; parent >= 0) {
      StepId& end = last[static_cast<std::size_t>(parent)];
      end = std::max(end, last[i]);
    }
  }
  int number = 0;
  for (const StepId id : visible_steps(trace)) numbers[id] = ++number;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const Step& step = trace.steps[i];
    if (step.parent >= 0) children[step.parent].push_back(static_cast<StepId>(i));
    if (step.diagnostic >= 0) told.insert(step.diagnostic);
    told.insert(step.warnings.begin(), step.warnings.end());
  }
  for (const TraceBlock& block : trace.blocks) {
    const CellRecord* cell = std::get_if<CellRecord>(&block);
    if (cell && cell->diagnostic >= 0) told.insert(cell->diagnostic);
    if (cell) told.insert(cell->notes.begin(), cell->notes.end());
  }
}

void put_cell(Page& page, const Trace& trace, const TraceIndex& index, ShownCalls& calls, const CellRecord& cell) {
  if (cell.options.hidden && !cell.failed) return;
  CellWriter(page, trace, index, calls, cell).write();
}

}  // namespace attn
