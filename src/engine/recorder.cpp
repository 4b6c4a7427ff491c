// One class over 400 lines: steps, values, ops and what a long record leaves out move the same marks.
#include "engine/recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/text.h"
#include "base/words.h"
#include "engine/checkpoints.h"
#include "python/class.h"
#include "python/interpreter.h"
#include "python/modules/library.h"
#include "python/types/record.h"
#include "tensor/core/read.h"
#include "torch/gradient.h"
#include "torch/nn/layer.h"
#include "torch/signature.h"

namespace attn {
namespace {

// From here on a record is long: rounds, calls and ops are left out.
constexpr std::size_t kLongRecord = 10'000;
// And from here on crowded: of loops in loops and calls in calls the first ones alone would be 2 to the power of their
// depth.
constexpr std::size_t kCrowdedRecord = 50'000;
constexpr std::size_t kManyOps = 1000;         // of one statement, and results of one op
constexpr std::size_t kManyOperands = 10'000;  // of one op; with more in a list it does not run again
// After that many bytes of text have been written, those of loops and calls are short.
constexpr std::size_t kMuchText = std::size_t{4} << 20, kShortText = 1024;

// What it takes to keep a buffer. That of a file is there as long as the program runs on it.
std::int64_t cost_of(const Buffer& buffer) { return buffer.is_of_file() ? 0 : buffer.bytes(); }

// FNV-1a of the code of a statement, blanks at its ends left out: names the step whatever stands around it.
std::uint32_t fingerprint(std::string_view code) {
  std::uint32_t hash = 2166136261u;
  for (const char c : trim(code)) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash;
}

std::vector<AxisRecord> axis_records(const TensorObject& handle) {
  std::vector<AxisRecord> axes;
  for (const Axis& axis : handle.axes) axes.push_back({axis.name, axis.words, axis.origin, axis.by});
  return axes;
}

bool same_axes(const std::vector<AxisRecord>& a, const Axes& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const AxisRecord& x, const Axis& y) {
    return x.name == y.name && x.words == y.words && x.by == y.by;
  });
}

// The overload that was chosen: of those whose parameters the call all has, the one with the most.
int bound_overload(const OpCall& call) {
  const std::vector<Overload>& overloads = overloads_of(call.info().signature);
  const Overload* best = nullptr;
  for (const Overload& overload : overloads) {
    const bool fits = std::all_of(overload.begin(), overload.end(),
                                  [&](const OpParameter& parameter) { return call.takes(parameter.name); });
    if (fits && (!best || overload.size() > best->size())) best = &overload;
  }
  return static_cast<int>(best - overloads.data());
}

// The tensors in an argument: itself, or those in a list or tuple.
void collect_tensors(const Value& value, std::vector<TensorObject*>& out) {
  check_stack();
  look();
  if (out.size() == kManyOperands) return;
  const std::vector<Value>* items = value.as<List>()    ? &value.as<List>()->items
                                    : value.as<Tuple>() ? &value.as<Tuple>()->items
                                                        : nullptr;
  if (TensorObject* tensor = value.as<TensorObject>()) out.push_back(tensor);
  if (const Array* array = value.as<Array>()) out.push_back(array->tensor.get());
  for (std::size_t i = 0; items && i < items->size(); ++i) collect_tensors((*items)[i], out);
}

// A tensor, or what a numpy array is a handle on; its scalars are numbers.
TensorObject* tensor_in(const Value& value) {
  const Array* array = value.as<Array>();
  return array && !array->is_scalar ? array->tensor.get() : value.as<TensorObject>();
}

// A figure or an axes object does not, in a notebook.
bool says_something(const Value& value) { return !value.is_none() && !value.as<Quiet>(); }

}  // namespace

void Recorder::begin_cell(CellRecord& cell) {
  has_texts_ = trace_.options.is_whole;
  cell_ = &cell;
  cell_frame_.occurrences.clear();
  failed_step_ = -1;
  last_ = {};
  last_bound_ = {};
}

void Recorder::note_error(int diagnostic) {
  if (failed_step_ >= 0) trace_.step(failed_step_).diagnostic = diagnostic;
}

