#pragma once
// The part of PyTorch that is written in Python here as it is there: the files of src/lib, each parsed when it is first
// used and kept for all runs. Whoever runs calls it like any function, but its lines are no steps (is_in_library).
#include <span>
#include <string>
#include <string_view>

#include "python/natives.h"
#include "python/object_builtins.h"
#include "torch/op.h"

namespace attn {

/// What an op does that is the function of its name in a file: its parameters are those of the op. The history of its
/// result is that of its last step.
Value call_library(OpCall& call, std::string_view file);
template <const char* File>
Value library_op(OpCall& call) {
  return call_library(call, File);
}

/// Ops that layers alone call, by as_op() of src/lib.
std::span<const OpInfo> recurrent_ops();   // recurrent_layers.cpp
std::span<const OpInfo> multi_head_ops();  // attention_layer.cpp
std::span<const OpInfo> optimizer_ops();   // ops/optimizer.cpp

/// What files of the library have beside Python, to reach into layers.
std::span<const NativeRow> layer_natives();  // layer_natives.cpp

/// PyTorch's name for the type of a value: "torch.FloatTensor", "torch.nn.modules.linear.Linear", "int".
std::string torch_type_name(const Value& value);

}  // namespace attn
