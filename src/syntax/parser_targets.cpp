// What may be assigned to, and Python's words for what may not.
#include <fmt/format.h>

#include <algorithm>

#include "syntax/parser_rules.h"
#include "text/say.h"

namespace attn {
namespace {

struct ConstantKind {
  std::string_view operator()(NoneLiteral) const { return "None"; }
  std::string_view operator()(EllipsisLiteral) const { return "ellipsis"; }
  std::string_view operator()(bool value) const { return value ? "True" : "False"; }
  template <class Value>
  std::string_view operator()(const Value&) const {
    return "literal";
  }
};

struct TargetKind {
  std::string_view operator()(const Constant& node) const { return std::visit(ConstantKind{}, node.value); }
  std::string_view operator()(const Name&) const { return "name"; }
  std::string_view operator()(const Unary&) const { return "expression"; }
  std::string_view operator()(const Binary&) const { return "expression"; }
  std::string_view operator()(const Compare&) const { return "comparison"; }
  std::string_view operator()(const BoolOp&) const { return "expression"; }
  std::string_view operator()(const Conditional&) const { return "conditional expression"; }
  std::string_view operator()(const Attribute&) const { return "attribute"; }
  std::string_view operator()(const Subscript&) const { return "subscript"; }
  std::string_view operator()(const SliceExpr&) const { return "slice"; }
  std::string_view operator()(const Call&) const { return "function call"; }
  std::string_view operator()(const TupleExpr&) const { return "tuple"; }
  std::string_view operator()(const ListExpr&) const { return "list"; }
  std::string_view operator()(const SetExpr&) const { return "set display"; }
  std::string_view operator()(const DictExpr&) const { return "dict literal"; }
  std::string_view operator()(const Starred&) const { return "starred"; }
  std::string_view operator()(const Lambda&) const { return "lambda"; }
  std::string_view operator()(const Comprehension& node) const {
    constexpr std::string_view kKinds[] = {"list comprehension", "set comprehension", "dict comprehension",
                                           "generator expression"};
    return kKinds[static_cast<std::size_t>(node.kind)];
  }
  std::string_view operator()(const NamedExpr&) const { return "named expression"; }
  std::string_view operator()(const Yield&) const { return "yield expression"; }
  std::string_view operator()(const FString&) const { return "f-string expression"; }
};

bool is_place(const Expr& expr) {
  return std::holds_alternative<Name>(expr.node) || std::holds_alternative<Attribute>(expr.node) ||
         std::holds_alternative<Subscript>(expr.node);
}

/// Whether someone may have meant to compare: Python asks so only of what could stand on the left of '=='.
bool could_be_compared(const Expr& expr) {
  constexpr std::string_view kNever[] = {"None",    "True",
                                         "False",   "tuple",
                                         "list",    "comparison",
                                         "lambda",  "conditional expression",
                                         "starred", "generator expression"};
  const auto* unary = std::get_if<Unary>(&expr.node);
  if (std::holds_alternative<BoolOp>(expr.node) || (unary && unary->op == UnaryOp::Not)) return false;
  return std::find(std::begin(kNever), std::end(kNever), kind_of(expr)) == std::end(kNever);
}

}  // namespace

std::string_view kind_of(const Expr& expr) { return std::visit(TargetKind{}, expr.node); }

/// element {',' element} [','], as behind 'for'
ExprPtr Parser::target_list() {
  const std::uint32_t start = begin();
  ExprPtr target = target_element();
  if (at(",")) {
    std::vector<ExprPtr> elements;
    elements.push_back(std::move(target));
    while (accept(",") && !at("in")) elements.push_back(target_element());
    target = make(from(start), TupleExpr{std::move(elements)});
  }
  check_target(*target, false);
  return target;
}

/// Tighter than comparisons, so that 'in' ends a target.
ExprPtr Parser::target_element() {
  const std::uint32_t start = begin();
  if (!accept("*")) return binary(kBitOr);
  ExprPtr value = binary(kBitOr);
  return make(from(start), Starred{std::move(value)});
}

/// `maybe_equal`: '=' may have been written for '=='.
void Parser::check_target(const Expr& target, bool maybe_equal) {
  if (is_place(target)) return;
  if (const auto* tuple = std::get_if<TupleExpr>(&target.node)) {
    const bool bare = !tuple->elements.empty() && tuple->elements.front()->span.begin == target.span.begin;
    return check_elements(target, tuple->elements, maybe_equal && bare);
  }
  if (const auto* list = std::get_if<ListExpr>(&target.node)) return check_elements(target, list->elements, false);
  if (std::holds_alternative<Starred>(target.node)) {
    fail(target.span, "starred assignment target must be in a list or tuple");
  }
  const bool ask = maybe_equal && could_be_compared(target);
  fail(target.span,
       fmt::format("cannot assign to {}{}", kind_of(target), ask ? " here. Maybe you meant '==' instead of '='?" : ""));
}

void Parser::check_elements(const Expr& target, const std::vector<ExprPtr>& elements, bool maybe_equal) {
  int starred = 0;
  for (const ExprPtr& element : elements) {
    const auto* star = std::get_if<Starred>(&element->node);
    if (star && ++starred > 1) fail(target.span, "multiple starred expressions in assignment");
    check_target(star ? *star->value : *element, maybe_equal && element == elements.back());
  }
}

void Parser::check_augmented_target(const Expr& target) {
  if (is_place(target)) return;
  fail(target.span, fmt::format("'{}' is an illegal expression for augmented assignment", kind_of(target)));
}

void Parser::check_annotated_target(const Expr& target) {
  if (is_place(target)) return;
  const std::string_view kind = kind_of(target);
  if (kind != "tuple" && kind != "list") fail(target.span, "illegal target for annotation");
  fail(target.span, fmt::format("only single target (not {}) can be annotated", kind));
}

void Parser::check_deletable(const Expr& target) {
  if (is_place(target)) return;
  const auto* tuple = std::get_if<TupleExpr>(&target.node);
  const auto* list = std::get_if<ListExpr>(&target.node);
  if (!tuple && !list) fail(target.span, fmt::format("cannot delete {}", kind_of(target)));
  for (const ExprPtr& element : tuple ? tuple->elements : list->elements) check_deletable(*element);
}

/// A star means something only among elements.
void Parser::check_value(const Expr& value) {
  if (std::holds_alternative<Starred>(value.node)) fail(value.span, "can't use starred expression here");
}

/// At a '=' where Python expects a value to compare.
void Parser::refuse_assignment(const Expr& left) {
  const std::string hint = say("syntax.assigns.hint");
  if (!std::holds_alternative<Name>(left.node)) {
    fail(left.span, fmt::format("cannot assign to {} here. Maybe you meant '==' instead of '='?", kind_of(left)), hint);
  }
  const std::uint32_t start = left.span.begin;
  advance();
  binary(kBitOr);
  fail(from(start), "invalid syntax. Maybe you meant '==' or ':=' instead of '='?", hint);
}

}  // namespace attn
