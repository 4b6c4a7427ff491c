// What is behind the dot of a layer and of its class; the methods are in src/lib.
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/words.h"
#include "python/class.h"
#include "python/evaluator.h"
#include "text/say.h"
#include "text/unsupported.h"
#include "torch/lib.h"
#include "torch/nn/layer_call.h"

namespace attn {
namespace {

Value bound(const std::string& name, const Ref<Layer>& layer, Builtin::Native native) {
  Ref<Builtin> method = make<Builtin>(name, std::move(native));
  method->self = layer;
  method->has_self = true;
  return method;
}

// layer._modules and its like: what is written into them is registered.
bool registered(const Ref<Layer>& layer, const std::string& name, Value& out) {
  const bool are_buffers = name == "_buffers";
  if (!are_buffers && name != "_modules" && name != "_parameters") return false;
  const Role role = are_buffers ? Role::Buffer : name == "_modules" ? Role::Child : Role::Parameter;
  Ref<Dict> dict = make<Dict>();
  dict->type_name = "OrderedDict";
  for (const LayerMember& member : layer->attributes)
    if (member.role == role || (are_buffers && member.role == Role::TransientBuffer))
      dict->set(make_str(member.name), member.value);
  dict->mirrored = layer;
  return out = dict, true;
}

// "weight_ih_l0", ... of a recurrent layer.
bool weight_names(const Layer& layer, std::string_view name, Value& out) {
  if (name != "_flat_weights_names" || !has_word("RNN LSTM GRU", layer.info->name)) return false;
  std::vector<Value> names;
  for (const LayerMember& member : layer.attributes)
    if (member.role == Role::Parameter) names.push_back(make_str(member.name));
  return out = make_list(std::move(names)), true;
}

// What src/lib has for layers of this kind: in the class of the row, else in Module.
Value library_method(Interpreter& interpreter, const LayerInfo& info, std::string_view name) {
  Value own;
  if (!info.file.empty()) own = library_function(interpreter, info.file, fmt::format("{}.{}", info.name, name));
  return own.is_none() ? library_function(interpreter, "module", fmt::format("Module.{}", name)) : own;
}

}  // namespace

bool layer_attribute(Interpreter& interpreter, const Ref<Layer>& layer, const std::string& name, Value& out) {
  if (const Value* value = layer->find(name)) return out = *value, true;
  if (name == "training") return out = Value(layer->training), true;
  if (name == "__class__") return out = make<TypeObject>(std::string(layer->info->path)), true;
  if (name == "__call__") {
    out = bound(name, layer,
                [layer](Interpreter& in, CallArguments& arguments) { return run_forward(in, layer, arguments); });
    return true;
  }
  if (name == "forward") {
    out = bound(name, layer,
                [layer](Interpreter& in, CallArguments& arguments) { return plain_forward(in, layer, arguments); });
    return true;
  }
  if (name == "__dict__") return out = layer_dict(interpreter, layer), true;
  if (registered(layer, name, out) || layer_table(layer, name, out) || weight_names(*layer, name, out)) return true;
  if (name == "reset_parameters" && !draws_anew(*layer)) return false;
  if (name == "reset_running_stats" && !layer->info->name.starts_with("BatchNorm")) return false;
  const Value method = name == "__init__" ? Value() : library_method(interpreter, *layer->info, name);
  if (method.is_none()) return false;
  if (const Wrapped* own = method.as<Wrapped>()) return out = own->function, true;  // a static method
  out = bound(name, layer, [layer, method](Interpreter& in, CallArguments& arguments) {
    arguments.positional.insert(arguments.positional.begin(), layer);
    arguments.spans.insert(arguments.spans.begin(), arguments.span);
    return in.call(method, arguments);
  });
  return true;
}

std::vector<std::string> layer_attribute_names(const Layer& layer) {
  std::vector<std::string> names = {"training", "forward"};
  for (const LayerMember& member : layer.attributes) names.push_back(member.name);
  Interpreter& interpreter = *Interpreter::current();
  std::vector<Value> classes = {library_function(interpreter, "module", "Module")};
  if (!layer.info->file.empty()) classes.push_back(library_function(interpreter, layer.info->file, layer.info->name));
  for (const Value& type : classes)
    for (std::string& name : attribute_names(type)) names.push_back(std::move(name));
  return names;
}

// ---- behind the dot of a class ----

namespace {

// nn.Module.__init__(self), nn.Linear.forward(self, x): the layer is the first argument.
Value unbound(const std::string& name) {
  return make<Builtin>(name, [name](Interpreter& in, CallArguments& arguments) {
    const Ref<Layer> layer = arguments.positional.empty() ? Ref<Layer>() : arguments.positional[0].ref<Layer>();
    if (!layer) throw CellError(Code::Type, arguments.span, say("argument.layer", {{"function", name}}));
    CallArguments rest = arguments;
    rest.positional.erase(rest.positional.begin());
    if (!rest.spans.empty()) rest.spans.erase(rest.spans.begin());
    if (name == "__init__") return initialize_layer(in, *layer, rest), Value();
    Value method;
    layer_attribute(in, layer, name, method);
    return in.call(method, rest);
  });
}

}  // namespace

bool layer_class_attribute(const LayerInfo& info, const std::string& name, Value& out) {
  if (name == "from_pretrained" && info.name.starts_with("Embedding")) {
    const std::string file(info.file.empty() ? "layers" : info.file);
    out = library_function(*Interpreter::current(), file, std::string(info.name) + ".from_pretrained");
    return true;
  }
  const bool is_native = name == "__init__" || name == "forward" || name == "__call__";
  const Value method = is_native ? Value() : library_method(*Interpreter::current(), info, name);
  if (!is_native && method.is_none()) return false;
  if (const Wrapped* own = method.as<Wrapped>()) return out = own->function, true;  // a static method
  out = unbound(name);
  return true;
}

}  // namespace attn
