#pragma once
// Repairs that change a number or a word of the call: a size, an axis, an index, the letters of an einsum.
#include "engine/repair_trial.h"

namespace attn {

/// -1 for one of the sizes, the last first.
void free_size(Trial& trial);
/// -1 for some of the sizes of expand(), which keeps those axes.
void free_sizes(Trial& trial);
/// A size of the tensor in the place of one that was asked for.
void fitting_sizes(Trial& trial);
/// For an axis that there is not: the last two of a transpose, else the nearest.
void fitting_axis(Trial& trial);
/// Every axis in the place of dim=.
void other_axis(Trial& trial);
/// The last index along the axis, or the first.
void fitting_index(Trial& trial);
void fewer_indices(Trial& trial);
/// A smaller number where one is too large, or a larger one where it is too small.
void fitting_int(Trial& trial);
void swapped_ints(Trial& trial);
/// The axes of a permute() that are missing, or appear twice.
void whole_order(Trial& trial);
/// Without the axes of size 1.
void squeezes(Trial& trial);
/// Two letters of an operand exchanged, or a letter added to every operand that has an axis more.
void other_letters(Trial& trial);

}  // namespace attn
