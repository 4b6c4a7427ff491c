#pragma once
// The ledger: every tensor that a lesson binds, with its axes, its shape, and what its step cost.
#include <string>

#include "engine/trace.h"
#include "render/options.h"

namespace attn {

/// `--shapes`. Multiply-adds and bytes of new storage are those of the whole step, shown at its first tensor.
std::string render_ledger(const Trace& trace, const RenderOptions& options = {});

}  // namespace attn
