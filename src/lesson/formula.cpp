// A recursive descent over
//   list   = { atom { "^" atom | "_" atom } }
//   atom   = "{" list "}" | command [arguments] | run of digits | character
// Each returns a Piece: its text, and what its neighbors must know to decide about parentheses.
#include "lesson/formula.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "base/text.h"
#include "lesson/latex_scanner.h"

namespace attn {
namespace {

using Kind = FormulaSymbol::Kind;

constexpr FormulaSymbol kSymbols[] = {
    {"\\alpha", "α", Kind::Letter},   {"\\beta", "β", Kind::Letter},     {"\\gamma", "γ", Kind::Letter},
    {"\\delta", "δ", Kind::Letter},   {"\\epsilon", "ε", Kind::Letter},  {"\\varepsilon", "ε", Kind::Letter},
    {"\\zeta", "ζ", Kind::Letter},    {"\\eta", "η", Kind::Letter},      {"\\theta", "θ", Kind::Letter},
    {"\\iota", "ι", Kind::Letter},    {"\\kappa", "κ", Kind::Letter},    {"\\lambda", "λ", Kind::Letter},
    {"\\mu", "μ", Kind::Letter},      {"\\nu", "ν", Kind::Letter},       {"\\xi", "ξ", Kind::Letter},
    {"\\pi", "π", Kind::Letter},      {"\\rho", "ρ", Kind::Letter},      {"\\sigma", "σ", Kind::Letter},
    {"\\tau", "τ", Kind::Letter},     {"\\upsilon", "υ", Kind::Letter},  {"\\phi", "φ", Kind::Letter},
    {"\\varphi", "φ", Kind::Letter},  {"\\chi", "χ", Kind::Letter},      {"\\psi", "ψ", Kind::Letter},
    {"\\omega", "ω", Kind::Letter},   {"\\Gamma", "Γ", Kind::Letter},    {"\\Delta", "Δ", Kind::Letter},
    {"\\Theta", "Θ", Kind::Letter},   {"\\Lambda", "Λ", Kind::Letter},   {"\\Xi", "Ξ", Kind::Letter},
    {"\\Pi", "Π", Kind::Letter},      {"\\Sigma", "Σ", Kind::Letter},    {"\\Phi", "Φ", Kind::Letter},
    {"\\Psi", "Ψ", Kind::Letter},     {"\\Omega", "Ω", Kind::Letter},    {"\\infty", "∞", Kind::Letter},
    {"\\top", "⊤", Kind::Letter},     {"\\ldots", "…", Kind::Letter},    {"\\dots", "…", Kind::Letter},
    {"\\cdots", "⋯", Kind::Letter},   {"\\sum", "∑", Kind::Large},       {"\\prod", "∏", Kind::Large},
    {"\\cdot", "·", Kind::Relation},  {"\\times", "×", Kind::Relation},  {"\\odot", "⊙", Kind::Relation},
    {"\\le", "≤", Kind::Relation},    {"\\leq", "≤", Kind::Relation},    {"\\ge", "≥", Kind::Relation},
    {"\\geq", "≥", Kind::Relation},   {"\\ne", "≠", Kind::Relation},     {"\\neq", "≠", Kind::Relation},
    {"\\in", "∈", Kind::Relation},    {"\\approx", "≈", Kind::Relation}, {"\\pm", "±", Kind::Relation},
    {"\\to", "→", Kind::Relation},    {"\\log", "log", Kind::Function},  {"\\exp", "exp", Kind::Function},
    {"\\max", "max", Kind::Function}, {"\\min", "min", Kind::Function},  {"\\left", "", Kind::Space},
    {"\\right", "", Kind::Space},     {"\\,", " ", Kind::Space},         {"\\;", " ", Kind::Space},
    {"\\ ", " ", Kind::Space},        {"\\quad", "  ", Kind::Space},     {"\\{", "{", Kind::Letter},
    {"\\}", "}", Kind::Letter},       {"\\_", "_", Kind::Letter},        {"\\%", "%", Kind::Letter},
    {"\\$", "$", Kind::Letter},       {"\\#", "#", Kind::Letter},        {"\\&", "&", Kind::Letter}};

struct Script {
  std::string_view plain, raised, lowered;  // an empty form does not exist in Unicode
};

constexpr Script kScripts[] = {
    {"0", "⁰", "₀"}, {"1", "¹", "₁"}, {"2", "²", "₂"}, {"3", "³", "₃"}, {"4", "⁴", "₄"}, {"5", "⁵", "₅"},
    {"6", "⁶", "₆"}, {"7", "⁷", "₇"}, {"8", "⁸", "₈"}, {"9", "⁹", "₉"}, {"+", "⁺", "₊"}, {"-", "⁻", "₋"},
    {"=", "⁼", "₌"}, {"(", "⁽", "₍"}, {")", "⁾", "₎"}, {" ", " ", " "}, {"a", "ᵃ", "ₐ"}, {"b", "ᵇ", ""},
    {"c", "ᶜ", ""},  {"d", "ᵈ", ""},  {"e", "ᵉ", "ₑ"}, {"f", "ᶠ", ""},  {"g", "ᵍ", ""},  {"h", "ʰ", "ₕ"},
    {"i", "ⁱ", "ᵢ"}, {"j", "ʲ", "ⱼ"}, {"k", "ᵏ", "ₖ"}, {"l", "ˡ", "ₗ"}, {"m", "ᵐ", "ₘ"}, {"n", "ⁿ", "ₙ"},
    {"o", "ᵒ", "ₒ"}, {"p", "ᵖ", "ₚ"}, {"r", "ʳ", "ᵣ"}, {"s", "ˢ", "ₛ"}, {"t", "ᵗ", "ₜ"}, {"u", "ᵘ", "ᵤ"},
    {"v", "ᵛ", "ᵥ"}, {"w", "ʷ", ""},  {"x", "ˣ", "ₓ"}, {"y", "ʸ", ""},  {"z", "ᶻ", ""},  {"T", "ᵀ", ""},
    {"⊤", "ᵀ", ""},  {"K", "ᴷ", ""},  {"N", "ᴺ", ""},  {"H", "ᴴ", ""},  {"D", "ᴰ", ""},  {"L", "ᴸ", ""},
    {"β", "ᵝ", "ᵦ"}, {"γ", "ᵞ", "ᵧ"}, {"θ", "ᶿ", ""},  {"φ", "ᵠ", "ᵩ"}, {"χ", "ᵡ", "ᵪ"}, {"ρ", "", "ᵨ"}};

// Commands whose argument is shown upright as it is written.

/// Every character raised or lowered; nothing when one of them has no such form.
std::optional<std::string> scripted(std::string_view text, bool raised) {
  std::string out;
  for (std::string_view character : graphemes(text)) {
    const auto row =
        std::find_if(std::begin(kScripts), std::end(kScripts), [&](const Script& s) { return s.plain == character; });
    if (row == std::end(kScripts)) return std::nullopt;
    const std::string_view form = raised ? row->raised : row->lowered;
    if (form.empty()) return std::nullopt;
    out += form;
  }
  return out;
}

std::string script_text(std::string_view text, bool raised) {
  if (const auto form = scripted(text, raised)) return *form;
  const std::string sign = raised ? "^" : "_";
  return graphemes(text).size() == 1 ? sign + std::string(text) : sign + "(" + std::string(text) + ")";
}

struct Piece {
  std::string text;
  int atoms = 1;          // how many factors stand side by side
  bool open = false;      // a sum, a relation: needs parentheses before it may be a factor
  bool fraction = false;  // ends in a / without parentheses
  bool relation = false;
  bool raised = false;  // has a superscript
};

std::string in_parentheses(const Piece& piece, bool wanted) { return wanted ? "(" + piece.text + ")" : piece.text; }

class FormulaReader : private LatexScanner {
 public:
  FormulaReader(std::string_view latex, std::vector<std::string>* unknown) : LatexScanner(latex), unknown_(unknown) {}

