#pragma once
// Signatures of rows as data: "(input: Tensor) | (input: Tensor, dim: int, keepdim: bool = False)" has two overloads.
#include <string>
#include <string_view>
#include <vector>

#include "python/value.h"

namespace attn {

/// One parameter of a signature, parsed once.
struct OpParameter {
  std::string name;
  std::string type;
  bool optional = false;  // may be None
  bool keyword_only = false;
  bool variadic = false;  // *size
  bool has_default = false;
  std::string default_text;
};

using Overload = std::vector<OpParameter>;

/// The overloads of a signature, in the order in which they are tried; parsed once per text. What does not parse is our
/// own bug: std::logic_error.
const std::vector<Overload>& overloads_of(std::string_view signature);

/// The value of a default: None, True, 1, 0.5, 'mean'.
Value default_value(const OpParameter& parameter);

/// What PyTorch calls the type in its messages: "tuple of ints", "torch.dtype".
std::string_view torch_type(const OpParameter& parameter);

}  // namespace attn
