#pragma once
// Where each size of a tensor was born: the variable, the arithmetic, the line. Ints of a cell remember that
// (python/value.h, Origin), and axes keep it; where they do not, the ops that made the tensor are followed back.
#include <optional>
#include <string>
#include <vector>

#include "engine/trace.h"

namespace attn {

struct AxisBirth {
  std::string name;  // empty: unnamed
  std::int64_t size = 0;
  std::vector<std::string> equals;  // "head_dim", "hidden_dim // n_heads", "8 // 2"
  std::optional<Span> span;         // of the assignment or of the op
};

struct ShapeExplanation {
  ValueId value = -1;
  std::string name;
  std::vector<AxisBirth> axes;
};

/// Errors: UserError when the value is not a tensor.
ShapeExplanation explain_shape(const Trace& trace, ValueId value);

}  // namespace attn
