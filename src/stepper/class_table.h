#pragma once
// The answers of a class, all to one lesson: who has what right, and what most have wrong.
#include <string>
#include <vector>

#include "render/options.h"
#include "stepper/batch.h"

namespace attn {

/// What one student handed in, judged.
struct StudentAnswers {
  std::string name;
  std::string file;
  std::string run;                   // "--seed 4711 --set n_heads=4"; empty: the lesson's own
  std::vector<BatchAnswer> answers;  // to every question
  bool is_session = false;           // it has hints and tries
};

using ClassTable = std::vector<StudentAnswers>;

/// A line for each student, then each question with the commonest wrong answer and its trap.
std::string class_text(const ClassTable& table, const RenderOptions& options);
std::string class_markdown(const ClassTable& table);
/// A row for each student, then one of the commonest wrong answers and one of their traps. No cell is read as a
/// formula by a spreadsheet.
std::string class_csv(const ClassTable& table);
/// {"lesson": "batch", "questions": [...], "students": [{"name": ..., "answers": [...]}]}
std::string class_json(const ClassTable& table, const std::string& lesson, const std::string& hash);

}  // namespace attn
