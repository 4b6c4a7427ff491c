#pragma once
// The parser of cells: recursive descent, one function per rule of Python's grammar, and a table of levels for the
// infix operators. Internal to syntax; parser.h is the door. Its functions stand in parser.cpp (tokens, errors, entry
// points), parser_expressions.cpp, parser_brackets.cpp, parser_strings.cpp, parser_targets.cpp, parser_statements.cpp
// (simple ones), parser_blocks.cpp (if, for, try ...), parser_patterns.cpp (match), parser_definitions.cpp (def,
// class), parser_magics.cpp.
//
// Every recursion passes a Nesting, and every node is made by make(), which refuses a tree that is too deep: so
// neither the parser nor whoever walks the tree later can run out of stack.
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "syntax/ast.h"
#include "syntax/lexer.h"

namespace attn {

/// How tightly infix operators bind, loosest first. The conditional and lambda are looser still; unary operators and **
/// bind tighter than all of these and have rules of their own.
enum Precedence { kOr = 1, kAnd, kNot, kCompareLevel, kBitOr, kBitXor, kBitAnd, kShift, kSum, kProduct };

struct Infix;         // a row of the table of infix operators
struct StatementRow;  // a row of the table of statements
struct StringToken;   // the parts of a string literal

/// The parameters read so far; Python's rules speak of what came before.
struct ParameterList {
  std::string_view closer;  // ")" of a def, ":" of a lambda
  std::vector<Parameter> parameters;
  std::set<std::string, std::less<>> names;
  bool star = false, slash = false, has_default = false;

  bool is_lambda() const { return closer == ":"; }
};

/// What the words that need a function or a loop around them find.
struct Body {
  enum class Kind { Module, Function, Class } kind = Kind::Module;
  int loops = 0;
  const std::vector<Parameter>* parameters = nullptr;  // of a Function
  bool yields = false;
  std::vector<Symbol> named = {};  // by :=
};

class Parser {
 public:
  Parser(const Source& source, std::uint32_t source_index, LexMode mode, bool is_notebook = false);

  Block cell();
  ExprPtr whole_expression();
  ExprPtr field_alone();

  /// The commands of a notebook that were passed over.
  const std::vector<Span>& skipped() const { return skipped_; }
  /// After an error: whether more text could mend it.
  bool wants_more() const { return wants_more_; }

 private:
  /// A field of an f-string: the text from `begin` to `end`.
  Parser(const Parser& outer, std::uint32_t begin, std::uint32_t end);

  /// Counts one level of brackets, blocks, prefix operators or right-hand sides while it lives.
  class Nesting {
   public:
    explicit Nesting(Parser& parser);
    ~Nesting() { --parser_.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };

  // tokens
  const Token& current() const { return list_.tokens[position_]; }
  const Token& next() const;
  const Token& previous() const { return list_.tokens[position_ == 0 ? 0 : position_ - 1]; }
  bool at(TokenKind kind) const { return current().kind == kind; }
  bool at(std::string_view word) const { return is(current(), word); }
  static bool is(const Token& token, std::string_view word);
  static bool begins_expression(const Token& token);
  bool at_expression() const { return begins_expression(current()); }
  const Token& advance();
  bool accept(std::string_view word);
  void expect(std::string_view word);
  const Token& expect_name();
  std::uint32_t begin() const { return current().span.begin; }
  /// From `begin` to the end of the last token that was taken, line ends and indentation aside.
  Span from(std::uint32_t begin) const { return {index_, begin, end_}; }
  int line_of(Span span) const { return position_of(source_, span.begin).line; }

  template <class Node>
  ExprPtr make(Span span, Node node) {
    auto expr = std::make_unique<Expr>();
    expr->span = span;
    expr->node = std::move(node);
    return with_depth(std::move(expr));
  }
  ExprPtr with_depth(ExprPtr expr) const;

  // errors
  [[noreturn]] void fail(Span span, std::string message, std::string hint = {});
  [[noreturn]] void fail_indentation(Span span, std::string message);
  [[noreturn]] void fail_nesting() const;
  /// "invalid syntax" at the current token, or what is known to be meant.
  [[noreturn]] void fail_here(std::string hint = {});
  /// Between two elements of a bracket there is neither comma nor closing bracket.
  [[noreturn]] void fail_between(std::uint32_t element_begin);
  void prefer_open_bracket(Span span);
  std::string hint_here() const;

  // expressions
  ExprPtr expression();
  ExprPtr named_expression();
  ExprPtr star_expression();
  ExprPtr star_expressions();
  ExprPtr yield_expression();
  ExprPtr named(std::uint32_t start, ExprPtr target);
  ExprPtr binary(int min_level);
  ExprPtr bool_chain(std::uint32_t begin, ExprPtr left, const Infix& row);
  ExprPtr compare_chain(std::uint32_t begin, ExprPtr left, const Infix& row);
  ExprPtr left_to_right(std::uint32_t begin, ExprPtr left, const Infix& row);
  const Infix* infix_here() const;
  std::optional<CompareOp> accept_compare();
  ExprPtr prefix(int min_level);
  ExprPtr unary();
  ExprPtr power();
  ExprPtr primary();
  ExprPtr atom();
  ExprPtr keyword_atom();
  ExprPtr lambda();
  friend struct Infix;

