#include "engine/runner.h"

#include "base/limits.h"
#include "base/text.h"
#include "engine/cell_runner.h"
#include "engine/checkpoints.h"
#include "engine/lesson_files.h"
#include "engine/load_weights.h"
#include "engine/recorder.h"
#include "engine/repair.h"
#include "engine/touch.h"
#include "engine/traps.h"
#include "engine/weights_fit.h"
#include "python/modules/library.h"
#include "tensor/kernels/levels.h"
#include "text/say.h"

namespace attn {
namespace {

// Brackets nested too deeply are refused while a cell is read, as an error of the cell.
RunOutcome outcome_of(const Diagnostic& diagnostic) {
  return diagnostic.code == Code::Limit ? RunOutcome::LimitReached : RunOutcome::CellFailed;
}

// The expression that ends a cell, whose value a notebook shows, unless a semicolon stands behind it. Else null.
const ExprStmt* shown_end(const Block& block, const Source& source) {
  if (block.empty() || trim(std::string_view(source.text).substr(block.back().span.end)).starts_with(";"))
    return nullptr;
  return std::get_if<ExprStmt>(&block.back().node);
}

bool is_same(const Value& a, const Value& b) {
  if (a.object() || b.object()) return a.object() == b.object();
  return repr(a) == repr(b);
}
// Whether it is run otherwise than it was written.
bool is_changed(const RunOptions& options) {
  return !options.set.empty() || options.seed || options.touch || options.input || options.weights;
}

class Runner {
 public:
  Runner(const Lesson& lesson, const RunOptions& options)
      : lesson_(lesson),
        is_lesson_(lesson.form == LessonForm::Lesson),
        cells_(std::make_shared<CellRunner>(
            lesson, options,
            InterpreterOptions{.strict_axis_comments = is_lesson_, .first_seed = {}, .assigned = filler(options)})),
        interpreter_(cells_->interpreter()),
        recorder_(trace_, interpreter_.sources()) {
    trace_.form = lesson.form;
    trace_.lesson_id = lesson.id;
    trace_.number = lesson.number;
    trace_.title = lesson.title;
    trace_.summary = lesson.summary;
    trace_.path = lesson.path;
    trace_.options = options;
    // A replay fills in --weights by itself, and knows no touch.
    if (options.is_gone_on_with && !options.weights && !options.touch)
      trace_.checkpoints = std::make_shared<Checkpoints>(cells_);
    if (options.touch)
      recorder_.before_bound([this](const Step& step, std::string_view target) { touch(step, target); });
  }

  Trace run();
  /// What of --weights does not fit; known once the lesson has run.
  std::vector<Misfit> misfits() const { return weights_ ? weights_->misfits() : std::vector<Misfit>(); }

 private:
  std::function<void(const std::string&, const Value&)> filler(const RunOptions& options);
  void run_block(const LessonBlock& block);
  void run_cell(const Cell& cell);
  void run_code(const Cell& cell, CellRecord& record);
  void note_failure(const CellError& error, CellRecord& record);
  void note_skipped(const SyntaxTree& tree, CellRecord& record);
  void show_result(const ExprStmt& end, CellRecord& record);
  void expect_error(const Cell& cell, CellRecord& record);
  void note_hidden_error(const Cell& cell, CellRecord& record);
  void compare_wrong(const Cell& cell, CellRecord& record);
  void ask(const Cell& cell, CellRecord& record);
  void touch(const Step& step, std::string_view target);
  void stop_at_limit(const LimitReached& limit);
  int note(Diagnostic diagnostic);

  std::vector<Prose> filled(const std::vector<Prose>& prose);
  Prose filled(Prose prose);
  void fill(Runs& runs);
  std::string value_text(const Run& run);

