#include "explain/lint/mend.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/text.h"
#include "engine/runner.h"
#include "explain/lint/lint.h"
#include "explain/lint/lint_rules.h"
#include "syntax/snippet.h"
#include "text/say.h"

namespace attn {
namespace {

/// A program that takes longer than a forward pass of a few layers, or a short training, is not run again.
constexpr std::int64_t kMostTriedWork = 100'000'000;

std::map<std::string_view, int> counted(const std::vector<Finding>& findings) {
  std::map<std::string_view, int> out;
  for (const Finding& finding : findings) ++out[finding.rule];
  return out;
}

/// The first step that raised, by its number among all that ran, and its diagnostic; nothing when all is fine.
struct Failed {
  std::int64_t ordinal = 0;
  int diagnostic = -1;
};

std::optional<Failed> first_failure(const Trace& trace) {
  for (const Step& step : trace.steps)
    if (step.outcome == Outcome::Raised && step.diagnostic >= 0 &&
        trace.diagnostics[static_cast<std::size_t>(step.diagnostic)].severity == Severity::Error)
      return Failed{step.ordinal, step.diagnostic};
  return std::nullopt;
}

// ---- what may be changed after an error: the line that made the wrong tensor first ----

struct Wrong {
  const Flow& flow;
  const Op& op;  // that failed
  const Diagnostic& error;
  const Trace& trace() const { return flow.trace(); }
  std::string_view code(Span span) const { return trace().sources[span.source].slice(span); }
};

using Proposal = void (*)(const Wrong& wrong, std::vector<LineEdits>& out);

/// cat(), stack(), chunk() or split() along the wrong axis, on the way to the layer that the result does not fit.
void another_axis_of_cat(const Wrong& wrong, std::vector<LineEdits>& out) {
  for (const OpOperand& operand : wrong.op.inputs) {
    ValueId id = operand.value;
    for (int depth = 0; depth < 8; ++depth) {
      const Op* op = wrong.flow.maker(id);
      if (!op || op->inputs.empty()) break;
      if (const std::string_view code = code_of(wrong.flow, *op);
          plain_name(*op) == "stack" && code.starts_with("torch.stack(")) {
        if (const auto edit = with_argument(wrong.flow, *op, {"dim"}, "-1", 1)) {
          const Span called = {op->span.source, op->span.begin + 6, op->span.begin + 11};
          out.push_back({{called, "cat"}, *edit});
        }
        break;
      }
      if (plain_name(*op) == "cat" || plain_name(*op) == "chunk" || plain_name(*op) == "split") {
        for (const char* axis : {"-1", "1", "2", "0"}) {
          const auto edit = with_argument(wrong.flow, *op, {"dim", "axis"}, axis, 1);
          if (!edit) continue;
          out.push_back({*edit});
          // Keys are joined as values are.
          LineEdits all = {*edit};
          for (const Op* other : wrong.flow.ops()) {
            if (other->step < 0 || op->step < 0 || other == op || other->name != op->name ||
                wrong.trace().step(other->step).activation != wrong.trace().step(op->step).activation)
              continue;
            if (const auto same = with_argument(wrong.flow, *other, {"dim", "axis"}, axis, 1)) all.push_back(*same);
          }
          if (all.size() > 1) out.push_back(std::move(all));
        }
        break;
      }
      id = op->inputs[0].value;
    }
  }
}

/// A mean, a sum or a maximum along the batch, on the way to scores that are then too few or too many.
void another_axis_of_mean(const Wrong& wrong, std::vector<LineEdits>& out) {
  const Op* op = wrong.op.inputs.empty() ? nullptr : wrong.flow.maker(wrong.op.inputs[0].value);
  for (int depth = 0; op && depth < 8 && !op->inputs.empty(); ++depth) {
    const std::string_view name = plain_name(*op);
    if (name == "mean" || name == "sum" || name == "max" || name == "amax") {
      for (const char* axis : {"1", "0"})
        if (const auto edit = with_argument(wrong.flow, *op, {"dim", "axis"}, axis, 0)) out.push_back({*edit});
      return;
    }
    op = wrong.flow.maker(op->inputs[0].value);
  }
}

/// .T of more than two axes turns them all, and .transpose(1, 2) of four turns heads.
void last_two_axes_only(const Wrong& wrong, std::vector<LineEdits>& out) {
  for (const OpOperand& operand : wrong.op.inputs) {
    const Op* op = wrong.flow.maker(operand.value);
    if (!op || wrong.flow.value(operand.value).shape.size() < 3) continue;
    const std::string_view code = wrong.code(op->span);
    for (const std::string_view turn : {".T", ".transpose(1, 2)", ".transpose(2, 1)"})
      if (code.ends_with(turn))
        out.push_back({{op->span, std::string(code.substr(0, code.size() - turn.size())) + ".transpose(-2, -1)"}});
  }
}

/// The parameters of the function that the step is in, and the names bound in the same call.
std::vector<std::string> names_in_scope(const Wrong& wrong) {
  std::vector<std::string> names;
  if (wrong.op.step < 0) return names;
  const Step& step = wrong.trace().step(wrong.op.step);
  const std::string& text = wrong.trace().sources[step.span.source].text;
  const std::size_t def = step.activation > 0 ? text.rfind("def ", step.span.begin) : std::string::npos;
  const std::size_t open = def == std::string::npos ? def : text.find('(', def);
  const std::size_t close = open == std::string::npos ? open : text.find("):", open);
  if (close != std::string::npos && close < step.span.begin) {
    const Span inside = {step.span.source, static_cast<std::uint32_t>(open + 1), static_cast<std::uint32_t>(close)};
    for (const Span piece : pieces_of(wrong.trace().sources[step.span.source], inside)) {
      const std::string_view parameter = wrong.code(piece);
      names.emplace_back(parameter.substr(0, parameter.find_first_of(":= ")));
    }
  }
  for (const Step& earlier : wrong.trace().steps) {
    if (&earlier >= &step) break;
    if (earlier.activation != step.activation) continue;
    for (const Binding& binding : earlier.bindings)
      if (binding.value >= 0 && wrong.flow.value(binding.value).is_tensor) names.push_back(binding.target);
  }
  return names;
}

/// Another tensor in scope in the place of the one that is too narrow or too wide for a layer.
void another_name(const Wrong& wrong, std::vector<LineEdits>& out) {
  if (wrong.op.inputs.empty() || wrong.op.inputs[0].written.empty()) return;
  // What was computed for this call alone is meant to be here.
  const ValueId id = wrong.op.inputs[0].value;
  if (wrong.flow.maker(id) && wrong.flow.is_kept(id) && wrong.flow.users(id).empty()) return;
  const std::string& given = wrong.op.inputs[0].written;
  const std::vector<Span> arguments = arguments_of(wrong.flow, wrong.op);
  if (arguments.empty() || wrong.code(arguments[0]) != given) return;
  std::set<std::string> tried = {given, "self"};
  for (const std::string& name : names_in_scope(wrong))
    if (!name.empty() && tried.insert(name).second) out.push_back({{arguments[0], name}});
}

/// Values of another text than the keys: another name in the layer that made them.
void values_of_another_text(const Wrong& wrong, std::vector<LineEdits>& out) {
  const Op* layer = wrong.op.inputs.size() == 2 ? made_by_layer(wrong.flow, wrong.op.inputs[1].value).op : nullptr;
  if (layer) another_name({wrong.flow, *layer, wrong.error}, out);
}

/// The first of several results, where all were taken: x + attention(x, x, x)[0], norm(output[0]).
std::vector<LineEdits> first_of_several(const Trace& trace, const Diagnostic& error) {
  constexpr std::size_t kMost = 3;
  std::vector<LineEdits> out;
  for (auto op = trace.ops.rbegin(); op != trace.ops.rend() && out.size() < kMost; ++op) {
    const Source& source = trace.sources[op->span.source];
    if (op->parent >= 0 || op->outputs.size() < 2 || op->failed || op->span.source != error.span.source) continue;
    if (op->span.end < source.text.size() && source.text[op->span.end] != '[' && source.text[op->span.end] != '.')
      out.push_back({{op->span, std::string(source.slice(op->span)) + "[0]"}});
  }
  return out;
}

/// The name that holds an int of that size in the call, such as T; else what asks the scores for it.
std::string size_in_scope(const Wrong& wrong, const RecordedValue& scores, const std::string& owner, int axis) {
  const std::string size = std::to_string(scores.shape[scores.shape.size() - static_cast<std::size_t>(-axis)]);
  if (wrong.op.step >= 0) {
    const Step& step = wrong.trace().step(wrong.op.step);
    for (const Step& earlier : wrong.trace().steps) {
      if (&earlier >= &step) break;
      if (earlier.activation != step.activation) continue;
      for (const Binding& binding : earlier.bindings) {
        if (binding.value < 0) continue;
        const RecordedValue& value = wrong.flow.value(binding.value);
        if (value.type == "int" && value.text == size) return binding.target;
      }
    }
  }
  return owner.empty() ? size : owner + ".size(" + std::to_string(axis) + ")";
}

/// The tensor that a mask is made from, by its name in the code of the call: self.tril of "self.tril == 0".
struct Named {
  std::string name;
  Span span;
  Shape shape;
};

std::optional<Named> mask_by_name(const Wrong& wrong, ValueId mask) {
  for (const OperandNote& operand : wrong.error.operands) {
    if (operand.shape != wrong.flow.value(mask).shape || operand.span.end > wrong.op.span.end) continue;
    const std::string_view code = wrong.code(operand.span);
    const std::size_t begin = code.find_first_not_of("~(");
    std::size_t end = begin;
    const auto goes_on = [](char c) { return c == '_' || c == '.' || std::isalnum(static_cast<unsigned char>(c)); };
    while (end < code.size() && goes_on(code[end])) ++end;
    if (end < code.size() && code[end] == '(') end = std::min(code.rfind('.', end), code.size());  // mask.bool()
    if (begin >= end || (end < code.size() && code[end] == '[')) continue;
    Span span = operand.span;
    span.end = span.begin + static_cast<std::uint32_t>(end);
    span.begin += static_cast<std::uint32_t>(begin);
    return Named{std::string(code.substr(begin, end - begin)), span, operand.shape};
  }
  return std::nullopt;
}

/// A mask beside scores: cut to their lengths where it is longer; with axes for what stands between texts and keys.
void mask_that_fits(const Wrong& wrong, std::vector<LineEdits>& out) {
  const std::string_view name = plain_name(wrong.op);
  if ((name != "masked_fill" && name != "add" && name != "where") || wrong.op.inputs.size() < 2) return;
  const std::size_t place = name == "where" ? 0 : 1;
  const OpOperand &mask = wrong.op.inputs[place], &beside = wrong.op.inputs[1 - place];
  const RecordedValue& scores = wrong.flow.value(beside.value);
  const auto named = mask_by_name(wrong, mask.value);
  const std::size_t dims = scores.shape.size();
  if (!named || named->shape.size() < 2 || dims < 2) return;
  const Shape& shape = named->shape;
  const std::int64_t queries = scores.shape[dims - 2], keys = scores.shape[dims - 1];
  if (shape[shape.size() - 2] >= queries && shape.back() >= keys && shape.back() == shape[shape.size() - 2]) {
    const std::string dots = shape.size() == 2 ? "" : "..., ";
    out.push_back({{named->span, named->name + "[" + dots + ":" + size_in_scope(wrong, scores, beside.written, -2) +
                                     ", :" + size_in_scope(wrong, scores, beside.written, -1) + "]"}});
  }
  if (shape.size() == 2 && shape[0] == scores.shape[0] && shape[1] == keys && dims > 2) {
    std::string axes = "[:, ";
    for (std::size_t i = 2; i < dims; ++i) axes += "None, ";
    out.push_back({{named->span, named->name + axes + ":]"}});
  }
}

/// A table of positions, added to fewer words than it has rows.
void table_that_is_cut(const Wrong& wrong, std::vector<LineEdits>& out) {
  if (plain_name(wrong.op) != "add" || wrong.op.inputs.size() != 2) return;
  const RecordedValue &text = wrong.flow.value(wrong.op.inputs[0].value),
                      &table = wrong.flow.value(wrong.op.inputs[1].value);
  const auto named = mask_by_name(wrong, wrong.op.inputs[1].value);
  const std::size_t dims = table.shape.size();
  if (!named || dims < 2 || text.shape.size() < dims || table.shape[dims - 2] <= text.shape[text.shape.size() - 2])
    return;
  out.push_back({{named->span, named->name + (dims == 2 ? "[:" : "[:, :") +
                                   size_in_scope(wrong, text, wrong.op.inputs[0].written, -2) + "]"}});
}

struct Row {
  std::string_view rule;
  std::vector<Proposal> proposals;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
      {"linear.inner", {another_axis_of_cat, another_name}},
      {"broadcast", {last_two_axes_only, mask_that_fits, table_that_is_cut, another_axis_of_cat}},
      {"nll.batch", {another_axis_of_mean}},
      {"matmul", {last_two_axes_only, values_of_another_text}},
      {"bmm", {last_two_axes_only}},
  };
  return table;
}

std::vector<LineEdits> proposals(const Trace& trace, const Diagnostic& error) {
  for (const char* text : {"'tuple'", "not tuple"})
    if (error.message.find(text) != std::string::npos) return first_of_several(trace, error);
  std::vector<LineEdits> out;
  const auto row = std::find_if(rows().begin(), rows().end(), [&](const Row& each) {
    return error.rule == each.rule || error.rule.starts_with(std::string(each.rule) + ".");
  });
  const auto op =
      std::find_if(trace.ops.rbegin(), trace.ops.rend(), [](const Op& each) { return each.failed && each.parent < 0; });
  if (row == rows().end() || op == trace.ops.rend()) return out;
  const Flow flow(trace);
  for (const Proposal propose : row->proposals) propose({flow, *op, error}, out);
  return out;
}

}  // namespace

