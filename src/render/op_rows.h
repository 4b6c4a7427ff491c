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
  std::string text;  // where there is no value with axes
  std::string note;
};
std::vector<OpRow> op_rows(const Trace& trace, const Step& step, const Glyphs& glyphs);

/// One group of rows per op at the top level; composites (linear, an attention) are one op here. An op that works on
/// the result of the line above does not repeat it.
void put_ops(Page& page, const Trace& trace, const Step& step);

/// The ops that put_ops() shows: not what only asks a tensor for something (shape, stride) or failed.
std::vector<const Op*> shown_ops(const Trace& trace, const Step& step);

/// The op of a step that binds nothing whose tensor is worth a look all the same: one that wrote in place, or one that
/// draws its tensor as a picture. Null: there is none.
const Op* op_to_look_at(const Trace& trace, const Step& step);

}  // namespace attn
