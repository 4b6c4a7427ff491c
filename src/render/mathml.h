#pragma once
// Formulas of lessons as MathML. The same small part of LaTeX as lesson/formula.h reads.
#include <string>
#include <string_view>

namespace attn {

/// A <math> element; `block`: on a line of its own. Commands that are not known stay as written. A formula over 4000
/// bytes is shown as code.
std::string formula_mathml(std::string_view latex, bool block = false);

}  // namespace attn