// ---- steps ----

std::string Recorder::step_id(const Stmt& stmt, std::int64_t iteration) {
  const std::uint32_t print = fingerprint(sources_[stmt.span.source].slice(stmt.header_span));
  const std::string parent =
      open_steps_.empty() ? fmt::format("{}/{}", trace_.lesson_id, cell_ ? cell_->ordinal : 0) : current_step()->id;
  std::string id = fmt::format("{}/{:08x}", parent, print);
  if (iteration >= 0) id += fmt::format("@{}", iteration);
  const int occurrence = innermost().occurrences[{iteration, print}]++;
  return occurrence ? fmt::format("{}.{}", id, occurrence) : id;
}

void Recorder::statement_begins(const Stmt& stmt, std::int64_t iteration) {
  if (statements_ == trace_.options.stops_at) throw LimitReached(LimitReached::Kind::Interrupt, "interrupted");
  if (is_enough(trace_.steps.size())) return let_go();
  Step step;
  step.id = step_id(stmt, iteration);
  step.cell = cell_ ? cell_->ordinal : 0;
  step.span = stmt.span;
  step.header = stmt.header_span;
  step.parent = open_step();
  step.ordinal = statements_++;
  step.iteration = iteration;
  step.hidden = cell_ && cell_->options.hidden;
  if (!activations_.empty()) {
    step.activation = activations_.back().number;
    step.function = activations_.back().function;
  }
  const auto id = static_cast<StepId>(trace_.steps.size());
  trace_.steps.push_back(std::move(step));
  if (cell_ && open_steps_.empty()) cell_->steps.push_back(id);
  open_steps_.push_back({id, {}, 0, {}});
}

void Recorder::statement_ends(const Stmt&, bool failed) {
  if (!follows()) return;
  const StepId id = open_steps_.back().id;
  open_steps_.pop_back();
  ended_step_ = id;
  allow_for_record();
  release_if_many();
  if (!failed && failed_step_ > id) failed_step_ = -1;  // what failed inside of it was caught
  if (!failed) return;
  trace_.step(id).outcome = Outcome::Raised;
  if (failed_step_ < 0) failed_step_ = id;  // the innermost one
}

void Recorder::flushed() {
  if (OutputListener* const output = trace_.options.output) output->flushed();
}

void Recorder::printed(std::string_view text) {
  OutputListener* const output = trace_.options.output;
  const bool is_shown_later = trace_.options.is_whole || !output;
  if (Step* step = current_step(); step && follows() && is_shown_later) step->printed += text;
  if (output) output->printed(text);
  if (cell_ && (!output || !cell_->recorded.empty())) cell_->printed += text;
}

void Recorder::complained(std::string_view text) {
  if (trace_.options.output) trace_.options.output->complained(text);
}

// The step of the line, of a comment on a line of its own that of the statement above it.
StepId Recorder::step_beside(Span comment) const {
  const auto stands_before = [&](StepId id) {
    const Step& step = trace_.step(id);
    return step.span.source == comment.source && step.span.begin <= comment.begin;
  };
  const StepId open = open_step();
  if (ended_step_ > open && stands_before(ended_step_)) return ended_step_;
  return open >= 0 && stands_before(open) ? open : -1;
}

void Recorder::warned(const Diagnostic& diagnostic) {
  if (!told_warnings_.emplace(diagnostic.span.source, diagnostic.span.begin).second) return;
  trace_.diagnostics.push_back(diagnostic);
  const StepId step = step_beside(diagnostic.span);
  if (step < 0) return;
  trace_.step(step).warnings.push_back(static_cast<int>(trace_.diagnostics.size() - 1));
}

void Recorder::evaluated(const Value& value, Span span) {
  last_place_ = span;
  if (!trace_.options.is_whole) last_.held = value;
  if (!follows() || !current_step()) return;
  if (activations_.empty()) result_ = -1;
  if (says_something(value)) {
    const ValueId id = record(value, activations_.empty());
    // What manual_seed() gives says nothing in a step; a notebook shows it where it ends a cell.
    const Record* plain = value.as<Record>();
    if (!plain || plain->type_name != "Generator") current_step()->value = id;
    if (activations_.empty()) result_ = id;
    if (activations_.empty()) last_ = {id, std::string(sources_[span.source].slice(span)), false, value};
  }
}

