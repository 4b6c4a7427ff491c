#pragma once
// What can go wrong while a command runs, told and turned into the exit code.
#include <functional>

namespace attn {

/// Runs `job`. A file that cannot be read or written, a lesson or parameter that does not exist, a limit, an interrupt:
/// reported, and the code says which. Errors: OutputFailed passes through.
int guarded(const std::function<int()>& job);

}  // namespace attn
