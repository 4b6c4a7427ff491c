#include "render/weights_prose.h"

#include "explain/weights_text.h"

namespace attn {

std::vector<Prose> weights_prose(const Trace& trace) {
  if (!trace.weights) return {};
  std::vector<std::string> sentences = other_weights_text(trace);
  sentences.insert(sentences.begin(), loaded_weights_text(trace));
  std::vector<Prose> out;
  for (std::string& sentence : sentences) {
    Run run;
    run.text = std::move(sentence);
    out.emplace_back().runs.push_back(std::move(run));
  }
  return out;
}

}  // namespace attn
