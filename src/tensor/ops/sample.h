#pragma once
// Draws that choose: PyTorch's numbers bit for bit, as those of random.h.
#include "tensor/core/tensor.h"
#include "tensor/ops/random.h"

namespace attn {

/// Numbers of places, each drawn with a probability in proportion to the weight that stands there.
///   Shapes: weights (C) -> (count), weights (N, C) -> (N, count).
///   Errors: RuntimeError for weights that are negative, not finite or all 0, and for more draws than places without
///           replacement.
Tensor multinomial(const Tensor& weights, std::int64_t count, bool replacement, Generator& generator);

/// 1 with probability p, else 0, in the shape and type of x.
Tensor bernoulli(const Tensor& x, double p, Generator& generator);

/// The same with the probabilities that stand in p, which broadcasts to the shape of x.
///   Errors: RuntimeError for probabilities outside of 0 and 1, integers and Bool.
Tensor bernoulli(const Tensor& x, const Tensor& p, Generator& generator);

/// Fills x with draws of an exponential distribution: density rate exp(-rate t).
void exponential_(Tensor& x, double rate, Generator& generator);

}  // namespace attn
