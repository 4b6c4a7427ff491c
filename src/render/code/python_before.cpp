// What an exported program needs before its first cell.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/embedded.h"
#include "base/sha256.h"
#include "base/text.h"
#include "engine/literals.h"
#include "render/code/python_code.h"
#include "tensor/io/safetensors.h"

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

/// The files that the cells read: a folder with them in which the cells run.
std::string files(const Trace& trace) {
  if (trace.files.empty()) return {};
  std::string out = std::string(embedded_file("data/carried_files.py")) + "\n\n";
  for (const DataFile& file : trace.files)
    out += fmt::format("{}({}, {})\n", file.is_carried ? "carry" : "find", string_literal(file.name),
                       string_literal(file.is_carried ? file.base64 : file.sha256));
  return out;
}

constexpr std::int64_t kMostInlined = std::int64_t{1} << 20;  // bytes

/// The numbers of --weights in the program itself; nothing where they are many, or not in the record.
std::string inlined_weights(const Trace& trace) {
  TensorsByName tensors;
  std::set<std::string> names;
  std::int64_t bytes = 0;
  for (const LoadedTensor& loaded : trace.weights->loaded) {
    const RecordedValue& value = trace.value(loaded.value);
    if (!names.insert(loaded.name).second) continue;
    if (!value.kept) return {};
    bytes += value.tensor.numel() * size_of(value.dtype);
    if (bytes > kMostInlined) return {};
    tensors.emplace_back(loaded.name, value.tensor);
  }
  return fmt::format("WEIGHTS.update(read_safetensors(base64.b64decode(\"{}\")))\n",
                     base64(safetensors_bytes(tensors)));
}

/// The same, read from the file where the program runs.
std::string weights_of_file(const Trace& trace) {
  const std::string& path = trace.options.given_weights.file;
  const bool is_array = path.ends_with(".npy");
  std::set<std::string> names;
  for (const LoadedTensor& loaded : trace.weights->loaded) names.insert(string_literal(loaded.tensor));
  std::string out =
      is_array ? fmt::format("import numpy\n\n_array = torch.from_numpy(numpy.load({}))\n", string_literal(path))
               : fmt::format("_file = load_file({}, names={{{}}})\n", string_literal(path),
                             join({names.begin(), names.end()}, ", "));
  for (const LoadedTensor& loaded : trace.weights->loaded)
    out += fmt::format("WEIGHTS[{}] = {}{}\n", string_literal(loaded.name),
                       is_array ? "_array" : fmt::format("_file[{}]", string_literal(loaded.tensor)), loaded.part);
  return out;
}

std::string weights(const Trace& trace) {
  if (!trace.weights || trace.weights->loaded.empty()) return {};
  const std::string inlined = inlined_weights(trace);
  return std::string(embedded_file("data/load_weights.py")) + "\n\n" +
         (inlined.empty() ? weights_of_file(trace) : inlined);
}

/// What reads them, and tensors of files: load_file() of safetensors.
std::string reader(const Trace& trace, const std::string& weights) {
  const bool reads = std::any_of(trace.files.begin(), trace.files.end(),
                                 [](const DataFile& file) { return file.name.ends_with(".safetensors"); });
  return reads || !weights.empty() ? std::string(embedded_file("data/read_safetensors.py")) + "\n\n" : std::string();
}

}  // namespace

std::string code_before_cells(const Trace& trace) {
  const std::string loads = weights(trace);
  return newer_functions(trace) + reader(trace, loads) + files(trace) + loads + seeds(trace);
}

}  // namespace attn
