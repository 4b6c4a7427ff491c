// Runs many small programs in one process, for the comparison with PyTorch (README.md beside this).
//
//   run_programs --ops     a line for each op and layer: where it is found, and its signature
//   run_programs           reads {"code": ...} a line, writes {"printed", "error", "text"} a line, at once
//
// Each program has an interpreter of its own. `error` is Python's class, "unsupported", or "limit".
#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "python/interpreter.h"
#include "python/observer.h"
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

void list_ops() {
  for (const OpInfo* op : all_ops())
    fmt::print("{}\t{}\t{}\n", op->spellings, op->signature, (op->flags & kInPlace) != 0 ? "in-place" : "");
  for (const LayerInfo& layer : all_layers()) fmt::print("torch.nn.{}\t{}\tlayer\n", layer.name, layer.signature);
}

void run_all() {
  for (std::string line; std::getline(std::cin, line);) {
    const Json result = run(Json::parse(line)["code"].get<std::string>());
    std::cout << result.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
  }
}

}  // namespace
}  // namespace attn

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "--ops") {
    attn::list_ops();
  } else {
    attn::run_all();
  }
}
