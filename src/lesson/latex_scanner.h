#pragma once
// What every reader of a formula takes from its characters alike: blanks, numbers, names of commands, plain text
// between braces. What the pieces mean is the readers' own affair (formula.cpp, render/html_text.cpp).
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace attn {

class LatexScanner {
 protected:
  explicit LatexScanner(std::string_view latex) : latex_(latex) {}

  static constexpr int kMaxDepth = 50;  // of braces and arguments; nobody means more

  bool at(char c) const { return at_ < latex_.size() && latex_[at_] == c; }
  bool at_digit() const { return at_ < latex_.size() && std::isdigit(static_cast<unsigned char>(latex_[at_])); }

  void skip_blanks() {
    while (at(' ') || at('\n') || at('\t')) ++at_;
  }

  /// Digits and points from here on, without the end of a sentence.
  std::string_view number_text() {
    const std::size_t begin = at_;
    while (at_digit() || at('.')) ++at_;
    if (latex_[at_ - 1] == '.') --at_;
    return latex_.substr(begin, at_ - begin);
  }

  /// The text between the braces that begin here, as it is; nothing if none begin.
  std::optional<std::string_view> braced_text() {
    skip_blanks();
    return enclosed_text('{', '}');
  }

  /// From the backslash here: its letters, or the one character after it.
  std::string_view command_name() {
    const std::size_t begin = at_++;
    while (at_ < latex_.size() && std::isalpha(static_cast<unsigned char>(latex_[at_]))) ++at_;
    if (at_ == begin + 1) at_ = std::min(at_ + 1, latex_.size());
    return latex_.substr(begin, at_ - begin);
  }

  /// The text between brackets that begin here, as the degree of a root; nothing if none begin.
  std::optional<std::string_view> bracketed_text() { return enclosed_text('[', ']'); }

  std::string_view latex_;
  std::size_t at_ = 0;
  int depth_ = 0;

 private:
  std::optional<std::string_view> enclosed_text(char open, char end) {
    if (!at(open)) return std::nullopt;
    const std::size_t begin = at_ + 1, close = std::min(latex_.find(end, at_), latex_.size());
    at_ = std::min(close + 1, latex_.size());
    return latex_.substr(begin, close - begin);
  }
};

/// Whether the argument of a command is text: \text{a b}.
inline bool takes_text(std::string_view command) {
  constexpr std::string_view kCommands[] = {"\\text", "\\mathrm", "\\mathbf", "\\operatorname"};
  return std::find(std::begin(kCommands), std::end(kCommands), command) != std::end(kCommands);
}

}  // namespace attn
