#pragma once
// Silent bugs: code that runs and is probably not what was meant. Rules read the Trace alone, and go by what flows
// where and by the numbers, not by names: a table of small functions (lint.cpp). They are silent where they are not
// sure.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace.h"

namespace attn {

struct Finding {
  std::string_view rule;  // "softmax"
  OpId op = -1;           // that is noted
  std::string message;
  std::string right;  // the right form
};

class Flow;

/// The rule of lint_view.cpp: a view or reshape that pushes entries across axes where the axes themselves should have
/// changed places.
std::optional<Finding> crossing_view(const Flow& flow, const Op& op);

/// In order of the ops; each rule is reported once for each statement of the source.
std::vector<Finding> lint(const Trace& trace);

/// The notes that note_findings() has put into a Trace, in the order of the source.
std::vector<Diagnostic> suspects(const Trace& trace);

/// Puts what lint() finds in a program into its Trace: notes among the diagnostics, at the steps of their ops. So every
/// view shows them at the line; where a note is the same as one above, it refers to that line. Lessons are left as they
/// are: their bugs are there to be shown.
void note_findings(Trace& trace);

}  // namespace attn
