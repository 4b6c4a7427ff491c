#pragma once
// What is remarkable in a tensor: its range, NaN and infinities, and where rows of weights look.
#include "render/grid.h"
#include "render/page.h"

namespace attn {

/// "min -0.4121   mean 0.0130   max 0.3902   180 numbers", and of weights (entries of 0 or more, rows that add to 1)
/// where the first row shown looks most, and how spread out it is.
void put_summary(Page& page, const Grid& grid);

/// "min -0.4121   mean 0.0130   max 0.3902"; "" of a tensor without numbers.
std::string range_text(const Tensor& x);

}  // namespace attn
