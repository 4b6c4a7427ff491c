#include "stepper/attempt.h"

#include <algorithm>
#include <set>

#include "base/number.h"
#include "base/text.h"
#include "engine/runner.h"
#include "explain/lint/lint.h"
#include "explain/wording.h"
#include "stepper/steps.h"
#include "tensor/ops/compare.h"
#include "text/say.h"

namespace attn {
namespace {

/// The lesson with another line in the place of a statement, and of the axis comment after it.
Lesson with_line(const Lesson& lesson, const Step& step, const std::string& line) {
  Lesson changed = lesson;
  for (LessonBlock& block : changed.blocks) {
    Cell* cell = std::get_if<Cell>(&block);
    if (!cell || cell->ordinal != step.cell) continue;
    std::string& text = cell->source.text;
    const std::size_t end = std::min(text.find('\n', step.span.end), text.size());
    text.replace(step.span.begin, end - step.span.begin, line);
  }
  parse_cells(changed);
  return changed;
}

using Ops = std::vector<const Op*>;

/// The operations of the steps of a cell that lie in a part of its text, those that make a tensor.
Ops ops_within(const Trace& trace, int cell, std::size_t begin, std::size_t end) {
  Ops ops;
  for (const Op& op : trace.ops) {
    if (op.step < 0 || op.parent >= 0 || op.failed || op.outputs.empty() || op.outputs[0] < 0) continue;
    const Step& step = trace.step(op.step);
    const bool is_within =
        step.cell == cell && step.activation == 0 && begin <= step.span.begin && step.span.begin < end;
    if (is_within && trace.value(op.outputs[0]).has_numbers()) ops.push_back(&op);
  }
  return ops;
}

/// The axis that is named by the argument `dim`; "" without one.
std::string axis_of(const Trace& trace, const Op& op) {
  const auto dim = std::find_if(op.attributes.begin(), op.attributes.end(),
                                [](const auto& attribute) { return attribute.first == "dim"; });
  const auto number = dim == op.attributes.end() ? std::nullopt : parse_int(dim->second);
  if (!number || op.inputs.empty() || op.inputs[0].value < 0) return {};
  const RecordedValue& input = trace.value(op.inputs[0].value);
  const auto rank = static_cast<std::int64_t>(input.shape.size());
  const std::int64_t place = *number < 0 ? *number + rank : *number;
  if (place < 0 || place >= rank) return {};
  const auto axis = static_cast<std::size_t>(place);
  const bool is_named = axis < input.axes.size() && !input.axes[axis].name.empty();
  return is_named ? input.axes[axis].name : say("judge.write.axis", {{"axis", std::to_string(place)}});
}

constexpr double kNearly = 1e-4, kTiny = 1e-6;  // as judge() compares

/// What an operation does otherwise than the lesson's of the same name; nothing where it gives the same. `missing`: one
/// that the lesson has before it and the learner has not, which explains other numbers; null: none.
std::string difference_between(const Trace& mine, const Op& op, const Trace& theirs, const Op& other,
                               const Op* missing) {
  const RecordedValue &given = mine.value(op.outputs[0]), &right = theirs.value(other.outputs[0]);
  const std::string over = axis_of(mine, op), right_over = axis_of(theirs, other);
  if (over != right_over && !over.empty() && !right_over.empty())
    return say("judge.write.over", {{"op", op.name}, {"given", over}, {"correct", right_over}});
  if (given.shape != right.shape)
    return say("judge.write.shape", {{"op", op.name}, {"given", axes_text(given)}, {"correct", axes_text(right)}});
  if (given.dtype == right.dtype && compare(given.tensor, right.tensor, kNearly, kTiny).differing == 0) return {};
  return missing ? say("judge.write.missing", {{"op", missing->name}}) : say("judge.write.op", {{"op", op.name}});
}

const Op* named_from(const Ops& ops, std::size_t& begin, const std::string& name) {
  for (std::size_t i = begin; i < ops.size(); ++i) {
    if (ops[i]->name != name) continue;
    begin = i + 1;
    return ops[i];
  }
  return nullptr;
}

/// The first of the lesson's operations in a range that the learner's line does without; null: none.
const Op* left_out(const Ops& ops, const Ops& others, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    std::size_t first = 0;
    // A view moves no numbers, and there are several ways to each.
    if (!others[i]->is_view && !named_from(ops, first, others[i]->name)) return others[i];
  }
  return nullptr;
}

std::string first_sentence(const Trace& mine, const Ops& ops, const Trace& theirs, const Ops& others) {
  std::size_t at = 0;
  const Op* missing = nullptr;
  for (const Op* op : ops) {
    const std::size_t before = at;
    const Op* other = named_from(others, at, op->name);
    if (!other) continue;
    if (!missing) missing = left_out(ops, others, before, at);
    const std::string text = difference_between(mine, *op, theirs, *other, missing);
    if (!text.empty()) return text;
  }
  if (!missing) missing = left_out(ops, others, at, others.size());
  return missing ? say("judge.write.missing", {{"op", missing->name}}) : "";
}

}  // namespace

std::vector<std::string> first_difference_in(const State& state, StepId id, const std::string& line) {
  const Trace& lesson = trace_of(state);
  const Step& step = lesson.step(id);
  if (step.activation != 0 || step.parent >= 0) return {};
  const Trace attempt = run_lesson(with_line(*state.run->lesson, step, line), lesson.options);
  const std::size_t begin = step.span.begin;
  const Ops mine = ops_within(attempt, step.cell, begin, begin + line.size());
  const Ops theirs = ops_within(lesson, step.cell, begin, step.span.end);
  std::vector<std::string> words;
  if (std::string text = first_sentence(attempt, mine, lesson, theirs); !text.empty()) words.push_back(std::move(text));
  std::set<std::string> known;
  for (const Finding& finding : lint(lesson)) known.insert(finding.message);
  for (const Finding& finding : lint(attempt)) {
    const bool is_mine = std::find(mine.begin(), mine.end(), &attempt.op(finding.op)) != mine.end();
    if (is_mine && known.insert(finding.message).second)
      words.push_back(say("judge.write.note", {{"note", finding.message}}));
  }
  return words;
}

}  // namespace attn
