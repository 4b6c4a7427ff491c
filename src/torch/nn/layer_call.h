#pragma once
// What the rows of layers share: arguments of their Python functions, parameters with named axes, calls of ops.
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "python/interpreter.h"
#include "torch/nn/layer.h"

namespace attn {

/// The arguments of a function that PyTorch wrote in Python, one per parameter of `signature` ("(input: any, hx: any? =
/// None)"); types are not checked.
///   Errors: TypeError with Python's text: "Linear.forward() missing 1 required positional argument: 'input'".
std::vector<Value> python_arguments(std::string_view function, std::string_view signature,
                                    const CallArguments& arguments);

/// What Module.__repr__ gives, whatever the class of the layer says. Native: every step that shows a layer asks for it.
std::string plain_layer_repr(const Layer& layer);

/// An argument of the layer that is being made, kept under its own name.
void keep(Layer& layer, const OpCall& call, std::initializer_list<std::string_view> names);

/// A setting or parameter that construct() has put there.
const Value& setting(const Layer& layer, std::string_view name);
std::string setting_text(const Layer& layer, std::string_view name);

/// The one argument of a forward(self, input).
Value only_input(const Layer& layer, const CallArguments& arguments);

/// The forward() of what has none.
///   Errors: NotImplementedError.
Value forward_missing(Interpreter& interpreter, Layer& layer, CallArguments& arguments);

/// Refuses inplace=True.
void refuse_in_place(OpCall& call);

/// For rows without settings to show, and for those that nothing has to be made of.
std::string no_settings(const Layer& layer);
void construct_plain(Layer& layer, OpCall& call);

/// Adds a parameter to a layer that is being made. `sizes` are its sizes as the cell gave them: their origins name its
/// axes; None leaves an axis unnamed. An undefined tensor gives None, as bias=False does.
void add_parameter(Layer& layer, const std::string& name, const Tensor& tensor, const std::vector<Value>& sizes);

/// layer.__dict__: its settings, and tables of what is registered. Written into, it changes the layer.
Value layer_dict(Interpreter& interpreter, const Ref<Layer>& layer);
/// One of its tables by its name, "_forward_hooks"; parameters, buffers and layers are in layer_attributes.cpp.
bool layer_table(const Ref<Layer>& layer, std::string_view name, Value& out);

/// Calls an op for a layer: `input` is the first argument of the layer's call, `others` follow.
Value call_layer_op(Interpreter& interpreter, std::string_view op, const CallArguments& call, const Value& input,
                    std::initializer_list<Value> others, std::vector<std::pair<std::string, Value>> keywords = {});

/// A layer of torch.nn by the name of its row, with keywords: make_layer(in, "Linear", {{"in_features", n}}, span).
Ref<Layer> make_layer(Interpreter& interpreter, std::string_view name,
                      std::vector<std::pair<std::string, Value>> keywords, Span span);

/// draw_conv(layer, bias, *sizes) of src/lib: the parameters of a convolution (layers_conv.cpp).
Value draw_conv(Interpreter& interpreter, CallArguments& arguments);

// The rows, one family a file; layers.cpp puts them together.
std::span<const LayerInfo> basic_layers();        // layers_basic.cpp: Linear, Embedding, Dropout, Flatten, ...
std::span<const LayerInfo> activation_layers();   // layers_activation.cpp
std::span<const LayerInfo> norm_layers();         // layers_norm.cpp
std::span<const LayerInfo> loss_layers();         // layers_loss.cpp
std::span<const LayerInfo> conv_layers();         // layers_conv.cpp
std::span<const LayerInfo> recurrent_layers();    // recurrent_layers.cpp
std::span<const LayerInfo> attention_layers();    // attention_layer.cpp
std::span<const LayerInfo> transformer_layers();  // transformer_layers.cpp
std::span<const LayerInfo> container_layers();    // layer_containers.cpp

}  // namespace attn
