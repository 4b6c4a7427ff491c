#pragma once
// What a row of a table is where a view cut through the axis of its rows, so that it is no longer one word: the parts
// of the tensor before the view that its numbers come from.
#include <string>

#include "engine/trace.h"

namespace attn {

/// "row 1 is the second half of "sie"". Empty where the axis of the rows has no doubt to it, or the numbers did not
/// only move since.
///   `leading`: the index of each leading axis; missing ones are 0. `row`: -1 for the first that is not what its index
///   says.
std::string cut_row_text(const Trace& trace, ValueId value, const Shape& leading, std::int64_t row = -1);

}  // namespace attn
