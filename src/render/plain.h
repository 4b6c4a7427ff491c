#pragma once
// What a program prints and nothing else, as `python FILE` would; of a notebook also the value that ends a cell.
#include <string>

#include "engine/trace.h"

namespace attn {

/// What a cell printed, then what stands below it.
std::string plain_output(const Trace& trace, const CellRecord& cell);
/// The value that a notebook shows below a cell; empty where it shows none.
std::string shown_below(const Trace& trace, const CellRecord& cell);

/// repr() of a recorded value, tensors included.
std::string value_repr(const RecordedValue& value);

}  // namespace attn
