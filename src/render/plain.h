#pragma once
// What a program prints and nothing else, as `python FILE` would; of a notebook also the value that ends a cell.
#include <string>

#include "engine/trace.h"

namespace attn {

std::string render_plain(const Trace& trace);

/// The output of one cell: what it printed, then, in a notebook, its last value.
std::string plain_output(const Trace& trace, const CellRecord& cell);

/// repr() of a recorded value, tensors included.
std::string value_repr(const RecordedValue& value);

}  // namespace attn