Mender::Mender(const Trace& trace, const Lesson& lesson, const std::vector<Finding>& findings)
    : trace_(trace), lesson_(lesson), told_(counted(findings)) {}

std::optional<Trace> Mender::run_with(const LineEdits& edits) {
  if (tries_left_-- <= 0) return std::nullopt;
  Lesson changed = lesson_;
  LineEdits from_the_end = edits;
  std::sort(from_the_end.begin(), from_the_end.end(),
            [](const LineEdit& a, const LineEdit& b) { return a.span.begin > b.span.begin; });
  for (const LineEdit& edit : from_the_end) {
    const auto record = std::find_if(trace_.blocks.begin(), trace_.blocks.end(), [&](const TraceBlock& block) {
      const CellRecord* cell = std::get_if<CellRecord>(&block);
      return cell && cell->source == edit.span.source;
    });
    if (record == trace_.blocks.end()) return std::nullopt;
    Cell& cell = std::get<Cell>(changed.blocks.at(static_cast<std::size_t>(record - trace_.blocks.begin())));
    const std::string& as_run = trace_.sources[edit.span.source].text;
    // A cell whose code was changed before it ran, by --seed, is not what the places speak of.
    const bool is_first = &edit == &from_the_end.front() || edit.span.source != from_the_end.front().span.source;
    if ((is_first && cell.source.text != as_run) || edit.span.end > cell.source.text.size()) return std::nullopt;
    cell.source.text.replace(edit.span.begin, edit.span.end - edit.span.begin, edit.code);
  }
  RunOptions options = trace_.options;
  options.output = nullptr;
  const bool is_part = is_cut(trace_);  // a long run is made again as far as it was followed
  if (is_part) options.stops_at = static_cast<std::int64_t>(trace_.steps.size());
  Limits limits;
  limits.max_memory = live_memory() + (std::int64_t{512} << 20);
  limits.max_work = kMostTriedWork;
  limits.max_stack = std::size_t{2} << 20;
  const LimitScope scope(limits);
  try {
    parse_cells(changed);
    Trace tried = run_lesson(changed, options);
    if (tried.outcome == RunOutcome::LimitReached || (tried.outcome == RunOutcome::Interrupted && !is_part))
      return std::nullopt;
    return tried;
  } catch (const LimitReached&) {
  } catch (const UserError&) {  // weights that do not fit the changed program
  }
  return std::nullopt;
}

