#pragma once
// What rows of arithmetic and of running sums ask of their arguments before they compute.
#include <string>

#include "torch/op.h"

namespace attn {

/// other * alpha, where alpha= was given, for `input + alpha * other`.
///   Errors: RuntimeError for an alpha that does not fit the type of the result.
Operand scaled_other(const OpCall& call);

/// Running sums and products do not come in Bool, if there are elements and dtype=Bool is asked for.
void require_running(const OpCall& call, const std::string& kernel);

/// PyTorch has no derivative of `kernel` for that argument, so the argument may not ask for one.
///   Errors: RuntimeError.
void require_no_gradient(OpCall& call, const std::string& parameter, const std::string& kernel);

/// "long int", as some of PyTorch's messages name the type of numbers.
std::string_view type_word(DType dtype);

}  // namespace attn
