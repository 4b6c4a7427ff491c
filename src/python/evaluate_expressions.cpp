// Expressions: one visit per kind of node, which is what makes it long.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/text.h"
#include "python/class.h"
#include "python/evaluator.h"
#include "python/interpreter.h"
#include "python/modules/collections.h"
#include "python/modules/unsupported_names.h"
#include "python/operators.h"
#include "python/types/changing.h"
#include "python/types/format_spec.h"
#include "python/types/iterators.h"
#include "text/say.h"

namespace attn {

void add_span(CellError& error, Span span) {
  if (error.diagnostic().span == Span{}) error.diagnostic().span = span;
}

inline const Value* Evaluator::look_up(Symbol name) const {
  Scope& here = *in_.scope_;
  const Value* const found = here.elsewhere.empty() ? here.names.find(name) : nullptr;
  return found ? found : look_up_outside(name);
}

// Names and numbers, which most expressions are, are seen to without the rest.
Value Evaluator::evaluate(const Expr& expr) {
  if (!is_in_library(expr.span)) charge(1);
  if (const Name* const name = std::get_if<Name>(&expr.node)) {
    if (const Value* const bound = look_up(name->id)) return *bound;
  } else if (const Constant* const constant = std::get_if<Constant>(&expr.node)) {
    if (const double* const real = std::get_if<double>(&constant->value)) return *real;
    if (const std::int64_t* const whole = std::get_if<std::int64_t>(&constant->value)) return *whole;
  }
  return evaluate_node(expr);
}

[[gnu::noinline]] Value Evaluator::evaluate_node(const Expr& expr) {
  check_stack();
  try {
    return std::visit([&](const auto& node) { return visit(node, expr); }, expr.node);
  } catch (CellError& error) {
    add_span(error, expr.span);
    throw;
  }
}

Value Evaluator::visit(const Constant& node, const Expr&) {
  struct ToValue {
    Value operator()(NoneLiteral) const { return {}; }
    Value operator()(EllipsisLiteral) const { return make<EllipsisObject>(); }
    Value operator()(const std::string& text) const { return make_str(text); }
    Value operator()(bool value) const { return value; }
    Value operator()(std::int64_t value) const { return value; }
    Value operator()(double value) const { return value; }
  };
  return std::visit(ToValue(), node.value);
}

const Value* Evaluator::look_up_outside(Symbol name) const {
  for (Scope* scope = in_.scope_.get(); scope; scope = scope->outer.get()) {
    if (const Value* found = scope->holder_of(name).names.find(name)) return found;
    if (scope->is_local(name)) return nullptr;  // before it is bound, too
  }
  return find_builtin(name);
}

// Of one that is not bound.
Value Evaluator::visit(const Name& node, const Expr& expr) {
  if (in_.scope_->is_local(node.id)) {
    CellError error(
        Code::Name, expr.span,
        fmt::format("cannot access local variable '{}' where it is not associated with a value", node.id.text()),
        say("mistake.local"));
    throw CellError(error.diagnostic(), "UnboundLocalError");
  }
  for (const Scope* scope = in_.scope_->outer.get(); scope; scope = scope->outer.get()) {
    if (!scope->is_local(node.id)) continue;
    throw CellError(
        Code::Name, expr.span,
        fmt::format("cannot access free variable '{}' where it is not associated with a value in enclosing scope",
                    node.id.text()));
  }
  if (is_name_of("builtins", node.id)) refuse_name("builtins." + node.id.text(), expr.span);
  std::vector<std::string> known = builtin_names();
  for (const Scope* scope = in_.scope_.get(); scope; scope = scope->outer.get()) {
    for (const auto& item : scope->names) known.push_back(item.first.text());
  }
  std::sort(known.begin(), known.end());
  const std::string near = nearest(node.id, known);
  throw CellError(Code::Name, expr.span, fmt::format("name '{}' is not defined", node.id.text()), did_you_mean(near));
}

Value Evaluator::visit(const Unary& node, const Expr& expr) {
  return apply_unary(in_, node.op, evaluate(*node.operand), expr.span, node.operand->span);
}

Value Evaluator::visit(const Binary& node, const Expr& expr) {
  const Value left = evaluate(*node.left);
  const Value right = evaluate(*node.right);
  return apply_binary(in_, node.op, left, right, {expr.span, node.left->span, node.right->span});
}

Value Evaluator::visit(const Compare& node, const Expr& expr) {
  Value left = evaluate(*node.first);
  Span left_span = node.first->span;
  for (const auto& [op, right_expr] : node.rest) {
    Value right = evaluate(*right_expr);
    Value result = apply_compare(in_, op, left, right, {expr.span, left_span, right_expr->span});
    if (&right_expr == &node.rest.back().second || !truthy(result)) return result;
    left = std::move(right);
    left_span = right_expr->span;
  }
  return left;  // there is always one to compare with
}

Value Evaluator::visit(const BoolOp& node, const Expr&) {
  Value value;
  for (const ExprPtr& operand : node.operands) {
    value = evaluate(*operand);
    if (&operand != &node.operands.back() && truthy(value) != node.is_and) return value;
  }
  return value;
}

Value Evaluator::visit(const Conditional& node, const Expr&) {
  return evaluate(truthy(evaluate(*node.test)) ? *node.then : *node.otherwise);
}

// self.__x in the body of a class A is self._A__x.
std::string Evaluator::mangled(const std::string& name) const {
  if (!name.starts_with("__") || name.ends_with("__") || in_.frames_.empty()) return name;
  const ClassObject* owner = in_.frames_.back().function->owner.as<ClassObject>();
  return owner ? "_" + owner->name.substr(std::min(owner->name.find_first_not_of('_'), owner->name.size())) + name
               : name;
}

Value Evaluator::visit(const Attribute& node, const Expr& expr) {
  return get_attribute(in_, evaluate(*node.object), mangled(node.name), node.object->span, expr.span);
}

// The name is one of the function, the class or the cell, also where a comprehension has a scope of its own.
Value Evaluator::visit(const NamedExpr& node, const Expr& expr) {
  const Value value = evaluate(*node.value);
  Ref<Scope> holder = in_.scope_;
  while (holder->outer && !holder->function && !holder->is_class()) holder = holder->outer;
  const bool is_in_comprehension = holder.get() != in_.scope_.get();  // which has no rounds that could be left out
  std::swap(in_.scope_, holder);
  assign_name(node.name, value, expr.span);
  std::swap(in_.scope_, holder);
  Observer* const observer = is_in_comprehension ? nullptr : watcher(expr.span);
  if (observer) observer->bound(node.name.text(), value, expr.span);
  return value;
}

Value Evaluator::visit(const Subscript& node, const Expr& expr) {
  const Value object = evaluate(*node.object);
  const Value index = evaluate(*node.index);
  return get_item(in_, object, index, {expr.span, node.object->span, node.index->span});
}

Value Evaluator::visit(const SliceExpr& node, const Expr&) {
  auto part = [&](const ExprPtr& expr) { return expr ? evaluate(*expr) : Value(); };
  Value start = part(node.start), stop = part(node.stop), step = part(node.step);
  return make<Slice>(std::move(start), std::move(stop), std::move(step));
}

namespace {

// "__main__.f()", "print()": what Python calls the function in complaints about stars.
std::string called_name(const Value& function) {
  const BoundMethod* method = function.as<BoundMethod>();
  const Function* own = method ? method->function.as<Function>() : function.as<Function>();
  if (own) return "__main__." + own->qualified_name + "()";
  if (const Builtin* builtin = function.as<Builtin>()) return builtin->name + "()";
  if (const ClassObject* type = function.as<ClassObject>()) return "__main__." + type->qualified_name + "()";
  const TypeObject* type = function.as<TypeObject>();
  return type ? type->name + "()" : "function";
}

// What ** spreads: an object with keys() is read into a dict.
Value as_mapping(Interpreter& interpreter, const Value& value, Span span) {
  return has_special(value, "keys") ? interpreter.call(*find_builtin("dict"), {value}, span) : value;
}

/// The keywords of a call on their way, each once.
class Keywords {
 public:
  Keywords(const Value& function, CallArguments& arguments) : function_(function), arguments_(arguments) {}

