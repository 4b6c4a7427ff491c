#include "explain/failure.h"

#include <fmt/format.h>

#include "base/text.h"
#include "explain/messages.h"
#include "text/say.h"

namespace attn {

std::optional<Failure> failure_of(const Trace& trace) {
  if (trace.outcome == RunOutcome::Fine || trace.diagnostics.empty()) return std::nullopt;
  // Notes stand behind the error: they are looked for when the run is over.
  auto last = static_cast<int>(trace.diagnostics.size()) - 1;
  while (last > 0 && trace.diagnostics[static_cast<std::size_t>(last)].severity != Severity::Error) --last;
  const Diagnostic diagnostic = explained(trace.diagnostics[static_cast<std::size_t>(last)]);
  Failure failure;
  // PyTorch's own words stand on a line of their own.
  const std::string message = diagnostic.message.substr(0, diagnostic.message.find('\n'));
  failure.text = fmt::format("{}: {}", code_name(diagnostic.code), visible(message));
  const std::vector<StepId> steps = visible_steps(trace);
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (trace.step(steps[i]).diagnostic == last) failure.step = static_cast<int>(i) + 1;
  return failure;
}

std::string failure_text(const Failure& failure, const std::string& id, const std::string& label) {
  const Words words{{"label", label}, {"step", std::to_string(failure.step)}, {"error", failure.text}};
  return say(failure.step > 0 ? id : id + ".nowhere", words);
}

}  // namespace attn
