// Scopes, calls, iteration and what a run holds on to: the services that the evaluators, ops and layers share, each a
// few lines; hence its length.
#include "python/interpreter.h"

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/words.h"
#include "python/class.h"
#include "python/evaluator.h"
#include "python/exceptions.h"
#include "python/modules/library.h"
#include "python/modules/unsupported_names.h"
#include "python/types/iterators.h"
#include "syntax/parser.h"
#include "tensor/core/error.h"
#include "tensor/ops/layout.h"
#include "text/say.h"
#include "torch/narrow_types.h"
#include "torch/nn/layer.h"
#include "torch/numpy/array.h"
#include "torch/operand_notes.h"

namespace attn {

namespace {
thread_local Interpreter* current_interpreter = nullptr;
}

Interpreter* Interpreter::current() { return current_interpreter; }

Interpreter::Interpreter(Observer* observer, InterpreterOptions options)
    : globals_(std::make_shared<Scope>()),
      scope_(globals_),
      observer_(observer),
      options_(std::move(options)),
      outer_(current_interpreter) {
  current_interpreter = this;
}

Interpreter::~Interpreter() {
  if (current_interpreter == this) current_interpreter = outer_;
  handled_value_ = raised_.value = Value();
  scope_.reset();
  globals_.reset();
}

void Interpreter::go_on_at(Place place) {
  scope_ = std::move(place.scope);
  grad_enabled_ = place.grad_enabled;
  effects_allowed_ = true;
}

void Interpreter::enter() {
  heap_.enter();
  outer_ = std::exchange(current_interpreter, this);
}

void Interpreter::leave() {
  current_interpreter = std::exchange(outer_, nullptr);
  heap_.leave();
}

std::uint32_t Interpreter::add_source(Source source) {
  sources_.push_back(std::move(source));
  return static_cast<std::uint32_t>(sources_.size() - 1);
}

void Interpreter::run(Source source) {
  const std::uint32_t number = add_source(std::move(source));
  run(std::make_shared<const Block>(parse_cell(sources_[number], number)));
}

void Interpreter::run(std::shared_ptr<const Block> block) {
  const Block& statements = *block;
  blocks_.push_back(std::move(block));
  Evaluator(*this).run(statements);
}

void Interpreter::run_library(const Block& block, std::shared_ptr<Scope> scope) {
  struct Restore {
    std::shared_ptr<Scope>& place;
    std::shared_ptr<Scope> value;
    ~Restore() { place = value; }
  } restore{scope_, scope_};
  scope_ = std::move(scope);
  Evaluator(*this).run(block);
}

Value Interpreter::evaluate(const Expr& expr) { return Evaluator(*this).evaluate(expr); }

std::string Interpreter::format_field(const Source& field) {
  const std::uint32_t number = add_source(field);
  const ExprPtr expr = parse_field(sources_[number], number);
  Observer* const observer = std::exchange(observer_, nullptr);
  struct Restore {
    Observer*& place;
    Observer* value;
    ~Restore() { place = value; }
  } restore{observer_, observer};
  return str(evaluate(*expr));
}

const Value* Interpreter::find(std::string_view name) const {
  const auto found = globals_->names.find(std::string(name));
  return found == globals_->names.end() ? nullptr : &found->second;
}

void Interpreter::set(const std::string& name, Value value) { globals_->names[name] = std::move(value); }

void Interpreter::manual_seed(std::int64_t seed) {
  drew_unseeded_ = drew_unseeded();
  if (!is_seeded_) seed = options_.first_seed.value_or(seed);
  is_seeded_ = true;
  generator_.manual_seed(static_cast<std::uint64_t>(seed));
}

std::shared_ptr<Scope> Interpreter::fork() {
  std::shared_ptr<Scope> saved = globals_;
  globals_ = std::make_shared<Scope>(*saved);
  scope_ = globals_;
  effects_allowed_ = false;
  fork_number_ = ++forks_;
  return saved;
}

void Interpreter::restore(std::shared_ptr<Scope> scope) {
  globals_ = std::move(scope);
  scope_ = globals_;
  effects_allowed_ = true;
  fork_number_ = 0;
}

void Interpreter::require_effects(std::string_view reason, Span span) const {
  if (effects_allowed_ || is_in_library(span)) return;  // the library changes what it made itself
  throw CellError(Code::Format, span, say(reason), say("wrong_cell.hint"));
}

void Interpreter::attach(CellError& error, Value exception) {
  static thread_local std::uint64_t last = 0;
  raised_ = {std::move(exception), ++last};
  error.set_object(last);
}

void Interpreter::print(std::string_view text) {
  charge(static_cast<std::int64_t>(text.size()));
  if (observer_) observer_->printed(text);
}

// ---- calls ----

namespace {

// A class of a cell may define __call__ itself; else the layer's forward runs.
Value call_layer(Interpreter& interpreter, const Ref<Layer>& layer, const CallArguments& arguments) {
  ClassObject* type = layer->type.as<ClassObject>();
  const Value* own = type ? type->find("__call__") : nullptr;
  if (!own) return run_forward(interpreter, layer, arguments);
  return interpreter.call(bind_member(interpreter, *own, layer, Ref<ClassObject>(type), arguments.span), arguments);
}

// @torch.no_grad(): the function with gradients switched.
Value under_grad_mode(const GradMode& mode, const CallArguments& arguments) {
  const Function* function = arguments.positional.empty() ? nullptr : arguments.positional[0].as<Function>();
  if (!function) throw CellError(Code::Type, arguments.span, say("argument.no_grad"));
  Ref<Function> copy = make<Function>();
  copy->name = function->name;
  copy->qualified_name = function->qualified_name;
  copy->doc = function->doc;
  copy->parameters = function->parameters;
  copy->defaults = function->defaults;
  copy->has_default = function->has_default;
  copy->body = function->body;
  copy->block = function->block;
  copy->locals = function->locals;
  copy->scope = function->scope;
  copy->grad = mode.enabled;
  return copy;
}

const Value* special_member(const Value& object, std::string_view name) {
  const ClassObject* type = class_of(object);
  return type ? type->find(name) : nullptr;
}

// An object with __iter__ and __next__, or with __len__ and __getitem__.
bool each_of_instance(Interpreter& interpreter, const Value& object, Span span,
                      const std::function<bool(const Value&)>& visit) {
  if (!has_special(object, "__iter__") && !has_special(object, "__getitem__")) return false;
  const Iterator::Next next = step_through(interpreter, object, span);
  for (Value item; next(item);)
    if (!visit(item)) break;
  return true;
}

}  // namespace

Value Interpreter::call(const Value& callable, std::vector<Value> arguments, Span span) {
  std::vector<Span> spans(arguments.size(), span);
  return call(callable, {std::move(arguments), {}, std::move(spans), span});
}

Value Interpreter::call(const Value& callable, const CallArguments& arguments) {
  check_stack();
  if (const Builtin* builtin = callable.as<Builtin>()) {
    if (builtin->op) return call_op(*builtin->op, arguments, builtin->has_self ? &builtin->self : nullptr);
    CallArguments copy = arguments;
    return builtin->native(*this, copy);
  }
  if (const Function* function = callable.as<Function>()) return Evaluator(*this).call(*function, arguments);
  if (const BoundMethod* method = callable.as<BoundMethod>()) {
    CallArguments with_self = arguments;
    with_self.positional.insert(with_self.positional.begin(), method->self);
    with_self.spans.insert(with_self.spans.begin(), arguments.span);
    return call(method->function, with_self);
  }
  if (callable.as<Layer>()) return call_layer(*this, callable.ref<Layer>(), arguments);
  if (callable.as<ClassObject>()) return instantiate(*this, callable.ref<ClassObject>(), arguments);
  if (const GradMode* mode = callable.as<GradMode>()) return under_grad_mode(*mode, arguments);
  if (const Value* own = special_member(callable, "__call__")) {
    const Value method = bind_member(*this, *own, callable, Ref<ClassObject>(class_of(callable)), arguments.span);
    return call(method, arguments);
  }
  const Module* module = callable.as<Module>();
  if (module && module->is_unsupported) refuse_name(module->name, arguments.span);
  if (callable.as<Quiet>()) return callable;
  if (const TypeObject* type = callable.as<TypeObject>()) return construct(*this, *type, arguments);
  throw CellError(Code::Type, arguments.span, fmt::format("'{}' object is not callable", type_name(callable)));
}

namespace {

// The tensors that came out: the value itself or the items of the tuple or list it is.
std::vector<TensorObject*> outputs_of(const Value& result) {
  if (TensorObject* tensor = result.as<TensorObject>()) return {tensor};
  const std::vector<Value>* items = result.as<Tuple>()  ? &result.as<Tuple>()->items
                                    : result.as<List>() ? &result.as<List>()->items
                                                        : nullptr;
  std::vector<TensorObject*> out;
  for (std::size_t i = 0; items && i < items->size(); ++i) {
    if (TensorObject* tensor = (*items)[i].as<TensorObject>()) out.push_back(tensor);
  }
  return out;
}

bool is_input(const OpCall& call, const TensorObject* tensor) {
  const auto& inputs = call.inputs();
  return std::find(inputs.begin(), inputs.end(), tensor) != inputs.end();
}

bool is_view_of_leaf(const OpCall& call, const TensorObject& output) {
  const auto& inputs = call.inputs();
  return std::any_of(inputs.begin(), inputs.end(), [&](const TensorObject* input) {
    const bool is_leaf = input->requires_grad && input->grad_fn.empty();
    return (is_leaf || input->views_leaf) && output.tensor.shares_storage(input->tensor);
  });
}

// Steps whose result is a view of their operand.
constexpr std::string_view kViewSteps =
    "ViewBackward0 ReshapeAliasBackward0 SelectBackward0 SliceBackward0 TBackward0 TransposeBackward0 "
    "TransposeBackward1 PermuteBackward0 UnsqueezeBackward0 SqueezeBackward0 SqueezeBackward1 ExpandBackward0 "
    "DiagonalBackward0 AliasBackward0 UnfoldBackward0 AsStridedBackward0";

// The step that made a tensor. When a view is written to, PyTorch makes its history anew, from that of its base.
std::string_view last_step_grad_fn(const OpCall& call, const TensorObject& output) {
  const bool is_written = (call.info().flags & (kInPlace | kView)) == kInPlace;
  return is_written && has_word(kViewSteps, output.grad_fn) ? "AsStridedBackward0" : call.grad_fn();
}

// Names the axes of new tensors and says whether they carry a gradient.
void finish(const OpCall& call, const Value& result, bool grad_enabled) {
  const auto& inputs = call.inputs();
  const bool wants_grad =
      grad_enabled && !call.grad_fn().empty() &&
      std::any_of(inputs.begin(), inputs.end(), [](const TensorObject* input) { return input->requires_grad; });
  const std::vector<TensorObject*> outputs = outputs_of(result);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    TensorObject& output = *outputs[i];
    const bool in_place = call.info().flags & kInPlace;
    if (is_input(call, &output) && !in_place) continue;
    if (!in_place) output.axes = call.info().axes(call, output.tensor, i);
    if (!wants_grad || !is_floating(output.tensor.dtype())) continue;
    output.requires_grad = true;
    output.grad_fn = last_step_grad_fn(call, output);
    if (!in_place) output.views_leaf = is_view_of_leaf(call, output);
  }
}

}  // namespace

