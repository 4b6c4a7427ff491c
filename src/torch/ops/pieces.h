#pragma once
// Small pieces that rows of several families share: results of composites, tuples with named fields.
#include <string_view>
#include <utility>
#include <vector>

#include "tensor/ops/reduce.h"
#include "torch/op.h"

namespace attn {

/// What a composite gives is its own: the history of the last step inside it is not shown.
inline Value composite(OpCall& call, Value result, std::string_view grad_fn) {
  call.set_grad_fn(grad_fn);
  return result;
}

/// The result of its last step, whose gradient keeps its name.
inline Value last_step(OpCall& call, Value result) {
  if (const TensorObject* tensor = result.as<TensorObject>()) call.set_grad_fn(tensor->grad_fn);
  return result;
}

/// torch.return_types.topk(values=..., indices=...).
inline Value named_tuple(const char* type, const std::vector<std::pair<const char*, Value>>& fields) {
  Ref<Tuple> tuple = make<Tuple>();
  tuple->type_name = type;
  for (const auto& [name, value] : fields) {
    tuple->fields.emplace_back(name);
    tuple->items.push_back(value);
  }
  return tuple;
}

inline Value values_indices(ValuesIndices pair, const char* type) {
  return named_tuple(
      type, {{"values", make_tensor(std::move(pair.values))}, {"indices", make_tensor(std::move(pair.indices))}});
}

inline Value tensor_tuple(std::vector<Tensor> tensors) {
  std::vector<Value> items;
  for (Tensor& tensor : tensors) items.push_back(make_tensor(std::move(tensor)));
  return make_tuple(std::move(items));
}

/// The tensors of `*tensors`, which may also be one list if `takes_list`.
///   Errors: TypeError for anything else among them.
std::vector<TensorObject*> only_tensors(const OpCall& call, std::string_view parameter, bool takes_list = true);

}  // namespace attn
