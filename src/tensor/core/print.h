#pragma once
// A tensor as print() shows it in PyTorch 1.13: precision 4, scientific mode, alignment, summary above 1000 elements.
#include <cstdint>
#include <optional>
#include <string>

#include "tensor/core/tensor.h"

namespace attn {

struct TensorTag {
  bool requires_grad = false;
  std::string grad_fn;        // "DivBackward0"; empty for a leaf
  bool is_parameter = false;  // "Parameter containing:\n" in front
};

/// What torch.set_printoptions() sets.
struct PrintOptions {
  int precision = 4;              // digits after the point
  std::int64_t threshold = 1000;  // more elements than this are summarised
  std::int64_t edge_items = 3;    // shown at each end of an axis of a summary
  std::size_t line_width = 80;
  std::optional<bool> sci_mode = {};  // with exponents or without; empty: as the numbers are

  bool operator==(const PrintOptions&) const = default;
};

/// repr(tensor).
std::string tensor_repr(const Tensor& x, const TensorTag& tag = {}, const PrintOptions& options = {});

/// str(x.item()): "1.5", "3", "True". x has one element.
std::string item_text(const Tensor& x);

/// Text of single numbers for tables, with PyTorch's choice of mode for the whole tensor (fixed with 4 digits or
/// scientific), made once per tensor and then used for each element.
class NumberFormat {
 public:
  explicit NumberFormat(const Tensor& x, const PrintOptions& options = {});
  /// With or without exponents, whatever the numbers are.
  void force(bool scientific) { scientific_ = scientific; }
  /// The element with that row-major number, without padding.
  std::string operator()(const Tensor& x, std::int64_t element) const;
  std::string operator()(double value) const;

 private:
  bool integral_ = false;  // "1." for floats that are all whole numbers
  bool scientific_ = false;
  int precision_ = 4;
  DType dtype_;
};

}  // namespace attn
