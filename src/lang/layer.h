#pragma once
// Layers: the objects that nn.Linear(8, 8) and its like make. A layer owns its parameters and calls ops of the table,
// so what it does is recorded like any other line.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lang/op.h"
#include "lang/value.h"

namespace attn {

struct LayerInfo;

struct Layer : Object {
  static constexpr Kind kKind = Kind::Layer;
  explicit Layer(const LayerInfo* i) : Object(kKind), info(i) {}
  void clear() override;

  /// A parameter, setting or sub-layer by its name; null when there is none.
  const Value* find(std::string_view name) const;
  /// What `layer.name = value` does. Errors: TypeError when a parameter would become something else.
  void set(std::string_view name, Value value);

  /// A setting that construct() has put there, by its type.
  std::int64_t integer(std::string_view name) const;
  bool flag(std::string_view name) const;

  const LayerInfo* info;
  std::vector<std::pair<std::string, Value>> attributes;  // in PyTorch's order: settings, then parameters
  bool training = true;
};

/// One kind of layer.
struct LayerInfo {
  std::string_view name;       // "Linear"
  std::string_view path;       // "torch.nn.modules.linear.Linear": what type() shows
  std::string_view signature;  // as in OpInfo: "(in_features: int, out_features: int, bias: bool = True)"
  std::string_view doc;
  std::string_view example;
  /// Fills the new layer, drawing its parameters as PyTorch does.
  void (*construct)(Layer& layer, OpCall& call);
  /// What calling the layer does.
  Value (*forward)(Interpreter& interpreter, Layer& layer, CallArguments& arguments);
  /// What repr() shows between the parentheses.
  std::string (*settings)(const Layer& layer);
};

std::span<const LayerInfo> all_layers();

/// "Linear" -> its row; null when there is none.
const LayerInfo* find_layer(std::string_view name);

/// nn.Linear(...): binds the arguments, constructs.
///   Errors: CellError with the text of PyTorch or of Python.
Value construct_layer(Interpreter& interpreter, const LayerInfo& info, const CallArguments& arguments);

/// nn.Parameter(data): a leaf that shares the tensor's elements.
///   Errors: CellError with Python's or PyTorch's text.
inline constexpr std::string_view kParameterPath = "torch.nn.parameter.Parameter";
Value construct_parameter(const CallArguments& arguments);

/// The tensors that are parameters, with their names, in PyTorch's order; those of sub-layers as "0.weight".
std::vector<std::pair<std::string, Ref<TensorObject>>> parameters_of(const Layer& layer);

/// The layers inside of a layer, by name.
std::vector<std::pair<std::string, Ref<Layer>>> children_of(const Layer& layer);

/// Whether a layer is a sequence of layers, with len(), [i] and iteration: nn.Sequential, nn.ModuleList.
bool is_sequence(const Layer& layer);

std::string layer_repr(const Layer& layer);

/// An attribute or method of a layer (weight, training, eval, train, parameters). None of these: no value.
bool layer_attribute(Interpreter& interpreter, const Ref<Layer>& layer, const std::string& name, Value& out);
std::vector<std::string> layer_attribute_names(const Layer& layer);

}  // namespace attn
