#pragma once
// What subtraction refuses, for ops that scale an operand before they subtract it.
#include "tensor/pointwise.h"

namespace attn {

///   Errors: RuntimeError "sub.bool" for an operand of Bool.
void check_subtraction(const Operand& a, const Operand& b);

}  // namespace attn
