#include "lesson/lesson.h"

#include "lesson/formula.h"

namespace attn {

std::vector<const Cell*> cells(const Lesson& lesson) {
  std::vector<const Cell*> result;
  for (const LessonBlock& block : lesson.blocks) {
    if (const Cell* cell = std::get_if<Cell>(&block)) result.push_back(cell);
  }
  return result;
}

std::string plain_text(const Runs& runs) {
  std::string out;
  for (const Run& run : runs) {
    switch (run.kind) {
      case Run::Kind::Text: out += run.text; break;
      case Run::Kind::Formula: out += formula_text(run.text); break;
      case Run::Kind::Expression: out += "{{ " + run.text + " }}"; break;
    }
  }
  return out;
}

}  // namespace attn
