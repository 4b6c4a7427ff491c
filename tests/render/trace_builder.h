#pragma once
// Traces made by hand, for tests of what reads them: each line of a cell is a step.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/trace.h"

namespace attn::test {

inline Prose paragraph(std::string text) {
  Prose prose;
  Run run;
  run.text = std::move(text);
  prose.runs = {run};
  return prose;
}

inline Prose heading(std::string text, int level) {
  Prose prose = paragraph(std::move(text));
  prose.kind = Prose::Kind::Heading;
  prose.level = level;
  return prose;
}

/// 0, 1, 2, ... times `scale`.
inline Tensor counting(Shape shape, float scale = 1) {
  std::vector<float> numbers(static_cast<std::size_t>(numel_of(shape)));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i) * scale;
  return Tensor::from(numbers, std::move(shape));
}

class TraceBuilder {
 public:
  explicit TraceBuilder(std::string title = "Masks", int number = 4) {
    trace.title = std::move(title);
    trace.number = number;
    trace.path = "lessons/04-masks.md";
  }

  ValueId tensor(const Tensor& x, const std::vector<std::string>& axes, const std::vector<std::string>& words = {}) {
    RecordedValue value;
    value.type = "Tensor";
    value.is_tensor = true;
    value.tensor = x;
    value.shape = x.shape();
    value.strides = x.strides();
    value.dtype = x.dtype();
    value.storage = x.storage().id;
    for (std::size_t i = 0; i < x.shape().size(); ++i) {
      AxisRecord axis;
      if (i < axes.size()) axis.name = axes[i];
      // The words stand on the last axis.
      if (!words.empty() && i + 1 == x.shape().size())
        axis.words = std::make_shared<const std::vector<std::string>>(words);
      value.axes.push_back(axis);
    }
    trace.values.push_back(value);
    return static_cast<ValueId>(trace.values.size() - 1);
  }

  ValueId plain(std::string text, std::string type = "int") {
    RecordedValue value;
    value.type = std::move(type);
    value.text = std::move(text);
    trace.values.push_back(value);
    return static_cast<ValueId>(trace.values.size() - 1);
  }

  /// A cell with one step per line of `code`.
  CellRecord& cell(const std::string& code) {
    CellRecord record;
    record.ordinal = ++cells_;
    record.source = static_cast<std::uint32_t>(trace.sources.size());
    trace.sources.push_back({trace.path, code, 10 * cells_});
    for (std::size_t begin = 0; begin < code.size();) {
      const std::size_t end = std::min(code.find('\n', begin), code.size());
      const std::size_t comment = std::min(code.find("  #", begin), end);
      Step step;
      step.cell = record.ordinal;
      step.span = {record.source, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(comment)};
      step.header = step.span;
      if (code[begin] != '#') {
        record.steps.push_back(static_cast<StepId>(trace.steps.size()));
        trace.steps.push_back(step);
      }
      begin = end + 1;
    }
    trace.blocks.emplace_back(record);
    return std::get<CellRecord>(trace.blocks.back());
  }

  Step& last_step() { return trace.steps.back(); }
  void bind(const std::string& name, ValueId value) { last_step().bindings.push_back({name, value, {}}); }

  Op& op(const std::string& name, std::vector<std::pair<std::string, ValueId>> inputs, std::vector<ValueId> outputs) {
    Op op;
    op.name = name;
    op.step = static_cast<StepId>(trace.steps.size() - 1);
    for (auto& [written, value] : inputs) op.inputs.push_back({"input", written, value});
    op.outputs = std::move(outputs);
    trace.ops.push_back(op);
    last_step().ops.push_back(static_cast<OpId>(trace.ops.size() - 1));
    return trace.ops.back();
  }

  Trace trace;

 private:
  int cells_ = 0;
};

}  // namespace attn::test