ValueId Recorder::result(const ExprStmt& end) {
  ValueId id = result_;
  if (!trace_.options.is_whole) {
    has_texts_ = true;
    id = last_place_ == end.value->span && says_something(last_.held) ? record(last_.held, true) : -1;
    has_texts_ = false;
  }
  if (id < 0) return id;
  RecordedValue& shown = trace_.value(id);
  if (shown.is_tensor && !shown.kept && shown.text.empty()) {
    shown.text = repr(last_.held);  // what a notebook shows does not depend on how full the record is
    text_bytes_ += static_cast<std::int64_t>(shown.text.size());
  }
  return id;
}

void Recorder::bound(std::string_view target, const Value& value, Span span) {
  const std::string name(target);
  if (before_bound_ && current_step()) before_bound_(*current_step(), target);
  const ValueId id = record(value);
  if (TensorObject* handle = tensor_in(value)) {
    Known& known = known_.at(handle);
    RecordedValue& recorded = trace_.value(known.value);
    if (!same_axes(recorded.axes, handle->axes)) recorded.axes = axis_records(*handle);
    known.is_bound = true;
  }
  names_.bind(name, tensor_in(value));
  if (activations_.empty()) last_ = last_bound_ = {id, name, true, value};
  if (Step* step = current_step()) step->bindings.push_back({name, id, span});
}

void Recorder::gradient_left(std::string_view name, TensorObject& of, Span span) {
  bound(fmt::format("{}.grad", name), of.grad ? Value(of.grad) : Value(), span);
  if (Step* step = current_step(); step && of.grad) step->bindings.back().of = record_tensor(of);
}

// ---- calls ----

void Recorder::call_begins(const Function& function, const Scope& scope) {
  const ClassObject* owner = function.owner.as<ClassObject>();
  const bool is_recursive = std::any_of(activations_.begin(), activations_.end(),
                                        [&](const Activation& outer) { return outer.code == &function; });
  const Mark begin = mark();
  const bool is_one_of_many = ++innermost().calls > static_cast<int>(kFirstRounds) || is_recursive;
  const bool is_left_out = is_one_of_many ? is_long(begin) : is_crowded(begin);
  activations_.push_back({++calls_, (owner ? owner->name + "." : "") + function.name, &function, is_left_out, begin});
  names_.mark();
  for (const Parameter& parameter : *function.parameters) {
    if (const Value* argument = scope.names.find(parameter.name))
      names_.bind(parameter.name, argument->as<TensorObject>());
  }
}

void Recorder::call_ends() {
  if (!follows()) return;
  names_.roll_back();
  const Activation ended = std::move(activations_.back());
  activations_.pop_back();
  if (ended.is_left_out && failed_step_ < static_cast<StepId>(ended.begin.steps)) leave_out(ended.begin);
}

// ---- what is left out of a long record ----

Recorder::Mark Recorder::mark() const {
  Mark mark{trace_.steps.size(), trace_.ops.size(), trace_.values.size(), storages_.size()};
  if (open_steps_.empty()) return mark;
  const Step& step = trace_.step(open_step());
  mark.own_ops = step.ops.size();
  mark.own_bindings = step.bindings.size();
  return mark;
}

bool Recorder::is_over(std::size_t length, const Mark& at) const {
  return !trace_.options.weights && (at.steps > length || at.ops > length);
}

bool Recorder::is_long(const Mark& at) const { return is_over(kLongRecord, at); }
bool Recorder::is_crowded(const Mark& at) const { return is_over(kCrowdedRecord, at); }

namespace {

/// 100, 200, ... 1000, 2000, ...: so the record of a long training has something of each part.
bool is_kept_round(std::int64_t number) {
  if (number < 100) return false;
  while (number % 10 == 0) number /= 10;
  return number < 10;
}

}  // namespace