  const Lesson& lesson_;
  bool is_lesson_;
  std::optional<WeightsRun> weights_;  // before the interpreter, which is told of it
  Trace trace_;
  std::shared_ptr<CellRunner> cells_;
  Interpreter& interpreter_;
  Recorder recorder_;
  ValueId right_ = -1;  // what the wrong cell is compared with
  Value right_value_;
  std::optional<Value> shown_;  // what the notebook's _ stands for
  std::string raised_;          // the exception type that ended the cell
  bool touched_ = false;
};

Trace Runner::run() {
  take_level_used();  // what others ran is not this run's
  try {
    for (const LessonBlock& block : lesson_.blocks) {
      run_block(block);
      // The cells of a notebook stand for themselves: after one that fails the others still run.
      const bool goes_on = lesson_.form == LessonForm::Notebook;
      if (trace_.outcome != RunOutcome::Fine && !goes_on) break;
    }
  } catch (const LimitReached& limit) {
    stop_at_limit(limit);
  }
  if (weights_) trace_.weights = weights_->report();
  if (take_level_used()) trace_.level = level().name;
  trace_.measured_time = has_measured_time(interpreter_);
  trace_.drew_unseeded = !is_lesson_ && interpreter_.drew_unseeded();
  trace_.files = recorded_files(lesson_, cells_->opened());
  trace_.sources = interpreter_.sources();
  if (trace_.checkpoints || is_last(trace_)) interpreter_.leave();
  if (trace_.checkpoints) {
    if (trace_.checkpoints->is_empty()) trace_.checkpoints = nullptr;
  }
  return std::move(trace_);
}

std::function<void(const std::string&, const Value&)> Runner::filler(const RunOptions& options) {
  if (!options.weights) return nullptr;
  weights_.emplace(options.weights, recorder_);
  return [this](const std::string& name, const Value& value) { weights_->fill(name, value); };
}

void Runner::run_block(const LessonBlock& block) {
  if (const Prose* prose = std::get_if<Prose>(&block)) {
    trace_.blocks.emplace_back(is_lesson_ ? filled(*prose) : *prose);
  } else {
    run_cell(std::get<Cell>(block));
  }
}

int Runner::note(Diagnostic diagnostic) {
  trace_.diagnostics.push_back(std::move(diagnostic));
  return static_cast<int>(trace_.diagnostics.size() - 1);
}

void Runner::stop_at_limit(const LimitReached& limit) {
  const bool interrupted = limit.kind() == LimitReached::Kind::Interrupt;
  trace_.outcome = interrupted ? RunOutcome::Interrupted : RunOutcome::LimitReached;
  Diagnostic diagnostic;
  diagnostic.code = interrupted ? Code::Interrupt : Code::Limit;
  diagnostic.message = limit.what();
  diagnostic.span = limit.place();
  const int number = note(std::move(diagnostic));
  if (!trace_.steps.empty()) recorder_.note_error(number);
}

// ---- cells ----

void Runner::run_cell(const Cell& cell) {
  if (cells_->leave_fork()) recorder_.end_fork();
  // The record stands in the Trace while it is filled, so that a limit leaves what was done until then.
  trace_.blocks.emplace_back(CellRecord{});
  CellRecord& record = std::get<CellRecord>(trace_.blocks.back());
  record.ordinal = cell.ordinal;
  record.options = cell.options;
  record.recorded = cell.recorded;
  recorder_.begin_cell(record);
  if (!cell.options.wrong.empty()) {
    const Value* right = interpreter_.find(cell.options.wrong);
    right_ = right ? recorder_.record(*right) : -1;
    right_value_ = right ? *right : Value();
    recorder_.begin_fork();
  }
  run_code(cell, record);
  if (trace_.options.output) trace_.options.output->cell_ended(trace_, record);
  if (!cell.options.raises.empty()) expect_error(cell, record);
  if (!cell.options.wrong.empty() && !record.failed) compare_wrong(cell, record);
  if (record.failed) {
    trace_.outcome = outcome_of(trace_.diagnostics[static_cast<std::size_t>(record.diagnostic)]);
    return;
  }
  ask(cell, record);
  for (const auto& hint : cell.hints) record.hints.push_back(filled(hint));
  for (const Trap& trap : cell.traps) {
    Runs answer = trap.answer;
    fill(answer);
    TrapRecord filled_in{plain_text(answer), filled(trap.text)};
    if (record.question && !is_the_answer(filled_in.answer, *record.question, trace_))
      record.traps.push_back(std::move(filled_in));
  }
  record.why = filled(cell.why);
}

// sys.exit(0), or exit(): the program is at its end, or the cell of a notebook.
static bool is_planned_end(const CellError& error) {
  constexpr std::string_view kFine[] = {"", "None", "0", "False"};
  const bool is_fine = std::find(std::begin(kFine), std::end(kFine), error.diagnostic().message) != std::end(kFine);
  return error.type() == "SystemExit" && is_fine;
}

void Runner::run_code(const Cell& cell, CellRecord& record) {
  raised_.clear();
  const std::shared_ptr<const SyntaxTree> code = cells_->enter(cell);
  record.source = code->source;
  note_skipped(*code, record);
  if (trace_.checkpoints) trace_.checkpoints->begin_cell(code, cell.ordinal);
  if (const auto error = cells_->run(code, recorder_)) {
    if (is_lesson_ || !is_planned_end(*error)) note_failure(*error, record);
    return;
  }
  const ExprStmt* const end = shown_end(code->block, interpreter_.sources()[code->source]);
  try {
    if (end) show_result(*end, record);
  } catch (CellError& error) {
    // A __repr__ failed. One of the library has no place in the program.
    if (error.diagnostic().span == Span{}) error.diagnostic().span = end->value->span;
    note_failure(error, record);
  }
}

void Runner::note_failure(const CellError& error, CellRecord& record) {
  raised_ = record.raised = error.type();
  Diagnostic diagnostic = error.diagnostic();
  diagnostic.tried = find_repair(interpreter_.take_failed_call(), diagnostic, interpreter_.sources());
  record.diagnostic = note(std::move(diagnostic));
  recorder_.note_error(record.diagnostic);
  record.failed = true;
}

void Runner::note_skipped(const SyntaxTree& tree, CellRecord& record) {
  for (const Span& span : tree.skipped) {
    Diagnostic diagnostic;
    diagnostic.severity = Severity::Note;
    diagnostic.code = Code::Unsupported;
    diagnostic.span = span;
    diagnostic.message = say("cell.command");
    record.notes.push_back(note(std::move(diagnostic)));
  }
}

// Jupyter binds what it shows to _, unless the program uses that name itself.
void Runner::show_result(const ExprStmt& end, CellRecord& record) {
  record.result = recorder_.result(end);
  if (lesson_.form != LessonForm::Notebook || record.result < 0) return;
  const Value* bound = interpreter_.find("_");
  if (bound && !(shown_ && is_same(*bound, *shown_))) return;
  shown_ = recorder_.last_value().held;
  interpreter_.set("_", *shown_);
}

// A loop may bind the name several times in one step: the first counts.
void Runner::touch(const Step& step, std::string_view target) {
  const Touch& touch = *trace_.options.touch;
  if (touched_ || target != touch.name || step.id != touch.step) return;
  touched_ = true;
  apply_touch(interpreter_, touch);
}

// `raises=TYPE`: the error is what the cell is for.
void Runner::expect_error(const Cell& cell, CellRecord& record) {
  const std::string& expected = cell.options.raises;
  if (record.failed && outcome_of(trace_.diagnostics.back()) == RunOutcome::LimitReached) return;
  if (record.failed && raised_ == expected) {
    record.failed = false;
    return;
  }
  if (!record.failed && is_changed(trace_.options)) return note_hidden_error(cell, record);
  Diagnostic diagnostic;
  diagnostic.code = Code::Format;
  diagnostic.span = span_of(record.source, 0, cell.source.text.size());
  diagnostic.message = record.failed ? say("cell.raised.other", {{"expected", expected}, {"raised", raised_}})
                                     : say("cell.raised.nothing", {{"expected", expected}});
  record.diagnostic = note(std::move(diagnostic));
  record.failed = true;
}

// Sizes that are equal, or 1, hide many an error. That is no fault of the lesson, and the others go on.
void Runner::note_hidden_error(const Cell& cell, CellRecord& record) {
  Diagnostic diagnostic;
  diagnostic.severity = Severity::Warning;
  diagnostic.code = Code::Format;
  diagnostic.span = span_of(record.source, 0, cell.source.text.size());
  diagnostic.message = say("cell.hidden", {{"expected", cell.options.raises}});
  diagnostic.hint = say("cell.hidden.hint");
  record.diagnostic = note(std::move(diagnostic));
}

void Runner::compare_wrong(const Cell& cell, CellRecord& record) {
  Comparison comparison;
  comparison.right_name = cell.options.wrong;
  comparison.right = right_;
  comparison.wrong = recorder_.last_value().value;
  comparison.wrong_name = recorder_.last_value().written;
  if (!raised_.empty()) {
    comparison.effect = Effect::Raises;
  } else if (right_ < 0 || comparison.wrong < 0) {
    Diagnostic diagnostic;
    diagnostic.code = Code::Format;
    diagnostic.span = span_of(record.source, 0, cell.source.text.size());
    diagnostic.message =
        right_ < 0 ? say("cell.wrong.unbound", {{"name", cell.options.wrong}}) : say("cell.wrong.value");
    record.diagnostic = note(std::move(diagnostic));
    record.failed = true;
    return;
  } else {
    const RecordedValue& wrong = trace_.value(comparison.wrong);
    const RecordedValue& right = trace_.value(right_);
    if (wrong.is_tensor && right.is_tensor && wrong.shape == right.shape) {
      comparison.difference =
          compare(recorder_.last_value().held.as<TensorObject>()->tensor, right_value_.as<TensorObject>()->tensor);
      comparison.effect = comparison.difference.differing ? Effect::OtherNumbers : Effect::NoDifference;
    } else if (wrong.is_tensor || right.is_tensor) {
      comparison.effect = Effect::OtherShape;
    } else {
      comparison.effect = wrong.text == right.text ? Effect::NoDifference : Effect::OtherNumbers;
    }
  }
  record.comparison = std::move(comparison);
}

void Runner::ask(const Cell& cell, CellRecord& record) {
  if (!cell.options.asks()) return;
  Question question;
  question.kind = cell.options.predict;
  question.write = cell.options.write;
  question.raises = !raised_.empty();
  if (question.kind == Predict::Shape) {
    const Value* named = interpreter_.find(cell.options.predict_name);
    question.subject = named ? cell.options.predict_name : recorder_.last_bound().written;
    question.value = named ? recorder_.record(*named) : recorder_.last_bound().value;
  } else if (question.kind == Predict::Value) {
    question.subject = recorder_.last_value().written;
    question.value = recorder_.last_value().value;
  } else if (question.kind == Predict::Effect && record.comparison) {
    question.subject = cell.options.wrong;
    question.effect = record.comparison->effect;
  }
  record.question = std::move(question);
}

// ---- prose ----

std::vector<Prose> Runner::filled(const std::vector<Prose>& prose) {
  std::vector<Prose> out;
  for (const Prose& part : prose) out.push_back(filled(part));
  return out;
}

Prose Runner::filled(Prose prose) {
  fill(prose.runs);
  for (auto& row : prose.rows) {
    for (Runs& cell : row) fill(cell);
  }
  return prose;
}

void Runner::fill(Runs& runs) {
  for (Run& run : runs) {
    if (run.kind != Run::Kind::Expression) continue;
    run.text = value_text(run);
    run.kind = Run::Kind::Text;
  }
}

std::string Runner::value_text(const Run& run) {
  const int line = position_of(lesson_.source, run.span.begin).line;
  try {
    return interpreter_.format_field({lesson_.path, run.text, line});
  } catch (const CellError& error) {
    note(error.diagnostic());
    trace_.outcome = outcome_of(error.diagnostic());
    return "{{ " + run.text + " }}";
  }
}

}  // namespace

Trace run_lesson(const Lesson& lesson, const RunOptions& options) {
  auto runner = std::make_unique<Runner>(lesson, options);
  Trace trace = runner->run();
  const bool fits = runner->misfits().empty() || trace.outcome == RunOutcome::Interrupted;
  if (is_last(trace)) leave_to_the_system(std::move(runner));
  if (fits) return trace;
  throw misfit_error(lesson, options, runner->misfits(), [&](const RunOptions& changed) {
    Runner other(lesson, changed);
    return other.run().outcome == RunOutcome::Fine && other.misfits().empty();
  });
}

Trace run_touched(const Lesson& lesson, const Trace& before, std::string_view typed) {
  RunOptions options = before.options;
  options.touch = find_touch(before, typed);
  if (before.outcome == RunOutcome::Interrupted && !before.steps.empty()) {
    const Step& last = before.steps.back();
    options.stops_at = last.ordinal + (last.outcome == Outcome::Fine ? 1 : 0);
  }
  return run_lesson(lesson, options);
}

}  // namespace attn
