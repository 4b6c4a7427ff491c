#include "render/op_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/number.h"
#include "base/text.h"
#include "explain/wording.h"
#include "render/axes.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr int kWidestOperand = 24;
constexpr std::size_t kMostOutputs = 3;
constexpr int kLeastOpAxes = 40;  // cells for the axes beside the other columns

/// Ops that add up over an axis that both operands share.
constexpr std::string_view kContractions[] = {"matmul", "mm", "bmm", "dot", "linear"};
/// Arguments that the axes of the result repeat, or that are better read in the code.
constexpr std::string_view kSilent[] = {
    "size",      "shape",         "dims",          "dtype", "split_size_or_sections",
    "generator", "requires_grad", "memory_format", "items", "start",
    "end",       "step",          "data",          "n",     "m"};
/// Numbers that are operands like tensors.
constexpr std::string_view kOperands[] = {"input", "other"};
constexpr std::size_t kLongestNumber = 8;
constexpr std::size_t kLongestAttribute = 20;

/// What plotting records: the tensor is shown as a table, so a row that says that it stays as it is would say nothing.
constexpr std::string_view kPicture = "imshow";

template <std::size_t N>
bool is_one_of(std::string_view word, const std::string_view (&list)[N]) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

/// 2.8284271247461903 is shown as 2.8284; texts that are no such number stay.
std::string short_number(const std::string& text) {
  const std::optional<double> value = parse_double(text);
  return value && text.size() > kLongestNumber ? format_general(*value, 5) : text;
}

/// What is said of a result that shares the numbers of its operand.
enum class ViewNote { None, View, Strides };

/// A lesson does not use the words before its first cell that is about them; of a program `help view` explains them.
ViewNote view_note(const Trace& trace, const Step& step) {
  ViewNote known = trace.form == LessonForm::Lesson ? ViewNote::None : ViewNote::View;
  for (const TraceBlock& block : trace.blocks) {
    const CellRecord* cell = std::get_if<CellRecord>(&block);
    if (!cell || !cell->options.strides || cell->ordinal > step.cell) continue;
    if (cell->ordinal == step.cell) return ViewNote::Strides;
    known = ViewNote::View;
  }
  return known;
}

class OpRows {
 public:
  OpRows(const Trace& trace, const Step& step, const Glyphs& glyphs)
      : trace_(trace), glyphs_(glyphs), views_(view_note(trace, step)) {
    for (const Op* op : shown_ops(trace, step)) add(*op);
  }

  const std::vector<OpRow>& rows() const { return rows_; }

 private:
  void add(const Op& op) {
    const std::size_t first = rows_.size();
    bool leads = true;
    for (const OpOperand& input : op.inputs) {
      // What the line above shows already, as long as it comes first.
      leads = leads && is_above(input.value);
      if (!leads) rows_.push_back({"", operand_name(input), input.value, "", ""});
    }
    for (const auto& [name, text] : op.attributes) add_attribute(op, name, text);
    if (rows_.size() > first && is_one_of(op.name, kContractions)) add_contraction(op);
    add_outputs(op);
    if (rows_.size() > first) rows_[first].op = op.name;
    above_ = op.outputs;
    for (const ValueId id : op.outputs) makers_.emplace_back(id, op.name);
  }

  bool is_above(ValueId id) const { return std::find(above_.begin(), above_.end(), id) != above_.end(); }

  std::string operand_name(const OpOperand& input) const {
    if (!input.written.empty()) return input.written;
    if (is_above(input.value)) return say("op.above");
    const auto maker =
        std::find_if(makers_.begin(), makers_.end(), [&](const auto& m) { return m.first == input.value; });
    return maker == makers_.end() ? input.parameter : say("op.result", {{"op", maker->second}});
  }

  void add_attribute(const Op& op, const std::string& name, const std::string& text) {
    if (is_one_of(name, kOperands)) {
      rows_.push_back({"", short_number(text), -1, "", ""});
    } else if (!is_one_of(name, kSilent) && text.size() <= kLongestAttribute) {
      notes_.push_back(name + "=" + short_number(text) + (name.starts_with("dim") ? dim_name(op, text) : ""));
    }
  }

  /// " (key_len)" for the axis that the number stands for.
  std::string dim_name(const Op& op, const std::string& text) const {
    const std::optional<std::int64_t> dim = parse_int(text);
    if (!dim || op.inputs.empty()) return {};
    const RecordedValue& input = trace_.value(op.inputs[0].value);
    const auto dims = static_cast<std::int64_t>(input.shape.size());
    const std::int64_t at = *dim < 0 ? *dim + dims : *dim;
    if (at < 0 || at >= dims || input.axes[static_cast<std::size_t>(at)].name.empty()) return {};
    return " (" + input.axes[static_cast<std::size_t>(at)].name + ")";
  }

