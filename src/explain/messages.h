#pragma once
// The learner's text of an error.
#include "base/diagnostic.h"

namespace attn {

/// The same error, told to a learner: the sentence of the broken rule is the message, PyTorch's text a line after it.
/// Unchanged where there is no sentence for the rule, or not the facts for it.
Diagnostic explained(const Diagnostic& diagnostic);

}  // namespace attn
