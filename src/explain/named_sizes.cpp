#include "explain/named_sizes.h"

#include "base/number.h"
#include "torch/axis_names.h"

namespace attn {

std::map<std::string, std::int64_t> named_sizes(const Trace& trace) {
  std::map<std::string, std::int64_t> sizes;
  for (const RecordedValue& value : trace.values) {
    // Of equal names in one tensor the first counts.
    for (std::size_t d = std::min(value.axes.size(), value.shape.size()); d-- > 0;)
      if (!value.axes[d].name.empty()) sizes[std::string(claimed_name(value.axes[d].name))] = value.shape[d];
  }
  for (const Step& step : trace.steps) {
    for (const Binding& binding : step.bindings) {
      if (binding.value < 0) continue;
      const RecordedValue& value = trace.value(binding.value);
      const auto size = value.type == "int" ? parse_int(value.text) : std::nullopt;
      if (size) sizes[binding.target] = *size;
    }
  }
  return sizes;
}

}  // namespace attn
