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

/// The files of data/ that the cells read.
std::string files(const Trace& trace) {
  std::string out;
  for (const DataFile& file : trace.files)
    out += fmt::format("FILES[{}] = {}\n", string_literal(file.name), string_literal(file.base64));
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

/// What reads them: load_file() of safetensors.
std::string with_reader(const std::string& code) {
  return code.empty() ? code : std::string(embedded_file("data/read_safetensors.py")) + "\n\n" + code;
}

}  // namespace

std::string code_before_cells(const Trace& trace) {
  return newer_functions(trace) + with_reader(files(trace) + weights(trace)) + seeds(trace);
}

}  // namespace attn
