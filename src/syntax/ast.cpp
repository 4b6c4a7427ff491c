#include "syntax/ast.h"

#include <fmt/format.h>

#include <iterator>

#include "base/number.h"

namespace attn {
namespace {

constexpr std::string_view kUnarySpellings[] = {"-", "+", "~", "not"};
constexpr std::string_view kBinarySpellings[] = {"+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>"};
constexpr std::string_view kCompareSpellings[] = {"==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not"};
static_assert(std::size(kUnarySpellings) == static_cast<std::size_t>(UnaryOp::Not) + 1);
static_assert(std::size(kBinarySpellings) == static_cast<std::size_t>(BinaryOp::ShiftRight) + 1);
static_assert(std::size(kCompareSpellings) == static_cast<std::size_t>(CompareOp::IsNot) + 1);

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '\n') out += "\\n";
    else if (c == '"' || c == '\\') (out += '\\') += c;
    else out += c;
  }
  return out + '"';
}

/// A child that may be missing: "_".
std::string sexpr(const ExprPtr& expr) { return expr ? to_sexpr(*expr) : "_"; }

std::string sexprs(const std::vector<ExprPtr>& exprs) {
  std::string out;
  for (const ExprPtr& expr : exprs) out += " " + sexpr(expr);
  return out;
}

std::string sexpr(const Argument& argument) {
  switch (argument.kind) {
    case ArgumentKind::Positional: return sexpr(argument.value);
    case ArgumentKind::Keyword: return fmt::format("(= {} {})", argument.name, sexpr(argument.value));
    case ArgumentKind::Star: return fmt::format("(star {})", sexpr(argument.value));
    case ArgumentKind::DoubleStar: return fmt::format("(dstar {})", sexpr(argument.value));
  }
  return {};
}

std::string sexpr(const Parameter& parameter) {
  constexpr std::string_view kKinds[] = {"", "star ", "kw ", "dstar "};
  std::string out = std::string(kKinds[static_cast<std::size_t>(parameter.kind)]) + parameter.name.text();
  if (parameter.name.empty()) out.pop_back();  // a bare *
  if (parameter.positional_only) out = "pos " + out;
  if (parameter.annotation) out += " : " + sexpr(parameter.annotation);
  if (parameter.default_value) out += " = " + sexpr(parameter.default_value);
  return "(" + out + ")";
}

std::string sexpr(const std::vector<Parameter>& parameters) {
  std::string out = "(";
  for (const Parameter& parameter : parameters) {
    if (&parameter != &parameters.front()) out += " ";
    out += sexpr(parameter);
  }
  return out + ")";
}

struct ConstantPrinter {
  std::string operator()(NoneLiteral) const { return "None"; }
  std::string operator()(EllipsisLiteral) const { return "..."; }
  std::string operator()(bool value) const { return value ? "True" : "False"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return python_repr(value); }
  std::string operator()(const std::string& value) const { return in_quotes(value); }
};

