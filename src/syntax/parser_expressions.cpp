// Expressions without brackets: the conditional, lambda, the infix operators by level, unary operators, power.
#include <fmt/format.h>

#include <algorithm>

#include "syntax/literal.h"
#include "syntax/parser_rules.h"
#include "text/say.h"
#include "text/unsupported.h"

namespace attn {

struct Infix {
  std::string_view text;
  int level;
  ExprPtr (Parser::*combine)(std::uint32_t begin, ExprPtr left, const Infix& row);
  BinaryOp op = BinaryOp::Add;  // of left_to_right

  static const Infix* find(std::string_view text);
};

const Infix* Infix::find(std::string_view text) {
  static constexpr Infix kRows[] = {
      {"or", kOr, &Parser::bool_chain},
      {"and", kAnd, &Parser::bool_chain},
      {"==", kCompareLevel, &Parser::compare_chain},
      {"!=", kCompareLevel, &Parser::compare_chain},
      {"<", kCompareLevel, &Parser::compare_chain},
      {"<=", kCompareLevel, &Parser::compare_chain},
      {">", kCompareLevel, &Parser::compare_chain},
      {">=", kCompareLevel, &Parser::compare_chain},
      {"in", kCompareLevel, &Parser::compare_chain},
      {"is", kCompareLevel, &Parser::compare_chain},
      {"not", kCompareLevel, &Parser::compare_chain},
      {"|", kBitOr, &Parser::left_to_right, BinaryOp::BitOr},
      {"^", kBitXor, &Parser::left_to_right, BinaryOp::BitXor},
      {"&", kBitAnd, &Parser::left_to_right, BinaryOp::BitAnd},
      {"<<", kShift, &Parser::left_to_right, BinaryOp::ShiftLeft},
      {">>", kShift, &Parser::left_to_right, BinaryOp::ShiftRight},
      {"+", kSum, &Parser::left_to_right, BinaryOp::Add},
      {"-", kSum, &Parser::left_to_right, BinaryOp::Sub},
      {"*", kProduct, &Parser::left_to_right, BinaryOp::Mul},
      {"/", kProduct, &Parser::left_to_right, BinaryOp::Div},
      {"//", kProduct, &Parser::left_to_right, BinaryOp::FloorDiv},
      {"%", kProduct, &Parser::left_to_right, BinaryOp::Mod},
      {"@", kProduct, &Parser::left_to_right, BinaryOp::MatMul},
  };
  const auto* row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Infix& r) { return r.text == text; });
  return row == std::end(kRows) ? nullptr : row;
}

namespace {

struct CompareRow {
  std::string_view first, second;
  CompareOp op;
};
// Those of two words first: `in` and `is` begin others.
constexpr CompareRow kComparisons[] = {{"not", "in", CompareOp::NotIn}, {"is", "not", CompareOp::IsNot},
                                       {"==", "", CompareOp::Equal},    {"!=", "", CompareOp::NotEqual},
                                       {"<", "", CompareOp::Less},      {"<=", "", CompareOp::LessEqual},
                                       {">", "", CompareOp::Greater},   {">=", "", CompareOp::GreaterEqual},
                                       {"in", "", CompareOp::In},       {"is", "", CompareOp::Is}};

struct UnaryRow {
  std::string_view text;
  UnaryOp op;
};
constexpr UnaryRow kUnaryOps[] = {{"-", UnaryOp::Minus}, {"+", UnaryOp::Plus}, {"~", UnaryOp::Invert}};

}  // namespace

/// disjunction ['if' disjunction 'else' expression] | lambda
ExprPtr Parser::expression() {
  if (at("lambda")) return lambda();
  const std::uint32_t start = begin();
  ExprPtr then = binary(kOr);
  if (!accept("if")) return then;
  ExprPtr test = binary(kOr);
  if (at(TokenKind::Error) || at(":")) fail_here();
  if (!at("else")) fail(from(start), "expected 'else' after 'if' expression");
  advance();
  Nesting nesting(*this);
  ExprPtr otherwise = expression();
  return make(from(start), Conditional{std::move(test), std::move(then), std::move(otherwise)});
}

/// NAME ':=' expression | expression
ExprPtr Parser::named_expression() {
  const std::uint32_t start = begin();
  ExprPtr expr = named(start, expression());
  if (at("=")) refuse_assignment(*expr);
  return expr;
}

/// [':=' expression] behind what was read.
ExprPtr Parser::named(std::uint32_t start, ExprPtr target) {
  if (!at(":=")) return target;
  const Name* name = std::get_if<Name>(&target->node);
  if (!name) fail(target->span, fmt::format("cannot use assignment expressions with {}", kind_of(*target)));
  advance();
  body_.named.push_back(name->id);
  return make(from(start), NamedExpr{name->id, expression()});
}

/// '*' bitwise_or | expression
ExprPtr Parser::star_expression() {
  if (!at("*")) return expression();
  const std::uint32_t start = begin();
  advance();
  ExprPtr value = binary(kBitOr);
  return make(from(start), Starred{std::move(value)});
}

/// One expression, or a tuple without brackets.
ExprPtr Parser::star_expressions() {
  if (at("yield")) return yield_expression();
  const std::uint32_t start = begin();
  ExprPtr first = star_expression();
  if (!at(",")) return first;
  std::vector<ExprPtr> elements;
  elements.push_back(std::move(first));
  while (accept(",")) {
    if (!at("*") && !at("-") && !at("+") && !at_expression() && !at("await")) break;
    elements.push_back(star_expression());
  }
  return make(from(start), TupleExpr{std::move(elements)});
}

