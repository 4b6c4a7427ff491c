#include "lesson/lesson.h"

#include <algorithm>

#include "base/words.h"
#include "lesson/formula.h"
#include "syntax/parser.h"

namespace attn {
namespace {

std::size_t expressions_in(const Runs& runs) {
  const auto is_one = [](const Run& run) { return run.kind == Run::Kind::Expression; };
  return static_cast<std::size_t>(std::count_if(runs.begin(), runs.end(), is_one));
}

std::size_t expressions_in(const std::vector<Prose>& prose) {
  std::size_t count = 0;
  for (const Prose& part : prose) count += count_expressions(part);
  return count;
}

/// In its hints, its traps and its why.
std::size_t expressions_in(const Cell& cell) {
  std::size_t count = expressions_in(cell.why);
  for (const std::vector<Prose>& hint : cell.hints) count += expressions_in(hint);
  for (const Trap& trap : cell.traps) count += expressions_in(trap.answer) + expressions_in(trap.text);
  return count;
}

// Of headings, paragraphs, lists and tables; an expression is one word.
int count_words(const Prose& prose) {
  std::size_t count = words_in(plain_text(prose.runs)).size();
  for (const std::vector<Runs>& row : prose.rows)
    for (const Runs& runs : row) count += words_in(plain_text(runs)).size();
  return static_cast<int>(count);
}

}  // namespace

std::size_t count_expressions(const Prose& prose) {
  std::size_t count = expressions_in(prose.runs);
  for (const std::vector<Runs>& row : prose.rows)
    for (const Runs& runs : row) count += expressions_in(runs);
  return count;
}

void parse_cells(Lesson& lesson) {
  std::size_t number = 0;
  for (LessonBlock& block : lesson.blocks) {
    if (Cell* cell = std::get_if<Cell>(&block)) {
      cell->tree = std::make_shared<const SyntaxTree>(
          read_cell(cell->source, static_cast<std::uint32_t>(number), lesson.form == LessonForm::Notebook));
      number += 1 + expressions_in(*cell);
    } else {
      number += count_expressions(std::get<Prose>(block));
    }
  }
}

int count_statements(const Lesson& lesson) {
  int count = 0;
  for (const Cell* cell : cells(lesson)) {
    if (cell->options.hidden) continue;
    for (const Stmt& stmt : cell->tree->block) count += !std::holds_alternative<AxisNote>(stmt.node);
  }
  return count;
}

int minutes_to_learn(const Lesson& lesson) {
  constexpr int kWordsPerMinute = 150, kSecondsPerStatement = 15, kSecondsPerQuestion = 60, kStep = 5 * 60;
  int words = 0, questions = 0;
  for (const LessonBlock& block : lesson.blocks) {
    if (const Prose* prose = std::get_if<Prose>(&block)) words += count_words(*prose);
    const Cell* cell = std::get_if<Cell>(&block);
    if (!cell || cell->options.hidden) continue;
    questions += cell->options.asks();
    for (const Prose& reason : cell->why) words += count_words(reason);
  }
  const int seconds =
      words * 60 / kWordsPerMinute + count_statements(lesson) * kSecondsPerStatement + questions * kSecondsPerQuestion;
  return (seconds + kStep - 1) / kStep * (kStep / 60);
}

const Cell* unreadable_cell(const Lesson& lesson) {
  for (const Cell* cell : cells(lesson))
    if (cell->tree->error && cell->options.raises.empty()) return cell;
  return nullptr;
}

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
