#include "python/assertion.h"

#include <algorithm>

#include "base/text.h"
#include "python/object.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr int kWidestSide = 60;

bool is_plain(const Value& value) {
  const std::string type = type_name(value);
  return type == "int" || type == "float" || type == "bool";
}

/// The names in an expression of names, numbers and operators; false for any other expression.
bool collect_names(const Expr& expr, std::vector<const Expr*>& names) {
  if (std::holds_alternative<Constant>(expr.node)) return true;
  if (std::holds_alternative<Name>(expr.node)) return names.push_back(&expr), true;
  if (const auto* unary = std::get_if<Unary>(&expr.node)) return collect_names(*unary->operand, names);
  const auto* binary = std::get_if<Binary>(&expr.node);
  return binary && collect_names(*binary->left, names) && collect_names(*binary->right, names);
}

/// "8 % 3" for hidden_dim % n_heads; the code itself where that cannot be said.
std::string with_values(const Source& source, const Expr& expr, const std::function<Value(const Expr&)>& evaluate) {
  std::string text(source.slice(expr.span));
  std::vector<const Expr*> names;
  if (std::holds_alternative<Name>(expr.node) || !collect_names(expr, names)) return text;
  std::sort(names.begin(), names.end(), [](const Expr* a, const Expr* b) { return a->span.begin > b->span.begin; });
  std::string out = text;
  for (const Expr* name : names) {
    const Value value = evaluate(*name);
    if (!is_plain(value)) return text;
    out.replace(name->span.begin - expr.span.begin, name->span.end - name->span.begin, repr(value));
  }
  return out;
}

std::string side_text(const Source& source, const Expr& expr, const Value& value,
                      const std::function<Value(const Expr&)>& evaluate) {
  const std::string result = repr(value), code = with_values(source, expr, evaluate);
  const bool is_long = result.find('\n') != std::string::npos || display_width(result) > kWidestSide;
  if (is_long || code == result || code.find('\n') != std::string::npos) return {};
  return say("assertion.side", {{"code", code}, {"value", result}});
}

}  // namespace

std::string sides_text(const Source& source, const Expr& left, const Value& left_value, const Expr& right,
                       const Value& right_value, const std::function<Value(const Expr&)>& evaluate) {
  const std::string a = side_text(source, left, left_value, evaluate);
  const std::string b = side_text(source, right, right_value, evaluate);
  if (a.empty() && b.empty()) return {};
  if (a.empty() || b.empty()) return say("assertion.but", {{"side", a + b}});
  return say("assertion.but.both", {{"left", a}, {"right", b}});
}

}  // namespace attn