std::int64_t Interpreter::address_of(const Storage& storage) {
  const auto [place, is_new] = addresses_.try_emplace(storage.id, next_address_);
  constexpr std::int64_t kAlignment = 64;
  if (is_new) next_address_ += (storage.buffer->bytes() / kAlignment + 1) * kAlignment;
  return place->second;
}

void Interpreter::explain_failure(CellError error, const OpInfo& op, const CallArguments& arguments,
                                  const Value* self) {
  Diagnostic& diagnostic = error.diagnostic();
  diagnostic.operands = operand_notes(arguments, self, sources_, diagnostic.code == Code::Type);
  failed_call_ = {&op, arguments, self ? *self : Value(), self != nullptr, diagnostic.message};
  throw error;
}

Value Interpreter::call_op(const OpInfo& op, const CallArguments& arguments, const Value* self) {
  if (!is_in_library(arguments.span)) return call_op(op, arguments, self, observer_);
  // That the library asks for a size is not seen.
  Observer* const observer = op.element == ElementRule::Query ? nullptr : observer_;
  return call_op(op, placed_at_caller(arguments), self, observer);
}

CallArguments Interpreter::placed_at_caller(const CallArguments& arguments) const {
  CallArguments placed{arguments.positional, arguments.keywords, {}, place_of(arguments.span)};
  const std::size_t count = library_call_ ? std::min(library_call_->positional.size(), library_call_->spans.size()) : 0;
  if (count == 0) return placed;
  for (const Value& value : placed.positional) {
    const auto begin = library_call_->positional.begin();
    const auto found = std::find_if(begin, begin + static_cast<std::ptrdiff_t>(count), [&](const Value& given) {
      return value.object() && given.object() == value.object();
    });
    const auto place = static_cast<std::size_t>(found - begin);
    placed.spans.push_back(place < count ? library_call_->spans[place] : Span());
  }
  return placed;
}

