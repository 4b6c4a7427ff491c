#pragma once
// The learner's text of an error.
#include "base/diagnostic.h"

namespace attn {

/// The same error in words for a learner: the sentence of the broken rule is the message, PyTorch's text a line after
/// it. Unchanged if the rule has no sentence, or the facts for it are missing.
Diagnostic explained(const Diagnostic& diagnostic);

}  // namespace attn
