#pragma once
// Lines that a mentor would write instead, tried by running: each proposed change is made in the program, which runs
// again. It is shown when the error or the note is gone by it and no other note has come.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace.h"
#include "explain/lint/finding.h"
#include "lesson/lesson.h"

namespace attn {

class Mender {
 public:
  /// The three outlive it. `findings` are what lint() says of the trace.
  Mender(const Trace& trace, const Lesson& lesson, const std::vector<Finding>& findings);

  /// For the error that a program ended with: a change of the line that made the wrong tensor, before a change of the
  /// call that failed. A repair of the call that makes a note appear is taken back.
  void mend_failure(Trace& trace);
  /// The changed line when one of the tries helps; else the words of the finding.
  std::string right_form(const Finding& finding);

 private:
  std::optional<Trace> run_with(const LineEdits& edits);
  bool has_new_notes(const Trace& tried, std::string_view rule) const;
  std::string lines_of(LineEdits edits, Span from) const;

  const Trace& trace_;
  const Lesson& lesson_;
  std::map<std::string_view, int> told_;  // rule -> notes
  int tries_left_ = 24;
};

}  // namespace attn
