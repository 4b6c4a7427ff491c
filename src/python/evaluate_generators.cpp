// Functions that yield: their body runs on a stack of its own, from one value that is asked for to the next.
#include "base/coroutine.h"
#include "python/evaluator.h"
#include "python/exceptions.h"
#include "python/types/iterators.h"
#include "python/types/methods.h"

namespace attn {

/// The body of a generator under way. Where it runs, whoever asked waits: the interpreter has the one's scope, then the
/// other's.
class GeneratorRun {
 public:
  GeneratorRun(Interpreter& in, const Function& function, Ref<Scope> scope, Value first, Span span)
      : in_(in),
        function_(const_cast<Function*>(&function)),
        first_(std::move(first)),
        span_(span),
        scope_(std::move(scope)),
        grad_(function.grad.value_or(in.grad_enabled_)) {}
  ~GeneratorRun() {
    if (coroutine_) unwind();
  }
  GeneratorRun(const GeneratorRun&) = delete;
  GeneratorRun& operator=(const GeneratorRun&) = delete;

  /// The next value; false when the body has ended. `sent` is what the `yield` gives at which it stopped.
  ///   Errors: those of the body; ValueError when it is asked by itself.
  bool next(Value sent, Value& out) {
    refuse_itself();
    if (has_ended_) return false;
    in_.check_calls(*function_, span_);
    sent_ = std::move(sent);
    if (!coroutine_) begin();
    const Inside inside(*this);
    struct Ended {
      GeneratorRun& run;
      bool goes_on = false;
      ~Ended() { run.has_ended_ = !goes_on; }
    } ended{*this};
    ended.goes_on = coroutine_->resume();
    if (ended.goes_on) out = std::move(yielded_);
    return ended.goes_on;
  }
  /// Ends the body where it stopped.
  void close() {
    Value ignored;
    try {
      if (coroutine_ && raise(make<ExceptionObject>("GeneratorExit", std::vector<Value>()), {}, ignored))
        throw CellError(Code::Runtime, {}, "generator ignored GeneratorExit");
    } catch (const CellError& error) {
      if (error.type() != "GeneratorExit") throw;
    }
    has_ended_ = true;
  }
  /// The exception is raised where the body stopped; else as next().
  bool raise(const Value& exception, Span span, Value& out) {
    refuse_itself();
    if (coroutine_ && !has_ended_) return thrown_ = exception, next({}, out);
    has_ended_ = true;
    throw_from(exception, span);
  }
  /// Called by the body: gives a value, and what was sent when it goes on.
  Value yield(Value value, Span span) {
    yielded_ = std::move(value);
    coroutine_->suspend();
    if (!thrown_.is_none()) throw_from(std::exchange(thrown_, {}), span);
    return std::move(sent_);
  }
  /// Called by the body: gives what `inner` gives, which gets what is sent or raised until it ends; then what it
  /// returned.
  Value yield_from(GeneratorRun& inner, Span span) {
    Value item;
    for (bool goes_on = inner.next({}, item); goes_on;) {
      yielded_ = std::move(item);
      coroutine_->suspend();
      const Value thrown = std::exchange(thrown_, {});
      if (type_name(thrown) == "GeneratorExit") {
        inner.close();
        throw_from(thrown, span);
      }
      goes_on = thrown.is_none() ? inner.next(std::move(sent_), item) : inner.raise(thrown, span, item);
    }
    return inner.take_returned();
  }
  bool has_begun() const { return coroutine_ != nullptr; }
  /// Ends the body where it stopped, unseen. The interpreter is needed for it.
  void unwind() {
    in_.begun_generators_.erase(this);
    const Inside inside(*this);
    coroutine_.reset();
  }
  Value take_returned() { return std::exchange(returned_, Value()); }

 private:
  void begin() {
    coroutine_ = std::make_unique<Coroutine>([this] { run(); });
    in_.begun_generators_.insert(this);
  }

  void refuse_itself() const {
    if (is_running_) throw CellError(Code::Value, {}, "generator already executing");
  }

  [[noreturn]] void throw_from(const Value& exception, Span span) {
    CellError error = to_error(exception, span);
    in_.attach(error, exception);
    throw error;
  }
  void run() {
    Evaluator body(in_);
    body.generating_ = this;
    try {
      body.run(*function_->block);
    } catch (const CellError& error) {
      if (error.type() != "StopIteration") throw;
      throw CellError(Code::Runtime, {}, "generator raised StopIteration");
    }
    returned_ = body.returned_;
  }

