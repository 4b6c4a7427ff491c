// Records of runs in JSON: what is read must be written as it was, and every view must be able to draw it.
#include "explain/lint/lint.h"
#include "render/data/trace_json.h"
#include "render/ledger.h"
#include "render/plain.h"
#include "tests/fuzz/fuzz.h"

namespace attn {

void fuzz_trace(std::string_view bytes) {
  const LimitScope limits(kFuzzLimits);
  allowing<TraceFormatError, LimitReached>([&] {
    const Trace trace = read_trace_json(std::string(bytes));
    const std::string text = write_trace_json(trace);
    if (write_trace_json(read_trace_json(text)) != text) throw std::logic_error("read and written, it is another one");
    lint(trace);
    for (const TraceBlock& block : trace.blocks)
      if (const CellRecord* cell = std::get_if<CellRecord>(&block)) plain_output(trace, *cell);
    look_at(render_ledger(trace));
    look_at(trace, bytes.size());
  });
}

}  // namespace attn
