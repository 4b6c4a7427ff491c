// match: its cases and their patterns.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "syntax/names.h"
#include "syntax/parser_rules.h"
#include "text/say.h"

namespace attn {
namespace {

bool is_name(const Token& token, std::string_view word) { return token.kind == TokenKind::Name && token.text == word; }

bool is_star(const Pattern& pattern) { return std::holds_alternative<StarPattern>(pattern.node); }

/// The part of a pattern by which it takes every value: a name or `_`. Null: there are values that it does not take.
const Pattern* catch_all(const Pattern& pattern) {
  if (const auto* either = std::get_if<OrPattern>(&pattern.node)) return catch_all(either->alternatives.back());
  const auto* capture = std::get_if<CapturePattern>(&pattern.node);
  if (!capture) return nullptr;
  return capture->pattern ? catch_all(*capture->pattern) : &pattern;
}

std::unordered_set<Symbol> names_in(const Pattern& pattern) {
  std::unordered_set<Symbol> names;
  for (const Expr* target : targets_of(pattern)) names.insert(std::get<Name>(target->node).id);
  return names;
}

}  // namespace

// --- the statement -------------------------------------------------------------------------------------------------

/// Whether `match` is no name here. Before what may follow a name as well, match(x) or match[0], the end of the line
/// decides: a ':', or a block behind it.
bool Parser::at_match() const {
  if (!is_name(current(), "match")) return false;
  const Token& operand = next();
  const bool may_follow_name = is(operand, "(") || is(operand, "[") || is(operand, "-") || is(operand, "+") ||
                               is(operand, "*") || is(operand, "not");
  if (!may_follow_name) return begins_expression(operand);
  std::size_t end = position_;
  while (end + 2 < list_.tokens.size() && list_.tokens[end].kind != TokenKind::Newline) ++end;
  return is(list_.tokens[end - 1], ":") || list_.tokens[end + 1].kind == TokenKind::Indent;
}

/// 'match' subject ':' NEWLINE INDENT case {case} DEDENT
Stmt Parser::match_statement() {
  Nesting nesting(*this);
  const std::uint32_t start = begin();
  const Token& keyword = advance();
  Match node{subject(), {}};
  const Span header = header_end(start);
  if (!at(TokenKind::Newline)) fail_here();
  advance();
  if (!at(TokenKind::Indent)) fail_no_block(keyword);
  advance();
  const auto skip_comments = [this] {
    while (at(TokenKind::Comment)) advance();
  };
  skip_comments();
  do {
    node.cases.push_back(match_case());
    skip_comments();
  } while (!at(TokenKind::Dedent));
  advance();
  check_reachable(node.cases);
  return {from(start), header, std::move(node), std::nullopt};
}

/// named_expression | star_named_expression ',' [elements]
ExprPtr Parser::subject() {
  const std::uint32_t start = begin();
  ExprPtr first = star_named_expression();
  const bool is_starred = std::holds_alternative<Starred>(first->node);
  if (!at(",") && is_starred) fail_here();
  if (!at(",")) return first;
  TupleExpr node;
  node.elements.push_back(std::move(first));
  while (accept(",") && !at(":")) node.elements.push_back(star_named_expression());
  return make(from(start), std::move(node));
}

/// 'case' patterns ['if' named_expression] ':' suite
MatchCase Parser::match_case() {
  if (!is_name(current(), "case")) fail_here(say("syntax.case.hint"));
  statement_ = position_;
  const std::uint32_t start = begin();
  const Token& keyword = advance();
  MatchCase node{patterns(), nullptr, {}, {}};
  std::unordered_set<Symbol> names;
  for (const Expr* target : targets_of(node.pattern)) {
    const Symbol name = std::get<Name>(target->node).id;
    if (!names.insert(name).second)
      fail(target->span, fmt::format("multiple assignments to name '{}' in pattern", name.text()));
  }
  if (accept("if")) node.guard = named_expression();
  else if (!at(":") && !at(TokenKind::Newline)) fail_here(at("or") ? say("syntax.write", {{"code", "|"}}) : "");
  node.header_span = header_end(start);
  node.body = suite(keyword);
  return node;
}

void Parser::check_reachable(const std::vector<MatchCase>& cases) {
  for (const MatchCase& each : cases)
    if (!each.guard && &each != &cases.back()) refuse_others_after(each.pattern);
}

/// More is tried after this one, so it must leave something.
void Parser::refuse_others_after(const Pattern& pattern) {
  const Pattern* all = catch_all(pattern);
  if (!all) return;
  const ExprPtr& target = std::get<CapturePattern>(all->node).target;
  if (!target) fail(all->span, "wildcard makes remaining patterns unreachable");
  const std::string name = std::get<Name>(target->node).id;
  fail(all->span, fmt::format("name capture '{}' makes remaining patterns unreachable", name),
       say("syntax.capture.hint", {{"name", name}}));
}

// --- patterns ------------------------------------------------------------------------------------------------------

/// pattern | element ',' [elements]
Pattern Parser::patterns() {
  const std::uint32_t start = begin();
  std::vector<Pattern> elements;
  elements.push_back(sequence_element());
  if (at(",")) return sequence(start, std::move(elements), "");
  if (is_star(elements[0])) fail_here();
  return std::move(elements[0]);
}

/// '*' NAME | pattern
Pattern Parser::sequence_element() {
  const std::uint32_t start = begin();
  if (!accept("*")) return pattern();
  StarPattern node;
  if (is_name(current(), "_")) advance();
  else node.target = capture_target();
  return {from(start), std::move(node)};
}

/// [element] {',' element} [','] of which some were read, up to the closing bracket and over it; without one, up to the
/// guard or the ':'.
Pattern Parser::sequence(std::uint32_t start, std::vector<Pattern> elements, std::string_view closer) {
  const auto at_end = [&] { return closer.empty() ? at(":") || at("if") : at(closer); };
  if (elements.empty() && !at_end()) elements.push_back(sequence_element());
  while (accept(",") && !at_end()) elements.push_back(sequence_element());
  if (!closer.empty()) expect(closer);
  if (std::count_if(elements.begin(), elements.end(), is_star) > 1)
    fail(from(start), "multiple starred names in sequence pattern");
  return {from(start), SequencePattern{std::move(elements)}};
}

/// or_pattern ['as' NAME]
Pattern Parser::pattern() {
  const std::uint32_t start = begin();
  Pattern inner = or_pattern();
  if (!accept("as")) return inner;
  if (is_name(current(), "_")) fail(current().span, "cannot use '_' as a target");
  if (!at(TokenKind::Name) && at_expression()) fail(expression()->span, "invalid pattern target");
  CapturePattern node{std::make_unique<Pattern>(std::move(inner)), capture_target()};
  return {from(start), std::move(node)};
}

/// closed_pattern {'|' closed_pattern}
Pattern Parser::or_pattern() {
  const std::uint32_t start = begin();
  Pattern first = closed_pattern();
  if (!at("|")) return first;
  OrPattern node;
  node.alternatives.push_back(std::move(first));
  while (accept("|")) {
    refuse_others_after(node.alternatives.back());
    node.alternatives.push_back(closed_pattern());
  }
  const std::unordered_set<Symbol> names = names_in(node.alternatives[0]);
  for (const Pattern& alternative : node.alternatives)
    if (names_in(alternative) != names) fail(from(start), "alternative patterns bind different names");
  return {from(start), std::move(node)};
}

/// literal | name | '(' ... ')' | '[' [elements] ']' | '{' ... '}'
Pattern Parser::closed_pattern() {
  Nesting nesting(*this);
  const std::uint32_t start = begin();
  if (at(TokenKind::Name)) return name_pattern();
  if (at("(")) return group_pattern();
  if (accept("[")) return sequence(start, {}, "]");
  if (at("{")) return mapping_pattern();
  return literal_pattern();
}

/// ['-'] NUMBER | strings | 'None' | 'True' | 'False'
Pattern Parser::literal_pattern() {
  const std::uint32_t start = begin();
  ExprPtr value;
  if (accept("-")) {
    if (!at(TokenKind::Number)) fail_here();
    ExprPtr number = atom();
    value = make(from(start), Unary{UnaryOp::Minus, std::move(number)});
  } else if (at(TokenKind::Number) || at(TokenKind::String) || at("None") || at("True") || at("False")) {
    value = atom();
  } else {
    fail_here();
  }
  if (std::holds_alternative<FString>(value->node))
    fail(value->span, "patterns may only match literals and attribute lookups");
  return {from(start), ValuePattern{std::move(value)}};
}

/// NAME | dotted_name | dotted_name '(' ... ')'
Pattern Parser::name_pattern() {
  const std::uint32_t start = begin();
  ExprPtr name = dotted_name();
  if (at("(")) return class_pattern(start, std::move(name));
  if (std::holds_alternative<Attribute>(name->node)) return {from(start), ValuePattern{std::move(name)}};
  if (source_.slice(name->span) == "_") name = nullptr;
  return {from(start), CapturePattern{nullptr, std::move(name)}};
}

/// '(' pattern ')' | '(' [element ',' [elements]] ')'
Pattern Parser::group_pattern() {
  const std::uint32_t start = begin();
  advance();
  if (at(")")) return sequence(start, {}, ")");
  std::vector<Pattern> elements;
  elements.push_back(sequence_element());
  if (at(",")) return sequence(start, std::move(elements), ")");
  if (is_star(elements[0])) fail_here();
  expect(")");
  return std::move(elements[0]);
}

/// '{' {key ':' pattern ','} ['**' NAME [',']] '}'
Pattern Parser::mapping_pattern() {
  const std::uint32_t start = begin();
  advance();
  MappingPattern node;
  std::unordered_set<std::string> keys;
  std::string repeated;
  while (!accept("}")) {
    if (node.rest) fail_here();
    if (accept("**")) {
      node.rest = capture_target();
    } else {
      ExprPtr key = mapping_key();
      if (!keys.insert(to_sexpr(*key)).second) repeated = source_.slice(key->span);
      if (!accept(":")) fail_here();
      node.keys.push_back(std::move(key));
      node.values.push_back(pattern());
    }
    if (!at("}") && !accept(",")) fail_here();
  }
  if (!repeated.empty()) fail(from(start), fmt::format("mapping pattern checks duplicate key ({})", repeated));
  return {from(start), std::move(node)};
}

/// literal | NAME '.' NAME {'.' NAME}
ExprPtr Parser::mapping_key() {
  if (!at(TokenKind::Name)) return std::move(std::get<ValuePattern>(literal_pattern().node).value);
  ExprPtr name = dotted_name();
  if (std::holds_alternative<Name>(name->node)) fail_here();
  return name;
}

/// '(' {pattern ','} {NAME '=' pattern ','} ')'
Pattern Parser::class_pattern(std::uint32_t start, ExprPtr type) {
  advance();
  ClassPattern node{std::move(type), {}, {}, {}};
  std::unordered_set<std::string> names;
  while (!accept(")")) {
    const bool is_keyword = at(TokenKind::Name) && is(next(), "=");
    const std::string name(is_keyword ? current().text : "");
    if (is_keyword) advance(), advance();
    Pattern value = pattern();
    if (!is_keyword && !node.names.empty()) fail(value.span, "positional patterns follow keyword patterns");
    if (is_keyword && !names.insert(name).second)
      fail(value.span, fmt::format("attribute name repeated in class pattern: {}", name));
    if (is_keyword) node.names.push_back(name);
    (is_keyword ? node.named : node.positional).push_back(std::move(value));
    if (!at(")") && !accept(",")) fail_here();
  }
  return {from(start), std::move(node)};
}

/// NAME {'.' NAME}
ExprPtr Parser::dotted_name() {
  const std::uint32_t start = begin();
  const Token& first = expect_name();
  ExprPtr name = make(first.span, Name{std::string(first.text)});
  while (accept(".")) {
    const Token& part = expect_name();
    name = make(from(start), Attribute{std::move(name), std::string(part.text), part.span});
  }
  return name;
}

/// NAME, but for '_', which binds nothing.
ExprPtr Parser::capture_target() {
  if (is_name(current(), "_")) fail_here();
  const Token& name = expect_name();
  return make(name.span, Name{std::string(name.text)});
}

}  // namespace attn
