#include "render/op_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include "explain/training.h"
#include "explain/wording.h"
#include "render/axes.h"
#include "render/op_parts.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr int kWidestOperand = 24;
constexpr std::size_t kMostOutputs = 3;
constexpr std::size_t kMostTrained = 16;  // parameters
constexpr std::size_t kDrawnLosses = 40;
constexpr int kLeastOpAxes = 40;  // cells for the axes beside the other columns

/// Ops that add up over an axis that both operands share.
constexpr std::string_view kContractions[] = {"matmul", "mm", "bmm", "dot", "linear"};
/// The op of a layer whose axes are told in one line.
constexpr std::string_view kLayer = "linear";
constexpr std::size_t kManyOperands = 3;  // that are told as one
/// Arguments that the axes of the result repeat, or that are better read in the code.
constexpr std::string_view kSilent[] = {
    "size",      "shape",         "dims",          "dtype", "split_size_or_sections",
    "generator", "requires_grad", "memory_format", "items", "start",
    "end",       "step",          "data",          "n",     "m",
    "dim0",      "dim1"};
/// Numbers that are operands like tensors.
constexpr std::string_view kOperands[] = {"input", "other"};
constexpr std::size_t kLongestNumber = 8;
constexpr std::size_t kLongestAttribute = 20;

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
      : trace_(trace), step_(step), glyphs_(glyphs), views_(view_note(trace, step)) {
    const std::string trained = trained_by(trace, step);
    for (const OpId id : step.ops) note_maker(trace.op(id));
    for (const OpPart& part : op_parts(trace, step)) {
      look();
      if (!part.op || part.op->name != trained) add(part);
    }
    add_trained(trained);
    if (step.losses.size() > 1) add_losses();
  }

  const std::vector<OpRow>& rows() const { return rows_; }

 private:
  void note_maker(const Op& op) {
    look();
    if (op.parent >= 0) return;
    for (const ValueId value : op.outputs) makers_.try_emplace(value, &op);
  }

  void add(const OpPart& part) {
    const std::string text = op_part_text(trace_, step_, part);
    if (part.kind == OpPart::Kind::Op) return add(*part.op, text);
    OpRow row;
    row.sentence = text;
    if (part.kind == OpPart::Kind::Again) {
      row.operand = glyphs_.arrow;
      row.value = part.op->outputs.empty() ? -1 : part.op->outputs.back();
      above_ = part.op->outputs;
    }
    rows_.push_back(row);
  }

  void add_trained(const std::string& op) {
    const std::vector<TrainedRow> all = trained_rows(trace_, step_);
    const std::size_t shown = std::min(all.size(), kMostTrained);
    const auto shape = [&](std::size_t i) {
      return all[i].value < 0 ? "" : shape_text(trace_.value(all[i].value).shape);
    };
    int width = 0;
    for (std::size_t i = 0; i < shown; ++i) width = std::max(width, display_width(shape(i)));
    for (std::size_t i = 0; i < shown; ++i)
      rows_.push_back({i == 0 ? op : "", all[i].name, -1, pad_right(shape(i), width + kColumnGap) + all[i].note, ""});
    if (shown < all.size()) add_more(all.size() - shown);
  }

  void add_losses() {
    const std::vector<double>& losses = step_.losses;
    const std::vector<std::string_view> signs(glyphs_.heights.begin(), glyphs_.heights.end());
    rows_.push_back({say("label.loss"), "", -1,
                     say("losses.drawn", {{"first", format_general(losses.front(), 4)},
                                          {"drawn", drawn_numbers(losses, kDrawnLosses, signs)},
                                          {"last", format_general(losses.back(), 4)},
                                          {"count", std::to_string(losses.size())}}),
                     "", -1, true});
  }

  void add_more(std::size_t count) {
    const std::string gap(glyphs_.gap);
    rows_.push_back({"", "", -1, say_count("op.more", static_cast<std::int64_t>(count), {{"gap", gap}}), ""});
  }

  void add(const Op& op, const std::string& times) {
    const std::size_t first = rows_.size();
    if (is_layer(op)) add_layer(op);
    else add_operands(op);
    above_ = op.outputs;
    if (rows_.size() == first) return;
    join_rows(first);
    rows_[first].op = op.name;
    count_layers(first);
    if (!times.empty()) rows_.back().note += (rows_.back().note.empty() ? "" : ", ") + times;
  }

  void add_operands(const Op& op) {
    const std::size_t first = rows_.size();
    bool leads = true;
    for (std::size_t i = 0; i < op.inputs.size();) {
      const OpOperand& input = op.inputs[i];
      const std::size_t count = alike_from(op, i);
      // What the line above shows already, as long as it comes first.
      leads = leads && count < kManyOperands && is_above(input.value);
      if (count < kManyOperands) {
        if (!leads) rows_.push_back({"", operand_name(op, input), input.value, "", ""});
        ++i;
      } else {
        rows_.push_back(
            {"", operand_name(op, input), input.value, "", say("op.same", {{"count", std::to_string(count)}})});
        i += count;
      }
    }
    for (const auto& [name, text] : op.attributes) add_attribute(op, name, text);
    if (rows_.size() > first && is_one_of(op.name, kContractions)) add_contraction(op);
    add_outputs(op);
  }

  /// "softmax  energy →  [..]", "div  2.0 →  [..]": one row for an op whose result has the axes of its only tensor.
  void join_rows(std::size_t first) {
    OpRow& result = rows_.back();
    if (result.operand != glyphs_.arrow) return;
    std::vector<std::string> operands;
    bool has_tensor = false;
    for (std::size_t i = first; i + 1 < rows_.size(); ++i) {
      const OpRow& row = rows_[i];
      const bool repeats = row.value >= 0 && !has_tensor && row.note.empty() &&
                           recorded_text(trace_, row.value) == recorded_text(trace_, result.value);
      if (row.operand == glyphs_.arrow || (row.value >= 0 && !repeats)) return;
      has_tensor = has_tensor || repeats;
      operands.push_back(row.operand);
    }
    if (operands.empty()) return;
    result.operand = join(operands, ", ") + " " + std::string(glyphs_.arrow);
    rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(first), rows_.end() - 1);
  }

  /// How many operands from there on have no names, the same maker and the same axes: what a comprehension made.
  std::size_t alike_from(const Op& op, std::size_t first) const {
    const ValueId value = op.inputs[first].value;
    std::size_t end = first;
    while (end < op.inputs.size() && op.inputs[end].written.empty() &&
           recorded_text(trace_, op.inputs[end].value) == recorded_text(trace_, value) &&
           maker(op, op.inputs[end].value) == maker(op, value))
      ++end;
    return end - first;
  }

  /// The op of this step whose result it is; empty: another step's.
  std::string maker(const Op& op, ValueId value) const {
    const auto found = makers_.find(value);
    const bool is_before = found != makers_.end() && found->second < &op;  // they stand in their order
    return is_before ? found->second->name : "";
  }

  /// fc_q(query): parameters that the code does not name, and a result that differs in its last axis alone.
  bool is_layer(const Op& op) const {
    if (op.name != kLayer || op.inputs.size() < 2 || op.outputs.size() != 1) return false;
    for (std::size_t i = 1; i < op.inputs.size(); ++i)
      if (!op.inputs[i].written.empty() || op.inputs[i].value < 0 || !trace_.value(op.inputs[i].value).is_parameter)
        return false;
    const RecordedValue &from = trace_.value(op.inputs[0].value), &to = trace_.value(op.outputs[0]);
    if (from.shape.empty() || from.shape.size() != to.shape.size()) return false;
    for (std::size_t i = 0; i + 1 < from.shape.size(); ++i)
      if (from.shape[i] != to.shape[i] || from.axes[i].name != to.axes[i].name) return false;
    return true;
  }

  void add_layer(const Op& op) {
    const RecordedValue &from = trace_.value(op.inputs[0].value), &to = trace_.value(op.outputs[0]);
    OpRow row;
    const bool leads = is_above(op.inputs[0].value);
    row.operand = leads ? std::string(glyphs_.arrow) : operand_name(op, op.inputs[0]);
    row.value = leads ? op.outputs[0] : op.inputs[0].value;
    row.result = leads ? -1 : op.outputs[0];
    // Of equal sizes it would say nothing new.
    if (from.shape.back() != to.shape.back())
      row.note = say("op.weight", {{"shape", shape_text(trace_.value(op.inputs[1].value).shape)}});
    rows_.push_back(row);
  }

  /// fc_k(key), fc_v(key): one row.
  void count_layers(std::size_t first) {
    const OpRow& row = rows_.back();
    const bool again = first > 0 && row.result >= 0 && row.value == rows_[first - 1].value &&
                       recorded_text(trace_, row.result) == recorded_text(trace_, rows_[first - 1].result);
    layers_ = again ? layers_ + 1 : 1;
    if (!again) return;
    const std::string times = say("op.same", {{"count", std::to_string(layers_)}});
    rows_[first - 1].note = row.note.empty() ? times : row.note + ", " + times;
    rows_.pop_back();
  }

  bool is_above(ValueId id) const { return std::find(above_.begin(), above_.end(), id) != above_.end(); }

  std::string operand_name(const Op& op, const OpOperand& input) const {
    if (!input.written.empty()) return input.written;
    if (is_above(input.value)) return say("op.above");
    const std::string name = maker(op, input.value);
    return name.empty() ? input.parameter : say("op.result", {{"op", name}});
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
    if (!alike && shown < count) add_more(count - shown);
    notes_.clear();
  }

  const Trace& trace_;
  const Step& step_;
  const Glyphs& glyphs_;
  std::unordered_map<ValueId, const Op*> makers_;  // of each value the first op of the step that gave it
  const ViewNote views_;
  std::vector<OpRow> rows_;
  std::vector<std::string> notes_;
  std::vector<ValueId> above_;
  std::size_t layers_ = 1;  // that the last row stands for
};

