#pragma once
// What a view shows of the ops of a step, in order: each op once, however often a comprehension ran it, and in one
// line what was done above to another tensor. Numbers, explanations and the record keep every op.
#include <cstddef>
#include <string>
#include <vector>

#include "engine/trace.h"

namespace attn {

/// What the rounds of a comprehension differ in, but for the numbers.
enum class Likeness { Alike, OtherDims, OtherShapes };

struct OpPart {
  enum class Kind {
    Op,      // op, with its operands and results
    Rounds,  // several ops ran `times` times; the parts of the first round follow
    Again    // ops did what was done above; op: the last of them, whose result is shown
  };
  Kind kind = Kind::Op;
  const Op* op = nullptr;
  std::vector<std::string> names;  // of the ops, each once
  std::size_t times = 1;           // that a comprehension ran it; the first is shown
  Likeness rounds = Likeness::Alike;
  StepId step = -1;         // of Again: where it was done; the step itself, or an earlier one
  std::string here, there;  // of Again: the tensors; empty where they have no names, or where the code is the same
};

std::vector<OpPart> op_parts(const Trace& trace, const Step& step);

/// "permute, sum: 24 times; the first is shown", "K as Q at step 30: view, permute"; of an op "3 times; the first is
/// shown" or nothing.
std::string op_part_text(const Trace& trace, const Step& step, const OpPart& part);

/// Its axes; the text of a value that is not a tensor; nothing of no value.
std::string recorded_text(const Trace& trace, ValueId id);

/// The ops at the top level of a step: composites (linear, an attention) are one op here. Not what only asks a tensor
/// for something (shape, stride) or failed.
std::vector<const Op*> shown_ops(const Trace& trace, const Step& step);

/// The op of a step that binds nothing whose tensor is worth a look all the same: one that wrote in place, or one that
/// draws its tensor as a picture. Else null.
const Op* op_to_look_at(const Trace& trace, const Step& step);

}  // namespace attn