bool Mender::has_new_notes(const Trace& tried, std::string_view rule) const {
  const auto told = counted(lint(tried));
  return std::any_of(told.begin(), told.end(), [&](const auto& row) {
    const auto before = told_.find(row.first);
    const int count = before == told_.end() ? 0 : before->second;
    return row.first == rule ? row.second >= count : row.second > count;
  });
}

std::string Mender::lines_of(LineEdits edits, Span from) const {
  std::sort(edits.begin(), edits.end(), [](const LineEdit& a, const LineEdit& b) {
    return std::pair(a.span.source, a.span.begin) < std::pair(b.span.source, b.span.begin);
  });
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const LineEdit& edit = edits[i];
    const Source& source = trace_.sources[edit.span.source];
    const std::size_t before = edit.span.begin == 0 ? std::string::npos : source.text.rfind('\n', edit.span.begin - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const std::size_t end = std::min(source.text.find('\n', edit.span.end), source.text.size());
    std::string line = source.text.substr(begin, end - begin);
    // The last in the line first, so that the places of the others stay.
    LineEdits here;
    for (const LineEdit& other : edits)
      if (other.span.source == edit.span.source && other.span.begin >= begin && other.span.end <= end)
        here.push_back(other);
    if (here.front().span != edit.span) continue;
    std::reverse(here.begin(), here.end());
    for (const LineEdit& other : here)
      line.replace(other.span.begin - begin, other.span.end - other.span.begin, other.code);
    line = trim(on_one_line(trim(line)));
    const std::size_t equals = line.find(" = ");
    if (equals != std::string::npos && line.substr(0, equals) == line.substr(equals + 3)) line = say("note.line.out");
    const int number = position_of(source, edit.span.begin).line;
    const bool is_here = here.size() == edits.size() && edit.span.source == from.source &&
                         number == position_of(source, from.begin).line;
    const bool is_other_cell = edit.span.source != from.source;
    lines.push_back(is_here ? line
                            : say(is_other_cell ? "note.line.cell" : "note.line",
                                  {{"cell", source.name}, {"line", std::to_string(number)}, {"code", line}}));
  }
  return join(lines, "; ");
}

