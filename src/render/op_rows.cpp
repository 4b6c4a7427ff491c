#include "render/op_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/number.h"
#include "base/text.h"
#include "explain/messages.h"
#include "explain/wording.h"
#include "render/axes.h"

namespace attn {
namespace {

constexpr int kWidestOperand = 24;
constexpr std::size_t kMostOutputs = 3;
constexpr int kGap = 2;

/// Ops that add up over an axis that both operands share.
constexpr std::string_view kContractions[] = {"matmul", "mm", "bmm", "dot", "linear"};
/// Arguments that the code shows and the axes of the result repeat.
constexpr std::string_view kSilent[] = {"size",  "shape",     "dims",          "dtype",
                                        "sizes", "generator", "requires_grad", "memory_format"};

template <std::size_t N>
bool is_one_of(std::string_view word, const std::string_view (&list)[N]) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

/// A row: the op's name (of its first row), an operand or the arrow, the axes of a value or a text, a note.
struct OpRow {
  std::string op;
  std::string operand;
  ValueId value = -1;
  std::string text;  // where there is no value with axes
  std::string note;
};

class OpRows {
 public:
  OpRows(const Trace& trace, const Step& step, const Glyphs& glyphs) : trace_(trace), step_(step), glyphs_(glyphs) {
    std::vector<const Op*> shown, queries;
    for (const OpId id : step.ops) {
      const Op& op = trace.ops[static_cast<std::size_t>(id)];
      if (op.parent >= 0 || op.failed) continue;
      if (!op.outputs.empty()) shown.push_back(&op);
      else if (!op.inputs.empty()) queries.push_back(&op);
    }
    for (const Op* op : shown.empty() ? queries : shown) add(*op);
  }

  const std::vector<OpRow>& rows() const { return rows_; }

 private:
  const RecordedValue& value(ValueId id) const { return trace_.values[static_cast<std::size_t>(id)]; }

  void add(const Op& op) {
    const std::size_t first = rows_.size();
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      const OpOperand& input = op.inputs[i];
      // The line above shows it already.
      if (i == 0 && input.value == above_) continue;
      rows_.push_back({"", operand_name(input), input.value, "", ""});
    }
    for (const auto& [name, text] : op.attributes) add_attribute(op, name, text);
    if (rows_.size() > first && is_one_of(op.name, kContractions)) add_contraction(op);
    add_outputs(op);
    if (rows_.size() > first) rows_[first].op = op.name;
    above_ = op.outputs.empty() ? -1 : op.outputs.back();
    for (const ValueId id : op.outputs) makers_.emplace_back(id, op.name);
  }

  std::string operand_name(const OpOperand& input) const {
    if (!input.written.empty()) return input.written;
    if (input.value == above_) return say("op.above");
    const auto maker =
        std::find_if(makers_.begin(), makers_.end(), [&](const auto& m) { return m.first == input.value; });
    return maker == makers_.end() ? input.parameter : say("op.result", {{"op", maker->second}});
  }

  void add_attribute(const Op& op, const std::string& name, const std::string& text) {
    if (is_one_of(name, kSilent)) return;
    if (name.starts_with("dim")) {
      notes_.push_back(name + "=" + text + dim_name(op, text));
    } else {
      rows_.push_back({"", name, -1, text, ""});
    }
  }

  /// " (key_len)" for the axis that the number stands for.
  std::string dim_name(const Op& op, const std::string& text) const {
    const std::optional<std::int64_t> dim = parse_int(text);
    if (!dim || op.inputs.empty()) return {};
    const RecordedValue& input = value(op.inputs[0].value);
    const auto dims = static_cast<std::int64_t>(input.shape.size());
    const std::int64_t at = *dim < 0 ? *dim + dims : *dim;
    if (at < 0 || at >= dims || input.axes[static_cast<std::size_t>(at)].name.empty()) return {};
    return " (" + input.axes[static_cast<std::size_t>(at)].name + ")";
  }

  void add_contraction(const Op& op) {
    if (op.inputs.empty()) return;
    const RecordedValue& left = value(op.inputs[0].value);
    if (!left.shape.empty() && !left.axes.back().name.empty())
      notes_.push_back(say("op.over", {{"axis", left.axes.back().name}}));
  }

  std::string strides_text(const Shape& strides) const {
    std::vector<std::string> parts;
    for (const std::int64_t stride : strides) parts.push_back(std::to_string(stride));
    return "(" + join(parts, ",") + ")";
  }

  void add_outputs(const Op& op) {
    if (op.is_view && !op.inputs.empty() && op.outputs.size() == 1)
      notes_.push_back(say("op.view", {{"from", strides_text(value(op.inputs[0].value).strides)},
                                       {"arrow", std::string(glyphs_.arrow)},
                                       {"to", strides_text(value(op.outputs[0]).strides)}}));
    if (op.in_place) notes_.push_back(say("op.in_place"));
    const std::size_t count = op.outputs.size();
    const bool alike = std::all_of(op.outputs.begin(), op.outputs.end(),
                                   [&](ValueId id) { return axes_text(value(id)) == axes_text(value(op.outputs[0])); });
    if (alike && count > 1) notes_.push_back(say("op.same", {{"count", std::to_string(count)}}));
    const std::size_t shown = alike ? std::min<std::size_t>(count, 1) : std::min(count, kMostOutputs);
    for (std::size_t i = 0; i < shown; ++i) {
      rows_.push_back({"", std::string(glyphs_.arrow), op.outputs[i], "", i + 1 == shown ? join(notes_, ", ") : ""});
    }
    if (!alike && shown < count)
      rows_.push_back(
          {"", "", -1,
           say_count("op.more", static_cast<std::int64_t>(count - shown), {{"gap", std::string(glyphs_.gap)}}), ""});
    notes_.clear();
  }

  const Trace& trace_;
  const Step& step_;
  const Glyphs& glyphs_;
  std::vector<OpRow> rows_;
  std::vector<std::string> notes_;
  std::vector<std::pair<ValueId, std::string>> makers_;
  ValueId above_ = -1;
};

Line operand_line(const OpRow& row, const RenderOptions& options) {
  const bool arrow = row.operand == glyphs(options).arrow;
  return Line(shortened(row.operand, kWidestOperand, options), arrow ? Style::Dim : Style::Plain);
}

}  // namespace

bool put_ops(Page& page, const Trace& trace, const Step& step) {
  const OpRows all(trace, step, page.glyphs());
  int op_width = 0, operand_width = 0;
  for (const OpRow& row : all.rows()) {
    op_width = std::max(op_width, display_width(row.op));
    operand_width = std::max(operand_width, operand_line(row, page.options()).width());
  }
  for (const OpRow& row : all.rows()) {
    Line before = Line(row.op, Style::Strong).pad_right(op_width + kGap);
    before.add(operand_line(row, page.options()).pad_right(operand_width + kGap));
    const Line note(row.note, Style::Dim);
    if (row.value < 0) {
      page.put(before.add(row.text), before.width());
    } else if (const RecordedValue& value = trace.values[static_cast<std::size_t>(row.value)]; value.is_tensor) {
      put_axes(page, before, value, note);
    } else {
      page.put(before.add(value.text), before.width());
    }
  }
  return !all.rows().empty();
}

}  // namespace attn
