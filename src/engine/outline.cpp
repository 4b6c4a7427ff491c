#include "engine/outline.h"

#include "base/diagnostic.h"
#include "syntax/parser.h"

namespace attn {

int count_statements(const Lesson& lesson) {
  int count = 0;
  for (const Cell* cell : cells(lesson)) {
    if (cell->options.hidden) continue;
    try {
      for (const Stmt& stmt : parse_cell(cell->source)) count += !std::holds_alternative<AxisNote>(stmt.node);
    } catch (const CellError&) {
      // `check` and the run say what is wrong with it
    }
  }
  return count;
}

std::optional<CellProblem> first_problem(const Lesson& lesson) {
  for (const Cell* cell : cells(lesson)) {
    try {
      parse_cell(cell->source);
    } catch (const CellError& error) {
      // A cell may be there to show a mistake.
      if (cell->options.raises.empty()) return CellProblem{error.diagnostic(), &cell->source};
    }
  }
  return std::nullopt;
}

}  // namespace attn