Value Interpreter::call_op(const OpInfo& op, const CallArguments& arguments, const Value* self, Observer* observer) {
  OpCall call = bind_op(*this, op, arguments, self);
  NarrowTypes types(call);
  if (op.flags & kDraws) require_effects("wrong_cell.draw", arguments.span);
  if (op.flags & kInPlace) require_effects("wrong_cell.write", arguments.span);
  if (observer) observer->op_begins(call);
  try {
    types.widen();
    Value result = types.narrow(op.function(call));
    finish(call, result, grad_enabled_);
    if (observer) observer->op_ends(call, result);
    return result;
  } catch (const TensorError& error) {
    if (observer) observer->op_fails(call);
    explain_failure(to_cell_error(error, arguments.span), op, arguments, self);
  } catch (const CellError& error) {
    if (observer) observer->op_fails(call);
    // A part of a composite has no place of its own in the source: the operands are those of the whole.
    if (error.diagnostic().rule.empty() || !error.diagnostic().operands.empty()) throw;
    CellError outer = error;
    outer.diagnostic().is_inner = true;
    explain_failure(std::move(outer), op, arguments, self);
  } catch (...) {
    if (observer) observer->op_fails(call);
    throw;
  }
}

// ---- iteration ----

namespace {

void each_character(const std::string& text, const std::function<bool(const Value&)>& visit) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
    if (!visit(make_str(text.substr(at, end - at)))) return;
    at = end;
  }
}

