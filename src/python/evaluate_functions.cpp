// Functions: def, calls with their scopes, return, decorators.
#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "python/argument_count.h"
#include "python/evaluator.h"
#include "python/exceptions.h"
#include "python/modules/unsupported_names.h"
#include "python/natives.h"
#include "syntax/names.h"
#include "text/say.h"
#include "text/unsupported.h"

namespace attn {
namespace {

constexpr std::size_t kMaxCalls = 1000;                  // in one another, as Python
constexpr std::size_t kMaxLibraryCalls = 2 * kMaxCalls;  // a layer that holds itself never ends

// The scope that a function made here closes over: the body of a class is not seen by its methods.
Ref<Scope> closure_scope(Ref<Scope> scope) {
  while (scope->is_class()) scope = scope->outer;
  return scope;
}

// ---- arguments ----

Span span_of_body(const Function& function) {
  return function.body ? function.body->span : function.block->front().span;
}

[[noreturn]] void bad_arguments(const Function& function, Span span, const std::string& what) {
  throw CellError(Code::Type, span, function.qualified_name + "() " + what);
}

// A parameter with a name of its own; *args and **kwargs have none that a caller could use.
bool is_named(const Parameter& parameter) {
  return parameter.kind == ParameterKind::Plain || parameter.kind == ParameterKind::KeywordOnly;
}

bool takes_keyword(const Parameter& parameter) { return is_named(parameter) && !parameter.positional_only; }

const Parameter* find_kind(const std::vector<Parameter>& parameters, ParameterKind kind) {
  const auto found =
      std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& p) { return p.kind == kind; });
  return found == parameters.end() ? nullptr : &*found;
}

// "takes from 1 to 2 positional arguments but 3 were given"
[[noreturn]] void too_many_arguments(const Function& function, const CallArguments& arguments) {
  std::size_t most = 0, optional = 0, keyword_only = 0;
  for (std::size_t i = 0; i < function.parameters->size(); ++i) {
    const Parameter& parameter = (*function.parameters)[i];
    const bool is_plain = parameter.kind == ParameterKind::Plain;
    most += is_plain;
    optional += is_plain && function.has_default[i];
    keyword_only += parameter.kind == ParameterKind::KeywordOnly &&
                    std::any_of(arguments.keywords.begin(), arguments.keywords.end(),
                                [&](const auto& item) { return item.first == parameter.name.text(); });
  }
  const std::size_t given = arguments.positional.size();
  const std::string plural = most == 1 && optional == 0 ? "" : "s";
  const std::string takes = optional ? fmt::format("from {} to {}", most - optional, most) : std::to_string(most);
  const std::string beside = keyword_only
                                 ? fmt::format(" positional argument{} (and {} keyword-only argument{})",
                                               given == 1 ? "" : "s", keyword_only, keyword_only == 1 ? "" : "s")
                                 : "";
  bad_arguments(function, arguments.span,
                fmt::format("takes {} positional argument{} but {}{} {} given", takes, plural, given, beside,
                            given == 1 && keyword_only == 0 ? "was" : "were"));
}

void bind_positional(const Function& function, const CallArguments& arguments, Scope& scope) {
  std::size_t used = 0;
  for (const Parameter& parameter : *function.parameters) {
    if (parameter.kind == ParameterKind::Plain && used < arguments.positional.size()) {
      scope.names[parameter.name] = arguments.positional[used++];
    }
  }
  std::vector<Value> rest(arguments.positional.begin() + static_cast<std::ptrdiff_t>(used), arguments.positional.end());
  if (const Parameter* star = find_kind(*function.parameters, ParameterKind::Star); star && !star->name.empty()) {
    scope.names[star->name] = make_tuple(std::move(rest));
  } else if (!rest.empty()) {
    too_many_arguments(function, arguments);
  }
}

// Parameters ahead of / have no name that a caller could use.
void refuse_positional_only(const Function& function, const CallArguments& arguments) {
  std::string names;
  for (const Parameter& parameter : *function.parameters) {
    if (!parameter.positional_only) continue;
    const bool is_given = std::any_of(arguments.keywords.begin(), arguments.keywords.end(),
                                      [&](const auto& keyword) { return keyword.first == parameter.name.text(); });
    if (is_given) names += (names.empty() ? "" : ", ") + parameter.name.text();
  }
  if (names.empty()) return;
  bad_arguments(function, arguments.span,
                fmt::format("got some positional-only arguments passed as keyword arguments: '{}'", names));
}

