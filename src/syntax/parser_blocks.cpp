// Compound statements but definitions: if, for, while, try, with; and the blocks that all of them have.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "syntax/parser_rules.h"
#include "text/say.h"
#include "text/unsupported.h"

namespace attn {
namespace {

/// 1 for an opening bracket, -1 for a closing one.
int bracket_step(const Token& token) {
  if (token.kind != TokenKind::Operator || token.text.size() != 1) return 0;
  if (std::string_view("([{").find(token.text) != std::string_view::npos) return 1;
  return std::string_view(")]}").find(token.text) != std::string_view::npos ? -1 : 0;
}

}  // namespace

/// ('if' | 'elif') named_expression ':' suite [elif | else]
Stmt Parser::if_statement() {
  const std::uint32_t start = begin();
  const Token& keyword = advance();
  If node{named_expression(), {}, {}};
  const Span header = header_end(start);
  node.body = suite(keyword);
  if (continues("elif", node.body)) {
    Nesting nesting(*this);  // it lies in the else of this one
    node.otherwise.push_back(if_statement());
  } else {
    node.otherwise = otherwise(node.body);
  }
  return {from(start), header, std::move(node), std::nullopt};
}

/// 'for' targets 'in' star_expressions ':' suite [else]
Stmt Parser::for_statement() {
  const std::uint32_t start = begin();
  const Token& keyword = advance();
  For node{target_list(), nullptr, {}, {}};
  expect("in");
  node.iterable = star_expressions();
  check_value(*node.iterable);
  const Span header = header_end(start);
  node.body = loop_body(keyword);
  node.otherwise = otherwise(node.body);
  return {from(start), header, std::move(node), std::nullopt};
}

/// 'while' named_expression ':' suite [else]
Stmt Parser::while_statement() {
  const std::uint32_t start = begin();
  const Token& keyword = advance();
  While node{named_expression(), {}, {}};
  const Span header = header_end(start);
  node.body = loop_body(keyword);
  node.otherwise = otherwise(node.body);
  return {from(start), header, std::move(node), std::nullopt};
}

// --- try -----------------------------------------------------------------------------------------------------------

/// 'try' ':' suite (handler {handler} [else] ['finally' ':' suite] | 'finally' ':' suite)
Stmt Parser::try_statement() {
  const std::uint32_t start = begin();
  const Token& keyword = advance();
  const Span header = header_end(start);
  Try node;
  node.body = suite(keyword);
  Block* last = &node.body;
  while (continues("except", *last)) {
    node.handlers.push_back(handler());
    last = &node.handlers.back().body;
  }
  check_handlers(node);
  if (!node.handlers.empty() && continues("else", *last)) {
    node.otherwise = otherwise(*last);
    last = &node.otherwise;
  }
  if (continues("finally", *last)) {
    const Token& word = advance();
    header_end(word.span.begin);
    node.finally = suite(word);
  } else if (node.handlers.empty()) {
    fail_no_handler();
  }
  return {from(start), header, std::move(node), std::nullopt};
}

/// 'except' [expression ['as' NAME]] ':' suite
Handler Parser::handler() {
  const std::uint32_t start = begin();
  const Token& keyword = advance();
  if (at("*")) throw unsupported(current().span, "unsupported.except_star");
  Handler node;
  if (!at(":") && !at(TokenKind::Newline)) {
    const std::uint32_t types = begin();
    node.type = expression();
    const bool several = at(",");
    while (accept(",")) expression();
    if (accept("as")) node.name = expect_name().text;
    if (several) fail(from(types), "multiple exception types must be parenthesized");
  }
  node.header_span = header_end(start);
  node.body = suite(keyword);
  return node;
}

void Parser::check_handlers(const Try& node) {
  for (const Handler& handler : node.handlers) {
    if (handler.type || &handler == &node.handlers.back()) continue;
    fail(handler.header_span, "default 'except:' must be last");
  }
}

void Parser::fail_no_handler() {
  while (at(TokenKind::Comment)) advance();
  if (at(TokenKind::Error)) fail_here();
  wants_more_ = at(TokenKind::End);
  const std::string meant = at(TokenKind::Name) ? nearest(current().text, {"except", "finally"}) : "";
  fail(current().span, "expected 'except' or 'finally' block", meant.empty() ? meant : did_you_mean("'" + meant + "'"));
}

// --- with ----------------------------------------------------------------------------------------------------------

/// 'with' (item {',' item} | '(' item {',' item} [','] ')') ':' suite
Stmt Parser::with_statement() {
  const std::uint32_t start = begin();
  const Token& keyword = advance();
  With node;
  if (at_bracketed_items()) {
    bracketed_items(node);
  } else {
    do {
      node.items.push_back(with_item());
    } while (accept(","));
  }
  const Span header = header_end(start);
  node.body = suite(keyword);
  return {from(start), header, std::move(node), std::nullopt};
}

/// expression ['as' target]
std::pair<ExprPtr, ExprPtr> Parser::with_item() {
  std::pair<ExprPtr, ExprPtr> item{expression(), nullptr};
  if (!accept("as")) return item;
  item.second = target_element();
  check_target(*item.second, false);
  return item;
}

void Parser::bracketed_items(With& node) {
  advance();
  do {
    node.items.push_back(with_item());
  } while (accept(",") && !at(")"));
  const auto& [context, target] = node.items.back();
  if (!at(")")) fail_between((target ? target : context)->span.begin);
  advance();
}

/// Whether the '(' here holds the items of a with, and not a part of an expression as in (a, b).c or a tuple that must
/// be one, (a, *b). A tuple of plain expressions is taken for items: Python does so.
bool Parser::at_bracketed_items() const {
  if (!at("(")) return false;
  const std::size_t close = closing_bracket();
  const Token& behind = list_.tokens[std::min(close + 1, list_.tokens.size() - 1)];
  if (behind.kind != TokenKind::Error && behind.kind != TokenKind::Newline && !is(behind, ":")) return false;
  bool several = false, tuple = false;
  int depth = 0;
  for (std::size_t i = position_; i < close; ++i) {
    const Token& token = list_.tokens[i];
    depth += bracket_step(token);
    if (depth > 1) continue;
    if (is(token, "as")) return true;
    several = several || is(token, ",");
    const bool is_first = i > position_ && (is(list_.tokens[i - 1], "(") || is(list_.tokens[i - 1], ","));
    tuple = tuple || is(token, "for") || (is_first && is(token, "*"));
  }
  return several && !tuple;
}

/// The token that closes the bracket here, or the last one.
std::size_t Parser::closing_bracket() const {
  int depth = 0;
  for (std::size_t i = position_; i + 1 < list_.tokens.size(); ++i) {
    depth += bracket_step(list_.tokens[i]);
    if (depth == 0) return i;
  }
  return list_.tokens.size() - 1;
}

// --- what all of them have -----------------------------------------------------------------------------------------

/// Whether `word` goes on with the statement; comments in front of it belong to its last block.
bool Parser::continues(std::string_view word, Block& last) {
  std::size_t i = position_;
  while (list_.tokens[i].kind == TokenKind::Comment) ++i;
  if (!is(list_.tokens[i], word)) return false;
  while (at(TokenKind::Comment)) note(last);
  return true;
}

/// ['else' ':' suite]
Block Parser::otherwise(Block& last) {
  if (!continues("else", last)) return {};
  const Token& keyword = advance();
  header_end(keyword.span.begin);
  return suite(keyword);
}

Block Parser::loop_body(const Token& keyword) {
  ++body_.loops;
  Block block = suite(keyword);
  --body_.loops;
  return block;
}

/// The ':' that ends a header; returns the span of the header.
Span Parser::header_end(std::uint32_t begin) {
  if (accept(":")) return from(begin);
  if (at("=") || at(":=") || at(TokenKind::Error)) fail_here();
  fail(current().span, "expected ':'", hint_here());
}

/// A simple line, or NEWLINE INDENT statements DEDENT.
Block Parser::suite(const Token& keyword) {
  Nesting nesting(*this);
  Block block;
  if (!at(TokenKind::Newline)) {
    simple_line(block);
    return block;
  }
  advance();
  if (!at(TokenKind::Indent)) fail_no_block(keyword);
  advance();
  while (!at(TokenKind::Dedent)) statement(block);
  advance();
  return block;
}

void Parser::fail_no_block(const Token& keyword) {
  while (at(TokenKind::Comment) || at(TokenKind::Dedent)) advance();
  if (at(TokenKind::Error)) fail_here();
  wants_more_ = at(TokenKind::End);
  const Span place = wants_more_ ? keyword.span : current().span;
  const std::string what = keyword.text == "def"     ? "function definition"
                           : keyword.text == "class" ? "class definition"
                                                     : fmt::format("'{}' statement", keyword.text);
  fail_indentation(place, fmt::format("expected an indented block after {} on line {}", what, line_of(keyword.span)));
}

}  // namespace attn