  void add_contraction(const Op& op) {
    if (op.inputs.empty()) return;
    const RecordedValue& left = trace_.value(op.inputs[0].value);
    if (!left.shape.empty() && !left.axes.back().name.empty())
      notes_.push_back(say("op.over", {{"axis", left.axes.back().name}}));
  }

  std::string strides_text(const Shape& strides) const {
    std::vector<std::string> parts;
    for (const std::int64_t stride : strides) parts.push_back(std::to_string(stride));
    return "(" + join(parts, ",") + ")";
  }

  void add_view(const Op& op) {
    const RecordedValue &from = trace_.value(op.inputs[0].value), &to = trace_.value(op.outputs[0]);
    if (from.storage != to.storage) {
      notes_.push_back(say("op.copy"));
    } else if (views_ == ViewNote::Strides && !to.shape.empty()) {
      notes_.push_back(say("op.strides", {{"from", strides_text(from.strides)},
                                          {"arrow", std::string(glyphs_.arrow)},
                                          {"to", strides_text(to.strides)}}));
    } else if (views_ != ViewNote::None && !to.shape.empty()) {
      notes_.push_back(say("op.view"));
    }
  }

  void add_outputs(const Op& op) {
    if (op.is_view && !op.inputs.empty() && op.outputs.size() == 1) add_view(op);
    if (op.in_place) notes_.push_back(say("op.in_place"));
    const std::size_t count = op.outputs.size();
    const bool alike = std::all_of(op.outputs.begin(), op.outputs.end(), [&](ValueId id) {
      return axes_text(trace_.value(id)) == axes_text(trace_.value(op.outputs[0]));
    });
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
  const Glyphs& glyphs_;
  const ViewNote views_;
  std::vector<OpRow> rows_;
  std::vector<std::string> notes_;
  std::vector<std::pair<ValueId, std::string>> makers_;
  std::vector<ValueId> above_;
};

Line operand_line(const OpRow& row, const RenderOptions& options) {
  const bool arrow = row.operand == glyphs(options).arrow;
  return Line(shortened(row.operand, kWidestOperand, options), arrow ? Style::Dim : Style::Plain);
}

/// The widths of the first two columns. `narrow`: the axes would have too little room beside them, so each op stands on
/// a line of its own, and its operands below it.
struct OpColumns {
  OpColumns(const std::vector<OpRow>& rows, const Trace& trace, const Page& page) {
    int axes = 0;
    for (const OpRow& row : rows) {
      op = std::max(op, display_width(row.op));
      operand = std::max(operand, operand_line(row, page.options()).width());
      if (row.value < 0) continue;
      const RecordedValue& value = trace.value(row.value);
      if (value.is_tensor) axes = std::max(axes, display_width(axes_text(value)));
    }
    narrow = page.width() - op - operand - 2 * kColumnGap < std::min(axes, kLeastOpAxes);
  }

  int op = 0;
  int operand = 0;
  bool narrow = false;
};

}  // namespace

std::vector<const Op*> shown_ops(const Trace& trace, const Step& step) {
  std::vector<const Op*> shown;
  for (const OpId id : step.ops) {
    const Op& op = trace.op(id);
    const bool asks = op.outputs.empty() && op.inputs.size() < 2;
    if (op.parent < 0 && !op.failed && !asks && op.name != kPicture) shown.push_back(&op);
  }
  return shown;
}

std::vector<OpRow> op_rows(const Trace& trace, const Step& step, const Glyphs& glyphs) {
  return OpRows(trace, step, glyphs).rows();
}

void put_ops(Page& page, const Trace& trace, const Step& step) {
  const OpRows all(trace, step, page.glyphs());
  const OpColumns columns(all.rows(), trace, page);
  for (const OpRow& row : all.rows()) {
    Line before;
    if (columns.narrow) {
      if (!row.op.empty()) page.put(row.op, Style::Strong);
      before = blanks(kColumnGap).add(operand_line(row, page.options())).add(" ");
    } else {
      before = Line(row.op, Style::Strong).pad_right(columns.op + kColumnGap);
      before.add(operand_line(row, page.options()).pad_right(columns.operand + kColumnGap));
    }
    const RecordedValue* value = row.value < 0 ? nullptr : &trace.value(row.value);
    if (value != nullptr && value->is_tensor) {
      put_axes(page, before, *value, Line(row.note, Style::Dim));
    } else {
      page.put(before.add(value ? value->text : row.text), before.width());
    }
  }
}

const Op* op_to_look_at(const Trace& trace, const Step& step) {
  for (auto id = step.ops.rbegin(); id != step.ops.rend(); ++id) {
    const Op& op = trace.op(*id);
    if (op.parent >= 0 || op.failed || op.inputs.empty() || op.outputs.empty()) continue;
    if (op.name == kPicture) return &op;
    const bool is_tensor = op.outputs.back() >= 0 && trace.value(op.outputs.back()).is_tensor;
    return op.in_place && is_tensor ? &op : nullptr;
  }
  return nullptr;
}

}  // namespace attn