  std::string all() {
    std::string out;
    while (at_ < latex_.size()) {
      out += list().text;
      if (at_ < latex_.size()) out += latex_[at_++];  // a } that closes nothing
    }
    return std::string(trim(out));
  }

 private:
  /// A blank in front of the next piece, once.
  static void separate(std::string& text) {
    if (!text.empty() && text.back() != ' ') text += ' ';
  }

  Piece list() {
    Piece whole{"", 0};
    int brackets = 0;
    while (at_ < latex_.size() && !at('}')) {
      const std::size_t before = at_;
      skip_blanks();
      if (at_ > before) separate(whole.text);
      if (at_ >= latex_.size() || at('}')) break;
      const char c = latex_[at_];
      Piece next = scripts(atom());
      if (c == '(' || c == '[') ++brackets;
      if (c == ')' || c == ']') --brackets;
      const bool outside = brackets == 0;
      whole.open =
          whole.open || (outside && (next.relation || next.open || c == '+' || c == '-' || c == '=' || c == ','));
      append(whole, next);
    }
    while (whole.text.ends_with(' ')) whole.text.pop_back();
    return whole;
  }

  static void append(Piece& whole, const Piece& next) {
    const bool follows_word =
        std::isalnum(static_cast<unsigned char>(next.text.empty() ? ' ' : next.text.front())) != 0;
    // a/b c is not a/bc.
    if (next.relation || (whole.fraction && follows_word)) separate(whole.text);
    whole.text += next.text;
    if (next.relation) whole.text += ' ';
    whole.atoms += next.text.empty() ? 0 : next.atoms;
    whole.fraction = next.fraction;
    whole.raised = next.raised;
  }

