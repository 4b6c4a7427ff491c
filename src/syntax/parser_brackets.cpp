// What stands in brackets: groups and tuples, lists, dicts, sets, comprehensions, calls, subscripts.
#include <fmt/format.h>

#include <algorithm>

#include "syntax/parser_rules.h"
#include "text/unsupported.h"

namespace attn {
namespace {

bool is_starred(const ExprPtr& expr) { return std::holds_alternative<Starred>(expr->node); }

}  // namespace

/// '*' bitwise_or | named_expression
ExprPtr Parser::star_named_expression() { return at("*") ? star_expression() : named_expression(); }

/// The elements behind the first one, up to the closing bracket and over it.
std::vector<ExprPtr> Parser::elements_after(ExprPtr first, std::string_view closer) {
  std::vector<ExprPtr> elements;
  std::uint32_t start = first->span.begin;
  elements.push_back(std::move(first));
  while (!accept(closer)) {
    if (at_comprehension() && !at(TokenKind::Error)) {
      fail({index_, elements.front()->span.begin, previous().span.end},
           "did you forget parentheses around the comprehension target?");
    }
    if (!accept(",")) fail_between(start);
    if (accept(closer)) break;
    start = begin();
    elements.push_back(star_named_expression());
  }
  return elements;
}

/// '(' ')' | '(' expression ')' | '(' elements ')' | '(' expression clauses ')'
ExprPtr Parser::group() {
  Nesting nesting(*this);
  const std::uint32_t start = begin();
  advance();
  if (accept(")")) return make(from(start), TupleExpr{});
  const std::uint32_t inside = begin();
  ExprPtr first = at("yield") ? yield_expression() : star_named_expression();
  if (at_comprehension()) return comprehension(ComprehensionKind::Generator, start, std::move(first), nullptr, ")");
  if (at(",")) {
    std::vector<ExprPtr> elements = elements_after(std::move(first), ")");
    return make(from(start), TupleExpr{std::move(elements)});
  }
  if (!at(")")) fail_between(inside);
  if (is_starred(first)) fail(first->span, "cannot use starred expression here");
  advance();
  return first;
}

ExprPtr Parser::list_display() {
  Nesting nesting(*this);
  const std::uint32_t start = begin();
  advance();
  if (accept("]")) return make(from(start), ListExpr{});
  ExprPtr first = star_named_expression();
  if (at_comprehension()) return comprehension(ComprehensionKind::List, start, std::move(first), nullptr, "]");
  std::vector<ExprPtr> elements = elements_after(std::move(first), "]");
  return make(from(start), ListExpr{std::move(elements)});
}

/// A dict or a set.
ExprPtr Parser::brace_display() {
  Nesting nesting(*this);
  const std::uint32_t start = begin();
  advance();
  if (accept("}")) return make(from(start), DictExpr{});
  if (at("**")) return dict_display(start, nullptr);
  ExprPtr first = star_named_expression();
  if (at(":")) return dict_display(start, std::move(first));
  if (at_comprehension()) return comprehension(ComprehensionKind::Set, start, std::move(first), nullptr, "}");
  std::vector<ExprPtr> elements = elements_after(std::move(first), "}");
  return make(from(start), SetExpr{std::move(elements)});
}

/// `first_key` was read already; it is null where the first item is **expression.
ExprPtr Parser::dict_display(std::uint32_t start, ExprPtr first_key) {
  std::uint32_t item_begin = first_key ? first_key->span.begin : begin();
  std::pair<ExprPtr, ExprPtr> item;
  if (first_key) item = {std::move(first_key), dict_value()};
  else item = dict_item();
  if (at_comprehension()) {
    if (!item.first) fail(from(item_begin), "dict unpacking cannot be used in dict comprehension");
    return comprehension(ComprehensionKind::Dict, start, std::move(item.first), std::move(item.second), "}");
  }
  DictExpr node;
  node.items.push_back(std::move(item));
  while (!accept("}")) {
    if (!accept(",")) fail_between(item_begin);
    if (accept("}")) break;
    item_begin = begin();
    node.items.push_back(dict_item());
  }
  return make(from(start), std::move(node));
}

std::pair<ExprPtr, ExprPtr> Parser::dict_item() {
  if (accept("**")) return {nullptr, binary(kBitOr)};
  ExprPtr key = expression();
  ExprPtr value = dict_value();
  return {std::move(key), std::move(value)};
}

ExprPtr Parser::dict_value() {
  if (at(TokenKind::Error)) fail_here();
  if (!accept(":")) fail(previous().span, "':' expected after dictionary key");
  if (at("}") || at(",")) fail(previous().span, "expression expected after dictionary key and ':'");
  if (at("*")) fail(star_expression()->span, "cannot use a starred expression in a dictionary value");
  return expression();
}

/// An element with its clauses and the closing bracket.
ExprPtr Parser::comprehension(ComprehensionKind kind, std::uint32_t start, ExprPtr element, ExprPtr value,
                              std::string_view closer) {
  if (is_starred(element)) fail(element->span, "iterable unpacking cannot be used in comprehension");
  Comprehension node{kind, std::move(element), std::move(value), clauses()};
  expect(closer);
  return make(from(start), std::move(node));
}

/// {'for' targets 'in' disjunction {'if' disjunction}}
std::vector<ComprehensionClause> Parser::clauses() {
  std::vector<ComprehensionClause> list;
  while (at_comprehension()) {
    if (at("async")) throw unsupported(current().span, "unsupported.async_for");
    if (nesting_ + static_cast<int>(list.size()) >= kMaxNesting) fail_nesting();  // each is a loop in the one before
    advance();
    ComprehensionClause clause;
    clause.target = target_list();
    expect("in");
    clause.iterable = binary(kOr);
    while (accept("if")) {
      clause.conditions.push_back(binary(kOr));
      if (at("=")) refuse_assignment(*clause.conditions.back());
    }
    list.push_back(std::move(clause));
  }
  return list;
}

/// '[' slice {',' slice} [','] ']'
ExprPtr Parser::subscript(std::uint32_t start, ExprPtr object) {
  Nesting nesting(*this);
  advance();
  const std::uint32_t inside = begin();
  ExprPtr index = slice();
  if (at(",") || is_starred(index)) {
    std::vector<ExprPtr> elements;
    elements.push_back(std::move(index));
    while (accept(",") && !at("]")) elements.push_back(slice());
    index = make(from(inside), TupleExpr{std::move(elements)});
  }
  if (!at("]")) fail_between(inside);
  advance();
  return make(from(start), Subscript{std::move(object), std::move(index)});
}

/// [expression] ':' [expression] [':' [expression]] | named_expression | starred
ExprPtr Parser::slice() {
  const std::uint32_t start = begin();
  ExprPtr first;
  if (!at(":")) first = star_named_expression();
  if (!at(":") || (first && is_starred(first))) return first;
  advance();
  SliceExpr node{std::move(first), nullptr, nullptr};
  const auto at_part_end = [this] { return at(":") || at(",") || at("]"); };
  if (!at_part_end()) node.stop = expression();
  if (accept(":") && !at_part_end()) node.step = expression();
  return make(from(start), std::move(node));
}

// --- calls ---------------------------------------------------------------------------------------------------------

ExprPtr Parser::call(std::uint32_t start, ExprPtr function) {
  std::vector<Argument> list = arguments();
  return make(from(start), Call{std::move(function), std::move(list)});
}

/// '(' [argument {',' argument} [',']] ')'
std::vector<Argument> Parser::arguments() {
  Nesting nesting(*this);
  const std::uint32_t open = begin();
  advance();
  std::vector<Argument> list;
  ArgumentsBefore before;
  while (!accept(")")) {
    const std::uint32_t argument_begin = begin();
    before.add(list.emplace_back(argument(before, open)));
    if (at(")")) continue;
    if (!accept(",")) fail_between(argument_begin);
  }
  return list;
}

/// '*' expression | '**' expression | NAME '=' expression | named_expression | generator
Argument Parser::argument(const ArgumentsBefore& before, std::uint32_t call_begin) {
  const std::uint32_t start = begin();
  Argument result{ArgumentKind::Positional, {}, nullptr};
  if (at(TokenKind::Name) && is(next(), "=")) {
    result.kind = ArgumentKind::Keyword;
    result.name = advance().text;
    advance();
    result.value = expression();
  } else if (accept("**")) {
    result.kind = ArgumentKind::DoubleStar;
    result.value = expression();
  } else if (accept("*")) {
    result.kind = ArgumentKind::Star;
    result.value = expression();
  } else {
    result = positional_argument(before, call_begin);
  }
  check_order(before, result, from(start));
  return result;
}

/// A generator may stand in the brackets of the call if it is alone there.
Argument Parser::positional_argument(const ArgumentsBefore& before, std::uint32_t call_begin) {
  const std::uint32_t start = begin();
  ExprPtr value = named(start, expression());
  if (at("=")) {
    const std::string_view kind = kind_of(*value);
    advance();
    if (kind == "True" || kind == "False" || kind == "None")
      fail(from(start), fmt::format("cannot assign to {}", kind));
    fail(from(start), "expression cannot contain assignment, perhaps you meant \"==\"?");
  }
  if (!at_comprehension()) return {ArgumentKind::Positional, {}, std::move(value)};
  Comprehension node{ComprehensionKind::Generator, std::move(value), nullptr, clauses()};
  const Span inside = from(start);
  if (before.any || at(",")) fail(inside, "Generator expression must be parenthesized");
  if (!at(")")) fail_here();
  // Its brackets are those of the call.
  return {ArgumentKind::Positional, {}, make({index_, call_begin, current().span.end}, std::move(node))};
}

void Parser::ArgumentsBefore::add(const Argument& argument) {
  any = true;
  any_keyword |= argument.kind == ArgumentKind::Keyword;
  any_double_star |= argument.kind == ArgumentKind::DoubleStar;
  if (argument.kind == ArgumentKind::Keyword) keywords.insert(argument.name);
}

/// What Python forbids in the order of arguments.
void Parser::check_order(const ArgumentsBefore& before, const Argument& argument, Span span) {
  if (argument.kind == ArgumentKind::Positional && before.any_double_star) {
    fail(span, "positional argument follows keyword argument unpacking");
  }
  if (argument.kind == ArgumentKind::Positional && before.any_keyword) {
    fail(span, "positional argument follows keyword argument");
  }
  if (argument.kind == ArgumentKind::Star && before.any_double_star) {
    fail(span, "iterable argument unpacking follows keyword argument unpacking");
  }
  if (argument.kind == ArgumentKind::Keyword && before.keywords.contains(argument.name)) {
    fail(span, fmt::format("keyword argument repeated: {}", argument.name));
  }
}

}  // namespace attn
