// Code as `attn-tutor eval` takes it: parsed, run under small limits, its failure explained, with a repair that was
// tried.
#include "base/text.h"
#include "engine/evaluate.h"
#include "tests/fuzz/fuzz.h"

namespace attn {

void fuzz_cell(std::string_view bytes) {
  const LimitScope limits(kFuzzLimits);
  const Evaluation result = evaluate_code(std::string(bytes));
  look_at(visible(result.text));
  for (const Diagnostic& warning : result.warnings) look_at(warning, result.source);
  if (result.error) look_at(*result.error, result.source);
}

}  // namespace attn
