#include "torch/ops/einsum_equation.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "tensor/core/error.h"

namespace attn {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Reads "ij" or "b...k"; `offset` is where the text begins in the whole equation.
class SubscriptReader {
 public:
  SubscriptReader(const std::string& text, std::size_t offset, std::string where)
      : text_(text), offset_(offset), where_(std::move(where)) {}

  bool read(std::size_t& at, std::string& out) const {
    charge(1);
    const char c = text_[at];
    if (c == ' ') return true;
    if (c == '.') {
      const bool is_output = where_ == "output";
      if (out.find(kEllipsis) != std::string::npos)
        refuse_einsum("ellipsis", fmt::format("found '.' for {} {}", where_,
                                              is_output ? "but an ellipsis (...) was already found"
                                                        : "for which an ellipsis was already found"));
      if (text_.compare(at, 3, "...") != 0)
        refuse_einsum("ellipsis", fmt::format("found '.' for {} that is not part of any ellipsis{}", where_,
                                              is_output ? " (...)" : ""));
      at += 2;
      out += kEllipsis;
      return true;
    }
    if (is_letter(c)) out += c;
    else
      refuse_einsum("letter",
                    fmt::format("invalid subscript given at index {} in the equation string, subscripts must be in "
                                "[a-zA-Z]",
                                offset_ + at));
    return true;
  }

 private:
  const std::string& text_;
  std::size_t offset_;
  std::string where_;
};

void check_letters(const std::string& letters, const Tensor& x, std::size_t operand) {
  const bool has_ellipsis = letters.find(kEllipsis) != std::string::npos;
  const std::size_t count = letters.size() - (has_ellipsis ? 1 : 0), dims = x.shape().size();
  if (has_ellipsis ? count <= dims : count == dims) return;
  refuse_einsum("dims",
                fmt::format("the number of subscripts in the equation ({}{}{}) for operand {}{}", count,
                            has_ellipsis ? ") is more than the number of dimensions ("
                                         : ") does not match the number of dimensions (",
                            dims, operand, has_ellipsis ? "" : " and no ellipsis was given"),
                Code::Shape);
}

// Without an arrow the result has the ellipsis, then every letter that occurs once, in alphabetical order.
std::string implied_output(const std::map<char, int>& counts) {
  std::string output(1, kEllipsis);
  for (const auto& [letter, count] : counts)
    if (count == 1) output += letter;
  return output;
}

}  // namespace

void refuse_einsum(const std::string& rule, const std::string& text, Code code) {
  throw TensorError("einsum." + rule, code, "RuntimeError", "einsum(): " + text);
}

std::size_t ellipsis_axes(const std::string& letters, std::size_t dims) { return dims - (letters.size() - 1); }

Equation read_equation(const std::string& text, std::size_t operands) {
  Equation equation;
  const std::size_t arrow = text.find("->");
  const std::string left = text.substr(0, arrow);
  equation.operands.emplace_back();
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i] == ',') {
      if (equation.operands.size() == operands)
        refuse_einsum("operands", "fewer operands were provided than specified in the equation");
      equation.operands.emplace_back();
      continue;
    }
    const std::string where = fmt::format("operand {}", equation.operands.size() - 1);
    SubscriptReader(left, 0, where).read(i, equation.operands.back());
  }
  if (equation.operands.size() != operands)
    refuse_einsum("operands", "more operands were provided than specified in the equation");
  if (arrow == std::string::npos) return equation;
  const std::string right = text.substr(arrow + 2);
  equation.output.emplace();
  for (std::size_t i = 0; i < right.size(); ++i)
    SubscriptReader(right, left.size() + 2, "output").read(i, *equation.output);
  return equation;
}

EinsumOrder order_axes(const Equation& equation, const std::vector<Tensor>& operands) {
  EinsumOrder order;
  std::map<char, int> counts;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Tensor& x = operands[i];
    const std::string& letters = equation.operands[i];
    check_letters(letters, x, i);
    for (const char letter : letters) {
      if (letter == kEllipsis)
        order.ellipsis_axes = std::max(order.ellipsis_axes, ellipsis_axes(letters, x.shape().size()));
      else ++counts[letter];
    }
  }
  bool has_ellipsis = false;
  for (const char letter : equation.output.value_or(implied_output(counts))) {
    if (letter == kEllipsis) {
      has_ellipsis = true;
      order.ellipsis = order.axes;
      order.axes += order.ellipsis_axes;
      continue;
    }
    if (!counts.contains(letter))
      refuse_einsum("output",
                    fmt::format("output subscript {} does not appear in the equation for any input operand", letter));
    if (!order.places.emplace(letter, order.axes++).second)
      refuse_einsum("output", fmt::format("output subscript {} appears more than once in the output", letter));
  }
  order.output_axes = order.axes;
  if (!has_ellipsis) {
    order.ellipsis = order.axes;
    order.axes += order.ellipsis_axes;
  }
  for (const auto& [letter, count] : counts)
    if (order.places.emplace(letter, order.axes).second) ++order.axes;
  return order;
}

}  // namespace attn
