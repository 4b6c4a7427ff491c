#pragma once
// The operands of a call as they stand in the source: for the drawing of an error, and for repairs that are tried.
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "python/value.h"

namespace attn {

/// An argument of a call, or an item of a list that is one.
struct OperandPlace {
  static constexpr int kWhole = -1;
  int argument = 0;   // -1: what stands before the dot; else counted as CallArguments::spans, positional first
  int item = kWhole;  // of a list or tuple
  Span span;          // empty where the source has no text for it
  Value value;
};

/// Every argument, and every item of the lists that are written out where the call stands.
std::vector<OperandPlace> operand_places(const CallArguments& arguments, const Value* self,
                                         const std::vector<Source>& sources);

/// "K [batch_size 3, n_heads 2, key_len 6, head_dim 4]" for every tensor among them that has a place in the source;
/// with the type of its numbers where that matters.
std::vector<OperandNote> operand_notes(const CallArguments& arguments, const Value* self,
                                       const std::vector<Source>& sources, bool with_types);

}  // namespace attn