void Recorder::round_begins(std::int64_t iteration) {
  if (!follows() || open_steps_.empty()) return;
  OpenStep& loop = open_steps_.back();
  loop.is_loop = true;
  const auto loops = std::count_if(open_steps_.begin(), open_steps_.end(), [](const OpenStep& s) { return s.is_loop; });
  if (trace_.options.on_round) {
    const Span span = trace_.step(loop.id).span;
    trace_.options.on_round({static_cast<std::size_t>(loops - 1), &sources_[span.source], span.begin, iteration});
  }
  if (trace_.checkpoints && activations_.empty()) {
    std::vector<std::int64_t> open;
    for (const OpenStep& step : open_steps_) open.push_back(trace_.step(step.id).ordinal);
    trace_.checkpoints->round_begins(std::move(open), statements_);
  }
  const bool is_kept = loops == 1 && is_kept_round(iteration);
  const bool is_first = iteration <= static_cast<std::int64_t>(kFirstRounds);
  if (iteration > 0 && !is_kept && (is_first ? is_crowded(loop.round) : is_long(loop.round))) {
    leave_out(loop.round);
    std::erase_if(loop.occurrences, [](const auto& item) { return item.first.first >= 0; });  // of rounds
  } else {
    loop.round = mark();
  }
}

void Recorder::leave_out(const Mark& since) {
  for (std::size_t i = since.values; i < trace_.values.size(); ++i) {
    const auto known = known_.find(handles_[i]);
    if (known != known_.end() && known->second.value == static_cast<ValueId>(i)) known->second.value = -1;
    forget_numbers(trace_.values[i]);
  }
  trace_.values.resize(since.values);
  handles_.resize(since.values);
  trace_.ops.resize(since.ops);
  trace_.steps.resize(since.steps);
  while (!nodes_.empty() && nodes_.back().second >= static_cast<OpId>(since.ops)) nodes_.pop_back();
  for (; storages_.size() > since.storages; storages_.pop_back()) storage_numbers_.erase(storages_.back());
  if (Step* step = current_step()) {
    step->ops.resize(since.own_ops);
    step->bindings.resize(since.own_bindings);
  }
  const auto is_gone = [](int id, std::size_t size) { return id >= static_cast<int>(size); };
  if (is_gone(failed_step_, since.steps)) failed_step_ = -1;
  if (is_gone(ended_step_, since.steps)) ended_step_ = open_step();
  if (is_gone(result_, since.values)) result_ = -1;
  for (Last* last : {&last_, &last_bound_})
    if (is_gone(last->value, since.values)) last->value = kLeftOut;
}

const Recorder::Last& Recorder::recorded(Last& last) {
  if (last.value == kLeftOut) last.value = record(last.held);
  return last;
}

void Recorder::forget_numbers(const RecordedValue& recorded) {
  text_bytes_ -= static_cast<std::int64_t>(recorded.text.size());
  if (!recorded.has_numbers()) return;
  const auto kept = kept_.find(recorded.tensor.storage().buffer.get());
  if (--kept->second > 0) return;
  kept_bytes_ -= cost_of(*kept->first);
  kept_.erase(kept);
}

// About what the record takes: it does not count as the program's memory.
void Recorder::allow_for_record() const {
  const std::size_t bytes = trace_.steps.size() * 2 * sizeof(Step) + trace_.ops.size() * 4 * sizeof(Op) +
                            trace_.values.size() * 2 * sizeof(RecordedValue);
  thread_limits.allowance = static_cast<std::int64_t>(bytes) + text_bytes_ + kept_bytes_ +
                            (trace_.checkpoints ? trace_.checkpoints->bytes() : 0);
}

// What the program works with is its own again, to be given back where it gives it up.
void Recorder::let_go() {
  stop_following();
  for (const auto& item : known_) names_.forget(item.first);
  known_.clear();
}

// ---- values ----