  /// While the body runs.
  class Inside {
   public:
    explicit Inside(GeneratorRun& run) : run_(run) {
      run_.is_running_ = true;
      run_.in_.frames_.push_back({run_.function_.get(), run_.first_});
      run_.in_.library_frames_ += is_library();
      exchange();
    }
    ~Inside() {
      exchange();
      run_.in_.library_frames_ -= is_library();
      run_.in_.frames_.pop_back();
      run_.is_running_ = false;
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    std::size_t is_library() const { return is_in_library(run_.function_->block->front().span); }
    void exchange() {
      std::swap(run_.in_.scope_, run_.scope_);
      if (run_.function_->grad) std::swap(run_.in_.grad_enabled_, run_.grad_);
      std::swap(run_.in_.iteration_, run_.iteration_);
      std::swap(run_.in_.handled_, run_.handled_);
      std::swap(run_.in_.handled_value_, run_.handled_value_);
    }
    GeneratorRun& run_;
  };

  Interpreter& in_;
  Ref<Function> function_;
  Value first_;
  Span span_;  // of the call
  // The body's where it waits, else those of whoever asked.
  Ref<Scope> scope_;
  bool grad_;
  std::int64_t iteration_ = -1;
  std::optional<CellError> handled_;
  Value handled_value_;

  std::unique_ptr<Coroutine> coroutine_;
  Value yielded_, sent_, thrown_, returned_;
  bool is_running_ = false, has_ended_ = false;
};

void Interpreter::unwind_generators() {
  while (!begun_generators_.empty()) (*begun_generators_.begin())->unwind();
}

CellError stop_iteration(const Value& iterator, Span span) {
  const Iterator* own = iterator.as<Iterator>();
  const Value value = own && own->run ? own->run->take_returned() : Value();
  if (value.is_none()) return python_error("StopIteration", span, "");
  CellError error = python_error("StopIteration", span, str(value));
  Interpreter::current()->attach(error, make<ExceptionObject>("StopIteration", std::vector<Value>{value}));
  return error;
}

namespace {

Value given_or_end(MethodCall& call, bool has_given, Value given) {
  if (has_given) return given;
  throw stop_iteration(call.self, call.given.span);
}

Value send(MethodCall& call) {
  GeneratorRun& run = *call.self.as<Iterator>()->run;
  if (!run.has_begun() && !call[0].is_none())
    call.fail(Code::Type, "can't send non-None value to a just-started generator");
  Value out;
  const bool has_given = run.next(call[0], out);
  return given_or_end(call, has_given, std::move(out));
}

Value throw_into(MethodCall& call) {
  const Span span = call.given.span;
  const Value exception = to_exception(call.interpreter, call.has(1) && !call[1].is_none() ? call[1] : call[0], span,
                                       "exceptions must be classes or instances deriving from BaseException");
  Value out;
  const bool has_given = call.self.as<Iterator>()->run->raise(exception, span, out);
  return given_or_end(call, has_given, std::move(out));
}

Value close_generator(MethodCall& call) {
  call.self.as<Iterator>()->run->close();
  return {};
}

constexpr Method kGeneratorMethods[] = {
    {"send", 1, 1, send}, {"throw", 1, 3, throw_into}, {"close", 0, 0, close_generator}};

}  // namespace

std::span<const Method> generator_methods() { return kGeneratorMethods; }

Value make_generator(Interpreter& interpreter, const Function& function, Ref<Scope> scope, Value first, Span span) {
  auto run = std::make_shared<GeneratorRun>(interpreter, function, std::move(scope), std::move(first), span);
  Ref<Iterator> generator =
      make<Iterator>("generator", [run = run.get()](Value& out) { return run->next(Value(), out); });
  generator->run = std::move(run);
  return generator;
}

Value Evaluator::visit(const Yield& node, const Expr& expr) {
  if (!generating_) throw CellError(Code::Syntax, expr.span, "'yield' outside function");
  const Value value = node.value ? evaluate(*node.value) : Value();
  if (!node.is_from) return generating_->yield(value, expr.span);
  if (const Iterator* inner = value.as<Iterator>(); inner && inner->run)
    return generating_->yield_from(*inner->run, expr.span);
  const Iterator::Next next = step_through(in_, value, node.value->span);
  for (Value item; next(item);) generating_->yield(item, expr.span);
  return {};
}

}  // namespace attn
