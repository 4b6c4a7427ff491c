#pragma once
// Members of torch that are no ops of tensors: torch.device, torch.finfo, torch.cuda.is_available, set_printoptions.
#include <span>

#include "python/object_builtins.h"

namespace attn {

/// Rows by their whole path: "torch.cuda.is_available".
std::span<const NativeRow> torch_functions();

}  // namespace attn
