#include "tensor/ops/create.h"

#include <limits>

#include "tensor/ops/pointwise.h"
#include "tests/tensor/outcome.h"

namespace attn {
namespace {

constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

// Lengths, types, PyTorch's rounding, refusals.
TEST(Create, arange) {
  check_rows({
      {"torch.arange(5)", [] { return arange(whole(0), whole(5), whole(1), DType::Int64); }, "tensor([0, 1, 2, 3, 4])"},
      {"torch.arange(0.,1.,0.1)", [] { return arange(0.0, 1.0, 0.1, DType::Float32); },
       "tensor([0.0000, 0.1000, 0.2000, 0.3000, 0.4000, 0.5000, 0.6000, 0.7000, 0.8000,\n"
       "        0.9000])"},
      {"torch.arange(5,0,-2)", [] { return arange(whole(5), whole(0), whole(-2), DType::Int64); }, "tensor([5, 3, 1])"},
      {"torch.arange(1,2.5)", [] { return arange(whole(1), 2.5, whole(1), DType::Float32); }, "tensor([1., 2.])"},
      {"torch.arange(0,5,1.5,dtype=torch.int64)", [] { return arange(whole(0), whole(5), 1.5, DType::Int64); },
       "tensor([0, 1, 2, 3, 4])"},
      {"torch.arange(1,1)", [] { return arange(whole(1), whole(1), whole(1), DType::Int64); },
       "tensor([], dtype=torch.int64)"},
      {"torch.arange(2**63-2,2**63-1)-2**62",
       [] {
         return sub(arange(whole(kHighest - 1), whole(kHighest), whole(1), DType::Int64), whole(std::int64_t{1} << 62));
       },
       "tensor([4611686018427387902])"},
      {"torch.arange(-1.,2.,0.1)", [] { return arange(-1.0, 2.0, 0.1, DType::Float32); },
       "tensor([-1.0000e+00, -9.0000e-01, -8.0000e-01, -7.0000e-01, -6.0000e-01,\n"
       "        -5.0000e-01, -4.0000e-01, -3.0000e-01, -2.0000e-01, -1.0000e-01,\n"
       "        -2.9802e-09,  1.0000e-01,  2.0000e-01,  3.0000e-01,  4.0000e-01,\n"
       "         5.0000e-01,  6.0000e-01,  7.0000e-01,  8.0000e-01,  9.0000e-01,\n"
       "         1.0000e+00,  1.1000e+00,  1.2000e+00,  1.3000e+00,  1.4000e+00,\n"
       "         1.5000e+00,  1.6000e+00,  1.7000e+00,  1.8000e+00,  1.9000e+00])"},
      {"torch.arange(0,2.,0.5,dtype=torch.float64)", [] { return arange(whole(0), 2.0, 0.5, DType::Float64); },
       "tensor([0.0000, 0.5000, 1.0000, 1.5000], dtype=torch.float64)"},
      {"torch.arange(0,7,3,dtype=torch.int32)", [] { return arange(whole(0), whole(7), whole(3), DType::Int32); },
       "tensor([0, 3, 6], dtype=torch.int32)"},
      {"torch.arange(0,3,1,dtype=torch.uint8)", [] { return arange(whole(0), whole(3), whole(1), DType::UInt8); },
       "tensor([0, 1, 2], dtype=torch.uint8)"},
      {"torch.arange(5,0,-2,dtype=torch.uint8)", [] { return arange(whole(5), whole(0), whole(-2), DType::UInt8); },
       "tensor([5, 3, 1], dtype=torch.uint8)"},
      {"torch.arange(0,5,0,dtype=torch.int32)", [] { return arange(whole(0), whole(5), whole(0), DType::Int32); },
       "RuntimeError: step must be nonzero"},
      {"torch.arange(3,dtype=torch.float16)", [] { return arange(whole(0), whole(3), whole(1), DType::Float16); },
       "tensor([0., 1., 2.], dtype=torch.float16)"},
      {"torch.arange(0,5,0)", [] { return arange(whole(0), whole(5), whole(0), DType::Int64); },
       "RuntimeError: step must be nonzero"},
      {"torch.arange(0,5,0.5,dtype=torch.int64)", [] { return arange(whole(0), whole(5), 0.5, DType::Int64); },
       "RuntimeError: step must be nonzero"},
      {"torch.arange(5,0)", [] { return arange(whole(5), whole(0), whole(1), DType::Int64); },
       "RuntimeError: upper bound and larger bound inconsistent with step sign"},
      {"torch.arange(0,5.,-1)", [] { return arange(whole(0), 5.0, whole(-1), DType::Float32); },
       "RuntimeError: upper bound and larger bound inconsistent with step sign"},
      {"torch.arange(0,nan)", [] { return arange(whole(0), kNaN, whole(1), DType::Float32); },
       "RuntimeError: unsupported range: 0 -> nan"},
      {"torch.arange(1e10,-inf,0.25)", [] { return arange(1e10, -kInf, 0.25, DType::Float32); },
       "RuntimeError: unsupported range: 1e+10 -> -inf"},
      {"torch.arange(0,inf,dtype=torch.int64)", [] { return arange(whole(0), kInf, whole(1), DType::Int64); },
       "RuntimeError: value cannot be converted to type int64_t without overflow"},
      {"torch.arange(-2**63,2**63-1)",
       [] { return arange(whole(-kHighest - 1), whole(kHighest), whole(1), DType::Int64); },
       "RuntimeError: invalid size, possible overflow?"},
      {"torch.arange(0,1e30)", [] { return arange(whole(0), 1e30, whole(1), DType::Float32); },
       "RuntimeError: invalid size, possible overflow?"},
      {"torch.arange(0,2,dtype=torch.bool)", [] { return arange(whole(0), whole(2), whole(1), DType::Bool); },
       "RuntimeError: \"arange_cpu\" not implemented for 'Bool'"},
  });
}

// full, zeros, ones, eye.
TEST(Create, filled) {
  check_rows({
      {"torch.full((2,),2.7,dtype=torch.int64)", [] { return full({2}, 2.7, DType::Int64); }, "tensor([2, 2])"},
      {"torch.full((2,),nan,dtype=torch.bool)", [] { return full({2}, kNaN, DType::Bool); }, "tensor([True, True])"},
      {"torch.full((2,),True)", [] { return full({2}, true, DType::Bool); }, "tensor([True, True])"},
      {"torch.full((),3)", [] { return full({}, whole(3), DType::Int64); }, "tensor(3)"},
      {"torch.full((2,),inf,dtype=torch.int64)", [] { return full({2}, kInf, DType::Int64); },
       "RuntimeError: value cannot be converted to type int64_t without overflow"},
      {"torch.full((2,),1e40)", [] { return full({2}, 1e40, DType::Float32); },
       "RuntimeError: value cannot be converted to type float without overflow"},
      {"torch.zeros(2,0)",
       [] {
         return zeros({2, 0});
       },
       "tensor([], size=(2, 0))"},
      {"torch.ones(2,dtype=torch.bool)", [] { return ones({2}, DType::Bool); }, "tensor([True, True])"},
      {"torch.zeros(2,-3)",
       [] {
         return zeros({2, -3});
       },
       "RuntimeError: Trying to create tensor with negative dimension -3: [2, -3]"},
      {"torch.full((-1,),2)", [] { return full({-1}, whole(2), DType::Int64); },
       "RuntimeError: Trying to create tensor with negative dimension -1: [-1]"},
      {"torch.zeros(10**10,10**10)",
       [] {
         return zeros({10000000000, 10000000000});
       },
       "RuntimeError: Storage size calculation overflowed with sizes=[10000000000, 10000000000]"},
      {"torch.empty(2**62,4)",
       [] {
         return Tensor::empty({std::int64_t{1} << 62, 4}, DType::Float32);
       },
       "RuntimeError: Storage size calculation overflowed with sizes=[4611686018427387904, 4]"},
      {"torch.zeros(0,10**18,10**18)",
       [] {
         return zeros({0, 1000000000000000000, 1000000000000000000});
       },
       "tensor([], size=(0, 1000000000000000000, 1000000000000000000))"},
      {"torch.eye(3,2)", [] { return eye(3, 2); },
       "tensor([[1., 0.],\n"
       "        [0., 1.],\n"
       "        [0., 0.]])"},
      {"torch.eye(2,dtype=torch.int64)", [] { return eye(2, 2, DType::Int64); },
       "tensor([[1, 0],\n"
       "        [0, 1]])"},
      {"torch.eye(0)", [] { return eye(0, 0); }, "tensor([], size=(0, 0))"},
      {"torch.eye(-1)", [] { return eye(-1, -1); }, "RuntimeError: n must be greater or equal to 0, got -1"},
      {"torch.eye(2,-1)", [] { return eye(2, -1); }, "RuntimeError: m must be greater or equal to 0, got -1"},
  });
}

}  // namespace
}  // namespace attn
