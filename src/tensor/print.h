#pragma once
// A tensor as print() shows it in PyTorch 1.13: precision 4, scientific mode, alignment, summary above 1000 elements.
#include <string>

#include "tensor/tensor.h"

namespace attn {

struct TensorTag {
  bool requires_grad = false;
  std::string grad_fn;        // "DivBackward0"; empty for a leaf
  bool is_parameter = false;  // "Parameter containing:\n" in front
};

/// repr(tensor).
std::string tensor_repr(const Tensor& x, const TensorTag& tag = {});

/// str(x.item()): "1.5", "3", "True". x has one element.
std::string item_text(const Tensor& x);

/// Text of single numbers for tables, with PyTorch's choice of mode for the whole tensor (fixed with 4 digits or
/// scientific), made once per tensor and then used for each element.
class NumberFormat {
 public:
  explicit NumberFormat(const Tensor& x);
  /// The element with that row-major number, without padding.
  std::string operator()(const Tensor& x, std::int64_t element) const;
  std::string operator()(double value) const;

 private:
  bool integral_ = false;  // "1." for floats that are all whole numbers
  bool scientific_ = false;
  DType dtype_;
};

}  // namespace attn
