#include "lang/loss_steps.h"

#include <fmt/format.h>

#include "tensor/error.h"

namespace attn::loss {

void refuse(std::string rule, Code code, std::string type, std::string text, std::vector<Fact> facts) {
  throw TensorError(std::move(rule), code, std::move(type), std::move(text), std::move(facts));
}

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

Value step(OpCall& call, std::string_view op, std::vector<Value> arguments) {
  return call.call(op, std::move(arguments));
}

// The losses of all elements as the call wants them.
Value reduced(OpCall& call, const Value& losses) {
  const std::string how = reduction_of(call);
  if (how == "none") return losses;
  return step(call, how == "mean" ? "torch.mean" : "torch.sum", {losses});
}

}  // namespace attn::loss
