#pragma once
// Cutting images into patches, the part of a convolution that is no matrix product.
#include <array>

#include "tensor/core/tensor.h"

namespace attn {

/// How patches lie in the padded image; each pair is (down, across).
struct PatchOptions {
  std::array<std::int64_t, 2> kernel = {1, 1};
  std::array<std::int64_t, 2> dilation = {1, 1};
  std::array<std::int64_t, 2> stride = {1, 1};
  std::array<std::int64_t, 2> before = {0, 0};  // zeros put in front of each axis
  std::array<std::int64_t, 2> after = {0, 0};   // and behind it
};

/// How many patches there are down and across; below 1 where the kernel is larger than the image.
std::array<std::int64_t, 2> patch_counts(std::int64_t height, std::int64_t width, const PatchOptions& options);

/// Every patch as a column.
///   Shapes: x (N, C, H, W) -> (N, C * kernel[0] * kernel[1], number of patches), zeros where a patch stands over.
///   Errors: none; the caller has checked that there is a patch.
///   Source: torch.nn.functional.unfold (im2col).
Tensor patches(const Tensor& x, const PatchOptions& options);

}  // namespace attn
