#pragma once
// x[...] as in PyTorch: ints, slices, None, Ellipsis, integer tensors, Bool masks; reading and assigning.
#include <optional>
#include <variant>
#include <vector>

#include "tensor/core/error.h"
#include "tensor/core/tensor.h"

namespace attn {

struct SliceIndex {
  std::optional<std::int64_t> start, stop, step;
};
struct NewAxis {};
struct EllipsisIndex {};
/// What is no index: it counts as an item of one axis and is refused where its turn comes.
struct RefusedIndex {
  TensorError error;
};
/// One item between the brackets. A tensor item is Int64 (gather) or Bool (mask; without dimensions: x[True]).
using IndexItem = std::variant<std::int64_t, SliceIndex, NewAxis, EllipsisIndex, Tensor, RefusedIndex>;

/// Ints, slices, None and ... give a view; a tensor among the items gives a copy.
///   Shapes: PyTorch's and numpy's rules; index tensors broadcast together and their axes go in place of the first of
///           them, or in front when a slice stands between them.
///   Errors: IndexError "index.range" (facts index, axis, size), "index.too_many" (facts given, dims), "index.mask",
///           "index.type"; ValueError "index.step" for a step below 1.
Tensor index(const Tensor& x, const std::vector<IndexItem>& items);

/// x[items] = value. value broadcasts to the place and is cast to x's type.
void index_put(Tensor& x, const std::vector<IndexItem>& items, const Tensor& value);
/// Writes nothing. Errors: those of index_put() where no tensor is among the items.
void check_index_put(const Tensor& x, const std::vector<IndexItem>& items, const Tensor& value);

/// Rows of a table: ids (...) Int64, table (rows, width) -> (..., width).
///   Errors: IndexError "index out of range in self" (rule "embedding.range", facts id, rows).
Tensor embedding(const Tensor& table, const Tensor& ids);

}  // namespace attn
