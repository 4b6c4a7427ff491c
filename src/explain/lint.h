#pragma once
// Silent bugs: code that runs and is probably not what was meant. Rules read the Trace alone, and go by what flows
// where and by the numbers, not by names: a table of small functions (lint.cpp). They are silent where they are not
// sure; what can be meant is a remark.
#include <optional>
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
};

class Flow;

struct Lesson;

/// The rule of lint_view.cpp: a view or reshape that pushes entries across axes where the axes themselves should have
/// changed places.
std::optional<Finding> crossing_view(const Flow& flow, const Op& op);

/// In order of the ops; each rule is reported once for each statement of the source.
std::vector<Finding> lint(const Trace& trace);

/// Puts what lint() finds in a program into its Trace: notes among the diagnostics, at the steps of their ops. So every
/// view shows them at the line. Each change that a rule proposes, and each for the error that the run ended with, is
/// made in the program, which runs again: a line is shown as the fix when it helps and makes no other note appear.
/// Lessons are left as they are: their bugs are there to be shown.
void note_findings(Trace& trace, const Lesson& lesson);

}  // namespace attn
