#pragma once
// All questions of a lesson answered at once, from a file: for teachers and scripts.
#include <string>
#include <vector>

#include "stepper/judge.h"
#include "stepper/state.h"

namespace attn {

/// Skipped: no answer, or "skip".
struct BatchAnswer : SessionAnswer {
  std::vector<std::string> words;  // what is wrong: of a trap its text
  std::string code;                // the first line of what is asked about; of a line to be written none
  int trap = -1;                   // which of the cell's traps it is; -1: none
  std::string understood;          // "[3, 2]" of "3 2", or as typed
};

/// A filled-in sheet, or one answer a line, in the order of the questions; code of several lines has "\n" written in
/// it. Lines that begin with # are comments. What --quiz asks is asked, too.
std::vector<BatchAnswer> answer_all(const State& state, const std::string& text);

/// The same for answers that were read already.
std::vector<BatchAnswer> answer_all(const State& state, const std::vector<std::string>& answers);

bool all_right(const std::vector<BatchAnswer>& answers);
std::string batch_text(const std::vector<BatchAnswer>& answers, const RenderOptions& options);
/// {"right": 3, "questions": [{"step": 1, "question": ..., "given": ..., "correct": ..., "mark": "right", "why":
/// [...]}]}
std::string batch_json(const std::vector<BatchAnswer>& answers);

}  // namespace attn
