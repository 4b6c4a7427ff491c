#include "tensor/ops/patches.h"

#include <algorithm>
#include <array>

#include "tensor/core/error.h"
#include "tensor/core/work.h"
#include "tensor/ops/layout.h"

namespace attn {
namespace {

/// One row of the result: the same place of every patch.
template <class T>
void fill_row(const T* image, std::int64_t height, std::int64_t width, std::array<std::int64_t, 2> first,
              const PatchOptions& options, std::array<std::int64_t, 2> counts, T* out) {
  for (std::int64_t i = 0; i < counts[0]; ++i) {
    const std::int64_t row = first[0] + i * options.stride[0];
    for (std::int64_t j = 0; j < counts[1]; ++j) {
      if (j % kWorkChunk == 0) look();
      const std::int64_t column = first[1] + j * options.stride[1];
      const bool is_inside = row >= 0 && row < height && column >= 0 && column < width;
      *out++ = is_inside ? image[row * width + column] : T{0};
    }
  }
}

template <class T>
Tensor patches_of(const Tensor& x, const PatchOptions& options) {
  const std::int64_t channels = x.size(1), height = x.size(2), width = x.size(3);
  const auto counts = patch_counts(height, width, options);
  const std::int64_t places = options.kernel[0] * options.kernel[1], number = counts[0] * counts[1];
  Tensor result = Tensor::empty({x.size(0), channels * places, number}, x.dtype());
  const T* from = x.data<T>();
  T* to = result.mutable_data<T>();
  const auto rows = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t place = row % places, image = row / places;
      const std::array<std::int64_t, 2> first = {place / options.kernel[1] * options.dilation[0] - options.before[0],
                                                 place % options.kernel[1] * options.dilation[1] - options.before[1]};
      fill_row(from + image * height * width, height, width, first, options, counts, to + row * number);
    }
  };
  in_chunks(x.size(0) * channels * places, rows, number);
  return result;
}

}  // namespace

std::array<std::int64_t, 2> patch_counts(std::int64_t height, std::int64_t width, const PatchOptions& options) {
  const std::array<std::int64_t, 2> sizes = {height, width};
  std::array<std::int64_t, 2> counts{};
  for (std::size_t i = 0; i < 2; ++i) {
    constexpr std::int64_t kMost = std::int64_t{1} << 31;  // products of two such sizes are no overflow
    if (std::max({options.kernel[i], options.dilation[i], options.before[i], options.after[i]}) >= kMost)
      throw TensorError("unfold.sizes", Code::Value, "RuntimeError",
                        "kernel size, dilation and padding must be less than 2147483648");
    const std::int64_t extent = options.dilation[i] * (options.kernel[i] - 1) + 1;
    const std::int64_t room = sizes[i] + options.before[i] + options.after[i] - extent;
    counts[i] = room < 0 ? 0 : room / options.stride[i] + 1;
  }
  return counts;
}

Tensor patches(const Tensor& x, const PatchOptions& options) {
  const Tensor in_order = contiguous(x);
  return dispatch(x.dtype(), [&]<class T>(T) { return patches_of<T>(in_order, options); });
}

}  // namespace attn