void bind_keywords(const Function& function, const CallArguments& arguments, Scope& scope) {
  const auto& parameters = *function.parameters;
  const Parameter* double_star = find_kind(parameters, ParameterKind::DoubleStar);
  if (arguments.keywords.empty() && !double_star) return;
  Ref<Dict> extra = make<Dict>();
  if (!double_star) refuse_positional_only(function, arguments);
  for (const auto& [name, value] : arguments.keywords) {
    look();
    const bool is_known = std::any_of(parameters.begin(), parameters.end(), [&, &wanted = name](const Parameter& p) {
      return takes_keyword(p) && p.name.text() == wanted;
    });
    if (is_known) {
      if (scope.names.contains(name))
        bad_arguments(function, arguments.span, fmt::format("got multiple values for argument '{}'", name));
      scope.names[name] = value;
    } else if (double_star) {
      extra->set(make_str(name), value);
    } else {
      if (is_in_library(span_of_body(function))) refuse_keyword(function.qualified_name, name, arguments.span);
      bad_arguments(function, arguments.span, fmt::format("got an unexpected keyword argument '{}'", name));
    }
  }
  if (double_star) scope.names[double_star->name] = extra;
}

void bind_defaults(const Function& function, const CallArguments& arguments, Scope& scope) {
  std::vector<std::string> missing;
  bool keyword_only = false;
  for (std::size_t i = 0; i < function.parameters->size(); ++i) {
    const Parameter& parameter = (*function.parameters)[i];
    if (!is_named(parameter) || scope.names.contains(parameter.name)) continue;
    if (function.has_default[i]) {
      scope.names[parameter.name] = function.defaults[i];
    } else {
      missing.push_back("'" + parameter.name.text() + "'");
      keyword_only = parameter.kind == ParameterKind::KeywordOnly;
    }
  }
  if (missing.empty()) return;
  bad_arguments(
      function, arguments.span,
      fmt::format("missing {} required {} argument{}: {}", missing.size(), keyword_only ? "keyword-only" : "positional",
                  missing.size() == 1 ? "" : "s", listed(missing)));
}

void bind_arguments(const Function& function, const CallArguments& arguments, Scope& scope) {
  bind_positional(function, arguments, scope);
  bind_keywords(function, arguments, scope);
  bind_defaults(function, arguments, scope);
}

}  // namespace

// ---- calls ----

void Interpreter::check_calls(const Function& function, Span span) const {
  if (library_frames_ >= kMaxLibraryCalls)
    throw python_error("RecursionError", span, "maximum recursion depth exceeded" + std::string(kWhileCalling));
  if (frames_.size() - library_frames_ < kMaxCalls) return;
  const Function* own = &function;  // of the learner's, not of the library
  for (auto frame = frames_.rbegin(); frame != frames_.rend() && is_in_library(span_of_body(*own)); ++frame)
    own = frame->function;
  throw python_error("RecursionError", span, "maximum recursion depth exceeded",
                     say("mistake.recursion", {{"function", own->name}, {"count", std::to_string(kMaxCalls)}}));
}

namespace {

// Functions that are made in a call close over its scope, which holds them by their names. At the end of the call such
// a circle is broken if nobody else holds a part of it.
struct LetGo {
  Ref<Scope> scope;
  ~LetGo() {
    std::size_t own = 1;
    for (const auto& item : scope->names) {
      const Function* function = item.second.as<Function>();
      own += function && function->scope == scope && function->references() == 1;
    }
    if (own > 1 && scope->references() == own) scope->names.clear();
  }
};

}  // namespace

