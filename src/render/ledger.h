#pragma once
// The ledger: every tensor that a lesson binds, with its axes, its shape, and what its step cost.
#include <optional>
#include <string>
#include <vector>

#include "engine/trace.h"
#include "render/options.h"

namespace attn {

/// Of a Trace, which has to outlive it: a tensor that a step binds or gives; of a step that does neither but costs
/// something, the cost alone.
struct LedgerEntry {
  int number = 0;  // of the step, in the lesson
  const Step* step = nullptr;
  std::string name = {};                 // empty: it has none
  const RecordedValue* value = nullptr;  // null: no tensor
  std::optional<Cost> cost = {};         // of the whole step, at its first entry
};

std::vector<LedgerEntry> ledger_entries(const Trace& trace);

/// `--shapes`. Multiply-adds and bytes of new storage are those of the whole step, shown at its first tensor.
std::string render_ledger(const Trace& trace, const RenderOptions& options = {});

}  // namespace attn
