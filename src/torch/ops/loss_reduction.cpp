#include "torch/ops/loss_reduction.h"

#include "torch/ops/functions.h"

namespace attn::loss {

const std::string& text_of(const OpCall& call, std::string_view name) { return call.value(name).as<Str>()->text; }

std::string reduction_of(const OpCall& call) {
  if (!call.has("size_average") && !call.has("reduce")) return text_of(call, "reduction");
  const auto is_set = [&](const char* name) { return !call.has(name) || call.flag(name); };
  return !is_set("reduce") ? "none" : is_set("size_average") ? "mean" : "sum";
}

void check_reduction(const OpCall& call) {
  const std::string how = reduction_of(call);
  if (how == "mean" || how == "sum" || how == "none") return;
  refuse("loss.reduction", Code::Value, "ValueError", how + " is not a valid value for reduction");
}

// The losses of all elements as the call wants them.
Value reduced(OpCall& call, const Value& losses) {
  const std::string how = reduction_of(call);
  if (how == "none") return losses;
  return call.call(how == "mean" ? "torch.mean" : "torch.sum", {losses});
}

}  // namespace attn::loss