  void add(const std::string& name, const Value& value, Span span) {
    if (is_given(name))
      throw CellError(Code::Type, span,
                      fmt::format("{} got multiple values for keyword argument '{}'", called_name(function_), name));
    look();
    arguments_.keywords.emplace_back(name, value);
    spans_.push_back(span);
  }
  void end() { arguments_.spans.insert(arguments_.spans.end(), spans_.begin(), spans_.end()); }

 private:
  /// Few are looked through; of many there is an index.
  bool is_given(const std::string& name) {
    constexpr std::size_t kFew = 16;
    const auto& given = arguments_.keywords;
    if (given.size() < kFew)
      return std::any_of(given.begin(), given.end(), [&](const auto& other) { return other.first == name; });
    for (; indexed_ < given.size(); ++indexed_) names_.insert(given[indexed_].first);
    return names_.contains(name);
  }

  const Value& function_;
  CallArguments& arguments_;
  std::vector<Span> spans_;
  std::unordered_set<std::string> names_;
  std::size_t indexed_ = 0;
};

}  // namespace

Value Evaluator::visit(const Call& node, const Expr& expr) {
  const Value function = evaluate(*node.function);
  CallArguments arguments;
  arguments.span = expr.span;
  if (const auto* method = std::get_if<Attribute>(&node.function->node)) arguments.owner = method->object->span;
  arguments.positional.reserve(node.arguments.size());
  arguments.spans.reserve(node.arguments.size());
  Keywords keywords(function, arguments);
  for (const Argument& argument : node.arguments) {
    Value value = evaluate(*argument.value);
    const Span span = argument.value->span;
    if (argument.kind == ArgumentKind::Positional) {
      arguments.positional.push_back(std::move(value));
      arguments.spans.push_back(span);
    } else if (argument.kind == ArgumentKind::Star) {
      if (!is_iterable(value)) {
        throw CellError(
            Code::Type, span,
            fmt::format("{} argument after * must be an iterable, not {}", called_name(function), type_name(value)));
      }
      for (Value& item : in_.to_vector(value, span)) {
        look();
        arguments.positional.push_back(std::move(item));
        arguments.spans.push_back(span);
      }
    } else if (argument.kind == ArgumentKind::Keyword) {
      keywords.add(argument.name, value, span);
    } else {
      const Value mapping = as_mapping(in_, value, span);
      const Dict* dict = mapping.as<Dict>();
      if (!dict) {
        throw CellError(
            Code::Type, span,
            fmt::format("{} argument after ** must be a mapping, not {}", called_name(function), type_name(value)));
      }
      for (const auto& [key, item] : dict->items) {
        if (!key.as<Str>()) throw CellError(Code::Type, span, "keywords must be strings");
        keywords.add(key.as<Str>()->text, item, span);
      }
    }
  }
  keywords.end();
  return in_.call(function, arguments);
}

static void require_iterable(const Value& starred, Span span) {
  if (!is_iterable(starred))
    throw CellError(Code::Type, span, fmt::format("Value after * must be an iterable, not {}", type_name(starred)));
}

std::vector<Value> Evaluator::elements(const std::vector<ExprPtr>& exprs) {
  std::vector<Value> out;
  out.reserve(exprs.size());
  for (const ExprPtr& expr : exprs) {
    if (const Starred* starred = std::get_if<Starred>(&expr->node)) {
      const Value more = evaluate(*starred->value);
      require_iterable(more, expr->span);
      for (Value& item : in_.to_vector(more, expr->span)) {
        look();
        out.push_back(std::move(item));
      }
    } else {
      out.push_back(evaluate(*expr));
    }
  }
  return out;
}

Value Evaluator::visit(const TupleExpr& node, const Expr&) { return make_tuple(elements(node.elements)); }
Value Evaluator::visit(const ListExpr& node, const Expr&) { return make_list(elements(node.elements)); }

static bool is_number(const ExprPtr& expr) {
  if (const Unary* sign = std::get_if<Unary>(&expr->node)) return is_number(sign->operand);
  const Constant* constant = std::get_if<Constant>(&expr->node);
  return constant && (std::holds_alternative<std::int64_t>(constant->value) ||
                      std::holds_alternative<double>(constant->value) || std::holds_alternative<bool>(constant->value));
}

// One after the other if some come with a star: what a set adds in one go takes other slots. Of three numbers and more
// CPython's compiler makes a set, goes over it to make another, and adds that in one go.
Value Evaluator::visit(const SetExpr& node, const Expr&) {
  Ref<Set> set = make<Set>();
  const auto is_starred = [](const ExprPtr& expr) { return std::holds_alternative<Starred>(expr->node); };
  if (std::none_of(node.elements.begin(), node.elements.end(), is_starred)) {
    for (const Value& item : elements(node.elements)) set->add(item);
    if (node.elements.size() < 3 || !std::all_of(node.elements.begin(), node.elements.end(), is_number)) return set;
    const Ref<Set> again = make<Set>(), out = make<Set>();
    for (const Value& item : set->ordered()) again->add(item);
    out->add_all(*again);
    return out;
  }
  for (const ExprPtr& expr : node.elements) {
    const Starred* starred = std::get_if<Starred>(&expr->node);
    const Value value = evaluate(starred ? *starred->value : *expr);
    if (starred) require_iterable(value, expr->span);
    starred ? add_to_set(in_, *set, value, expr->span) : set->add(value);
  }
  return set;
}

Value Evaluator::visit(const DictExpr& node, const Expr&) {
  Ref<Dict> dict = make<Dict>();
  for (const auto& [key, value] : node.items) {
    if (key) {
      const Value key_value = evaluate(*key);
      dict->set(key_value, evaluate(*value));
      continue;
    }
    const Value other = as_mapping(in_, evaluate(*value), value->span);
    if (!other.as<Dict>())
      throw CellError(Code::Type, value->span, fmt::format("'{}' object is not a mapping", type_name(other)));
    each_pair(*other.as<Dict>(), [&](const Value& other_key, const Value& item) { dict->set(other_key, item); });
  }
  return dict;
}

Value Evaluator::visit(const Starred&, const Expr& expr) {
  throw CellError(Code::Syntax, expr.span, "can't use starred expression here");
}

Value Evaluator::visit(const Lambda& node, const Expr&) {
  Ref<Function> function = make<Function>();
  function->parameters = node.parameters;
  function->body = node.body;
  function->scope = in_.scope_->is_class() ? in_.scope_->outer : in_.scope_;
  function->qualified_name = name_prefix(in_.scope_.get()) + function->name;
  for (const Parameter& parameter : *node.parameters) {
    function->has_default.push_back(parameter.default_value != nullptr);
    function->defaults.push_back(parameter.default_value ? evaluate(*parameter.default_value) : Value());
  }
  return function;
}

// ---- comprehensions ----

namespace {

// The scope in which a lambda or comprehension runs; the former one comes back at the end.
class ScopeGuard {
 public:
  ScopeGuard(Ref<Scope>& current, Ref<Scope> inner) : current_(current), saved_(current) {
    current_ = std::move(inner);
  }
  ~ScopeGuard() { current_ = saved_; }
  ScopeGuard(const ScopeGuard&) = delete;
  ScopeGuard& operator=(const ScopeGuard&) = delete;

