// Statements, binding of targets, imports.
#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "base/files.h"
#include "base/limits.h"
#include "base/text.h"
#include "python/assertion.h"
#include "python/evaluator.h"
#include "python/exceptions.h"
#include "python/natives.h"
#include "python/operators.h"
#include "python/type.h"
#include "python/types/iterators.h"
#include "text/say.h"
#include "text/unsupported.h"

namespace attn {

bool Evaluator::is_unseen(Span span) const { return is_in_library(span) || generating_ || is_importing_; }

Observer* Evaluator::watcher(Span span) const { return is_unseen(span) ? nullptr : in_.follower(); }

Evaluator::Flow Evaluator::run(const Block& block) {
  for (const Stmt& stmt : block) {
    if (!in_.resumed_.empty() && &stmt != in_.resumed_.front().stmt) continue;
    const Flow flow = run(stmt);
    if (flow != Flow::Next) return flow;
  }
  return Flow::Next;
}

Evaluator::Flow Evaluator::run(const Stmt& stmt) {
  // An axis comment is checked like a statement but is no step of its own.
  Observer* const watcher = this->watcher(stmt.span);
  if (!watcher || std::holds_alternative<AxisNote>(stmt.node)) return execute(stmt);
  watcher->statement_begins(stmt, in_.iteration_);
  try {
    const Flow flow = execute(stmt);
    watcher->statement_ends(stmt, false);
    return flow;
  } catch (...) {
    watcher->statement_ends(stmt, true);
    throw;
  }
}

CellError out_of_memory(std::string message, Span place) {
  return {CellError(Code::Limit, place, std::move(message)).diagnostic(), "MemoryError"};
}

Evaluator::Flow Evaluator::execute(const Stmt& stmt) {
  if (!is_in_library(stmt.span)) charge(1);
  check_stack();
  try {
    return std::visit([&](const auto& node) { return execute(node, stmt); }, stmt.node);
  } catch (CellError& error) {
    add_span(error, stmt.header_span);
    error.diagnostic().span = in_.place_of(error.diagnostic().span);
    throw;
  } catch (LimitReached& limit) {
    if (limit.kind() == LimitReached::Kind::Memory) throw out_of_memory(limit.what(), in_.place_of(stmt.header_span));
    if (!is_in_library(stmt.span)) limit.set_place(stmt.header_span);
    throw;
  } catch (const std::bad_alloc&) {
    throw out_of_memory(say("limit.memory"), in_.place_of(stmt.header_span));
  } catch (const FileError& error) {  // of a tensor whose elements were read only now
    throw CellError(Code::Runtime, in_.place_of(stmt.header_span), error.what());
  }
}

Evaluator::Flow Evaluator::execute(const Assign& node, const Stmt& stmt) {
  const Value value = evaluate(*node.value);
  for (const ExprPtr& target : node.targets) assign(*target, value, &stmt, Report::Yes);
  return Flow::Next;
}

// What stands before the brackets or the dot, and in the brackets, is evaluated once.
Evaluator::Flow Evaluator::execute(const AugAssign& node, const Stmt& stmt) {
  const Expr& target = *node.target;
  const auto changed = [&](const Value& current) {
    const Value operand = evaluate(*node.value);
    return apply_in_place(in_, node.op, current, operand, {stmt.span, target.span, node.value->span});
  };
  Value value;
  if (const auto* item = std::get_if<Subscript>(&target.node)) {
    const Value object = evaluate(*item->object), index = evaluate(*item->index);
    const OperatorSpans spans{target.span, item->object->span, item->index->span};
    value = changed(get_item(in_, object, index, spans));
    set_item(in_, object, index, value, spans);
  } else if (const auto* attribute = std::get_if<Attribute>(&target.node)) {
    const Value object = evaluate(*attribute->object);
    const std::string name = mangled(attribute->name);
    value = changed(get_attribute(in_, object, name, attribute->object->span, target.span));
    set_attribute(in_, object, name, value, target.span);
  } else {
    assign(target, changed(evaluate(target)), &stmt, Report::Yes);
    return Flow::Next;
  }
  if (watcher(target.span)) report_bound(target, value);
  return Flow::Next;
}

Evaluator::Flow Evaluator::execute(const AnnAssign& node, const Stmt& stmt) {
  if (node.value) assign(*node.target, evaluate(*node.value), &stmt, Report::Yes);
  // Of the names of a function they are never evaluated.
  if (!in_.scope_->function) check_annotation(node.annotation.get());
  return Flow::Next;
}

Evaluator::Flow Evaluator::execute(const ExprStmt& node, const Stmt&) {
  const Value value = evaluate(*node.value);
  if (in_.observer_ && !is_unseen(node.value->span)) in_.observer_->evaluated(value, node.value->span);
  return Flow::Next;
}

Evaluator::Flow Evaluator::execute(const Assert& node, const Stmt& stmt) {
  const Source& source = in_.sources_[stmt.span.source];
  std::string sides;
  const Compare* compare = std::get_if<Compare>(&node.test->node);
  if (compare && compare->rest.size() == 1) {
    const auto& [op, right_expr] = compare->rest.front();
    const Value left = evaluate(*compare->first), right = evaluate(*right_expr);
    if (truthy(apply_compare(in_, op, left, right, {node.test->span, compare->first->span, right_expr->span})))
      return Flow::Next;
    sides = sides_text(source, *compare->first, left, *right_expr, right, [&](const Expr& e) { return evaluate(e); });
  } else if (truthy(evaluate(*node.test))) {
    return Flow::Next;
  }
  std::vector<Value> arguments;
  if (node.message) arguments.push_back(evaluate(*node.message));
  CellError error(Code::Assertion, stmt.span, ends_of_message(exception_text("AssertionError", arguments)),
                  say("assertion.hint", {{"code", std::string(source.slice(node.test->span))},
                                         {"sides", sides.empty() ? "" : ", " + sides}}));
  in_.attach(error, make<ExceptionObject>("AssertionError", std::move(arguments)));
  throw error;
}

Evaluator::Flow Evaluator::execute(const If& node, const Stmt&) {
  return run(truthy(evaluate(*node.test)) ? node.body : node.otherwise);
}

Evaluator::Looping::Looping(Interpreter& in, bool is_noted, const Stmt& stmt, const Value& iterable)
    : in_(in), outer_iteration_(std::exchange(in.iteration_, -1)), is_noted_(is_noted) {
  if (is_noted_) in_.loops_.push_back({&stmt, iterable});
}

Evaluator::Looping::~Looping() {
  in_.iteration_ = outer_iteration_;
  if (is_noted_) in_.loops_.pop_back();
}

std::optional<Loop> Evaluator::resumed(const Stmt& loop) {
  if (in_.resumed_.empty() || in_.resumed_.front().stmt != &loop) return std::nullopt;
  const Loop found = in_.resumed_.front();
  in_.resumed_.erase(in_.resumed_.begin());
  return found;
}

// A loop of a cell outside of calls, where a run can be gone on with.
bool Evaluator::is_noted(const Stmt& loop) const { return !is_unseen(loop.span) && in_.frames_.empty(); }

void Evaluator::begin_round(const Stmt& loop) {
  ++in_.iteration_;
  if (is_noted(loop)) in_.loops_.back().round = in_.iteration_;
  if (Observer* const watcher = this->watcher(loop.span)) watcher->round_begins(in_.iteration_);
}

Evaluator::Flow Evaluator::execute(const For& node, const Stmt& stmt) {
  std::optional<Loop> past = resumed(stmt);
  const Value iterable = past ? past->iterable : evaluate(*node.iterable);
  Flow flow = Flow::Next;
  {
    const Looping looping(in_, is_noted(stmt), stmt, iterable);
    in_.for_each(iterable, node.iterable->span, [&](const Value& item) {
      if (past && in_.iteration_ + 1 < past->round) return ++in_.iteration_, true;
      // Of a round in which an inner loop goes on the target is bound.
      const bool has_begun = past && !in_.resumed_.empty();
      past.reset();
      begin_round(stmt);
      if (!has_begun) assign(*node.target, item, &stmt, Report::Yes);
      flow = run(node.body);
      return flow != Flow::Break && flow != Flow::Return;
    });
  }
  if (flow == Flow::Return) return flow;
  return flow == Flow::Break ? Flow::Next : run(node.otherwise);
}

Evaluator::Flow Evaluator::execute(const AxisNote& node, const Stmt&) {
  apply_axis_comment(in_, *in_.scope_, node.comment, node.comment.name, in_.options_.strict_axis_comments);
  return Flow::Next;
}

// ---- binding ----

namespace {

// Not the target of a loop or of `with`.
bool is_assignment(const Stmt& stmt) {
  return std::holds_alternative<Assign>(stmt.node) || std::holds_alternative<AnnAssign>(stmt.node);
}

// An int that is bound to a name is known by that name from then on.
[[gnu::noinline]] Value named(const Value& value, const std::string& name, Span span) {
  const Int* number = value.as_int();
  Origin origin;
  origin.source = Origin::Source::Assigned;
  origin.name = name;
  origin.value = number->value;
  origin.span = span;
  if (number->origin && number->origin->depth < kMaxOriginDepth) {
    origin.operands = {OriginPtr(number->origin)};
    origin.depth = number->origin->depth + 1;
  }
  return Value(number->value, make_origin(std::move(origin)));
}

}  // namespace

void Evaluator::assign_name(Symbol name, const Value& value, Span span) {
  Scope& scope = in_.scope_->holder_of(name);
  Value& bound = scope.names[name] = value;
  if (value.as_int() && !is_in_library(span) && (!in_.observer_ || in_.observer_->follows()))
    bound = named(value, name, span);
  if (!scope.axis_sizes.empty()) scope.forget_size(name);
  if (TensorObject* tensor = value.as<TensorObject>()) attach_words(scope, *tensor);
}

void Evaluator::tell_assigned(const std::string& name, const Value& value) {
  if (in_.scope_ == in_.globals_ && in_.fork_number_ == 0) in_.options_.assigned(name, value);
}

void Evaluator::assign(const Expr& target, const Value& value, const Stmt* stmt, Report report) {
  if (const auto* tuple = std::get_if<TupleExpr>(&target.node))
    return unpack(tuple->elements, value, target.span, stmt, report);
  if (const auto* list = std::get_if<ListExpr>(&target.node))
    return unpack(list->elements, value, target.span, stmt, report);
  if (const Name* name = std::get_if<Name>(&target.node)) assign_name(name->id, value, stmt);
  else assign_part(target, value);
  if (report == Report::Yes && watcher(target.span)) report_bound(target, value);
}

void Evaluator::assign_name(Symbol name, const Value& value, const Stmt* stmt) {
  if (!stmt) return void(in_.scope_->names[name] = value);  // of a comprehension: it names no size
  assign_name(name, value, stmt->header_span);
  if (in_.options_.assigned && is_assignment(*stmt)) tell_assigned(name, value);
  if (stmt->comment) apply_axis_comment(in_, *in_.scope_, *stmt, name, in_.options_.strict_axis_comments);
}

void Evaluator::assign_part(const Expr& target, const Value& value) {
  if (const auto* item = std::get_if<Subscript>(&target.node)) {
    const Value object = evaluate(*item->object);
    const Value index = evaluate(*item->index);
    set_item(in_, object, index, value, {target.span, item->object->span, item->index->span});
  } else if (const auto* attribute = std::get_if<Attribute>(&target.node)) {
    set_attribute(in_, evaluate(*attribute->object), mangled(attribute->name), value, target.span);
  }
}

void Evaluator::report_bound(const Expr& target, const Value& value) {
  const Name* name = std::get_if<Name>(&target.node);
  const std::string_view text = in_.sources_[target.span.source].slice(target.span);
  in_.observer_->bound(text, name ? in_.scope_->holder_of(name->id).names[name->id] : value, target.span);
}

void Evaluator::unpack(const std::vector<ExprPtr>& targets, const Value& value, Span span, const Stmt* stmt,
                       Report report) {
  if (!is_iterable(value)) {
    throw CellError(Code::Type, span, fmt::format("cannot unpack non-iterable {} object", type_name(value)));
  }
  std::size_t star = targets.size();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (std::holds_alternative<Starred>(targets[i]->node)) star = i;
  }
  const std::size_t fixed = targets.size() - (star < targets.size());
  std::vector<Value> items;
  if (star < targets.size() || value.as<Tuple>() || value.as<List>()) {
    items = in_.to_vector(value, span);
  } else {
    in_.for_each(value, span, [&](const Value& item) { return items.push_back(item), items.size() <= fixed; });
  }
  if (items.size() < fixed) {
    throw CellError(Code::Value, span,
                    fmt::format("not enough values to unpack (expected {}{}, got {})",
                                star < targets.size() ? "at least " : "", fixed, items.size()));
  }
  if (items.size() > fixed && star == targets.size()) {
    throw CellError(Code::Value, span, fmt::format("too many values to unpack (expected {})", fixed));
  }
  const std::size_t starred_count = items.size() - fixed;
  std::size_t at = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (i != star) {
      assign(*targets[i], items[at++], stmt, report);
      continue;
    }
    const auto first = items.begin() + static_cast<std::ptrdiff_t>(at);
    at += starred_count;
    const Value rest = make_list({first, items.begin() + static_cast<std::ptrdiff_t>(at)});
    assign(*std::get<Starred>(targets[i]->node).value, rest, stmt, report);
  }
}