Value Evaluator::call(const Function& function, const CallArguments& arguments) {
  in_.check_calls(function, arguments.span);
  const LetGo held{make<Scope>()};
  const Ref<Scope>& scope = held.scope;
  scope->outer = function.scope;
  scope->function = Ref<Function>(const_cast<Function*>(&function));
  bind_arguments(function, arguments, *scope);
  const Value first = arguments.positional.empty() ? Value() : arguments.positional[0];
  if (function.is_generator) return make_generator(in_, function, scope, first, arguments.span);

  // The caller's place comes back however the call ends.
  struct Place {
    Interpreter& in;
    Ref<Scope> scope;
    std::optional<bool> grad;  // of a function that says what holds in it; else what it sets holds on
    std::int64_t iteration;
    std::size_t library_frames;
    const CallArguments* library_call;
    const Scope* library_caller;
    Observer* observer = nullptr;
    Place(Interpreter& i, bool keeps_grad)
        : in(i),
          scope(i.scope_),
          grad(keeps_grad ? std::optional(i.grad_enabled_) : std::nullopt),
          iteration(i.iteration_),
          library_frames(i.library_frames_),
          library_call(i.library_call_),
          library_caller(i.library_caller_) {}
    ~Place() {
      if (observer) observer->call_ends();
      in.frames_.pop_back();
      in.scope_ = scope;
      if (grad) in.grad_enabled_ = *grad;
      in.iteration_ = iteration;
      in.library_frames_ = library_frames;
      in.library_call_ = library_call;
      in.library_caller_ = library_caller;
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
  };
  const Span body_span = span_of_body(function);
  in_.frames_.push_back({&function, first});
  Place place(in_, function.grad.has_value());
  if (is_in_library(body_span)) {
    ++in_.library_frames_;
    if (!is_in_library(arguments.span)) {
      in_.library_call_ = &arguments;
      in_.library_caller_ = place.scope.get();
    }
  }
  in_.scope_ = scope;
  in_.iteration_ = -1;
  if (function.grad) in_.grad_enabled_ = *function.grad;
  if (function.body) return evaluate(*function.body);
  place.observer = watcher(body_span);
  if (place.observer) place.observer->call_begins(function, *scope);
  Evaluator body(in_);
  body.run(*function.block);
  return body.returned_;
}

Evaluator::Flow Evaluator::execute(const Return& node, const Stmt&) {
  if (!node.value) return Flow::Return;
  returned_ = evaluate(*node.value);
  if (Observer* const watcher = this->watcher(node.value->span)) watcher->evaluated(returned_, node.value->span);
  return Flow::Return;
}

// ---- making functions and classes ----

Value Evaluator::decorated(Value value, const std::vector<ExprPtr>& decorators) {
  for (auto decorator = decorators.rbegin(); decorator != decorators.rend(); ++decorator) {
    const Value function = evaluate(**decorator);
    const Span span = (*decorator)->span;
    value = in_.call(function, {{value}, {}, {span}, span});
  }
  return value;
}

std::string name_prefix(const Scope* scope) {
  while (scope && !scope->function && !scope->is_class()) scope = scope->outer.get();  // comprehensions have none
  if (!scope) return "";
  return scope->is_class() ? scope->class_name + "." : scope->function->qualified_name + ".<locals>.";
}

std::string doc_of(const Block& body) {
  const ExprStmt* first = body.empty() ? nullptr : std::get_if<ExprStmt>(&body.front().node);
  const Constant* constant = first ? std::get_if<Constant>(&first->value->node) : nullptr;
  const std::string* text = constant ? std::get_if<std::string>(&constant->value) : nullptr;
  return text ? *text : "";
}

// Annotations are only looked at: their names must be bound, unless annotations are texts in this run.
void Evaluator::check_annotation(const Expr* annotation) {
  if (!annotation || in_.globals_->names.contains("annotations")) return;
  if (std::holds_alternative<Name>(annotation->node)) {
    evaluate(*annotation);
  } else if (const auto* attribute = std::get_if<Attribute>(&annotation->node)) {
    check_annotation(attribute->object.get());
  } else if (const auto* item = std::get_if<Subscript>(&annotation->node)) {
    check_annotation(item->object.get());
    check_annotation(item->index.get());
  } else if (const auto* either = std::get_if<Binary>(&annotation->node)) {
    check_annotation(either->left.get());
    check_annotation(either->right.get());
  } else if (const auto* several = std::get_if<TupleExpr>(&annotation->node)) {
    for (const ExprPtr& element : several->elements) check_annotation(element.get());
  } else if (const auto* list = std::get_if<ListExpr>(&annotation->node)) {
    for (const ExprPtr& element : list->elements) check_annotation(element.get());
  }
}

Evaluator::Flow Evaluator::execute(const FunctionDef& node, const Stmt& stmt) {
  Ref<Function> function = make<Function>();
  function->name = node.name;
  function->qualified_name = name_prefix(in_.scope_.get()) + node.name;
  function->doc = doc_of(*node.body);
  function->parameters = node.parameters;
  function->returns = node.returns;
  function->block = node.body;
  function->is_generator = node.is_generator;
  std::unordered_set<Symbol> locals = bound_names(*node.body);
  locals.insert(node.named.begin(), node.named.end());
  function->locals = std::make_shared<const std::unordered_set<Symbol>>(std::move(locals));
  function->scope = closure_scope(in_.scope_);
  for (const Parameter& parameter : *node.parameters) {
    function->has_default.push_back(parameter.default_value != nullptr);
    function->defaults.push_back(parameter.default_value ? evaluate(*parameter.default_value) : Value());
  }
  for (const Parameter& parameter : *node.parameters) check_annotation(parameter.annotation.get());
  check_annotation(node.returns.get());
  assign_name(node.name, decorated(function, node.decorators), stmt.header_span);
  return Flow::Next;
}

}  // namespace attn
