// safetensors: every tensor that has a name when the lesson ends; what a learner did stands in the metadata, as in
// JSON.
#include <map>
#include <set>

#include "base/text.h"
#include "render/data/trace_json.h"
#include "render/formats.h"
#include "tensor/io/safetensors.h"

namespace attn {
namespace {

bool is_path_of_names(std::string_view text) { return text.find_first_of("[](){} ,*\"'") == std::string_view::npos; }

/// Walks the steps as they were run and keeps what each name holds. Steps inside functions bind other names.
class NamedValues {
 public:
  explicit NamedValues(const Trace& trace) : trace_(trace) {
    for (const TraceBlock& block : trace.blocks) {
      const CellRecord* cell = std::get_if<CellRecord>(&block);
      if (cell && !cell->options.wrong.empty()) bugs_.insert(cell->ordinal);
    }
    for (const Step& step : trace.steps) {
      if (bugs_.contains(step.cell)) continue;  // bound in a copy of the scope
      for (const OpId id : step.ops) take_op(trace.op(id), step.activation == 0);
      if (step.activation != 0) continue;
      for (const Binding& binding : step.bindings) bind(binding);
    }
  }

  const std::map<std::string, ValueId>& all() const { return values_; }

 private:
  void bind(const Binding& binding) {
    if (binding.value < 0 || !is_path_of_names(binding.target)) return;
    const RecordedValue& bound = trace_.value(binding.value);
    // A new module has new parameters.
    std::erase_if(values_, [&](const auto& item) { return item.first.starts_with(binding.target + "."); });
    leaves_.erase(binding.target);
    if (bound.type == "Module" && bound.text.find('\n') == std::string::npos) leaves_.insert(binding.target);
    if (bound.is_tensor) values_[binding.target] = binding.value;
    else values_.erase(binding.target);
  }

  void take_op(const Op& op, bool at_top) {
    if (op.failed || op.inputs.empty()) return;
    if (op.in_place && !op.outputs.empty()) {
      for (auto& [name, id] : values_)
        if (id == op.inputs.front().value) id = op.outputs.front();
    }
    if (at_top && op.parent < 0) take_parameters(op);
  }

  /// fc_q(query) is an op whose weight is a parameter of fc_q, when fc_q is a layer without layers in it.
  void take_parameters(const Op& op) {
    if (op.span.source >= trace_.sources.size()) return;
    const std::string_view code = trace_.sources[op.span.source].slice(op.span);
    const std::string callee(trim(code.substr(0, code.find('('))));
    if (!leaves_.contains(callee)) return;
    for (const OpOperand& input : op.inputs)
      if (trace_.value(input.value).is_parameter) values_[callee + "." + input.parameter] = input.value;
  }

  const Trace& trace_;
  std::set<int> bugs_;
  std::set<std::string> leaves_;  // names that hold a layer without layers in it
  std::map<std::string, ValueId> values_;
};

}  // namespace

std::string render_safetensors(const Trace& trace, const RenderOptions&) {
  const NamedValues named(trace);
  TensorsByName tensors;
  for (const auto& [name, id] : named.all()) {
    const RecordedValue& value = trace.value(id);
    if (value.has_numbers()) tensors.emplace_back(visible(name), value.tensor);
  }
  std::vector<std::pair<std::string, std::string>> metadata = {
      {"format", std::string(kTranscriptMark)}, {"lesson", visible(trace.lesson_id)}, {"title", visible(trace.title)}};
  if (trace.session) metadata.emplace_back("session", session_json(*trace.session));
  return safetensors_bytes(tensors, metadata);
}

}  // namespace attn
