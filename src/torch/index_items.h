#pragma once
// What stands between the brackets of x[...], from Python's values to the tensor layer's items.
#include <vector>

#include "python/value.h"
#include "tensor/ops/index.h"

namespace attn {

/// One item, and the tensor it came from when it is one (made here for a list).
struct IndexPart {
  IndexItem item;
  Ref<TensorObject> tensor;
};

/// Reads x[index]. As in PyTorch a list is a tensor, unless it holds slices, lists or tensors: then it is a tuple; a
/// 0-d integer tensor is an int.
///   Errors: TensorError IndexError or ValueError for a slice that cannot be read and stands alone. Anything else that
///   is no index (a float, a str, such a slice among other items) becomes a RefusedIndex, which is refused in its turn.
std::vector<IndexPart> read_index(const Value& index);

std::vector<IndexItem> items_of(const std::vector<IndexPart>& parts);

}  // namespace attn
