#pragma once
// How the names of axes travel through ops; rows of the table of ops point at these. None of them computes a shape:
// they are handed the result and say what its axes are called.
#include "torch/op.h"

namespace attn::axis_rule {

Axes same(const OpCall&, const Tensor&, std::size_t);       // those of the first tensor operand
Axes broadcast(const OpCall&, const Tensor&, std::size_t);  // aligned from the right, the first named one of each place
Axes reduce(const OpCall&, const Tensor&, std::size_t);     // without `dim` (all, when it is missing)
Axes matmul(const OpCall&, const Tensor&, std::size_t);
Axes linear(const OpCall&, const Tensor&, std::size_t);  // last axis: rows of the weight
Axes view(const OpCall&, const Tensor&,
          std::size_t);  // by the origins of `size`; unmoved axes keep their names; merged ones "a*b"
Axes flatten(const OpCall&, const Tensor&, std::size_t);
Axes permute(const OpCall&, const Tensor&, std::size_t);
Axes transpose(const OpCall&, const Tensor&, std::size_t);
Axes reversed(const OpCall&, const Tensor&, std::size_t);  // .T, .t()
Axes squeeze(const OpCall&, const Tensor&, std::size_t);
Axes unsqueeze(const OpCall&, const Tensor&, std::size_t);
Axes expand(const OpCall&, const Tensor&, std::size_t);  // by the origins of `size`, else the operand's
Axes repeat(const OpCall&, const Tensor&,
            std::size_t);  // what is not repeated stays; a repeated axis of size 1 is named by its count
Axes cat(const OpCall&, const Tensor&,
         std::size_t);  // a joined axis that all call so gets a doubt; the last has no name
Axes stack(const OpCall&, const Tensor&, std::size_t);
Axes split(const OpCall&, const Tensor&, std::size_t);  // the split axis keeps its name, loses its words
Axes unbind(const OpCall&, const Tensor&, std::size_t);
Axes index(const OpCall&, const Tensor&,
           std::size_t);  // kept, sliced (words too), dropped, new, or those of an index tensor
Axes embedding(const OpCall&, const Tensor&, std::size_t);  // those of the ids, then the table's last
Axes created(const OpCall&, const Tensor&, std::size_t);    // by the origins of `size`
Axes none(const OpCall&, const Tensor&, std::size_t);

}  // namespace attn::axis_rule
