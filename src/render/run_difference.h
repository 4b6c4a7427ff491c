#pragma once
// Runs of one lesson side by side: names and shapes, a column for each run, and what moved between two of them.
#include <string>
#include <vector>

#include "engine/touch.h"
#include "engine/trace.h"
#include "render/options.h"

namespace attn {

/// A run and what sets it apart from the others: "n_heads=4".
struct LabelledRun {
  std::string label;
  const Trace* trace = nullptr;
};

/// Every tensor with its shape in each run; columns that do not fit side by side go into blocks. A run that
/// failed has its error below. With two runs also the first step whose numbers moved.
std::string render_side_by_side(const std::vector<LabelledRun>& runs, const RenderOptions& options = {});

/// What a touched value moved: each tensor from there on, with the slices that moved and those that kept every bit.
std::string render_touched(const Trace& before, const Trace& after, const RenderOptions& options = {});

}  // namespace attn
