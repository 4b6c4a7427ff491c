#pragma once
// Layers: the objects that nn.Linear(8, 8) and its like make. A layer owns its parameters and calls ops of the table,
// so what it does is recorded like any other line.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "python/value.h"
#include "torch/op.h"

namespace attn {

struct LayerInfo;

/// What an attribute of a layer is registered as. PyTorch keeps parameters, buffers and layers apart, each in the order
/// in which they came; here one list holds them all, each with its role.
enum class Role : std::uint8_t {
  Setting,          // a plain attribute
  Parameter,        // an nn.Parameter, or None in its place
  Buffer,           // register_buffer()
  TransientBuffer,  // register_buffer(persistent=False): not in state_dict()
  Child             // a layer, or None in its place
};

struct LayerMember {
  std::string name;
  Value value;
  Role role = Role::Setting;
  Object* object() const { return value.object(); }
};

struct Layer : Object {
  static const Type kType;
  explicit Layer(const LayerInfo* i) : Object(kType), info(i) {}
  void clear() override;
  std::optional<std::unique_ptr<Kept>> keep() override {
    return kept_members(*this, &Layer::attributes, &Layer::training, &Layer::is_initialized, &Layer::hooks);
  }

  /// A parameter, buffer, setting or sub-layer by its name; null when there is none.
  const Value* find(std::string_view name) const;
  const LayerMember* member(std::string_view name) const;
  /// What `layer.name = value` does: a Parameter and a layer register themselves.
  ///   Errors: TypeError when a parameter, buffer or layer would become something else, AttributeError before
  ///   Module.__init__.
  void set(std::string_view name, Value value);
  /// Registers: in the place that the name has in this role, else at the end. Another role of the name ends.
  void add(std::string_view name, Value value, Role role);
  /// What `del layer.name` does. False when there is none.
  bool erase(std::string_view name);

  /// A setting that construct() has put there, by its type.
  std::int64_t integer(std::string_view name) const;
  bool flag(std::string_view name) const;

  const LayerInfo* info;
  std::vector<LayerMember> attributes;
  bool training = true;
  int made_in = 0;             // Interpreter::fork_number() when it was made
  Value type;                  // the class of a cell that made it; None: one of torch.nn
  bool is_initialized = true;  // false until Module.__init__ was called
  Value hooks;                 // a dict from numbers to ("before" or "after", function); None: none was registered
};

/// One kind of layer.
struct LayerInfo {
  std::string_view name;       // "Linear"
  std::string_view path;       // "torch.nn.modules.linear.Linear": what type() shows
  std::string_view signature;  // as in OpInfo: "(in_features: int, out_features: int, bias: bool = True)"
  std::string_view doc;
  std::string_view example;
  /// Fills the new layer, drawing its parameters as PyTorch does. Like the next two null where src/lib does it.
  void (*construct)(Layer& layer, OpCall& call);
  /// What calling the layer does.
  Value (*forward)(Interpreter& interpreter, Layer& layer, CallArguments& arguments);
  /// extra_repr(): what repr() shows between the parentheses.
  std::string (*settings)(const Layer& layer);
  std::string_view file = {};  // of src/lib that has a class of this name, with __init__, forward and extra_repr
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
bool is_parameter(const Value& value);

/// Whether such a layer has reset_parameters(), which its constructor calls.
bool draws_anew(const Layer& layer);

/// What __init__ of a layer of torch.nn does, on a layer that exists: super().__init__(...) of a class of a cell.
void initialize_layer(Interpreter& interpreter, Layer& layer, const CallArguments& arguments);

/// A class of torch.nn behind its dot: nn.Module.__init__, nn.Embedding.from_pretrained. None of these: no value.
bool layer_class_attribute(const LayerInfo& info, const std::string& name, Value& out);

/// "MyAttention" for a layer of a cell's class, else "Linear".
std::string layer_name(const Layer& layer);

using NamedTensors = std::vector<std::pair<std::string, Ref<TensorObject>>>;
using NamedLayers = std::vector<std::pair<std::string, Ref<Layer>>>;

/// The parameters in PyTorch's order: the layer's own, then those of its sub-layers as "0.weight". Each is there once.
NamedTensors parameters_of(const Layer& layer, const std::string& prefix = {}, bool recurse = true);
/// The same for what register_buffer() made.
NamedTensors buffers_of(const Layer& layer, const std::string& prefix = {}, bool recurse = true);

/// The layers inside of a layer, by name, each once.
NamedLayers children_of(const Layer& layer);
/// The layer itself, the layers inside, and those inside of them: named_modules().
NamedLayers modules_of(const Layer& layer, const std::string& prefix = {});

// Layers that are containers (layer_containers.cpp): nn.Sequential, ModuleList, ModuleDict, ParameterList,
// ParameterDict.

bool is_container(const Layer& layer);
/// Whether what it holds is found by name: in nn.ModuleDict and ParameterDict.
bool has_keys(const Layer& layer);
/// What a loop over it gives: layers, parameters, or keys. Their number is its len().
std::vector<Value> container_items(const Layer& layer);
/// What it holds, with names: layers, or what is called "0", "1", ... in nn.ParameterList.
std::vector<LayerMember> held(const Layer& layer);
/// A method that src/lib has for it: "__getitem__". Errors: IndexError, KeyError with Python's texts.
Value call_container(Interpreter& interpreter, const Ref<Layer>& layer, std::string_view method,
                     std::vector<Value> arguments, Span span);

std::string layer_repr(const Layer& layer);

/// Runs the forward of its row.
Value plain_forward(Interpreter& interpreter, const Ref<Layer>& layer, const CallArguments& arguments);
std::string plain_settings(const Layer& layer);

/// Runs the forward of the layer's class, or that of torch.nn.
Value run_forward(Interpreter& interpreter, const Ref<Layer>& layer, const CallArguments& arguments);

/// Refuses to change a layer in a cell marked `wrong`, unless that cell made it.
void require_change(const Interpreter& interpreter, const Layer& layer, Span span);

/// An attribute or method of a layer (weight, training, eval, train, parameters). None of these: no value.
bool layer_attribute(Interpreter& interpreter, const Ref<Layer>& layer, const std::string& name, Value& out);
std::vector<std::string> layer_attribute_names(const Layer& layer);

}  // namespace attn
