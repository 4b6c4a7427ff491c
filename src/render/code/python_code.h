#pragma once
// The code of a lesson as Python that runs under PyTorch by itself: what a lesson does on purpose (an expected error, a
// common bug in a scope of its own) written out. For the formats that are programs.
#include <functional>
#include <string>
#include <string_view>

#include "engine/trace.h"

namespace attn {

/// The line of code, if any, that follows the statement of a step that bound a tensor to a name.
using AfterBinding = std::function<std::string(StepId, const Binding&)>;

/// The code of one cell. It contains the literals of data files and settings. A cell that is expected to fail prints
/// the error as Python does; a common bug is a function that is called once, and leaves the names outside as they were.
/// Control characters are made visible.
std::string cell_code(const Trace& trace, const CellRecord& cell, const AfterBinding& after = {});

/// What that code prints and shows when a notebook runs it.
struct CellOutput {
  std::string printed;
  ValueId result = -1;  // -1: none
};
CellOutput cell_output(const Trace& trace, const CellRecord& cell);

/// What has to be run first: definitions of newer PyTorch's functions that the cells call, the files that they read,
/// seeds that the run was given and that are not in its code; mostly empty.
std::string code_before_cells(const Trace& trace);

}  // namespace attn