/// Of "model.blocks.0.attention.fc_q.weight" the end says which it is.
std::string shortened_path(std::string_view name, const RenderOptions& options) {
  const bool is_path = name.find_first_of(" ([") == std::string_view::npos;
  std::string_view end = name;
  while (is_path && display_width(end) >= kWidestOperand && end.find('.') != std::string_view::npos)
    end.remove_prefix(end.find('.') + 1);
  return end == name ? shortened(name, kWidestOperand, options) : std::string(glyphs(options).gap).append(end);
}

Line operand_line(const OpRow& row, const RenderOptions& options) {
  const std::string_view arrow = glyphs(options).arrow, operand = row.operand;
  if (!operand.ends_with(arrow)) return Line(shortened_path(operand, options));
  const std::string_view name = trim(operand.substr(0, operand.size() - arrow.size()));
  return Line(shortened(name, kWidestOperand, options)).add(name.empty() ? "" : " ").add(arrow, Style::Dim);
}

/// "[query_len 5, hidden_dim 8 → 6]" of a layer.
std::string row_axes(const Trace& trace, const OpRow& row, const Glyphs& glyphs) {
  std::string text = axes_text(trace.value(row.value));
  if (row.result < 0) return text;
  text.pop_back();
  return fmt::format("{} {} {}]", text, glyphs.arrow, last_axis_text(trace, row));
}