  /// The scripts after a piece.
  Piece scripts(Piece base) {
    while (at('^') || at('_')) {
      const bool raised = at('^');
      ++at_;
      const Piece script = argument();
      if (base.fraction || base.open || base.atoms > 1) base = {in_parentheses(base, true)};
      base.text += script_text(script.relation ? trim(script.text) : script.text, raised);
      base.raised = base.raised || raised;
    }
    return base;
  }

  Piece atom() {
    if (at_ >= latex_.size()) return {"", 0};
    if (at('{')) return group();
    if (at('\\')) return command();
    if (at_digit()) return {std::string(number_text())};
    const bool ascii = (latex_[at_] & 0x80) == 0 && (at_ + 1 >= latex_.size() || (latex_[at_ + 1] & 0x80) == 0);
    const std::string_view character = ascii ? latex_.substr(at_, 1) : graphemes(latex_.substr(at_, 32)).front();
    at_ += character.size();
    return {std::string(character)};
  }

  Piece group() {
    if (++depth_ > kMaxDepth) {  // nobody means this; the rest stays as written
      Piece rest{std::string(latex_.substr(at_))};
      at_ = latex_.size();
      return rest;
    }
    ++at_;
    Piece inner = list();
    if (at('}')) ++at_;
    --depth_;
    return inner;
  }

  /// Without braces one character: \frac12 is a half.
  Piece argument() {
    skip_blanks();
    if (at_digit()) {
      return {std::string(1, latex_[at_++])};
    }
    return atom();
  }

  Piece command() {
    if (depth_ > kMaxDepth) return group();
    const std::string_view name = command_name();
    if (name == "\\frac") return fraction();
    if (name == "\\sqrt") return root();
    if (takes_text(name)) {
      const auto text = braced_text();  // its blanks count, and nothing in it is a command
      Piece piece{text ? std::string(*text) : atom().text};
      piece.open = piece.text.find(' ') != std::string::npos;
      return piece;
    }
    if (const auto symbol = formula_symbol(name)) return symbol_piece(*symbol);
    if (unknown_) unknown_->emplace_back(name);
    return {std::string(name)};
  }

  Piece symbol_piece(const FormulaSymbol& symbol) {
    Piece piece{std::string(symbol.text)};
    piece.relation = symbol.kind == Kind::Relation;
    // The blank that ends the name of a letter is not seen: \alpha x is one product, as ab is.
    if (symbol.kind == Kind::Space || piece.relation) piece.atoms = 0;
    if (symbol.command == "\\left" || symbol.command == "\\right" || piece.relation) skip_blanks();
    return piece;
  }

  Piece fraction() {
    ++depth_;
    const Piece over = argument(), under = argument();
    --depth_;
    Piece piece{in_parentheses(over, over.open || over.fraction || over.text.find(' ') != std::string::npos) + "/" +
                in_parentheses(under, under.open || under.fraction || under.atoms > 1)};
    piece.fraction = true;
    return piece;
  }

  Piece root() {
    ++depth_;
    std::string sign = "√";
    if (const auto degree = bracketed_text()) sign = script_text(*degree, true) + sign;
    const Piece inner = argument();
    --depth_;
    return {sign + in_parentheses(inner, inner.open || inner.fraction || inner.raised || inner.atoms != 1)};
  }

  std::vector<std::string>* unknown_;
};

}  // namespace

std::optional<FormulaSymbol> formula_symbol(std::string_view command) {
  const auto row = std::find_if(std::begin(kSymbols), std::end(kSymbols),
                                [&](const FormulaSymbol& symbol) { return symbol.command == command; });
  if (row == std::end(kSymbols)) return std::nullopt;
  return *row;
}

std::string formula_text(std::string_view latex, std::vector<std::string>* unknown) {
  constexpr std::size_t kMaxSize = 4000;  // bytes; nobody reads a longer one, and scripts of scripts cost
  if (latex.size() > kMaxSize) return std::string(latex);
  return FormulaReader(latex, unknown).all();
}

}  // namespace attn
