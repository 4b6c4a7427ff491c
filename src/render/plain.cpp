#include "render/plain.h"

#include "tensor/core/print.h"
#include "text/say.h"

namespace attn {

std::string value_repr(const RecordedValue& value) {
  if (!value.is_tensor || !value.text.empty()) return value.text;  // arrays of numpy have a text of their own
  if (!value.kept) return say("numbers.not_kept");
  return tensor_repr(value.tensor, {value.requires_grad, value.grad_fn, value.is_parameter});
}

std::string shown_below(const Trace& trace, const CellRecord& cell) {
  if (trace.form != LessonForm::Notebook || cell.result < 0) return "";
  return value_repr(trace.value(cell.result)) + "\n";
}

std::string plain_output(const Trace& trace, const CellRecord& cell) { return cell.printed + shown_below(trace, cell); }

}  // namespace attn
