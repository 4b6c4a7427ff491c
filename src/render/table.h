#pragma once
// The numbers of one tensor: the last two axes as rows and columns with words or indices at the edges, of the leading
// axes one slice; below it what stands out. Only what is shown is formatted.
#include <string>
#include <utility>

#include "engine/trace.h"
#include "explain/shown_slice.h"
#include "render/grid.h"
#include "render/page.h"

namespace attn {

/// The tables of a view, one after another.
class ShownTables {
 public:
  /// `chosen`: the slice that the learner went to; empty: none.
  explicit ShownTables(const Trace& trace, Shape chosen = {}) : slices_(trace), chosen_(std::move(chosen)) {}

  /// How the step shows the table of the value.
  ShownSlice next(const Step& step, ValueId value) const {
    return chosen_.empty() ? slices_.of(step, value) : ShownSlice{chosen_, ""};
  }

 private:
  ShownSlices slices_;
  Shape chosen_;
};

/// "energy [batch_size 3, key_len 6]            slice batch_size 0", the numbers, the summary. Of a value that is no
/// tensor "head_dim = 4"; without a name (the value of an expression) "gives 4".
///   `slice` holds an index for each leading axis; missing ones are 0, too large ones the last.
void put_value(Page& page, const std::string& name, const RecordedValue& value, const ShownSlice& slice = {});

/// "slice batch_size 2, n_heads 0: the first with padding"; empty when there is nothing to choose.
std::string slice_text(const Grid& grid, const std::string& why);

/// The title alone: for a value that is not looked at.
void put_value_title(Page& page, const std::string& name, const RecordedValue& value);

}  // namespace attn
