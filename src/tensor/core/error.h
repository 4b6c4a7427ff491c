#pragma once
// What an op throws when its operands do not fit: the rule that was broken with its numbers, and PyTorch's own text.
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"

namespace attn {

/// Thrown at the top of an op, before anything is computed. `type` is the Python exception ("RuntimeError",
/// "IndexError", "TypeError", "ValueError"). what() is PyTorch 1.13's text; it is empty for calls that few make
/// (docs/testing.md), where the learner's sentence says it alone. That sentence follows from `rule` ("matmul.inner",
/// "broadcast", "view.numel", "view.stride", ...) and `facts`: rule.* in data/text/en.txt.
class TensorError : public std::exception {
 public:
  TensorError(std::string rule, Code code, std::string type, std::string torch_text, std::vector<Fact> facts = {})
      : rule_(std::move(rule)),
        code_(code),
        type_(std::move(type)),
        text_(std::move(torch_text)),
        facts_(std::move(facts)) {}

  const std::string& rule() const { return rule_; }
  Code code() const { return code_; }
  const std::string& type() const { return type_; }
  const std::vector<Fact>& facts() const { return facts_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string rule_;
  Code code_;
  std::string type_;
  std::string text_;
  std::vector<Fact> facts_;
};

[[noreturn]] inline void throw_shape(std::string rule, std::string torch_text, std::vector<Fact> facts = {}) {
  throw TensorError(std::move(rule), Code::Shape, "RuntimeError", std::move(torch_text), std::move(facts));
}
[[noreturn]] inline void throw_value(std::string rule, std::string torch_text) {
  throw TensorError(std::move(rule), Code::Value, "RuntimeError", std::move(torch_text));
}

}  // namespace attn