struct ExprPrinter {
  std::string operator()(const Constant& node) const { return std::visit(ConstantPrinter{}, node.value); }
  std::string operator()(const Name& node) const { return node.id; }
  std::string operator()(const Unary& node) const {
    return fmt::format("({} {})", spelling(node.op), sexpr(node.operand));
  }
  std::string operator()(const Binary& node) const {
    return fmt::format("({} {} {})", spelling(node.op), sexpr(node.left), sexpr(node.right));
  }
  std::string operator()(const Compare& node) const {
    std::string out = "(compare " + sexpr(node.first);
    for (const auto& [op, right] : node.rest) out += fmt::format(" {} {}", spelling(op), sexpr(right));
    return out + ")";
  }
  std::string operator()(const BoolOp& node) const {
    return fmt::format("({}{})", node.is_and ? "and" : "or", sexprs(node.operands));
  }
  std::string operator()(const Conditional& node) const {
    return fmt::format("(if {} {} {})", sexpr(node.test), sexpr(node.then), sexpr(node.otherwise));
  }
  std::string operator()(const Attribute& node) const {
    return fmt::format("(. {} {})", sexpr(node.object), node.name);
  }
  std::string operator()(const Subscript& node) const {
    return fmt::format("(index {} {})", sexpr(node.object), sexpr(node.index));
  }
  std::string operator()(const SliceExpr& node) const {
    return fmt::format("(slice {} {} {})", sexpr(node.start), sexpr(node.stop), sexpr(node.step));
  }
  std::string operator()(const Call& node) const {
    std::string out = "(call " + sexpr(node.function);
    for (const Argument& argument : node.arguments) out += " " + sexpr(argument);
    return out + ")";
  }
  std::string operator()(const TupleExpr& node) const { return fmt::format("(tuple{})", sexprs(node.elements)); }
  std::string operator()(const ListExpr& node) const { return fmt::format("(list{})", sexprs(node.elements)); }
  std::string operator()(const SetExpr& node) const { return fmt::format("(set{})", sexprs(node.elements)); }
  std::string operator()(const DictExpr& node) const {
    std::string out = "(dict";
    for (const auto& [key, value] : node.items) {
      out += key ? fmt::format(" ({} {})", sexpr(key), sexpr(value)) : fmt::format(" (dstar {})", sexpr(value));
    }
    return out + ")";
  }
  std::string operator()(const Starred& node) const { return fmt::format("(star {})", sexpr(node.value)); }
  std::string operator()(const NamedExpr& node) const {
    return fmt::format("(:= {} {})", node.name.text(), sexpr(node.value));
  }
  std::string operator()(const Yield& node) const {
    return fmt::format("({}{}{})", node.is_from ? "yield-from" : "yield", node.value ? " " : "",
                       node.value ? sexpr(node.value) : "");
  }
  std::string operator()(const Lambda& node) const {
    return fmt::format("(lambda {} {})", sexpr(*node.parameters), to_sexpr(*node.body));
  }
  std::string operator()(const Comprehension& node) const {
    constexpr std::string_view kKinds[] = {"listcomp", "setcomp", "dictcomp", "generator"};
    std::string out = fmt::format("({} {}", kKinds[static_cast<std::size_t>(node.kind)], sexpr(node.element));
    if (node.value) out += " " + sexpr(node.value);
    for (const ComprehensionClause& clause : node.clauses) {
      out += fmt::format(" (for {} {}", sexpr(clause.target), sexpr(clause.iterable));
      for (const ExprPtr& condition : clause.conditions) out += fmt::format(" (if {})", sexpr(condition));
      out += ")";
    }
    return out + ")";
  }
  std::string operator()(const FString& node) const {
    std::string out = "(fstring";
    for (const auto& part : node.parts) {
      const auto* field = std::get_if<FStringField>(&part);
      out += " " + (field ? print(*field) : in_quotes(std::get<std::string>(part)));
    }
    return out + ")";
  }

  std::string print(const FStringField& field) const {
    std::string out = "(field " + sexpr(field.expression);
    if (field.conversion != 0) out += fmt::format(" !{}", field.conversion);
    if (field.format) out += " :" + (*this)(*field.format);
    if (!field.label.empty()) out += " label " + in_quotes(field.label);
    return out + ")";
  }
};

std::string sexpr(const Pattern& pattern);

struct PatternPrinter {
  std::string operator()(const ValuePattern& node) const { return sexpr(node.value); }
  std::string operator()(const CapturePattern& node) const {
    return node.pattern ? fmt::format("(as {} {})", sexpr(*node.pattern), sexpr(node.target)) : sexpr(node.target);
  }
  std::string operator()(const StarPattern& node) const { return fmt::format("(star {})", sexpr(node.target)); }
  std::string operator()(const SequencePattern& node) const { return "(sequence" + list(node.elements) + ")"; }
  std::string operator()(const MappingPattern& node) const {
    std::string out = "(mapping";
    for (std::size_t i = 0; i < node.keys.size(); ++i)
      out += fmt::format(" ({} {})", sexpr(node.keys[i]), sexpr(node.values[i]));
    return out + (node.rest ? fmt::format(" (dstar {}))", sexpr(node.rest)) : ")");
  }
  std::string operator()(const ClassPattern& node) const {
    std::string out = "(class " + sexpr(node.type) + list(node.positional);
    for (std::size_t i = 0; i < node.names.size(); ++i)
      out += fmt::format(" (= {} {})", node.names[i], sexpr(node.named[i]));
    return out + ")";
  }
  std::string operator()(const OrPattern& node) const { return "(|" + list(node.alternatives) + ")"; }

  static std::string list(const std::vector<Pattern>& patterns) {
    std::string out;
    for (const Pattern& pattern : patterns) out += " " + sexpr(pattern);
    return out;
  }
};

std::string sexpr(const Pattern& pattern) { return std::visit(PatternPrinter{}, pattern.node); }

