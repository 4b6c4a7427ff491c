#pragma once
// A fix for a call that failed, found by trying. It is in the engine because trying means running ops: explain only
// puts into words what the record says. Each likely change of the call (see repair_tries.h) is run by the table of ops
// in a fresh interpreter, on copies of the operands; the first that works, and keeps most names of axes, is the fix.
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "engine/trace.h"
#include "python/interpreter.h"

namespace attn {

/// The repair that works, with the call as it is in the source; no code when none does, when the call has no text
/// of its own, or when its operands are too large to be tried on.
///   Errors: LimitReached when the user interrupts.
TriedFix find_repair(const FailedCall& call, const Diagnostic& diagnostic, const std::vector<Source>& sources);

}  // namespace attn
