// Runs many small programs in one process, for the comparison with PyTorch (README.md beside this).
//
//   run_programs --ops     a line for each op and layer: where it is found, and its signature
//   run_programs           reads {"code": ...} a line, writes {"printed", "error", "text"} a line, at once
//   run_programs --record  the same; each program is also recorded, linted, explained with a repair that was tried,
//                          and drawn in every format
//
// Each program has an interpreter of its own. `error` is Python's class, "unsupported", "limit", or "unlike" where the
// recorded run ends in another way than the one without a record.
#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "engine/runner.h"
#include "explain/lint/notes.h"
#include "lesson/program.h"
#include "python/interpreter.h"
#include "python/observer.h"
#include "render/formats.h"
#include "torch/nn/layer.h"
#include "torch/op.h"

namespace attn {
namespace {

using Json = nlohmann::json;

/// Programs are small: what takes more than this is wrong.
constexpr Limits kLimits{.max_memory = std::int64_t{1} << 29, .max_work = 50'000'000};

class PrintedText : public Observer {
 public:
  void printed(std::string_view text) override { all += text; }
  std::string all;
};

Json run(const std::string& code) {
  Json result;
  PrintedText out;
  const LimitScope limits{kLimits};
  InterpreterOptions options;
  options.strict_axis_comments = false;
  Interpreter interpreter(&out, options);
  try {
    interpreter.run({"program.py", code, 1});
  } catch (const CellError& error) {
    result["error"] = error.diagnostic().code == Code::Unsupported ? "unsupported" : error.type();
    result["text"] = error.diagnostic().message;
  } catch (const LimitReached& limit) {
    result["error"] = "limit";
    result["text"] = limit.what();
  }
  result["printed"] = std::move(out.all);
  return result;
}

/// How a program ends that is recorded: as in `error` above, empty where it ends by itself.
std::string recorded_end(const std::string& code) {
  const LimitScope limits{kLimits};
  LoadFindings findings;
  const Lesson program = load_program("program.py", code, findings);
  if (findings.failed()) return "SyntaxError";
  Trace trace = run_lesson(program);
  note_findings(trace, program);
  for (const Format& format : all_formats()) format.render(trace, {});
  for (const TraceBlock& block : trace.blocks) {
    const CellRecord* cell = std::get_if<CellRecord>(&block);
    if (!cell || cell->diagnostic < 0) continue;
    const Code code_of = trace.diagnostics[static_cast<std::size_t>(cell->diagnostic)].code;
    return code_of == Code::Unsupported ? "unsupported" : code_of == Code::Limit ? "limit" : cell->raised;
  }
  return {};
}

Json run_recorded(const std::string& code) {
  Json result = run(code);
  if (const std::string end = recorded_end(code); end != result.value("error", "")) {
    result["text"] = fmt::format("without a record {}, with it {}", result.value("error", "fine"), end);
    result["error"] = "unlike";
  }
  return result;
}

void list_ops() {
  for (const OpInfo* op : all_ops())
    fmt::print("{}\t{}\t{}\n", op->spellings, op->signature, (op->flags & kInPlace) != 0 ? "in-place" : "");
  for (const LayerInfo& layer : all_layers()) fmt::print("torch.nn.{}\t{}\tlayer\n", layer.name, layer.signature);
}

void run_all(Json (*run_one)(const std::string& code)) {
  for (std::string line; std::getline(std::cin, line);) {
    const Json result = run_one(Json::parse(line)["code"].get<std::string>());
    std::cout << result.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
  }
}

}  // namespace
}  // namespace attn

int main(int argc, char** argv) {
  const std::string option = argc > 1 ? argv[1] : "";
  if (option == "--ops") attn::list_ops();
  else attn::run_all(option == "--record" ? attn::run_recorded : attn::run);
}
