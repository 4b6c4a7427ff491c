#include "cli/exit_code.h"

#include <new>

#include "base/limits.h"
#include "cli/output.h"
#include "explain/messages.h"

namespace attn {

std::span<const ExitMeaning> exit_meanings() {
  static constexpr ExitMeaning kMeanings[] = {
      {"0", "exit.fine"},  {"1", "exit.failed"},      {"2", "exit.usage"},
      {"3", "exit.input"}, {"4", "exit.output"},      {"5", "exit.limit"},
      {"70", "exit.bug"},  {"130", "exit.interrupt"}, {"128+n", "exit.signal"},
  };
  return kMeanings;
}

int refused(const UserError& error, const Request& request) {
  if (const Source* source = error.source()) report(explained(error.diagnostic()), *source, request);
  else report(error.what(), error.hint(), error.items());
  switch (error.fault()) {
    case UserError::Fault::Typed: return kUsage;
    case UserError::Fault::Input: return kBadInput;
    case UserError::Fault::Output: return kOutputFailed;
  }
  return kOurBug;
}

int guarded(const Request& request, const std::function<int()>& job) {
  try {
    return job();
  } catch (const UserError& error) {
    return refused(error, request);
  } catch (const LimitReached& error) {
    report(error.what());
    return error.kind() == LimitReached::Kind::Interrupt ? kInterrupted : kLimit;
  } catch (const std::bad_alloc&) {
    report_no_memory();
    return kLimit;
  }
}

}  // namespace attn
