#include "engine/weights_run.h"

#include "base/files.h"

namespace attn {

void WeightsRun::fill(const std::string& name, const Value& value) {
  try {
    for (auto& [tensor, handle] : loader_.load(name, value)) {
      tensor.step = recorder_.open_step();
      tensor.value = recorder_.record(handle);
      loaded_.push_back(std::move(tensor));
    }
  } catch (const FileError&) {
    unreadable_ = std::current_exception();
  }
}

LoadedWeights WeightsRun::report() const {
  if (unreadable_) std::rethrow_exception(unreadable_);
  LoadedWeights report = loader_.report();
  report.loaded = loaded_;
  return report;
}

}  // namespace attn
