// Without replacement PyTorch divides the weights by exponential draws and takes the largest quotients
// (Gumbel's trick). With replacement it looks up uniform draws in the running sums of the weights.
#include "tensor/ops/sample.h"

#include <cmath>
#include <vector>

#include "base/number.h"
#include "tensor/core/error.h"
#include "tensor/core/read.h"
#include "tensor/core/scalar_type.h"
#include "tensor/core/walk.h"
#include "tensor/core/work.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/math_functions.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/ops/sort.h"

namespace attn {
namespace {

constexpr std::int64_t kMostPlaces = std::int64_t{1} << 24;

[[noreturn]] void refuse_draw(std::string text) { throw_value("multinomial", std::move(text)); }

// A tensor of draws in x's shape. PyTorch fills a tensor in the order of its memory, not of its axes; `draws` has no
// gaps, so it is filled from its first place to its last.
template <class Draw>
Tensor drawn_like(const Tensor& x, Draw draw) {
  Tensor draws = empty_in_memory_order(x, DType::Float64);
  double* to = draws.mutable_data<double>();
  in_chunks(x.numel(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) to[i] = draw();
  });
  return draws;
}

void check_draws(const Tensor& weights, std::int64_t count, bool replacement) {
  if (weights.dim() < 1 || weights.dim() > 2) refuse_draw("prob_dist must be 1 or 2 dim");
  if (!is_floating(weights.dtype()))
    refuse_draw("multinomial only supports floating-point dtypes for input, got: " + scalar_type_name(weights.dtype()));
  if (count <= 0) refuse_draw("cannot sample n_sample <= 0 samples");
  const std::int64_t places = weights.size(weights.dim() - 1);
  if (!replacement && count > places)
    refuse_draw("cannot sample n_sample > prob_dist.size(-1) samples without replacement");
  if (places > kMostPlaces) refuse_draw("number of categories cannot exceed 2^24");
}

// The weights of one row: all at least 0 and finite, and not all 0.
void check_weights(const Tensor& weights) {
  const Tensor fits = logical_and(lt(weights, math::kInfinity), ge(weights, Scalar(std::int64_t{0})));
  if (to_int(item(all(fits))) == 0) refuse_draw("probability tensor contains either `inf`, `nan` or element < 0");
  if (to_int(item(any(eq(sum(weights, {-1}), Scalar(std::int64_t{0}))))) != 0)
    refuse_draw("invalid multinomial distribution (sum of probabilities <= 0)");
}

Tensor draw_without_replacement(const Tensor& weights, std::int64_t count, Generator& generator) {
  check_weights(weights);
  Tensor draws = empty_like(weights, weights.dtype());
  exponential_(draws, 1, generator);
  const Tensor keys = div(weights, draws);
  return count == 1 ? argmax(keys, -1, true) : topk(keys, count, -1).indices;
}

// Running sums of one row, in the type of the weights; the last is 1.
template <class T>
std::vector<T> running_sums(const T* weights, std::int64_t places) {
  std::vector<T> sums;
  T total{};
  for (std::int64_t i = 0; i < places; ++i) {
    if (!(weights[i] >= 0)) refuse_draw("invalid multinomial distribution (encountering probability entry < 0)");
    if (!std::isfinite(weights[i]))
      refuse_draw("invalid multinomial distribution (encountering probability entry = infinity or NaN)");
    total += weights[i];
    sums.push_back(total);
  }
  if (!(total > 0)) refuse_draw("invalid multinomial distribution (sum of probabilities <= 0)");
  for (T& sum : sums) sum /= total;
  sums.back() = T{1};
  return sums;
}

template <class T>
void draw_with_replacement(const Tensor& weights, Tensor& out, Generator& generator) {
  const std::int64_t places = weights.size(weights.dim() - 1), count = out.size(out.dim() - 1);
  std::int64_t* to = out.mutable_data<std::int64_t>();
  for (std::int64_t row = 0; row * count < out.numel(); ++row) {
    const std::vector<T> sums = running_sums(weights.data<T>() + row * places, places);
    in_chunks(count, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const double draw = generator.uniform53();
        std::int64_t low = 0, high = places;
        while (high > low) {
          const std::int64_t middle = low + (high - low) / 2;
          if (static_cast<double>(sums[static_cast<std::size_t>(middle)]) < draw) low = middle + 1;
          else high = middle;
        }
        *to++ = low;
      }
    });
  }
}

}  // namespace

Tensor multinomial(const Tensor& weights, std::int64_t count, bool replacement, Generator& generator) {
  check_draws(weights, count, replacement);
  Shape shape = weights.shape();
  shape.back() = count;
  Tensor out = Tensor::empty(shape, DType::Int64);
  if (out.numel() == 0) return out;
  if (!replacement) return draw_without_replacement(weights, count, generator);
  if (weights.dtype() == DType::Float32) draw_with_replacement<float>(contiguous(weights), out, generator);
  else draw_with_replacement<double>(contiguous(weights), out, generator);
  return out;
}

Tensor bernoulli(const Tensor& x, double p, Generator& generator) {
  if (!(p >= 0 && p <= 1))
    throw TensorError("bernoulli.p", Code::Value, "RuntimeError",
                      "bernoulli_ expects p to be in [0, 1], but got p=" + format_general(p, 6));
  return cast(drawn_like(x, [&] { return generator.uniform53() < p ? 1.0 : 0.0; }), x.dtype());
}

Tensor bernoulli(const Tensor& x, const Tensor& p, Generator& generator) {
  const Tensor wanted = expand(p, x.shape());
  if (x.numel() == 0) return Tensor::empty(x.shape(), x.dtype());
  Tensor draws = empty_in_memory_order(x, p.dtype());
  assign(draws, wanted);
  return cast(bernoulli(in_memory_order(draws), generator).as_strided(draws.shape(), draws.strides(), 0), x.dtype());
}

void exponential_(Tensor& x, double rate, Generator& generator) {
  if (!is_floating(x.dtype())) throw_not_implemented("exponential_cpu", x.dtype());
  if (!(rate >= 0))
    throw TensorError("exponential.rate", Code::Value, "RuntimeError",
                      "exponential_ expects lambda >= 0.0, but found lambda=" + format_general(rate, 6));
  assign(x, drawn_like(x, [&] { return -1.0 / rate * math::log(1.0 - generator.uniform53()); }));
}

}  // namespace attn
