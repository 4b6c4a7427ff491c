#pragma once
// The C++ names of element types that PyTorch uses inside error texts ("expected scalar type Float but found Long").
#include <string>

#include "tensor/core/dtype.h"
#include "tensor/core/error.h"

namespace attn {

inline std::string scalar_type_name(DType dtype) {
  static constexpr const char* kNames[] = {"Bool",   "Byte", "Char", "Short",    "UInt16", "Int",
                                           "UInt32", "Long", "Half", "BFloat16", "Float",  "Double"};
  return kNames[static_cast<int>(dtype)];
}

/// "torch.FloatTensor", as some messages name the type of a tensor.
inline std::string class_name(DType dtype) {
  static constexpr const char* kNames[] = {"CPUBoolType",          "torch.ByteTensor",   "torch.CharTensor",
                                           "torch.ShortTensor",    "torch.UInt16Tensor", "torch.IntTensor",
                                           "torch.UInt32Tensor",   "torch.LongTensor",   "torch.HalfTensor",
                                           "torch.BFloat16Tensor", "torch.FloatTensor",  "torch.DoubleTensor"};
  return kNames[static_cast<int>(dtype)];
}

/// "\"softmax_kernel_impl\" not implemented for 'Long'": what PyTorch says when a kernel lacks a type.
[[noreturn]] inline void throw_not_implemented(const std::string& kernel, DType dtype,
                                               const std::string& rule = "dtype.unsupported") {
  throw TensorError(rule, Code::Type, "RuntimeError",
                    '"' + kernel + "\" not implemented for '" + scalar_type_name(dtype) + "'");
}

/// "result type Float can't be cast to the desired output type Long": what does not fit where it is to be written.
[[noreturn]] inline void throw_cannot_cast(DType result, DType target, const std::string& rule = "inplace.type") {
  throw TensorError(rule, Code::Type, "RuntimeError",
                    "result type " + scalar_type_name(result) + " can't be cast to the desired output type " +
                        scalar_type_name(target));
}

}  // namespace attn