  // brackets
  ExprPtr group();
  ExprPtr list_display();
  ExprPtr brace_display();
  ExprPtr dict_display(std::uint32_t begin, ExprPtr first_key);
  std::pair<ExprPtr, ExprPtr> dict_item();
  ExprPtr dict_value();
  ExprPtr star_named_expression();
  bool at_comprehension() const { return at("for") || at("async"); }
  std::vector<ExprPtr> elements_after(ExprPtr first, std::string_view closer);
  ExprPtr comprehension(ComprehensionKind kind, std::uint32_t begin, ExprPtr element, ExprPtr value,
                        std::string_view closer);
  std::vector<ComprehensionClause> clauses();
  ExprPtr subscript(std::uint32_t begin, ExprPtr object);
  ExprPtr slice();
  ExprPtr call(std::uint32_t begin, ExprPtr function);
  std::vector<Argument> arguments();
  /// What the order of arguments asks of those before, so that it need not look at each of them again.
  struct ArgumentsBefore {
    bool any = false, any_keyword = false, any_double_star = false;
    std::unordered_set<std::string> keywords;
    void add(const Argument& argument);
  };
  Argument argument(const ArgumentsBefore& before, std::uint32_t call_begin);
  Argument positional_argument(const ArgumentsBefore& before, std::uint32_t call_begin);
  void check_order(const ArgumentsBefore& before, const Argument& argument, Span span);

  // strings
  ExprPtr strings();
  void add_string(const Token& token, FString& parts, bool& formatted);
  std::uint32_t formatted_parts(const StringToken& string, std::uint32_t begin, int level, FString& parts);
  std::uint32_t field(const StringToken& string, std::uint32_t begin, int level, FString& parts);
  std::uint32_t expression_end(std::uint32_t begin, std::uint32_t end);
  [[noreturn]] void fail_field(std::uint32_t at, std::string message);

  // targets
  ExprPtr target_list();
  ExprPtr target_element();
  void check_target(const Expr& target, bool maybe_equal);
  void check_elements(const Expr& target, const std::vector<ExprPtr>& elements, bool maybe_equal);
  void check_augmented_target(const Expr& target);
  void check_annotated_target(const Expr& target);
  void check_deletable(const Expr& target);
  void check_value(const Expr& value);
  [[noreturn]] void refuse_assignment(const Expr& left);

  // statements
  void statement(Block& block);
  void note(Block& block);
  void skip_magic();
  void refuse_magic_value();
  void simple_line(Block& block);
  Stmt simple_statement();
  void refuse_print_statement();
  [[noreturn]] void refuse_statement(const StatementRow& row);
  Stmt expression_statement();
  Stmt assignment(std::uint32_t begin, ExprPtr first);
  Stmt augmented_assignment(std::uint32_t begin, ExprPtr target, BinaryOp op);
  Stmt annotation(std::uint32_t begin, ExprPtr target);
  Stmt pass_statement();
  Stmt break_statement();
  Stmt continue_statement();
  Stmt assert_statement();
  Stmt import_statement();
  Stmt from_statement();
  Stmt return_statement();
  Stmt raise_statement();
  Stmt delete_statement();
  Stmt scope_statement();
  bool at_statement_end() const { return at(TokenKind::Newline) || at(";"); }

  // blocks
  Stmt if_statement();
  Stmt for_statement();
  Stmt while_statement();
  Stmt try_statement();
  Handler handler();
  void check_handlers(const Try& node);
  [[noreturn]] void fail_no_handler();
  Stmt with_statement();
  std::pair<ExprPtr, ExprPtr> with_item();
  void bracketed_items(With& node);
  bool at_bracketed_items() const;
  std::size_t closing_bracket() const;
  bool continues(std::string_view word, Block& last);
  Block otherwise(Block& last);
  Block loop_body(const Token& keyword);
  Span header_end(std::uint32_t begin);
  Block suite(const Token& keyword);
  [[noreturn]] void fail_no_block(const Token& keyword);

  // patterns
  bool at_match() const;
  Stmt match_statement();
  ExprPtr subject();
  MatchCase match_case();
  void check_reachable(const std::vector<MatchCase>& cases);
  void refuse_others_after(const Pattern& pattern);
  Pattern patterns();
  Pattern sequence_element();
  Pattern sequence(std::uint32_t begin, std::vector<Pattern> elements, std::string_view closer);
  Pattern pattern();
  Pattern or_pattern();
  Pattern closed_pattern();
  Pattern literal_pattern();
  Pattern name_pattern();
  Pattern group_pattern();
  Pattern mapping_pattern();
  ExprPtr mapping_key();
  Pattern class_pattern(std::uint32_t begin, ExprPtr type);
  ExprPtr dotted_name();
  ExprPtr capture_target();

  // definitions
  void decorated(Block& block);
  Stmt function_statement();
  Stmt class_statement();
  std::vector<Parameter> parameters(std::string_view closer);
  void parameter(ParameterList& list);
  void slash(ParameterList& list);
  void bare_star(ParameterList& list, const Token& star);
  void named_parameter(ParameterList& list, ParameterKind kind, std::uint32_t begin);
  ExprPtr default_value(const ParameterList& list, ParameterKind kind);

  std::string module_name();
  ImportedName imported_name(const std::string& module);
  static Stmt finished(Span span, decltype(Stmt::node) node) { return {span, span, std::move(node), std::nullopt}; }
  friend struct StatementRow;

  const Source& source_;
  std::uint32_t index_;
  TokenList list_;
  std::size_t position_ = 0;
  std::uint32_t end_ = 0;      // of the last token that was taken
  std::size_t statement_ = 0;  // token with which the current statement begins
  int nesting_ = 0;
  Body body_;  // the innermost one
  bool is_notebook_ = false;
  std::vector<Span> skipped_;
  bool wants_more_ = false;
};

/// The place of a cell that a %%magic on its first line hands to something else than Python.
std::optional<Span> foreign_cell(const Source& source, std::uint32_t source_index);

/// What Python calls a kind of expression: "function call", "literal", "None".
std::string_view kind_of(const Expr& expr);

}  // namespace attn
