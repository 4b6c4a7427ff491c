#pragma once
// The syntax tree of a cell: what the parser makes and the evaluator walks. Every node knows its place in the source.
//
// An expression is one struct with a variant of node kinds; children are owned. `depth` is 1 + the deepest child, so
// the parser can refuse a tree before any recursion over it (evaluation, printing, destruction) could be too deep.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/source.h"
#include "base/symbol.h"
#include "syntax/axis_comment.h"

namespace attn {

/// Limits that keep every later recursion over the tree shallow.
inline constexpr int kMaxNesting = 200;     // brackets, blocks, unary operators in one another
inline constexpr int kMaxTreeDepth = 1000;  // also of chains such as 1 + 1 + 1 ...

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

enum class UnaryOp { Minus, Plus, Invert, Not };
enum class BinaryOp { Add, Sub, Mul, Div, FloorDiv, Mod, Pow, MatMul, BitAnd, BitOr, BitXor, ShiftLeft, ShiftRight };
enum class CompareOp { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual, In, NotIn, Is, IsNot };

/// "+", "//", "@", "not in": the operator as it is written.
std::string_view spelling(UnaryOp op);
std::string_view spelling(BinaryOp op);
std::string_view spelling(CompareOp op);

struct NoneLiteral {};
struct EllipsisLiteral {};
struct Constant {
  std::variant<NoneLiteral, EllipsisLiteral, bool, std::int64_t, double, std::string> value;
};
struct Name {
  Symbol id;
};
struct Unary {
  UnaryOp op;
  ExprPtr operand;
};
struct Binary {
  BinaryOp op;
  ExprPtr left, right;
  Span op_span;
};
/// a < b <= c: `first`, then each operator with its right side.
struct Compare {
  ExprPtr first;
  std::vector<std::pair<CompareOp, ExprPtr>> rest;
};
struct BoolOp {
  bool is_and;
  std::vector<ExprPtr> operands;
};
struct Conditional {
  ExprPtr test, then, otherwise;
};
struct Attribute {
  ExprPtr object;
  std::string name;
  Span name_span;
};
/// `index` of x[1, :, None] is a TupleExpr without brackets.
struct Subscript {
  ExprPtr object, index;
};
struct SliceExpr {
  ExprPtr start, stop, step;  // each may be null
};
enum class ArgumentKind { Positional, Keyword, Star, DoubleStar };
struct Argument {
  ArgumentKind kind;
  std::string name;  // of a Keyword
  ExprPtr value;
};
struct Call {
  ExprPtr function;
  std::vector<Argument> arguments;
};
struct TupleExpr {
  std::vector<ExprPtr> elements;
};
struct ListExpr {
  std::vector<ExprPtr> elements;
};
struct SetExpr {
  std::vector<ExprPtr> elements;
};
/// A null key stands for **value.
struct DictExpr {
  std::vector<std::pair<ExprPtr, ExprPtr>> items;
};
struct Starred {
  ExprPtr value;
};
enum class ParameterKind { Plain, Star, KeywordOnly, DoubleStar };
/// A bare * is a Star without a name.
struct Parameter {
  Symbol name;
  ParameterKind kind = ParameterKind::Plain;
  bool positional_only = false;  // a Plain one ahead of /
  ExprPtr default_value;         // may be null
  ExprPtr annotation;            // may be null
  Span span;
};
/// `parameters` and `body` are shared with the function objects made from the node.
struct Lambda {
  std::shared_ptr<const std::vector<Parameter>> parameters;
  std::shared_ptr<const Expr> body;
};
enum class ComprehensionKind { List, Set, Dict, Generator };
struct ComprehensionClause {
  ExprPtr target, iterable;
  std::vector<ExprPtr> conditions;
};
struct Comprehension {
  ComprehensionKind kind;
  ExprPtr element;  // the key of a Dict
  ExprPtr value;    // of a Dict, else null
  std::vector<ComprehensionClause> clauses;
};
/// name := value
struct NamedExpr {
  Symbol name;
  ExprPtr value;
};
/// yield value, yield from value; `value` may be null.
struct Yield {
  ExprPtr value;
  bool is_from = false;
};
struct FString;
/// {expression!r:format}; `label` is "expression=" of the self-documenting form, else empty.
struct FStringField {
  ExprPtr expression;
  char conversion = 0;              // 'r', 's', 'a' or 0
  std::unique_ptr<FString> format;  // may be null
  std::string label;
};
struct FString {
  std::vector<std::variant<std::string, FStringField>> parts;
};

struct Expr {
  Span span;
  int depth = 1;
  std::variant<Constant, Name, Unary, Binary, Compare, BoolOp, Conditional, Attribute, Subscript, SliceExpr, Call,
               TupleExpr, ListExpr, SetExpr, DictExpr, Starred, Lambda, Comprehension, NamedExpr, Yield, FString>
      node;
};

struct Stmt;
using Block = std::vector<Stmt>;

/// a = b = value: several targets.
struct Assign {
  std::vector<ExprPtr> targets;
  ExprPtr value;
};
struct AugAssign {
  ExprPtr target;
  BinaryOp op;
  ExprPtr value;
};
/// name: annotation = value; `value` may be null.
struct AnnAssign {
  ExprPtr target, annotation, value;
};
struct ExprStmt {
  ExprPtr value;
};
struct Assert {
  ExprPtr test, message;  // message may be null
};
/// elif is an If alone in `otherwise`.
struct If {
  ExprPtr test;
  Block body, otherwise;
};
struct For {
  ExprPtr target, iterable;
  Block body, otherwise;
};
struct Pass {};
struct Break {};
struct Continue {};
struct ImportedName {
  std::string module;  // "torch.nn.functional", ".layers"
  std::string name;    // of `from module import name`, else empty
  std::string bound;   // the name it is bound to
  Span span;
};
/// import a.b as c, d  or  from a.b import c as d
struct Import {
  std::vector<ImportedName> names;
};
/// while test: body, else: otherwise.
struct While {
  ExprPtr test;
  Block body, otherwise;
};
struct Return {
  ExprPtr value;  // may be null
};
/// raise, raise error, raise error from cause.
struct Raise {
  ExprPtr error, cause;  // each may be null
};
struct Delete {
  std::vector<ExprPtr> targets;
};
/// global a, b  or  nonlocal a, b
struct ScopeNames {
  bool is_global;
  std::vector<std::string> names;
};
struct Pattern;
/// A literal or a dotted name: what equals it. None, True and False: what it is.
struct ValuePattern {
  ExprPtr value;
};
/// pattern as target; a name alone has no pattern, `_` no target either.
struct CapturePattern {
  std::unique_ptr<Pattern> pattern;
  ExprPtr target;
};
/// *target in a sequence; of *_ it is null.
struct StarPattern {
  ExprPtr target;
};
struct SequencePattern {
  std::vector<Pattern> elements;
};
/// {key: value, **rest}, a value for each key; `rest` may be null.
struct MappingPattern {
  std::vector<ExprPtr> keys;
  std::vector<Pattern> values;
  ExprPtr rest;
};
/// type(positional, name=named), a pattern for each name.
struct ClassPattern {
  ExprPtr type;
  std::vector<Pattern> positional;
  std::vector<std::string> names;
  std::vector<Pattern> named;
};
struct OrPattern {
  std::vector<Pattern> alternatives;
};
struct Pattern {
  Span span;
  std::variant<ValuePattern, CapturePattern, StarPattern, SequencePattern, MappingPattern, ClassPattern, OrPattern>
      node;
};
/// One `case PATTERN if GUARD:`; the guard may be null.
struct MatchCase {
  Pattern pattern;
  ExprPtr guard;
  Block body;
  Span header_span;
};
struct Match {
  ExprPtr subject;
  std::vector<MatchCase> cases;
};
/// One `except TYPE as NAME:`; a null type catches everything.
struct Handler {
  ExprPtr type;
  std::string name;
  Block body;
  Span header_span;
};
struct Try {
  Block body;
  std::vector<Handler> handlers;
  Block otherwise, finally;
};
/// with context as target, ...: body
struct With {
  std::vector<std::pair<ExprPtr, ExprPtr>> items;  // the target may be null
  Block body;
};
/// Body and parameters are shared with the function objects made from the node.
struct FunctionDef {
  std::string name;
  std::shared_ptr<const std::vector<Parameter>> parameters;
  std::shared_ptr<const Block> body;
  std::vector<ExprPtr> decorators;
  std::shared_ptr<const Expr> returns;  // the annotation, may be null
  bool is_generator = false;
  std::vector<Symbol> named = {};  // names that := binds in it
};
/// class name(bases, keyword=value): body
struct ClassDef {
  std::string name;
  std::vector<Argument> bases;
  Block body;
  std::vector<ExprPtr> decorators;
};
/// An axis comment on a line of its own: checked when control passes it. It is no step.
struct AxisNote {
  AxisComment comment;
};

struct Stmt {
  Span span;         // of a compound statement: all of it
  Span header_span;  // of a compound statement: up to the colon; else equal to span
  std::variant<Assign, AugAssign, AnnAssign, ExprStmt, Assert, If, Match, For, While, Pass, Break, Continue, Return,
               Raise, Delete, ScopeNames, Try, With, FunctionDef, ClassDef, Import, AxisNote>
      node;
  std::optional<AxisComment> comment;  // at the end of its (last) line
};

/// The tree as an s-expression, for tests: "(assign x (+ 1 (* 2 y)))".
std::string to_sexpr(const Expr& expr);
std::string to_sexpr(const Stmt& stmt);
std::string to_sexpr(const Block& block);

}  // namespace attn
