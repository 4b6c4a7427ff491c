#pragma once
// What a learner did with a run, as transcripts show it. The session (stepper/record.h) makes it; a run alone has none.
// No times but where they are asked for, so that the same session gives the same bytes.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

/// How a question ended, the best first.
enum class Mark { Right, Wrong, Skipped };
inline constexpr std::string_view kMarkWords[] = {"right", "wrong", "skipped"};  // in the same order

/// A question and what the learner said to it.
struct SessionAnswer {
  int step = 0;  // number of the step that asks, from 1
  std::string question;
  std::string given;    // the last answer, as typed; empty when it was skipped
  std::string correct;  // the right answer of this run
  Mark mark = Mark::Skipped;
  int tries = 0;  // wrong answers before it ended
  int hints = 0;  // that were read
  friend bool operator==(const SessionAnswer&, const SessionAnswer&) = default;
};

/// A line of code that the learner typed at a step.
struct SessionLine {
  int step = 0;  // from 1; 0: a step that another run had and this one has not
  std::string code;
  std::string result;  // what it printed and gave, or its error, as it was shown
  friend bool operator==(const SessionLine&, const SessionLine&) = default;
};

struct SessionRecord {
  std::string student;  // of --student; else empty
  int step = 0;         // where the learner is, from 1
  int steps = 0;
  bool finished = false;                                        // past the last step
  std::vector<std::pair<std::string, std::string>> parameters;  // all of the lesson, with their values in this run
  std::vector<SessionAnswer> answers;                           // in the order of the steps
  std::vector<SessionLine> typed;                               // in the order in which they were typed
  std::string began, ended;                                     // --times: "2024-05-01 10:00 UTC"; else empty
  friend bool operator==(const SessionRecord&, const SessionRecord&) = default;
};

}  // namespace attn
