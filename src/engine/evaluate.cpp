#include "engine/evaluate.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/limits.h"
#include "engine/own_input.h"
#include "engine/recorder.h"
#include "engine/repair.h"
#include "python/interpreter.h"

namespace attn {
namespace {

constexpr const char* kImports = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nimport math\n";

// Collects what is printed and the value of the last statement, when that is an expression.
class LastValue : public Observer {
 public:
  void statement_begins(const Stmt&, std::int64_t) override {
    value.reset();
    ++depth;
  }
  void statement_ends(const Stmt&, bool) override { --depth; }
  void evaluated(const Value& v, Span) override {
    if (depth == 1) value = v;  // in a loop it is not the last statement
  }
  void printed(std::string_view text) override { output += text; }
  void warned(const Diagnostic& diagnostic) override { warnings.push_back(diagnostic); }

  std::string output;
  std::optional<Value> value;
  std::vector<Diagnostic> warnings;
  int depth = 0;
};

// "Tensor [batch_size 3, 4]  torch.float32"
std::string shape_row(const TensorObject& tensor) {
  RecordedValue record;
  record.shape = tensor.tensor.shape();
  for (const Axis& axis : tensor.axes) record.axes.push_back({axis.name, nullptr});
  return fmt::format("{}  {}\n", axes_text(record), short_name(tensor.tensor.dtype()));
}

std::string shown_text(const std::optional<Value>& value) {
  if (!value || value->is_none()) return "";
  const TensorObject* tensor = value->as<TensorObject>();
  return repr(*value) + "\n" + (tensor ? shape_row(*tensor) : "");
}

template <class Prepare>
void evaluate_into(Evaluation& result, Interpreter& interpreter, Prepare prepare) {
  LastValue last;
  std::string shown;
  try {
    prepare();
    interpreter.set_observer(&last);
    interpreter.run(result.source);
    shown = shown_text(last.value);
  } catch (const FileError& error) {  // of a tensor that is read when it is shown
    result.error.emplace();
    result.error->code = Code::Runtime;
    result.error->message = error.what();
  } catch (const CellError& error) {
    result.error = error.diagnostic();
    result.error->tried = find_repair(interpreter.take_failed_call(), *result.error, interpreter.sources());
    // The place may lie in a function that other code defined.
    const std::uint32_t source = result.error->span.source;
    if (source < interpreter.sources().size()) result.source = interpreter.sources()[source];
  } catch (const LimitReached& limit) {
    Diagnostic diagnostic;
    diagnostic.code = limit.kind() == LimitReached::Kind::Interrupt ? Code::Interrupt : Code::Limit;
    diagnostic.message = limit.what();
    result.error = std::move(diagnostic);
  }
  interpreter.set_observer(nullptr);
  result.text = std::move(last.output);
  result.warnings = std::move(last.warnings);
  result.text += shown;
}

}  // namespace

Evaluation evaluate_code(Interpreter& interpreter, const std::string& name, const std::string& code) {
  Evaluation result;
  result.source = {name, code};
  evaluate_into(result, interpreter, [] {});
  return result;
}

Evaluation evaluate_code(const std::string& code, const RunOptions& options) {
  Interpreter interpreter(nullptr, {.strict_axis_comments = false, .first_seed = {}});
  Evaluation result;
  result.source = {"<code>", code};
  evaluate_into(result, interpreter, [&] {
    interpreter.run({"<imports>", kImports});
    if (options.input) interpreter.run({"<input>", own_bindings(*options.input)});
    if (options.seed) interpreter.generator().manual_seed(static_cast<std::uint64_t>(*options.seed));
  });
  return result;
}

}  // namespace attn
