#include "engine/check.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "engine/runner.h"
#include "syntax/axis_comment.h"
#include "text/say.h"
#include "torch/op.h"

namespace attn {
namespace {

class Checker {
 public:
  explicit Checker(const Lesson& lesson) : lesson_(lesson), trace_(run_lesson(lesson)) {}

  std::vector<CheckFinding> run() {
    run_findings();
    reseed_findings();
    question_findings();
    map_findings();
    slice_findings();
    return std::move(findings_);
  }

 private:
  void add(Diagnostic diagnostic) {
    const Source source = diagnostic.span.source < trace_.sources.size() ? trace_.sources[diagnostic.span.source]
                                                                         : Source{trace_.path, ""};
    findings_.push_back({std::move(diagnostic), source});
  }
  void add(Span span, std::string_view message_id, std::string_view hint_id) {
    Diagnostic diagnostic;
    diagnostic.code = Code::Format;
    diagnostic.span = span;
    diagnostic.message = say(message_id);
    if (!hint_id.empty()) diagnostic.hint = say(hint_id);
    add(std::move(diagnostic));
  }

  // What ended the run; errors that cells expect are no findings.
  void run_findings() {
    std::vector<bool> expected(trace_.diagnostics.size(), false);
    for (const TraceBlock& block : trace_.blocks) {
      const CellRecord* cell = std::get_if<CellRecord>(&block);
      if (cell && cell->diagnostic >= 0 && !cell->failed) expected[static_cast<std::size_t>(cell->diagnostic)] = true;
    }
    for (std::size_t i = 0; i < trace_.diagnostics.size(); ++i) {
      if (!expected[i]) add(trace_.diagnostics[i]);
    }
  }

  // Draws after an op whose number of draws differs from build to build need a new seed.
  void reseed_findings() {
    bool is_stale = false;
    for (const Step& step : trace_.steps) {
      for (const OpId id : step.ops) {
        const Op& op = trace_.op(id);
        const OpInfo* row = find_op(op.spelling);
        if (op.name == "manual_seed") is_stale = false;
        if (!row || !(row->flags & kDraws)) continue;
        if (row->flags & kDrawsVary) is_stale = is_stale || is_training(op);
        else if (is_stale) stale_draw(step, is_stale);
      }
      for (const Binding& binding : step.bindings) {
        if (is_stale && draws_parameters(trace_.value(binding.value))) stale_draw(step, is_stale);
      }
    }
  }
  void stale_draw(const Step& step, bool& is_stale) {
    add(step.header, "check.stale_draw", "check.stale_draw.hint");
    is_stale = false;
  }
  static bool is_training(const Op& op) {
    for (const auto& [name, text] : op.attributes) {
      if (name == "training") return text == "True";
    }
    return true;
  }
  static bool draws_parameters(const RecordedValue& value) {
    for (const char* layer : {"Linear(", "Embedding(", "GRU("}) {
      if (value.type == "Module" && value.text.starts_with(layer)) return true;
    }
    return false;
  }

  // Questions that cannot be answered.
  void question_findings() {
    for (const TraceBlock& block : trace_.blocks) {
      const CellRecord* cell = std::get_if<CellRecord>(&block);
      if (!cell || cell->failed || !cell->question) continue;
      const Question& question = *cell->question;
      const Span span = span_of(cell->source, 0, trace_.sources[cell->source].text.size());
      if (question.kind == Predict::Shape && (question.value < 0 || !trace_.value(question.value).is_tensor)) {
        add(span, "check.shape", "check.shape.hint");
      }
      if (question.kind == Predict::Value && (question.value < 0 || !is_scalar(trace_.value(question.value)))) {
        add(span, "check.value", "check.value.hint");
      }
      if (question.kind == Predict::Effect && !cell->comparison) add(span, "check.effect", "");
      if (cell->why.empty()) add(span, "check.why", "check.why.hint");
      if (cell->traps.size() < traps_written(cell->ordinal)) add(span, "check.trap", "check.trap.hint");
    }
  }
  // The run leaves out those whose answer is right with the sizes that it has.
  std::size_t traps_written(int ordinal) const {
    for (const Cell* cell : cells(lesson_))
      if (cell->ordinal == ordinal) return cell->traps.size();
    return 0;
  }
  static bool is_scalar(const RecordedValue& value) {
    if (!value.is_tensor) return value.type == "int" || value.type == "float" || value.type == "bool";
    return numel_of(value.shape) == 1;
  }

  // Names of the map that cannot be drawn. Where a cell failed before, that has been said.
  void map_findings() {
    const std::vector<MapName> names = map_names(trace_);
    for (std::size_t i = 0; i < std::min(names.size(), kMostMapNames); ++i) {
      if (names[i].value >= 0 || trace_.outcome != RunOutcome::Fine) continue;
      add_to_map(names[i], Severity::Error, say("check.map.unbound", {{"name", visible(names[i].name)}}),
                 say("check.map.unbound.hint"));
    }
    if (names.size() > kMostMapNames)
      add_to_map(names[kMostMapNames], Severity::Warning,
                 say("check.map.many", {{"count", std::to_string(names.size())}}), say("check.map.many.hint"));
  }
  void add_to_map(const MapName& name, Severity severity, std::string message, std::string hint) {
    const std::string_view text = lesson_.source.text;
    std::size_t begin = 0;
    for (int line = 1; line < map_block(trace_)->line && begin < text.size(); ++line)
      begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
    begin = std::min(begin + name.begin, text.size());
    Diagnostic diagnostic;
    diagnostic.severity = severity;
    diagnostic.code = Code::Format;
    diagnostic.span = span_of(0, begin, std::min(begin + name.name.size(), text.size()));
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    findings_.push_back({std::move(diagnostic), lesson_.source});
  }

  // `# slice NAME: INDEX` in a cell whose tables have no such axis to choose from.
  void slice_findings() {
    for (const TraceBlock& block : trace_.blocks) {
      const CellRecord* cell = std::get_if<CellRecord>(&block);
      if (!cell || cell->failed) continue;
      const std::string& code = trace_.sources[cell->source].text;
      for (const SliceComment& comment : slice_comments(code)) {
        if (has_slices_along(comment.axis, *cell)) continue;
        const auto begin = static_cast<std::size_t>(comment.axis.data() - code.data());
        Diagnostic diagnostic;
        diagnostic.code = Code::Format;
        diagnostic.span = span_of(cell->source, begin, begin + comment.axis.size());
        diagnostic.message = say("check.slice", {{"name", visible(comment.axis)}});
        add(std::move(diagnostic));
      }
    }
  }
  bool has_slices_along(std::string_view name, const CellRecord& cell) const {
    const auto has = [&](ValueId id) {
      if (id < 0 || !trace_.value(id).is_tensor) return false;
      const std::vector<AxisRecord>& axes = trace_.value(id).axes;
      return axes.size() > 2 &&
             std::any_of(axes.begin(), axes.end() - 2, [&](const auto& a) { return a.name == name; });
    };
    return std::any_of(trace_.steps.begin(), trace_.steps.end(), [&](const Step& step) {
      const auto binds = [&](const Binding& binding) { return has(binding.value); };
      return step.span.source == cell.source &&
             (has(step.value) || std::any_of(step.bindings.begin(), step.bindings.end(), binds));
    });
  }

  const Lesson& lesson_;
  Trace trace_;
  std::vector<CheckFinding> findings_;
};

}  // namespace

std::vector<CheckFinding> check_lesson(const Lesson& lesson) { return Checker(lesson).run(); }

}  // namespace attn
