#pragma once
// The learner's text of an error.
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace attn {

/// The same error in words for a learner: the sentence of the broken rule is the message, PyTorch's text a line after
/// it. Unchanged if the rule has no sentence, or the facts for it are missing.
/// A message is cut as message_for_display() cuts it.
Diagnostic explained(const Diagnostic& diagnostic);

/// A message may quote names and values of the code, which may be long: then its middle is left out.
std::string message_for_display(std::string_view message);

}  // namespace attn
