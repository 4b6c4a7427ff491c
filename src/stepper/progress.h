#pragma once
// What is kept of a learner between sessions: which steps were seen, what was answered, what was typed. By step id, so
// that it survives edited prose, and so that two sessions can be merged.
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session_record.h"
#include "engine/trace.h"

namespace attn {

struct AnswerRecord {
  std::string given;  // the last answer
  Mark mark = Mark::Wrong;
  int tries = 0;
  int hints = 0;

  /// Whether it ended wrong, or was given up after a wrong try.
  bool is_missed() const { return mark == Mark::Wrong || (mark == Mark::Skipped && tries > 0); }
};

/// A line of code that the learner typed, at which step, and what it gave.
struct TypedRecord {
  std::string step;
  std::string code;
  std::string result = {};
  friend bool operator==(const TypedRecord&, const TypedRecord&) = default;
};

struct Progress {
  std::string lesson;  // its id
  std::string at;      // id of the step where the session was; empty: not begun
  int steps = 0;       // of the lesson, when it was last open
  bool finished = false;
  std::set<std::string> seen;                   // step ids
  std::map<std::string, AnswerRecord> answers;  // by the id of the step that was asked about
  std::vector<TypedRecord> typed;
  GivenInput given;  // words or ids of the learner's own, in the session that was there

  bool empty() const { return seen.empty() && answers.empty() && typed.empty(); }
};

/// The two together: everything that either has seen. Of an answer the better one (right before wrong before skipped);
/// the place is that of `newer`.
Progress merged(const Progress& older, const Progress& newer);

/// Progress by the steps that the lesson has now. Its text may have changed since: then steps are found by their code.
struct CarriedProgress {
  Progress progress;
  bool is_older = false;    // the lesson was another when this was saved
  std::size_t answers = 0;  // to questions of the lesson, then
  std::size_t kept = 0;     // of these, now
  bool lost_place = false;  // `at` is then the last step before it that is still there, or empty
};
CarriedProgress carried_over(const Progress& saved, const std::vector<std::string>& step_ids);

/// JSON, with a line feed at its end.
std::string progress_text(const Progress& progress);
/// Nothing when the text is not what progress_text() writes.
std::optional<Progress> read_progress(std::string_view text);

}  // namespace attn
