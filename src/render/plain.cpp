#include "render/plain.h"

#include "tensor/core/print.h"
#include "text/say.h"

namespace attn {

std::string value_repr(const RecordedValue& value) {
  if (!value.is_tensor || !value.text.empty()) return value.text;  // arrays of numpy have a text of their own
  if (!value.kept) return say("numbers.not_kept");
  return tensor_repr(value.tensor, {value.requires_grad, value.grad_fn, value.is_parameter});
}

std::string plain_output(const Trace& trace, const CellRecord& cell) {
  std::string out = cell.printed;
  if (trace.form == LessonForm::Notebook && cell.result >= 0) {
    out += value_repr(trace.value(cell.result)) + "\n";
  }
  return out;
}

std::string render_plain(const Trace& trace) {
  std::string out;
  for (const TraceBlock& block : trace.blocks) {
    if (const CellRecord* cell = std::get_if<CellRecord>(&block)) out += plain_output(trace, *cell);
  }
  return out;
}

}  // namespace attn
