#pragma once
// --text, --data and --vocab: reading what they name.
#include "cli/request.h"

namespace attn {

/// Reads it into request.run.input. False after its errors were reported: nothing can be run then.
///   Errors: UserError, LimitReached.
bool read_own_input(Request& request);

}  // namespace attn
