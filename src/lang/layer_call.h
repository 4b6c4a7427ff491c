#pragma once
// What the rows of layers share: arguments of their Python functions, parameters with named axes, calls of ops.
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "lang/interpreter.h"
#include "lang/layer.h"

namespace attn {

/// The arguments of a function that PyTorch wrote in Python, one per parameter of `signature` ("(input: any, hx: any? =
/// None)"); types are not checked.
///   Errors: TypeError with Python's text: "Linear.forward() missing 1 required positional argument: 'input'".
std::vector<Value> python_arguments(std::string_view function, std::string_view signature,
                                    const CallArguments& arguments);

/// Adds a parameter to a layer that is being made. `sizes` are its sizes as the cell gave them: their origins name its
/// axes; None leaves an axis unnamed. An undefined tensor gives None, as bias=False does.
void add_parameter(Layer& layer, std::string name, const Tensor& tensor, const std::vector<Value>& sizes);

/// Refuses a type of parameters that is not known here.
void require_float32(OpCall& call);

/// Calls an op for a layer: `input` is the first argument of the layer's call, `others` follow.
Value call_layer_op(Interpreter& interpreter, std::string_view op, const CallArguments& call, const Value& input,
                    std::initializer_list<Value> others, std::vector<std::pair<std::string, Value>> keywords = {});

// nn.GRU (gru.cpp)
inline constexpr std::string_view kGruSignature =
    "(input_size: int, hidden_size: int, num_layers: int = 1, bias: bool = True, batch_first: bool = False, dropout: "
    "float = 0.0, bidirectional: bool = False, device: device? = None, dtype: dtype? = None)";
void construct_gru(Layer& layer, OpCall& call);
Value forward_gru(Interpreter& interpreter, Layer& layer, CallArguments& arguments);
std::string gru_settings(const Layer& layer);

}  // namespace attn
