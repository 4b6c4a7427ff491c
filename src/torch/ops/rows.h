#pragma once
// What rows of the table of ops are written with: rules by a short name, signatures and formulas that come again.
#include <string_view>

#include "torch/axis_rules.h"
#include "torch/ops/functions.h"

namespace attn {

inline constexpr auto kReduce = ElementRule::Reduce, kContract = ElementRule::Contract,
                      kIndexMap = ElementRule::IndexMap, kGather = ElementRule::Gather, kConcat = ElementRule::Concat,
                      kRandom = ElementRule::Random, kSource = ElementRule::Source, kComposite = ElementRule::Composite,
                      kQuery = ElementRule::Query;
inline constexpr unsigned kDrawsInPlace = kDraws | kInPlace;
inline constexpr NarrowRule kMoves{Narrow::Moved, Narrow::Moved}, kCompares{Narrow::Compared, Narrow::Compared},
    kKeeps{Narrow::Kept, Narrow::Kept}, kKeepsInts{Narrow::Kept}, kMultiplies{Narrow::Kept, Narrow::KeptBFloat16},
    kWidensInts{Narrow::Wide};

inline constexpr const char* kOne = "(input: Tensor)";
inline constexpr const char* kTwo = "(input: Operand, other: Operand)";
inline constexpr const char* kTensors = "(input: Tensor, other: Tensor)";
inline constexpr const char* kOther = "(input: Tensor, other: Operand)";
inline constexpr const char* kSeveral = "(tensors: Tensors)";
inline constexpr const char* kDiagonal = "(input: Tensor, diagonal: int = 0)";

inline constexpr const char* kConverted = "bool: {input} != 0 || whole: int({input}) || {input}";
inline constexpr const char* kFilled = "bool: {fill_value} != 0 || whole: int({fill_value}) || {fill_value}";
#define ATTN_VARIANCE                                                                                          \
  "unbiased=False: ($+ ({e} - {average}) ** 2$) / {n} || correction=0: ($+ ({e} - {average}) ** 2$) / {n} || " \
  "($+ ({e} - {average}) ** 2$) / ({n} - 1)"
#define ATTN_DEVIATION                                           \
  "unbiased=False: sqrt(($+ ({e} - {average}) ** 2$) / {n}) || " \
  "correction=0: sqrt(($+ ({e} - {average}) ** 2$) / {n}) || sqrt(($+ ({e} - {average}) ** 2$) / ({n} - 1))"

/// The end of every signature that makes a tensor.
#define ATTN_OPTIONS "*, dtype: dtype? = None, device: device? = None, requires_grad: bool = False)"
inline constexpr const char* kSizes = "(*size: ints, " ATTN_OPTIONS;
inline constexpr const char* kLike = "(input: Tensor, " ATTN_OPTIONS;

}  // namespace attn
