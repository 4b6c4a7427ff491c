#pragma once
// The steps of a cell as HTML: operations, tensors as tables whose cells are colored by value, what was printed.
#include <map>
#include <set>
#include <string>

#include "engine/trace.h"
#include "render/calls.h"
#include "render/html/flow.h"
#include "render/options.h"
#include "render/table.h"

namespace attn {

/// What the parts of one page share: the colors of axes, and the tensors of whose numbers the script knows.
struct HtmlPage {
  const Trace& trace;
  const TraceIndex& index;
  RenderOptions options;
  ShownTables tables = ShownTables(trace);
  AxisColors colors = AxisColors(trace);
  std::set<ValueId> shown = {};                  // tensors that a table shows
  std::set<std::string> labels = {};             // of tables, each for itself
  std::map<std::string, int> steps_of_ops = {};  // the list of ops, and the first step that shows it
};

std::string html_steps(HtmlPage& page, ShownCalls& calls, const CellRecord& cell);

/// An error, a warning or a note as it looks on a terminal.
std::string html_error(const HtmlPage& page, int diagnostic);

/// The class of a cell of a table, such as "p3", "n8" (of 8 steps up to `scale`), "x" for NaN; empty for 0.
std::string heat_class(double number, double scale);

/// The size that has the strongest color. Numbers that mean "never", such as -1e10, do not count.
double heat_scale(const Tensor& x);

}  // namespace attn
