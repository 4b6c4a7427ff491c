#include "engine/repair.h"

#include "base/limits.h"
#include "engine/repair_tries.h"
#include "torch/op.h"

namespace attn {
namespace {

constexpr std::int64_t kMostNumbers = std::int64_t{1} << 24;  // in all operands together
constexpr Limits kTrialLimits = {std::int64_t{512} << 20, std::int64_t{1} << 30, std::size_t{2} << 20};

std::int64_t numbers_in(const Value& value) {
  check_stack();
  charge(1);
  if (const auto* tensor = value.as<TensorObject>()) return tensor->tensor.numel();
  const std::vector<Value>* items = value.as<Tuple>()  ? &value.as<Tuple>()->items
                                    : value.as<List>() ? &value.as<List>()->items
                                                       : nullptr;
  std::int64_t sum = 0;
  for (std::size_t i = 0; items && i < items->size(); ++i) sum += numbers_in((*items)[i]);
  return sum;
}

std::int64_t numbers_in(const FailedCall& call) {
  std::int64_t sum = numbers_in(call.self);
  for (const Value& value : call.arguments.positional) sum += numbers_in(value);
  for (const auto& keyword : call.arguments.keywords) sum += numbers_in(keyword.second);
  return sum;
}

bool has_text(const FailedCall& call, const std::vector<Source>& sources) {
  const Span span = call.arguments.span;
  return span.end > span.begin && span.source < sources.size();
}

}  // namespace

TriedFix find_repair(const FailedCall& call, const Diagnostic& diagnostic, const std::vector<Source>& sources) {
  // Only for the error that the call ended with: a cell may have caught that one, and failed by another.
  if (!call.op || diagnostic.rule.empty() || call.message != diagnostic.message) return {};
  if (diagnostic.rule == "gradient.argument") return {};  // a trial runs without gradients: all would seem to help
  if (call.op->name == "index_put") return {};            // what is assigned stands outside of the call's text
  if (!has_text(call, sources)) return {};
  Limits limits = kTrialLimits;
  limits.max_memory += live_memory();
  const LimitScope scope(limits);
  TriedFix found;
  try {
    if (numbers_in(call) > kMostNumbers) return {};
    Trial trial(call, diagnostic, sources);
    try {
      try_repairs(trial);
    } catch (const LimitReached& limit) {
      if (limit.kind() == LimitReached::Kind::Interrupt) throw;
    }
    found = trial.best();
  } catch (const LimitReached& limit) {
    if (limit.kind() == LimitReached::Kind::Interrupt) throw;
  }
  return found;
}

}  // namespace attn
