// Works on the tokens of one statement at a time. Strings and comments are dropped; everything that is no name and no
// operator with "=" in it is a token of one character.
#include "lesson/names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace attn {
namespace {

using Tokens = std::vector<std::string_view>;

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80); }
bool continues_name(char c) { return starts_name(c) || (c >= '0' && c <= '9'); }
bool is_name(std::string_view token) { return starts_name(token.front()); }

std::size_t string_end(std::string_view code, std::size_t at) {
  const std::string_view quote = code.substr(at, code.substr(at, 3) == std::string(3, code[at]) ? 3 : 1);
  for (at += quote.size(); at < code.size(); ++at) {
    if (code[at] == '\\') ++at;
    else if (code.substr(at).starts_with(quote)) return at + quote.size();
    else if (quote.size() == 1 && code[at] == '\n') return at;
  }
  return code.size();
}

std::size_t operator_size(std::string_view code) {
  constexpr std::array<std::string_view, 3> kThree = {"**=", "//=", ">>="};
  if (std::find(kThree.begin(), kThree.end(), code.substr(0, 3)) != kThree.end() || code.starts_with("<<=")) return 3;
  return code.size() > 1 && code[1] == '=' && std::string_view("=!<>:+-*/%@&|^").find(code[0]) != std::string_view::npos
             ? 2
             : 1;
}

bool assigns(std::string_view op) {
  return op.back() == '=' && op != "==" && op != "!=" && op != "<=" && op != ">=" && op != ":=";
}

bool heads_block(const Tokens& tokens) {
  constexpr std::array<std::string_view, 13> kHeads = {"if",  "elif",  "else",   "for",     "while", "with", "try",
                                                       "def", "class", "except", "finally", "async", "match"};
  return !tokens.empty() && std::find(kHeads.begin(), kHeads.end(), tokens.front()) != kHeads.end();
}

/// Where the bracket that opens at `at` closes.
std::size_t bracket_end(const Tokens& tokens, std::size_t at) {
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    const char c = tokens[at].front();
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && --depth == 0) break;
  }
  return at;
}

/// The names among the targets [begin, end): not those of attributes, calls and indices.
void add_targets(const Tokens& tokens, std::size_t begin, std::size_t end, std::vector<std::string>& names) {
  for (std::size_t i = begin; i < end; ++i) {
    if (tokens[i] == ":") return;  // an annotation follows
    if (!is_name(tokens[i])) continue;
    std::size_t next = i + 1;
    while (next < end && (tokens[next] == "." || tokens[next] == "[" || tokens[next] == "(")) {
      next = tokens[next] == "." ? next + 2 : bracket_end(tokens, next) + 1;
    }
    if (next == i + 1) names.emplace_back(tokens[i]);
    i = next - 1;
  }
}

std::size_t find(const Tokens& tokens, std::string_view token, std::size_t from = 0) {
  return static_cast<std::size_t>(std::find(tokens.begin() + static_cast<std::ptrdiff_t>(from), tokens.end(), token) -
                                  tokens.begin());
}

void add_statement(const Tokens& tokens, std::vector<std::string>& names) {
  if (tokens.empty()) return;
  const std::string_view first = tokens.front();
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (tokens[i] == ":=" && is_name(tokens[i - 1])) names.emplace_back(tokens[i - 1]);
    if (tokens[i - 1] == "as" && is_name(tokens[i])) names.emplace_back(tokens[i]);
  }
  if ((first == "def" || first == "class") && tokens.size() > 1) {
    names.emplace_back(tokens[1]);
  } else if (first == "for") {
    add_targets(tokens, 1, find(tokens, "in"), names);
  } else if (first == "import" || first == "from") {
    const std::size_t start = first == "from" ? find(tokens, "import") : 0;
    for (std::size_t i = start + 1; i < tokens.size(); ++i) {
      const bool begins = tokens[i - 1] == "," || tokens[i - 1] == "(" || i == start + 1;
      if (begins && is_name(tokens[i])) names.emplace_back(tokens[i]);
    }
  } else {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i] == "(" || tokens[i] == "[" || tokens[i] == "{") i = std::min(bracket_end(tokens, i), tokens.size());
      if (i >= tokens.size() || !assigns(tokens[i])) continue;
      add_targets(tokens, begin, i, names);
      begin = i + 1;
    }
  }
}

/// Cuts code into statements, and statements into tokens.
class Scanner {
 public:
  explicit Scanner(std::string_view code) : code_(code) {}

  std::vector<std::string> run() {
    while (at_ < code_.size()) at_ += take();
    end_statement();
    return std::move(names_);
  }

 private:
  /// Takes one token and returns its length.
  std::size_t take() {
    const char c = code_[at_];
    if (c == '#') return std::min(code_.find('\n', at_), code_.size()) - at_;
    if (c == '"' || c == '\'') return take_string();
    if (continues_name(c)) return take_name();
    if (c == '\\') return 2;  // the statement goes on in the next line
    if ((c == '\n' || c == ';') && depth_ == 0) end_statement();
    if (c == ';' || std::isspace(static_cast<unsigned char>(c))) return 1;
    return take_operator(c);
  }

  std::size_t take_string() {
    // What looks like a name before a quote is the prefix of the string; the string itself is an operand.
    if (at_ > 0 && continues_name(code_[at_ - 1]) && !statement_.empty()) statement_.pop_back();
    statement_.push_back("0");
    return string_end(code_, at_) - at_;
  }

  std::size_t take_name() {
    std::size_t size = 1;
    while (at_ + size < code_.size() && continues_name(code_[at_ + size])) ++size;
    statement_.push_back(code_.substr(at_, size));
    return size;
  }

  std::size_t take_operator(char c) {
    const std::size_t size = operator_size(code_.substr(at_));
    if (c == '(' || c == '[' || c == '{') ++depth_;
    if ((c == ')' || c == ']' || c == '}') && depth_ > 0) --depth_;
    statement_.push_back(code_.substr(at_, size));
    if (statement_.back() == ":" && depth_ == 0 && heads_block(statement_)) end_statement();
    return size;
  }

  void end_statement() {
    add_statement(statement_, names_);
    statement_.clear();
  }

  std::string_view code_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Tokens statement_;
  std::vector<std::string> names_;
};

}  // namespace

std::vector<std::string> bound_names(std::string_view code) { return Scanner(code).run(); }

}  // namespace attn
