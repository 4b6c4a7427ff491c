#pragma once
// Predictions: what a typed answer means, whether it is right, and which known mistake it is.
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace.h"

namespace attn {

enum class Verdict {
  Right,
  Wrong,
  Unreadable  // no answer to such a question: `words` say what one looks like
};

struct Judgement {
  Verdict verdict = Verdict::Unreadable;
  std::string given;                 // as understood: "[3, 2, 5, 6]"
  std::string correct;               // as answer_text() says it
  std::vector<std::string> words;    // what the mistake is, a sentence each; of a wrong answer at least one
  const TrapRecord* trap = nullptr;  // of the cell: this very answer was foreseen
};

/// Judges an answer to a question of kind Shape, Value, Raises or Effect. Shapes are written "3 2 5 6", "[3, 2, 5, 6]",
/// "(3,2,5,6)", with sizes, names of axes or variables, both ("key_len 6"), or products; values within what rounding
/// to the typed digits explains. `cell` has the traps, and may be missing.
Judgement judge(const Question& question, const Trace& trace, std::string_view typed, const CellRecord* cell = nullptr);

/// Judges what the learner's own line bound against the value of the lesson. Written alike, other sums in the last
/// digits are right.
Judgement judge_value(const Question& question, const RecordedValue& expected, const RecordedValue& given);

}  // namespace attn
