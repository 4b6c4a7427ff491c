#pragma once
// Parameters of a file that do not fit those of a lesson: which, why, and what would make them fit.
#include <functional>
#include <string>
#include <vector>

#include "base/files.h"
#include "engine/load_weights.h"
#include "engine/trace.h"
#include "lesson/lesson.h"

namespace attn {

/// The file of --weights does not fit the lesson: a sentence for each tensor. The hint says what does, and may be
/// empty.
class WeightsError : public FileError {
 public:
  WeightsError(const std::string& path, const std::string& reason, std::vector<std::string> misfits, std::string hint)
      : FileError(path, reason), misfits_(std::move(misfits)), hint_(std::move(hint)) {}
  const std::vector<std::string>& misfits() const { return misfits_; }
  const std::string& hint() const { return hint_; }

 private:
  std::vector<std::string> misfits_;
  std::string hint_;
};

/// Runs the lesson otherwise: whether all of the file fits then, and it runs to its end.
using TryRun = std::function<bool(const RunOptions& options)>;

/// Lists them all; the hint is a --set that was tried, where other sizes of the lesson make them fit.
WeightsError misfit_error(const Lesson& lesson, const RunOptions& options, const std::vector<Misfit>& misfits,
                          const TryRun& try_run);

}  // namespace attn
