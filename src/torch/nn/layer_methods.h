#pragma once
// What the files with methods of layers share. A method is a row: name, signature, function.
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "python/interpreter.h"
#include "torch/nn/layer.h"

namespace attn {

/// A call of a method: its arguments by place, as its signature has them.
struct LayerCall {
  Interpreter& interpreter;
  const Ref<Layer>& layer;
  CallArguments& given;
  std::vector<Value> arguments = {};

  /// Refuses to change a layer in a cell marked `wrong`.
  void require_effects() const;
  [[noreturn]] void fail(Code code, std::string message) const;
  /// An argument that has to be a str.
  std::string text(std::size_t i) const;
};

struct LayerMethod {
  std::string_view name;
  std::string_view signature;  // for python_arguments()
  Value (*function)(LayerCall& call);
};

// layer_inside.cpp
Value parameters(LayerCall& call);
Value named_parameters(LayerCall& call);
Value buffers(LayerCall& call);
Value named_buffers(LayerCall& call);
Value children(LayerCall& call);
Value named_children(LayerCall& call);
Value modules(LayerCall& call);
Value named_modules(LayerCall& call);

// layers_conv.cpp
/// draw_conv(layer, bias, *sizes) of src/lib: the parameters of a convolution.
Value draw_conv(Interpreter& interpreter, CallArguments& arguments);

}  // namespace attn
