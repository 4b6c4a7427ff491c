#include "engine/outline.h"

#include "base/diagnostic.h"
#include "lang/parser.h"

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

}  // namespace attn