// Handles that nobody else holds can not come up again: what they held is in the record.
void Recorder::release_if_many() {
  constexpr std::int64_t kMuch = std::int64_t{2} << 20;
  if (known_.size() <= 2 * known_before_ + 16 && new_bytes_ <= kMuch) return;
  std::erase_if(known_, [&](const auto& item) {
    if (item.second.handle->references() > 1) return false;
    names_.forget(item.first);
    return true;
  });
  known_before_ = known_.size();
  new_bytes_ = 0;
}

namespace {

/// Sizes, rates, layers and lists of layers: few and short, and notes on silent bugs ask for them.
bool speaks_of_layers(const Value& value) {
  const List* list = value.as<List>();
  return value.as_int() || value.as_float() || value.as<Layer>() ||
         (list && !list->items.empty() && list->items[0].as<Layer>());
}

}  // namespace

ValueId Recorder::record(const Value& value, bool is_shown) {
  if (TensorObject* handle = tensor_in(value)) {
    const ValueId id = record_tensor(*handle);
    // Of an array, and of a tensor that torch.set_printoptions() has print otherwise.
    const bool has_own_text = !value.as<TensorObject>() || Interpreter::current()->print_options() != PrintOptions{};
    if (has_texts_ && has_own_text) trace_.value(id).text = unread_repr(value);
    return id;
  }
  RecordedValue recorded;
  recorded.type = value.as<Layer>() ? "Module" : type_name(value);
  if (has_texts_ || speaks_of_layers(value)) recorded.text = text_of(value, is_shown);
  return add(std::move(recorded), nullptr);
}

std::string Recorder::text_of(const Value& value, bool is_shown) {
  const bool is_short = written_ > kMuchText && open_steps_.size() > 1;
  std::string text;
  try {
    text = unread_repr(value, is_short ? kShortText : kLongestUnread);
  } catch (const CellError&) {
    if (is_shown) throw;
    text = fmt::format("<{} object>", type_name(value));
  }
  written_ += text.size();
  return text;
}

ValueId Recorder::add(RecordedValue recorded, const TensorObject* handle) {
  text_bytes_ += static_cast<std::int64_t>(recorded.text.size());
  trace_.values.push_back(std::move(recorded));
  handles_.push_back(handle);
  return static_cast<ValueId>(trace_.values.size() - 1);
}

ValueId Recorder::record_tensor(TensorObject& handle) {
  const auto found = known_.find(&handle);
  if (found != known_.end() && found->second.value >= 0) {
    const RecordedValue& former = trace_.value(found->second.value);
    const bool written = former.version != handle.tensor.storage().version ||
                         former.storage != storage_number(handle.tensor.storage().id);
    const bool relaid = former.shape != handle.tensor.shape() || former.strides != handle.tensor.strides();
    const bool renamed = found->second.is_bound && !same_axes(former.axes, handle.axes);
    const bool marked = former.requires_grad != handle.requires_grad;
    if (!written && !relaid && !renamed && !marked) return found->second.value;
  }
  const ValueId id = add(describe(handle), &handle);
  known_[&handle] = Known{Ref<TensorObject>(&handle), id};
  const Tensor& tensor = handle.tensor;  // one of many small views of a large one adds little to what is held
  new_bytes_ += std::min(tensor.storage().buffer->bytes(), tensor.numel() * size_of(tensor.dtype()));
  return id;
}

// Counted within the run: the ids of the tensor core go on from run to run, and a Trace must not.
std::int64_t Recorder::storage_number(std::int64_t id) {
  const auto [found, is_new] = storage_numbers_.try_emplace(id, static_cast<std::int64_t>(storages_.size()) + 1);
  if (is_new) storages_.push_back(id);
  return found->second;
}

RecordedValue Recorder::describe(const TensorObject& handle) {
  RecordedValue recorded;
  const Tensor& tensor = handle.tensor;
  recorded.type = handle.is_parameter ? "Parameter" : "Tensor";
  recorded.is_tensor = true;
  recorded.shape = tensor.shape();
  recorded.strides = tensor.strides();
  recorded.dtype = tensor.dtype();
  recorded.axes = axis_records(handle);
  recorded.storage = storage_number(tensor.storage().id);
  recorded.version = tensor.storage().version;
  recorded.contiguous = tensor.is_contiguous();
  recorded.requires_grad = handle.requires_grad;
  recorded.is_parameter = handle.is_parameter;
  recorded.grad_fn = handle.grad_fn;
  keep_numbers(recorded, tensor);
  return recorded;
}

