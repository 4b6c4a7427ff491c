// The entry points of the parser, its tokens and its errors.
#include "syntax/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/limits.h"
#include "base/text.h"
#include "syntax/characters.h"
#include "syntax/parser_rules.h"
#include "text/say.h"
#include "text/unsupported.h"

namespace attn {
namespace {

// --- depth: 1 + the deepest child ------------------------------------------------------------------------------------

int deepest(const ExprPtr& expr) { return expr ? expr->depth : 0; }

template <class... Rest>
int deepest(const ExprPtr& first, const Rest&... rest) {
  return std::max({deepest(first), deepest(rest)...});
}

int deepest(const std::vector<ExprPtr>& exprs) {
  int depth = 0;
  for (const ExprPtr& expr : exprs) depth = std::max(depth, deepest(expr));
  return depth;
}

struct ChildDepth {
  int operator()(const Constant&) const { return 0; }
  int operator()(const Name&) const { return 0; }
  int operator()(const Unary& node) const { return deepest(node.operand); }
  int operator()(const Binary& node) const { return deepest(node.left, node.right); }
  int operator()(const Compare& node) const {
    int depth = deepest(node.first);
    for (const auto& [op, right] : node.rest) depth = std::max(depth, deepest(right));
    return depth;
  }
  int operator()(const BoolOp& node) const { return deepest(node.operands); }
  int operator()(const Conditional& node) const { return deepest(node.test, node.then, node.otherwise); }
  int operator()(const Attribute& node) const { return deepest(node.object); }
  int operator()(const Subscript& node) const { return deepest(node.object, node.index); }
  int operator()(const SliceExpr& node) const { return deepest(node.start, node.stop, node.step); }
  int operator()(const Call& node) const {
    int depth = deepest(node.function);
    for (const Argument& argument : node.arguments) depth = std::max(depth, deepest(argument.value));
    return depth;
  }
  int operator()(const TupleExpr& node) const { return deepest(node.elements); }
  int operator()(const ListExpr& node) const { return deepest(node.elements); }
  int operator()(const SetExpr& node) const { return deepest(node.elements); }
  int operator()(const DictExpr& node) const {
    int depth = 0;
    for (const auto& [key, value] : node.items) depth = std::max(depth, deepest(key, value));
    return depth;
  }
  int operator()(const Starred& node) const { return deepest(node.value); }
  int operator()(const Lambda& node) const {
    int depth = node.body->depth;
    for (const Parameter& parameter : *node.parameters) {
      depth = std::max(depth, deepest(parameter.default_value, parameter.annotation));
    }
    return depth;
  }
  int operator()(const Comprehension& node) const {
    int depth = deepest(node.element, node.value);
    for (const ComprehensionClause& clause : node.clauses) {
      depth = std::max({depth, deepest(clause.target, clause.iterable), deepest(clause.conditions)});
    }
    return depth;
  }
  int operator()(const NamedExpr& node) const { return deepest(node.value); }
  int operator()(const Yield& node) const { return deepest(node.value); }
  int operator()(const FString& node) const {
    int depth = 0;
    for (const auto& part : node.parts) {
      const auto* field = std::get_if<FStringField>(&part);
      if (!field) continue;
      depth = std::max(depth, deepest(field->expression));
      if (field->format) depth = std::max(depth, (*this)(*field->format));
    }
    return depth;
  }
};

// Words that begin a statement, for those who mistype one.
const std::vector<std::string>& statement_words() {
  static const std::vector<std::string> words = {"import", "from",   "for",     "if",       "elif",  "else", "while",
                                                 "def",    "return", "pass",    "continue", "with",  "try",  "class",
                                                 "assert", "except", "finally", "raise",    "match", "case"};
  return words;
}

/// Two letters exchanged are likelier than one too many: "form" is "from", "fro" is "for".
std::string statement_word_like(std::string_view word) {
  std::vector<std::string> as_long;
  for (const std::string& known : statement_words()) {
    if (known.size() == word.size()) as_long.push_back(known);
  }
  const std::string meant = nearest(word, as_long);
  return meant.empty() ? nearest(word, statement_words()) : meant;
}

// Operators of other languages, as the two tokens that Python reads.
struct ForeignPair {
  std::string_view first, second, meant;
};
constexpr ForeignPair kForeignPairs[] = {
    {"&", "&", "and"}, {"|", "|", "or"}, {"<", ">", "!="},       {"==", "=", "=="},  {"!=", "=", "!="},
    {"=", ">", ">="},  {"=", "<", "<="}, {"else", "if", "elif"}, {"+", "+", "+= 1"}, {"-", "-", "-= 1"}};

}  // namespace

// --- tokens --------------------------------------------------------------------------------------------------------

Parser::Parser(const Source& source, std::uint32_t source_index, LexMode mode, bool is_notebook)
    : source_(source),
      index_(source_index),
      list_(tokenize(source, source_index, 0, static_cast<std::uint32_t>(source.text.size()), mode)),
      is_notebook_(is_notebook) {}

Parser::Parser(const Parser& outer, std::uint32_t begin, std::uint32_t end)
    : source_(outer.source_),
      index_(outer.index_),
      list_(tokenize(outer.source_, outer.index_, begin, end, LexMode::Joined)),
      nesting_(outer.nesting_) {}

Parser::Nesting::Nesting(Parser& parser) : parser_(parser) {
  if (parser.nesting_ >= kMaxNesting) parser.fail_nesting();
  ++parser.nesting_;
}

const Token& Parser::next() const { return list_.tokens[std::min(position_ + 1, list_.tokens.size() - 1)]; }

bool Parser::is(const Token& token, std::string_view word) {
  return (token.kind == TokenKind::Operator || token.kind == TokenKind::Keyword) && token.text == word;
}

/// Whether an operand could begin with it.
bool Parser::begins_expression(const Token& token) {
  constexpr std::string_view kBeginners[] = {"None", "True", "False", "lambda", "not", "...", "(", "[", "{", "~"};
  if (token.kind == TokenKind::Name || token.kind == TokenKind::Number || token.kind == TokenKind::String) return true;
  return std::any_of(std::begin(kBeginners), std::end(kBeginners), [&](auto word) { return is(token, word); });
}

/// Never passes the last token, which is End or Error.
const Token& Parser::advance() {
  const Token& token = current();
  if (token.kind == TokenKind::Error) fail_here();
  const bool is_layout = token.kind == TokenKind::Newline || token.kind == TokenKind::Indent ||
                         token.kind == TokenKind::Dedent || token.kind == TokenKind::Comment;
  if (!is_layout) end_ = token.span.end;
  if (position_ + 1 < list_.tokens.size()) ++position_;
  return token;
}

bool Parser::accept(std::string_view word) {
  if (!at(word)) return false;
  advance();
  return true;
}

void Parser::expect(std::string_view word) {
  if (accept(word)) return;
  const bool misspelt =
      at(TokenKind::Name) && is_ascii_letter(word.front()) && !nearest(current().text, {std::string(word)}).empty();
  fail_here(misspelt ? did_you_mean(fmt::format("'{}'", word)) : "");
}

const Token& Parser::expect_name() {
  if (at(TokenKind::Keyword)) fail_here(say("syntax.keyword", {{"word", std::string(current().text)}}));
  if (!at(TokenKind::Name)) fail_here();
  return advance();
}

ExprPtr Parser::with_depth(ExprPtr expr) const {
  expr->depth = 1 + std::visit(ChildDepth{}, expr->node);
  if (expr->depth <= kMaxTreeDepth) return expr;
  throw CellError(Code::Limit, current().span, say("limit.chain", {{"most", std::to_string(kMaxTreeDepth)}}),
                  say("limit.nesting.hint"));
}

// --- errors --------------------------------------------------------------------------------------------------------

/// A mistake on a later line than a bracket that is never closed comes from that bracket.
void Parser::prefer_open_bracket(Span span) {
  if (list_.outcome != LexOutcome::OpenBracket) return;
  const Span open = list_.error->diagnostic().span;
  const Span reached = cover(span, current().span);
  if (!at(TokenKind::Error) && (reached.end <= open.begin || line_of(current().span) == line_of(open))) return;
  wants_more_ = at(TokenKind::Error);
  throw *list_.error;
}

void Parser::fail_nesting() const {
  throw CellError(Code::Limit, current().span, say("limit.nesting", {{"most", std::to_string(kMaxNesting)}}),
                  say("limit.nesting.hint"));
}

void Parser::fail(Span span, std::string message, std::string hint) {
  prefer_open_bracket(span);
  throw CellError(Code::Syntax, span, std::move(message), std::move(hint));
}

void Parser::fail_indentation(Span span, std::string message) {
  Diagnostic diagnostic;
  diagnostic.code = Code::Syntax;
  diagnostic.span = span;
  diagnostic.message = std::move(message);
  throw CellError(std::move(diagnostic), "IndentationError");
}

std::string Parser::hint_here() const {
  for (const ForeignPair& pair : kForeignPairs) {
    const bool touching = pair.first == "else" || previous().span.end == current().span.begin;
    if (is(previous(), pair.first) && at(pair.second) && touching)
      return say("syntax.write", {{"code", std::string(pair.meant)}});
  }
  // "fro i in x", "esle:": a name that an operator does not follow.
  const Token& first = list_.tokens[statement_];
  const bool stands_alone = position_ > statement_ && position_ <= statement_ + 2 &&
                            (list_.tokens[statement_ + 1].kind != TokenKind::Operator || is(previous(), ":"));
  if (first.kind != TokenKind::Name || first.text.size() < 2 || !stands_alone) return {};
  const std::string meant = statement_word_like(first.text);
  return meant.empty() || meant == first.text ? "" : did_you_mean("'" + meant + "'");
}

void Parser::fail_here(std::string hint) {
  const Span here = current().span;
  if (at(TokenKind::Error)) {
    wants_more_ = list_.outcome != LexOutcome::Wrong;
    throw *list_.error;
  }
  if (at(TokenKind::Indent)) fail_indentation(here, "unexpected indent");
  if (hint.empty()) hint = hint_here();
  fail(here, "invalid syntax", std::move(hint));
}

void Parser::fail_between(std::uint32_t element_begin) {
  if (!at_expression()) fail_here();
  const Span pair = {index_, element_begin, current().span.end};
  fail(pair, "invalid syntax. Perhaps you forgot a comma?");
}

// --- entry points --------------------------------------------------------------------------------------------------

Block Parser::cell() {
  Block block;
  while (!at(TokenKind::End)) statement(block);
  return block;
}

ExprPtr Parser::whole_expression() {
  ExprPtr expr = star_expressions();
  if (!at(TokenKind::End)) fail_here();
  check_value(*expr);
  return expr;
}

Block parse_cell(const Source& source, std::uint32_t source_index) {
  return Parser(source, source_index, LexMode::Lines).cell();
}

SyntaxTree read_cell(const Source& source, std::uint32_t source_index, bool is_notebook) {
  SyntaxTree tree;
  tree.source = source_index;
  if (const auto foreign = is_notebook ? foreign_cell(source, source_index) : std::nullopt) {
    tree.skipped.push_back(*foreign);
    return tree;
  }
  try {
    Parser parser(source, source_index, LexMode::Lines, is_notebook);
    tree.block = parser.cell();
    tree.skipped = parser.skipped();
  } catch (const CellError& error) {
    tree.error = error;
  }
  return tree;
}

ExprPtr parse_expression(const Source& source, std::uint32_t source_index) {
  return Parser(source, source_index, LexMode::Joined).whole_expression();
}

ExprPtr parse_field(const Source& source, std::uint32_t source_index) {
  return Parser(source, source_index, LexMode::Joined).field_alone();
}

/// As Python's prompt: a compound statement goes on until an empty line.
bool is_incomplete(std::string_view text) {
  const Undisturbed asked_between_two_keys;
  const Source source{"", std::string(text), 1};
  Parser parser(source, 0, LexMode::Lines);
  try {
    const Block block = parser.cell();
    if (block.empty() || block.back().header_span == block.back().span) return false;
    const std::size_t last_line = text.rfind('\n');
    return last_line == std::string_view::npos || !trim(text.substr(last_line)).empty();
  } catch (const CellError&) {
    return parser.wants_more();
  }
}

}  // namespace attn
