#include "cli/guard.h"

#include <new>

#include "base/files.h"
#include "base/limits.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "engine/runner.h"
#include "engine/weights_fit.h"
#include "lesson/catalogue.h"

namespace attn {

int guarded(const std::function<int()>& job) {
  try {
    return job();
  } catch (const UnknownLesson& error) {
    report(error.what());
    return kUsage;
  } catch (const ParameterError& error) {
    report(error.what());
    return kUsage;
  } catch (const WriteError& error) {
    report(error.what());
    return kOutputFailed;
  } catch (const WeightsError& error) {
    report(error.what(), error.hint(), error.misfits());
    return kBadInput;
  } catch (const FileError& error) {
    report(error.what());
    return kBadInput;
  } catch (const LimitReached& error) {
    report(error.what());
    return error.kind() == LimitReached::Kind::Interrupt ? kInterrupted : kLimit;
  } catch (const std::bad_alloc&) {
    report_no_memory();
    return kLimit;
  }
}

}  // namespace attn
