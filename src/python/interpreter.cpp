// Scopes, and what a run holds on to.
#include "python/interpreter.h"

#include <new>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "python/evaluator.h"
#include "syntax/parser.h"
#include "text/say.h"

namespace attn {

namespace {
thread_local Interpreter* current_interpreter = nullptr;
}

Scope& Scope::holder_elsewhere(Symbol name) {
  const auto other = elsewhere.find(name);
  return other == elsewhere.end() ? *this : *other->second;
}

void Scope::forget_size(Symbol name) { axis_sizes.erase(name); }

Interpreter* Interpreter::current() { return current_interpreter; }

Interpreter::Interpreter(Observer* observer, InterpreterOptions options)
    : globals_(make<Scope>()),
      scope_(globals_),
      observer_(observer),
      options_(std::move(options)),
      outer_(current_interpreter) {
  current_interpreter = this;
}

Interpreter::~Interpreter() {
  if (current_interpreter == this) current_interpreter = outer_;
  handled_value_ = raised_.value = Value();
  scope_ = globals_ = nullptr;
  numbers_.clear();
  // Generators that stopped in their middle are unwound, and need the rest of the run for it: those of the heap, and
  // those that wait to be freed.
  heap_.clear();
  unwind_generators();
}

void Interpreter::go_on_at(Place place) {
  scope_ = std::move(place.scope);
  grad_enabled_ = place.grad_enabled;
  effects_allowed_ = true;
  options_.strict_axis_comments = false;
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

void Interpreter::run_library(const Block& block, Ref<Scope> scope) {
  struct Restore {
    Ref<Scope>& place;
    Ref<Scope> value;
    ~Restore() { place = value; }
  } restore{scope_, scope_};
  scope_ = std::move(scope);
  Evaluator(*this).run(block);
}

Value Interpreter::evaluate(const Expr& expr) { return Evaluator(*this).evaluate(expr); }

std::string Interpreter::format_field(const Source& field) {
  const std::uint32_t number = add_source(field);
  const ExprPtr expr = parse_field(sources_[number], number);
  struct Restore {
    Interpreter& interpreter;
    Observer* observer;
    ~Restore() { interpreter.set_observer(observer); }
  } restore{*this, observer_};
  set_observer(nullptr);
  try {
    return str(evaluate(*expr));
  } catch (const LimitReached& limit) {
    if (limit.kind() == LimitReached::Kind::Memory) throw out_of_memory(limit.what(), expr->span);
    throw;
  } catch (const std::bad_alloc&) {
    throw out_of_memory(say("limit.memory"), expr->span);
  }
}

const Value* Interpreter::find(std::string_view name) const { return globals_->names.find(name); }

void Interpreter::set(const std::string& name, Value value) { globals_->names[name] = std::move(value); }

void Interpreter::manual_seed(std::int64_t seed) {
  drew_unseeded_ = drew_unseeded();
  if (!is_seeded_) seed = options_.first_seed.value_or(seed);
  is_seeded_ = true;
  generator_.manual_seed(static_cast<std::uint64_t>(seed));
}

Ref<Scope> Interpreter::fork() {
  Ref<Scope> saved = globals_;
  globals_ = make<Scope>(*saved);
  scope_ = globals_;
  effects_allowed_ = false;
  fork_number_ = ++forks_;
  return saved;
}

void Interpreter::restore(Ref<Scope> scope) {
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

void Interpreter::flush_output() {
  if (observer_) observer_->flushed();
}

std::int64_t Interpreter::address_of(const Storage& storage) {
  const auto [place, is_new] = addresses_.try_emplace(storage.id, next_address_);
  constexpr std::int64_t kAlignment = 64;
  if (is_new) next_address_ += (storage.buffer->bytes() / kAlignment + 1) * kAlignment;
  return place->second;
}

Value Interpreter::kept(const std::string& module) {
  Value& dict = kept_[module];
  if (dict.is_none()) dict = make<Dict>();
  return dict;
}

std::int64_t Interpreter::number_of(const Value& value) {
  constexpr std::int64_t kFirst = std::int64_t{140} << 40, kStep = 48;  // as addresses look
  if (!value.object()) return kFirst - 16 * static_cast<std::int64_t>(ValueHash()(value) % (std::size_t{1} << 32));
  const auto last = static_cast<std::int64_t>(numbers_.size());
  return numbers_.try_emplace(value.object(), value, kFirst + kStep * last).first->second.second;
}

}  // namespace attn
