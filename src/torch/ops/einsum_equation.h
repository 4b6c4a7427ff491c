#pragma once
// The equation of torch.einsum: "bhid,bhjd->bhij" read, and the order in which its axes are laid out.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "tensor/core/tensor.h"

namespace attn {

inline constexpr char kEllipsis = '.';  // stands for "..." among the letters

/// An equation, read: the letters of each operand ('.' for an ellipsis) and, where it has an arrow, of the result.
struct Equation {
  std::vector<std::string> operands;
  std::optional<std::string> output;
};

/// The common order of axes: where each letter and the ellipsis stand, and how many axes the result has.
struct EinsumOrder {
  std::map<char, std::size_t> places;
  std::size_t ellipsis = 0;       // place of its first axis
  std::size_t ellipsis_axes = 0;  // the most that it stands for in an operand
  std::size_t output_axes = 0;
  std::size_t axes = 0;
};

/// Errors: TensorError RuntimeError, as all below: "einsum(): ...".
Equation read_equation(const std::string& text, std::size_t operands);
/// Errors: for operands whose numbers of axes do not fit the equation, and for an output of unknown letters.
EinsumOrder order_axes(const Equation& equation, const std::vector<Tensor>& operands);
/// How many axes the ellipsis among `letters` stands for in an operand with that many.
std::size_t ellipsis_axes(const std::string& letters, std::size_t dims);
[[noreturn]] void refuse_einsum(const std::string& rule, const std::string& text, Code code = Code::Value);

}  // namespace attn
