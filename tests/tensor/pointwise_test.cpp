#include "tensor/ops/pointwise.h"

#include <limits>

#include "tensor/ops/layout.h"
#include "tests/tensor/outcome.h"

namespace attn {
namespace {

Tensor i() { return ints({1, 2, -3}, {3}); }
Tensor f() { return floats({1, 2, -3}, {3}); }
Tensor b() { return bools({true, false, true}, {3}); }
Tensor d() { return doubles({1, 2, -3}, {3}); }
Tensor f(double value) { return Tensor::scalar(static_cast<float>(value)); }
Scalar boolean(bool value) { return value; }

// Tensors with dimensions beat those without, which beat Python numbers, within a category.
TEST(Pointwise, promotion) {
  check_rows({
      {"b+b", [] { return add(b(), b()); }, "tensor([ True, False,  True])"},
      {"b+1", [] { return add(b(), whole(1)); }, "tensor([2, 1, 2])"},
      {"b+1.5", [] { return add(b(), 1.5); }, "tensor([2.5000, 1.5000, 2.5000])"},
      {"b*True", [] { return mul(b(), boolean(true)); }, "tensor([ True, False,  True])"},
      {"i+True", [] { return add(i(), boolean(true)); }, "tensor([ 2,  3, -2])"},
      {"i+1.5", [] { return add(i(), 1.5); }, "tensor([ 2.5000,  3.5000, -1.5000])"},
      {"i*f", [] { return mul(i(), f()); }, "tensor([1., 4., 9.])"},
      {"f+d", [] { return add(f(), d()); }, "tensor([ 2.,  4., -6.], dtype=torch.float64)"},
      {"f+T(1.5,dtype=torch.float64)", [] { return add(f(), Tensor::scalar(1.5)); },
       "tensor([ 2.5000,  3.5000, -1.5000])"},
      {"i+T(1.5,dtype=torch.float64)", [] { return add(i(), Tensor::scalar(1.5)); },
       "tensor([ 2.5000,  3.5000, -1.5000], dtype=torch.float64)"},
      {"b+T(2.5,dtype=torch.float64)", [] { return add(b(), Tensor::scalar(2.5)); },
       "tensor([3.5000, 2.5000, 3.5000], dtype=torch.float64)"},
      {"T(2)+1.5", [] { return add(Tensor::scalar(std::int64_t{2}), 1.5); }, "tensor(3.5000)"},
      {"T(True)+1", [] { return add(Tensor::scalar(true), whole(1)); }, "tensor(2)"},
      {"T(2.,dtype=torch.float64)+T([1])", [] { return add(Tensor::scalar(2.0), ints({1}, {1})); },
       "tensor([3.], dtype=torch.float64)"},
      {"d+T(1)", [] { return add(d(), Tensor::scalar(std::int64_t{1})); },
       "tensor([ 2.,  3., -2.], dtype=torch.float64)"},
      {"f+1e40", [] { return add(f(), 1e40); }, "tensor([inf, inf, inf])"},
      {"i/2", [] { return div(i(), whole(2)); }, "tensor([ 0.5000,  1.0000, -1.5000])"},
      {"b/b", [] { return div(b(), b()); }, "tensor([1., nan, 1.])"},
      {"d/i", [] { return div(d(), i()); }, "tensor([1., 1., 1.], dtype=torch.float64)"},
      {"T([16777217])/T([1])*1", [] { return mul(div(ints({16777217}, {1}), ints({1}, {1})), whole(1)); },
       "tensor([16777216.])"},
  });
}

// Broadcasting, empty tensors, tensors without dimensions, other orders of axes in memory.
TEST(Pointwise, shapes) {
  check_rows({
      {"torch.zeros(2,0)+torch.zeros(1,1)",
       [] {
         return add(zeros({2, 0}), zeros({1, 1}));
       },
       "tensor([], size=(2, 0))"},
      {"T(1.)+T(2.)", [] { return add(f(1), f(2)); }, "tensor(3.)"},
      {"T([[1.],[2.]])+T([10.,20.,30.])",
       [] {
         return add(floats({1, 2}, {2, 1}), floats({10, 20, 30}, {3}));
       },
       "tensor([[11., 21., 31.],\n"
       "        [12., 22., 32.]])"},
      {"torch.arange(6.).view(2,3).t()+T([10.,20.])",
       [] {
         return add(t(counting({2, 3})), floats({10, 20}, {2}));
       },
       "tensor([[10., 23.],\n"
       "        [11., 24.],\n"
       "        [12., 25.]])"},
      {"torch.arange(6.).view(2,3)[:,::2]*2",
       [] {
         return mul(slice(counting({2, 3}), 1, {}, {}, 2), whole(2));
       },
       "tensor([[ 0.,  4.],\n"
       "        [ 6., 10.]])"},
      {"torch.arange(3.).expand(2,3)-torch.arange(2.).view(2,1)",
       [] {
         return sub(expand(counting({3}), {2, 3}), counting({2, 1}));
       },
       "tensor([[ 0.,  1.,  2.],\n"
       "        [-1.,  0.,  1.]])"},
      {"torch.zeros(5,2,3)+torch.zeros(4,3)",
       [] {
         return add(zeros({5, 2, 3}), zeros({4, 3}));
       },
       "RuntimeError: The size of tensor a (2) must match the size of tensor b (4) at non-singleton "
       "dimension 1"},
      {"torch.zeros(0)+torch.zeros(3)", [] { return add(zeros({0}), zeros({3})); },
       "RuntimeError: The size of tensor a (0) must match the size of tensor b (3) at non-singleton "
       "dimension 0"},
      {"T([1.,2.])*T([1.,2.,3.])",
       [] {
         return mul(floats({1, 2}, {2}), f());
       },
       "RuntimeError: The size of tensor a (2) must match the size of tensor b (3) at non-singleton "
       "dimension 0"},
      {"torch.zeros(1).expand(10**10,10**9)+1",
       [] {
         return add(expand(zeros({1}), {10000000000, 1000000000}), whole(1));
       },
       "RuntimeError: numel: integer multiplication overflow"},
  });
}

// Floor towards minus infinity, the sign of the divisor for the rest.
TEST(Pointwise, division) {
  check_rows({
      {"T([5,-5,5,-5])//T([3,3,-3,-3])",
       [] {
         return floor_divide(ints({5, -5, 5, -5}, {4}), ints({3, 3, -3, -3}, {4}));
       },
       "tensor([ 1, -2, -2,  1])"},
      {"T([5,-5,5,-5])%T([3,3,-3,-3])",
       [] {
         return remainder(ints({5, -5, 5, -5}, {4}), ints({3, 3, -3, -3}, {4}));
       },
       "tensor([ 2,  1, -1, -2])"},
      {"T([5.,-5.,5.,-5.,inf])//T([inf,inf,-inf,0.,1])",
       [] {
         return floor_divide(floats({5, -5, 5, -5, kInf}, {5}), floats({kInf, kInf, -kInf, 0, 1}, {5}));
       },
       "tensor([ 0., -1., -1., -inf, nan])"},
      {"T([5.,-5.,5.,-5.,inf])%T([inf,inf,-inf,3,1])",
       [] {
         return remainder(floats({5, -5, 5, -5, kInf}, {5}), floats({kInf, kInf, -kInf, 3, 1}, {5}));
       },
       "tensor([5., inf, -inf, 1., nan])"},
      {"T([0.3])//T([0.1])", [] { return floor_divide(floats({0.3F}, {1}), floats({0.1F}, {1})); }, "tensor([3.])"},
      {"T([-0.])//3", [] { return floor_divide(floats({-0.0F}, {1}), whole(3)); }, "tensor([-0.])"},
      {"f//0", [] { return floor_divide(f(), whole(0)); }, "tensor([inf, inf, -inf])"},
      {"f%0", [] { return remainder(f(), whole(0)); }, "tensor([nan, nan, nan])"},
      {"i//0", [] { return floor_divide(i(), whole(0)); }, "RuntimeError: ZeroDivisionError"},
      {"i%T([1,0,1])",
       [] {
         return remainder(i(), ints({1, 0, 1}, {3}));
       },
       "RuntimeError: ZeroDivisionError"},
      {"T([],dtype=torch.int64)//0", [] { return floor_divide(ints({}, {0}), whole(0)); },
       "tensor([], dtype=torch.int64)"},
      {"5%T([3,-3])",
       [] {
         return remainder(whole(5), ints({3, -3}, {2}));
       },
       "tensor([ 2, -1])"},
      {"i/0", [] { return div(i(), whole(0)); }, "tensor([inf, inf, -inf])"},
      {"b//b", [] { return floor_divide(b(), b()); }, "RuntimeError: \"div_floor_cpu\" not implemented for 'Bool'"},
      {"b%True", [] { return remainder(b(), boolean(true)); },
       "RuntimeError: \"remainder_cpu\" not implemented for 'Bool'"},
  });
}

// The exponents 2, 3, -1, 0.5, ... are products and roots; integers wrap around.
TEST(Pointwise, power) {
  check_rows({
      {"f**2", [] { return pow(f(), whole(2)); }, "tensor([1., 4., 9.])"},
      {"f**3", [] { return pow(f(), whole(3)); }, "tensor([  1.,   8., -27.])"},
      {"f**-1", [] { return pow(f(), whole(-1)); }, "tensor([ 1.0000,  0.5000, -0.3333])"},
      {"f**-2", [] { return pow(f(), -2.0); }, "tensor([1.0000, 0.2500, 0.1111])"},
      {"f**0.5", [] { return pow(f(), 0.5); }, "tensor([1.0000, 1.4142,    nan])"},
      {"f**-0.5", [] { return pow(f(), -0.5); }, "tensor([1.0000, 0.7071,    nan])"},
      {"f**0", [] { return pow(f(), whole(0)); }, "tensor([1., 1., 1.])"},
      {"T([nan])**0", [] { return pow(floats({kNaN}, {1}), whole(0)); }, "tensor([1.])"},
      {"1**T([nan])", [] { return pow(whole(1), floats({kNaN}, {1})); }, "tensor([1.])"},
      {"i**-1", [] { return pow(i(), whole(-1)); },
       "RuntimeError: Integers to negative integer powers are not allowed."},
      {"b**-1", [] { return pow(b(), whole(-1)); },
       "RuntimeError: Integers to negative integer powers are not allowed."},
      {"T([1,-1,-1,2,0])**T([-1,-3,-2,-1,-1])",
       [] {
         return pow(ints({1, -1, -1, 2, 0}, {5}), ints({-1, -3, -2, -1, -1}, {5}));
       },
       "tensor([ 1, -1,  1,  0,  0])"},
      {"T([3,2])**T([62,64])",
       [] {
         return pow(ints({3, 2}, {2}), ints({62, 64}, {2}));
       },
       "tensor([5069619362125685561,                   0])"},
      {"b**2", [] { return pow(b(), whole(2)); }, "tensor([1, 0, 1])"},
      {"b**b", [] { return pow(b(), b()); }, "RuntimeError: \"pow\" not implemented for 'Bool'"},
      {"b**True", [] { return pow(b(), boolean(true)); }, "RuntimeError: \"pow\" not implemented for 'Bool'"},
      {"i**0.5", [] { return pow(i(), 0.5); }, "tensor([1.0000, 1.4142,    nan])"},
      {"2.0**i", [] { return pow(2.0, i()); }, "tensor([2.0000, 4.0000, 0.1250])"},
      {"T([0.,-0.])**T([-1.,-1.])",
       [] {
         return pow(floats({0, -0.0F}, {2}), floats({-1, -1}, {2}));
       },
       "tensor([inf, -inf])"},
      {"T([-inf,inf,-inf])**T([3.,-1.,-3.])",
       [] {
         return pow(floats({-kInf, kInf, -kInf}, {3}), floats({3, -1, -3}, {3}));
       },
       "tensor([-inf, 0., -0.])"},
      {"T([-8.,8.])**(1/3)",
       [] {
         return pow(floats({-8, 8}, {2}), 1.0 / 3);
       },
       "tensor([nan, 2.])"},
      {"10000.0**(torch.arange(0.,4.)/4)", [] { return pow(10000.0, div(counting({4}), whole(4))); },
       "tensor([   1.,   10.,  100., 1000.])"},
  });
}

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();

// What would be undefined in C++ wraps around.
TEST(Pointwise, int64_never_overflows) {
  check_rows({
      {"T([-2**63,5]).abs()",
       [] {
         return abs(ints({kLowest, 5}, {2}));
       },
       "tensor([-9223372036854775808,                    5])"},
      {"-T([-2**63,5])",
       [] {
         return neg(ints({kLowest, 5}, {2}));
       },
       "tensor([-9223372036854775808,                   -5])"},
      {"i*2**62", [] { return mul(i(), whole(std::int64_t{1} << 62)); },
       "tensor([ 4611686018427387904, -9223372036854775808,  4611686018427387904])"},
      {"T([-2**63])-1", [] { return sub(ints({kLowest}, {1}), whole(1)); }, "tensor([9223372036854775807])"},
      {"T([2**63-1])+T([1])", [] { return add(ints({-(kLowest + 1)}, {1}), ints({1}, {1})); },
       "tensor([-9223372036854775808])"},
  });
}

// PyTorch itself dies of these.
TEST(Pointwise, lowest_by_minus_one) {
  check_rows({
      {"lowest // -1", [] { return eq(floor_divide(ints({kLowest}, {1}), whole(-1)), whole(kLowest)); },
       "tensor([True])"},
      {"lowest % -1", [] { return remainder(ints({kLowest}, {1}), whole(-1)); }, "tensor([0])"},
  });
}

// NaN differs from everything; numbers take the tensor's category.
TEST(Pointwise, comparison) {
  check_rows({
      {"f==1", [] { return eq(f(), whole(1)); }, "tensor([ True, False, False])"},
      {"i==1.5", [] { return eq(i(), 1.5); }, "tensor([False, False, False])"},
      {"i<inf", [] { return lt(i(), kInf); }, "tensor([True, True, True])"},
      {"b==2", [] { return eq(b(), whole(2)); }, "tensor([False, False, False])"},
      {"b<b", [] { return lt(b(), b()); }, "tensor([False, False, False])"},
      {"T([nan,1.])!=T([nan,1.])",
       [] {
         return ne(floats({kNaN, 1}, {2}), floats({kNaN, 1}, {2}));
       },
       "tensor([ True, False])"},
      {"f>=T(2)", [] { return ge(f(), Tensor::scalar(std::int64_t{2})); }, "tensor([False,  True, False])"},
      {"f<=d", [] { return le(f(), d()); }, "tensor([True, True, True])"},
      {"0>i", [] { return gt(whole(0), i()); }, "tensor([False, False,  True])"},
      {"torch.maximum(f,T(nan))", [] { return maximum(f(), f(kNaN)); }, "tensor([nan, nan, nan])"},
      {"torch.minimum(T([nan,2.]),T([1.,nan]))",
       [] {
         return minimum(floats({kNaN, 2}, {2}), floats({1, kNaN}, {2}));
       },
       "tensor([nan, nan])"},
      {"torch.maximum(T([-0.]),T([0.]))", [] { return maximum(floats({-0.0F}, {1}), floats({0}, {1})); },
       "tensor([-0.])"},
      {"torch.maximum(b,T([2,0,1]))",
       [] {
         return maximum(b(), ints({2, 0, 1}, {3}));
       },
       "tensor([2, 0, 1])"},
      {"torch.maximum(b,~b)", [] { return maximum(b(), bitwise_not(b())); }, "tensor([True, True, True])"},
  });
}

// Bits for Bool and integers, boolean for all; NaN is true.
TEST(Pointwise, logic) {
  check_rows({
      {"~b", [] { return bitwise_not(b()); }, "tensor([False,  True, False])"},
      {"~i", [] { return bitwise_not(i()); }, "tensor([-2, -3,  2])"},
      {"~f", [] { return bitwise_not(f()); }, "RuntimeError: \"bitwise_not_cpu\" not implemented for 'Float'"},
      {"i&b", [] { return bitwise_and(i(), b()); }, "tensor([1, 0, 1])"},
      {"b|False", [] { return bitwise_or(b(), boolean(false)); }, "tensor([ True, False,  True])"},
      {"i^3", [] { return bitwise_xor(i(), whole(3)); }, "tensor([ 2,  1, -2])"},
      {"f&f", [] { return bitwise_and(f(), f()); }, "RuntimeError: \"bitwise_and_cpu\" not implemented for 'Float'"},
      {"i|1.0", [] { return bitwise_or(i(), 1.0); }, "RuntimeError: \"bitwise_or_cpu\" not implemented for 'Float'"},
      {"d^True", [] { return bitwise_xor(d(), boolean(true)); },
       "RuntimeError: \"bitwise_xor_cpu\" not implemented for 'Double'"},
      {"T([True])&torch.zeros(2,3)",
       [] {
         return bitwise_and(bools({true}, {1}), zeros({2, 3}));
       },
       "RuntimeError: \"bitwise_and_cpu\" not implemented for 'Float'"},
      {"torch.logical_and(T([nan,0.,-0.]),T([True,True,True]))",
       [] {
         return logical_and(floats({kNaN, 0, -0.0F}, {3}), bools({true, true, true}, {3}));
       },
       "tensor([ True, False, False])"},
      {"torch.logical_or(i,b)", [] { return logical_or(i(), b()); }, "tensor([True, True, True])"},
      {"torch.logical_xor(f,T([0,0,1]))",
       [] {
         return logical_xor(f(), ints({0, 0, 1}, {3}));
       },
       "tensor([ True,  True, False])"},
      {"torch.logical_not(T([nan,0.,-0.]))",
       [] {
         return logical_not(floats({kNaN, 0, -0.0F}, {3}));
       },
       "tensor([False,  True,  True])"},
      {"b-b", [] { return sub(b(), b()); },
       "RuntimeError: Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
       "`logical_xor()` operator instead."},
      {"b-1", [] { return sub(b(), whole(1)); },
       "RuntimeError: Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying "
       "to invert a mask, use the `~` or `logical_not()` operator instead."},
      {"True-b", [] { return sub(boolean(true), b()); },
       "RuntimeError: Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
       "`logical_xor()` operator instead."},
      {"f-True", [] { return sub(f(), boolean(true)); },
       "RuntimeError: Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying "
       "to invert a mask, use the `~` or `logical_not()` operator instead."},
  });
}

// Each type, NaN, infinities, signed zeros.
TEST(Pointwise, one_operand) {
  check_rows({
      {"-T([0.,nan])",
       [] {
         return neg(floats({0, kNaN}, {2}));
       },
       "tensor([-0., nan])"},
      {"-b", [] { return neg(b()); },
       "RuntimeError: Negation, the `-` operator, on a bool tensor is not supported. If you are trying to "
       "invert a mask, use the `~` or `logical_not()` operator instead."},
      {"b.abs()", [] { return abs(b()); }, "RuntimeError: \"abs_cpu\" not implemented for 'Bool'"},
      {"T([-0.,-inf]).abs()",
       [] {
         return abs(floats({-0.0F, -kInf}, {2}));
       },
       "tensor([0., inf])"},
      {"b.exp()", [] { return exp(b()); }, "tensor([2.7183, 1.0000, 2.7183])"},
      {"T([-inf,0.,1.,89.,inf,nan]).exp()",
       [] {
         return exp(floats({-kInf, 0, 1, 89, kInf, kNaN}, {6}));
       },
       "tensor([0.0000, 1.0000, 2.7183,    inf,    inf,    nan])"},
      {"T([0.,-1.,1.,inf]).log()",
       [] {
         return log(floats({0, -1, 1, kInf}, {4}));
       },
       "tensor([-inf, nan, 0., inf])"},
      {"i.sqrt()", [] { return sqrt(i()); }, "tensor([1.0000, 1.4142,    nan])"},
      {"T([0.,4.]).rsqrt()",
       [] {
         return rsqrt(floats({0, 4}, {2}));
       },
       "tensor([   inf, 0.5000])"},
      {"torch.sin(T([0.,1.,100.,inf]))",
       [] {
         return sin(floats({0, 1, 100, kInf}, {4}));
       },
       "tensor([ 0.0000,  0.8415, -0.5064,     nan])"},
      {"torch.cos(i)", [] { return cos(i()); }, "tensor([ 0.5403, -0.4161, -0.9900])"},
      {"torch.tanh(T([-50.,-0.,0.25,nan]))",
       [] {
         return tanh(floats({-50, -0.0F, 0.25, kNaN}, {4}));
       },
       "tensor([-1.0000, -0.0000,  0.2449,     nan])"},
      {"torch.sigmoid(T([-200.,0.,3.,inf]))",
       [] {
         return sigmoid(floats({-200, 0, 3, kInf}, {4}));
       },
       "tensor([0.0000, 0.5000, 0.9526, 1.0000])"},
      {"torch.relu(T([-0.,nan,-1.,2.]))",
       [] {
         return relu(floats({-0.0F, kNaN, -1, 2}, {4}));
       },
       "tensor([-0., nan, 0., 2.])"},
      {"torch.relu(i)", [] { return relu(i()); }, "tensor([1, 2, 0])"},
      {"torch.relu(b)", [] { return relu(b()); }, "RuntimeError: Boolean inputs not supported for relu"},
      {"T([nan,inf,1.]).isnan()",
       [] {
         return isnan(floats({kNaN, kInf, 1}, {3}));
       },
       "tensor([ True, False, False])"},
      {"T([nan,-inf,1.]).isinf()",
       [] {
         return isinf(floats({kNaN, -kInf, 1}, {3}));
       },
       "tensor([False,  True, False])"},
      {"T([nan,-inf,1.]).isfinite()",
       [] {
         return isfinite(floats({kNaN, -kInf, 1}, {3}));
       },
       "tensor([False, False,  True])"},
      {"i.isfinite()", [] { return isfinite(i()); }, "tensor([True, True, True])"},
      {"i.isnan()", [] { return isnan(i()); }, "tensor([False, False, False])"},
      {"d.exp()", [] { return exp(d()); }, "tensor([2.7183, 7.3891, 0.0498], dtype=torch.float64)"},
  });
}

// A bound may raise the category; NaN stays.
TEST(Pointwise, clamp) {
  check_rows({
      {"f.clamp(-1,1)", [] { return clamp(f(), whole(-1), whole(1)); }, "tensor([ 1.,  1., -1.])"},
      {"i.clamp(0.5,2)", [] { return clamp(i(), 0.5, whole(2)); }, "tensor([1.0000, 2.0000, 0.5000])"},
      {"i.clamp(min=0)", [] { return clamp(i(), whole(0), {}); }, "tensor([1, 2, 0])"},
      {"f.clamp(max=1.5)", [] { return clamp(f(), {}, 1.5); }, "tensor([ 1.0000,  1.5000, -3.0000])"},
      {"f.clamp(2,1)", [] { return clamp(f(), whole(2), whole(1)); }, "tensor([1., 1., 1.])"},
      {"T([nan,5.]).clamp(0,1)",
       [] {
         return clamp(floats({kNaN, 5}, {2}), whole(0), whole(1));
       },
       "tensor([nan, 1.])"},
      {"f.clamp(nan,1)", [] { return clamp(f(), kNaN, whole(1)); }, "tensor([nan, nan, nan])"},
      {"f.clamp(min=nan)", [] { return clamp(f(), kNaN, {}); }, "tensor([ 1.,  2., -3.])"},
      {"f.clamp()", [] { return clamp(f(), {}, {}); },
       "RuntimeError: torch.clamp: At least one of 'min' or 'max' must not be None"},
      {"b.clamp(0,1)", [] { return clamp(b(), whole(0), whole(1)); }, "tensor([1, 0, 1])"},
      {"b.clamp(max=True)", [] { return clamp(b(), {}, boolean(true)); },
       "RuntimeError: \"clamp_max_scalar_cpu\" not implemented for 'Bool'"},
      {"f.clamp(1e40)", [] { return clamp(f(), 1e40, {}); },
       "RuntimeError: value cannot be converted to type float without overflow"},
  });
}

// The mask broadcasts with x; the value must fit.
TEST(Pointwise, masked_fill) {
  check_rows({
      {"f.masked_fill(b,-inf)", [] { return masked_fill(f(), b(), -kInf); }, "tensor([-inf, 2., -inf])"},
      {"f.masked_fill(T([1,0,1],dtype=torch.uint8),5)",
       [] {
         return masked_fill(f(), to(ints({1, 0, 1}, {3}), DType::UInt8), whole(5));
       },
       "tensor([5., 2., 5.])"},
      {"f.masked_fill(T([1,0,2],dtype=torch.uint8),5)",
       [] {
         return masked_fill(f(), to(ints({1, 0, 2}, {3}), DType::UInt8), whole(5));
       },
       "RuntimeError: Mask tensor can take 0 and 1 values only"},
      {"i.masked_fill(b,1.5)", [] { return masked_fill(i(), b(), 1.5); }, "tensor([1, 2, 1])"},
      {"b.masked_fill(b,2.5)", [] { return masked_fill(b(), b(), 2.5); }, "tensor([ True, False,  True])"},
      {"i.masked_fill(b,inf)", [] { return masked_fill(i(), b(), kInf); },
       "RuntimeError: value cannot be converted to type int64_t without overflow"},
      {"f.masked_fill(b,1e40)", [] { return masked_fill(f(), b(), 1e40); },
       "RuntimeError: value cannot be converted to type float without overflow"},
      {"f.masked_fill(b,T(7))", [] { return masked_fill(f(), b(), Tensor::scalar(std::int64_t{7})); },
       "tensor([7., 2., 7.])"},
      {"f.masked_fill(b,T(1e40,dtype=torch.float64))", [] { return masked_fill(f(), b(), Tensor::scalar(1e40)); },
       "RuntimeError: value cannot be converted to type float without overflow"},
      {"i.masked_fill(b,T(7.5))", [] { return masked_fill(i(), b(), f(7.5)); }, "tensor([7, 2, 7])"},
      {"f.masked_fill(b,T([7.]))", [] { return masked_fill(f(), b(), floats({7}, {1})); },
       "RuntimeError: masked_fill_ only supports a 0-dimensional value tensor, but got tensor with 1 "
       "dimension(s)."},
      {"f.masked_fill(T([True,False]),0)",
       [] {
         return masked_fill(f(), bools({true, false}, {2}), whole(0));
       },
       "RuntimeError: The size of tensor a (2) must match the size of tensor b (3) at non-singleton "
       "dimension 0"},
      {"T(1.).masked_fill(b,0)", [] { return masked_fill(f(1), b(), whole(0)); }, "tensor([0., 1., 0.])"},
      {"T(1.).masked_fill(T(True),5)", [] { return masked_fill(f(1), Tensor::scalar(true), whole(5)); }, "tensor(5.)"},
      {"torch.arange(6.).view(2,3).masked_fill(torch.ones(3,3).tril()[:2]==0,-1)",
       [] {
         return masked_fill(counting({2, 3}), eq(slice(tril(ones({3, 3})), 0, {}, 2), whole(0)), whole(-1));
       },
       "tensor([[ 0., -1., -1.],\n"
       "        [ 3.,  4., -1.]])"},
      {"torch.zeros(0,3).masked_fill(b,1)",
       [] {
         return masked_fill(zeros({0, 3}), b(), whole(1));
       },
       "tensor([], size=(0, 3))"},
      {"i.masked_fill(b,2**62)", [] { return masked_fill(i(), b(), whole(std::int64_t{1} << 62)); },
       "tensor([4611686018427387904,                   2, 4611686018427387904])"},
  });
}

// Promotes as arithmetic does.
TEST(Pointwise, where) {
  check_rows({
      {"torch.where(b,f,1)", [] { return where(b(), f(), whole(1)); }, "tensor([ 1.,  1., -3.])"},
      {"torch.where(b,1.,i)", [] { return where(b(), 1.0, i()); }, "tensor([1., 2., 1.])"},
      {"torch.where(b,i,1)", [] { return where(b(), i(), whole(1)); }, "tensor([ 1,  1, -3])"},
      {"torch.where(b,1.,2)", [] { return where(b(), 1.0, whole(2)); }, "tensor([1., 2., 1.])"},
      {"torch.where(b,True,False)", [] { return where(b(), boolean(true), boolean(false)); },
       "tensor([ True, False,  True])"},
      {"torch.where(b,f,d)", [] { return where(b(), f(), d()); }, "tensor([ 1.,  2., -3.], dtype=torch.float64)"},
      {"torch.where(b,f,T(1.,dtype=torch.float64))", [] { return where(b(), f(), Tensor::scalar(1.0)); },
       "tensor([ 1.,  1., -3.])"},
      {"torch.where(b,b,1.0)", [] { return where(b(), b(), 1.0); }, "tensor([1., 1., 1.])"},
      {"torch.where(i,f,f)", [] { return where(i(), f(), f()); },
       "RuntimeError: where expected condition to be a boolean tensor, but got a tensor with dtype Long"},
      {"torch.where(T([True,False]),f,f)",
       [] {
         return where(bools({true, false}, {2}), f(), f());
       },
       "RuntimeError: The size of tensor a (2) must match the size of tensor b (3) at non-singleton "
       "dimension 0"},
      {"torch.where(b,1e40,f)", [] { return where(b(), 1e40, f()); },
       "RuntimeError: value cannot be converted to type float without overflow"},
      {"torch.where(b.view(3,1),f,i)",
       [] {
         return where(view(b(), {3, 1}), f(), i());
       },
       "tensor([[ 1.,  2., -3.],\n"
       "        [ 1.,  2., -3.],\n"
       "        [ 1.,  2., -3.]])"},
  });
}

// Truncation; NaN and what is out of range give the lowest integer.
TEST(Pointwise, cast) {
  check_rows({
      {"T([nan,inf,-inf,1e30,-2.9,2.9]).long()[-2:]",
       [] {
         return slice(cast(floats({kNaN, kInf, -kInf, 1e30F, -2.9F, 2.9F}, {6}), DType::Int64), 0, -2, {});
       },
       "tensor([-2,  2])"},
      {"T([nan,inf,-inf,1e30,2**63]).long()==-2**63",
       [] {
         return eq(cast(floats({kNaN, kInf, -kInf, 1e30F, 0x1p63F}, {5}), DType::Int64), whole(kLowest));
       },
       "tensor([True, True, True, True, True])"},
      {"T([nan,inf,0.,-0.,.1]).bool()",
       [] {
         return cast(floats({kNaN, kInf, 0, -0.0F, 0.1F}, {5}), DType::Bool);
       },
       "tensor([ True,  True, False, False,  True])"},
      {"T([1e300,0.1],dtype=torch.float64).float()",
       [] {
         return cast(doubles({1e300, 0.1}, {2}), DType::Float32);
       },
       "tensor([   inf, 0.1000])"},
      {"i.double()", [] { return cast(i(), DType::Float64); }, "tensor([ 1.,  2., -3.], dtype=torch.float64)"},
      {"b.long()", [] { return cast(b(), DType::Int64); }, "tensor([1, 0, 1])"},
  });
}

TEST(Pointwise, narrow_types_wrap_and_round) {
  const auto f16 = [](std::vector<float> values) {
    const auto count = static_cast<std::int64_t>(values.size());
    return to(floats(std::move(values), {count}), DType::Float16);
  };
  check_rows({
      {"T([1.9,-1.9,300.5,-1.]).to(torch.uint8)",
       [] {
         return to(floats({1.9F, -1.9F, 300.5F, -1}, {4}), DType::UInt8);
       },
       "tensor([  1, 255,  44, 255], dtype=torch.uint8)"},
      {"T([1.9,-1.9,200.,-200.]).to(torch.int8)",
       [] {
         return to(floats({1.9F, -1.9F, 200, -200}, {4}), DType::Int8);
       },
       "tensor([  1,  -1, -56,  56], dtype=torch.int8)"},
      {"T([3e9,-3e9,1.5,nan]).to(torch.int32)",
       [] {
         return to(floats({3e9F, -3e9F, 1.5F, kNaN}, {4}), DType::Int32);
       },
       "tensor([-2147483648, -2147483648,           1, -2147483648], dtype=torch.int32)"},
      {"T([3e9,70000.5,1.5]).double().to(torch.int16)",
       [] {
         return to(doubles({3e9, 70000.5, 1.5}, {3}), DType::Int16);
       },
       "tensor([   0, 4464,    1], dtype=torch.int16)"},
      {"T([2**31,-2**31-1,5]).to(torch.int32)",
       [] {
         return to(ints({2147483648, -2147483649, 5}, {3}), DType::Int32);
       },
       "tensor([-2147483648,  2147483647,           5], dtype=torch.int32)"},
      {"T([65519.,65520.,-1e9]).half()",
       [&] {
         return f16({65519, 65520, -1e9F});
       },
       "tensor([65504.,    inf,   -inf], dtype=torch.float16)"},
      {"T([2049.,2051.,1/3]).half()",
       [&] {
         return f16({2049, 2051, 1.0F / 3});
       },
       "tensor([2.0480e+03, 2.0520e+03, 3.3325e-01], dtype=torch.float16)"},
      {"T([6e-8,2e-8,nan]).half()",
       [&] {
         return f16({6e-8F, 2e-8F, kNaN});
       },
       "tensor([5.9605e-08, 0.0000e+00,        nan], dtype=torch.float16)"},
      {"T([257.,259.,1/3]).bfloat16()",
       [] {
         return to(floats({257, 259, 1.0F / 3}, {3}), DType::BFloat16);
       },
       "tensor([256.0000, 260.0000,   0.3340], dtype=torch.bfloat16)"},
      {"T([3.4e38,1e-40]).bfloat16()",
       [] {
         return to(floats({3.4e38F, 1e-40F}, {2}), DType::BFloat16);
       },
       "tensor([       inf, 9.1835e-41], dtype=torch.bfloat16)"},
  });
}

TEST(Pointwise, shifts) {
  check_rows({
      {"T([1,-3,5])<<T([3,1,0])",
       [] {
         return bitwise_left_shift(ints({1, -3, 5}, {3}), ints({3, 1, 0}, {3}));
       },
       "tensor([ 8, -6,  5])"},
      {"T([9,-9,1])>>T([2,1,5])",
       [] {
         return bitwise_right_shift(ints({9, -9, 1}, {3}), ints({2, 1, 5}, {3}));
       },
       "tensor([ 2, -5,  0])"},
      {"f<<f", [] { return bitwise_left_shift(f(), f()); }, "RuntimeError: \"lshift_cpu\" not implemented for 'Float'"},
      {"b>>b", [] { return bitwise_right_shift(b(), b()); }, "RuntimeError: \"rshift_cpu\" not implemented for 'Bool'"},
  });
}

// The strides of results: the order of axes of the operands is kept, so view() refuses as in PyTorch.
TEST(Pointwise, order_in_memory) {
  check_rows({
      {"strides(x.permute(2,0,1)+1)",
       [] {
         return strides(add(permute(x(), {2, 0, 1}), whole(1)));
       },
       "tensor([ 1, 12,  4,  0])"},
      {"strides(x.permute(2,0,1).exp())",
       [] {
         return strides(exp(permute(x(), {2, 0, 1})));
       },
       "tensor([ 1, 12,  4,  0])"},
      {"strides(x.permute(2,0,1)+torch.zeros(3))",
       [] {
         return strides(add(permute(x(), {2, 0, 1}), zeros({3})));
       },
       "tensor([ 1, 12,  4,  0])"},
      {"strides(x.permute(2,0,1)+torch.zeros(4,2,3))",
       [] {
         return strides(add(permute(x(), {2, 0, 1}), zeros({4, 2, 3})));
       },
       "tensor([ 1, 12,  4,  0])"},
      {"strides(torch.zeros(4,2,3)+x.permute(2,0,1))",
       [] {
         return strides(add(zeros({4, 2, 3}), permute(x(), {2, 0, 1})));
       },
       "tensor([6, 3, 1, 0])"},
      {"strides(x[:,:,::2]*2)", [] { return strides(mul(slice(x(), 2, {}, {}, 2), whole(2))); },
       "tensor([6, 2, 1, 0])"},
      {"strides(x.permute(2,0,1)[::2].abs())",
       [] {
         return strides(abs(slice(permute(x(), {2, 0, 1}), 0, {}, {}, 2)));
       },
       "tensor([1, 6, 2, 0])"},
      {"strides(x.permute(2,0,1).double())",
       [] {
         return strides(to(permute(x(), {2, 0, 1}), DType::Float64));
       },
       "tensor([ 1, 12,  4,  0])"},
      {"strides(x.permute(2,0,1).masked_fill(x.permute(2,0,1)>3,0))",
       [] {
         return strides(masked_fill(permute(x(), {2, 0, 1}), gt(permute(x(), {2, 0, 1}), whole(3)), whole(0)));
       },
       "tensor([6, 3, 1, 0])"},
      {"strides(torch.where(x.permute(2,0,1)>3,x.permute(2,0,1),0.))",
       [] {
         return strides(where(gt(permute(x(), {2, 0, 1}), whole(3)), permute(x(), {2, 0, 1}), 0.0));
       },
       "tensor([ 1, 12,  4,  0])"},
      {"strides(x.permute(2,0,1).clone())",
       [] {
         return strides(clone(permute(x(), {2, 0, 1})));
       },
       "tensor([ 1, 12,  4,  0])"},
      {"strides(x.expand(5,2,3,4)+0)",
       [] {
         return strides(add(expand(x(), {5, 2, 3, 4}), whole(0)));
       },
       "tensor([24, 12,  4,  1,  0])"},
      {"strides(x.permute(1,0,2).expand(5,3,2,4).clone())",
       [] {
         return strides(clone(expand(permute(x(), {1, 0, 2}), {5, 3, 2, 4})));
       },
       "tensor([24,  4, 12,  1,  0])"},
      {"(x.permute(0,2,1)/2).view(2,12)",
       [] {
         return view(div(permute(x(), {0, 2, 1}), whole(2)), {2, 12});
       },
       "RuntimeError: view size is not compatible with input tensor's size and stride (at least one "
       "dimension spans across two contiguous subspaces). Use .reshape(...) instead."},
      {"x.permute(0,2,1).float().view(-1)",
       [] {
         return view(to(permute(x(), {0, 2, 1}), DType::Float32), {-1});
       },
       "RuntimeError: view size is not compatible with input tensor's size and stride (at least one "
       "dimension spans across two contiguous subspaces). Use .reshape(...) instead."},
  });
}

}  // namespace
}  // namespace attn
