#pragma once
// The part of PyTorch that is written in Python here as it is there: the files of src/lib, each parsed when it is first
// used and kept for all runs. Whoever runs calls it like any function, but its lines are no steps (is_in_library).
#include <span>
#include <string>
#include <string_view>

#include "python/natives.h"
#include "python/object_builtins.h"
#include "python/type.h"
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

/// An argument of what files of the library call: methods and attributes of the program's own may have made it.
///   Errors: TypeError unless it is that kind of object.
template <class T>
T& native_argument(const CallArguments& arguments, std::size_t place) {
  const Value& given = arguments.positional.at(place);
  if (T* const object = given.as<T>()) return *object;
  throw CellError(Code::Type, arguments.span,
                  "expected " + std::string(T::kType.name) + ", got '" + type_name(given) + "'");
}

/// What files of the library have beside Python, to reach into layers.
std::span<const NativeRow> layer_natives();  // layer_natives.cpp

/// PyTorch's name for the type of a value: "torch.FloatTensor", "torch.nn.modules.linear.Linear", "int".
std::string torch_type_name(const Value& value);

}  // namespace attn