/// The widths of the first two columns. `narrow`: the axes would have too little room beside them, so each op stands on
/// a line of its own, and its operands below it.
struct OpColumns {
  OpColumns(const std::vector<OpRow>& rows, const Trace& trace, const Page& page) {
    int axes = 0;
    for (const OpRow& row : rows) {
      if (!row.sentence.empty()) continue;
      op = std::max(op, display_width(row.op));
      operand = std::max(operand, operand_line(row, page.options()).width());
      if (row.value < 0) continue;
      if (trace.value(row.value).is_tensor) axes = std::max(axes, display_width(row_axes(trace, row, page.glyphs())));
    }
    narrow = page.width() - op - operand - 2 * kColumnGap < std::min(axes, kLeastOpAxes);
  }

  int op = 0;
  int operand = 0;
  bool narrow = false;
};

}  // namespace

std::string last_axis_text(const Trace& trace, const OpRow& row) {
  const RecordedValue &from = trace.value(row.value), &to = trace.value(row.result);
  const std::string& name = to.axes.back().name;
  const std::string size = std::to_string(to.shape.back());
  return name.empty() || name == from.axes.back().name ? size : name + " " + size;
}

std::vector<OpRow> op_rows(const Trace& trace, const Step& step, const Glyphs& glyphs) {
  return OpRows(trace, step, glyphs).rows();
}

void put_ops(Page& page, const Trace& trace, const Step& step) {
  const OpRows all(trace, step, page.glyphs());
  const OpColumns columns(all.rows(), trace, page);
  for (const OpRow& row : all.rows()) {
    Line before;
    if (!row.sentence.empty()) {
      before = Line(row.sentence, Style::Dim);
      if (row.value >= 0) before.add(" ").add(operand_line(row, page.options())).add(" ");
    } else if (columns.narrow) {
      if (!row.op.empty()) page.put(row.op, Style::Strong);
      before = blanks(kColumnGap).add(operand_line(row, page.options())).add(" ");
    } else {
      before = Line(row.op, Style::Strong).pad_right(columns.op + kColumnGap);
      before.add(operand_line(row, page.options()).pad_right(columns.operand + kColumnGap));
    }
    const RecordedValue* value = row.value < 0 ? nullptr : &trace.value(row.value);
    if (value != nullptr && value->is_tensor) {
      put_axes(page, before, row_axes(trace, row, page.glyphs()), Line(row.note, Style::Dim));
    } else {
      const int hang = row.sentence.empty() ? before.width() : kColumnGap;
      page.put(before.add(value ? value->text : row.text), hang);
    }
  }
}

}  // namespace attn