void Mender::mend_failure(Trace& trace) {
  const auto failure = first_failure(trace_);
  if (!failure || trace_.outcome != RunOutcome::CellFailed) return;
  Diagnostic& error = trace.diagnostics[static_cast<std::size_t>(failure->diagnostic)];
  // The first change with which all runs; else the first that leads further.
  const LineEdits* best = nullptr;
  const std::vector<LineEdits> changes = proposals(trace_, error);
  for (const LineEdits& edits : changes) {
    const std::optional<Trace> tried = run_with(edits);
    const auto next = tried ? first_failure(*tried) : std::nullopt;
    const bool is_fine = tried && tried->outcome == RunOutcome::Fine;
    const bool goes_further = is_fine || (next && next->ordinal > failure->ordinal);
    if (!goes_further || (best && !is_fine) || has_new_notes(*tried, {})) continue;
    best = &edits;
    if (is_fine) break;
  }
  if (best) {
    error.tried = {};
    error.fix = lines_of(*best, error.span);
    return;
  }
  const auto op = std::find_if(trace_.ops.rbegin(), trace_.ops.rend(),
                               [](const Op& each) { return each.failed && each.parent < 0; });
  if (error.tried.code.empty() || op == trace_.ops.rend()) return;
  const std::optional<Trace> tried = run_with({{op->span, error.tried.code}});
  if (tried && has_new_notes(*tried, {})) error.tried = {};
}

std::string Mender::right_form(const Finding& finding) {
  const Span place = finding.op >= 0 ? trace_.op(finding.op).span : trace_.step(finding.step).span;
  for (const LineEdits& edits : finding.tries) {
    const std::optional<Trace> tried = run_with(edits);
    const bool is_fine = tried && (tried->outcome == RunOutcome::Fine || tried->outcome == RunOutcome::Interrupted ||
                                   trace_.outcome != RunOutcome::Fine);
    if (is_fine && !has_new_notes(*tried, finding.rule)) return lines_of(edits, place);
  }
  return finding.right;
}

}  // namespace attn
