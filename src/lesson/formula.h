#pragma once
// The small part of LaTeX that lessons use, and how it looks in a terminal.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// What a command without arguments means.
struct FormulaSymbol {
  enum class Kind {
    Letter,    // Greek letters, \infty, \top: set like a letter
    Relation,  // \cdot, \le, \to, ...: blanks around it
    Large,     // \sum, \prod: scripts are its bounds
    Function,  // \log, \max, \softmax: upright word
    Space
  };
  std::string_view command;  // with its backslash
  std::string_view text;
  Kind kind;
};

/// The symbol of a command ("\\cdot"), or nothing when it is unknown or takes arguments.
std::optional<FormulaSymbol> formula_symbol(std::string_view command);

/// The Unicode form of a formula: "\frac{Q K^\top}{\sqrt{d}}" -> "(Q Kᵀ)/√d". Commands that are not known stay as
/// written and are appended to `unknown` (when given). A formula over 4000 bytes stays as it is.
std::string formula_text(std::string_view latex, std::vector<std::string>* unknown = nullptr);

}  // namespace attn
