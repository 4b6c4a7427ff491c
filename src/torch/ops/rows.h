#pragma once
// What rows of the table of ops are written with: rules by a short name, and signatures that come again.
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

}  // namespace attn
