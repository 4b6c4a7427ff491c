#pragma once
// What each operation of a step did with the axes: its operands, and below them its result.
#include <string>
#include <vector>

#include "engine/trace.h"
#include "render/page.h"

namespace attn {

/// A row: the op's name (of its first row), an operand or the arrow, the axes of a value or a text, a note.
struct OpRow {
  std::string op;
  std::string operand;
  ValueId value = -1;
  std::string text;  // in place of a value with axes
  std::string note;
  ValueId result = -1;        // of a layer: what `value` becomes, in the same row
  bool draws_losses = false;  // `text` is the terminal's picture of them
  std::string sentence = {};  // in place of op and operand: what is not shown again (render/op_parts.h)
};
std::vector<OpRow> op_rows(const Trace& trace, const Step& step, const Glyphs& glyphs);

/// "6", or "head_dim 6" where its name is another one, too: what the last axis of a row's value becomes in its result.
std::string last_axis_text(const Trace& trace, const OpRow& row);

/// One group of rows per part (render/op_parts.h). An op that works on the result of the line above does not repeat it.
void put_ops(Page& page, const Trace& trace, const Step& step);

}  // namespace attn
