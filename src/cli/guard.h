#pragma once
// What can go wrong while a command runs, told and turned into the exit code.
#include <functional>

#include "base/diagnostic.h"
#include "cli/request.h"

namespace attn {

/// Runs `job`. Whatever the user got wrong, a limit, an interrupt: reported, and the code says which. Errors:
/// OutputFailed passes through.
int guarded(const Request& request, const std::function<int()>& job);

/// Reports the error and gives the exit code that belongs to it.
int refused(const UserError& error, const Request& request);

}  // namespace attn
