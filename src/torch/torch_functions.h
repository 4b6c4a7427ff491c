#pragma once
// Members of torch that are no ops of tensors: torch.device, torch.finfo, torch.cuda.is_available, set_printoptions.
#include <span>

#include "python/object_builtins.h"

namespace attn {

/// torch.device("cpu"), ("cuda", 1), (index)
///   Errors: TypeError, RuntimeError for what names no device.
Value torch_device(const CallArguments& arguments);

/// Rows by their whole path: "torch.cuda.is_available".
std::span<const NativeRow> torch_functions();

}  // namespace attn
