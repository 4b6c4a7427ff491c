#pragma once
// Small lessons for the tests of the engine, and what their Trace says as text.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "engine/runner.h"
#include "lesson/load.h"

namespace attn {

inline std::string cell(const std::string& code, const std::string& words = "") {
  return "```python" + (words.empty() ? "" : " " + words) + "\n" + code + "\n```\n\n";
}

inline const std::string kWhy = "> **Why** Because.\n\n";
inline const std::string kImports = cell("import torch\nfrom torch import nn", "hidden");

/// A lesson with a title, what it opens with, and the body. After the imports ordinal 2 is the first cell given.
inline Lesson lesson_of(const std::string& body, const std::string& opening = kImports) {
  LoadFindings findings;
  Lesson lesson = load_lesson("lessons/07-small.md", "# Small\n\n" + opening + body, findings);
  for (const Diagnostic& finding : findings.diagnostics) ADD_FAILURE() << finding.message;
  return lesson;
}

inline Trace trace_of(const std::string& body, const RunOptions& options = {}) {
  return run_lesson(lesson_of(body), options);
}

inline std::string code_of(const Trace& trace, Span span) {
  return std::string(trace.sources.at(span.source).slice(span));
}

/// The steps of the cells that are shown, a line each, indented under their parents, with "@round" in loops.
inline std::string steps_of(const Trace& trace) {
  std::string out;
  for (const Step& step : trace.steps) {
    if (step.hidden) continue;
    for (StepId up = step.parent; up >= 0; up = trace.step(up).parent) out += "  ";
    out += code_of(trace, step.header) + (step.iteration < 0 ? "" : fmt::format(" @{}", step.iteration)) + "\n";
  }
  return out;
}

/// The first step whose header is written so; of several the one with number `occurrence`.
inline const Step& step_of(const Trace& trace, std::string_view code, int occurrence = 0) {
  for (const Step& step : trace.steps) {
    if (code_of(trace, step.header) == code && occurrence-- == 0) return step;
  }
  ADD_FAILURE() << "no step " << code;
  static const Step none;
  return none;
}

/// The value that a name was bound to last.
inline const RecordedValue& value_of(const Trace& trace, std::string_view name) {
  for (auto step = trace.steps.rbegin(); step != trace.steps.rend(); ++step) {
    for (const Binding& binding : step->bindings) {
      if (binding.target == name) return trace.value(binding.value);
    }
  }
  ADD_FAILURE() << "nothing is bound to " << name;
  static const RecordedValue none;
  return none;
}

/// The elements in order: "1 2.5 -3"; a value that is no tensor as its repr.
inline std::string numbers_of(const RecordedValue& value) {
  if (!value.is_tensor) return value.text;
  if (!value.tensor.defined()) return "not kept";
  std::string out;
  const auto add = [&](auto element) { out += (out.empty() ? "" : " ") + fmt::format("{}", element); };
  for_each_offset(value.shape, value.strides, [&](std::int64_t offset) {
    switch (value.dtype) {
      case DType::Float32: return add(value.tensor.data<float>()[offset]);
      case DType::Int64: return add(value.tensor.data<std::int64_t>()[offset]);
      default: return add("?");
    }
  });
  return out;
}

/// A line for each op of a step: "matmul(input=Q, other=) -> [2, 5]", a part of a composite indented.
inline std::string ops_of(const Trace& trace, const Step& step) {
  std::string out;
  for (const OpId id : step.ops) {
    const Op& op = trace.op(id);
    for (OpId up = op.parent; up >= 0; up = trace.op(up).parent) out += "  ";
    std::string arguments;
    for (const OpOperand& input : op.inputs)
      arguments += (arguments.empty() ? "" : ", ") + input.parameter + "=" + input.written;
    for (const auto& [name, text] : op.attributes) arguments += (arguments.empty() ? "" : ", ") + name + "=" + text;
    out += op.name + "(" + arguments + ")";
    for (const ValueId output : op.outputs) out += " -> " + axes_text(trace.value(output));
    if (op.multiply_adds) out += fmt::format(" {} multiply-adds", op.multiply_adds);
    if (op.bytes) out += fmt::format(" {} bytes", op.bytes);
    if (op.is_view) out += " view";
    if (op.in_place) out += " in place";
    if (op.failed) out += " failed";
    out += "\n";
  }
  return out;
}

inline std::vector<const CellRecord*> cells_of(const Trace& trace) {
  std::vector<const CellRecord*> out;
  for (const TraceBlock& block : trace.blocks) {
    if (const CellRecord* record = std::get_if<CellRecord>(&block)) out.push_back(record);
  }
  return out;
}

/// The cell with that ordinal (2 is the first after the imports).
inline const CellRecord& cell_of(const Trace& trace, int ordinal) {
  for (const CellRecord* record : cells_of(trace)) {
    if (record->ordinal == ordinal) return *record;
  }
  ADD_FAILURE() << "no cell " << ordinal;
  static const CellRecord none;
  return none;
}

/// The messages of all diagnostics, a line each.
inline std::string messages_of(const Trace& trace) {
  std::string out;
  for (const Diagnostic& diagnostic : trace.diagnostics) out += (out.empty() ? "" : "\n") + diagnostic.message;
  return out;
}

/// All prose of the lesson as plain text, a line for each block.
inline std::string prose_of(const Trace& trace) {
  std::string out;
  for (const TraceBlock& block : trace.blocks) {
    if (const Prose* prose = std::get_if<Prose>(&block)) out += plain_text(prose->runs) + "\n";
  }
  return out;
}

/// A test that runs each lesson in many ways runs the one that trains in two: a run takes seconds. Under sanitizers,
/// where it takes half a minute, and one with a trained model as long, those two are left out.
inline std::size_t runs_in_tests(const std::string& lesson, std::size_t wanted) {
  const bool trains = lesson == "training-a-small-one";
#if defined(ATTN_SANITIZED)
  return trains || lesson == "a-model-that-writes" ? 0 : wanted;
#else
  return trains ? std::min<std::size_t>(wanted, 2) : wanted;
#endif
}

}  // namespace attn
