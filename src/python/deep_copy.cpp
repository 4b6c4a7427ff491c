// copy.deepcopy: the whole graph of objects again, each object once.
#include <unordered_map>

#include "base/limits.h"
#include "python/class.h"
#include "python/object_builtins.h"
#include "tensor/ops/layout.h"
#include "torch/nn/layer.h"

namespace attn {
namespace {

class Copier {
 public:
  Value copy(const Value& value) {
    check_stack();
    charge(1);
    const Object* object = value.object();
    if (!object) return value;
    if (const auto known = made_.find(object); known != made_.end()) return known->second;
    switch (object->kind()) {
      case Kind::List: return copy_list(value);
      case Kind::Tuple: return copy_tuple(*value.as<Tuple>());
      case Kind::Dict: return copy_dict(value);
      case Kind::Set: return copy_set(value);
      case Kind::Tensor: return copy_tensor(value);
      case Kind::Array:
        return remember(value,
                        make<Array>(copy(value.as<Array>()->tensor).ref<TensorObject>(), value.as<Array>()->is_scalar));
      case Kind::Layer: return copy_layer(value);
      case Kind::Instance: return copy_instance(value);
      default: return value;  // functions, modules and types are shared, as in Python
    }
  }

 private:
  Value remember(const Value& original, Value made) { return made_[original.object()] = std::move(made); }

  Value copy_list(const Value& value) {
    Ref<List> out = make<List>();
    remember(value, out);
    for (const Value& item : value.as<List>()->items) out->items.push_back(copy(item));
    return out;
  }
  Value copy_tuple(const Tuple& tuple) {
    Ref<Tuple> out = make<Tuple>();
    out->is_size = tuple.is_size;
    out->type_name = tuple.type_name;
    out->fields = tuple.fields;
    for (const Value& item : tuple.items) out->items.push_back(copy(item));
    return out;
  }
  Value copy_dict(const Value& value) {
    Ref<Dict> out = make<Dict>();
    out->type_name = value.as<Dict>()->type_name;
    out->factory = value.as<Dict>()->factory;
    remember(value, out);
    for (const auto& [key, item] : value.as<Dict>()->items) out->set(copy(key), copy(item));
    return out;
  }
  Value copy_set(const Value& value) {
    Ref<Set> out = make<Set>();
    remember(value, out);
    for (const Value& item : value.as<Set>()->items) out->add(item);
    return out;
  }
  Value copy_tensor(const Value& value) {
    const TensorObject& original = *value.as<TensorObject>();
    Ref<TensorObject> out = make<TensorObject>(clone(original.tensor));
    out->axes = original.axes;
    out->requires_grad = original.requires_grad;
    out->is_parameter = original.is_parameter;
    out->grad_fn = original.grad_fn;
    return remember(value, out);
  }
  Value copy_layer(const Value& value) {
    const Layer& original = *value.as<Layer>();
    Ref<Layer> out = make<Layer>(original.info);
    remember(value, out);
    out->training = original.training;
    out->type = original.type;
    out->is_initialized = original.is_initialized;
    if (const Interpreter* interpreter = Interpreter::current()) out->made_in = interpreter->fork_number();
    for (const LayerMember& member : original.attributes)
      out->attributes.push_back({member.name, copy(member.value), member.role});
    return out;
  }
  Value copy_instance(const Value& value) {
    const Instance& original = *value.as<Instance>();
    Ref<Instance> out = make<Instance>(original.type);
    remember(value, out);
    for (const auto& [name, item] : original.attributes.items) out->attributes.set(name, copy(item));
    return out;
  }

  std::unordered_map<const Object*, Value> made_;
};

}  // namespace

Value deep_copy(const Value& value) { return Copier().copy(value); }

}  // namespace attn
