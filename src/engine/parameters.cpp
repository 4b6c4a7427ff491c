#include "engine/parameters.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "base/text.h"
#include "engine/literals.h"
#include "syntax/names.h"
#include "syntax/parser.h"
#include "text/say.h"

namespace attn {
namespace {

enum class LiteralType { Int, Float, Bool, Text, Other };

LiteralType type_of(const Expr& expr) {
  if (const Unary* unary = std::get_if<Unary>(&expr.node); unary && unary->op == UnaryOp::Minus)
    return type_of(*unary->operand);
  const Constant* constant = std::get_if<Constant>(&expr.node);
  if (!constant) return LiteralType::Other;
  if (std::holds_alternative<std::int64_t>(constant->value)) return LiteralType::Int;
  if (std::holds_alternative<double>(constant->value)) return LiteralType::Float;
  if (std::holds_alternative<bool>(constant->value)) return LiteralType::Bool;
  if (std::holds_alternative<std::string>(constant->value)) return LiteralType::Text;
  return LiteralType::Other;
}

/// The id of what it is called.
std::string_view word_for(LiteralType type) {
  switch (type) {
    case LiteralType::Int: return "parameter.int";
    case LiteralType::Float: return "parameter.float";
    case LiteralType::Bool: return "parameter.bool";
    case LiteralType::Text: return "parameter.text";
    case LiteralType::Other: return "parameter.literal";
  }
  return "";
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// The literal to write for what was typed, where the parameter's own literal has type `wanted`.
std::string checked_literal(const std::string& name, const std::string& typed, LiteralType wanted) {
  LiteralType given = LiteralType::Other;
  try {
    given = type_of(*parse_expression({"--set " + name, typed}));
  } catch (const CellError&) {
    // not an expression: a bare text, or a mistake that the message below names
  }
  const bool fits = given == wanted || (wanted == LiteralType::Float && given == LiteralType::Int);
  if (fits && wanted != LiteralType::Other) return typed;
  if (wanted == LiteralType::Text) return quoted(typed);
  throw UserError(say("parameter.type", {{"name", name}, {"typed", visible(typed)}, {"type", say(word_for(wanted))}}));
}

/// What stands after `# =` behind a value.
std::string_view size_formula(const Cell& cell, const Expr& value) {
  constexpr std::string_view kMark = "# =";
  const std::string_view rest = std::string_view(cell.source.text).substr(value.span.end);
  const std::string_view comment = trim(rest.substr(0, rest.find('\n')));
  return comment.starts_with(kMark) ? trim(comment.substr(kMark.size())) : std::string_view();
}

}  // namespace

std::vector<LessonParameter> parameters_of(const Lesson& lesson) {
  std::vector<LessonParameter> out;
  for (const Cell* cell : cells(lesson)) {
    if (!cell->options.parameters) continue;
    for (const auto& [name, value] : assignments(cell->tree->block))
      out.push_back({name, std::string(cell->source.slice(value->span)), std::string(size_formula(*cell, *value))});
  }
  return out;
}

std::map<std::string, std::string> settings_of(const Lesson& lesson, const RunOptions& options) {
  std::map<std::string, std::string> settings = options.set;
  if (options.seed) settings["seed"] = std::to_string(*options.seed);
  std::vector<std::string> known;
  for (const LessonParameter& parameter : parameters_of(lesson)) known.push_back(parameter.name);
  for (const auto& [name, value] : settings) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string near = nearest(name, known);
    throw UserError(say("parameter.unknown", {{"name", visible(name)},
                                              {"near", near.empty() ? "" : " (" + did_you_mean(near) + ")"},
                                              {"list", known.empty() ? say("list.none") : join(known, ", ")}}));
  }
  for (const Cell* cell : cells(lesson)) {
    if (cell->options.parameters) with_settings(*cell, settings);  // refuses values of another type
  }
  return settings;
}

std::string with_settings(const Cell& cell, const std::map<std::string, std::string>& settings) {
  const std::vector<Assignment> all = assignments(cell.tree->block);
  std::map<std::string, std::string> values;
  for (const auto& [name, value] : all) {
    const auto setting = settings.find(name);
    if (setting != settings.end()) values[name] = checked_literal(name, setting->second, type_of(*value));
  }
  return with_values(cell.source.text, all, values);
}

}  // namespace attn
