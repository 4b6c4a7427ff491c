#pragma once
// Code by itself, without a lesson around it.
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "engine/trace.h"

namespace attn {

class Interpreter;

struct Evaluation {
  std::string text;  // what was printed, then the last value and, of a tensor, its axes, shape and type
  std::optional<Diagnostic> error;
  std::vector<Diagnostic> warnings;  // axis comments that do not fit
  Source source;                     // of the code
};

/// Runs statements; torch, nn, F and math are imported already. A seed in `options` is set first.
Evaluation evaluate_code(const std::string& code, const RunOptions& options = {});

/// Runs statements at the point where the interpreter is. `name` is that of the source, for errors.
Evaluation evaluate_code(Interpreter& interpreter, const std::string& name, const std::string& code);

}  // namespace attn
