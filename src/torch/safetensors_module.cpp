// safetensors.torch: load_file, and safetensors: safe_open, for programs of one's own.
#include "base/files.h"
#include "python/modules/library.h"
#include "text/unsupported.h"
#include "torch/program_files.h"
#include "torch/weights_file.h"

namespace attn {
namespace {

void require_cpu(MethodCall& call, const Value& device) {
  if (device.is_none() || repr(device) == "'cpu'" || repr(device) == "device(type='cpu')") return;
  throw unsupported(call.given.span, "unsupported.weights.device",
                    {{"function", std::string(call.name)}, {"device", repr(device)}});
}

std::shared_ptr<const SafetensorsFile> open_weights(MethodCall& call) {
  std::shared_ptr<const BytesAt> bytes = open_program_file(call);
  try {
    return std::make_shared<SafetensorsFile>(std::move(bytes));
  } catch (const FileError& error) {
    call.fail(Code::Runtime, error.what());
  }
}

/// load_file(filename, device='cpu'): a dict of all tensors, in the order of their data; each is read when it is used.
Value load_file(MethodCall& call) {
  require_cpu(call, call[1]);
  const auto file = open_weights(call);
  Ref<Dict> tensors = make<Dict>();
  try {
    for (const StoredTensor* tensor : file->in_order_of_data())
      tensors->set(make_str(tensor->name), make_tensor(file->read(*tensor)));
  } catch (const FileError& error) {
    call.fail(Code::Runtime, error.what());
  }
  return tensors;
}

/// safe_open(filename, framework, device='cpu')
Value safe_open(MethodCall& call) {
  const std::string& framework = call.text(1);
  const bool is_numpy = framework == "np" || framework == "numpy";
  if (!is_numpy && framework != "pt" && framework != "torch" && framework != "pytorch")
    throw unsupported(call.given.span, "unsupported.weights.framework", {{"framework", framework}});
  require_cpu(call, call[2]);
  return make<WeightsFile>(open_weights(call), is_numpy);
}

constexpr Method kSafetensors[] = {{"safe_open", 2, 3, safe_open, "filename framework device"}};
constexpr Method kSafetensorsTorch[] = {{"load_file", 1, 2, load_file, "filename device"},
                                        {"safe_open", 2, 3, safe_open, "filename framework device"}};

}  // namespace

std::span<const Method> safetensors_functions() { return kSafetensors; }
std::span<const Method> safetensors_torch_functions() { return kSafetensorsTorch; }

}  // namespace attn
