#pragma once
// Runs a cell in a fresh interpreter and gives the value of its last expression, for the tests of this folder.
#include <sys/resource.h>

#include <string>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "python/interpreter.h"

namespace attn {

/// Recursion may use three quarters of the stack that there is.
inline Limits limits_of_this_stack() {
  Limits limits;
  rlimit stack{};
  if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur != RLIM_INFINITY)
    limits.max_stack = stack.rlim_cur / 4 * 3;
  return limits;
}

/// A run that is kept, because its values live only as long as its interpreter.
class CellRun : private Observer {
 public:
  explicit CellRun(const std::string& code) : interpreter_(this) {
    interpreter_.run(Source{"imports",
                            "import math\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"
                            "torch.manual_seed(0)\n"});
    last_ = Value();
    interpreter_.run(Source{"cell", code + "\n"});
  }

  const Value& last() const { return last_; }
  const TensorObject& tensor() const { return *last_.as<TensorObject>(); }
  /// "batch,,key_len": the names of the axes of the last value.
  std::string axes() const {
    std::string names;
    for (std::size_t i = 0; i < tensor().axes.size(); ++i) names += (i ? "," : "") + tensor().axes[i].name;
    return names;
  }

 private:
  void evaluated(const Value& value, Span) override { last_ = value; }

  LimitScope limits_{limits_of_this_stack()};
  Value last_;
  Interpreter interpreter_;
};

/// The names of the axes of what a cell binds to a name.
inline std::string axes_of(const std::string& cell, const std::string& name) {
  return CellRun(cell + "\n" + name).axes();
}

/// "TypeError: ..." of a cell that fails, or "" when it does not.
inline std::string failure_of(const std::string& code) {
  try {
    CellRun run(code);
    return {};
  } catch (const CellError& error) {
    return error.type() + ": " + error.what();
  }
}

}  // namespace attn
