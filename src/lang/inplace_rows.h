#pragma once
// What rows that write into their first tensor have in common.
#include <string_view>

#include "lang/axis_rules.h"
#include "lang/op_functions.h"

namespace attn {

template <Tensor (*F)(const Tensor&)>
Value unary_in_place(OpCall& call) {
  return write_back(call, F(call.tensor("input")));
}

/// A row that keeps the axes of its first tensor.
constexpr OpInfo in_place_row(std::string_view name, std::string_view spellings, std::string_view signature,
                              std::string_view doc, std::string_view example, OpFunction function,
                              std::string_view grad_fn) {
  return {name,    spellings, signature, doc, example, function, axis_rule::same, ElementRule::Pointwise,
          grad_fn, nullptr,   kInPlace};
}

}  // namespace attn