const Infix* Parser::infix_here() const {
  if (!at(TokenKind::Operator) && !at(TokenKind::Keyword)) return nullptr;
  if (at("not") && !is(next(), "in")) return nullptr;
  return Infix::find(current().text);
}

/// Operators of at least this level, with their operands.
ExprPtr Parser::binary(int min_level) {
  const std::uint32_t start = begin();
  ExprPtr left = prefix(min_level);
  for (const Infix* row = infix_here(); row && row->level >= min_level; row = infix_here()) {
    left = (this->*row->combine)(start, std::move(left), *row);
  }
  return left;
}

ExprPtr Parser::bool_chain(std::uint32_t begin, ExprPtr left, const Infix& row) {
  BoolOp node{row.level == kAnd, {}};
  node.operands.push_back(std::move(left));
  while (accept(row.text)) node.operands.push_back(binary(row.level + 1));
  return make(from(begin), std::move(node));
}

ExprPtr Parser::compare_chain(std::uint32_t begin, ExprPtr left, const Infix& row) {
  Compare node{std::move(left), {}};
  while (const std::optional<CompareOp> op = accept_compare()) node.rest.emplace_back(*op, binary(row.level + 1));
  return make(from(begin), std::move(node));
}

std::optional<CompareOp> Parser::accept_compare() {
  for (const CompareRow& row : kComparisons) {
    if (!at(row.first)) continue;
    if (!row.second.empty() && !is(next(), row.second)) continue;
    advance();
    if (!row.second.empty()) advance();
    return row.op;
  }
  return std::nullopt;
}

ExprPtr Parser::left_to_right(std::uint32_t begin, ExprPtr left, const Infix& row) {
  const Span op_span = advance().span;
  ExprPtr right = binary(row.level + 1);
  return make(from(begin), Binary{row.op, std::move(left), std::move(right), op_span});
}

/// 'not' comparison | unary
ExprPtr Parser::prefix(int min_level) {
  if (!at("not")) return unary();
  if (min_level > kNot) fail_here(say("syntax.not"));
  Nesting nesting(*this);
  const std::uint32_t start = begin();
  advance();
  ExprPtr operand = binary(kNot);
  return make(from(start), Unary{UnaryOp::Not, std::move(operand)});
}

/// ('-' | '+' | '~') unary | power
ExprPtr Parser::unary() {
  for (const UnaryRow& row : kUnaryOps) {
    if (!at(row.text)) continue;
    Nesting nesting(*this);
    const std::uint32_t start = begin();
    advance();
    ExprPtr operand = unary();
    return make(from(start), Unary{row.op, std::move(operand)});
  }
  return power();
}

/// primary ['**' unary]: tighter than a sign on its left, looser than one on its right.
ExprPtr Parser::power() {
  const std::uint32_t start = begin();
  ExprPtr base = primary();
  if (!at("**")) return base;
  Nesting nesting(*this);
  const Span op_span = advance().span;
  ExprPtr exponent = unary();
  return make(from(start), Binary{BinaryOp::Pow, std::move(base), std::move(exponent), op_span});
}

/// atom {'.' NAME | call | subscript}
ExprPtr Parser::primary() {
  const std::uint32_t start = begin();
  ExprPtr expr = atom();
  for (;;) {
    if (accept(".")) {
      const Token& name = expect_name();
      expr = make(from(start), Attribute{std::move(expr), std::string(name.text), name.span});
    } else if (at("(")) {
      expr = call(start, std::move(expr));
    } else if (at("[")) {
      expr = subscript(start, std::move(expr));
    } else {
      return expr;
    }
  }
}

ExprPtr Parser::atom() {
  const Token& token = current();
  switch (token.kind) {
    case TokenKind::Name: advance(); return make(token.span, Name{std::string(token.text)});
    case TokenKind::Number:
      advance();
      // No complex numbers are known: refused where it would be computed, as complex() is.
      if ((token.text.back() | 0x20) == 'j') return make(token.span, Name{std::string("complex")});
      return make(token.span, number_value(token.text, token.span));
    case TokenKind::String: return strings();
    case TokenKind::Keyword: return keyword_atom();
    default: break;
  }
  if (at("(")) return group();
  if (at("[")) return list_display();
  if (at("{")) return brace_display();
  if (accept("...")) return make(token.span, Constant{EllipsisLiteral{}});
  fail_here();
}

ExprPtr Parser::keyword_atom() {
  const Token& token = current();
  if (accept("None")) return make(token.span, Constant{NoneLiteral{}});
  if (accept("True")) return make(token.span, Constant{true});
  if (accept("False")) return make(token.span, Constant{false});
  if (at("await")) throw unsupported(token.span, "unsupported.await");
  fail_here();
}

/// 'yield' ('from' expression | [star_expressions])
ExprPtr Parser::yield_expression() {
  Nesting nesting(*this);
  const std::uint32_t start = begin();
  const Token& keyword = advance();
  if (body_.kind != Body::Kind::Function) fail(keyword.span, "'yield' outside function");
  body_.yields = true;
  Yield node;
  node.is_from = accept("from");
  if (node.is_from) node.value = expression();
  else if (at("*") || at("-") || at("+") || at("await") || at_expression()) node.value = star_expressions();
  return make(from(start), std::move(node));
}

/// 'lambda' [parameters] ':' expression
ExprPtr Parser::lambda() {
  Nesting nesting(*this);
  const std::uint32_t start = begin();
  advance();
  auto list = std::make_shared<const std::vector<Parameter>>(parameters(":"));
  expect(":");
  std::shared_ptr<const Expr> body = expression();
  return make(from(start), Lambda{std::move(list), std::move(body)});
}

}  // namespace attn
