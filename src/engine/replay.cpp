#include "engine/replay.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "engine/cell_runner.h"
#include "engine/checkpoints.h"
#include "engine/load_weights.h"
#include "python/evaluator.h"
#include "syntax/characters.h"
#include "syntax/parser.h"
#include "torch/nn/layer.h"

namespace attn {
namespace {

constexpr std::size_t kMostKept = 3;

/// Ends the run at the wanted point; not an error of the cell, so no cell can catch it.
struct Stopped {};

/// Which event of the run is the point: the begin or the end of a statement, counted as the recorder counts steps.
struct Event {
  std::int64_t begins = -1;
  std::int64_t ends = -1;
};

Event event_of(const Trace& trace, const Point& point) {
  if (point.before) return {trace.step(point.step).ordinal, -1};
  const auto id = static_cast<std::size_t>(point.step);
  for (std::size_t child = id + 1; child < trace.steps.size() && trace.steps[child].parent >= point.step; ++child) {
    const Step& step = trace.steps[child];
    if (step.parent == point.step && step.activation == trace.steps[id].activation) return {step.ordinal, -1};
  }
  return {-1, trace.step(point.step).ordinal};
}

/// Counts statements until the point is reached, and notes where the run stands.
class Stopper : public Observer {
 public:
  Stopper(Interpreter& interpreter, Event event, const Checkpoint* from)
      : interpreter_(interpreter), event_(event), from_(from), count_(from ? from->statements - 1 : -1) {}

  void statement_begins(const Stmt&, std::int64_t) override {
    if (reached_) return;
    if (from_ && open_.size() < from_->open.size()) return open_.push_back(from_->open[open_.size()]);
    from_ = nullptr;
    open_.push_back(++count_);
    if (count_ == event_.begins) stop();
  }
  void statement_ends(const Stmt&, bool) override {
    if (reached_) return;
    const std::int64_t id = open_.back();
    open_.pop_back();
    if (id == event_.ends) stop();
  }
  const Interpreter::Place& place() const { return place_; }

 private:
  void stop() {
    reached_ = true;
    place_ = interpreter_.place();
    throw Stopped{};
  }

  Interpreter& interpreter_;
  Event event_;
  const Checkpoint* from_;  // whose open statements are entered again
  std::int64_t count_;      // of the statement that began last
  Interpreter::Place place_;
  std::vector<std::int64_t> open_;
  bool reached_ = false;
};

RecordedValue described(const Value& value, bool with_numbers) {
  RecordedValue record;
  const TensorObject* handle = value.as<TensorObject>();
  record.type = handle              ? (handle->is_parameter ? "Parameter" : "Tensor")
                : value.as<Layer>() ? "Module"
                                    : type_name(value);
  if (!handle) {
    record.text = unread_repr(value);
    return record;
  }
  record.is_tensor = true;
  record.shape = handle->tensor.shape();
  record.strides = handle->tensor.strides();
  record.dtype = handle->tensor.dtype();
  record.contiguous = handle->tensor.is_contiguous();
  for (const Axis& axis : handle->axes) record.axes.push_back({axis.name, axis.words, nullptr, axis.by});
  if (with_numbers) record.tensor = handle->tensor.snapshot();
  else record.kept = false;
  return record;
}

/// The interpreter works while it lives.
class Working {
 public:
  explicit Working(Interpreter& interpreter) : interpreter_(interpreter) { interpreter_.enter(); }
  ~Working() { interpreter_.leave(); }
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;

 private:
  Interpreter& interpreter_;
};

}  // namespace

struct Replays::Kept {
  Kept(const Lesson& lesson, const RunOptions& options, const Point& start)
      : point{start.step, start.before, {}},
        cells(std::make_shared<CellRunner>(lesson, options, interpreter_options(options))) {}
  Kept(const Point& start, std::shared_ptr<CellRunner> run)
      : point{start.step, start.before, {}}, cells(std::move(run)) {}
  InterpreterOptions interpreter_options(const RunOptions& options) {
    InterpreterOptions own{.strict_axis_comments = false, .first_seed = {}};
    if (!options.weights) return own;
    loader.emplace(options.weights);
    own.assigned = [this](const std::string& name, const Value& value) { loader->load(name, value); };
    return own;
  }
  Interpreter& interpreter() { return cells->interpreter(); }

