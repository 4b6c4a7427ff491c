// What an exported program needs before its first cell.
#include <fmt/format.h>

#include <algorithm>

#include "engine/literals.h"
#include "lesson/embedded.h"
#include "render/python_code.h"

namespace attn {
namespace {

/// Seeds that the run was given and that do not stand in the code of a learner's program.
std::string seeds(const Trace& trace) {
  if (trace.form == LessonForm::Lesson) return {};
  if (trace.drew_unseeded) return fmt::format("import torch\ntorch.manual_seed({})\n", trace.options.seed.value_or(0));
  if (!trace.options.seed) return {};
  return fmt::format(
      "import torch\n\n\n"
      "def seed_of_this_run(_, manual_seed=torch.manual_seed):\n"
      "    torch.manual_seed = manual_seed  # only the first call has another seed\n"
      "    return manual_seed({})\n\n\n"
      "torch.manual_seed = seed_of_this_run\n",
      *trace.options.seed);
}

/// Functions of newer PyTorch that the cells call.
std::string newer_functions(const Trace& trace) {
  const bool calls = std::any_of(trace.sources.begin(), trace.sources.end(), [](const Source& source) {
    return source.text.find("scaled_dot_product_attention") != std::string::npos;
  });
  return calls ? std::string(embedded_file("data/newer_torch.py")) : std::string();
}

/// The files of data/ that the cells read, and a load_file() that finds them.
std::string files(const Trace& trace) {
  std::string out;
  for (const DataFile& file : trace.files)
    out += fmt::format("FILES[{}] = {}\n", string_literal(file.name), string_literal(file.base64));
  return out.empty() ? out : std::string(embedded_file("data/read_safetensors.py")) + "\n\n" + out;
}

}  // namespace

std::string code_before_cells(const Trace& trace) { return newer_functions(trace) + files(trace) + seeds(trace); }

}  // namespace attn