// Buffers are shared between snapshots, so each is counted once. One may take a part of what is left, so that a few
// large ones leave room for the many small ones after them.
void Recorder::keep_numbers(RecordedValue& recorded, const Tensor& tensor) {
  constexpr std::int64_t kPart = 4, kMostUnasked = std::int64_t{16} << 10;
  const bool is_unasked = cell_ && cell_->options.hidden && !trace_.options.keeps_hidden;
  const std::int64_t room = (trace_.options.value_budget - kept_bytes_) / kPart;
  const auto& buffer = tensor.storage().buffer;
  const auto kept = kept_.find(buffer.get());
  const bool has_room = kept != kept_.end() || cost_of(*buffer) <= (is_unasked ? std::min(room, kMostUnasked) : room);
  if (!has_room) {
    recorded.kept = false;
    return;
  }
  recorded.tensor = tensor.snapshot();
  if (kept == kept_.end()) kept_bytes_ += cost_of(*buffer);
  ++kept_[buffer.get()];
}

// ---- ops ----

OpArgument Recorder::record_argument(const Value& value) {
  check_stack();
  using As = OpArgument::Kind;
  OpArgument out;
  const auto add_items = [&](As kind, const std::vector<Value>& items) {
    if (items.size() > kManyOperands) return void(out.kind = As::Other);
    out.kind = kind;
    for (const Value& item : items) out.items.push_back(record_argument(item));
  };
  if (const bool* flag = value.as_bool()) {
    out.kind = As::Bool;
    out.number = *flag;
  } else if (const Int* number = value.as_int()) {
    out.kind = As::Int;
    out.number = number->value;
  } else if (const double* real = value.as_float()) {
    out.kind = As::Float;
    out.real = *real;
  } else if (TensorObject* tensor = value.as<TensorObject>()) {
    out.kind = As::Tensor;
    out.value = record_tensor(*tensor);
  } else if (const Str* text = value.as<Str>()) {
    out.kind = As::Text;
    out.text = text->text;
  } else if (const DTypeObject* dtype = value.as<DTypeObject>()) {
    out.kind = As::DType;
    out.text = short_name(dtype->dtype);
  } else if (const List* list = value.as<List>()) {
    add_items(As::List, list->items);
  } else if (const Tuple* tuple = value.as<Tuple>()) {
    add_items(As::Tuple, tuple->items);
  } else if (const Slice* slice = value.as<Slice>()) {
    // A tensor is an int there, and no operand.
    const auto bound = [](const Value& end) {
      const auto place = end.as<TensorObject>() ? as_index(end) : std::nullopt;
      return place ? Value(*place) : end;
    };
    add_items(As::Slice, {bound(slice->start), bound(slice->stop), bound(slice->step)});
  } else if (!value.is_none()) {
    out.kind = value.as<EllipsisObject>() ? As::Ellipsis : As::Other;
  }
  return out;
}

void Recorder::record_operands(const OpCall& call, Op& op) {
  const std::string_view code = sources_[call.span().source].slice(call.span());
  op.overload = bound_overload(call);
  const Overload& overload = overloads_of(call.info().signature)[static_cast<std::size_t>(op.overload)];
  const ElementRule rule = call.info().element;
  const bool runs_again = rule != ElementRule::Composite;  // its parts do, not the whole
  OpArgument unrecorded;
  unrecorded.kind = OpArgument::Kind::Other;
  if (runs_again) op.arguments.reserve(overload.size());
  for (const OpParameter& parameter : overload) {
    const Value& value = call.value(parameter.name);
    // The numbers of a literal are in the tensor that it became.
    const bool is_literal = rule == ElementRule::Source && value.as<List>();
    if (runs_again) op.arguments.push_back(is_literal ? unrecorded : record_argument(value));
    std::vector<TensorObject*> tensors;
    collect_tensors(value, tensors);
    for (TensorObject* tensor : tensors) {
      look();
      const ValueId id = record_tensor(*tensor);
      op.inputs.push_back({parameter.name, names_.of(tensor, code), id});
    }
    if (!tensors.empty() && value.as<TensorObject>()) continue;
    const std::string text = tensors.empty() ? text_of(value) : "";
    if (!text.empty() && text != parameter.default_text && !value.is_none())
      op.attributes.emplace_back(parameter.name, text);
  }
}

