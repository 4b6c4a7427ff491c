#pragma once
// Names of a program, each kept once for the whole process: equal ones are the same address, which is all that looking
// one up compares.
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace attn {

class Symbol {
 public:
  Symbol() : Symbol(std::string_view()) {}
  Symbol(std::string_view text);
  Symbol(const std::string& text) : Symbol(std::string_view(text)) {}
  Symbol(const char* text) : Symbol(std::string_view(text)) {}

  const std::string& text() const { return *text_; }
  operator const std::string&() const { return *text_; }
  operator std::string_view() const { return *text_; }
  bool empty() const { return text_->empty(); }
  friend bool operator==(Symbol, Symbol) = default;

 private:
  friend struct std::hash<Symbol>;
  const std::string* text_;
};

}  // namespace attn

template <>
struct std::hash<attn::Symbol> {
  std::size_t operator()(attn::Symbol symbol) const noexcept {
    constexpr int kAligned = 4;  // bits of an address that are the same for all
    return reinterpret_cast<std::size_t>(symbol.text_) >> kAligned;
  }
};
