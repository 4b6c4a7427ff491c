// attn-tutor eval: runs code and prints its last value as PyTorch does, then its shape row.
#include "base/diagnostic.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/output.h"
#include "engine/evaluate.h"
#include "explain/messages.h"

namespace attn {
namespace {

int run_eval(const Request& request) {
  const Evaluation result = evaluate_code(request.word, request.run);
  write_out(visible(result.text));
  for (const Diagnostic& warning : result.warnings) {
    if (!request.quiet) report(explained(warning), result.source, request);
  }
  if (!result.error) return kFine;
  report(explained(*result.error), result.source, request);
  if (result.error->code == Code::Interrupt) return kInterrupted;
  return result.error->code == Code::Limit ? kLimit : kFailed;
}

}  // namespace

const Command kEvalCommand = {"eval", "Runs statements and prints the last expression as PyTorch does, with its shape.",
                              kTakesCode | kTakesSeed | kTakesLimits | kTakesView, run_eval,
                              "attn-tutor eval 'torch.randn(2, 3).softmax(dim=-1)'"};

}  // namespace attn
