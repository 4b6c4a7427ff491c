// Statements. kStatements says which words begin one; a new kind of statement is a row there and a function here.
#include <fmt/format.h>

#include <algorithm>

#include "lang/parser_rules.h"

namespace attn {

struct StatementRow {
  std::string_view word;
  Stmt (Parser::*parse)();  // null: Python has it, cells do not
  bool is_compound;         // has a block: it may not stand behind ';' or ':'
  std::string_view hint;    // of a statement that cells do not have

  static const StatementRow* find(const Token& token);
};

const StatementRow* StatementRow::find(const Token& token) {
  static constexpr StatementRow kStatements[] = {
      {"if", &Parser::if_statement, true, ""},
      {"for", &Parser::for_statement, true, ""},
      {"pass", &Parser::pass_statement, false, ""},
      {"break", &Parser::break_statement, false, ""},
      {"continue", &Parser::continue_statement, false, ""},
      {"assert", &Parser::assert_statement, false, ""},
      {"import", &Parser::import_statement, false, ""},
      {"from", &Parser::from_statement, false, ""},
      {"def", nullptr, true, "name = lambda x: ... makes a function of one expression"},
      {"class", nullptr, true, "use a module of torch.nn, or write its steps as statements"},
      {"while", nullptr, true, "write for i in range(n): and leave it with break"},
      {"with", nullptr, true, "write its body on its own"},
      {"try", nullptr, true, "write its body on its own; a cell that is expected to fail says so on its fence"},
      {"return", nullptr, false, "end the cell with the expression alone"},
      {"raise", nullptr, false, "write assert condition, 'message'"},
      {"del", nullptr, false, "leave the name, or assign None to it"},
      {"global", nullptr, false, "leave it out: the names of a cell are global"},
      {"nonlocal", nullptr, false, "leave it out: the names of a cell are global"},
      {"async", nullptr, true, "leave 'async' out"},
      {"@", nullptr, true, "leave the decorator out"},
  };
  const auto* row = std::find_if(std::begin(kStatements), std::end(kStatements),
                                 [&](const StatementRow& r) { return Parser::is(token, r.word); });
  return row == std::end(kStatements) ? nullptr : row;
}

namespace {

struct AugmentedRow {
  std::string_view text;
  BinaryOp op;
};
constexpr AugmentedRow kAugmented[] = {
    {"+=", BinaryOp::Add},        {"-=", BinaryOp::Sub},   {"*=", BinaryOp::Mul},    {"/=", BinaryOp::Div},
    {"//=", BinaryOp::FloorDiv},  {"%=", BinaryOp::Mod},   {"**=", BinaryOp::Pow},   {"@=", BinaryOp::MatMul},
    {"&=", BinaryOp::BitAnd},     {"|=", BinaryOp::BitOr}, {"^=", BinaryOp::BitXor}, {"<<=", BinaryOp::ShiftLeft},
    {">>=", BinaryOp::ShiftRight}};

constexpr std::string_view kMatchHint = "write if, elif and else";

}  // namespace

/// compound | simple line | comment on a line of its own
void Parser::statement(Block& block) {
  statement_ = position_;
  if (at(TokenKind::Comment)) return note(block);
  if (at(TokenKind::Magic)) {
    fail_unsupported(current().span, "a line that begins with % or ! is a command of the notebook, not Python",
                     "delete the line");
  }
  const StatementRow* row = StatementRow::find(current());
  if (!row || !row->is_compound) return simple_line(block);
  if (!row->parse) refuse_statement(*row);
  block.push_back((this->*row->parse)());
}

/// Kept when it names a variable or an axis; a list of axes alone could speak of anything.
void Parser::note(Block& block) {
  const Span place = advance().span;
  std::optional<AxisComment> comment = parse_axis_comment(source_.slice(place), place);
  if (!comment || (comment->name.empty() && comment->axis.empty())) return;
  const Span span = comment->span;
  block.push_back(finished(span, AxisNote{std::move(*comment)}));
}

/// simple {';' simple} [';'] NEWLINE
void Parser::simple_line(Block& block) {
  do {
    statement_ = position_;
    block.push_back(simple_statement());
  } while (accept(";") && !at(TokenKind::Newline));
  if (!at(TokenKind::Newline)) fail_here();
  const Span comment = advance().comment;
  if (comment.begin != comment.end) block.back().comment = parse_axis_comment(source_.slice(comment), comment);
}

Stmt Parser::simple_statement() {
  const StatementRow* row = StatementRow::find(current());
  if (row && !row->parse) refuse_statement(*row);
  if (row && row->is_compound) fail_here("write it on a line of its own");
  if (row) return (this->*row->parse)();
  refuse_soft_keyword();
  return expression_statement();
}

void Parser::refuse_statement(const StatementRow& row) {
  fail_unsupported(current().span, fmt::format("'{}' is not supported", row.word), std::string(row.hint));
}

/// print x, match x: names elsewhere, but an operand never follows a name.
void Parser::refuse_soft_keyword() {
  constexpr std::string_view kOperands[] = {"None", "True", "False", "not", "lambda"};
  if (!at(TokenKind::Name)) return;
  const TokenKind kind = next().kind;
  const bool operand = kind == TokenKind::Name || kind == TokenKind::Number || kind == TokenKind::String ||
                       std::find(std::begin(kOperands), std::end(kOperands), next().text) != std::end(kOperands);
  if (!operand) return;
  const std::string_view word = current().text;
  if (word == "match") fail_unsupported(current().span, "'match' is not supported", std::string(kMatchHint));
  if (word != "print" && word != "exec") return;
  fail(cover(current().span, next().span),
       fmt::format("Missing parentheses in call to '{0}'. Did you mean {0}(...)?", word));
}

// --- simple statements ---------------------------------------------------------------------------------------------

/// star_expressions | assignment | augmented assignment | annotation
Stmt Parser::expression_statement() {
  const std::uint32_t start = begin();
  ExprPtr first = star_expressions();
  if (at("=")) return assignment(start, std::move(first));
  if (at(":")) return annotation(start, std::move(first));
  for (const AugmentedRow& row : kAugmented) {
    if (at(row.text)) return augmented_assignment(start, std::move(first), row.op);
  }
  check_value(*first);
  return finished(from(start), ExprStmt{std::move(first)});
}

/// {targets '='} value
Stmt Parser::assignment(std::uint32_t start, ExprPtr first) {
  Assign node{{}, std::move(first)};
  while (accept("=")) {
    node.targets.push_back(std::move(node.value));
    const bool is_first = node.targets.size() == 1;
    check_target(*node.targets.back(), is_first);
    node.value = star_expressions();
  }
  check_value(*node.value);
  return finished(from(start), std::move(node));
}

Stmt Parser::augmented_assignment(std::uint32_t start, ExprPtr target, BinaryOp op) {
  check_augmented_target(*target);
  advance();
  ExprPtr value = star_expressions();
  check_value(*value);
  return finished(from(start), AugAssign{std::move(target), op, std::move(value)});
}

/// target ':' expression ['=' value]
Stmt Parser::annotation(std::uint32_t start, ExprPtr target) {
  const Token& word = list_.tokens[statement_];
  advance();
  if (word.text == "match" && at(TokenKind::Newline)) {
    fail_unsupported(word.span, "'match' is not supported", std::string(kMatchHint));
  }
  if (at(TokenKind::Newline)) fail_here();
  check_annotated_target(*target);
  AnnAssign node{std::move(target), expression(), nullptr};
  if (accept("=")) {
    node.value = star_expressions();
    check_value(*node.value);
  }
  return finished(from(start), std::move(node));
}

Stmt Parser::pass_statement() { return finished(advance().span, Pass{}); }

Stmt Parser::break_statement() {
  if (loops_ == 0) fail(current().span, "'break' outside loop");
  return finished(advance().span, Break{});
}

Stmt Parser::continue_statement() {
  if (loops_ == 0) fail(current().span, "'continue' not properly in loop");
  return finished(advance().span, Continue{});
}

/// 'assert' expression [',' expression]
Stmt Parser::assert_statement() {
  const std::uint32_t start = begin();
  advance();
  Assert node{named_expression(), nullptr};
  if (accept(",")) node.message = named_expression();
  return finished(from(start), std::move(node));
}

/// NAME {'.' NAME}
std::string Parser::module_name() {
  std::string name(expect_name().text);
  while (accept(".")) (name += '.') += expect_name().text;
  return name;
}

/// 'import' module ['as' NAME] {',' module ['as' NAME]}
Stmt Parser::import_statement() {
  const std::uint32_t start = begin();
  advance();
  Import node;
  do {
    const std::uint32_t name_begin = begin();
    ImportedName name;
    name.module = module_name();
    name.bound = accept("as") ? std::string(expect_name().text) : name.module.substr(0, name.module.find('.'));
    name.span = from(name_begin);
    node.names.push_back(std::move(name));
  } while (accept(","));
  return finished(from(start), std::move(node));
}

/// 'from' module 'import' (names | '(' names [','] ')')
Stmt Parser::from_statement() {
  const std::uint32_t start = begin();
  advance();
  if (at(".") || at("...")) {
    fail_unsupported(current().span, "relative import is not supported", "a cell has no files of its own to import");
  }
  const std::string module = module_name();
  expect("import");
  if (at("*")) {
    fail_unsupported(current().span, "'import *' is not supported",
                     fmt::format("list the names: from {} import a, b", module));
  }
  const bool bracketed = accept("(");
  Import node;
  do {
    node.names.push_back(imported_name(module));
    if (bracketed && at(",") && is(next(), ")")) advance();
  } while (accept(","));
  if (bracketed) expect(")");
  return finished(from(start), std::move(node));
}

/// NAME ['as' NAME]
ImportedName Parser::imported_name(const std::string& module) {
  if (is(previous(), ",") && at(TokenKind::Newline)) {
    fail(previous().span, "trailing comma not allowed without surrounding parentheses");
  }
  const std::uint32_t start = begin();
  ImportedName name;
  name.module = module;
  name.name = expect_name().text;
  name.bound = accept("as") ? std::string(expect_name().text) : name.name;
  name.span = from(start);
  return name;
}

// --- compound statements -------------------------------------------------------------------------------------------

/// ('if' | 'elif') named_expression ':' suite [elif | else]
Stmt Parser::if_statement() {
  const std::uint32_t start = begin();
  const Token& keyword = advance();
  If node{named_expression(), {}, {}};
  const Span header = header_end(start);
  node.body = suite(keyword);
  if (at("elif")) {
    Nesting nesting(*this);  // it lies in the else of this one
    node.otherwise.push_back(if_statement());
  } else {
    node.otherwise = otherwise();
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
  ++loops_;
  node.body = suite(keyword);
  --loops_;
  node.otherwise = otherwise();
  return {from(start), header, std::move(node), std::nullopt};
}

/// ['else' ':' suite]
Block Parser::otherwise() {
  if (!at("else")) return {};
  const Token& keyword = advance();
  header_end(keyword.span.begin);
  return suite(keyword);
}

/// The ':' that ends a header; returns the span of the header.
Span Parser::header_end(std::uint32_t begin) {
  if (accept(":")) return from(begin);
  if (at("=") || at(TokenKind::Error)) fail_here();
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
  fail_indentation(place, fmt::format("expected an indented block after '{}' statement on line {}", keyword.text,
                                      line_of(keyword.span)));
}

}  // namespace attn