void set_attribute(Interpreter& interpreter, const Value& object, const std::string& name, const Value& value,
                   Span span) {
  if (Value ignored; call_special(object, "__setattr__", {make_str(name), value}, ignored)) return;
  set_plain_attribute(interpreter, object, name, value, span);
}

void delete_attribute(Interpreter& interpreter, const Value& object, const std::string& name, Span span) {
  if (Value ignored; call_special(object, "__delattr__", {make_str(name)}, ignored)) return;
  if (delete_property(interpreter, object, name, span)) return;
  const auto erase = slot_of(object, &Type::delete_attribute);
  if (erase && erase(interpreter, object, name, span)) return;
  throw CellError(Code::Attribute, span, fmt::format("'{}' object has no attribute '{}'", type_name(object), name));
}

void set_plain_attribute(Interpreter& interpreter, const Value& object, const std::string& name, const Value& value,
                         Span span) {
  const auto set = slot_of(object, &Type::set_attribute);
  if (set && set(interpreter, object, name, value, span)) return;
  bool is_there = true;
  try {
    get_attribute(interpreter, object, name, span, span);
  } catch (const CellError&) {
    is_there = false;
  }
  throw CellError(Code::Attribute, span,
                  is_there ? fmt::format("'{}' object attribute '{}' is read-only", type_name(object), name)
                           : fmt::format("'{}' object has no attribute '{}'", type_name(object), name));
}

}  // namespace attn