void each_row(Interpreter& interpreter, const Value& tensor, Span span,
              const std::function<bool(const Value&)>& visit) {
  if (tensor.as<TensorObject>()->tensor.dim() == 0) throw CellError(Code::Type, span, "iteration over a 0-d tensor");
  CallArguments arguments{{tensor}, {}, {span}, span};
  const Value rows = interpreter.call_op(*find_op("torch.unbind"), arguments);
  for (const Value& row : rows.as<Tuple>()->items) {
    if (!visit(row)) return;
  }
}

void each_of_dict(const Ref<DictView>& view, Span span, const std::function<bool(const Value&)>& visit) {
  const std::size_t size = view->size();
  for (std::size_t i = 0; i < size; ++i) {
    if (!visit(view->item(i))) return;
    if (view->size() != size) throw CellError(Code::Runtime, span, "dictionary changed size during iteration");
  }
}

}  // namespace

void Interpreter::for_each(const Value& iterable, Span span, const std::function<bool(const Value&)>& visit) {
  const auto counted = [&](const Value& item) {
    charge(1);
    return visit(item);
  };
  if (const Ref<List> list = iterable.ref<List>()) {
    for (std::size_t i = 0; i < list->items.size(); ++i) {  // NOLINT(modernize-loop-convert): it may grow meanwhile
      if (!counted(Value(list->items[i]))) return;
    }
  } else if (const Tuple* tuple = iterable.as<Tuple>()) {
    for (const Value& item : std::vector<Value>(tuple->items)) {
      if (!counted(item)) return;
    }
  } else if (const Range* range = iterable.as<Range>()) {
    const std::int64_t length = range->length();
    for (std::int64_t i = 0; i < length; ++i) {
      if (!counted(Value(range->start + i * range->step))) return;
    }
  } else if (Dict* dict = iterable.as<Dict>()) {
    each_of_dict(make<DictView>(Ref<Dict>(dict), DictView::Part::Keys), span, counted);
  } else if (const Layer* layer = iterable.as<Layer>(); layer && is_container(*layer)) {
    for (const Value& item : container_items(*layer)) {
      if (!counted(item)) return;
    }
  } else if (iterable.as<DictView>()) {
    each_of_dict(iterable.ref<DictView>(), span, counted);
  } else if (const Ref<Set> set = iterable.ref<Set>()) {
    const std::size_t size = set->items.size();
    for (const Value& item : set->ordered()) {
      if (set->items.size() != size) throw CellError(Code::Runtime, span, "Set changed size during iteration");
      if (!counted(item)) return;
    }
  } else if (const Str* text = iterable.as<Str>()) {
    each_character(text->text, counted);
  } else if (iterable.as<TensorObject>()) {
    each_row(*this, iterable, span, counted);
  } else if (iterable.as<Array>()) {
    each_of_array(*this, iterable, span, counted);
  } else if (const Quiet* quiet = iterable.as<Quiet>()) {
    for_each(quiet_items(*quiet, span), span, visit);
  } else if (const Ref<Iterator> iterator = iterable.ref<Iterator>()) {
    for (Value item; iterator->next(item);) {
      if (!counted(item)) return;
    }
  } else if (!each_of_instance(*this, iterable, span, counted)) {
    throw CellError(Code::Type, span, fmt::format("'{}' object is not iterable", type_name(iterable)));
  }
}

std::vector<Value> Interpreter::to_vector(const Value& iterable, Span span) {
  std::vector<Value> out;
  for_each(iterable, span, [&](const Value& item) {
    out.push_back(item);
    return true;
  });
  return out;
}

}  // namespace attn
