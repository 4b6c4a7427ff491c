// One benchmark per kernel: bench_kernels --benchmark_filter=product. ATTN_TUTOR_CPU chooses the level. Flops count a
// multiply-add as two.
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "tensor/ops/activations.h"
#include "tensor/ops/attention.h"
#include "tensor/kernels/levels.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/matmul.h"
#include "tensor/core/memory.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/random.h"
#include "tensor/ops/reduce.h"

namespace attn {
namespace {

const bool kReady = [] {
  keep_freed_memory();
  const char* const name = std::getenv("ATTN_TUTOR_CPU");
  if (name && *name) use_level(*find_level(name));
  return true;
}();

Tensor drawn(const Shape& shape) {
  Generator generator(1);
  return randn(shape, generator);
}

template <class F>
void measure(benchmark::State& state, const F& compute, double flops, double elements) {
  state.SetLabel(std::string(level().name));
  for (auto _ : state) benchmark::DoNotOptimize(compute());
  const auto kRate = benchmark::Counter::kIsIterationInvariantRate;
  if (flops > 0) state.counters["flops"] = benchmark::Counter(flops, kRate);
  if (elements > 0) state.counters["elements"] = benchmark::Counter(elements, kRate);
}

// rows, depth, columns
void product(benchmark::State& state) {
  const Tensor a = drawn({state.range(0), state.range(1)}), b = drawn({state.range(1), state.range(2)});
  measure(
      state, [&] { return mm(a, b); }, 2.0 * static_cast<double>(state.range(0) * state.range(1) * state.range(2)), 0);
}
BENCHMARK(product)->Args({20, 64, 20})->Args({64, 64, 64})->Args({100, 100, 100})->Args({256, 256, 256});
BENCHMARK(product)->Args({1024, 1024, 1024})->Args({2048, 2048, 2048})->Args({1024, 64, 1024})->Args({1024, 1024, 64});

// rows, inner, outer features
void linear_layer(benchmark::State& state) {
  const Tensor x = drawn({state.range(0), state.range(1)}), weight = drawn({state.range(2), state.range(1)});
  const Tensor bias = drawn({state.range(2)});
  measure(
      state, [&] { return linear(x, weight, bias); },
      2.0 * static_cast<double>(state.range(0) * state.range(1) * state.range(2)), 0);
}
BENCHMARK(linear_layer)->Args({5, 8, 8})->Args({200, 512, 512})->Args({1024, 512, 512});

void softmax_of_rows(benchmark::State& state) {
  const Tensor x = drawn({state.range(0), state.range(1)});
  measure(
      state, [&] { return softmax(x, -1); }, 0, static_cast<double>(x.numel()));
}
BENCHMARK(softmax_of_rows)->Args({30, 6})->Args({1600, 20})->Args({8192, 128})->Args({8192, 1024});

// heads, length
void attention(benchmark::State& state) {
  const Tensor q = drawn({state.range(0), state.range(1), 64});
  const double scores = static_cast<double>(state.range(0) * state.range(1) * state.range(1));
  measure(
      state, [&] { return attention_in_tiles(q, q, q, {.mask = {}, .scale = 0.125}); }, scores * 64 * 4, 0);
}
BENCHMARK(attention)->Args({8, 1024})->Args({8, 4096});

template <Tensor (*F)(const Tensor&)>
void pointwise(benchmark::State& state) {
  const Tensor x = drawn({state.range(0)});
  measure(
      state, [&] { return F(x); }, 0, static_cast<double>(x.numel()));
}
BENCHMARK(pointwise<exp>)->Arg(100'000);
BENCHMARK(pointwise<tanh>)->Arg(100'000);
BENCHMARK(pointwise<sigmoid>)->Arg(100'000);
BENCHMARK(pointwise<gelu>)->Arg(100'000);
BENCHMARK(pointwise<relu>)->Arg(100'000);

void add_tensors(benchmark::State& state) {
  const Tensor x = drawn({state.range(0)});
  measure(
      state, [&] { return add(x, x); }, 0, static_cast<double>(x.numel()));
}
BENCHMARK(add_tensors)->Arg(100'000)->Arg(8'000'000);

void divide_by_number(benchmark::State& state) {
  const Tensor x = drawn({state.range(0)});
  measure(
      state, [&] { return div(x, 8.0); }, 0, static_cast<double>(x.numel()));
}
BENCHMARK(divide_by_number)->Arg(100'000)->Arg(8'000'000);

// (batch, length, heads, head_dim) to (batch, heads, length, head_dim)
void heads_to_front(benchmark::State& state) {
  const Tensor x = drawn({10, 20, 8, 64});
  measure(
      state,
      [&] {
        return contiguous(permute(x, {0, 2, 1, 3}));
      },
      0, static_cast<double>(x.numel()));
}
BENCHMARK(heads_to_front);

}  // namespace
}  // namespace attn
