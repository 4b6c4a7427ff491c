#pragma once
// The rules of lint(), a function each: it looks at one op, and says what it finds.
#include <optional>

#include "explain/lint.h"
#include "explain/lint_flow.h"

namespace attn {

/// A view or reshape that pushes entries across axes where the axes themselves should have changed places.
std::optional<Finding> crossing_view(const Flow& flow, const Op& op);
/// A softmax over another axis than the one that is added up over next.
std::optional<Finding> softmax_over_another_axis(const Flow& flow, const Op& op);
/// A mask of scores that lines up with queries.
std::optional<Finding> mask_of_queries(const Flow& flow, const Op& op);
/// A scale that belongs to another axis than the one that was added up over.
std::optional<Finding> scale_of_another_axis(const Flow& flow, const Op& op);
/// Rows of a softmax in which nothing is left to look at.
std::optional<Finding> masked_rows(const Flow& flow, const Op& op);
/// A mask put on weights, whose rows then do not add up to 1.
std::optional<Finding> mask_after_softmax(const Flow& flow, const Op& op);

}  // namespace attn
