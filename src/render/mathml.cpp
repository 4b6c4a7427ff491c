// A recursive descent over the grammar of lesson/formula.cpp:
//   list = { atom { "^" atom | "_" atom } }
//   atom = "{" list "}" | command [arguments] | run of digits | character
#include "render/mathml.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "base/text.h"
#include "lesson/formula.h"
#include "lesson/latex_scanner.h"
#include "render/html_text.h"

namespace attn {
namespace {

constexpr std::size_t kMaxSize = 4000;

std::string element(std::string_view name, std::string_view inside) {
  return "<" + std::string(name) + ">" + std::string(inside) + "</" + std::string(name) + ">";
}

std::string row(std::string_view inside) { return element("mrow", inside); }

/// What an atom needs to be told apart by: bounds of a sum stand below and above it.
struct Atom {
  std::string xml;
  bool is_large = false;
};

class MathReader : private LatexScanner {
 public:
  explicit MathReader(std::string_view latex) : LatexScanner(latex) {}

  std::string all() {
    std::string out;
    while (at_ < latex_.size()) {
      out += list();
      if (at_ < latex_.size()) ++at_;  // a } that closes nothing
    }
    return row(out);
  }

 private:
  std::string list() {
    std::string out;
    for (skip_blanks(); at_ < latex_.size() && !at('}'); skip_blanks()) out += scripts(atom());
    return out;
  }

  std::string scripts(Atom base) {
    std::string below, above;
    for (skip_blanks(); at('^') || at('_'); skip_blanks()) {
      std::string& script = at('^') ? above : below;
      ++at_;
      script += argument();
    }
    if (below.empty() && above.empty()) return base.xml;
    if (base.xml.empty()) base.xml = row("");
    const std::string_view sub = base.is_large ? "munder" : "msub", sup = base.is_large ? "mover" : "msup";
    if (below.empty()) return element(sup, base.xml + row(above));
    if (above.empty()) return element(sub, base.xml + row(below));
    return element(base.is_large ? "munderover" : "msubsup", base.xml + row(below) + row(above));
  }

  Atom atom() {
    if (at_ >= latex_.size()) return {};
    const char c = latex_[at_];
    if (c == '{') return {row(group())};
    if (c == '\\') return command();
    if (at_digit()) return {element("mn", number_text())};
    if (c == '^' || c == '_') return {};  // a script of nothing
    const bool ascii = (c & 0x80) == 0;
    const std::string_view sign = ascii ? latex_.substr(at_, 1) : graphemes(latex_.substr(at_, 32)).front();
    at_ += sign.size();
    // As high as what is inside of them they would tear the line apart.
    if (ascii && std::string_view("()[]|").find(c) != std::string_view::npos)
      return {"<mo stretchy=\"false\">" + std::string(sign) + "</mo>"};
    const bool letter = !ascii || std::isalpha(static_cast<unsigned char>(c));
    return {element(letter ? "mi" : "mo", c == '-' ? "−" : html_text(sign))};
  }

  std::string group() {
    if (++depth_ > kMaxDepth) {  // nobody means this; the rest stays as written
      std::string rest = element("mtext", html_text(latex_.substr(at_)));
      at_ = latex_.size();
      return rest;
    }
    ++at_;
    std::string inner = list();
    if (at('}')) ++at_;
    --depth_;
    return inner;
  }

  /// Without braces one character: \frac12 is a half.
  std::string argument() {
    skip_blanks();
    if (at_digit()) return element("mn", latex_.substr(at_++, 1));
    return row(atom().xml);
  }

  Atom command() {
    if (++depth_ > kMaxDepth) return {group()};
    Atom result = known_command(command_name());
    --depth_;
    return result;
  }

  Atom known_command(std::string_view name) {
    if (name == "\\frac") {
      const std::string over = argument(), under = argument();
      return {element("mfrac", over + under)};
    }
    if (name == "\\sqrt") return {root()};
    if (takes_text(name)) {
      const auto text = braced_text();
      return {element("mtext", html_text(text ? *text : latex_.substr(at_ < latex_.size() ? at_++ : at_, 1)))};
    }
    const auto symbol = formula_symbol(name);
    if (!symbol) return {element("mtext", html_text(name))};
    const std::string text = html_text(symbol->text);
    switch (symbol->kind) {
      case FormulaSymbol::Kind::Letter: return {element("mi", text)};
      case FormulaSymbol::Kind::Function: return {element("mi", text) + "<mspace width=\"0.17em\"></mspace>"};
      case FormulaSymbol::Kind::Relation: return {element("mo", text)};
      case FormulaSymbol::Kind::Large: return {element("mo", text), true};
      case FormulaSymbol::Kind::Space: return {text.empty() ? "" : "<mspace width=\"0.3em\"></mspace>"};
    }
    return {};
  }

  std::string root() {
    const auto degree = bracketed_text();
    if (!degree) return element("msqrt", argument());
    return element("mroot", argument() + element("mtext", html_text(*degree)));
  }
};

}  // namespace

std::string formula_mathml(std::string_view latex, bool block) {
  if (latex.size() > kMaxSize) return element("code", html_text(latex));
  return std::string(block ? "<math display=\"block\">" : "<math>") + MathReader(latex).all() + "</math>";
}

}  // namespace attn
