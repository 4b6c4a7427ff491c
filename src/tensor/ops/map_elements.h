#pragma once
// What pointwise ops with one operand are made of: a function of one number, and which element types it takes.
#include "tensor/core/scalar_type.h"
#include "tensor/kernels/levels.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/zip.h"

namespace attn {

/// f in the element's own type; integers and Bool become Float32 first.
template <class F>
Tensor map_as_floats(const Tensor& x, F f) {
  if (x.dtype() == DType::Float64) return map<double>(x, f);
  return map<float>(to(x, DType::Float32), f);
}

/// f in double, its result rounded once to the element's type.
template <class F>
Tensor map_in_double(const Tensor& x, F f) {
  return map_as_floats(x, [f]<class T>(T value) { return static_cast<T>(f(static_cast<double>(value))); });
}

template <class T>
Tensor map_by_kernel(const Tensor& x, MapKernel<T> kernel);

/// The same by a kernel: `choose` takes it from FloatKernels.
template <class Choose>
Tensor map_by_kernel(const Tensor& x, Choose choose) {
  if (x.dtype() == DType::Float64) return map_by_kernel<double>(x, choose(kernels().float64));
  return map_by_kernel<float>(to(x, DType::Float32), choose(kernels().float32));
}

/// The same for floats only; integers get PyTorch's refusal with the name of its kernel.
template <class F>
Tensor map_floats_only(const Tensor& x, const char* kernel, F f) {
  if (!is_floating(x.dtype())) throw_not_implemented(kernel, x.dtype());
  return map_in_double(x, f);
}

template <class Choose>
Tensor map_floats_by_kernel(const Tensor& x, const char* kernel, Choose choose) {
  if (!is_floating(x.dtype())) throw_not_implemented(kernel, x.dtype());
  return map_by_kernel(x, choose);
}

}  // namespace attn
