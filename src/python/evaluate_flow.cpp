// Statements that change the course of things: while, try, raise, with; and del, global, nonlocal.
#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "python/evaluator.h"
#include "python/exceptions.h"
#include "python/operators.h"
#include "python/type.h"

namespace attn {

Evaluator::Flow Evaluator::execute(const While& node, const Stmt& stmt) {
  std::optional<Loop> past = resumed(stmt);
  {
    const Looping looping(in_, is_noted(stmt), stmt, Value());
    if (past) in_.iteration_ = past->round - 1;
    while (past || truthy(evaluate(*node.test))) {
      past.reset();
      charge(1);
      begin_round(stmt);
      const Flow flow = run(node.body);
      if (flow == Flow::Break) return Flow::Next;
      if (flow == Flow::Return) return flow;
    }
  }
  return run(node.otherwise);
}

// ---- exceptions ----

Evaluator::Flow Evaluator::execute(const Raise& node, const Stmt& stmt) {
  if (!node.error) {
    if (!in_.handled_) throw CellError(Code::Runtime, stmt.span, "No active exception to reraise");
    CellError again = *in_.handled_;
    in_.attach(again, in_.handled_value_);
    throw again;
  }
  const Value exception =
      to_exception(in_, evaluate(*node.error), stmt.span, "exceptions must derive from BaseException");
  if (node.cause) {
    Value cause = evaluate(*node.cause);
    if (!cause.is_none())
      cause = to_exception(in_, cause, stmt.span, "exception causes must derive from BaseException");
    exception_members(exception)->set("__cause__", cause);
    exception_members(exception)->set("__suppress_context__", Value(true));
  }
  CellError error = to_error(exception, stmt.span);
  in_.attach(error, exception);
  throw error;
}

namespace {

bool catches_one(const Value& type, const CellError& error, const Value& raised, Span span) {
  charge(1);
  const Instance* instance = raised.as<Instance>();
  if (const ClassObject* own = type.as<ClassObject>()) return instance && instance->type->derives_from(*own);
  const TypeObject* builtin = type.as<TypeObject>();
  if (!builtin || !is_exception_name(builtin->name)) {
    throw CellError(Code::Type, span, "catching classes that do not inherit from BaseException is not allowed");
  }
  return is_subexception(instance ? instance->type->exception : error.type(), builtin->name);
}

// Whether `except type` catches an error; type may be a tuple of types.
bool catches(const Value& type, const CellError& error, const Value& raised, Span span) {
  const Tuple* several = type.as<Tuple>();
  if (!several) return catches_one(type, error, raised, span);
  return std::ranges::any_of(several->items, [&](const Value& each) { return catches_one(each, error, raised, span); });
}

}  // namespace

// Finding the way out of nested calls of the program takes as long as a thousand units of other work.
constexpr std::int64_t kCaught = 1000;

Evaluator::Flow Evaluator::handle(const Try& node, const CellError& error) {
  charge(kCaught);
  const Raised raised = std::exchange(in_.raised_, {});
  const Value exception = exception_object(error, raised);
  for (const Handler& handler : node.handlers) {
    if (handler.type && !catches(evaluate(*handler.type), error, exception, handler.type->span)) continue;
    if (!handler.name.empty()) assign_name(handler.name, exception, handler.header_span);
    struct Restore {
      Interpreter& in;
      std::optional<CellError> error;
      Value value;
      ~Restore() {
        in.handled_ = std::move(error);
        in.handled_value_ = std::move(value);
      }
    } restore{in_, in_.handled_, in_.handled_value_};
    in_.handled_ = error;
    in_.handled_value_ = exception;
    try {
      const Flow flow = run(handler.body);
      if (!handler.name.empty()) in_.scope_->names.erase(handler.name);
      return flow;
    } catch (CellError& next) {
      // "During handling of the above exception, another exception occurred"
      const Value other = exception_object(next, in_.raised_);
      Members& members = *exception_members(other);
      if (other.object() != exception.object() && !members.find("__context__")) members.set("__context__", exception);
      in_.attach(next, other);
      if (!handler.name.empty()) in_.scope_->names.erase(handler.name);
      throw;
    }
  }
  in_.raised_ = raised;
  throw error;
}

namespace {

// Decided by the names in the source: the expressions of `except` are not evaluated before something is raised.
bool takes_import_errors(const Expr& type) {
  if (const auto* tuple = std::get_if<TupleExpr>(&type.node))
    return std::any_of(tuple->elements.begin(), tuple->elements.end(),
                       [](const ExprPtr& element) { return takes_import_errors(*element); });
  const Name* name = std::get_if<Name>(&type.node);
  return name && is_subexception("ModuleNotFoundError", name->id.text());
}

bool catches_import_errors(const Try& node) {
  return std::any_of(node.handlers.begin(), node.handlers.end(),
                     [](const Handler& handler) { return !handler.type || takes_import_errors(*handler.type); });
}

}  // namespace

Evaluator::Flow Evaluator::execute(const Try& node, const Stmt&) {
  Flow flow = Flow::Next;
  const auto run_body = [&] {
    const bool outside = in_.catches_import_errors_;
    struct Restore {
      bool& place;
      bool value;
      ~Restore() { place = value; }
    } restore{in_.catches_import_errors_, outside};
    in_.catches_import_errors_ = outside || catches_import_errors(node);
    flow = run(node.body);
  };
  const auto guarded = [&] {
    try {
      run_body();
    } catch (const CellError& error) {
      if (!is_catchable(error)) throw;
      flow = handle(node, error);
      return;
    }
    if (flow == Flow::Next) flow = run(node.otherwise);
  };
  try {
    guarded();
  } catch (const CellError& error) {
    if (!is_catchable(error)) throw;  // the program ends here, where Python would have gone on
    // `finally` runs on the way out; leaving it by return or break swallows the error, as in Python.
    charge(kCaught);
    const Raised raised = std::exchange(in_.raised_, {});
    const Flow last = run(node.finally);
    if (last != Flow::Next) return last;
    in_.raised_ = raised;
    throw;
  }
  const Flow last = run(node.finally);
  return last == Flow::Next ? flow : last;
}

// ---- with ----

namespace {

// Of the object's class, or of a built-in kind of object.
bool has_own(const Value& object, const std::string& name) {
  Value method;
  return has_special(object, name) || container_method(object, name, method);
}

// Calls such a method. False when there is none.
bool call_own(Interpreter& interpreter, const Value& object, const std::string& name, std::vector<Value> arguments,
              Value& out) {
  if (call_special(object, name, arguments, out)) return true;
  Value method;
  if (!container_method(object, name, method)) return false;
  std::vector<Span> spans(arguments.size());
  return out = interpreter.call(method, {std::move(arguments), {}, std::move(spans), {}}), true;
}

}  // namespace

Evaluator::Flow Evaluator::run_with(const With& node, std::size_t item, const Stmt& stmt) {
  if (item == node.items.size()) return run(node.body);
  const auto& [context_expr, target] = node.items[item];
  const Value context = evaluate(*context_expr);
  if (GradMode* mode = context.as<GradMode>()) {
    mode->enter(in_);
    struct Leave {
      Interpreter& in;
      GradMode& mode;
      ~Leave() { mode.leave(in); }
    } leave{in_, *mode};
    if (target) assign(*target, context, &stmt, Report::Yes);
    return run_with(node, item + 1, stmt);
  }
  Value entered;
  const bool enters = has_own(context, "__enter__");
  if (!enters || !has_own(context, "__exit__")) {
    throw CellError(Code::Type, context_expr->span,
                    fmt::format("'{}' object does not support the context manager protocol{}", type_name(context),
                                enters ? " (missed __exit__ method)" : ""));
  }
  call_own(in_, context, "__enter__", {}, entered);
  if (target) assign(*target, entered, &stmt, Report::Yes);
  Flow flow = Flow::Next;
  try {
    flow = run_with(node, item + 1, stmt);
  } catch (const CellError& error) {
    if (!is_catchable(error)) throw;
    charge(kCaught);
    const Raised raised = std::exchange(in_.raised_, {});
    const Value exception = exception_object(error, raised);
    const Instance* own = exception.as<Instance>();
    const Value type = own ? Value(own->type) : Value(make<TypeObject>(error.type()));
    Value swallow;
    call_own(in_, context, "__exit__", {type, exception, Value()}, swallow);
    if (truthy(swallow)) return Flow::Next;
    in_.raised_ = raised;
    throw;
  }
  Value ignored;
  call_own(in_, context, "__exit__", {Value(), Value(), Value()}, ignored);
  return flow;
}

Evaluator::Flow Evaluator::execute(const With& node, const Stmt& stmt) { return run_with(node, 0, stmt); }

// ---- names ----

Evaluator::Flow Evaluator::execute(const Delete& node, const Stmt&) {
  for (const ExprPtr& target : node.targets) remove(*target);
  return Flow::Next;
}

void Evaluator::remove(const Expr& target) {
  if (const Name* name = std::get_if<Name>(&target.node)) {
    if (!in_.scope_->holder_of(name->id).names.erase(name->id))
      throw CellError(Code::Name, target.span, fmt::format("name '{}' is not defined", name->id.text()));
  } else if (const Subscript* item = std::get_if<Subscript>(&target.node)) {
    const Value object = evaluate(*item->object);
    delete_item(in_, object, evaluate(*item->index), {target.span, item->object->span, item->index->span});
  } else if (const Attribute* attribute = std::get_if<Attribute>(&target.node)) {
    delete_attribute(in_, evaluate(*attribute->object), attribute->name, target.span);
  } else if (const TupleExpr* tuple = std::get_if<TupleExpr>(&target.node)) {
    for (const ExprPtr& element : tuple->elements) remove(*element);
  }
}

Evaluator::Flow Evaluator::execute(const ScopeNames& node, const Stmt& stmt) {
  for (const std::string& name : node.names) {
    Ref<Scope> scope = in_.scope_;
    while (scope->outer) scope = scope->outer;
    if (!scope->names.contains("__name__")) scope = in_.globals_;  // else those of a file that was imported
    if (!node.is_global) {
      scope = in_.scope_->outer;
      while (scope && !scope->names.contains(name)) scope = scope->outer;
      if (!scope || scope == in_.globals_)
        throw CellError(Code::Syntax, stmt.span, fmt::format("no binding for nonlocal '{}' found", name));
    }
    if (scope != in_.scope_) in_.scope_->elsewhere[name] = scope;
  }
  return Flow::Next;
}

}  // namespace attn
