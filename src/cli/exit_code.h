#pragma once
// How the program ends, and what can go wrong while a command runs. Of several reasons the one that stands first in 70,
// 5, 4, 3, 1 wins.
#include <functional>
#include <span>
#include <string_view>

#include "base/diagnostic.h"
#include "cli/request.h"

namespace attn {

enum ExitCode : int {
  kFine = 0,
  kFailed = 1,        // a cell failed or cannot be parsed, a finding of `check`
  kUsage = 2,         // unknown option, lesson or parameter
  kBadInput = 3,      // a path that is missing, a malformed file
  kOutputFailed = 4,  // what was to be written could not be
  kLimit = 5,         // memory, work or depth
  kOurBug = 70,
  kInterrupted = 130
};

/// What a code means to whoever called the program: a row each, for help and the man page.
struct ExitMeaning {
  std::string_view code;      // "128+n"
  std::string_view sentence;  // its id
};

std::span<const ExitMeaning> exit_meanings();

/// Runs `job`. Whatever the user got wrong, a limit, an interrupt: reported, and the code says which. Errors:
/// OutputFailed passes through.
int guarded(const Request& request, const std::function<int()>& job);

/// Reports the error and gives the exit code that belongs to it.
int refused(const UserError& error, const Request& request);

}  // namespace attn
