#pragma once
// The user's own settings, $XDG_CONFIG_HOME/attn-tutor/config: lines "width = 100". They are for a screen; what is
// written to files or other programs does not depend on them.
#include <functional>

#include "cli/request.h"

namespace attn {

/// Settings for what no option of the command line and no variable decides: `given` says of an option whether it was
/// typed. A line that means nothing is warned of, with the nearest key.
void apply_config(Request& request, const std::function<bool(const char*)>& given);

}  // namespace attn
