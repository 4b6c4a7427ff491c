#pragma once
// The numbers of one tensor: the last two axes as rows and columns with words or indices at the edges, of the leading
// axes one slice; below it what stands out. Only what is shown is formatted.
#include <string>

#include "engine/trace.h"
#include "render/grid.h"
#include "render/page.h"

namespace attn {

/// "energy [batch_size 3, key_len 6]            slice batch_size 0", the numbers, the summary. Of a value that is no
/// tensor "head_dim = 4"; without a name (the value of an expression) "gives 4".
///   `slice` holds an index for each leading axis; missing ones are 0, too large ones the last.
void put_value(Page& page, const std::string& name, const RecordedValue& value, const Shape& slice = {});

/// "slice batch_size 0, n_heads 0"; empty when there is nothing to choose.
std::string slice_text(const Grid& grid);

/// The title alone: for a value that is not looked at.
void put_value_title(Page& page, const std::string& name, const RecordedValue& value);

}  // namespace attn