void Recorder::op_begins(const OpCall& call) {
  if (is_enough(trace_.ops.size())) return let_go();
  if (open_ops_.empty()) {
    op_begin_ = mark();
    way_back_ = 0;  // a pass that failed has not said its end
  }
  Op op;
  op.name = call.info().name;
  op.spelling = first_word(call.info().spellings);
  op.span = call.span();
  op.step = open_step();
  op.parent = open_ops_.empty() ? -1 : open_ops_.back();
  if (way_back_ > 0 && op.parent >= 0) op.back_through = op_of_node(way_back_);
  op.is_view = call.info().flags & kView;
  op.in_place = call.info().flags & kInPlace;
  record_operands(call, op);
  if (op.name == "backward" && op.parent < 0) record_loss(tensor_of(call.value("input")));
  const auto id = static_cast<OpId>(trace_.ops.size());
  trace_.ops.push_back(std::move(op));
  if (Step* step = current_step()) step->ops.push_back(id);
  open_ops_.push_back(id);
}

void Recorder::record_loss(const Tensor& loss) {
  const auto loop =
      std::find_if(open_steps_.begin(), open_steps_.end(), [](const OpenStep& step) { return step.is_loop; });
  if (loop == open_steps_.end() || loss.numel() != 1) return;
  trace_.step(loop->id).losses.push_back(to_double(element_at(loss, 0)));
}

void Recorder::op_ends(const OpCall& call, const Value& result) {
  if (!follows()) return;
  const OpId id = open_ops_.back();
  std::vector<TensorObject*> outputs;
  collect_tensors(result, outputs);
  if (!trace_.options.is_whole && outputs.size() > kFollowed) return let_go();
  outputs.resize(std::min(outputs.size(), kManyOps));
  for (TensorObject* output : outputs) {
    const ValueId value = record_tensor(*output);
    // The result of a composite was recorded as that of its last part, but its history is the composite's.
    trace_.value(value).grad_fn = output->grad_fn;
    note_history(*output, id);
    Op& op = trace_.op(id);
    op.outputs.push_back(value);
    if (!op.is_view && !op.in_place) op.bytes += output->tensor.numel() * size_of(output->tensor.dtype());
    if (call.info().cost) op.multiply_adds += call.info().cost(call, output->tensor);
  }
  open_ops_.pop_back();  // last: where memory runs out before, op_fails() is called too
  release_if_many();     // a backward pass is one statement, and makes more than the forward one
  const bool is_one_of_many = open_ops_.empty() && op_begin_.own_ops > kManyOps && is_long(op_begin_);
  if (!is_one_of_many || trace_.steps.size() != op_begin_.steps) return;
  leave_out(op_begin_);
  current_step()->has_more_ops = true;
}

// A part of a composite comes before the whole and keeps what it left.
void Recorder::note_history(const TensorObject& output, OpId id) {
  const GradNode* node = history_of(output);
  if (node && (nodes_.empty() || nodes_.back().first < node->number)) nodes_.emplace_back(node->number, id);
}

OpId Recorder::op_of_node(std::uint64_t node) const {
  const auto found = std::lower_bound(nodes_.begin(), nodes_.end(), std::pair(node, OpId{-1}));
  return found != nodes_.end() && found->first == node ? found->second : -1;
}

void Recorder::op_fails(const OpCall&) {
  if (!follows()) return;
  trace_.op(open_ops_.back()).failed = true;
  open_ops_.pop_back();
}

}  // namespace attn