struct StmtPrinter {
  std::string operator()(const Assign& node) const {
    return fmt::format("(assign{} {}", sexprs(node.targets), sexpr(node.value));
  }
  std::string operator()(const AugAssign& node) const {
    return fmt::format("({}= {} {}", spelling(node.op), sexpr(node.target), sexpr(node.value));
  }
  std::string operator()(const AnnAssign& node) const {
    return fmt::format("(annotate {} {} {}", sexpr(node.target), sexpr(node.annotation), sexpr(node.value));
  }
  std::string operator()(const ExprStmt& node) const { return "(expr " + sexpr(node.value); }
  std::string operator()(const Assert& node) const {
    return fmt::format("(assert {} {}", sexpr(node.test), sexpr(node.message));
  }
  std::string operator()(const If& node) const {
    return fmt::format("(if {} {} {}", sexpr(node.test), to_sexpr(node.body), to_sexpr(node.otherwise));
  }
  std::string operator()(const Match& node) const {
    std::string out = "(match " + sexpr(node.subject);
    for (const MatchCase& each : node.cases)
      out += fmt::format(" (case {} {} {})", sexpr(each.pattern), sexpr(each.guard), to_sexpr(each.body));
    return out;
  }
  std::string operator()(const For& node) const {
    return fmt::format("(for {} {} {} {}", sexpr(node.target), sexpr(node.iterable), to_sexpr(node.body),
                       to_sexpr(node.otherwise));
  }
  std::string operator()(const Pass&) const { return "(pass"; }
  std::string operator()(const Break&) const { return "(break"; }
  std::string operator()(const Continue&) const { return "(continue"; }
  std::string operator()(const Import& node) const {
    std::string out = "(import";
    for (const ImportedName& name : node.names) {
      out += fmt::format(" ({}{}{} as {})", name.module, name.name.empty() ? "" : ":", name.name, name.bound);
    }
    return out;
  }
  std::string operator()(const While& node) const {
    return fmt::format("(while {} {} {}", sexpr(node.test), to_sexpr(node.body), to_sexpr(node.otherwise));
  }
  std::string operator()(const Return& node) const { return "(return " + sexpr(node.value); }
  std::string operator()(const Raise& node) const {
    return fmt::format("(raise {} {}", sexpr(node.error), sexpr(node.cause));
  }
  std::string operator()(const Delete& node) const { return "(del" + sexprs(node.targets); }
  std::string operator()(const ScopeNames& node) const {
    std::string out = node.is_global ? "(global" : "(nonlocal";
    for (const std::string& name : node.names) out += " " + name;
    return out;
  }
  std::string operator()(const Try& node) const {
    std::string out = "(try " + to_sexpr(node.body);
    for (const Handler& handler : node.handlers) {
      out += fmt::format(" (except {} {} {})", sexpr(handler.type), handler.name.empty() ? "_" : handler.name,
                         to_sexpr(handler.body));
    }
    return out + fmt::format(" {} {}", to_sexpr(node.otherwise), to_sexpr(node.finally));
  }
  std::string operator()(const With& node) const {
    std::string out = "(with";
    for (const auto& [context, target] : node.items) out += fmt::format(" ({} {})", sexpr(context), sexpr(target));
    return out + " " + to_sexpr(node.body);
  }
  std::string operator()(const FunctionDef& node) const {
    return fmt::format("(def {} {} {} {}{}", node.name, sexpr(*node.parameters),
                       node.returns ? to_sexpr(*node.returns) : "_", to_sexpr(*node.body), decorated(node.decorators));
  }
  std::string operator()(const ClassDef& node) const {
    std::string out = "(class " + node.name + " (";
    for (const Argument& base : node.bases) out += (&base == &node.bases.front() ? "" : " ") + sexpr(base);
    return out + ") " + to_sexpr(node.body) + decorated(node.decorators);
  }
  std::string operator()(const AxisNote& node) const { return "(note " + print(node.comment); }

  static std::string decorated(const std::vector<ExprPtr>& decorators) {
    std::string out;
    for (const ExprPtr& decorator : decorators) out += fmt::format(" (@ {})", sexpr(decorator));
    return out;
  }

  /// "K: [batch_size, 4]" or "axis key_len: words".
  static std::string print(const AxisComment& comment) {
    if (!comment.axis.empty())
      return fmt::format("axis {}{}{}: {}", comment.by, comment.by.empty() ? "" : ", ", comment.axis, comment.words);
    std::string out = comment.name.empty() ? "[" : comment.name + ": [";
    for (const AxisItem& item : comment.items) {
      if (&item != &comment.items.front()) out += ", ";
      out += axis_text(item);
    }
    return out + "]";
  }
};

}  // namespace

std::string_view spelling(UnaryOp op) { return kUnarySpellings[static_cast<std::size_t>(op)]; }
std::string_view spelling(BinaryOp op) { return kBinarySpellings[static_cast<std::size_t>(op)]; }
std::string_view spelling(CompareOp op) { return kCompareSpellings[static_cast<std::size_t>(op)]; }

std::string to_sexpr(const Expr& expr) { return std::visit(ExprPrinter{}, expr.node); }

std::string to_sexpr(const Stmt& stmt) {
  std::string out = std::visit(StmtPrinter{}, stmt.node);
  if (stmt.comment) out += " # " + StmtPrinter::print(*stmt.comment);
  return out + ")";
}

/// The statements in one list: "((pass) (break))".
std::string to_sexpr(const Block& block) {
  std::string out = "(";
  for (const Stmt& stmt : block) {
    if (&stmt != &block.front()) out += " ";
    out += to_sexpr(stmt);
  }
  return out + ")";
}

}  // namespace attn
