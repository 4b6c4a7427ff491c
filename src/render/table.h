#pragma once
// The numbers of one tensor: the last two axes as rows and columns with words or indices at the edges, of the leading
// axes one slice; below it what is remarkable. Only what is shown is formatted.
#include <map>
#include <string>
#include <vector>

#include "engine/trace.h"
#include "explain/shown_slice.h"
#include "render/grid.h"
#include "render/page.h"

namespace attn {

/// How a table is shown: a slice of it, or one line that says which table above it has the same shape, labels and
/// digits.
struct TableView {
  ShownSlice slice = {};
  std::string same = {};      // "as attention, step 24"; empty: no table is the same
  std::string row = {};       // what a row is when it is no longer one word: "row 1 is the second half of "sie""
  bool is_same_whole = true;  // else only the slice is, and the summary of all numbers another one
  int step = 0;               // the number of that step
};

/// The tables of a view, one after another.
class ShownTables {
 public:
  /// `chosen`: the slice that the learner went to; empty: none.
  explicit ShownTables(const Trace& trace, Shape chosen = {});

  /// How the step shows the table of a value, below all those that were asked for before.
  TableView next(const Step& step, const std::string& name, ValueId value);

 private:
  struct Shown {
    std::string name;
    ValueId value = -1;
    Shape slice;
    int step = 0;
    double first = 0;  // of the numbers that are shown
  };

  const Trace& trace_;
  ShownSlices slices_;
  Shape chosen_;
  std::map<const Step*, int> numbers_;  // of the visible steps, from 1
  std::vector<Shown> shown_;            // those that were not folded
};

/// "energy [batch_size 3, key_len 6]            slice batch_size 0", the numbers, the summary. Of a value that is not a
/// tensor "head_dim = 4"; without a name (the value of an expression) "gives 4".
///   The slice holds an index for each leading axis; missing ones are 0, too large ones the last.
void put_value(Page& page, const std::string& name, const RecordedValue& value, const TableView& view = {});

/// "slice batch_size 2, n_heads 0: the first with padding", or which table is the same; empty when there is nothing to
/// choose.
std::string view_text(const Grid& grid, const TableView& view);

/// The title alone: for a value that is not looked at.
void put_value_title(Page& page, const std::string& name, const RecordedValue& value);

}  // namespace attn
