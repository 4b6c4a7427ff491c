#pragma once
// Several tensors into one, and one into several.
#include <functional>
#include <initializer_list>
#include <vector>

#include "tensor/core/tensor.h"

namespace attn {

/// Tensors that are kept elsewhere. A program may name one of them ten million times: a copy of each would cost more
/// than what is made of them.
class TensorList : public std::vector<const Tensor*> {
 public:
  TensorList() = default;
  TensorList(const std::vector<Tensor>& tensors) { add(tensors); }
  TensorList(std::initializer_list<Tensor> tensors) { add(tensors); }

 private:
  template <class Range>
  void add(const Range& tensors) {
    for (const Tensor& x : tensors) push_back(&x);
  }
};

/// Errors: TensorError "cat.size" (another axis differs), "cat.dims", "cat.empty".
Tensor cat(const TensorList& tensors, std::int64_t dim = 0);
/// A new axis at `dim`. Errors: TensorError "stack.size".
Tensor stack(const TensorList& tensors, std::int64_t dim = 0);
Tensor hstack(const TensorList& tensors);
Tensor vstack(const TensorList& tensors);
/// cat() of what `change` makes of each.
using TensorChange = Tensor (*)(const Tensor&);
Tensor cat_changed(const TensorList& tensors, TensorChange change, std::int64_t dim);
/// Views, each given away as soon as it is made: an interrupt should not have to free a million that wait.
/// Errors: RuntimeError when the sizes do not add up.
using TakePart = std::function<void(Tensor)>;
void split(const Tensor& x, std::int64_t size, std::int64_t dim, const TakePart& take);
void split(const Tensor& x, const Shape& sizes, std::int64_t dim, const TakePart& take);
void chunk(const Tensor& x, std::int64_t chunks, std::int64_t dim, const TakePart& take);
void unbind(const Tensor& x, std::int64_t dim, const TakePart& take);
std::vector<Tensor> split(const Tensor& x, std::int64_t size, std::int64_t dim = 0);
std::vector<Tensor> split(const Tensor& x, const Shape& sizes, std::int64_t dim = 0);
std::vector<Tensor> chunk(const Tensor& x, std::int64_t chunks, std::int64_t dim = 0);
std::vector<Tensor> unbind(const Tensor& x, std::int64_t dim = 0);
Tensor repeat(const Tensor& x, const Shape& repeats);

}  // namespace attn
