#pragma once
// `--watch`: the same again whenever a file changes.
#include <functional>
#include <string>

#include "cli/request.h"

namespace attn {

/// Runs `once` now and after every change of the file, with fresh limits each time, until Ctrl-C. A file that is gone
/// for a while or cannot be read ends nothing.
int watch(const std::string& path, const Request& request, const std::function<int()>& once);

}  // namespace attn
