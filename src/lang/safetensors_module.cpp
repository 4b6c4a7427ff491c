// safetensors.torch: load_file, for programs of one's own. Cells of lessons read no files, so that a lesson from a
// stranger is safe to run.
#include <algorithm>

#include "base/files.h"
#include "lang/library.h"
#include "tensor/safetensors.h"

namespace attn {
namespace {

constexpr const char* kNoFiles =
    "lessons and typed code read no files, so that those of strangers are safe to run; `attn-tutor run` reads files "
    "that lie beside your own program";

void require_cpu(MethodCall& call, const Value& device) {
  if (device.is_none() || repr(device) == "'cpu'" || repr(device) == "device(type='cpu')") return;
  call.fail(Code::Unsupported, "load_file() on the device " + repr(device) + ": everything runs on the processor here");
}

/// load_file(filename, device='cpu'): a dict of all tensors, in the order of their data.
Value load_file(MethodCall& call) {
  const std::string& name = call.text(0);
  require_cpu(call, call[1]);
  const FileOpener& open = call.interpreter.options().open_file;
  if (!open) throw CellError(Code::Unsupported, call.given.span, "load_file() may not read files here", kNoFiles);
  try {
    const SafetensorsFile file(open(name));
    std::vector<const StoredTensor*> order;
    for (const StoredTensor& tensor : file.tensors()) order.push_back(&tensor);
    std::stable_sort(order.begin(), order.end(),
                     [](const StoredTensor* a, const StoredTensor* b) { return a->begin < b->begin; });
    Ref<Dict> tensors = make<Dict>();
    for (const StoredTensor* tensor : order) tensors->set(make_str(tensor->name), make_tensor(file.read(*tensor)));
    return tensors;
  } catch (const FileError& error) {
    call.fail(Code::Runtime, error.what());
  }
}

constexpr Method kSafetensors[] = {{"load_file", 1, 2, load_file, "filename device"}};

}  // namespace

std::span<const Method> safetensors_functions() { return kSafetensors; }

}  // namespace attn
