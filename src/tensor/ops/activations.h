#pragma once
// The nonlinear functions of torch.nn.functional, of each element by itself. All refuse integers with a RuntimeError.
#include "tensor/core/tensor.h"

namespace attn {

Tensor gelu(const Tensor& x);        // x times the share of a normal distribution that lies below x
Tensor gelu_slope(const Tensor& x);  // of gelu at x
Tensor gelu_tanh(const Tensor& x);   // the same with tanh in the place of erf
Tensor silu(const Tensor& x);        // x sigmoid(x)
Tensor mish(const Tensor& x);        // x tanh(log(1 + exp(x)))
Tensor log_sigmoid(const Tensor& x);
/// log(1 + exp(beta x)) / beta; x itself where beta x > threshold.
Tensor softplus(const Tensor& x, double beta = 1, double threshold = 20);
/// scale x above 0, scale alpha (exp(input_scale x) - 1) below.
Tensor elu(const Tensor& x, double alpha = 1, double scale = 1, double input_scale = 1);
Tensor leaky_relu(const Tensor& x, double negative_slope = 0.01);
Tensor hardsigmoid(const Tensor& x);  // x + 3 kept between 0 and 6, divided by 6
Tensor hardswish(const Tensor& x);    // x hardsigmoid(x)
/// 0 from -lambd to lambd, x elsewhere; by softshrink closer to 0 by lambd.
Tensor hardshrink(const Tensor& x, double lambd);
Tensor softshrink(const Tensor& x, double lambd);

}  // namespace attn
