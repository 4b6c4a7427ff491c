// Definitions: def and class with their decorators, and the parameters of functions and lambdas.
#include <fmt/format.h>

#include "syntax/parser_rules.h"
#include "text/unsupported.h"

namespace attn {

/// '@' named_expression NEWLINE {'@' ...} (function | class)
void Parser::decorated(Block& block) {
  const std::uint32_t start = begin();
  std::vector<ExprPtr> decorators;
  while (accept("@")) {
    decorators.push_back(named_expression());
    if (!at(TokenKind::Newline)) fail_here();
    advance();
    while (at(TokenKind::Comment)) note(block);
  }
  statement_ = position_;
  wants_more_ = at(TokenKind::End);
  if (at("async")) throw unsupported(current().span, "unsupported.async");
  if (!at("def") && !at("class")) fail_here();
  Stmt stmt = at("def") ? function_statement() : class_statement();
  stmt.span.begin = start;
  if (auto* function = std::get_if<FunctionDef>(&stmt.node)) function->decorators = std::move(decorators);
  else std::get<ClassDef>(stmt.node).decorators = std::move(decorators);
  block.push_back(std::move(stmt));
}

/// 'def' NAME '(' [parameters] ')' ['->' expression] ':' suite
Stmt Parser::function_statement() {
  const std::uint32_t start = begin();
  const Token& keyword = advance();
  FunctionDef node;
  node.name = expect_name().text;
  if (!at("(") && !at(TokenKind::Error)) fail(current().span, "expected '('");
  expect("(");
  node.parameters = std::make_shared<const std::vector<Parameter>>(parameters(")"));
  expect(")");
  if (accept("->")) node.returns = expression();
  const Span header = header_end(start);
  const Body outer = std::exchange(body_, {Body::Kind::Function, 0, node.parameters.get(), false});
  node.body = std::make_shared<const Block>(suite(keyword));
  node.is_generator = body_.yields;
  node.named = std::move(body_.named);
  body_ = outer;
  return {from(start), header, std::move(node), std::nullopt};
}

/// 'class' NAME ['(' [arguments] ')'] ':' suite
Stmt Parser::class_statement() {
  const std::uint32_t start = begin();
  const Token& keyword = advance();
  ClassDef node;
  node.name = expect_name().text;
  const std::uint32_t open = begin();
  if (at("(")) node.bases = arguments();
  for (const Argument& base : node.bases) {
    const auto* generator = std::get_if<Comprehension>(&base.value->node);
    if (generator && base.value->span.begin == open) fail(base.value->span, "invalid syntax");
  }
  const Span header = header_end(start);
  const Body outer = std::exchange(body_, {Body::Kind::Class, 0, nullptr});
  node.body = suite(keyword);
  body_ = outer;
  return {from(start), header, std::move(node), std::nullopt};
}

// --- parameters ----------------------------------------------------------------------------------------------------

/// [parameter {',' parameter} [',']], up to `closer`: ")" of a def, ":" of a lambda
std::vector<Parameter> Parser::parameters(std::string_view closer) {
  ParameterList list{closer, {}, {}};
  while (!at(closer)) {
    parameter(list);
    if (!accept(",")) break;
  }
  return std::move(list.parameters);
}

/// '/' | '*' | '*' named | '**' named | named
void Parser::parameter(ParameterList& list) {
  const std::uint32_t start = begin();
  if (!list.parameters.empty() && list.parameters.back().kind == ParameterKind::DoubleStar) {
    fail(current().span, "arguments cannot follow var-keyword argument");
  }
  if (at("/")) return slash(list);
  if (accept("**")) return named_parameter(list, ParameterKind::DoubleStar, start);
  if (!at("*")) {
    return named_parameter(list, list.star ? ParameterKind::KeywordOnly : ParameterKind::Plain, start);
  }
  if (list.star) fail(current().span, "* argument may appear only once");
  list.star = true;
  const Token& star = advance();
  if (at(",") || at(list.closer)) return bare_star(list, star);
  named_parameter(list, ParameterKind::Star, start);
}

/// What stands ahead of it cannot be passed by name.
void Parser::slash(ParameterList& list) {
  const Span place = current().span;
  if (list.star) fail(place, "/ must be ahead of *");
  if (list.slash) fail(place, "/ may appear only once");
  if (list.parameters.empty()) fail(place, "at least one argument must precede /");
  list.slash = true;
  for (Parameter& parameter : list.parameters) parameter.positional_only = true;
  advance();
  if (at("*")) fail(current().span, "expected comma between / and *");
}

/// What follows it can only be passed by name.
void Parser::bare_star(ParameterList& list, const Token& star) {
  const bool alone = at(list.closer) || is(next(), list.closer) || is(next(), "**");
  if (alone) fail(star.span, "named arguments must follow bare *");
  Parameter parameter;
  parameter.kind = ParameterKind::Star;
  parameter.span = star.span;
  list.parameters.push_back(std::move(parameter));
}

/// NAME [':' annotation] ['=' expression], behind its stars.
void Parser::named_parameter(ParameterList& list, ParameterKind kind, std::uint32_t start) {
  if (at("(")) {
    fail({index_, begin(), list_.tokens[closing_bracket()].span.end},
         fmt::format("{} parameters cannot be parenthesized", list.is_lambda() ? "Lambda expression" : "Function"));
  }
  Parameter parameter;
  parameter.name = expect_name().text;
  parameter.kind = kind;
  const Span name = previous().span;
  if (!list.names.insert(parameter.name).second) {
    fail(name, fmt::format("duplicate argument '{}' in function definition", parameter.name.text()));
  }
  if (!list.is_lambda() && accept(":")) {
    parameter.annotation = kind == ParameterKind::Star ? star_expression() : expression();
  }
  if (at("=")) parameter.default_value = default_value(list, kind);
  if (kind == ParameterKind::Plain) {
    if (list.has_default && !parameter.default_value) fail(name, "non-default argument follows default argument");
    list.has_default = parameter.default_value != nullptr;
  }
  parameter.span = from(start);
  list.parameters.push_back(std::move(parameter));
}

/// '=' expression
ExprPtr Parser::default_value(const ParameterList& list, ParameterKind kind) {
  const Span place = current().span;
  if (kind == ParameterKind::Star) fail(place, "var-positional argument cannot have default value");
  if (kind == ParameterKind::DoubleStar) fail(place, "var-keyword argument cannot have default value");
  advance();
  if (at(",") || at(list.closer)) fail(place, "expected default value expression");
  return expression();
}

}  // namespace attn
