#pragma once
// Runs a lesson: Lesson -> Trace.
#include <exception>
#include <string>

#include "engine/trace.h"
#include "lesson/lesson.h"

namespace attn {

/// --set or --seed that does not fit the lesson: an unknown parameter, a value of another type. A usage error.
class ParameterError : public std::exception {
 public:
  explicit ParameterError(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

/// Runs every cell in order. An unexpected error ends the run; what was done until then is in the Trace, the error
/// among its diagnostics. Limits are those of the current LimitScope.
///   Errors: ParameterError, InputError before anything runs; WeightsError (engine/weights_fit.h), FileError for a file
///   of --weights that does not fit or cannot be read.
Trace run_lesson(const Lesson& lesson, const RunOptions& options = {});

}  // namespace attn
