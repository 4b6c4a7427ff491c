#include "tensor/ops/map_elements.h"

#include <algorithm>

#include "tensor/core/parallel.h"
#include "tensor/core/work.h"

namespace attn {

template <class T>
Tensor map_by_kernel(const Tensor& x, MapKernel<T> kernel) {
  Tensor out = empty_strided(x.shape(), x.dtype(), result_strides(x.shape(), {&x}));
  const bool has_gaps = !is_dense(x);
  if (has_gaps) assign(out, x);
  T* const to = out.mutable_data<T>();
  const T* const from = has_gaps ? to : x.data<T>();
  const std::int64_t n = x.numel();
  charge(n);
  run_jobs((n + kWorkChunk - 1) / kWorkChunk, threads(), [&]() -> Worker {
    return [&](std::int64_t job, const StopCheck&) {
      const std::int64_t begin = job * kWorkChunk;
      kernel(from + begin, to + begin, std::min(kWorkChunk, n - begin));
    };
  });
  return out;
}

template Tensor map_by_kernel(const Tensor& x, MapKernel<float> kernel);
template Tensor map_by_kernel(const Tensor& x, MapKernel<double> kernel);

}  // namespace attn
