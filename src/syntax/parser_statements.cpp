// Simple statements. kStatements says which words begin a statement of any kind, but for `match`, which is a name
// elsewhere; a new one is a row there and a function here, in parser_blocks.cpp or in parser_definitions.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "syntax/parser_rules.h"
#include "text/say.h"
#include "text/unsupported.h"

namespace attn {

struct StatementRow {
  std::string_view word;
  Stmt (Parser::*parse)();   // null: Python has it, cells do not
  bool is_compound;          // has a block: it may not stand behind ';' or ':'
  std::string_view refusal;  // the sentence for a statement that cells do not have

  static const StatementRow* find(const Token& token);
};

const StatementRow* StatementRow::find(const Token& token) {
  static constexpr StatementRow kStatements[] = {
      {"if", &Parser::if_statement, true, ""},           {"for", &Parser::for_statement, true, ""},
      {"while", &Parser::while_statement, true, ""},     {"try", &Parser::try_statement, true, ""},
      {"with", &Parser::with_statement, true, ""},       {"def", &Parser::function_statement, true, ""},
      {"class", &Parser::class_statement, true, ""},     {"pass", &Parser::pass_statement, false, ""},
      {"break", &Parser::break_statement, false, ""},    {"continue", &Parser::continue_statement, false, ""},
      {"return", &Parser::return_statement, false, ""},  {"raise", &Parser::raise_statement, false, ""},
      {"del", &Parser::delete_statement, false, ""},     {"global", &Parser::scope_statement, false, ""},
      {"nonlocal", &Parser::scope_statement, false, ""}, {"assert", &Parser::assert_statement, false, ""},
      {"import", &Parser::import_statement, false, ""},  {"from", &Parser::from_statement, false, ""},
      {"async", nullptr, true, "unsupported.async"},
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

}  // namespace

/// compound | simple line | comment on a line of its own | command of the notebook
void Parser::statement(Block& block) {
  statement_ = position_;
  if (at(TokenKind::Comment)) return note(block);
  if (at(TokenKind::Magic)) return skip_magic();
  if (at("@")) return decorated(block);
  if (at_match()) return block.push_back(match_statement());
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
    look();
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
  if (row && row->is_compound) fail_here(say("syntax.own_line"));
  if (row) return (this->*row->parse)();
  refuse_print_statement();
  return expression_statement();
}

void Parser::refuse_statement(const StatementRow& row) { throw unsupported(current().span, row.refusal); }

/// print x, as in Python 2: an operand never follows a name.
void Parser::refuse_print_statement() {
  constexpr std::string_view kOperands[] = {"None", "True", "False", "not", "lambda"};
  if (!at(TokenKind::Name)) return;
  const TokenKind kind = next().kind;
  const bool operand = kind == TokenKind::Name || kind == TokenKind::Number || kind == TokenKind::String ||
                       std::find(std::begin(kOperands), std::end(kOperands), next().text) != std::end(kOperands);
  if (!operand) return;
  const std::string_view word = current().text;
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
    refuse_magic_value();
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
  advance();
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
  if (body_.loops == 0) fail(current().span, "'break' outside loop");
  return finished(advance().span, Break{});
}

Stmt Parser::continue_statement() {
  if (body_.loops == 0) fail(current().span, "'continue' not properly in loop");
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

/// 'return' [star_expressions]
Stmt Parser::return_statement() {
  const std::uint32_t start = begin();
  advance();
  Return node;
  if (!at_statement_end()) {
    node.value = star_expressions();
    check_value(*node.value);
  }
  if (body_.kind != Body::Kind::Function) {
    const bool in_cell = body_.kind == Body::Kind::Module;
    fail(from(start), "'return' outside function", in_cell ? say("syntax.return.hint") : "");
  }
  return finished(from(start), std::move(node));
}

/// 'raise' [expression ['from' expression]]
Stmt Parser::raise_statement() {
  const std::uint32_t start = begin();
  advance();
  Raise node;
  if (!at_statement_end()) {
    node.error = expression();
    if (accept("from")) node.cause = expression();
  }
  return finished(from(start), std::move(node));
}

/// 'del' target {',' target} [',']
Stmt Parser::delete_statement() {
  const std::uint32_t start = begin();
  advance();
  Delete node;
  do {
    node.targets.push_back(star_expression());
  } while (accept(",") && !at_statement_end());
  if (!at_statement_end()) fail_here();
  for (const ExprPtr& target : node.targets) check_deletable(*target);
  return finished(from(start), std::move(node));
}

/// ('global' | 'nonlocal') NAME {',' NAME}
Stmt Parser::scope_statement() {
  const std::uint32_t start = begin();
  const std::string word(advance().text);
  ScopeNames node{word == "global", {}};
  do {
    node.names.emplace_back(expect_name().text);
  } while (accept(","));
  const Span span = from(start);
  if (!node.is_global && body_.kind == Body::Kind::Module) {
    fail(span, "nonlocal declaration not allowed at module level");
  }
  if (!body_.parameters) return finished(span, std::move(node));
  for (const Parameter& parameter : *body_.parameters) {
    if (std::find(node.names.begin(), node.names.end(), parameter.name.text()) == node.names.end()) continue;
    fail(span, fmt::format("name '{}' is parameter and {}", parameter.name.text(), word));
  }
  return finished(span, std::move(node));
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

/// 'from' {'.'} [module] 'import' ('*' | names | '(' names [','] ')')
Stmt Parser::from_statement() {
  const std::uint32_t start = begin();
  advance();
  std::string module;
  while (at(".") || at("...")) module += advance().text;
  if (module.empty() || !at("import")) module += module_name();
  expect("import");
  if (at("*")) {
    if (body_.kind != Body::Kind::Module) fail(current().span, "import * only allowed at module level");
    const Span star = advance().span;
    return finished(from(start), Import{{{module, "*", {}, star}}});
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

}  // namespace attn
