#pragma once
// Names that PyTorch has and this program has not. They are no typing errors, so they get an answer of their own.
#include <span>
#include <string>
#include <string_view>

#include "base/source.h"

namespace attn {

struct Elsewhere {
  std::string_view prefixes;  // "torch. Tensor.": blank-separated, as the names
  std::string_view names;     // empty: the prefixes themselves
  std::string_view hint;      // what to write instead
};

std::span<const Elsewhere> refused_names();

/// Throws for a known name of that path ("torch.nn.LSTM", "Tensor.backward"); otherwise does nothing.
///   Errors: CellError Unsupported, with what to write instead.
void refuse_elsewhere(const std::string& path, Span span);

/// The same for a path that may lie below a known name ("torch.optim.Adam") or be unknown altogether.
[[noreturn]] void refuse_unknown(const std::string& path, Span span);

}  // namespace attn