  Point point;
  std::optional<WeightsLoader> loader;  // of --weights
  std::shared_ptr<CellRunner> cells;
};

Replays::Replays(std::shared_ptr<const Lesson> lesson, std::shared_ptr<const Trace> trace)
    : lesson_(std::move(lesson)), trace_(std::move(trace)) {}
Replays::~Replays() = default;

std::unique_ptr<Replays::Kept> Replays::replayed(const Point& point) {
  if (point.step < 0) {
    auto kept = std::make_unique<Kept>(*lesson_, trace_->options, point);
    kept->interpreter().leave();
    return kept;
  }
  const Event event = event_of(*trace_, point);
  Checkpoints* const checkpoints = trace_->checkpoints.get();
  const Checkpoint* from = checkpoints ? checkpoints->before(std::max(event.begins, event.ends)) : nullptr;
  std::unique_ptr<Kept> kept;
  if (from) {
    // The run stands at one point at a time.
    std::erase_if(kept_, [&](const auto& other) { return other->cells == checkpoints->run(); });
    kept = std::make_unique<Kept>(point, checkpoints->run());
    kept->cells->read_from(*lesson_);
    kept->interpreter().enter();
  } else {
    kept = std::make_unique<Kept>(*lesson_, trace_->options, point);
  }
  Interpreter& interpreter = kept->interpreter();
  struct Leave {
    Interpreter& interpreter;
    ~Leave() { interpreter.leave(); }
  } leave{interpreter};
  Stopper stopper(interpreter, event, from);
  try {
    for (const Cell* cell : cells(*lesson_)) {
      if (from && cell->ordinal < from->cell) continue;
      const bool goes_on = from && cell->ordinal == from->cell;
      const bool failed = goes_on ? kept->cells->run(from->code, stopper, &from->state).has_value()
                                  : kept->cells->run(kept->cells->enter(*cell), stopper).has_value();
      if (failed && cell->options.raises.empty() && lesson_->form != LessonForm::Notebook) break;
    }
  } catch (const Stopped&) {
    interpreter.go_on_at(stopper.place());
  }
  return kept;
}

Replays::Kept& Replays::at(const Point& point) {
  const auto same_start = [&](const std::unique_ptr<Kept>& kept) {
    const std::vector<std::string>& typed = kept->point.typed;
    return kept->point.step == point.step && kept->point.before == point.before && typed.size() <= point.typed.size() &&
           std::equal(typed.begin(), typed.end(), point.typed.begin());
  };
  auto found = std::find_if(kept_.begin(), kept_.end(), same_start);
  std::unique_ptr<Kept> kept;
  if (found != kept_.end()) {
    kept = std::move(*found);
    kept_.erase(found);
  } else {
    kept = replayed(point);
  }
  const Working working(kept->interpreter());
  while (kept->point.typed.size() < point.typed.size()) {
    const std::string& line = point.typed[kept->point.typed.size()];
    evaluate_code(kept->interpreter(), "<typed>", line);
    kept->point.typed.push_back(line);
  }
  kept_.push_back(std::move(kept));
  if (kept_.size() > kMostKept) kept_.erase(kept_.begin());
  return *kept_.back();
}

Replays::Attempt Replays::run_for(const Point& point, const std::string& code, const std::string& name) {
  Kept& kept = at(point);
  const Working working(kept.interpreter());
  Attempt attempt;
  attempt.evaluation = evaluate_code(kept.interpreter(), "<typed>", code);
  const Scope& scope = *kept.interpreter().place().scope;
  const Value* bound = scope.names.find(name);
  if (bound && !attempt.evaluation.error) attempt.value = described(*bound, true);
  kept.point.typed.push_back(code);
  // What was interrupted stands at no point that could be asked for again.
  if (attempt.evaluation.error && attempt.evaluation.error->code == Code::Interrupt) kept.point.step = -2;
  return attempt;
}

Evaluation Replays::run(const Point& point, const std::string& code) { return run_for(point, code, "").evaluation; }

std::vector<NameInScope> Replays::names(const Point& point) {
  Kept& kept = at(point);
  const Working working(kept.interpreter());
  std::vector<NameInScope> out;
  std::set<std::string> known;
  const Ref<Scope> innermost = kept.interpreter().place().scope;
  for (const Scope* scope = innermost.get(); scope; scope = scope->outer.get()) {
    const std::size_t first = out.size();
    for (const auto& [name, value] : scope->names) {
      if (value.as<Module>() || !known.insert(name).second) continue;
      out.push_back({name, scope->outer != nullptr, described(value, false)});
    }
    std::sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
              [](const NameInScope& a, const NameInScope& b) { return a.name < b.name; });
  }
  return out;
}

std::vector<std::string> Replays::members(const Point& point, const std::string& expression) {
  // Names and dots alone: nothing may be run that could fail halfway or change something.
  const auto is_part = [](char c) { return c == '.' || continues_name(c); };
  if (expression.empty() || !std::all_of(expression.begin(), expression.end(), is_part)) return {};
  Kept& kept = at(point);
  const Working working(kept.interpreter());
  try {
    const std::uint32_t number = kept.interpreter().add_source({"<typed>", expression});
    const ExprPtr tree = parse_expression(Source(kept.interpreter().sources()[number]), number);
    return attribute_names(kept.interpreter().evaluate(*tree));
  } catch (const CellError&) {
    return {};
  }
}

}  // namespace attn
