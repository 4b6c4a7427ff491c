#pragma once
// Parameters of a file that do not fit those of a lesson: which, why, and what would make them fit.
#include <functional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "engine/load_weights.h"
#include "engine/trace.h"
#include "lesson/lesson.h"

namespace attn {

/// Runs the lesson otherwise: whether all of the file fits then, and it runs to its end.
using TryRun = std::function<bool(const RunOptions& options)>;

/// The file of --weights does not fit the lesson: a sentence for each tensor. The hint is a --set that was tried, where
/// other sizes of the lesson make them fit.
UserError misfit_error(const Lesson& lesson, const RunOptions& options, const std::vector<Misfit>& misfits,
                       const TryRun& try_run);

}  // namespace attn
