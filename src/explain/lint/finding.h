#pragma once
// What a rule of lint() found, and changes of the program that may mend it.
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace.h"

namespace attn {

/// Other code in a place of the program.
struct LineEdit {
  Span span;
  std::string code;
};
using LineEdits = std::vector<LineEdit>;

struct Finding {
  std::string_view rule;  // "softmax"
  OpId op = -1;           // that is noted; -1: `step` is
  std::string message;
  std::string right;                  // the right form
  std::vector<LineEdits> tries = {};  // changes of the program that may mend it, the likeliest first
  bool is_remark = false;             // it can be meant
  StepId step = -1;
  bool explains_nan = false;  // NaN begins there
};

}  // namespace attn
