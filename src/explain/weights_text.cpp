#include "explain/weights_text.h"

#include "base/text.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::size_t kMostNamed = 8;

std::string loaded_text(const LoadedTensor& tensor) {
  const std::string stored = tensor.tensor + tensor.part;
  return visible(stored == tensor.name ? stored : tensor.name + " = " + stored);
}

std::string listed(std::vector<std::string> names) {
  const std::size_t more = names.size() > kMostNamed ? names.size() - kMostNamed : 0;
  names.resize(names.size() - more);
  for (std::string& name : names) name = visible(name);
  std::string text = join(names, ", ");
  return more == 0 ? text : say("weights.more", {{"list", text}, {"count", std::to_string(more)}});
}

std::string loaded_weights_text(const Trace& trace) {
  const LoadedWeights& weights = *trace.weights;
  const std::string file = visible(trace.options.given_weights.file);
  const std::string sum = say(weights.is_whole_sum ? "weights.sum" : "weights.part_sum", {{"digits", weights.sha256}});
  std::vector<std::string> names;
  for (const LoadedTensor& tensor : weights.loaded) names.push_back(loaded_text(tensor));
  return say(names.empty() ? "weights.none" : "weights.loaded",
             {{"file", file}, {"sum", sum}, {"list", join(names, ", ")}});
}

}  // namespace

std::vector<std::string> other_weights_text(const Trace& trace) {
  std::vector<std::string> out;
  if (!trace.weights) return out;
  const LoadedWeights& weights = *trace.weights;
  if (!weights.missing.empty()) out.push_back(say("weights.missing", {{"list", listed(weights.missing)}}));
  if (!weights.unused.empty()) out.push_back(say("weights.unused", {{"list", listed(weights.unused)}}));
  if (weights.loaded.empty()) out.push_back(say("weights.how"));
  return out;
}

std::vector<std::string> weights_text(const Trace& trace) {
  if (!trace.weights) return {};
  std::vector<std::string> out = other_weights_text(trace);
  out.insert(out.begin(), loaded_weights_text(trace));
  return out;
}

}  // namespace attn
