#include "lesson/formula.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attn {
namespace {

TEST(Formula, ReadsAsUnicode) {
  const std::pair<const char*, const char*> cases[] = {
      {"x", "x"},
      {"  a = b ", "a = b"},
      {"a=b", "a=b"},
      {"d_k", "dₖ"},
      {"x^2", "x²"},
      {"x^23", "x²3"},
      {"x_{ij}^{n+1}", "xᵢⱼⁿ⁺¹"},
      {"W_Q", "W_Q"},
      {"d_{\\text{model}}", "d_(model)"},
      {"x^{a,b}", "x^(a,b)"},
      {"K^\\top", "Kᵀ"},
      {"K^T", "Kᵀ"},
      {"\\frac{a}{b}", "a/b"},
      {"\\frac12", "1/2"},
      {"\\frac{a+b}{c}", "(a+b)/c"},
      {"\\frac{1}{2d}", "1/(2d)"},
      {"\\frac{QK^\\top}{\\sqrt{d_k}}", "QKᵀ/√dₖ"},
      {"\\frac{Q K^\\top}{\\sqrt{d_k}}", "(Q Kᵀ)/√dₖ"},
      {"\\frac{\\frac{a}{b}}{c}", "(a/b)/c"},
      {"\\frac{f(a+b)}{c}", "f(a+b)/c"},
      {"\\frac{a}{b}c", "a/b c"},
      {"\\frac{a}{b}^2", "(a/b)²"},
      {"(a+b)^2", "(a+b)²"},
      {"{a+b}^2", "(a+b)²"},
      {"\\sqrt{d}", "√d"},
      {"\\sqrt d", "√d"},
      {"\\sqrt{16}", "√16"},
      {"\\sqrt{d+1}", "√(d+1)"},
      {"\\sqrt{ab}", "√(ab)"},
      {"\\sqrt{x^2}", "√(x²)"},
      {"\\sqrt[3]{x}", "³√x"},
      {"\\text{softmax}(Q K^\\top / \\sqrt{d}) V", "softmax(Q Kᵀ / √d) V"},
      {"\\mathrm{head dim}", "head dim"},
      {"\\sum_{j=1}^{n} x_j", "∑ⱼ₌₁ⁿ xⱼ"},
      {"a \\cdot b", "a · b"},
      {"a\\cdot b", "a · b"},
      {"3\\times4", "3 × 4"},
      {"a \\le b \\ge c \\ne d", "a ≤ b ≥ c ≠ d"},
      {"x \\in S", "x ∈ S"},
      {"-\\infty", "-∞"},
      {"\\pi \\approx 3.14", "π ≈ 3.14"},
      {"x \\pm y \\to z", "x ± y → z"},
      {"1, \\ldots, n", "1, …, n"},
      {"\\alpha\\beta\\Omega", "αβΩ"},
      {"\\left(\\frac{a}{b}\\right)", "(a/b)"},
      {"\\{1, 2\\}", "{1, 2}"},
      {"[B, H, T, S]", "[B, H, T, S]"},
      {"e^{-x}", "e⁻ˣ"},
      {"한글_1", "한글₁"},
      {"", ""},
      {"a}b", "a}b"},
      {"\\frac{a}", "a/"},
      {"{a", "a"},
      {"x^", "x"},
  };
  for (const auto& [latex, text] : cases) {
    std::vector<std::string> unknown;
    EXPECT_EQ(formula_text(latex, &unknown), text) << latex;
    EXPECT_THAT(unknown, testing::IsEmpty()) << latex;
  }
}

TEST(Formula, UnknownCommandsStayAndAreNamed) {
  std::vector<std::string> unknown;
  EXPECT_EQ(formula_text("\\foo{x} + \\alfa", &unknown), "\\foox + \\alfa");
  EXPECT_THAT(unknown, testing::ElementsAre("\\foo", "\\alfa"));
  EXPECT_EQ(formula_text("\\foo"), "\\foo");
  EXPECT_EQ(formula_text("\\"), "\\");
}

TEST(Formula, DeepNestingEnds) {
  for (const char* part : {"{", "\\frac", "\\frac{", "\\sqrt{", "x^{", "x^"}) {
    std::string latex;
    while (latex.size() < 3900) latex += part;
    EXPECT_FALSE(formula_text(latex).empty()) << part;
  }
}

TEST(Formula, SymbolsAreLookedUpByCommand) {
  EXPECT_EQ(formula_symbol("\\cdot")->text, "·");
  EXPECT_EQ(formula_symbol("\\cdot")->kind, FormulaSymbol::Kind::Relation);
  EXPECT_FALSE(formula_symbol("\\frac"));
  EXPECT_FALSE(formula_symbol("cdot"));
}

}  // namespace
}  // namespace attn