 private:
  Ref<Scope>& current_;
  Ref<Scope> saved_;
};

// A comprehension in the body of a class does not see the names of the class.
Ref<Scope> inner_scope(Ref<Scope> outer) {
  auto scope = make<Scope>();
  while (outer->is_class()) outer = outer->outer;
  scope->outer = std::move(outer);
  return scope;
}

}  // namespace

bool Evaluator::passes(const ComprehensionClause& clause, const Value& item) {
  charge(1);
  assign(*clause.target, item, nullptr, Report::No);
  return std::all_of(clause.conditions.begin(), clause.conditions.end(),
                     [&](const ExprPtr& condition) { return truthy(evaluate(*condition)); });
}

void Evaluator::comprehend_more(const Comprehension& node, std::size_t clause, const Value& iterable,
                                const std::function<void()>& yield) {
  const ComprehensionClause& here = node.clauses[clause];
  in_.for_each(iterable, here.iterable->span, [&](const Value& item) {
    if (!passes(here, item)) return true;
    if (clause + 1 == node.clauses.size()) {
      yield();
    } else {
      comprehend_more(node, clause + 1, evaluate(*node.clauses[clause + 1].iterable), yield);
    }
    return true;
  });
}

// The first iterable is looked up outside, as in Python.
void Evaluator::comprehend(const Comprehension& node, const std::function<void()>& yield) {
  const Value first = evaluate(*node.clauses[0].iterable);
  const ScopeGuard guard(in_.scope_, inner_scope(in_.scope_));
  comprehend_more(node, 0, first, yield);
}

// A generator expression goes on from where it was each time it is asked for an item: `levels` are its loops that are
// under way, the outermost first.
Value Evaluator::generator(const Comprehension& node) {
  std::vector<Iterator::Next> levels;
  const Value first = evaluate(*node.clauses[0].iterable);
  levels.push_back(step_through(in_, first, node.clauses[0].iterable->span));
  auto step = [&in = in_, &node, levels, scope = inner_scope(in_.scope_)](Value& out) mutable {
    const ScopeGuard guard(in.scope_, scope);
    Evaluator evaluator(in);
    try {
      while (!levels.empty()) {
        const ComprehensionClause& here = node.clauses[levels.size() - 1];
        Value item;
        if (!levels.back()(item)) {
          levels.pop_back();
        } else if (!evaluator.passes(here, item)) {
          continue;
        } else if (levels.size() == node.clauses.size()) {
          return out = evaluator.evaluate(*node.element), true;
        } else {
          const Expr& next = *node.clauses[levels.size()].iterable;
          levels.push_back(step_through(in, evaluator.evaluate(next), next.span));
        }
      }
    } catch (...) {
      levels.clear();  // after an error it is at its end
      throw;
    }
    return false;
  };
  return make<Iterator>("generator", step);
}

Value Evaluator::visit(const Comprehension& node, const Expr&) {
  if (node.kind == ComprehensionKind::Generator) return generator(node);
  if (node.kind == ComprehensionKind::Set) {
    Ref<Set> set = make<Set>();
    comprehend(node, [&] { set->add(evaluate(*node.element)); });
    return set;
  }
  if (node.kind == ComprehensionKind::Dict) {
    Ref<Dict> dict = make<Dict>();
    comprehend(node, [&] {
      const Value key = evaluate(*node.element);
      dict->set(key, evaluate(*node.value));
    });
    return dict;
  }
  ItemCollector items;
  comprehend(node, [&] { items.add(evaluate(*node.element)); });
  return make_list(items.take());
}

// ---- f-strings ----

std::string Evaluator::format(const FString& text) {
  std::string out;
  for (const auto& part : text.parts) {
    if (const std::string* literal = std::get_if<std::string>(&part)) {
      out += *literal;
      continue;
    }
    const FStringField& field = std::get<FStringField>(part);
    const Value value = evaluate(*field.expression);
    look();
    const std::string spec = field.format ? format(*field.format) : "";
    // {x=} shows the repr unless a format or conversion is given.
    const char conversion = field.conversion ? field.conversion : !field.label.empty() && !field.format ? 'r' : '\0';
    out += field.label;
    try {
      out += conversion ? format_value(make_str(conversion == 's'   ? str(value)
                                                : conversion == 'a' ? ascii_repr(value)
                                                                    : repr(value)),
                                       spec)
                        : format_value(value, spec);
    } catch (CellError& error) {
      add_span(error, field.expression->span);
      throw;
    }
  }
  return out;
}

Value Evaluator::visit(const FString& node, const Expr&) { return make_str(format(node)); }

}  // namespace attn
