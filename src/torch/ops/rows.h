#pragma once
// What rows of the table of ops are written with: rules by a short name, signatures that come again, and rows that
// write into their first tensor.
#include <string_view>

#include "torch/axis_rules.h"
#include "torch/ops/functions.h"

namespace attn {

inline constexpr auto kPointwise = ElementRule::Pointwise, kReduce = ElementRule::Reduce,
                      kContract = ElementRule::Contract, kIndexMap = ElementRule::IndexMap,
                      kGather = ElementRule::Gather, kConcat = ElementRule::Concat, kRandom = ElementRule::Random,
                      kSource = ElementRule::Source, kComposite = ElementRule::Composite, kQuery = ElementRule::Query;
inline constexpr unsigned kDrawsInPlace = kDraws | kInPlace;

inline constexpr const char* kOne = "(input: Tensor)";
inline constexpr const char* kTwo = "(input: Operand, other: Operand)";
inline constexpr const char* kTensors = "(input: Tensor, other: Tensor)";
inline constexpr const char* kOther = "(input: Tensor, other: Operand)";
inline constexpr const char* kSeveral = "(tensors: Tensors)";
inline constexpr const char* kDiagonal = "(input: Tensor, diagonal: int = 0)";

/// The end of every signature that makes a tensor.
#define ATTN_OPTIONS "*, dtype: dtype? = None, device: device? = None, requires_grad: bool = False)"
inline constexpr const char* kSizes = "(*size: ints, " ATTN_OPTIONS;
inline constexpr const char* kLike = "(input: Tensor, " ATTN_OPTIONS;

template <Tensor (*F)(const Tensor&)>
Value unary_in_place(OpCall& call) {
  return write_back(call, F(call.tensor("input")));
}

/// A row that writes into its first tensor.
constexpr OpInfo in_place_row(std::string_view spellings, std::string_view signature, std::string_view doc,
                              std::string_view example, OpFunction function, std::string_view grad_fn,
                              ElementRule rule = kPointwise) {
  return {spellings, signature, doc, example, function, {.element = rule, .grad_fn = grad_fn, .flags = kInPlace}};
}

}  // namespace attn
